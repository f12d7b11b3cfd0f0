package main

import (
	"context"
	"fmt"
	"strings"

	"toposearch/compare"
	"toposearch/report/number"
)

// compareRuns prints what differs between an earlier and a later run.
func (a *app) compareRuns(ctx context.Context, earlier, later string) error {
	x, err := compare.OfRuns(ctx, earlier, later)
	if err != nil {
		return badRun(err)
	}
	if a.json {
		return printJSON(a.out, x)
	}
	for i := range x.Runs {
		r := &x.Runs[i]
		complete := "complete"
		if !r.Complete {
			complete = "not complete"
		} else if r.Tolerance > 0 {
			complete += " within " + number.Tolerance(r.Tolerance)
		}
		fmt.Fprint(a.out, hanging(fmt.Sprintf("%s: %s, %s on the front (%s), %s evaluated, evaluator %s", r.Dir, r.Study, number.Count(r.Front, "design", "designs"), complete,
			number.Figure(float64(r.Evaluated)), r.Evaluator)))
	}
	fmt.Fprintln(a.out, "\nInputs of the second that differ")
	if len(x.Inputs) == 0 {
		fmt.Fprintln(a.out, "  none")
	}
	for _, c := range x.Inputs {
		fmt.Fprint(a.out, labelled("  "+c.What, 10, c.Text))
	}
	for _, l := range []struct {
		head string
		list []compare.Passed
		none string
	}{{"Came: on the front of the second alone", x.Came, "none: it found no more"}, {"Gone: on the front of the first alone", x.Gone, "none: it lost nothing"}} {
		fmt.Fprintln(a.out, "\n"+l.head)
		if len(l.list) == 0 {
			fmt.Fprintln(a.out, "  "+l.none)
		}
		for i := range l.list {
			p := &l.list[i]
			text := p.Design + ": "
			if p.Verdict != "" {
				text += "under the other run " + p.Verdict + "; "
			}
			text += p.Why
			if p.Cause != "" {
				text += " (because of " + causeText(p.Cause) + ")"
			}
			fmt.Fprint(a.out, "  - "+strings.TrimLeft(wrap(text, 80, "    "), " "))
		}
	}
	fmt.Fprintf(a.out, "\nOn both fronts: %d with the same figures, %d with others\n", x.Same, len(x.Moved))
	a.printMoved(x)
	return nil
}

// causeText says the cause of a difference for people.
func causeText(cause string) string {
	if cause == compare.InputSearch {
		return "the search: the other one did not come by"
	}
	return strings.ReplaceAll(cause, compare.InputAsked, "what is asked for")
}

// printMoved prints what changed of designs on both fronts, and because of what.
func (a *app) printMoved(x *compare.Runs) {
	if len(x.Moved) == 0 {
		return
	}
	model := "model"
	if x.Runs[0].Evaluator == x.Runs[1].Evaluator {
		model = "measured" // the one model is the same: what is left is of simulations
	}
	rows := [][]string{{"design, metric", "before", "after", model, "prices", "inputs"}}
	for i := range x.Moved {
		rows = append(rows, []string{x.Moved[i].Design, "", "", "", "", ""})
		for _, c := range x.Moved[i].Changes {
			s := number.ScaleOf(c.Unit, []float64{c.Before, c.After, c.After - c.Before})
			row := []string{"  " + c.Key, number.Quantity(c.Before, c.Unit), number.Quantity(c.After, c.Unit)}
			if c.Undivided {
				row = append(row, "?", "?", "?")
			} else {
				row = append(row, compare.Spread([]float64{c.Model, c.Prices, c.Inputs}, s)...)
			}
			rows = append(rows, row)
		}
	}
	printColumns(a.out, rows)
	fmt.Fprint(a.out, wrap("Each change is divided in this order: the model, then the prices, then the rest of the inputs of the second run; the three add up to it.", 80, "  "))
}
