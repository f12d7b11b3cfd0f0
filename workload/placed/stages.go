package placed

import (
	"cmp"
	"context"
	"slices"

	"toposearch/routing"
	"toposearch/workload"
	"toposearch/workload/collective"
)

// stages are the steps of a schedule that all groups run at once; the first of them, if these already take so many seconds for bytes of S.
func (n *Network) stages(ctx context.Context, g workload.Group, s *collective.Schedule, bytes, seconds float64) ([]stage, error) {
	var out []stage
	for _, st := range s.Steps {
		one, err := n.stage(ctx, g, s.Ranks, st)
		if err != nil {
			return nil, err
		}
		times := 1.0
		if st.Lanes[0].Grow == 0 { // else all repetitions together are one traffic
			times = float64(st.Repeat)
		}
		if out = append(out, stage{st.Repeat, one.far * times, one.inside * times}); n.time(out, bytes) >= seconds {
			break
		}
	}
	return out, nil
}

// time adds up the stages. Where both the domain and the network are at work the slower counts.
func (n *Network) time(stages []stage, s float64) float64 {
	t := 0.0
	for _, g := range stages {
		alpha := 0.0
		if g.far > 0 {
			alpha = n.Link.Alpha
		}
		if g.inside > 0 {
			alpha = max(alpha, n.Scaleup.Alpha)
		}
		t += float64(g.steps) * alpha
		x := g.far * s / n.Link.BytesPerS
		if g.inside > 0 {
			x = max(x, g.inside*s/n.Scaleup.BytesPerS)
		}
		t += x
	}
	return t
}

// stage is one repetition of a step, or all of them if they differ.
func (n *Network) stage(ctx context.Context, g workload.Group, places int, st collective.Step) (one stage, err error) {
	if len(st.Lanes) > 1 {
		return n.count(ctx, g, places, st, false)
	}
	k, ok := normal(g, st)
	if !ok {
		return n.count(ctx, g, places, st, false)
	}
	shared := n.Known != nil && n.inOrder()
	if one, ok = n.known[k]; !ok && shared {
		if x, found := n.Known.of.Load(n.shared(k)); found {
			one, ok = x.(stage), true
		}
	}
	if !ok {
		if one.far, ok = n.inClosedForm(k.group, k.pattern); !ok {
			if one, err = n.countAlike(ctx, g, places, st, k); err != nil {
				return one, err
			}
		}
		if n.known == nil {
			n.known = make(map[key]stage)
		}
		n.known[k] = one
		if shared {
			n.Known.of.Store(n.shared(k), one)
		}
	}
	one.far, one.inside = one.far*st.Lanes[0].Share, one.inside*st.Lanes[0].Share
	return one, nil
}

// sharedKey is a pattern of so many ranks, on a network whose packets may make detours or not.
type sharedKey struct {
	key
	ranks   int
	detours bool
}

func (n *Network) shared(k key) sharedKey { return sharedKey{k, len(n.Endpoint), n.Detours != nil} }

// normal is the step of one lane as a pattern of groups of ranks in the one way in which it is written the same, whoever sends by it:
// flipped bits are pairs, and a shift that is not coprime to the places is one of smaller groups. false: it is none.
func normal(g workload.Group, st collective.Step) (k key, ok bool) {
	p := st.Lanes[0].Perm
	if p.Table != nil {
		return k, false
	}
	g = workload.Group{Stride: g.Stride * p.Stride, Size: p.Size}
	shift := (p.Shift%p.Size + p.Size) % p.Size
	switch {
	case p.Grow != 0 && p.Size == 2: // the one other
		return key{g, pattern{Shift: 1}}, p.Grow == 1 && shift == 1 && st.Repeat == 1
	case p.Grow != 0:
		return key{g, pattern{All: true}}, p.Grow == 1 && shift == 1 && st.Repeat == p.Size-1
	case p.Xor != 0:
		if p.Xor&(p.Xor-1) != 0 || p.Size%(2*p.Xor) != 0 {
			return k, false
		}
		return key{workload.Group{Stride: g.Stride * p.Xor, Size: 2}, pattern{Shift: 1}}, true
	case shift == 0:
		return k, false
	}
	d := gcd(shift, p.Size)
	return key{workload.Group{Stride: g.Stride * d, Size: p.Size / d}, pattern{Shift: shift / d}}, true
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// loaded is it where messages have been counted one by one.
func (t *traffic) loaded() *loaded {
	c := &loaded{own: max(slices.Max(t.out), t.in), inside: slices.Max(t.inside)}
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
	case n.Shape != nil:
		x := n.Shape.under(c.levels)
		if c.ways != nil && x > c.own*(1+rounding) {
			x = min(x, n.Shape.split(c.ways))
		}
		return unless(c.own, x)
	case n.Cuts != nil:
		return max(c.own, n.Cuts.under(c.levels))
	}
	return c.own
}

// countAlike is count, unit, of the pattern k; on a shape or cuts with ranks in order messages are counted once for all whose geometry is the same.
func (n *Network) countAlike(ctx context.Context, g workload.Group, places int, st collective.Step, k key) (stage, error) {
	if x, ok := n.Shape.(byRuns); ok && n.Domain == 1 && n.inOrder() {
		return stage{1, n.carries(x.byRuns(k.group, k.pattern, len(n.Endpoint), n.Detours != nil)), 0}, ctx.Err()
	}
	if n.Router != nil && n.Domain == 1 {
		return n.countPattern(ctx, k)
	}
	if n.Router != nil || n.Counts == nil || !n.inOrder() {
		return n.count(ctx, g, places, st, true)
	}
	x, ok := n.Counts.of.Load(n.shared(k))
	if !ok {
		if per := inRow(n.Shape); per > 0 && n.Domain == 1 {
			x = n.inRuns(k, per)
		} else {
			t := n.sent(g, places, st, true)
			t.each()
			x = t.loaded()
		}
		n.Counts.of.Store(n.shared(k), x)
	}
	c := x.(*loaded)
	return stage{1, n.carries(c), c.inside}, ctx.Err()
}

// count is a step message by message; unit takes a share for 1.
func (n *Network) count(ctx context.Context, g workload.Group, places int, st collective.Step, unit bool) (stage, error) {
	t := n.sent(g, places, st, unit)
	far, err := t.far(ctx)
	n.flows = t.flows
	return stage{1, far, slices.Max(t.inside)}, err
}

// sent is the traffic of a step.
func (n *Network) sent(g workload.Group, places int, st collective.Step, unit bool) *traffic {
	t := n.traffic(g)
	for _, l := range st.Lanes {
		b := lane{back: l.Perm.Inverse(places), times: 1, share: l.Share}
		if l.Grow != 0 {
			b.times = st.Repeat
		}
		if unit {
			b.share = 1
		}
		t.lanes = append(t.lanes, b)
	}
	return t
}

// alike tells whether it does not matter where ranks are.
func (n *Network) alike() bool {
	return n.Router == nil && n.Shape == nil && n.Cuts == nil && n.Domain == 1
}

// traffic is what all groups send in a step, in shares of S.
type traffic struct {
	n       *Network
	group   workload.Group
	lanes   []lane
	alike   *pattern // in place of lanes, each with the share 1 in no domain
	members []int32  // of receiveAlike, by the first rank of a group: how many of it are on a set
	// What each rank sends over the network and inside its domain, and the most that one receives over the network.
	out, inside []float64
	in          float64
	shape       shapeLoads
	leave       []float64 // by part of Cuts: what is sent out of it,
	enter       []float64 // and into it
	rate        []float64 // by source set, of those in from
	from        []int32
	flows       []routing.Flow
}

func (n *Network) traffic(g workload.Group) *traffic {
	ranks := len(n.Endpoint)
	if n.alike() {
		ranks, g.Stride = g.Size, 1 // one group stands for all
	}
	t := &traffic{n: n, group: g, out: make([]float64, ranks), inside: make([]float64, ranks)}
	switch {
	case n.Router != nil:
		t.rate, t.flows = make([]float64, len(n.Router.Sets)), n.flows[:0]
	case n.Shape != nil:
		t.shape = n.Shape.loads()
	case n.Cuts != nil:
		t.leave, t.enter = make([]float64, len(n.Cuts.Carry)), make([]float64, len(n.Cuts.Carry))
	}
	return t
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
				t.inside[from] += l.share
				continue
			}
			t.out[from] += l.share
			in += l.share
			t.add(sets[from], l.share)
		}
	}
	t.in = max(t.in, in)
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
							t.inside[from] += l.share
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
	if n.Router == nil {
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
	t.bySet(func(set int32, flows []routing.Flow) {
		if n.Tracer != nil {
			n.Tracer.Add(int(set), flows)
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
		err = reached(l)
	} else {
		l, err = n.loads(ctx, t.flows)
	}
	if err != nil {
		return 0, err
	}
	busiest, err := t.divided(ctx, own, n.busiest(l), l)
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

// together tells whether all repetitions of a step are one traffic.
func (t *traffic) together() bool {
	return t.alike != nil && t.alike.All || slices.ContainsFunc(t.lanes, func(l lane) bool { return l.times > 1 })
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
