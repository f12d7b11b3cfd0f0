package reproduce

import (
	"cmp"
	"slices"

	"toposearch/internal/chart"
)

// castFigures are latency, link load and buffers over group size and background, and the collectives.
func castFigures(runs []*castRun, collectives []*castCollective) []chart.Named {
	if len(runs) == 0 {
		return nil
	}
	tree := runs[0].net
	latency := func(r *castRun) float64 { return r.out.Last }
	buffer := func(r *castRun) float64 { return float64(r.out.BufferMost) }
	members := func(r *castRun) float64 { return float64(r.members) }
	load := func(r *castRun) float64 { return r.load }
	at := func(want float64) func(*castRun) bool {
		return func(r *castRun) bool { return r.net == tree && r.load == want }
	}
	byLoad := func(r *castRun) bool { return r.net == tree && r.members == castLoadSize }
	size, back := chart.Axis{Title: "Members of the group", Log: true}, chart.Axis{Title: "Background (flits/cycle/endpoint)"}
	cycles := chart.Axis{Title: "Last member (cycles)", Log: true}
	work, flits := chart.Axis{Title: "Over links (flits/message)", Log: true}, chart.Axis{Title: "Fullest buffer (flits)", Zero: true}
	panel := func(title string, x, y chart.Axis, keep func(*castRun) bool, ofX, ofY func(*castRun) float64) chart.Panel {
		return chart.Panel{Title: title, X: x, Y: y, Series: castCurves(runs, tree.series, keep, ofX, ofY)}
	}
	out := []chart.Named{{Name: "multicast", Figure: &chart.Figure{Width: chart.Page, Across: 3, Panels: []chart.Panel{
		panel("idle", size, cycles, at(castSizeLoads[0]), members, latency),
		panel("background 0.2", size, cycles, at(castSizeLoads[1]), members, latency),
		panel("32 members", back, cycles, byLoad, load, latency),
		panel("idle", size, work, at(castSizeLoads[0]), members, (*castRun).linkFlits),
		panel("background 0.2", size, flits, at(castSizeLoads[1]), members, buffer),
		panel("32 members", back, flits, byLoad, load, buffer),
	}}}}
	group := func(title string, of func(*castCollective) float64) chart.Panel {
		p := chart.Panel{Title: title, X: size, Y: chart.Axis{Title: "Cycles", Log: true}}
		for i, s := range tree.series {
			line := chart.Series{Name: s.name, Style: i, Line: true}
			for _, c := range collectives {
				if y := of(c); c.series == s && y > 0 {
					line.X, line.Y = append(line.X, float64(c.members)), append(line.Y, y)
				}
			}
			p.Series = append(p.Series, line)
		}
		return p
	}
	return append(out, chart.Named{Name: "multicast-collectives", Figure: &chart.Figure{Width: chart.Page, Across: 3, Panels: []chart.Panel{
		group("barrier", func(c *castCollective) float64 { return c.barrier }),
		group("broadcast of 16 packets", func(c *castCollective) float64 { return c.broadcast }),
		group("exchange", func(c *castCollective) float64 { return c.exchange }),
	}}})
}

// castCurves are the points that are kept, a line for each series.
func castCurves(runs []*castRun, series []castSeries, keep func(*castRun) bool, x, y func(*castRun) float64) (out []chart.Series) {
	runs = slices.SortedStableFunc(slices.Values(runs), func(a, b *castRun) int { return cmp.Compare(x(a), x(b)) })
	for i, s := range series {
		line := chart.Series{Name: s.name, Style: i, Line: true}
		for _, r := range runs {
			if r.series == s && keep(r) {
				line.X, line.Y = append(line.X, x(r)), append(line.Y, y(r))
			}
		}
		out = append(out, line)
	}
	return out
}
