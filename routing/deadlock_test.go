package routing

import (
	"context"
	"testing"

	"toposearch/topology"
)

// The published answers of Dally and Seitz 1987 and of the checks in the families' literature.
func TestKnownDeadlocks(t *testing.T) {
	ctx := context.Background()
	torusOneVC := torusDOR(2)
	for _, c := range []struct {
		name    string
		n       *topology.Network
		rule    topology.Rule
		vcs     int
		acyclic bool
		kinds   bool // provable from the kinds alone
	}{
		{"torus 5x5 dor", torus(t, true, 5, 5), torusDOR(2), 0, true, false},
		{"torus 5x5 dor, 1 VC", torus(t, true, 5, 5), torusOneVC, 1, false, false},
		{"torus 3x3 dor, 1 VC", torus(t, true, 3, 3), torusOneVC, 1, true, false},
		{"mesh 5x5 dor", torus(t, false, 5, 5), torusDOR(2), 1, true, false},
		{"mesh 4x4 all shortest, 1 VC", torus(t, false, 4, 4), allOneVC(), 1, false, false},
		{"hyperx dor", hyperx(t, 2, 4, 4), dor(2), 1, true, true},
		{"hyperx 3-D all shortest, 1 VC", hyperx(t, 1, 3, 3, 3), topology.Minimal(), 1, false, false},
		{"hyperx 3-D all shortest by hop", hyperx(t, 1, 3, 3, 3), topology.Minimal(), 0, true, false},
		{"dragonfly lgl, 1 VC", dragonfly(t, 2, 4, 2), lgl(), 1, false, false},
		{"dragonfly lgl", dragonfly(t, 2, 4, 2), lgl(), 2, true, true},
		{"zcube(4,2) all shortest, 1 VC", zcube(t, 4, 2), allOneVC(), 1, true, false},
		{"zcube(3,3) all shortest, 1 VC", zcube(t, 3, 3), allOneVC(), 1, false, false},
		{"zcube(2,4) all shortest, 1 VC", zcube(t, 2, 4), allOneVC(), 1, false, false},
		{"zcube(3,3) monotone", zcube(t, 3, 3), monotone(3), 0, true, true},
		{"zcube(2,4) monotone", zcube(t, 2, 4), monotone(4), 0, true, true},
		{"zettafly3 all shortest, 1 VC", zettafly3(t, 4, 2, 2, 4), allOneVC(), 1, false, false},
		{"zettafly3 local first", zettafly3(t, 4, 2, 2, 4), localFirst(), 0, true, true},
	} {
		rep, err := CheckDeadlock(ctx, c.n, c.rule, c.vcs)
		if err != nil {
			t.Fatal(err)
		}
		if rep.Acyclic != c.acyclic || !rep.Proven {
			t.Errorf("%s: acyclic = %v, want %v: %s", c.name, rep.Acyclic, c.acyclic, rep.Words(c.n))
		}
		checkCycle(t, c.name, c.n, rep)
		if k := KindGraph(c.n, c.rule, c.vcs); k.Acyclic != c.kinds {
			t.Errorf("%s: by kinds = %+v, want %v", c.name, k, c.kinds)
		}
	}
}

// checkCycle follows a reported cycle: each channel must start where the one before ends.
func checkCycle(t *testing.T, name string, n *topology.Network, rep *DeadlockReport) {
	t.Helper()
	for i, d := range rep.Cycle {
		next := rep.Cycle[(i+1)%len(rep.Cycle)]
		if d.To != next.From || n.To(d.Channel) != d.To || int(d.VC) >= rep.VCs {
			t.Errorf("%s: cycle %+v does not close", name, rep.Cycle)
		}
	}
	if rep.Acyclic != (rep.Cycle == nil) {
		t.Errorf("%s: acyclic = %v with cycle %v", name, rep.Acyclic, rep.Cycle)
	}
}

func TestMinimalVCs(t *testing.T) {
	ctx := context.Background()
	for _, c := range []struct {
		name string
		n    *topology.Network
		rule topology.Rule
		want int
	}{
		{"torus 5x5 dor", torus(t, true, 5, 5), torusDOR(2), 2},
		{"mesh 5x5 dor", torus(t, false, 5, 5), torusDOR(2), 1},
		{"dragonfly lgl", dragonfly(t, 2, 4, 2), lgl(), 2},
		// Every order of d dimensions takes d VCs by hop (HyperX, Ahn et al. 2009).
		{"hyperx 4x4 minimal", hyperx(t, 1, 4, 4), topology.Minimal(), 2},
		{"hyperx 3x3x3 minimal", hyperx(t, 1, 3, 3, 3), topology.Minimal(), 3},
		{"zcube(8,2) minimal", zcube(t, 8, 2), topology.Minimal(), 1},
	} {
		got, rep, err := MinimalVCs(ctx, c.n, c.rule)
		if err != nil || got != c.want {
			t.Errorf("%s: VCs = %d, %v, want %d", c.name, got, err, c.want)
			continue
		}
		if !rep.Acyclic || rep.VCs > got {
			t.Errorf("%s: report %+v does not fit %d VCs", c.name, rep, got)
		}
	}
	if _, _, err := MinimalVCs(ctx, torus(t, true, 5, 5), allOneVC()); err == nil {
		t.Error("a torus with all shortest routes on one VC: no error")
	}
}
