package report

import (
	"fmt"
	"slices"
	"strings"

	"toposearch/internal/chart"
	"toposearch/report/number"
	"toposearch/search/run"
)

// convergenceMost bounds the designs of a journal that a report reads for it: half a second, or a tenth of that in a hurry.
const convergenceMost = 50_000

// convergence reads how the search came upon its front. A journal that cannot be read leaves it out: the report does not need it.
func (r *loaded) convergence() {
	most := int64(convergenceMost)
	if r.hurried() {
		most /= 10
	}
	if r.data.Counts.Evaluated > most {
		return
	}
	if ms, err := run.Convergence(r.dir, r.study.Known...); err == nil {
		r.data.Convergence = ms
	}
}

// convergenceText says after how many designs the front had most of the hypervolume, and how far from the last front it was half-way.
func convergenceText(d *Data) string {
	ms := d.Convergence
	if len(ms) < 2 {
		return ""
	}
	last := &ms[len(ms)-1]
	if last.Size < 2 {
		return ""
	}
	reached, at := "", int64(0)
	for _, part := range []float64{0.9, 0.99, 0.999} {
		i := slices.IndexFunc(ms, func(m run.Moment) bool { return m.Hypervolume >= part })
		if i < 0 {
			continue
		}
		if ms[i].Evaluated == at { // as much at once: the larger part is said
			reached = reached[:strings.LastIndex(reached, ", ")]
		}
		at = ms[i].Evaluated
		reached += fmt.Sprintf(", %s %% of its hypervolume after %s", number.Figure(100*part), number.Count(int(at), "design", "designs"))
	}
	if reached == "" {
		return ""
	}
	half := &ms[0]
	for i := range ms {
		if 2*ms[i].Evaluated <= last.Evaluated {
			half = &ms[i]
		}
	}
	against := "the final front, which may lack designs"
	if d.Complete {
		against = "the complete front"
		if d.Tolerance > 0 {
			against = "the front that is complete within " + number.Tolerance(d.Tolerance)
		}
	}
	return fmt.Sprintf("against %s: %s; after %s of %s designs hypervolume %.4f, IGD+ %.2g, additive epsilon %.2g, in objectives scaled to it",
		against, strings.TrimPrefix(reached, ", "), number.Figure(float64(half.Evaluated)), number.Figure(float64(last.Evaluated)), half.Hypervolume, half.IGDPlus, half.Epsilon)
}

// convergencePlot draws the indicators over designs evaluated.
func convergencePlot(ms []run.Moment) *chart.Named {
	if len(ms) < 2 {
		return nil
	}
	volume := chart.Series{Line: true, Name: "hypervolume, part of the last front's"}
	distance, epsilon := chart.Series{Line: true, Name: "IGD+", Style: 1}, chart.Series{Line: true, Name: "additive epsilon", Style: 2}
	for _, m := range ms {
		x := float64(m.Evaluated)
		volume.X, distance.X, epsilon.X = append(volume.X, x), append(distance.X, x), append(epsilon.X, x)
		volume.Y, distance.Y, epsilon.Y = append(volume.Y, m.Hypervolume), append(distance.Y, m.IGDPlus), append(epsilon.Y, m.Epsilon)
	}
	x := chart.Axis{Title: "Designs evaluated", Zero: true}
	return &chart.Named{Name: "convergence", Figure: &chart.Figure{Panels: []chart.Panel{
		{X: x, Y: chart.Axis{Title: "Hypervolume", Zero: true}, Series: []chart.Series{volume}},
		{X: x, Y: chart.Axis{Title: "Distance to the last front", Zero: true}, Series: []chart.Series{distance, epsilon}},
	}}}
}
