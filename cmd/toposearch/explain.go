package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"toposearch/report/number"
	"toposearch/search/run"
)

func (a *app) explainCmd() *cobra.Command {
	var proof bool
	var sample int
	var seed uint64
	c := &cobra.Command{
		Use:   "explain RUN DESIGN|FAMILY, or explain --proof RUN",
		Short: "Why a design is in or out, and what would admit it",
		Long: "Says why a design is on the front of a run or not, and what would admit it. Of a family its best design is taken: the knee of its own front\n" +
			"under the study, or where no design of it meets every limit the one that comes nearest. file:PATH names the network of a file.\n\n" +
			"With --proof it checks what the search left out by bounds: it draws designs of the space at random, and evaluates those that bounds exclude. Each has to miss " +
			"a limit or to be dominated by the front. It ends with 1 if one does not.",
		Example: `  toposearch explain runs/pod-001 'dragonfly(p=4,a=8,h=4)'
  toposearch explain runs/pod-001 fattree
  toposearch explain --proof runs/pod-001`,
		Args: cobra.RangeArgs(1, 2),
		RunE: func(c *cobra.Command, args []string) error {
			switch {
			case proof && len(args) == 2:
				return usagef("--proof takes a run and no design")
			case proof && sample < 1:
				return usagef("--sample is %d; it is 1 or more", sample)
			case proof:
				return a.checkProof(c, args[0], seed, sample)
			case len(args) == 1:
				return usagef("explain needs a run and a design, as 'dragonfly(p=4,a=8,h=4)', or --proof and a run")
			}
			name, err := a.designOrFamily(args[1])
			if err != nil {
				return usage(err)
			}
			e, err := run.Explain(c.Context(), args[0], name)
			if err != nil {
				return badRun(err)
			}
			if a.json {
				return printJSON(a.out, e)
			}
			fmt.Fprintf(a.out, "%s: %s\n%s", e.Design, e.Verdict, wrap(e.Why, 80, "  "))
			if e.Chosen != "" {
				fmt.Fprint(a.out, wrap("of "+args[1]+": "+e.Chosen, 80, "  "))
			}
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
			lead := "would be admitted: "
			if e.Verdict == run.Rejected && len(e.Admit) > 1 {
				lead = "would be admitted with all of these: "
			}
			for _, t := range e.Admit {
				fmt.Fprint(a.out, wrap(lead+t, 80, "  "))
				if e.Verdict == run.Rejected {
					lead = "and " // of those that dominate a design, one is enough
				}
			}
			return nil
		},
	}
	c.Flags().BoolVar(&proof, "proof", false, "evaluate a sample of the designs that bounds exclude, and compare")
	c.Flags().IntVar(&sample, "sample", 200, "of --proof: how many designs to check")
	c.Flags().Uint64Var(&seed, "sample-seed", 1, "of --proof: the seed by which they are drawn")
	return c
}

// checkProof prints what checking the bounds of a run shows.
func (a *app) checkProof(c *cobra.Command, path string, seed uint64, sample int) error {
	x, err := run.CheckProof(c.Context(), path, seed, sample)
	if err != nil {
		return badRun(err)
	}
	switch {
	case a.json:
		err = printJSON(a.out, x)
	default:
		dominated := "dominated"
		if x.Tolerance > 0 {
			dominated += " or within the tolerance of " + number.Tolerance(x.Tolerance)
		}
		text := fmt.Sprintf("%d designs checked by evaluation that bounds exclude, of %d drawn (seed %d): %d %s, %d that miss a limit; %d of them with a whole box",
			x.Checked, x.Drawn, x.Seed, x.Dominated, dominated, x.Rejected, x.Boxes)
		if x.Large > 0 {
			text += fmt.Sprintf("; %d too large to be evaluated in passing", x.Large)
		}
		if len(x.Wrong) == 0 {
			text += "; none was wrong"
		}
		fmt.Fprint(a.out, wrap(text, 80, ""))
		for _, w := range x.Wrong {
			fmt.Fprint(a.out, wrap("WRONG: "+w, 80, "  "))
		}
	}
	if err == nil && len(x.Wrong) > 0 {
		err = fmt.Errorf("%d of %d designs were excluded wrongly: the front of this run may lack designs; please report it", len(x.Wrong), x.Checked)
	}
	return err
}
