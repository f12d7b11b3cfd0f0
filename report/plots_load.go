package report

import (
	"math"

	"toposearch/internal/chart"
)

// LoadFigure draws latency and accepted throughput over offered load, a series for each traffic,
// with what was predicted. latency is the title of its axis, with the unit. nil without a point.
func LoadFigure(traffics []Traffic, latency string) *chart.Figure {
	const offered = "Offered load (fraction of endpoint bandwidth)"
	lat := chart.Panel{X: chart.Axis{Title: offered, Zero: true}, Y: chart.Axis{Title: latency, Zero: true}}
	acc := chart.Panel{X: lat.X, Y: chart.Axis{Title: "Accepted load", Zero: true}, Diagonal: "accepted = offered"}
	var all []float64
	for i := range traffics {
		t := &traffics[i]
		mean, p99, accepted := loadSeries(t, i, len(traffics) > 1)
		if len(accepted.X) == 0 {
			continue
		}
		all = append(append(all, mean.Y...), p99.Y...)
		lat.Series = append(lat.Series, mean, p99)
		acc.Series = append(acc.Series, accepted)
		if z := t.PredictedZero; z > 0 {
			lat.Rules = append(lat.Rules, chart.Rule{Name: "predicted", Style: i, At: z})
		}
		for _, r := range []chart.Rule{{Name: "saturation", Style: chart.Grey, At: t.Saturation, Vertical: true},
			{Name: "predicted", Style: i, At: min(t.Predicted, 1), Vertical: true}} {
			if r.At > 0 {
				lat.Rules, acc.Rules = append(lat.Rules, r), append(acc.Rules, r)
			}
		}
	}
	if len(acc.Series) == 0 {
		return nil
	}
	lat.Y.Log = chart.Wide(all...)
	return &chart.Figure{Panels: []chart.Panel{lat, acc}, Height: 2.1}
}

// loadSeries are the lines of a traffic. Hollow markers are saturated loads, whose latencies are
// lower bounds.
func loadSeries(t *Traffic, style int, several bool) (mean, p99, accepted chart.Series) {
	name, tail := "mean", "99 % of packets"
	if several {
		name = t.Name
	}
	mean = chart.Series{Name: name, Style: style, Line: true}
	p99 = chart.Series{Name: tail, Style: style, Line: true, Dashed: true, Bare: true}
	accepted = chart.Series{Style: style, Line: true}
	if several {
		accepted.Name = name
	}
	for _, c := range t.Curve {
		mean.X, p99.X, accepted.X = append(mean.X, c.Offered), append(p99.X, c.Offered), append(accepted.X, c.Offered)
		mean.Y, p99.Y = append(mean.Y, positive(c.Latency)), append(p99.Y, positive(c.P99))
		accepted.Y = append(accepted.Y, c.Accepted)
		mean.Hollow, accepted.Hollow = append(mean.Hollow, c.Saturated), append(accepted.Hollow, c.Saturated)
	}
	p99.Hollow = mean.Hollow
	return mean, p99, accepted
}

// positive is a latency, NaN if none was measured.
func positive(x float64) float64 {
	if x > 0 {
		return x
	}
	return math.NaN()
}
