package evaluator

import (
	"strings"
	"testing"

	"toposearch/evaluator/metric"
	"toposearch/workload"
)

// TestMultiPathStep: experts in groups of 16 are faster over detours where groups leave most links idle, on grids, grids of UB-Mesh and
// dragonflies; a routing without detours, and switches without VCs for them, keep to the routes. No time is below its bound.
func TestMultiPathStep(t *testing.T) {
	model, err := workload.Model("deepseek-v3")
	if err != nil {
		t.Fatal(err)
	}
	step := func(design string, vcs int, algorithms ...string) (metric.Figure, string) {
		o := trainingOptions(t)
		o.Training.Model, o.Training.Accelerator.Memory = model, 1e15
		o.Training.Parallelism = &workload.Parallelism{TP: 1, CP: 1, PP: 1, DP: 64, EP: 16, Interleave: 1, MicroBatch: 1, Recompute: workload.Selective}
		o.Algorithms, o.MaxVCs = algorithms, vcs
		r := evaluate(t, newEvaluator(t, o), parse(t, design), Request{Keys: []metric.Key{metric.StepTime}})
		if !r.Have[metric.StepTime] {
			t.Fatalf("%s: %s", design, r.Absent[metric.StepTime])
		}
		f := r.Metrics[metric.StepTime]
		return f, f.Method
	}
	for _, design := range []string{"hyperx(s1=4,s2=2,t=8)", "fullmesh(d1=8,d2=8)", "dragonfly(p=2,a=4,h=2)"} {
		several, how := step(design, 0, RoutingDeployed)
		one, without := step(design, 0, RoutingNatural)
		if several.Value >= one.Value || several.Lo > several.Value || !strings.Contains(how, "(multi-path)") || strings.Contains(without, "(multi-path)") {
			t.Errorf("%s: %+v over several paths, %+v over one", design, several, one)
		}
		if narrow, _ := step(design, 1, RoutingDeployed); narrow.Value < one.Value*(1-1e-9) {
			t.Errorf("%s: one VC and yet %g s, %g without detours", design, narrow.Value, one.Value)
		}
	}
}
