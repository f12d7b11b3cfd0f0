package routing

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"toposearch/topology"
)

// TestFreeDistancesPlainTwin: 256 sets at a time against a search from each, on random networks of endpoints with one or two ports, some of which
// lead one way.
func TestFreeDistancesPlainTwin(t *testing.T) {
	rng := rand.New(rand.NewPCG(15, 4))
	for i := range 12 {
		b := topology.NewBuilder(oneSwitch, twoLinks)
		sw := 20 + rng.IntN(400)
		b.Switch(0, sw)
		for s := range sw { // a ring, so that one way leads everywhere, too
			b.Link(1, topology.SwitchID(s), topology.SwitchID((s+1)%sw))
			for range 2 {
				b.Link(1, topology.SwitchID(s), topology.SwitchID((s+1+rng.IntN(sw-1))%sw))
			}
		}
		if i%3 == 2 {
			b.Unidirectional()
		}
		for range 30 + rng.IntN(500) {
			ports := []topology.SwitchID{topology.SwitchID(rng.IntN(sw))}
			if rng.IntN(3) == 0 {
				ports = append(ports, topology.SwitchID(rng.IntN(sw)))
			}
			b.Endpoints(1+rng.IntN(2), ports)
		}
		n := built(t, b, fmt.Sprintf("random %d", i))
		r, err := New(n, topology.Minimal())
		if err != nil {
			t.Fatal(err)
		}
		got, err := r.freeDistances(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		m := len(r.Sets)
		for dst := range m {
			f := r.Field(dst)
			for src := range m {
				if _, want := r.Inject(f, src, nil); got[src*m+dst] != want {
					t.Fatalf("%s: %d hops from set %d to %d, want %d", n.Design, got[src*m+dst], src, dst, want)
				}
			}
		}
	}
}
