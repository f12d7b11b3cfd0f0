package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"toposearch/study"
)

func (a *app) checkCmd() *cobra.Command {
	return &cobra.Command{
		Use:   "check FILE...",
		Short: "Validate studies, constraint files and catalogues",
		Long: `Validate studies (with every file they name), constraint files and catalogues. All
findings are printed at once as file:line:column: message. Exit status 2 if there is an error.`,
		Example: `  toposearch check study.toml
  toposearch check site.toml parts.csv --json`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			list := study.CheckFiles(args)
			list.Sort()
			if a.json {
				if err := printJSON(a.out, checkJSON(list)); err != nil {
					return err
				}
			} else {
				list.Print(a.err)
				if len(list) == 0 {
					verb := "are"
					if len(args) == 1 {
						verb = "is"
					}
					fmt.Fprintf(a.out, "%s %s valid\n", count(len(args), "file"), verb)
				}
			}
			if list.HasErrors() {
				return &exitError{exitUsage, nil}
			}
			return nil
		},
	}
}
