package routing

import (
	"context"
	"fmt"
	"math"

	"toposearch/topology"
)

// MaxMatched is the number of attachment sets up to which LongestMatching is exact: the distances
// between all sets and the flows are held as matrices, 100 MB then.
const MaxMatched = 4096

// Matching is a permutation of endpoints without fixed points.
type Matching struct {
	To []int32 // the partner to which each endpoint sends
	// Hops is the sum over endpoints of the least number of channels to the partner.
	Hops int64
	// Exact reports whether no permutation has more hops. Otherwise Hops is scaled up from 64 of the
	// partners, and other permutations may have more.
	Exact  bool
	Method string
}

// LongestMatching gives a permutation with the most hops in all between endpoints and partners
// (Jyothi et al., "Measuring and Understanding Throughput of Network Topologies", SC 2016). It is
// deterministic. Above MaxMatched attachment sets it is the best of a few shifts.
func LongestMatching(ctx context.Context, n *topology.Network) (*Matching, error) {
	if n.Endpoints() < 2 {
		return nil, ErrNoTraffic
	}
	r, err := New(n, topology.Minimal())
	if err != nil {
		return nil, err
	}
	if len(r.Sets) > MaxMatched {
		return r.longestShift(ctx)
	}
	w, err := r.distances(ctx)
	if err != nil {
		return nil, err
	}
	a := newAssignment(len(r.Sets), w)
	for i := range r.Sets {
		a.supply[i], a.demand[i] = int32(r.Sets[i].Endpoints), int32(r.Sets[i].Endpoints)
		a.selfless[i] = r.Sets[i].Endpoints == 1
	}
	if err := a.solve(ctx); err != nil {
		return nil, err
	}
	return &Matching{To: r.expand(a.flow), Hops: a.value(), Exact: true, Method: "assignment by distance"}, nil
}

// expand turns flows between sets into partners of endpoints.
func (r *Router) expand(flow []int32) []int32 {
	n := len(r.Sets)
	members := make([][]int32, len(r.Sets))
	for g, set := range r.SetOf {
		first, end, _ := r.Net.Group(g)
		for e := first; e < end; e++ {
			members[set] = append(members[set], int32(e))
		}
	}
	to := make([]int32, r.Net.Endpoints())
	sent, taken := make([]int, len(r.Sets)), make([]int, len(r.Sets))
	for i, own := range members {
		// Inside a set everyone sends to the next; a single one to somebody who sends elsewhere.
		switch f := int(flow[i*n+i]); {
		case f == 1:
			to[own[0]] = own[1]
			own[0], own[1] = own[1], own[0] // the slot of what is now first is taken
			sent[i], taken[i] = 1, 1
		case f > 1:
			for k := range f {
				to[own[k]] = own[(k+1)%f]
			}
			sent[i], taken[i] = f, f
		}
	}
	// After an exchange the first source is in place 1 and the first taken slot in place 0.
	src := make([][]int32, len(members))
	for i, own := range members {
		src[i] = append([]int32(nil), own...)
		if flow[i*n+i] == 1 {
			src[i][0], src[i][1] = src[i][1], src[i][0]
		}
	}
	for i := range members {
		for j := range members {
			if i == j {
				continue
			}
			for range flow[i*n+j] {
				to[src[i][sent[i]]] = members[j][taken[j]]
				sent[i]++
				taken[j]++
			}
		}
	}
	return to
}

// longestShift sends every endpoint to the one a fixed number ahead: the best of 31 shifts by
// multiples of a 32nd of the endpoints, judged by 64 destinations spread over the network.
func (r *Router) longestShift(ctx context.Context) (*Matching, error) {
	const parts, samples = 32, 64
	n := r.Net.Endpoints()
	var sum [parts]int64
	s := newSearch(r)
	var buf []int
	for k := range min(samples, n) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		dst := int(int64(k) * int64(n) / samples)
		f := s.run(int(r.SetOf[r.Net.GroupOf(topology.EndpointID(dst))]))
		for p := 1; p < parts; p++ {
			src := (dst - p*n/parts + n) % n
			var d uint16
			set := int(r.SetOf[r.Net.GroupOf(topology.EndpointID(src))])
			if buf, d = r.Inject(f, set, buf[:0]); d == Unreachable {
				return nil, fmt.Errorf("routing: no route from endpoint %d to endpoint %d", src, dst)
			}
			sum[p] += int64(d)
		}
	}
	best := 1
	for p := range parts {
		if sum[p] > sum[best] {
			best = p
		}
	}
	m := &Matching{To: make([]int32, n), Method: fmt.Sprintf("shift by %d endpoints, the best of %d", best*n/parts, parts-1)}
	for e := range m.To {
		m.To[e] = int32((e + best*n/parts) % n)
	}
	m.Hops = int64(math.Floor(float64(sum[best]) / float64(min(samples, n)) * float64(n)))
	return m, nil
}

// Flows gives a permutation as flows between sets, every endpoint sending at full bandwidth; -1: it sends nothing.
func (r *Router) Flows(to []int32) []Flow {
	rate := make(map[[2]int32]float64)
	var order [][2]int32
	for e, d := range to {
		if d < 0 {
			continue
		}
		k := [2]int32{r.SetOf[r.Net.GroupOf(topology.EndpointID(e))], r.SetOf[r.Net.GroupOf(topology.EndpointID(d))]}
		if rate[k] == 0 {
			order = append(order, k)
		}
		rate[k]++
	}
	out := make([]Flow, len(order))
	for i, k := range order {
		out[i] = Flow{Src: int(k[0]), Dst: int(k[1]), Rate: rate[k]}
	}
	return out
}

// WorstLoads gives the loads of the longest matching under a rule: its Throughput is what the
// rule achieves on that traffic, a lower bound of what any routing does.
func WorstLoads(ctx context.Context, n *topology.Network, rule topology.Rule, opt LoadOptions) (*Loads, *Matching, error) {
	m, err := LongestMatching(ctx, n)
	if err != nil {
		return nil, nil, err
	}
	r, err := New(n, rule)
	if err != nil {
		return nil, nil, err
	}
	l, err := r.FlowLoads(ctx, r.Flows(m.To), opt)
	return l, m, err
}
