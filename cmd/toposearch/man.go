package main

import (
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
	"toposearch/internal/disk"
)

// manCmd writes manual pages, for packages.
func (a *app) manCmd() *cobra.Command {
	return &cobra.Command{
		Use:     "man DIR",
		Short:   "Manual pages of all commands and topics, section 1",
		Example: "  toposearch man man1 && man -l man1/toposearch-run.1",
		Args:    cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if err := disk.MkdirAll(args[0], 0o777); err != nil {
				return err
			}
			root := c.Root()
			root.DisableAutoGenTag = true // the day on which they were made is in no package
			head := &doc.GenManHeader{Title: "TOPOSEARCH", Section: "1", Source: "toposearch " + programVersion(), Manual: "toposearch"}
			if err := doc.GenManTree(root, head, args[0]); err != nil {
				return err
			}
			pages, err := filepath.Glob(filepath.Join(args[0], "toposearch*.1"))
			if err == nil && a.json {
				err = printJSON(a.out, map[string]any{"schema": "toposearch.man/1", "files": pages})
			} else if err == nil {
				fmt.Fprintf(a.out, "wrote %d pages to %s\n", len(pages), args[0])
			}
			return err
		},
	}
}
