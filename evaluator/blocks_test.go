package evaluator

import (
	"testing"

	"toposearch/evaluator/bound"
	"toposearch/evaluator/metric"
	"toposearch/topology"
	"toposearch/workload"
)

// TestBlocks: what dragonflies carry inside and between groups bounds their step from below, whatever their arrangement and whoever hangs where, and is the
// step where groups are switches and every two have as many links.
func TestBlocks(t *testing.T) {
	o := trainingOptions(t)
	o.BoundTraining = true
	for _, x := range []*workload.Parallelism{nil,
		{TP: 8, CP: 1, PP: 4, DP: 4, EP: 1, SP: true, Interleave: 1, MicroBatch: 1, ZeRO: 1, FusedAttention: true},
		{TP: 2, CP: 1, PP: 6, DP: 8, EP: 1, SP: true, Interleave: 1, MicroBatch: 1, ZeRO: 3, FusedAttention: true}} {
		o.Training.Parallelism = x
		e := newEvaluator(t, o)
		for _, c := range []struct {
			design string
			least  float64 // of the step, that the bound is
		}{
			{"dragonfly(p=16,a=1,h=7)", 1}, {"dragonfly(p=16,a=1,h=21,g=8)", 1}, {"dragonfly(p=16,a=1,h=17,g=8)", 0.5}, {"dragonfly(p=33,a=2,h=4,g=3)", 0.5},
			{"dragonfly(p=32,a=2,h=1)", 0.4}, {"dragonfly(p=22,a=3,h=9,g=2)", 0.4}, {"dragonfly(p=4,a=8,h=4,g=5)", 0.3},
			{"dragonfly(p=5,a=6,h=3,g=6,arrangement=absolute)", 0.3}, {"dragonfly(p=5,a=6,h=3,g=6,arrangement=circulant)", 0.3},
			{"dragonfly(p=2,a=8,h=2,g=10,arrangement=relative)", 0.3},
		} {
			d := parse(t, c.design)
			r := evaluate(t, e, d, Request{Keys: []metric.Key{metric.StepTime}})
			var size topology.Size
			if err := d.Family.Size(d.V, &size); err != nil {
				t.Fatal(err)
			}
			var l bound.Ladder
			var out metric.Intervals
			e.Enclose(bound.One(d.V, &size), &l, &out)
			if l.Climb(&out); l.Steps() != 1 {
				t.Fatalf("%s: the first step of the ladder is not the one of leaves", d)
			}
			lo, got := out.At[metric.StepTime].Lo, r.Metrics[metric.StepTime].Value
			if lo > got || lo < c.least*got*(1-1e-8) {
				t.Errorf("%s, %v: at least %g s by blocks, %g s in all", d, x, lo, got)
			}
		}
	}
}

// TestBoundedAround: what bounds a step on direct routes is above none by detours, which may be faster; and it is not empty.
func TestBoundedAround(t *testing.T) {
	o := trainingOptions(t)
	o.BoundTraining, o.Algorithms = true, []string{"valiant"}
	o.Training.Parallelism = &workload.Parallelism{TP: 8, CP: 1, PP: 4, DP: 4, EP: 1, SP: true, Interleave: 1, MicroBatch: 1, ZeRO: 1, FusedAttention: true}
	e := newEvaluator(t, o)
	for _, design := range []string{"dragonfly(p=16,a=1,h=7)", "dragonfly(p=4,a=8,h=4,g=5)", "hyperx(s1=8,t=16)", "torus(k1=4,k2=4,k3=2,t=4)", "complete(n=16,t=8)", "fattree(k=16,l=2)"} {
		d := parse(t, design)
		r := evaluate(t, e, d, Request{Keys: []metric.Key{metric.StepTime}})
		var size topology.Size
		if err := d.Family.Size(d.V, &size); err != nil {
			t.Fatal(err)
		}
		var l bound.Ladder
		var out metric.Intervals
		e.Enclose(bound.One(d.V, &size), &l, &out)
		for range 3 {
			l.Climb(&out)
		}
		if lo, got := out.At[metric.StepTime].Lo, r.Metrics[metric.StepTime].Value; lo > got || lo < 0.1*got {
			t.Errorf("%s by valiant: at least %g s, %g s in all (%s)", d, lo, got, r.Metrics[metric.StepTime].Method)
		}
	}
}
