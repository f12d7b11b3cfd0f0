package selftest

import (
	"fmt"
	"math"

	"toposearch/evaluator"
	"toposearch/evaluator/bound"
	"toposearch/evaluator/metric"
	"toposearch/topology"
)

// rounding is the relative difference that two ways of adding up the same floats may have.
const rounding = 1e-9

// sane checks a figure by itself.
func (t *tester) sane(k metric.Key, m metric.Interval, value float64) {
	name := metric.Keys[k].Name
	t.holds(Finite, !math.IsNaN(m.Lo+m.Hi+value) && !math.IsInf(m.Lo, 0) && !math.IsInf(value, 0), "%s = %g [%g, %g]", name, value, m.Lo, m.Hi)
	t.holds(Finite, m.Lo >= 0, "%s is at least %g", name, m.Lo)
	t.holds(Bounds, m.Lo <= value && value <= m.Hi, "%s = %.17g is outside its bounds [%.17g, %.17g]", name, value, m.Lo, m.Hi)
}

// enclosures follows a design up the ladder of bounds: every step is inside the one before.
func (t *tester) enclosures(e *evaluator.Evaluator, s *topology.Size) metric.Intervals {
	var iv metric.Intervals
	e.Enclose(bound.One(t.d.V, s), t.ladder, &iv)
	for k := range metric.Count {
		if iv.Have[k] {
			t.holds(Finite, !math.IsNaN(iv.At[k].Lo+iv.At[k].Hi) && iv.At[k].Lo >= 0, "level 0: %s in [%g, %g]", metric.Keys[k].Name, iv.At[k].Lo, iv.At[k].Hi)
			t.holds(Bounds, iv.At[k].Lo <= iv.At[k].Hi, "level 0: %s in [%.17g, %.17g]", metric.Keys[k].Name, iv.At[k].Lo, iv.At[k].Hi)
		}
	}
	for t.small && t.ladder.Next() != nil && iv.Reject.Constraint == "" {
		name, before := t.ladder.Next().Name, iv
		t.ladder.Climb(&iv)
		for k := range metric.Count {
			if before.Have[k] && iv.Reject.Constraint == "" {
				slack := rounding * before.At[k].Hi // each step rounds outwards by itself
				t.holds(Steps, iv.Have[k] && before.At[k].Lo <= iv.At[k].Lo+slack && iv.At[k].Hi <= before.At[k].Hi+slack && iv.At[k].Lo <= iv.At[k].Hi,
					"%s: %s in [%.17g, %.17g], before in [%.17g, %.17g]", name, metric.Keys[k].Name, iv.At[k].Lo, iv.At[k].Hi, before.At[k].Lo, before.At[k].Hi)
			}
		}
	}
	return iv
}

// inside checks figures against bounds known before.
func (t *tester) inside(r *evaluator.Result, iv *metric.Intervals) {
	if iv.Reject.Constraint != "" {
		t.holds(Rejection, r.Reject == iv.Reject, "closed forms reject it by %v, an evaluation by %v", iv.Reject, r.Reject)
		return
	}
	for k := range metric.Count {
		if iv.Have[k] && r.Have[k] {
			x := r.Metrics[k].Value
			t.holds(Levels, iv.At[k].Lo <= x && x <= iv.At[k].Hi, "%s = %.17g is outside [%.17g, %.17g] of closed forms",
				metric.Keys[k].Name, x, iv.At[k].Lo, iv.At[k].Hi)
		}
	}
}

// figures checks what an evaluation says by itself.
func (t *tester) figures(r *evaluator.Result) {
	for k := range metric.Count {
		m := &r.Metrics[k]
		if !r.Have[k] {
			t.holds(Reason, r.Absent[k] != "", "%s is absent without a reason", metric.Keys[k].Name)
			continue
		}
		t.sane(k, metric.Interval{Lo: m.Lo, Hi: m.Hi}, m.Value)
		t.holds(Reason, m.Method != "", "%s is by no method", metric.Keys[k].Name)
	}
	for _, k := range positive {
		t.holds(Zero, !r.Have[k] || r.Metrics[k].Hi > 0, "%s is 0 (%s)", metric.Keys[k].Name, r.Metrics[k].Method)
	}
	bought := r.Have[metric.Switches] && r.Metrics[metric.Switches].Value > 0
	t.holds(Zero, !bought || !r.Have[metric.Cost] || r.Metrics[metric.Cost].Value > 0, "switches cost nothing")
	t.holds(Zero, !bought || !r.Have[metric.Power] || r.Metrics[metric.Power].Value > 0, "switches draw no power")
	t.bill(r)
}

// positive are figures that are above 0 wherever there are two endpoints and a route between them.
var positive = []metric.Key{metric.Endpoints, metric.EndpointPorts, metric.MeanPathLinks, metric.MaxPathLinks, metric.Latency,
	metric.UniformThroughput, metric.Bisection, metric.TUB, metric.ShortestPaths, metric.Racks, metric.FloorArea}

// bill checks that the bill of materials is what the figures say: cost is the sum of its lines.
func (t *tester) bill(r *evaluator.Result) {
	if r.Plan == nil {
		return
	}
	sum, cables := 0.0, map[string]int64{}
	for i := range r.Plan.BOM {
		l := &r.Plan.BOM[i]
		t.holds(Bill, l.Quantity > 0 && l.Order >= l.Quantity && l.Total >= 0, "%d of %s ordered as %d for %d", l.Quantity, l.Part.PartNo, l.Order, l.Total)
		sum += float64(l.Total)
	}
	for i := range r.Plan.Classes {
		cables[r.Plan.Classes[i].Link] += r.Plan.Classes[i].Count
	}
	if m := &r.Metrics[metric.Cost]; r.Have[metric.Cost] {
		t.holds(Bill, math.Abs(sum/100-m.Value) <= rounding*m.Value, "cost is %.17g, the lines of the bill sum up to %.17g", m.Value, sum/100)
	}
	switches := int64(0)
	for i := range r.Plan.Switches {
		switches += r.Plan.Switches[i].Count
	}
	for i, c := range t.d.Family.LinkClasses { // a link over a circuit switch is two cables, one of a board none
		n, links := cables[c.Name], r.Size.Link[i]
		t.holds(Bill, n == 0 || n == links || n == 2*links, "%d cables for %d links of %s", n, links, c.Name)
	}
	t.holds(Bill, switches <= int64(r.Metrics[metric.Switches].Value), "%d switches are bought, there are %g", switches, r.Metrics[metric.Switches].Value)
}

// narrows checks that bounds of a later level are inside those of an earlier one.
func (t *tester) narrows(before, after *evaluator.Result) {
	for k := range metric.Count {
		if !before.Have[k] {
			continue
		}
		a, b := &before.Metrics[k], &after.Metrics[k]
		slack := rounding * math.Abs(a.Hi)
		t.holds(Levels, after.Have[k] && b.Lo >= a.Lo-slack && b.Hi <= a.Hi+slack, "%s in [%.12g, %.12g], at the level before in [%.12g, %.12g]",
			metric.Keys[k].Name, b.Lo, b.Hi, a.Lo, a.Hi)
	}
}

// same checks that two evaluations say the same.
func (t *tester) same(what Check, a, b *evaluator.Result, keys []metric.Key) {
	for _, k := range keys {
		x, y := &a.Metrics[k], &b.Metrics[k]
		t.holds(what, a.Have[k] == b.Have[k] && math.Abs(x.Value-y.Value) <= rounding*math.Abs(x.Value), "%s = %.12g%s, and %.12g%s",
			metric.Keys[k].Name, x.Value, parens(a.Absent[k]), y.Value, parens(b.Absent[k]))
	}
}

func parens(s string) string {
	if s == "" {
		return ""
	}
	return fmt.Sprintf(" (%s)", s)
}

// everything is all metrics.
var everything = func() (keys []metric.Key) {
	for k := range metric.Count {
		keys = append(keys, k)
	}
	return keys
}()
