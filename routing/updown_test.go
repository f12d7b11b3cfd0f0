package routing

import (
	"context"
	"math/rand/v2"
	"testing"

	"toposearch/topology"
)

// On random connected networks up*/down* reaches everybody, on one VC without cycles, and is
// never shorter than the shortest way.
func TestUpDownAnywhere(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	for i := range 100 {
		b := topology.NewBuilder(oneSwitch, twoLinks)
		size := 3 + rng.IntN(12)
		b.Switch(0, size)
		for s := 1; s < size; s++ {
			b.Link(1, topology.SwitchID(rng.IntN(s)), topology.SwitchID(s))
		}
		for range rng.IntN(2 * size) {
			if x, y := rng.IntN(size), rng.IntN(size); x != y {
				b.Link(2, topology.SwitchID(x), topology.SwitchID(y))
			}
		}
		for s := range size {
			b.Endpoints(1, []topology.SwitchID{topology.SwitchID(s)})
		}
		n := built(t, b, "random")
		r, err := UpDown(n)
		if err != nil {
			t.Fatal(err)
		}
		rep, err := r.CheckDeadlock(context.Background(), 0)
		if err != nil || !rep.Acyclic || rep.VCs != 1 {
			t.Fatalf("network %d: %v, %s", i, err, rep.Words(n))
		}
		l, err := r.UniformLoads(context.Background(), LoadOptions{})
		if err != nil || l.UnreachablePairs != 0 {
			t.Fatalf("network %d: %v, %v pairs unreachable", i, err, l.UnreachablePairs)
		}
		if least := uniform(t, n, topology.Minimal(), LoadOptions{}).MeanHops; l.MeanHops < least-1e-12 {
			t.Fatalf("network %d: mean hops = %v, the shortest have %v", i, l.MeanHops, least)
		}
	}
}

// A ring of 6 with root 0 (all degrees alike): up*/down* never uses the link between 2 and 3 or
// 3 and 4 as a way through, so the pair 2, 4 goes round by the root: 4 hops instead of 2.
func TestUpDownRing(t *testing.T) {
	n := torus(t, true, 6)
	r, err := UpDown(n)
	if err != nil {
		t.Fatal(err)
	}
	f := r.Field(4)
	if _, d := r.Inject(f, 2, nil); d != 4 {
		t.Errorf("2 to 4: %d hops, want 4", d)
	}
	if _, d := r.Inject(f, 3, nil); d != 1 {
		t.Errorf("3 to 4: %d hops, want 1", d)
	}
}

func TestUpDownRefusesOneWay(t *testing.T) {
	b := topology.NewBuilder(oneSwitch, twoLinks)
	b.Switch(0, 2)
	b.Unidirectional()
	b.Link(1, 0, 1)
	b.Endpoints(2, []topology.SwitchID{0})
	if _, err := UpDown(built(t, b, "one way")); err == nil {
		t.Error("a one-way network: no error")
	}
}
