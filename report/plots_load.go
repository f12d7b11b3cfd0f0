package report

import (
	"math"
	"slices"

	"toposearch/internal/chart"
)

// LoadFigure draws latency and accepted throughput over offered load, a colour for each traffic,
// with what was predicted. latency is the title of its axis, with the unit. nil without a point.
func LoadFigure(traffics []Traffic, latency string) *chart.Figure {
	lat := chart.Panel{X: chart.Axis{Zero: true}, Y: chart.Axis{Title: latency, Zero: true}}
	acc := chart.Panel{X: chart.Axis{Title: "Offered load (fraction of endpoint bandwidth)", Zero: true},
		Y: chart.Axis{Title: "Accepted load", Zero: true}, Diagonal: "accepted = offered"}
	var all []float64
	saturated := false
	for i := range traffics {
		t := &traffics[i]
		if len(t.Curve) == 0 {
			continue
		}
		mean, p99, accepted := loadSeries(t, i, len(traffics) > 1)
		all = append(append(all, mean.Y...), p99.Y...)
		lat.Series, acc.Series = append(lat.Series, mean, p99), append(acc.Series, accepted)
		saturated = saturated || slices.Contains(mean.Hollow, true)
		if z := t.PredictedZero; z > 0 {
			lat.Rules = append(lat.Rules, chart.Rule{Name: predicted, Style: i, At: z, Dotted: true})
		}
		for _, r := range []chart.Rule{{Name: "saturation load", Style: i, At: t.Saturation, Vertical: true},
			{Name: predicted, Style: i, At: min(t.Predicted, 1), Vertical: true, Dotted: true}} {
			if r.At > 0 {
				lat.Rules, acc.Rules = append(lat.Rules, r), append(acc.Rules, r)
			}
		}
	}
	if len(acc.Series) == 0 {
		return nil
	}
	if saturated { // an entry of the legend alone
		none := []float64{math.NaN()}
		lat.Series = append(lat.Series, chart.Series{Name: "saturated", Style: chart.Grey, X: none, Y: none, Hollow: []bool{true}})
	}
	lat.Y.Log = chart.Wide(all...)
	return &chart.Figure{Panels: []chart.Panel{lat, acc}, Height: 2}
}

const predicted = "predicted"

// loadSeries are the lines of a traffic. Hollow markers are saturated loads, whose latencies are
// lower bounds.
func loadSeries(t *Traffic, style int, several bool) (mean, p99, accepted chart.Series) {
	mean = chart.Series{Name: "mean", Style: style, Line: true}
	if several {
		mean.Name = t.Name
	}
	p99 = chart.Series{Name: "99th percentile", Style: style, Line: true, Dashed: true, Bare: true}
	accepted = chart.Series{Style: style, Line: true}
	for _, c := range t.Curve {
		mean.X, mean.Y = append(mean.X, c.Offered), append(mean.Y, positive(c.Latency))
		p99.Y, accepted.Y = append(p99.Y, positive(c.P99)), append(accepted.Y, c.Accepted)
		mean.Hollow = append(mean.Hollow, c.Saturated)
	}
	p99.X, accepted.X, accepted.Hollow = mean.X, mean.X, mean.Hollow
	return mean, p99, accepted
}

// positive is a latency, NaN if none was measured.
func positive(x float64) float64 {
	if x > 0 {
		return x
	}
	return math.NaN()
}
