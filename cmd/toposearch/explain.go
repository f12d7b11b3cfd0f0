package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"toposearch/search/run"
)

func (a *app) explainCmd() *cobra.Command {
	return &cobra.Command{
		Use:     "explain RUN DESIGN",
		Short:   "Why a design is in or out, and what would admit it",
		Example: `  toposearch explain runs/pod-001 'dragonfly(p=4,a=8,h=4)'`,
		Args:    cobra.ExactArgs(2),
		RunE: func(c *cobra.Command, args []string) error {
			d, err := a.parseDesign(args[1])
			if err != nil {
				return usage(err)
			}
			e, err := run.Explain(c.Context(), args[0], d.String())
			if err != nil {
				return badRun(err)
			}
			if a.json {
				return printJSON(a.out, e)
			}
			fmt.Fprintf(a.out, "%s: %s\n%s", e.Design, e.Verdict, wrap(e.Why, 80, "  "))
			if e.Routing != "" {
				text := "routing: " + e.Routing
				if e.Unfit != "" {
					text += " (" + e.Unfit + ")"
				}
				fmt.Fprint(a.out, wrap(text, 80, "  "))
			}
			for _, m := range e.Misses {
				if m.Origin != "" {
					fmt.Fprintf(a.out, "  %s is set at %s\n", m.Constraint, m.Origin)
				}
			}
			for _, t := range e.Admit {
				fmt.Fprint(a.out, wrap("would be admitted: "+t, 80, "  "))
			}
			return nil
		},
	}
}
