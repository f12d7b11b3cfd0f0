package report

import (
	"fmt"
	"math"
	"strings"

	"toposearch/evaluator/metric"
)

// farOut is how many spans of the front beside it an incumbent is still drawn in a chart: one farther out would press the
// front into a third of it.
const farOut = 2

// beside are the incumbents that are networks.
func (d *Data) beside() (out []*Incumbent) {
	for i := range d.Incumbents {
		if x := &d.Incumbents[i]; !x.None {
			out = append(out, x)
		}
	}
	return out
}

// near tells whether a figure is drawn in a chart of the front.
func (d *Data) near(k metric.Key, v float64) bool {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, x := range column(d.Points, k) {
		if isFinite(x) {
			lo, hi = min(lo, x), max(hi, x)
		}
	}
	span := hi - lo
	if span == 0 {
		span = math.Abs(hi)
	}
	return v >= lo-farOut*span && v <= hi+farOut*span
}

// drawn are those incumbents whose figures are all known and near.
func (d *Data) drawn(keys ...metric.Key) (out []*Incumbent) {
	for _, x := range d.beside() {
		ok := true
		for _, k := range keys {
			ok = ok && x.Point.Have[k] && d.near(k, x.Point.Value(k))
		}
		if ok {
			out = append(out, x)
		}
	}
	return out
}

// columnWith are the figures of the front and of incumbents.
func columnWith(points []Point, k metric.Key, more []*Incumbent) []float64 {
	out := column(points, k)
	for _, x := range more {
		out = append(out, x.Point.Value(k))
	}
	return out
}

// besideNote says how incumbents are drawn, and which are not; "" without any.
func (d *Data) besideNote(kx, ky metric.Key) string {
	all, drawn := d.beside(), d.drawn(kx, ky)
	if len(all) == 0 {
		return ""
	}
	text := "Open diamonds and dashed lines are the networks in mind, which need not be on the front."
	in := map[*Incumbent]bool{}
	for _, x := range drawn {
		in[x] = true
	}
	var out []string
	for _, x := range all {
		if !in[x] {
			out = append(out, x.title())
		}
	}
	if len(out) > 0 {
		text += fmt.Sprintf(" Too far out to be drawn beside the front: %s.", strings.Join(out, ", "))
	}
	return text
}
