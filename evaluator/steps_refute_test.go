package evaluator

import (
	"testing"

	"toposearch/evaluator/metric"
	"toposearch/internal/racing"
	"toposearch/internal/stream"
	"toposearch/topology/topotest"
	"toposearch/workload"
)

// TestRefuteSteps looks for a design whose step takes less than any rung of the ladder says, in all families, whatever the routing and the division. The flags of
// TestRefuteBounds make it longer.
func TestRefuteSteps(t *testing.T) {
	racing.Figures(t)
	var es []*Evaluator
	for i, p := range []*workload.Parallelism{
		nil, {TP: 4, CP: 1, PP: 2, DP: 4, EP: 1, SP: true, Interleave: 1, MicroBatch: 1, ZeRO: 1, FusedAttention: true},
		{TP: 2, CP: 2, PP: 1, DP: 6, EP: 1, SP: true, Interleave: 1, MicroBatch: 1, ZeRO: 3, FusedAttention: true},
		{TP: 2, CP: 1, PP: 1, DP: 16, EP: 8, SP: true, Interleave: 1, MicroBatch: 1, ZeRO: 1, FusedAttention: true},
		{TP: 1, CP: 1, PP: 4, DP: 7, EP: 1, Interleave: 1, MicroBatch: 1, ZeRO: 1, FusedAttention: true},
	} {
		for _, algorithms := range [][]string{{RoutingNatural}, {"par", RoutingNatural}, {RoutingDeployed}, {"ugal_l"}, {"natural+hash"}} {
			o := trainingOptions(t)
			x := *o.Training
			x.Model, x.Batch, x.Parallelism, x.Accelerator.FLOPS = tiny(t), 336, p, 1e18 // so that nothing hides what collectives take
			if i == 3 {
				x.Model = expert(t)
			}
			o.Training, o.BoundTraining, o.Algorithms = &x, true, algorithms
			es = append(es, newEvaluator(t, o))
		}
	}
	compared, raised := 0, 0
	for _, f := range families() {
		if *only != "" && f.Name != *only {
			continue
		}
		rng := stream.New(*refuteSeed, "refute steps "+f.Name)
		for _, d := range topotest.Sample(f, rng, max(few(12), 10**refute), 220) {
			e := es[rng.IntN(len(es))]
			r, err := e.Evaluate(t.Context(), d, Request{Keys: []metric.Key{metric.StepTime}})
			if err != nil || !r.Have[metric.StepTime] {
				continue
			}
			m := r.Metrics[metric.StepTime]
			got := m.Value
			if m.Lo > got*(1+1e-12) || m.Hi < got {
				t.Errorf("%s, %v: %g s in [%g, %g]: %s", d, e.opt.Algorithms, got, m.Lo, m.Hi, m.Method)
			}
			l, out := enclosedOne(t, e, d)
			first := out.At[metric.StepTime].Lo
			for l.Next() != nil {
				l.Climb(out)
			}
			lo := out.At[metric.StepTime].Lo
			if compared++; lo > first {
				raised++
			}
			if lo > got*(1+1e-12) {
				t.Errorf("%s, %v, %v: at least %.17g s, %.17g s in all: %s", d, e.opt.Algorithms, e.opt.Training.Parallelism, lo, got, r.Metrics[metric.StepTime].Method)
			}
		}
	}
	if *only == "" && raised*10 < compared {
		t.Errorf("of %d designs %d are bounded more closely", compared, raised)
	}
}
