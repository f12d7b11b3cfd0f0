package report

import (
	"slices"
	"strings"

	"toposearch/evaluator/metric"
	"toposearch/internal/chart"
	"toposearch/report/number"
	"toposearch/report/plan"
	"toposearch/search/run"
	"toposearch/topology"
)

// Plots are the figures of a run for papers and slides: each pair of objectives, all pairs side by
// side where there are three objectives or more, what was simulated beside its prediction, and
// how the search came upon the front. Figures for which there are no points are left out. families are
// as in study.Load.
func Plots(dir string, families ...*topology.Family) ([]chart.Named, error) {
	r, err := read(dir, families)
	if err != nil {
		return nil, err
	}
	d := r.data
	out := append(d.frontPlots(), d.simPlots()...)
	p, err := progressPlot(dir, d)
	if err != nil {
		return nil, err
	}
	if p != nil {
		out = append(out, *p)
	}
	moments, err := run.Convergence(dir, families...)
	if err != nil {
		return nil, err
	}
	if p := convergencePlot(moments); p != nil {
		out = append(out, *p)
	}
	return out, nil
}

// frontPlots draw the front, a figure for each pair of objectives and one of all.
func (d *Data) frontPlots() []chart.Named {
	var out []chart.Named
	all := &chart.Figure{Across: 3, Width: chart.Page}
	for _, k := range d.pairs() {
		p := d.frontPanel(k[0], k[1])
		all.Panels = append(all.Panels, p)
		p.Labels = d.pickLabels(k[0], k[1])
		out = append(out, chart.Named{Name: "front-" + metric.Keys[k[0]].Name + "-" + metric.Keys[k[1]].Name,
			Figure: &chart.Figure{Panels: []chart.Panel{p}}})
	}
	if len(all.Panels) > 1 {
		out = append(out, chart.Named{Name: "front", Figure: all})
	}
	return out
}

// simPlots draw what was simulated of each finalist.
func (d *Data) simPlots() []chart.Named {
	var out []chart.Named
	for i := range d.Points {
		if s := d.Points[i].Sim; s != nil {
			if f := LoadFigure(s.Traffic, "Latency ("+s.unit()+")"); f != nil {
				out = append(out, chart.Named{Name: "simulated-" + plan.FileName(d.Points[i].Name), Figure: f})
			}
		}
	}
	return out
}

// pairs are the pairs of objectives that designs of the front have, cost first, since it is read
// along the bottom.
func (d *Data) pairs() [][2]metric.Key {
	var keys []metric.Key
	for _, o := range d.Objectives {
		if d.has(o.Key) {
			keys = append(keys, o.Key)
		}
	}
	if i := slices.Index(keys, metric.Cost); i > 0 {
		keys = slices.Insert(slices.Delete(keys, i, i+1), 0, metric.Cost)
	}
	var out [][2]metric.Key
	for i, x := range keys {
		for _, y := range keys[i+1:] {
			out = append(out, [2]metric.Key{x, y})
		}
	}
	return out
}

// frontPanel draws two metrics against each other, a series for each family.
func (d *Data) frontPanel(kx, ky metric.Key) chart.Panel {
	x, sx := d.plotAxis(kx)
	y, sy := d.plotAxis(ky)
	p := chart.Panel{X: x, Y: y}
	for i, family := range newStyles(d) {
		s := chart.Series{Name: family, Style: i}
		for j := range d.Points {
			if pt := &d.Points[j]; pt.Family == family && pt.Have[kx] && pt.Have[ky] {
				s.X, s.Y = append(s.X, pt.Value(kx)/sx.Div), append(s.Y, pt.Value(ky)/sy.Div)
			}
		}
		if len(s.X) > 0 {
			p.Series = append(p.Series, s)
		}
	}
	return p
}

// pickLabels name the picks in a panel of two metrics.
func (d *Data) pickLabels(kx, ky metric.Key) []chart.Label {
	_, sx := d.plotAxis(kx)
	_, sy := d.plotAxis(ky)
	var out []chart.Label
	picks := Picks(d)
	seen := map[int]bool{}
	for _, pick := range picks {
		if p := &d.Points[pick.Point]; !seen[pick.Point] && p.Have[kx] && p.Have[ky] {
			seen[pick.Point] = true
			out = append(out, chart.Label{X: p.Value(kx) / sx.Div, Y: p.Value(ky) / sy.Div, Text: strings.Join(picksOf(picks, pick.Point), ", ")})
		}
	}
	return out
}

// plotAxis is the axis of a metric over the front, logarithmic if it spans more than a decade, and
// the scale in which it is drawn.
func (d *Data) plotAxis(k metric.Key) (chart.Axis, number.Scale) {
	values := column(d.Points, k)
	s := number.ScaleOf(d.unitOf(k), values)
	title := Title(k)
	if s.Unit != "" {
		title += " (" + s.Unit + ")"
	}
	return chart.Axis{Title: title, Log: chart.Wide(values...)}, s
}
