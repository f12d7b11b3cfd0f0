package evaluator

import (
	"strings"
	"sync"
	"testing"

	"toposearch/evaluator/metric"
	"toposearch/internal/stream"
	"toposearch/topology"
	"toposearch/workload"
)

// TestBestElsewhere: of a parallelism that was searched on an ideal network, and takes longer on the one at hand, the method says so, as it must: on two switches joined by few links another is faster. Where nothing blocks it does not.
func TestBestElsewhere(t *testing.T) {
	o := trainingOptions(t)
	o.Training.Batch, o.Training.Accelerator.FLOPS = 1536, 989e12
	step := func(design string) metric.Figure {
		return evaluate(t, newEvaluator(t, o), parse(t, design), Request{Keys: []metric.Key{metric.StepTime}}).Metrics[metric.StepTime]
	}
	narrow, full := step("hyperx(s1=2,t=16)"), step("fattree(k=8,l=2)")
	o.Training.Parallelism = &workload.Parallelism{TP: 1, CP: 1, PP: 2, DP: 16, EP: 1, Interleave: 1, MicroBatch: 1, ZeRO: 1, FusedAttention: true}
	if given := step("hyperx(s1=2,t=16)"); given.Value >= 0.99*narrow.Value || !strings.Contains(narrow.Method, "another may be faster on this one") {
		t.Errorf("%.6g s with %s, %.6g s as searched: %s", given.Value, o.Training.Parallelism, narrow.Value, narrow.Method)
	}
	if strings.Contains(full.Method, "another may be faster") || !strings.Contains(full.Method, "the best on an ideal network") {
		t.Errorf("where nothing blocks: %s", full.Method)
	}
}

// TestForgotten: times and bounds of steps are the same to the last digit whatever was asked before, of how many at once, and however little is remembered.
func TestForgotten(t *testing.T) {
	o := trainingOptions(t)
	o.Training.MessageBytes, o.BoundTraining = 1e5, true
	keys := []metric.Key{metric.StepTime, metric.AllreduceTime, metric.AlltoallTime}
	var designs []topology.Design
	for _, text := range []string{"zcube(n=3,k=3)", "zcube(n=6,k=2)", "zcube_rect(n=6,m=3)", "torus(k1=5,k2=4,t=2)", "mesh(k1=7,k2=3)", "hyperx(s1=5,s2=3,t=3)", "hyperx(s1=2,t=9)", "dragonfly(p=2,a=3,h=2)", "dragonflyplus(l=3,m=3,p=2,h=1)",
		"fattree(k=6,l=2)", "fattree(k=6,l=3)", "complete(n=7,t=5)", "ring(n=11,t=2)", "slimfly(q=3)", "polarfly(q=3,p=3)", "dcell(n=5,l=1)"} {
		designs = append(designs, parse(t, text))
	}
	type answer struct {
		values [3]metric.Figure
		step   float64
	}
	ask := func(e *Evaluator, d topology.Design) (a answer) {
		r := evaluate(t, e, d, Request{Keys: keys})
		for i, k := range keys {
			a.values[i] = r.Metrics[k]
		}
		a.step = e.steps.least(r.Size.Endpoints).step
		return a
	}
	want := make([]answer, len(designs))
	for i, d := range designs {
		want[i] = ask(newEvaluator(t, o), d)
	}
	e := newEvaluator(t, o)
	s := &e.steps
	s.best.Clear(2)
	s.bounded.Clear(2)
	s.within.Clear(2)
	s.through.Clear(2)
	s.rings.Clear(2)
	s.known.Clear(2)
	s.counts.Clear(2)
	var all sync.WaitGroup
	for crew := range 4 {
		all.Go(func() {
			rng := stream.New(uint64(crew), "forgotten")
			for range 2 {
				for _, i := range rng.Perm(len(designs)) {
					if got := ask(e, designs[i]); got != want[i] {
						t.Errorf("%s: %+v, alone %+v", designs[i], got, want[i])
					}
				}
			}
		})
	}
	all.Wait()
}
