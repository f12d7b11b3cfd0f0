package main

import (
	"fmt"

	"github.com/spf13/cobra"
)

// catalogCmd is the page of price lists, and what is done with them.
func (a *app) catalogCmd() *cobra.Command {
	text := catalogHelp()
	c := &cobra.Command{Use: "catalog", Short: "Price lists: columns, units and what is accepted; import and diff", Long: text, Args: cobra.NoArgs,
		Example: "  toposearch catalog\n  toposearch catalog import prices.xlsx --out parts.csv",
		RunE:    func(*cobra.Command, []string) error { fmt.Fprintln(a.out, text); return nil }}
	c.AddCommand(a.catalogImportCmd(), a.catalogDiffCmd())
	return c
}
