package placed

import (
	"cmp"
	"context"
	"slices"

	"toposearch/routing"
	"toposearch/workload"
)

// traffic is what all groups send in a step, in shares of S.
type traffic struct {
	n       *Network
	group   workload.Group
	lanes   []lane
	alike   *pattern // in place of lanes, each with the share 1 in no domain
	members []int32  // of receiveAlike, by the first rank of a group: how many of it are on a set
	// What each rank sends over the network and inside its domain, of a mesh over its busiest link, and the most that one receives over the network.
	out, inside []float64
	in          float64
	shape       shapeLoads
	leave       []float64 // by part of Cuts: what is sent out of it,
	enter       []float64 // and into it
	rate        []float64 // by source set, of those in from
	from        []int32
	flows       []routing.Flow
	ports       *portLoads // nil: loads of sets tell those of their endpoints
}

func (n *Network) traffic(g workload.Group) *traffic {
	ranks := len(n.Endpoint)
	if n.alike() {
		ranks, g.Stride = g.Size, 1 // one group stands for all
	}
	t := &traffic{n: n, group: g, out: make([]float64, ranks), inside: make([]float64, ranks)}
	switch {
	case n.ByMessage != nil:
		t.shape = n.ByMessage.loads()
	case n.Router != nil:
		t.rate, t.flows = make([]float64, len(n.Router.Sets)), n.flows[:0]
	case n.Shape != nil:
		t.shape = n.Shape.loads()
	case n.Cuts != nil:
		t.leave, t.enter = make([]float64, len(n.Cuts.Carry)), make([]float64, len(n.Cuts.Carry))
	}
	return t
}

// alike tells whether it does not matter where ranks are.
func (n *Network) alike() bool {
	return n.Router == nil && n.Shape == nil && n.Cuts == nil && n.Domain == 1
}

// near adds what a rank sends inside its domain. The messages of a lane go to different ranks, and so over different links of a mesh; those of several lanes may share one.
func (t *traffic) near(from int, share float64) {
	if t.n.Mesh && len(t.lanes) == 1 {
		t.inside[from] = max(t.inside[from], share)
		return
	}
	t.inside[from] += share
}

// receive adds what a rank receives in all lanes.
func (t *traffic) receive(rank int) {
	g, n := t.group, t.n
	place := rank / g.Stride % g.Size
	first := rank - place*g.Stride
	sets := n.hangs()
	in := 0.0
	for i := range t.lanes {
		l := &t.lanes[i]
		if l.of == nil {
			l.of = make([]senders, g.Size)
			for p := range l.of {
				l.of[p] = l.senders(p)
			}
		}
		w := l.of[place]
		for range l.times {
			p := w.next()
			if p < 0 {
				continue
			}
			from := first + p*g.Stride
			if n.Domain > 1 && n.domain(from) == n.domain(rank) {
				t.near(from, l.share)
				continue
			}
			t.out[from] += l.share
			in += l.share
			t.add(sets[from], l.share)
			if t.ports != nil {
				t.ports.message(from, rank, l.share)
			}
		}
	}
	t.in = max(t.in, in)
}

// receiveAlike adds what the ranks of a set receive by a pattern.
func (t *traffic) receiveAlike(ranks []int32) {
	stride, size, sets := uint32(t.group.Stride), uint32(t.group.Size), t.n.hangs()
	if !t.alike.All {
		shift := uint32(t.alike.Shift)
		for _, r := range ranks {
			from := uint32(r) - shift*stride
			if uint32(r)/stride%size < shift {
				from += size * stride
			}
			t.add(sets[from], 1)
			if t.ports != nil {
				t.ports.message(int(from), int(r), 1)
			}
		}
		return
	}
	if t.ports != nil {
		for _, r := range ranks {
			first := uint32(r) - uint32(r)/stride%size*stride
			for p := range size {
				if from := first + p*stride; from != uint32(r) {
					t.ports.message(int(from), int(r), 1)
				}
			}
		}
	}
	if t.members == nil {
		t.members = make([]int32, len(sets))
	}
	own := sets[ranks[0]]
	for _, r := range ranks {
		t.members[uint32(r)-uint32(r)/stride%size*stride]++
	}
	for _, r := range ranks {
		place := uint32(r) / stride % size
		first := uint32(r) - place*stride
		n := float64(t.members[first])
		if n == 0 { // those of its group are added
			continue
		}
		t.members[first] = 0
		// Each other rank of the group sends to all of these; of themselves to all but one.
		for _, part := range [2][2]uint32{{place, 0}, {size, place + 1}} {
			for p := part[0]; p > part[1]; p-- {
				if s := sets[first+(p-1)*stride]; s != own {
					t.add(s, n)
				} else {
					t.add(s, n-1)
				}
			}
		}
		if n > 1 {
			t.add(own, n-1)
		}
	}
}

// add adds what a set sends to the one at hand.
func (t *traffic) add(set int32, amount float64) {
	if t.rate[set] == 0 {
		t.from = append(t.from, set)
	}
	t.rate[set] += amount
}

// each adds what all ranks receive, place by place.
func (t *traffic) each() {
	g, in := t.group, make([]float64, len(t.out))
	for i := range t.lanes {
		l := &t.lanes[i]
		for place := range g.Size {
			for k := range l.times {
				p := l.back.Of(place, k)
				if p < 0 {
					continue
				}
				for base := 0; base < len(t.out); base += g.Stride * g.Size {
					for low := range g.Stride {
						from, to := base+low+p*g.Stride, base+low+place*g.Stride
						if t.n.Domain > 1 && t.n.domain(from) == t.n.domain(to) {
							t.near(from, l.share)
							continue
						}
						t.out[from] += l.share
						in[to] += l.share
						t.cross(from, to, l.share)
					}
				}
			}
		}
	}
	t.in = slices.Max(in)
}

// cross adds a message to the shape, or to the cuts.
func (t *traffic) cross(from, to int, share float64) {
	a, b := int(t.n.Endpoint[from]), int(t.n.Endpoint[to])
	switch c := t.n.Cuts; {
	case t.shape != nil:
		t.shape.add(a, b, share)
	case c != nil && c.Of[a] != c.Of[b]:
		t.leave[c.Of[a]] += share
		t.enter[c.Of[b]] += share
	}
}

// portLoads is nil where no endpoints share several switches, or where routes are not all known at once.
func (n *Network) portLoads(messages int) *portLoads {
	if n.Tracer == nil || n.Detours != nil || messages > mostAtPorts {
		return nil
	}
	if n.atPorts == nil {
		n.atPorts = newSharedPorts(n.Router, n.Tracer)
	}
	if n.atPorts.tracer == nil {
		return nil
	}
	ranks := len(n.Endpoint)
	return &portLoads{n.atPorts, n.hangs(), make([][]float64, ranks), make([][]float64, ranks)}
}

// messages counts what is sent.
func (t *traffic) messages() int {
	each := 0
	if t.alike != nil {
		each = t.alike.sends(t.group)
	}
	for i := range t.lanes {
		each += t.lanes[i].times
	}
	return each * len(t.n.Endpoint)
}

// take gives the flows to a set that were received, and forgets them.
func (t *traffic) take(set int32) []routing.Flow {
	begin := len(t.flows)
	for _, s := range t.from {
		t.flows = append(t.flows, routing.Flow{Src: int(s), Dst: int(set), Rate: t.rate[s]})
		t.rate[s] = 0
	}
	t.from = t.from[:0]
	return t.flows[begin:]
}

// far is what the network takes of S, at an endpoint's rate: what an endpoint sends or receives, or more if a
// link carries more than that.
func (t *traffic) far(ctx context.Context) (float64, error) {
	n := t.n
	if n.Router == nil || n.ByMessage != nil {
		t.each()
		return n.carries(t.loaded()), ctx.Err()
	}
	if n.Around != nil {
		t.bySet(func(int32, []routing.Flow) {})
		split, err := n.Around.Split(ctx, t.flows, nil, 0)
		return unless(t.own(), 1/split.Throughput), err
	}
	if n.Tracer != nil {
		n.Tracer.Begin()
	}
	t.ports = n.portLoads(t.messages())
	follow := n.Hashes != nil && t.messages() <= mostFollowed
	t.bySet(func(set int32, flows []routing.Flow) {
		if n.Tracer != nil {
			if follow {
				n.Tracer.AddEach(int(set), flows)
			} else {
				n.Tracer.Add(int(set), flows)
			}
			if n.Detours == nil {
				t.flows = t.flows[:0]
			}
		}
	})
	own := t.own()
	var l *routing.Loads
	var err error
	if n.Tracer != nil {
		l = n.Tracer.Loads()
		if t.ports != nil {
			l.BusierPort(t.ports.most())
		}
		err = reached(l)
	} else {
		l, err = n.loads(ctx, t.flows)
	}
	if err != nil {
		return 0, err
	}
	direct := n.busiest(l)
	if n.Hashes != nil {
		direct = max(direct, n.Hashes.Loads(l, own, t.share()))
	}
	busiest, err := t.divided(ctx, own, direct, l)
	return unless(own, busiest), cmp.Or(err, ctx.Err())
}

// divided is what the busiest link takes if packets may make detours, and as many do as is best; direct is what it takes if none does, with loads l.
func (t *traffic) divided(ctx context.Context, own, direct float64, l *routing.Loads) (float64, error) {
	n := t.n
	if n.Detours == nil || n.Detours.Split == nil || t.together() || direct <= own*(1+rounding) {
		return direct, nil
	}
	if n.Detours.Busiest != nil {
		x, err := n.Detours.Busiest(ctx, t.flows, l, own)
		return min(direct, x), err
	}
	split, err := n.Detours.Split(ctx, t.flows, l, -1)
	return min(direct, 1/split.Throughput), err
}

// own is what an endpoint sends or receives of S.
func (t *traffic) own() float64 {
	if t.alike != nil {
		return float64(t.alike.sends(t.group))
	}
	return max(slices.Max(t.out), t.in)
}

// share is that of each message.
func (t *traffic) share() float64 {
	if t.alike != nil || len(t.lanes) == 0 {
		return 1
	}
	return t.lanes[0].share
}

// together tells whether all repetitions of a step are one traffic.
func (t *traffic) together() bool {
	return t.alike != nil && t.alike.together(t.group) || slices.ContainsFunc(t.lanes, func(l lane) bool { return l.times > 1 })
}

// bySet gives to f what each set of the router receives.
func (t *traffic) bySet(f func(set int32, flows []routing.Flow)) {
	ranks, sets := t.n.receivers(), t.n.hangs()
	for first, i := 0, 1; i <= len(ranks); i++ {
		set := sets[ranks[first]]
		if i < len(ranks) && sets[ranks[i]] == set {
			continue
		}
		if t.alike != nil {
			t.receiveAlike(ranks[first:i])
		} else {
			for _, r := range ranks[first:i] {
				t.receive(int(r))
			}
		}
		f(set, t.take(set))
		first = i
	}
}

// loaded is it where messages have been counted one by one.
func (t *traffic) loaded() *loaded {
	c := &loaded{own: max(slices.Max(t.out), t.in), inside: slices.Max(t.inside), share: t.share()}
	switch {
	case t.shape != nil:
		c.levels = t.shape.levels()
		if t.n.Detours != nil && !t.together() {
			c.ways = t.shape.ways()
		}
	case t.n.Cuts != nil:
		c.levels = t.n.Cuts.levels(t.leave, t.enter)
	}
	return c
}

// carries is what the network takes of S, at an endpoint's rate, if it is loaded so.
func (n *Network) carries(c *loaded) float64 {
	switch {
	case n.ByMessage != nil:
		return unless(c.own, n.ByMessage.under(c.levels))
	case n.Shape != nil:
		x := n.Shape.under(c.levels)
		if n.Hashes != nil {
			x = n.Hashes.Tree(len(n.Endpoint), c.own, c.levels, c.share)
		}
		if c.ways != nil && x > c.own*(1+rounding) {
			x = min(x, n.Shape.split(c.ways))
		}
		return unless(c.own, x)
	case n.Cuts != nil:
		return max(c.own, n.Cuts.under(c.levels))
	}
	return c.own
}
