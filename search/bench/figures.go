package bench

import "toposearch/internal/chart"

// Figures are those of a space: hypervolume over evaluations and over processor time, and recall over evaluations, the median of each strategy
// as a line and its quartiles dashed.
func (r *Result) Figures() []chart.Named {
	panels := []chart.Panel{
		{Title: "Hypervolume over evaluations", X: chart.Axis{Title: "Evaluations", Log: true}, Y: chart.Axis{Title: "Part of the exact hypervolume"}},
		{Title: "Hypervolume over time", X: chart.Axis{Title: "Processor time (s)", Log: true}, Y: chart.Axis{Title: "Part of the exact hypervolume"}},
		{Title: "Recall over evaluations", X: chart.Axis{Title: "Evaluations", Log: true}, Y: chart.Axis{Title: "Part of the exact front found", Zero: true}},
	}
	evaluations := func(p *Point) float64 { return float64(p.Evaluations) }
	seconds := func(p *Point) float64 { return p.Seconds }
	for i := range r.Strategies {
		t := &r.Strategies[i]
		draw(&panels[0], t, i, evaluations, func(p *Point) Quartiles { return p.Hypervolume })
		draw(&panels[1], t, i, seconds, func(p *Point) Quartiles { return p.Hypervolume })
		draw(&panels[2], t, i, evaluations, func(p *Point) Quartiles { return p.Recall })
	}
	return []chart.Named{{Name: "bench-" + r.Space, Figure: &chart.Figure{Panels: panels, Across: len(panels), Width: chart.Page}}}
}

// draw adds the curves of a strategy to a panel. Points before the first design was found are left out.
func draw(p *chart.Panel, t *Trial, style int, x func(*Point) float64, y func(*Point) Quartiles) {
	median := chart.Series{Name: t.Strategy, Style: style, Line: true, Bare: true}
	low, high := chart.Series{Style: style, Line: true, Bare: true, Dashed: true}, chart.Series{Style: style, Line: true, Bare: true, Dashed: true}
	for i := range t.Points {
		at := x(&t.Points[i])
		if !(at > 0) || t.Points[i].Hypervolume.Median == 0 {
			continue
		}
		q := y(&t.Points[i])
		median.X, median.Y = append(median.X, at), append(median.Y, q.Median)
		low.X, low.Y = append(low.X, at), append(low.Y, q.Q1)
		high.X, high.Y = append(high.X, at), append(high.Y, q.Q3)
	}
	if len(median.X) == 0 {
		return
	}
	p.Series = append(p.Series, median)
	if t.Runs > 1 {
		p.Series = append(p.Series, low, high)
	}
}
