package evaluator

import (
	"testing"

	"toposearch/evaluator/bound"
	"toposearch/evaluator/metric"
	"toposearch/internal/stream"
	"toposearch/topology"
)

// A splitter that is longer than a plain cable and costs less takes its place on the list of endpoints' links, not between switches: bounds hold of both.
func TestSplittersAsideEnclose(t *testing.T) {
	e := newEvaluator(t, someOptions(stream.New(303, "random enclosures", 17))) // a list that has such a splitter, of 20 m, and a cable of 15
	for _, design := range []string{"fullmesh(d1=3,d2=3)", "fullmesh(d1=3,d2=3,d3=2)", "hyperx(s1=3,s2=3,t=1)"} {
		d := parse(t, design)
		res, err := e.Evaluate(t.Context(), d, Request{Level: 1})
		if err != nil {
			t.Fatal(err)
		}
		var size topology.Size
		var l bound.Ladder
		var out metric.Intervals
		if err := d.Family.Size(d.V, &size); err != nil {
			t.Fatal(err)
		}
		step := "closed forms"
		for e.Enclose(bound.One(d.V, &size), &l, &out); ; l.Climb(&out) {
			at, x := out.At[metric.Latency], res.Metrics[metric.Latency].Value
			if !out.Have[metric.Latency] || !res.Have[metric.Latency] || x < at.Lo || x > at.Hi {
				t.Errorf("%s by %s: latency %g is outside [%g, %g]", design, step, x, at.Lo, at.Hi)
			}
			next := l.Next()
			if next == nil {
				break
			}
			step = next.Name
		}
	}
}
