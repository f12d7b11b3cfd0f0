package routing

import (
	"context"
	"fmt"
	"slices"

	"toposearch/internal/heap"
	"toposearch/topology"
)

// mostShares bounds the shares of pairs on channels that WorstPermutation holds: 200 MB, and seconds to follow them.
const mostShares = 1 << 24

// lightest is the part of the heaviest channel's load that a channel has to reach to be filled in its turn: where a network
// saturates at half of what the others carry, they lose nothing.
const lightest = 0.5

// accepted is the part of a load that saturates no network, as simulations measure it (simcore.SaturatedBelow).
const accepted = 0.97

const mostHops = "the permutation with the most hops"

// WorstPermutation gives the partner to which each endpoint sends in a permutation without fixed points that is bad for
// the routes of a router, and says how it was found. Of two it takes the one that saturates at the lower load if every flow
// gets its fair share of the busiest channel on its way: the longest matching, which needs the most of all channels
// together, and one that fills them channel by channel. That begins with the heaviest matching of the channel that any traffic loads most, as
// WorstCase, and gives those without a part in it to the channel that they
// load most, and so on: a saturation load, at which 97 % of all are accepted, sees no single channel among thousands.
// It is deterministic. Beyond 16 million shares of pairs on channels, or MaxMatched sets, it is the longest matching.
func (r *Router) WorstPermutation(ctx context.Context, capacity func(link int) float64) (to []int32, how string, err error) {
	m, err := LongestMatching(ctx, r.Net)
	if err != nil {
		return nil, "", err
	}
	if len(r.Sets) > MaxMatched {
		return m.To, fmt.Sprintf("%s (%s)", mostHops, m.Method), nil
	}
	switch to, err = r.FilledPermutation(ctx, capacity); {
	case err != nil:
		return nil, "", err
	case to == nil:
		return m.To, mostHops + ": that of the routing takes too much to be looked for", nil
	}
	long, err := r.FairShares(ctx, r.Flows(m.To), capacity)
	if err != nil {
		return nil, "", err
	}
	if filled, err := r.FairShares(ctx, r.Flows(to), capacity); err != nil || filled.Saturation(accepted, 1) <= long.Saturation(accepted, 1) {
		return to, "the permutation that fills channel by channel, the one that its routing can load most first", err
	}
	return m.To, mostHops, nil
}

// FilledBytes is the memory that FilledPermutation takes: shares of pairs in lists that grow, flows, and the matching of a channel.
func FilledBytes(sets, channels float64) float64 {
	return 24*min(mostShares, sets*sets*channels) + 14*sets*sets
}

// FilledPermutation is the one of WorstPermutation that fills channel by channel; nil where there are too many shares or sets.
func (r *Router) FilledPermutation(ctx context.Context, capacity func(link int) float64) ([]int32, error) {
	if len(r.Sets) > MaxMatched {
		return nil, nil
	}
	shares, err := newPairs(r, capacity, false).shares(ctx)
	if shares == nil || err != nil {
		return nil, err
	}
	ends := make([]int32, len(r.Sets))
	for i := range ends {
		ends[i] = int32(r.Sets[i].Endpoints)
	}
	f := newFilling(shares, ends)
	if err := f.permutation(ctx, r.distances); err != nil {
		return nil, err
	}
	return r.expand(f.flow), nil
}

// WorstPermutation is as a Router's, of the paths of the tables; endpoints are told apart.
func (t *Layered) WorstPermutation(ctx context.Context, capacity func(link int) float64) (to []int32, how string, err error) {
	longest, err := LongestMatching(ctx, t.Router.Net)
	if err != nil {
		return nil, "", err
	}
	n := t.Router.Net.Endpoints()
	long := fmt.Sprintf("%s (%s)", mostHops, longest.Method)
	if n > MaxMatched {
		return longest.To, long, nil
	}
	shares, err := t.shares(ctx, t.Router.scales(capacity))
	if shares == nil || err != nil {
		return longest.To, long + ": that of the tables takes too much to be looked for", err
	}
	f := newFilling(shares, slices.Repeat([]int32{1}, n))
	if err := f.permutation(ctx, t.Router.apart); err != nil {
		return nil, "", err
	}
	to = make([]int32, n)
	for x, amount := range f.flow {
		if amount > 0 {
			to[x/n] = int32(x % n)
		}
	}
	carried := func(to []int32) float64 {
		pairs := make([]Pair, n)
		for src, dst := range to {
			pairs[src] = Pair{Src: topology.EndpointID(src), Dst: topology.EndpointID(dst), Rate: 1}
		}
		return t.Router.Thinned(slices.Collect(t.Paths(pairs)), capacity, accepted)
	}
	if carried(longest.To) < carried(to) {
		return longest.To, long, nil
	}
	return to, "the permutation that fills channel by channel, the one that its tables can load most first", nil
}

// apart is the matrix of distances between endpoints.
func (r *Router) apart(ctx context.Context) ([]uint16, error) {
	hops, err := r.distances(ctx)
	if err != nil {
		return nil, err
	}
	n, m := r.Net.Endpoints(), len(r.Sets)
	out := make([]uint16, n*n)
	for x := range out {
		src, dst := r.SetOf[r.Net.GroupOf(topology.EndpointID(x/n))], r.SetOf[r.Net.GroupOf(topology.EndpointID(x%n))]
		out[x] = hops[int(src)*m+int(dst)]
	}
	return out, nil
}

// share is the part of what a place sends to another that crosses a channel, over the channel's capacity: in the first half
// of the route and in the second.
type share struct {
	src, dst  uint16
	near, far float32
}

func (s *share) over() crossing {
	return crossing{int32(s.src), int32(s.dst), float64(s.near + s.far)}
}

// filling is a permutation in the making, of places, sets or endpoints.
type filling struct {
	*matcher            // of endpoints without a partner
	shares    [][]share // of each channel
	endpoints []int32   // of each place
	flow      []int32   // [src*places+dst]
	last      int       // the pair that was added last
	most      [4][]float32
}

func newFilling(shares [][]share, endpoints []int32) *filling {
	n := len(endpoints)
	f := &filling{matcher: newMatcher(slices.Clone(endpoints), slices.Clone(endpoints)), shares: shares, endpoints: endpoints, flow: make([]int32, n*n)}
	for i := range f.most {
		f.most[i] = make([]float32, n)
	}
	return f
}

// shares follows all pairs. nil: there are too many.
func (p *pairs) shares(ctx context.Context) ([][]share, error) {
	shares := make([][]share, len(p.scale))
	total := 0
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	err := p.each(ctx, func(src, dst int) {
		total += len(p.touched)
		if total > mostShares {
			stop()
			return
		}
		for _, c := range p.touched {
			shares[c] = append(shares[c], share{uint16(src), uint16(dst), float32(p.near[c] * p.scale[c]), float32(p.far[c] * p.scale[c])})
		}
	})
	if total > mostShares {
		return nil, nil
	}
	return shares, err
}

// shares are those of endpoints, each of one path.
func (t *Layered) shares(ctx context.Context, scale []float64) ([][]share, error) {
	shares, total := make([][]share, len(scale)), 0
	err := t.eachPair(ctx, func(src, dst int, s topology.SwitchID, row int) bool {
		t.along(row, s, func(c int, first bool) {
			x := share{src: uint16(src), dst: uint16(dst)}
			if first {
				x.near = float32(scale[c])
			} else {
				x.far = float32(scale[c])
			}
			if scale[c] > 0 {
				shares[c] = append(shares[c], x)
			}
			total++
		})
		return total <= mostShares
	})
	if total > mostShares {
		return nil, nil
	}
	return shares, err
}

// permutation fills channel by channel; who is left is sent as far as the routes lead, by the distances between places.
func (f *filling) permutation(ctx context.Context, distances func(ctx context.Context) ([]uint16, error)) error {
	bounds := make([]float64, len(f.shares))
	for c := range f.shares {
		bounds[c] = f.bound(c)
	}
	first, busiest, err := f.tighten(ctx, slices.Clone(bounds), nil, func(wanted []bool, add func(c int32, pair crossing) bool) error {
		for c, list := range f.shares {
			for i := 0; wanted[c] && i < len(list); i++ {
				if !add(int32(c), list[i].over()) {
					return nil
				}
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, x := range busiest {
		f.send(x.Src, x.Dst, int32(x.Rate))
	}
	var next heap.Heap[float64, int]
	for c, x := range bounds {
		if x > 0 {
			next.Push(-x, uint64(c), c)
		}
	}
	for next.Len() > 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
		_, c := next.Pop()
		x := f.bound(c)
		if next.Len() > 0 {
			if key, _ := next.Least(); x < -key*(1-1e-6) { // others got in its way
				next.Push(-x, uint64(c), c)
				continue
			}
		}
		if x < lightest*first || x == 0 {
			break
		}
		load, err := f.fill(ctx, c)
		if err != nil {
			return err
		}
		first = max(first, load)
	}
	return f.finish(ctx, distances)
}

// bound is no less than what those without partners can load a channel with; see WorstCase. Shares of others are dropped.
func (f *filling) bound(c int) float64 {
	f.shares[c] = slices.DeleteFunc(f.shares[c], func(s share) bool { return f.supply[s.src] == 0 || f.demand[s.dst] == 0 })
	bySrc, byDst, near, far := f.most[0], f.most[1], f.most[2], f.most[3]
	for _, s := range f.shares[c] {
		x := s.near + s.far
		bySrc[s.src], byDst[s.dst] = max(bySrc[s.src], x), max(byDst[s.dst], x)
		near[s.src], far[s.dst] = max(near[s.src], s.near), max(far[s.dst], s.far)
	}
	sources, destinations, halves := 0.0, 0.0, 0.0
	for _, s := range f.shares[c] { // each set once
		from, to := float64(f.supply[s.src]), float64(f.demand[s.dst])
		sources += from * float64(bySrc[s.src])
		destinations += to * float64(byDst[s.dst])
		halves += from*float64(near[s.src]) + to*float64(far[s.dst])
		bySrc[s.src], byDst[s.dst], near[s.src], far[s.dst] = 0, 0, 0, 0
	}
	return min(sources, destinations, halves)
}

// fill pairs those who load a channel most, and gives its load.
func (f *filling) fill(ctx context.Context, c int) (load float64, err error) {
	over := make([]crossing, len(f.shares[c]))
	for i, s := range f.shares[c] {
		over[i] = s.over()
	}
	load, _, err = f.matcher.heaviest(ctx, over, func(src, dst, amount int32) { f.send(int(src), int(dst), amount) })
	return load, err
}

// send pairs endpoints of two sets.
func (f *filling) send(src, dst int, amount int32) {
	f.last = src*len(f.supply) + dst
	f.flow[f.last] += amount
	f.supply[src] -= amount
	f.demand[dst] -= amount
}

// finish pairs those who are left, by the length of routes. One who is left with nobody but itself comes between two others.
func (f *filling) finish(ctx context.Context, distances func(ctx context.Context) ([]uint16, error)) error {
	n := len(f.supply)
	left, self := 0, 0
	for i := range f.supply {
		left += int(f.supply[i])
		if f.supply[i] > 0 && f.demand[i] > 0 && f.endpoints[i] == 1 {
			self = i
		}
	}
	if left == 1 && f.supply[self] == 1 && f.demand[self] == 1 && f.endpoints[self] == 1 {
		src, dst := f.last/n, f.last%n
		f.send(src, dst, -1)
		f.send(src, self, 1)
		f.send(self, dst, 1)
		return nil
	}
	if left == 0 {
		return nil
	}
	hops, err := distances(ctx)
	if err != nil {
		return err
	}
	a := newAssignment(n, hops)
	copy(a.supply, f.supply)
	copy(a.demand, f.demand)
	for i := range a.selfless {
		a.selfless[i] = f.endpoints[i] == 1
	}
	if err := a.solve(ctx); err != nil {
		return err
	}
	for x, amount := range a.flow {
		f.flow[x] += amount
	}
	return nil
}
