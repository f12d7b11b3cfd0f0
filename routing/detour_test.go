package routing

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"toposearch/topology"
)

// The two legs of every pair of some permutations, sent as flows, load every channel as Detoured says, whichever the
// permutation.
func TestDetoured(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	for _, c := range []struct {
		n    *topology.Network
		rule topology.Rule
	}{{dragonfly(t, 2, 4, 2), lgl()}, {torus(t, true, 4, 5), torusDOR(2)}, {hyperx(t, 3, 4, 2), dor(2)}} {
		r, err := New(c.n, c.rule)
		if err != nil {
			t.Fatal(err)
		}
		l := uniform(t, c.n, c.rule, LoadOptions{})
		set := func(e int) int { return int(r.SetOf[c.n.GroupOf(topology.EndpointID(e))]) }
		size := c.n.Endpoints()
		want := Detoured(l.Relative(c.n, OwnCapacity(c.n)), size)
		for range 3 {
			var flows []Flow
			for s, d := range rng.Perm(size) {
				for mid := range size {
					flows = append(flows, Flow{set(s), set(mid), 1 / float64(size)}, Flow{set(mid), set(d), 1 / float64(size)})
				}
			}
			got, err := r.FlowLoads(context.Background(), flows, LoadOptions{})
			if err != nil {
				t.Fatal(err)
			}
			for i, x := range got.Relative(c.n, OwnCapacity(c.n)) {
				if !near(x, want[i]) {
					t.Errorf("%s: channel %d has %v of its capacity, want %v", c.n.Design, i, x, want[i])
					break
				}
			}
		}
	}
	n := torus(t, true, 4, 4)
	if got := uniform(t, n, torusDOR(2), LoadOptions{Sample: 3}).Relative(n, OwnCapacity(n)); got != nil {
		t.Errorf("sampled loads have %d channels", len(got))
	}
	// Ports of endpoints that have several come behind the channels; the largest of all is what Throughput says.
	z := zcube(t, 4, 2)
	l := uniform(t, z, monotone(2), LoadOptions{})
	got := l.Relative(z, OwnCapacity(z))
	if want := z.Channels() + len(l.In) + len(l.Out); len(got) != want || !near(1/slices.Max(got), l.Throughput(z).Throughput) {
		t.Errorf("%d loads up to %v, want %d up to %v", len(got), slices.Max(got), want, 1/l.Throughput(z).Throughput)
	}
}
