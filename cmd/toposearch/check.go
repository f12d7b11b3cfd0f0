package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"toposearch/catalog"
	"toposearch/diag"
	"toposearch/search/run"
	"toposearch/study"
)

func (a *app) checkCmd() *cobra.Command {
	return &cobra.Command{
		Use:   "check FILE...",
		Short: "Validate studies, constraint files and catalogues",
		Long: `Validate studies (with every file they name), constraint files and catalogues. All
findings are printed at once as file:line:column: message, among them a study that no design can
satisfy, with the limits that exclude all. Of price lists it says what was read. Exit status 2 if there is an error.`,
		Example: `  toposearch check study.toml
  toposearch check site.toml parts.csv --json`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			var read []catalog.Sheet
			list := study.CheckFilesTelling(args, func(s catalog.Sheet) { read = append(read, s) })
			if !list.HasErrors() {
				list.Add(a.hopeless(c.Context(), args)...)
			}
			list.Sort()
			if a.json {
				if err := printJSON(a.out, checkJSON(list, read...)); err != nil {
					return err
				}
			} else {
				for i := range read {
					fmt.Fprint(a.out, readLine(&read[i]))
				}
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

// hopeless refuses studies among valid files whose budget is not enough to begin, and warns of those that no design can satisfy.
func (a *app) hopeless(ctx context.Context, files []string) (list diag.List) {
	for _, path := range files {
		if !study.IsStudy(path) {
			continue
		}
		st, faults := study.Load(path)
		if faults.HasErrors() { // told before
			continue
		}
		if few, err := run.CheckGeneration(ctx, st, a.workers); err == nil {
			list.Add(few...)
		}
		text, at, err := run.Barred(ctx, st, a.workers)
		if err != nil || text == "" { // what stops it has been told, or stops a run as well
			continue
		}
		if at.File == "" {
			at.File = path
		}
		list.Add(diag.Diagnostic{Severity: diag.Warning, Pos: at, Summary: text, Detail: "toposearch run says which design comes closest, and what would admit it"})
	}
	return list
}
