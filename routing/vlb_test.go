package routing

import (
	"context"
	"math/rand/v2"
	"testing"

	"toposearch/topology"
)

// The two legs of every pair of some permutations, sent as flows, load the network as the bound
// says, whichever the permutation.
func TestValiantThroughput(t *testing.T) {
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
		want, ok := ValiantThroughput(c.n, l)
		if !ok {
			t.Fatalf("%s: no bound", c.n.Design)
		}
		set := func(e int) int { return int(r.SetOf[c.n.GroupOf(topology.EndpointID(e))]) }
		size := c.n.Endpoints()
		for range 3 {
			var flows []Flow
			for s, d := range rng.Perm(size) {
				for mid := range size {
					flows = append(flows, Flow{set(s), set(mid), 1 / float64(size)}, Flow{set(mid), set(d), 1 / float64(size)})
				}
			}
			got, err := r.FlowLoads(context.Background(), flows, LoadOptions{})
			if err != nil || !near(got.Throughput(c.n).Throughput, want) {
				t.Errorf("%s: throughput = %v, %v, want %v", c.n.Design, got.Throughput(c.n), err, want)
			}
		}
	}
	z := zcube(t, 4, 2)
	if got, ok := ValiantThroughput(z, uniform(t, z, monotone(2), LoadOptions{})); ok {
		t.Errorf("endpoints with two ports: %v", got)
	}
	n := torus(t, true, 4, 4)
	if got, ok := ValiantThroughput(n, uniform(t, n, torusDOR(2), LoadOptions{Sample: 3})); ok {
		t.Errorf("sampled loads: %v", got)
	}
}
