package report

import (
	"math"
	"slices"

	"toposearch/evaluator/metric"
	"toposearch/objectives"
)

// Pick is a design of the front that a reader will want to see first.
type Pick struct {
	Name  string // "Cheapest"
	Rule  string // what it is, in a few words; PickRules says it in full
	Point int    // index into Data.Points
}

// PickRules defines the picks for a reader.
const PickRules = "Picks are chosen among the designs on the front: where a figure was not an objective, designs off the front may be better in it. Cheapest: least cost; ties go to lower latency, then higher uniform throughput. " +
	"Fastest: least mean zero-load latency; ties to higher throughput, then lower cost. " +
	"Best per watt: most uniform throughput in use for each watt of the network, min(1, uniform throughput) × endpoints × bandwidth / power; ties to lower cost, then lower latency. " +
	"Any traffic, where worst_throughput is an objective: most throughput of the traffic that is worst for each; ties to the better in the objectives, in their order. " +
	"Balanced: the knee of the front, nearest to the best value of every objective at once when each is scaled to its range over the front; ties to the first in the order of the objectives. " +
	"What is still equal goes to the name first in the alphabet."

// Picks names the designs to read first. A pick for which no design has the figures is left
// out; several may name one design. Ties go to the better of the figures in parentheses, in that
// order, and then to the design first by name.
//
//   - Cheapest: least cost (latency, throughput).
//   - Fastest: least latency (throughput, cost).
//   - Best per watt: most throughput a watt, min(1, uniform_throughput) x endpoints x bandwidth /
//     power; an endpoint cannot use more than its own bandwidth (cost, latency).
//   - Any traffic: most of the traffic that is worst for each design, as objectives.Best has it: uniform traffic, which the others go by,
//     hides what adverse traffic makes of a network. Only where worst_throughput is an objective.
//   - Balanced: the knee of the front as objectives.Knee has it.
//
// The last two are finalists of verification, too.
func Picks(d *Data) []Pick {
	value := func(k metric.Key, sign float64) func(int) float64 {
		return func(i int) float64 { return sign * d.Points[i].Value(k) }
	}
	cost, latency := value(metric.Cost, 1), value(metric.Latency, 1)
	through := value(metric.UniformThroughput, -1)
	var out []Pick
	choose := func(name, rule string, by ...func(int) float64) {
		if i := least(d.Points, by...); i >= 0 {
			out = append(out, Pick{name, rule, i})
		}
	}
	choose("Cheapest", ruleOf(d, "least cost", metric.Cost), cost, latency, through)
	choose("Fastest", ruleOf(d, "least mean latency", metric.Latency), latency, through, cost)
	choose("Best per watt", ruleOf(d, "most usable throughput a watt", metric.UniformThroughput, metric.Power),
		func(i int) float64 { return -PerWatt(d, i) }, cost, latency)
	points, index := onFront(d)
	add := func(name, rule string, at int) {
		if at >= 0 {
			out = append(out, Pick{name, rule, index[at]})
		}
	}
	if m := slices.IndexFunc(d.Objectives, func(o Objective) bool { return o.Key == metric.WorstThroughput }); m >= 0 && len(d.Points) > 2 {
		add("Any traffic", "most throughput under its worst traffic", objectives.Best(points, m))
	}
	if len(d.Objectives) > 1 && len(d.Points) > 2 {
		add("Balanced", "the knee, nearest to the best of everything", objectives.Knee(points))
	}
	return out
}

// ruleOf limits what a pick claims to the front, unless the search was after all of its figures:
// then nothing off the front is better.
func ruleOf(d *Data, rule string, keys ...metric.Key) string {
	for _, k := range keys {
		if !slices.ContainsFunc(d.Objectives, func(o Objective) bool { return o.Key == k }) {
			return rule + " on the front"
		}
	}
	return rule
}

// PerWatt is the throughput of a design under uniform traffic a watt, Gb/s: what its endpoints
// can use of it. Without a bandwidth common to all designs it is relative. NaN if a figure is
// missing.
func PerWatt(d *Data, i int) float64 {
	p := &d.Points[i]
	bw := d.BandwidthGbps
	if bw == 0 {
		bw = 1
	}
	w := p.Value(metric.Power)
	if !(w > 0) {
		return math.NaN()
	}
	return min(1, p.Value(metric.UniformThroughput)) * p.Value(metric.Endpoints) * bw / w
}

// least is the index of the point with the smallest first figure, ties by the following ones and
// then by name; -1 if no point has the first. A later figure that is missing counts as the worst.
func least(points []Point, by ...func(int) float64) int {
	best := -1
	for i := range points {
		if math.IsNaN(by[0](i)) {
			continue
		}
		if best < 0 || before(points, i, best, by) {
			best = i
		}
	}
	return best
}

func before(points []Point, i, j int, by []func(int) float64) bool {
	for _, f := range by {
		a, b := f(i), f(j)
		if math.IsNaN(a) {
			a = math.Inf(1)
		}
		if math.IsNaN(b) {
			b = math.Inf(1)
		}
		if a != b {
			return a < b
		}
	}
	return points[i].Name < points[j].Name
}

// onFront are the points that have all objectives, as the search compares them, and where they stand.
func onFront(d *Data) (points []*objectives.Point, index []int) {
	for i := range d.Points {
		v := make(objectives.Vector, 0, len(d.Objectives))
		for _, o := range d.Objectives {
			v = append(v, objectives.Objective{Key: o.Key, Better: o.Better, Enough: o.Enough}.Cost(d.Points[i].Value(o.Key)))
		}
		if !slices.ContainsFunc(v, math.IsNaN) {
			points = append(points, &objectives.Point{V: v, Name: d.Points[i].Name})
			index = append(index, i)
		}
	}
	return points, index
}

// picksOf gives the names of the picks that a point is.
func picksOf(picks []Pick, point int) []string {
	var names []string
	for _, p := range picks {
		if p.Point == point {
			names = append(names, p.Name)
		}
	}
	return names
}

// Slack is how far a design stays from a limit, as a fraction of the limit; negative is past it.
type Slack struct {
	Limit  *Limit
	Value  float64 // NaN if the metric is absent
	Margin float64
}

// closeTo is the margin below which a report says that a design comes close to a limit: prices
// and lengths move by as much between quotation and order.
const closeTo = 0.10

// Slacks gives the margins of a design to every limit, the smallest first.
func Slacks(d *Data, i int) []Slack {
	var out []Slack
	for j := range d.Limits {
		l := &d.Limits[j]
		s := Slack{Limit: l, Value: d.Points[i].Value(l.Key)}
		s.Margin = s.Value - l.Bound
		if l.Max {
			s.Margin = l.Bound - s.Value
		}
		if l.Bound != 0 {
			s.Margin /= math.Abs(l.Bound)
		}
		out = append(out, s)
	}
	slices.SortStableFunc(out, func(a, b Slack) int {
		x, y := a.Margin, b.Margin
		switch {
		case x < y || math.IsNaN(y) && !math.IsNaN(x):
			return -1
		case y < x || math.IsNaN(x) && !math.IsNaN(y):
			return 1
		}
		return 0
	})
	return out
}

// left tells whether a point is left out where people read a front: within 2 % of another in every objective, and no pick.
func (d *Data) left(picks []Pick, i int) bool {
	return d.Points[i].ShownBy != "" && len(picksOf(picks, i)) == 0
}

// shown are the points that are not left out.
func (d *Data) shown(picks []Pick) (out []int) {
	for i := range d.Points {
		if !d.left(picks, i) {
			out = append(out, i)
		}
	}
	return out
}
