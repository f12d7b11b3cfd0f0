package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"toposearch/evaluator/metric"
	"toposearch/report/number"
	"toposearch/search/run"
)

// whatIfVisits are the steps of an enumeration that a question may take, some ten seconds on one core.
const whatIfVisits = 1 << 24

func (a *app) whatIfCmd() *cobra.Command {
	var limits, prices []string
	var evaluations int64
	var out string
	c := &cobra.Command{
		Use:   "what-if RUN [--limit NAME=VALUE]... [--price PART=PRICE]...",
		Short: "A run under other limits and prices, from its journal",
		Long: `Gives the front that a run has under other limits or prices: which designs come and which go, and why. What the journal of the run holds is not evaluated again; under
other prices the figures of the network are taken over, and what prices decide is computed anew. What the run never evaluated, because a limit or the front of then
excluded it by bounds, is judged by bounds again, and evaluated where these leave it open, --evaluations designs at most. If that decides everything the front is that of a
fresh run of the changed study, and is said to be complete; if not, what is open is told with the best that it can be, and how to search it.

A limit stands in the place of all on its side of its metric. NAME is its key in constraint files (building.power, switch.ports, limits.mean_hops; toposearch help
constraints) or a metric; VALUE is as there, or none, which lifts it; NAME>=VALUE is the least that is wanted, NAME<=VALUE the most. PART is a part number or a kind of
parts; PRICE an amount, at any quantity, or a percentage.

--write makes a folder with the changed study, to run it. Without changes it says what limits and prices are worth: how the best value of the first objective moves with each limit, at
which prices one pick overtakes another, and how stable picks are.`,
		Example: `  toposearch what-if runs/pod-001
  toposearch what-if runs/pod-001 --limit building.power=1.5MW --limit 'uniform_throughput>=0.8'
  toposearch what-if runs/pod-001 --price T400-DR4=+25% --write pod-dear`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if evaluations < 0 {
				return usagef("--evaluations %d: it is 0 or more", evaluations)
			}
			behind, changes, err := whatIfText(limits, prices)
			if err != nil {
				return usage(err)
			}
			effort := run.Effort{Evaluations: evaluations, Visits: whatIfVisits}
			switch {
			case behind == "" && out != "":
				return usagef("--write needs a change: --limit or --price")
			case behind == "":
				return a.sensitivity(c.Context(), args[0], effort)
			case out != "":
				return a.writeWhatIf(args[0], behind, changes, out)
			}
			return a.whatIf(c.Context(), args[0], behind, changes, effort)
		},
	}
	c.Flags().StringArrayVar(&limits, "limit", nil, "a limit instead of those of the run: building.power=1.5MW, 'cost<=2MUSD', cable.reach=none (may be repeated)")
	c.Flags().StringArrayVar(&prices, "price", nil, "a price: PART=1130USD, PART=+10%, transceiver=-30% (may be repeated)")
	c.Flags().Int64Var(&evaluations, "evaluations", 1000, "designs that may be evaluated of those that the journal does not hold")
	c.Flags().StringVar(&out, "write", "", "make this folder with the changed study, instead of answering")
	return c
}

// whatIfText makes the [what_if] table of flags, and words for people.
func whatIfText(limits, prices []string) (behind string, changes []string, err error) {
	var b strings.Builder
	var faults []error
	b.WriteString("\n[what_if.limits]\n")
	for _, l := range limits {
		line, err := limitLine(l)
		if err != nil {
			faults = append(faults, err)
			continue
		}
		b.WriteString(line + "\n")
		changes = append(changes, l)
	}
	b.WriteString("[what_if.prices]\n")
	for _, p := range prices {
		part, price, ok := strings.Cut(p, "=")
		if part, price = strings.TrimSpace(part), strings.TrimSpace(price); !ok || part == "" || price == "" {
			faults = append(faults, fmt.Errorf("--price %q: write PART=PRICE, such as T400-DR4=1130USD or switch=-10%%", p))
			continue
		}
		fmt.Fprintf(&b, "%s = %s\n", quoteTOML(part), quoteTOML(price))
		changes = append(changes, p)
	}
	if err := joinUsage(faults...); err != nil {
		return "", nil, err
	}
	if len(changes) == 0 {
		return "", nil, nil
	}
	return b.String(), changes, nil
}

// quoteTOML writes a text as TOML does, which takes what JSON does.
func quoteTOML(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		panic("toposearch: a text that JSON cannot hold: " + err.Error())
	}
	return string(b)
}

// limitLine is a limit as a line of [what_if.limits].
func limitLine(text string) (string, error) {
	at := strings.IndexAny(text, "<>=")
	if at <= 0 || strings.TrimRight(text[at:], "<>= ") == "" {
		return "", fmt.Errorf("--limit %q: write NAME=VALUE, NAME<=VALUE or NAME>=VALUE, such as building.power=1.5MW", text)
	}
	name, side := strings.TrimSpace(text[:at]), ""
	value := strings.TrimSpace(strings.TrimLeft(text[at:], "<>="))
	switch text[at] {
	case '<':
		side = "max"
	case '>':
		side = "min"
	}
	if k, ok := metric.KeyOf(name); ok { // as in [limits], where which side is meant must be said
		name = "limits." + name
		if side == "" && metric.Keys[k].Better == metric.Higher {
			side = "min"
		} else if side == "" {
			side = "max"
		}
	}
	literal := value
	if _, err := strconv.ParseFloat(value, 64); err != nil && !strings.HasPrefix(value, "{") && !strings.HasPrefix(value, "[") && !strings.HasPrefix(value, `"`) && value != "true" && value != "false" {
		literal = quoteTOML(value)
	}
	if strings.EqualFold(value, "none") {
		side = ""
	}
	if side != "" {
		literal = "{ " + side + " = " + literal + " }"
	}
	for _, part := range strings.Split(name, ".") {
		if part == "" || strings.Trim(part, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") != "" {
			return "", fmt.Errorf("--limit %q: %q is no name of a limit; names are as in constraint files: building.power, limits.mean_hops", text, name)
		}
	}
	if strings.ContainsAny(literal, "\r\n") {
		return "", fmt.Errorf("--limit %q: a value has one line", text)
	}
	return name + " = " + literal, nil
}

func (a *app) whatIf(ctx context.Context, dir, behind string, changes []string, effort run.Effort) error {
	w, err := run.AskWhatIf(ctx, dir, behind, changes, effort, a.workers)
	if errors.Is(err, run.ErrChange) {
		return usage(err)
	}
	if err != nil {
		return badRun(err)
	}
	if a.json {
		return printJSON(a.out, w)
	}
	a.printWhatIf(dir, w)
	return nil
}

// printWhatIf prints what a change does to a front.
func (a *app) printWhatIf(dir string, w *run.WhatIf) {
	points, came, gone := w.Points()
	how := "complete: a run of the changed study finds the same"
	if w.Tolerance > 0 {
		how += ", or what differs by at most " + number.Tolerance(w.Tolerance)
	}
	if !w.Complete {
		how = "NOT COMPLETE: see below"
	}
	fmt.Fprint(a.out, wrap(fmt.Sprintf("%s with %s: %s on the front, %d new, %d gone (%s)", w.Study, strings.Join(w.Changes, ", "),
		number.Count(points, "design", "designs"), came, gone, how), 80, ""))
	fmt.Fprint(a.out, wrap(fmt.Sprintf("%d answered by the journal, %d with its figures of the network, %d evaluated", w.Answered, w.Repriced, w.Evaluated), 80, "  "))
	if w.Anew != "" {
		fmt.Fprint(a.out, wrap("evaluated anew: "+w.Anew, 80, "  "))
	}
	if w.Before != "" {
		fmt.Fprint(a.out, wrap(w.Before, 80, "  "))
	}
	unit := func(key string) string {
		k, _ := metric.KeyOf(key)
		return k.UnitIn(w.Currency)
	}
	value := func(values map[string]float64, key string) string {
		x, ok := values[key]
		if !ok {
			return "-"
		}
		return number.Quantity(x, unit(key))
	}
	if len(w.Front) > 0 {
		rows := [][]string{append([]string{"design"}, w.Objectives...)}
		var whys []string
		for i := range w.Front {
			k := &w.Front[i]
			if k.SameAs != "" {
				continue // shown with that
			}
			name := "  " + k.Design
			switch {
			case k.Before == nil:
				name = "+ " + k.Design
				whys = append(whys, "+ "+k.Design+" "+k.Why)
			case !maps.Equal(k.Before, k.Objectives):
				name = "~ " + k.Design
				text := ""
				for _, o := range w.Objectives {
					if k.Before[o] != k.Objectives[o] {
						text += fmt.Sprintf(", %s %s before", o, value(k.Before, o))
					}
				}
				whys = append(whys, "~ "+k.Design+text)
			}
			row := []string{name}
			for _, o := range w.Objectives {
				row = append(row, value(k.Objectives, o))
			}
			rows = append(rows, row)
			for j := range w.Front {
				if w.Front[j].SameAs == k.Design {
					also := make([]string, len(row))
					also[0] = "    also " + w.Front[j].Design
					rows = append(rows, also)
				}
			}
		}
		fmt.Fprintln(a.out)
		printColumns(a.out, rows)
		if len(whys) > 0 {
			fmt.Fprintln(a.out)
		}
		for _, t := range whys {
			fmt.Fprint(a.out, hanging(t))
		}
	}
	if len(w.Gone) > 0 {
		fmt.Fprintln(a.out)
	}
	for i := range w.Gone {
		g := &w.Gone[i]
		if g.SameAs != "" {
			continue
		}
		var also []string
		for j := range w.Gone {
			if w.Gone[j].SameAs == g.Design {
				also = append(also, w.Gone[j].Design)
			}
		}
		name := g.Design
		if len(also) > 0 {
			name += " (also " + strings.Join(also, ", ") + ")"
		}
		fmt.Fprint(a.out, hanging("- "+name+" "+g.Why))
	}
	if w.Complete {
		return
	}
	fmt.Fprintln(a.out)
	text := fmt.Sprintf("%d boxes and designs are open that neither the journal nor bounds decide", w.Open)
	if w.Proved != nil {
		text += fmt.Sprintf(" (in %s); %s", strings.Join(w.Proved.Families, ", "), w.Proved.Text())
	}
	var least []string
	for _, o := range w.Objectives {
		if x, ok := w.Least[o]; ok {
			least = append(least, o+" "+number.Quantity(x, unit(o)))
		}
	}
	if len(least) > 0 {
		text += "; the best that any of them can have, each by itself: " + strings.Join(least, ", ")
	}
	fmt.Fprint(a.out, wrap(text, 80, ""))
	for _, name := range slices.Sorted(maps.Keys(w.Cut)) {
		fmt.Fprint(a.out, wrap(fmt.Sprintf("the run rejected %s combinations for %s, most of them before they were evaluated", bigText(w.Cut[name]), name), 80, "  "))
	}
	fmt.Fprint(a.out, wrap(fmt.Sprintf("to decide them: more --evaluations, or --write FOLDER and then toposearch run FOLDER/study.toml --reuse %s", dir), 80, "  "))
}

// writeWhatIf makes the folder of a changed study.
func (a *app) writeWhatIf(dir, behind string, changes []string, out string) error {
	study, err := run.WriteWhatIf(dir, behind, out)
	switch {
	case errors.Is(err, run.ErrChange) || errors.Is(err, run.ErrExists):
		return usage(err)
	case err != nil:
		return badRun(err)
	}
	if a.json {
		return printJSON(a.out, struct {
			Schema  string   `json:"schema"`
			Changes []string `json:"changes"`
			Study   string   `json:"study"`
		}{"toposearch.whatif-study/1", changes, study})
	}
	fmt.Fprintf(a.out, "%s\nrun it: toposearch run %s --reuse %s\n", study, study, dir)
	return nil
}
