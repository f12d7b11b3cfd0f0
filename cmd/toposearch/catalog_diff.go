package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"toposearch/catalog"
)

// diffDoc is the difference of two price lists.
type diffDoc struct {
	Schema  string               `json:"schema"`
	Old     string               `json:"old"`
	New     string               `json:"new"`
	Same    int                  `json:"same"`
	Added   []catalog.PartLine   `json:"added"`
	Gone    []catalog.PartLine   `json:"gone"`
	Changed []catalog.PartChange `json:"changed"`
	Prices  catalog.PriceMoves   `json:"prices"`
}

func (a *app) catalogDiffCmd() *cobra.Command {
	var f listFlags
	var exit bool
	c := &cobra.Command{
		Use:   "diff OLD NEW",
		Short: "What one price list has over another: parts, prices, lead times",
		Long: `Sets two price lists side by side, CSV or XLSX in whatever shape, by part number:
parts that were added, those that are gone, and of the others each field that
changed, prices with their change in percent where both are in one currency.
Figures are compared as they are read: 1.5 kW is 1500 W. "builtin" is the list
inside the program.

Exit status 0 whether they differ or not, with --exit-code 8 if they do; 2 if
one of them has an error.`,
		Example: `  toposearch catalog diff 2026-10.xlsx 2026-11.xlsx
  toposearch catalog diff parts.csv new.csv --exit-code --json`,
		Args: cobra.ExactArgs(2),
		RunE: func(c *cobra.Command, args []string) error {
			_, opt, list, err := f.options()
			if err != nil {
				return err
			}
			if list.HasErrors() {
				return a.refuse(list)
			}
			older, l1 := a.loadList(args[0], opt)
			newer, l2 := a.loadList(args[1], opt)
			if older == nil || newer == nil {
				return a.refuse(append(l1, l2...))
			}
			d := catalog.Compare(older, newer)
			if a.json {
				doc := diffDoc{"toposearch.catalog-diff/1", args[0], args[1], d.Same, []catalog.PartLine{}, []catalog.PartLine{}, []catalog.PartChange{}, d.Prices}
				doc.Added, doc.Gone, doc.Changed = append(doc.Added, d.Added...), append(doc.Gone, d.Gone...), append(doc.Changed, d.Changed...)
				err = printJSON(a.out, doc)
			} else {
				a.printDiff(d, args[0], args[1])
			}
			if err == nil && exit && d.Differs() {
				return errDiffer
			}
			return err
		},
	}
	f.add(c)
	c.Flags().BoolVar(&exit, "exit-code", false, "exit with status 8 if the lists differ")
	return c
}

// printDiff prints a difference in 80 columns.
func (a *app) printDiff(d *catalog.Difference, older, newer string) {
	fmt.Fprint(a.out, hanging(fmt.Sprintf("%s against %s: %d added, %d gone, %d changed, %d the same", newer, older, len(d.Added), len(d.Gone), len(d.Changed), d.Same)))
	m := d.Prices
	if m.Both > 0 {
		fmt.Fprint(a.out, hanging(fmt.Sprintf("%s in both lists: %d up, %d down, %+.1f %% to %+.1f %%, the median %+.1f %%", count(m.Both, "price"), m.Up, m.Down, m.Least, m.Most, m.Median)))
	}
	if m.Currency+m.Withdrawn+m.Quoted > 0 {
		fmt.Fprint(a.out, hanging(fmt.Sprintf("%s now in another currency, %d withdrawn, %d new where there was none", count(m.Currency, "price"), m.Withdrawn, m.Quoted)))
	}
	if m.Later+m.Sooner > 0 {
		fmt.Fprintf(a.out, "lead times: %d longer, %d shorter\n", m.Later, m.Sooner)
	}
	a.printParts("added", d.Added)
	a.printParts("gone", d.Gone)
	if len(d.Changed) > 0 {
		fmt.Fprintln(a.out, "\nchanged")
	}
	for _, c := range d.Changed {
		fmt.Fprintf(a.out, "  %s (%s)\n", c.PartNo, c.Kind)
		for _, f := range c.Fields {
			text := said(f.Old) + " -> " + said(f.New)
			if f.Percent != nil {
				text += fmt.Sprintf("  (%+.1f %%)", *f.Percent)
			}
			fmt.Fprint(a.out, labelled("    "+f.Field, 20, text))
		}
	}
}

// said is a field, or that it says nothing.
func said(s string) string {
	if s == "" {
		return "nothing"
	}
	return s
}

func (a *app) printParts(title string, parts []catalog.PartLine) {
	if len(parts) == 0 {
		return
	}
	fmt.Fprintln(a.out, "\n"+title)
	for _, p := range parts {
		price := p.Price
		if price == "" {
			price = "unpriced"
		}
		text := p.Kind + ", " + price
		if p.LeadWeeks > 0 {
			text += fmt.Sprintf(", %.4g weeks", p.LeadWeeks)
		}
		if p.Description != "" {
			text += ": " + p.Description
		}
		fmt.Fprint(a.out, labelled("  "+p.PartNo+" ", 20, text))
	}
}
