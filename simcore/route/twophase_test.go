package route

import (
	"context"
	"testing"

	"toposearch/routing"
	"toposearch/topology"
	"toposearch/topology/family"
	"toposearch/topology/survey"
)

// TestTwoPhaseVCs: what the evaluator says of routing by way of an intermediate is what the simulator's UGAL takes,
// which counts its classes on its own tables, and its legs are free of cycles.
func TestTwoPhaseVCs(t *testing.T) {
	compared := 0
	for _, f := range family.All() {
		v := survey.SmallInstance(f)
		if v == nil || f.Natural == nil || f.Place == nil {
			continue
		}
		d := topology.Design{Family: f, V: v}
		n, opt := built(t, d.String())
		r, err := routing.New(n, opt.Natural)
		if err != nil {
			t.Fatal(err)
		}
		vcs, cycle, err := r.TwoPhaseVCs(context.Background())
		if err != nil || cycle != nil {
			t.Errorf("%s: %v, %v", d, err, cycle)
			continue
		}
		u := native(t, "ugal_l", n, opt)
		if vcs != u.VCs() {
			t.Errorf("%s: %d VCs, the simulator takes %d", d, vcs, u.VCs())
		}
		if rep, err := u.CheckDeadlock(context.Background()); err != nil || !rep.Acyclic {
			t.Errorf("%s: %v, %+v", d, err, rep)
		}
		compared++
	}
	if compared < 30 {
		t.Errorf("only %d families were compared", compared)
	}
}
