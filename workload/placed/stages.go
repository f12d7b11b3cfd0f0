package placed

import (
	"cmp"
	"context"
	"math"
	"slices"

	"toposearch/routing"
	"toposearch/workload"
	"toposearch/workload/collective"
)

// stages are the steps of a schedule that all groups run at once.
func (n *Network) stages(ctx context.Context, g workload.Group, s *collective.Schedule, bytes float64) ([]stage, error) {
	out, _, err := n.stagesWithin(ctx, g, s, bytes, math.Inf(1))
	return out, err
}

// stagesWithin are stages that take less than so many seconds for bytes of S; false: they take as long, or longer. Those that move most are counted first, since they tell that soonest: halving and doubling end with these, or begin with them.
func (n *Network) stagesWithin(ctx context.Context, g workload.Group, s *collective.Schedule, bytes, seconds float64) (out []stage, ok bool, err error) {
	moves := func(i int) float64 { return float64(s.Steps[i].Repeat) * s.Steps[i].Lanes[0].Share }
	order := make([]int, len(s.Steps))
	least := 0.0 // of those that are not counted yet: what a rank sends of them
	for i := range order {
		order[i] = i
		least += n.leastOf(s.Steps[i], bytes)
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(moves(b), moves(a)) })
	out = make([]stage, len(order))
	took := 0.0
	for _, i := range order {
		st := s.Steps[i]
		least -= n.leastOf(st, bytes)
		takes := func(one stage) float64 {
			times := 1.0
			if st.Lanes[0].Grow == 0 { // else all repetitions together are one traffic
				times = float64(st.Repeat)
			}
			out[i] = stage{st.Repeat, one.far * times, one.inside * times}
			if st.AtOnce && one.far == 0 { // else messages leave by the same ports
				out[i].steps = 1
			}
			return took + n.time(out[i:i+1], bytes)
		}
		tooLong := func(took float64) bool { return took+least >= seconds*(1+2*rounding) && !math.IsInf(seconds, 1) }
		one, err := n.stage(ctx, g, s.Ranks, st, func(one stage) bool { return tooLong(takes(one)) })
		if err != nil {
			return nil, false, err
		}
		if took = takes(one); tooLong(took) {
			return nil, false, nil
		}
	}
	return out, n.time(out, bytes) < seconds, nil
}

// leastOf is what a step takes where nothing blocks; 0 if a part of it may be inside domains.
func (n *Network) leastOf(st collective.Step, bytes float64) float64 {
	if n.Domain > 1 {
		return 0
	}
	return float64(st.Repeat) * (n.Link.Alpha + st.Lanes[0].Share*bytes/n.Link.BytesPerS)
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

// stage is one repetition of a step, or all of them if they differ. Of one of which tooLong says that it takes too long, as it does of any that takes more, no more may be known than that; nil: all is known.
func (n *Network) stage(ctx context.Context, g workload.Group, places int, st collective.Step, tooLong func(stage) bool) (one stage, err error) {
	if len(st.Lanes) > 1 {
		return n.count(ctx, g, places, st, false)
	}
	if one, ok, err := n.folded(ctx, g, st); ok || err != nil {
		return one, err
	}
	k, ok := normal(g, st)
	if !ok {
		return n.count(ctx, g, places, st, false)
	}
	share := func(one stage) stage {
		one.far, one.inside = one.far*st.Lanes[0].Share, one.inside*st.Lanes[0].Share
		return one
	}
	if one, ok = n.insideDomains(k); ok {
		return share(one), nil
	}
	k = n.onto(k)
	if n.model != nil {
		one, err = n.modelled(ctx, g, places, st, k)
		return share(one), err
	}
	if one, ok = n.recall(k); !ok {
		if one.far, ok = n.inClosedForm(k); !ok {
			var far func(float64) bool
			if tooLong != nil {
				far = func(far float64) bool { return tooLong(share(stage{1, far, 0})) }
			}
			whole := false
			if one, whole, err = n.countAlike(ctx, g, places, st, k, far); err != nil || !whole {
				return share(one), err
			}
		}
		n.keep(k, one)
	}
	return share(one), nil
}

// normal is the step of one lane as a pattern of groups of ranks in the one way in which it is written the same, whoever sends by it:
// flipped bits are pairs, and a shift that is not coprime to the places is one of smaller groups. false: it is none.
func normal(g workload.Group, st collective.Step) (k key, ok bool) {
	p := st.Lanes[0].Perm
	if p.Table != nil || p.Folded.Ranks > 0 {
		return k, false
	}
	g = workload.Group{Stride: g.Stride * p.Stride, Size: p.Size}
	shift := (p.Shift%p.Size + p.Size) % p.Size
	switch {
	case p.Grow != 0 && p.Size == 2: // the one other
		return key{group: g, pattern: pattern{Shift: 1}}, p.Grow == 1 && shift == 1 && st.Repeat == 1
	case p.Grow != 0:
		return key{group: g, pattern: pattern{All: true}}, p.Grow == 1 && shift == 1 && st.Repeat == p.Size-1
	case p.Xor != 0:
		if p.Xor&(p.Xor-1) != 0 || p.Size%(2*p.Xor) != 0 {
			return k, false
		}
		return key{group: workload.Group{Stride: g.Stride * p.Xor, Size: 2}, pattern: pattern{Shift: 1}}, true
	case shift == 0:
		return k, false
	}
	d := gcd(shift, p.Size)
	return key{group: workload.Group{Stride: g.Stride * d, Size: p.Size / d}, pattern: pattern{Shift: shift / d}}, true
}

// soonNs is what a pattern may take to be counted where it is to be modelled: as much as what a step takes besides. ringNs is it of the ring, by which it is decided whether other algorithms
// are tried.
const soonNs, ringNs = 2e5, 2e6

// modelled is a stage of a pattern for Modelled. What is computed is computed once: the network that is modelled is the one that the timing asks.
func (n *Network) modelled(ctx context.Context, g workload.Group, places int, st collective.Step, k key) (one stage, err error) {
	if one, ok := n.model.known[k]; ok {
		return one, nil
	}
	ns, ok := 0.0, false
	switch one.far, ok = n.inClosedForm(k); {
	case ok:
		ns = n.closedNs(k)
	default:
		if ns = n.countNs(k); ns <= soonNs || ns <= ringNs && k.Shift == 1 && k.group.Size > 2 {
			one, _, err = n.countAlike(ctx, g, places, st, k, nil)
			ok = err == nil
			break
		}
		if one.far = float64(k.sends(k.group)); n.Shape != nil && n.Domain == 1 && !k.scattered {
			one.far = n.throughBlocksOf(k)
		}
	}
	if ok {
		n.share(k, one)
	}
	n.model.Ns += ns
	n.model.known[k] = one
	return one, err
}

// countAlike is count, unit, of the pattern k; on a shape or cuts with ranks that lie as groups of endpoints do messages are counted once for all whose geometry is the same. If it is not
// whole it is only known to take as long as tooLong tells; nil: it is counted whole.
func (n *Network) countAlike(ctx context.Context, g workload.Group, places int, st collective.Step, k key, tooLong func(far float64) bool) (one stage, whole bool, err error) {
	if n.Domain == 1 && !k.scattered {
		switch x := n.Shape.(type) {
		case *Cubes:
			c, whole := x.byRows(k.group, k.pattern, len(n.Endpoint), tooLong)
			return stage{1, n.carries(c), 0}, whole, ctx.Err()
		case *Pods:
			c, whole := x.byRows(k.group, k.pattern, len(n.Endpoint), tooLong)
			return stage{1, n.carries(c), 0}, whole, ctx.Err()
		case byRuns:
			return stage{1, n.carries(x.byRuns(k.group, k.pattern, len(n.Endpoint), n.Detours != nil)), 0}, true, ctx.Err()
		}
	}
	if n.ByMessage != nil {
		one.far, whole = n.countMessages(k, tooLong)
		return stage{1, one.far, 0}, whole, ctx.Err()
	}
	if n.Router != nil && n.Domain == 1 {
		one, err = n.countPattern(ctx, k)
		return one, true, err
	}
	if n.Router != nil || n.Counts == nil || k.scattered {
		one, err = n.count(ctx, g, places, st, true)
		return one, true, err
	}
	var c *loaded
	if x, ok := n.Counts.of.Load(n.shared(k)); ok {
		c = x.(*loaded)
	} else {
		if n.Domain == 1 {
			c = n.inRuns(k)
		}
		if c == nil {
			t := n.sent(g, places, st, true)
			t.each()
			c = t.loaded()
		}
		n.Counts.of.Store(n.shared(k), c)
	}
	return stage{1, n.carries(c), c.inside}, true, ctx.Err()
}

// count is a step message by message; unit takes a share for 1.
func (n *Network) count(ctx context.Context, g workload.Group, places int, st collective.Step, unit bool) (stage, error) {
	if n.model != nil && !unit {
		n.model.Ns += 100 * float64(len(n.Endpoint))
		return stage{1, 1, 0}, nil
	}
	t := n.sent(g, places, st, unit)
	far, err := t.far(ctx)
	n.flows = t.flows
	return stage{1, far, slices.Max(t.inside)}, err
}

// countPattern is count, unit, of a pattern on a router's network without domains.
func (n *Network) countPattern(ctx context.Context, k key) (stage, error) {
	if n.flows == nil {
		n.flows = make([]routing.Flow, 0, len(n.Endpoint))
	}
	t := &traffic{n: n, group: k.group, alike: &k.pattern, rate: make([]float64, len(n.Router.Sets)), flows: n.flows[:0]}
	far, err := t.far(ctx)
	n.flows = t.flows
	return stage{1, far, 0}, err
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

// countMessages is a pattern by ByMessage; not whole: until it takes too long, as loads only grow.
func (n *Network) countMessages(k key, tooLong func(far float64) bool) (far float64, whole bool) {
	if n.messages == nil {
		n.messages, n.partly = n.ByMessage.loads(), make(map[key]float64)
	}
	if far := n.partly[k]; far > 0 && tooLong != nil && tooLong(far) {
		return far, false
	}
	l := n.messages
	l.forget()
	own, whole := float64(k.sends(k.group)), true
	k.each(k.group, func(shift int) {
		if !whole {
			return
		}
		shifted{k.group, shift}.runs(0, len(n.Endpoint), func(from, to, count int) {
			for i := range count {
				l.add(int(n.Endpoint[from+i]), int(n.Endpoint[to+i]), 1)
			}
		})
		far = unless(own, l.under(l.most))
		whole = tooLong == nil || !tooLong(far)
	})
	n.partly[k] = far
	return far, whole
}
