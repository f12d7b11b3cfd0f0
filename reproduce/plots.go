package reproduce

import (
	"reflect"
	"slices"
	"strings"

	"toposearch/internal/chart"
)

// fewest are the published figures of a column from which on it has a panel of its own.
const fewest = 3

// pair is a published figure with its computed twin.
type pair struct {
	row, column         string
	published, computed float64
	agrees              bool
}

// Plots are the figures of a table: computed over published, a panel for each column with three
// published numbers or more; of the rest the ratios. Columns without published numbers are left out, but
// for the curves that a table brings along.
func (t *Table) Plots() []chart.Named {
	var panels []chart.Panel
	var rest []pair
	for _, column := range t.columns() {
		if len(column) < fewest {
			rest = append(rest, column...)
		} else {
			panels = append(panels, t.comparison(column))
		}
	}
	var out []chart.Named
	if n := len(panels); n > 0 {
		f := &chart.Figure{Panels: panels}
		if n > 1 {
			f.Width, f.Across = chart.Page, 3
			if n == 2 || n == 4 {
				f.Across = 2
			}
		}
		out = append(out, chart.Named{Name: t.Table, Figure: f})
	}
	if f := ratios(rest); f != nil {
		out = append(out, chart.Named{Name: t.Table + "-ratios", Figure: f})
	}
	return append(out, t.figures...)
}

// columns are the pairs of numbers of each column, in the order in which columns come first.
func (t *Table) columns() [][]pair {
	var out [][]pair
	at := map[string]int{}
	for _, r := range t.Rows {
		for _, c := range r.Cells {
			p, ok := asNumber(c.Published)
			q, both := asNumber(c.Computed)
			if !ok || !both {
				continue
			}
			i, seen := at[c.Column]
			if !seen {
				i = len(out)
				at[c.Column], out = i, append(out, nil)
			}
			out[i] = append(out[i], pair{r.Name, c.Column, p, q, c.Agrees})
		}
	}
	return out
}

// asNumber is the value of a cell; false if it is none or no number.
func asNumber(v any) (float64, bool) {
	switch x := reflect.ValueOf(v); {
	case !x.IsValid():
		return 0, false
	case x.CanInt():
		return float64(x.Int()), true
	case x.CanFloat():
		return x.Float(), true
	}
	return 0, false
}

// same names the line on which a computed figure is the published one.
const same = "computed = published"

// Styles of figures that agree and differ.
const (
	agrees = iota
	differs
)

// comparison is a panel of computed over published figures, those that differ named by their rows.
func (t *Table) comparison(column []pair) chart.Panel {
	published, computed := t.Sides()
	series := []chart.Series{{Name: "agrees", Style: agrees}, {Name: "differs", Style: differs}}
	var all []float64
	p := chart.Panel{Title: words(column[0].column), Diagonal: computed + " = " + published, Square: true}
	for _, x := range column {
		s := &series[agrees]
		if !x.agrees {
			s = &series[differs]
			p.Labels = append(p.Labels, chart.Label{X: x.published, Y: x.computed, Text: short(x.row)})
		}
		s.X, s.Y = append(s.X, x.published), append(s.Y, x.computed)
		all = append(all, x.published, x.computed)
	}
	for _, s := range series {
		if len(s.X) > 0 {
			p.Series = append(p.Series, s)
		}
	}
	log := chart.Wide(all...)
	p.X, p.Y = chart.Axis{Title: capital(published), Log: log}, chart.Axis{Title: capital(computed), Log: log}
	return p
}

func capital(word string) string { return strings.ToUpper(word[:1]) + word[1:] }

// ratios is a figure of computed through published, a line for each; nil without a pair.
func ratios(pairs []pair) *chart.Figure {
	p := chart.Panel{X: chart.Axis{Title: "Computed / published"}, Rules: []chart.Rule{{Name: same, Style: chart.Grey, At: 1, Vertical: true}}}
	series := []chart.Series{{Name: "agrees", Style: agrees}, {Name: "differs", Style: differs}}
	times := map[string]int{}
	for _, x := range pairs {
		times[x.column]++
	}
	for i := len(pairs) - 1; i >= 0; i-- { // the first stands at the top
		x := pairs[i]
		if x.published == 0 {
			continue
		}
		name := words(x.column)
		if times[x.column] > 1 {
			name += ", " + short(x.row)
		}
		s := &series[agrees]
		if !x.agrees {
			s = &series[differs]
		}
		s.X, s.Y = append(s.X, x.computed/x.published), append(s.Y, float64(len(p.Y.Names)))
		p.Y.Names = append(p.Y.Names, name)
	}
	for _, s := range series {
		if len(s.X) > 0 {
			p.Series = append(p.Series, s)
		}
	}
	if len(p.Series) == 0 {
		return nil
	}
	// The ends of the axis stay free of markers.
	lo, hi := 1.0, 1.0
	for _, s := range p.Series {
		lo, hi = min(lo, slices.Min(s.X)), max(hi, slices.Max(s.X))
	}
	p.X.Cover = []float64{lo - 0.05*(hi-lo), hi + 0.05*(hi-lo)}
	return &chart.Figure{Panels: []chart.Panel{p}, Width: chart.Column, Height: 0.55 + 0.17*float64(len(p.Y.Names))}
}

// words is the name of a column for people: "mean hops".
func words(column string) string { return strings.ReplaceAll(column, "_", " ") }

// short takes words from the middle of a row's name that does not fit into a panel: names differ
// at their ends.
func short(name string) string {
	const head, tail = 13, 10
	if len(name) <= head+tail {
		return name
	}
	from, to := strings.ToValidUTF8(name[:head], ""), strings.ToValidUTF8(name[len(name)-tail:], "")
	if i := strings.LastIndex(from, " "); i > 0 {
		from = from[:i]
	}
	if _, rest, ok := strings.Cut(to, " "); ok {
		to = rest
	}
	return strings.TrimRight(from, ", ") + " … " + to
}
