package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"toposearch/diag"
	"toposearch/study"
)

func (a *app) initCmd() *cobra.Command {
	example := ""
	c := &cobra.Command{
		Use:   "init [DIR]",
		Short: "A commented study, constraint files and catalogue to start from",
		Example: `  toposearch init pod
  toposearch run pod/study.toml
  toposearch init atop --example atop-1`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			dir := "."
			if len(args) == 1 {
				dir = args[0]
			}
			var files []string
			var err error
			if example == "" {
				files, err = study.Init(dir)
			} else {
				if !slices.Contains(study.Examples(), example) {
					return usagef("there is no example %q%s", example, diag.Hint(example, study.Examples()))
				}
				files, err = study.InitExample(dir, example)
			}
			if errors.Is(err, study.ErrExists) {
				return usage(err)
			}
			if err != nil {
				return err
			}
			if a.json {
				return printJSON(a.out, struct {
					Schema string   `json:"schema"`
					Files  []string `json:"files"`
				}{"toposearch.init/1", files})
			}
			for _, f := range files {
				fmt.Fprintln(a.out, "wrote", f)
			}
			fmt.Fprintf(a.out, "\nNext:  toposearch plan %s\n       toposearch run %s\n", files[0], files[0])
			return nil
		},
	}
	c.Flags().StringVar(&example, "example", "", "another study: "+strings.Join(study.Examples(), ", "))
	return c
}
