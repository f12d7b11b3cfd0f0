package run

import (
	"context"
	"math"
	"strings"
	"testing"

	"toposearch/evaluator"
	"toposearch/search/searchtest"
	"toposearch/search/verify"
	"toposearch/study"
	"toposearch/topology/family/familytest"
	"toposearch/workload"
	"toposearch/workload/collective"
)

// TestVerifiedWorkload: the finalists' traffic is that of the heaviest communication, with its own prediction. Data parallelism
// among eight is heavier than the few messages between two stages; of a pipeline of 16 stages alone each rank
// sends to the next, over a channel of its own.
func TestVerifiedWorkload(t *testing.T) {
	d := familytest.Parse(t, "ring(n=16)")
	m, err := workload.Model("gpt3-22b")
	searchtest.Must(t, err)
	p := searchtest.RealModel(t, searchtest.Pods(t, "ring"))
	p.Study.Verify = study.Verify{Finalists: 1, Cycles: 1000, Packet: 4, Loads: 2}
	job := func(par workload.Parallelism) *evaluator.Training {
		par.CP, par.EP, par.Interleave, par.MicroBatch, par.SP = 1, 1, 1, 1, par.TP > 1
		return &evaluator.Training{Model: m, Sequence: 2048, Batch: 64, Parallelism: &par, MessageBytes: 1e9,
			Accelerator: workload.System{FLOPS: 312e12, Efficiency: 0.5, Memory: 1e15, Link: [collective.Levels]collective.Link{1: {Alpha: 5e-6}}}}
	}
	p.Study.Options.PerServer = 1
	p.Study.Options.Training = job(workload.Parallelism{TP: 1, PP: 2, DP: 8})
	line, err := verify.Simulate(context.Background(), p, d, study.Workload, "")
	searchtest.Must(t, err)
	if line.Skipped != "" || !strings.HasPrefix(line.Workload, "dp ") || line.Expected == 0 || line.Expected > line.Predicted {
		t.Fatalf("%+v", line)
	}
	if line.Above < verify.Near*line.Expected || line.Saturation > line.Certified*verify.SatAbove {
		t.Errorf("saturates between %g and %g, expected %g, certified %g", line.Saturation, line.Above, line.Expected, line.Certified)
	}
	v := verify.Combine(p, []*verify.Result{line}, nil)
	if v.Workload != line.Workload || v.Predicted["expected.workload"] != line.Expected || v.LimitedBy["workload"] == "" {
		t.Errorf("verified %+v", v)
	}
	p.Study.Options.Training = job(workload.Parallelism{TP: 1, PP: 16, DP: 1})
	line, err = verify.Simulate(context.Background(), p, d, study.Workload, "")
	searchtest.Must(t, err)
	// Each rank sends to the next: nothing is shared.
	if !strings.HasPrefix(line.Workload, "pp exchange") || math.Abs(line.Predicted-1) > 1e-9 || line.Above < 0.97 {
		t.Errorf("neighbours: %+v", line)
	}
	p.Study.Options.Training = nil
	if line, err = verify.Simulate(context.Background(), p, d, study.Workload, ""); err != nil || !strings.Contains(line.Skipped, "[workload]") {
		t.Errorf("no workload: %q (%v)", line.Skipped, err)
	}
}
