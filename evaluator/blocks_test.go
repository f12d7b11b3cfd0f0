package evaluator

import (
	"math/rand/v2"
	"slices"
	"testing"

	"toposearch/evaluator/bound"
	"toposearch/evaluator/metric"
	"toposearch/internal/racing"
	"toposearch/internal/stream"
	"toposearch/topology"
	"toposearch/topology/topotest"
	"toposearch/workload"
)

// TestBlocks: what dragonflies carry inside and between groups bounds their step from below, whatever their arrangement and whoever hangs where, and is the
// step where groups are switches and every two have as many links; the same where packets may make detours, of which less is known.
func TestBlocks(t *testing.T) {
	racing.Figures(t)
	o := trainingOptions(t)
	o.BoundTraining = true
	for i, x := range []*workload.Parallelism{nil,
		{TP: 8, CP: 1, PP: 4, DP: 4, EP: 1, SP: true, Interleave: 1, MicroBatch: 1, ZeRO: 1, FusedAttention: true},
		{TP: 2, CP: 1, PP: 6, DP: 8, EP: 1, SP: true, Interleave: 1, MicroBatch: 1, ZeRO: 3, FusedAttention: true},
		nil, {TP: 2, CP: 1, PP: 8, DP: 8, EP: 1, SP: true, Interleave: 1, MicroBatch: 1, ZeRO: 1, FusedAttention: true}} {
		if o.Training.Parallelism = x; i == 3 {
			o.Algorithms = []string{"par", "natural"}
		}
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
			l, out := enclosedOne(t, e, d)
			if l.Climb(out); l.Steps() != 1 {
				t.Fatalf("%s: the first step of the ladder is not the one of leaves", d)
			}
			lo, got := out.At[metric.StepTime].Lo, r.Metrics[metric.StepTime].Value
			least := c.least
			if o.Algorithms != nil {
				least = 0.8
			}
			if lo > got || lo < least*got*(1-1e-8) {
				t.Errorf("%s, %v: at least %g s by blocks, %g s in all", d, x, lo, got)
			}
		}
	}
}

// TestWidest: what the links of the design with most of them in a box of one layout carry bounds the steps on all designs of the box, whatever the
// division, all-to-alls over several paths included; and it says more than that nothing blocks.
func TestWidest(t *testing.T) {
	racing.Figures(t)
	o := trainingOptions(t)
	o.Training.Batch, o.BoundTraining = 192, true
	o.Training.Accelerator.FLOPS = 1e18 // so that nothing hides what collectives take
	var es []*Evaluator
	for i, p := range []*workload.Parallelism{
		nil, {TP: 4, CP: 1, PP: 2, DP: 4, EP: 1, SP: true, Interleave: 1, MicroBatch: 1, ZeRO: 1, FusedAttention: true},
		{TP: 2, CP: 2, PP: 1, DP: 6, EP: 1, SP: true, Interleave: 1, MicroBatch: 1, ZeRO: 3, FusedAttention: true},
		{TP: 2, CP: 1, PP: 1, DP: 16, EP: 8, SP: true, Interleave: 1, MicroBatch: 1, ZeRO: 1, FusedAttention: true},
	} {
		own, x := o, *o.Training
		x.Model, x.Parallelism, own.Training = tiny(t), p, &x
		switch i {
		case 1:
			own.Algorithms = []string{"ugal_l", "natural"}
		case 3:
			x.Model, own.Algorithms = expert(t), []string{"ugal_l", "natural"}
		}
		es = append(es, newEvaluator(t, own))
	}
	for _, f := range families() {
		if f.Multiplies == nil && f.Unplaced == nil {
			continue
		}
		rng, raised := stream.New(21, "widest "+f.Name), 0
		for i, d := range topotest.Sample(f, rng, few(400), 300) {
			if widestHolds(t, es[i%len(es)], d, rng) {
				raised++
			}
		}
		t.Logf("%s: %d boxes are bounded more closely", f.Name, raised)
		if raised == 0 {
			t.Errorf("%s: no box is bounded more closely", f.Name)
		}
	}
}

// widestHolds is TestWidest for a random box around a design; it tells whether its links raise the bound.
func widestHolds(t *testing.T, e *Evaluator, d topology.Design, rng *rand.Rand) (raised bool) {
	t.Helper()
	f := d.Family
	lo, hi := slices.Clone(d.V), slices.Clone(d.V)
	for i := 1; i < len(lo); i++ {
		if slices.Contains(f.Multiplies, i) || slices.Contains(f.Unplaced, i) {
			lo[i], hi[i] = max(f.Params[i].Min, d.V[i]-rng.IntN(5)), min(f.Params[i].Max, d.V[i]+rng.IntN(5))
		}
	}
	var s topology.Size
	if err := f.Size(d.V, &s); err != nil {
		t.Fatal(err)
	}
	if s.Endpoints < 32 { // which the divisions that are given take
		return false
	}
	var l bound.Ladder
	at := func(loads bool) metric.Interval {
		var low, high topology.Size
		var per topology.PerEndpoint
		var out metric.Intervals
		f.SizeBounds(lo, hi, &low, &high)
		low.Endpoints, high.Endpoints = s.Endpoints, s.Endpoints
		f.BoundPerEndpoint(lo, hi, s.Endpoints, s.Endpoints, &per)
		per.Loads = loads
		e.Enclose(bound.Between(&low, &high, &per), &l, &out)
		return out.At[metric.StepTime]
	}
	r := evaluate(t, e, d, Request{Keys: []metric.Key{metric.StepTime}})
	got, least := r.Metrics[metric.StepTime].Value, at(true).Lo
	if r.Have[metric.StepTime] && got < least {
		t.Errorf("%s in %v to %v: %.17g s, at least %.17g by the links of all", d, lo, hi, got, least)
	}
	return least > at(false).Lo
}

// enclosedOne puts a design on the first step of the ladder.
func enclosedOne(t *testing.T, e *Evaluator, d topology.Design) (*bound.Ladder, *metric.Intervals) {
	t.Helper()
	var size topology.Size
	if err := d.Family.Size(d.V, &size); err != nil {
		t.Fatal(err)
	}
	l, out := &bound.Ladder{}, &metric.Intervals{}
	e.Enclose(bound.One(d.V, &size), l, out)
	return l, out
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
		l, out := enclosedOne(t, e, d)
		for range 3 {
			l.Climb(out)
		}
		if lo, got := out.At[metric.StepTime].Lo, r.Metrics[metric.StepTime].Value; lo > got || lo < 0.1*got {
			t.Errorf("%s by valiant: at least %g s, %g s in all (%s)", d, lo, got, r.Metrics[metric.StepTime].Method)
		}
	}
}
