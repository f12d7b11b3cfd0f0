package placed

import (
	"context"
	"fmt"
	"iter"

	"toposearch/routing"
	"toposearch/workload"
)

// pairs is what the places of groups send each other, in shares of S, in any pattern; traffic is that of lanes.
type pairs struct {
	n     *Network
	group workload.Group
	rate  map[[2]int32]float64 // over the network, by sets of the router
	order [][2]int32           // of its keys, as they came
	// What each rank sends and receives over the network.
	out, in []float64
}

func (n *Network) newPairs(g workload.Group) *pairs {
	ranks := len(n.Endpoint)
	return &pairs{n: n, group: g, rate: make(map[[2]int32]float64), out: make([]float64, ranks), in: make([]float64, ranks)}
}

// firsts gives the first rank of every group, as many as so many ranks make.
func firsts(g workload.Group, ranks int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for base := 0; base < ranks; base += g.Stride * g.Size {
			for low := range g.Stride {
				if !yield(base + low) {
					return
				}
			}
		}
	}
}

// send adds a message between two places of a group, of all groups.
func (t *pairs) send(from, to int, share float64) {
	g := t.group
	for first := range firsts(g, len(t.n.Endpoint)) {
		a, b := first+from*g.Stride, first+to*g.Stride
		t.out[a] += share
		t.in[b] += share
		k := [2]int32{t.n.set(a), t.n.set(b)}
		if _, ok := t.rate[k]; !ok {
			t.order = append(t.order, k)
		}
		t.rate[k] += share
	}
}

// flows are they as the router knows them.
func (t *pairs) flows() []routing.Flow {
	flows := make([]routing.Flow, 0, len(t.order))
	for _, k := range t.order {
		flows = append(flows, routing.Flow{Src: int(k[0]), Dst: int(k[1]), Rate: t.rate[k]})
	}
	return flows
}

// loads are those of flows, all of which must have routes.
func (n *Network) loads(ctx context.Context, flows []routing.Flow) (*routing.Loads, error) {
	l, err := n.Router.FlowLoads(ctx, flows, routing.LoadOptions{Workers: n.Workers})
	if err != nil {
		return nil, fmt.Errorf("placed: %w", err)
	}
	return l, reached(l)
}

// reached refuses loads of flows some of which have no route.
func reached(l *routing.Loads) error {
	if l.UnreachablePairs > 0 {
		return fmt.Errorf("placed: of what ranks send %g of %g has no route", l.UnreachablePairs, l.Pairs)
	}
	return nil
}

// busiest is what the busiest link takes of S at an endpoint's rate.
func (n *Network) busiest(l *routing.Loads) float64 {
	if n.Carries != nil {
		return 1 / n.Carries(l)
	}
	if limit := l.Throughput(n.Router.Net); !limit.None {
		return 1 / limit.Throughput
	}
	return 0
}

// unless is what an endpoint takes of S itself, or what the busiest link does if that is more. Loads are sums of parts: what is
// above an endpoint's own by rounding alone is not.
func unless(own, busiest float64) float64 {
	if busiest <= own*(1+rounding) {
		return own
	}
	return busiest
}
