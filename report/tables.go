package report

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"strings"

	"toposearch/evaluator/metric"
	"toposearch/report/number"
)

// WriteCSV writes the front as one line a design: name, family, parameters, then each metric that
// some design has in full precision, with its bounds where one of them is not exact, and what
// simulation said; then the incumbents, with what became of them. Units stand in the heads: "cost [USD]". Absent figures are empty.
func WriteCSV(w io.Writer, d *Data) error {
	c := csv.NewWriter(w)
	for _, r := range frontTable(d) {
		line := make([]string, len(r))
		for i, x := range r {
			switch v := x.(type) {
			case float64:
				line[i] = number.Full(v)
			case string:
				line[i] = number.SafeCell(v)
			}
		}
		if err := c.Write(line); err != nil {
			return fmt.Errorf("report: %w", err)
		}
	}
	c.Flush()
	if err := c.Error(); err != nil {
		return fmt.Errorf("report: %w", err)
	}
	return nil
}

// frontTable is the front as cells, each a string or a float64 (NaN is empty), the head first.
func frontTable(d *Data) [][]any {
	keys := d.allKeys()
	head := []any{"design", "family", "parameters"}
	inexact := make([]bool, len(keys))
	for j, k := range keys {
		name := metric.Keys[k].Name
		if u := d.unitOf(k); u != "1" && u != "" {
			name += " [" + u + "]"
		}
		head = append(head, name)
		for i := range d.Points {
			m := d.Points[i].Metrics[k]
			inexact[j] = inexact[j] || d.Points[i].Have[k] && m.Lo != m.Hi
		}
		for _, x := range d.beside() {
			inexact[j] = inexact[j] || x.Point.Have[k] && x.Point.Metrics[k].Lo != x.Point.Metrics[k].Hi
		}
		if inexact[j] {
			head = append(head, metric.Keys[k].Name+" lo", metric.Keys[k].Name+" hi")
		}
	}
	head = append(head, "picks", "simulation", "also")
	more := d.beside()
	if len(more) > 0 { // after the front
		head = append(head, "incumbent", "verdict")
	}
	out := [][]any{head}
	picks := Picks(d)
	add := func(p *Point, picked []string, rest ...any) {
		row := []any{p.Name, p.Family, paramText(p)}
		for j, k := range keys {
			row = append(row, p.Value(k))
			if inexact[j] {
				lo, hi := math.NaN(), math.NaN()
				if p.Have[k] {
					lo, hi = p.Metrics[k].Lo, p.Metrics[k].Hi
				}
				row = append(row, lo, hi)
			}
		}
		sim := check(p).Text
		if sim == "–" {
			sim = ""
		}
		out = append(out, append(append(row, strings.Join(picked, "; "), sim, strings.Join(p.Also, "; ")), rest...))
	}
	for i := range d.Points {
		if p := &d.Points[i]; len(more) > 0 {
			add(p, picksOf(picks, i), "", "")
		} else {
			add(p, picksOf(picks, i))
		}
	}
	for _, x := range more {
		add(&x.Point, nil, x.title(), x.Verdict+"; "+x.Why)
	}
	return out
}

// paramText lists every parameter, defaults included: "a=4 p=8 h=4 g=33".
func paramText(p *Point) string {
	var parts []string
	for _, x := range p.Params {
		parts = append(parts, x.Name+"="+x.Value)
	}
	return strings.Join(parts, " ")
}
