package main

import (
	"context"
	"fmt"
	"strings"

	"toposearch/report"
	"toposearch/search/run"
)

// sensitivity prints what limits and prices of a run are worth.
func (a *app) sensitivity(ctx context.Context, dir string, effort run.Effort) error {
	s, err := report.FindSensitivity(ctx, dir, effort, a.workers)
	if err != nil {
		return badRun(err)
	}
	if a.json {
		return printJSON(a.out, s)
	}
	fmt.Fprint(a.out, wrap(s.Study+": what limits are worth", 80, ""))
	for i := range s.Curves {
		lead, lines := report.CurveText(&s.Curves[i], s.Currency)
		fmt.Fprintln(a.out)
		fmt.Fprint(a.out, wrap(lead, 80, ""))
		for _, l := range lines {
			fmt.Fprint(a.out, "  - "+strings.TrimLeft(wrap(l, 80, "    "), " "))
		}
	}
	fmt.Fprintln(a.out, "\nPrices at which one design overtakes another in cost, each part by itself")
	if len(s.BreakEvens) == 0 {
		fmt.Fprintln(a.out, "  none between half and twice of the present prices")
	}
	for i := range s.BreakEvens {
		fmt.Fprint(a.out, "  - "+strings.TrimLeft(wrap(report.BreakEvenText(&s.BreakEvens[i], s.Currency), 80, "    "), " "))
	}
	fmt.Fprintln(a.out, "\nPicks under other prices")
	for i := range s.Picks {
		for k, l := range report.PickTexts(&s.Picks[i]) {
			lead := "  - "
			if k > 0 {
				lead = "      "
			}
			fmt.Fprint(a.out, lead+strings.TrimLeft(wrap(l, 80, "      "), " "))
		}
	}
	for _, n := range s.Notes {
		fmt.Fprint(a.out, wrap("note: "+n, 80, ""))
	}
	return nil
}
