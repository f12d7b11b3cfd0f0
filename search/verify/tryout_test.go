package verify

import (
	"testing"
	"time"

	"toposearch/evaluator"
	"toposearch/search"
	"toposearch/study"
	"toposearch/topology/family/familytest"
)

// A simulation that is tried out costs what came before its first load, and as much for each expected flit-hop as one took in the trial,
// what cycles take by themselves apart: by a clock that says 2 s before the first load and 3 s in it.
func TestTryOut(t *testing.T) {
	d := familytest.Parse(t, "fattree(k=8,l=2)")
	p := &search.Problem{Study: &study.Study{Options: evaluator.DefaultOptions(), Verify: study.Verify{Loads: 4, Packet: 4, Cycles: 2000}}}
	c, err := Estimate(t.Context(), p, d, "uniform")
	if err != nil {
		t.Fatal(err)
	}
	was := *c
	times := []time.Duration{time.Second, 3 * time.Second, 6 * time.Second}
	if !c.tryOut(t.Context(), p, d, "uniform", "", func() time.Duration {
		now := times[0]
		times = times[1:]
		return now
	}) {
		t.Fatal("it could not be tried out")
	}
	if c.Before != 2 || c.FlitHops != was.FlitHops || len(times) != 0 {
		t.Errorf("%+v, was %+v", c, was)
	}
	// As many flit-hops in the trial as make one take so long; the trial is of at most twice tryHops, warm-up included, and of a tenth at least.
	hop := (c.Seconds - c.Before - c.idle) / c.FlitHops
	if hops := 3 / hop; hops < tryHops/10 || hops > 4*tryHops {
		t.Errorf("%g s a flit-hop, which is a trial of %g", hop, hops)
	}
	if p.Study.Verify.Cycles != 2000 {
		t.Error("the study was changed")
	}
}
