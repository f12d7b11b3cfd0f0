package placed

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"toposearch/routing"
	"toposearch/workload"
	"toposearch/workload/collective"
)

// multiPath is an all-to-all over the best split that is found of routes and detours, the same of every pair; false: packets make no
// detours, or what is known, in seconds, takes no longer than what ranks send.
func (n *Network) multiPath(ctx context.Context, c workload.Communication, seconds float64) (a collective.MultiPath, of []stage, ok bool, err error) {
	a = collective.MultiPath{Direct: collective.Direct{N: c.Size}, Directly: -1}
	own := c.Kind.WireShare(c.Size)
	if n.Detours == nil || c.Kind != collective.AllToAll || seconds <= (float64(c.Size-1)*n.Link.Alpha+own*c.Bytes/n.Link.BytesPerS)*(1+rounding) {
		return a, nil, false, nil
	}
	s, err := a.Schedule(c.Kind)
	if err != nil {
		return a, nil, false, nil // a group of one
	}
	if g, isGrid := n.Shape.(*Grid); isGrid && n.Domain == 1 {
		if on, lies := n.onEndpoints(c.Group); lies {
			if split, lies := g.multiPath(on, len(n.Endpoint)); lies {
				a.Directly = split.Direct
				return a, []stage{{c.Size - 1, unless(own, 1/(split.Throughput*float64(c.Size))), 0}}, true, nil
			}
		}
	}
	g, counts := n.Shape.(interface{ best([]busiest) routing.Split })
	if n.model != nil {
		if k, alike := normal(c.Group, s.Steps[0]); counts && alike {
			n.model.Ns += n.countNs(n.onto(k))
		}
		return a, nil, false, nil
	}
	k, alike := normal(c.Group, s.Steps[0])
	if k = n.onto(k); counts && alike && n.Domain == 1 && !k.scattered {
		ways := n.waysInRuns(k)
		if ways == nil {
			return a, nil, false, nil // no third switch to go by
		}
		split, share := g.best(ways), s.Steps[0].Lanes[0].Share
		a.Directly = split.Direct
		return a, []stage{{c.Size - 1, unless(float64(k.sends(k.group))*share, share/split.Throughput), 0}}, true, nil
	}
	t := n.traffic(c.Group)
	for _, l := range s.Steps[0].Lanes {
		t.lanes = append(t.lanes, lane{back: l.Perm.Inverse(s.Ranks), times: s.Steps[0].Repeat, share: l.Share})
	}
	if counts && n.Domain == 1 {
		t.each()
		ways := t.shape.ways()
		if ways == nil {
			return a, nil, false, nil // no third switch to go by
		}
		split := g.best(ways)
		a.Directly = split.Direct
		return a, []stage{{c.Size - 1, unless(max(slices.Max(t.out), t.in), 1/split.Throughput), 0}}, true, nil
	}
	if n.Router == nil || n.Detours.Split == nil {
		return a, nil, false, nil
	}
	t.bySet(func(int32, []routing.Flow) {})
	most := max(slices.Max(t.out), t.in)
	split, err := n.Detours.Split(ctx, t.flows, nil, a.Directly)
	if err != nil {
		return a, nil, false, err
	}
	a.Directly = split.Direct
	return a, []stage{{c.Size - 1, unless(most, 1/split.Throughput), slices.Max(t.inside)}}, true, nil
}

// Divide is how an all-to-all is best divided into routes and detours.
func (n *Network) Divide(ctx context.Context, c workload.Communication) (routing.Split, error) {
	return n.divided(ctx, c, -1)
}

// divided is it with a share that makes no detour, the best if that is negative, and by how much all can then be multiplied before a link is full.
func (n *Network) divided(ctx context.Context, c workload.Communication, directly float64) (routing.Split, error) {
	list, err := collective.FlowsOf(collective.Direct{N: c.Size}, c.Kind)
	if err != nil {
		return routing.Split{}, err
	}
	t := n.newPairs(c.Group)
	for _, f := range list {
		t.send(f.From, f.To, float64(f.Count)*f.Share)
	}
	own := max(slices.Max(t.out), slices.Max(t.in))
	split, err := n.Detours.Split(ctx, t.flows(), nil, directly)
	split.Throughput = 1 / unless(own, 1/split.Throughput)
	return split, err
}

// divides tells whether an algorithm is an all-to-all that sources divide over several paths here, and the share that makes no detour, negative for the
// best. The direct one is, where every message makes a detour.
func (n *Network) divides(k collective.Kind, a collective.Algorithm) (directly float64, ok bool) {
	if n.Detours == nil || k != collective.AllToAll {
		return 0, false
	}
	switch x := a.(type) {
	case collective.MultiPath:
		return x.Directly, true
	case collective.Direct:
		return -1, n.Around != nil
	}
	return 0, false
}

// nearest is the shortest time of a first byte, and Link.Alpha, of the messages of a schedule.
func (n *Network) nearest(c workload.Communication, s *collective.Schedule, lone Lone) float64 {
	least := math.Inf(1)
	for _, f := range s.Flows() {
		latency, _ := lone(n.Endpoint[f.From*c.Stride], n.Endpoint[f.To*c.Stride], 0)
		least = min(least, latency)
	}
	return n.Link.Alpha + least
}

// BySwitches are detours by way of every other switch with endpoints but those of source and destination, in equal parts for each endpoint there (Valiant, Brebner,
// STOC 1981), over a router's routes; capacity is what a link of a class of its network carries, in units of what an endpoint sends at Link.BytesPerS.
// always: all packets between switches make one by way of any, directly if that is one of these two. tracer is the router's, for many traffics; nil: distances are searched for each of them.
func BySwitches(r *routing.Router, tracer *routing.Tracer, capacity func(link int) float64, always bool, workers int) *Detours {
	v := &valiant{r: r, tracer: tracer, capacity: capacity, opt: routing.LoadOptions{Workers: workers}, always: always}
	loads := func(ctx context.Context, flows []routing.Flow) (direct, detours []float64, err error) {
		return v.loads(ctx, flows, nil)
	}
	return &Detours{Named: true, Sees: 1, Loads: loads, Busiest: v.busiest, Split: func(ctx context.Context, flows []routing.Flow, traced *routing.Loads, directly float64) (routing.Split, error) {
		direct, detours, err := v.loads(ctx, flows, traced)
		if err != nil {
			return routing.Split{}, err
		}
		if always && directly < 0 {
			directly = 0
		}
		if directly < 0 {
			return routing.BestSplit(direct, detours), nil
		}
		most := 0.0
		for i, x := range direct {
			most = max(most, directly*x+(1-directly)*detours[i])
		}
		return routing.Split{Direct: directly, Throughput: 1 / most}, nil
	}}
}

// valiant knows the loads of detours.
type valiant struct {
	r        *routing.Router
	tracer   *routing.Tracer
	capacity func(link int) float64
	opt      routing.LoadOptions
	always   bool      // by way of all, in the way of BySwitches
	known    []legsOf  // lately computed
	every    []float64 // 1 for each set
	// Room for the loads of a traffic.
	direct, detours []float64
}

// loads are those of flows on their routes, and on detours. What a set sends to all sets between is the same whatever the destinations are, and so
// is what a set receives, but that source and destination are none of them: of M sets each flow has M-2 ways, whose legs are those from its source to all and from
// all to its destination less twice the flow itself. traced are the loads of flows on their routes, nil if they are not known yet.
func (v *valiant) loads(ctx context.Context, flows []routing.Flow, traced *routing.Loads) (direct, detours []float64, err error) {
	sets := v.r.Sets
	out, in := v.sums(flows)
	if traced != nil {
		direct = traced.Relative(v.r.Net, v.capacity)
	} else {
		direct, err = v.relative(ctx, flows)
	}
	if err != nil || len(sets) < 3 || slices.Max(out) == 0 {
		return direct, direct, err
	}
	legs, times, err := v.legs(ctx, out, in)
	if err != nil {
		return nil, nil, err
	}
	return direct, v.overAll(nil, legs, direct, times), nil
}

// busiest is Detours.Busiest. Legs of sets that all send and receive as much as those of flows that do most are no less than those of flows, whatever these are: that is enough
// to know where they load no link with more than is asked for. Most patterns of a step have the legs of the first, which are computed without that.
func (v *valiant) busiest(ctx context.Context, flows []routing.Flow, traced *routing.Loads, enough float64) (float64, error) {
	direct, sets := traced.AppendRelative(v.direct[:0], v.r.Net, v.capacity), len(v.r.Sets)
	v.direct = direct
	out, in := v.sums(flows)
	each := max(slices.Max(out), slices.Max(in))
	if sets < 3 || each == 0 {
		return slices.Max(direct), nil
	}
	if _, i := v.find(out, in, each); i < 0 && len(v.known) > 0 {
		if v.every == nil {
			v.every = slices.Repeat([]float64{1}, sets)
		}
		legs, _, err := v.legs(ctx, v.every, v.every)
		if err != nil {
			return 0, err
		}
		if v.detours = v.overAll(v.detours, legs, direct, each); 1/routing.BestSplit(direct, v.detours).Throughput <= enough {
			return enough, nil
		}
	}
	legs, each, err := v.legs(ctx, out, in)
	if err != nil {
		return 0, err
	}
	v.detours = v.overAll(v.detours, legs, direct, each)
	return 1 / routing.BestSplit(direct, v.detours).Throughput, nil
}

// sums are what each set sends to others and receives from there.
func (v *valiant) sums(flows []routing.Flow) (out, in []float64) {
	out, in = make([]float64, len(v.r.Sets)), make([]float64, len(v.r.Sets))
	for _, f := range flows {
		if f.Src != f.Dst {
			out[f.Src] += f.Rate
			in[f.Dst] += f.Rate
		}
	}
	return out, in
}

// overAll are the loads of detours by way of all sets, or all but two, of legs so many times, in the room of a list.
func (v *valiant) overAll(room, legs, direct []float64, times float64) []float64 {
	out, sets := slices.Grow(room[:0], len(direct))[:len(direct)], float64(len(v.r.Sets))
	for i, x := range direct {
		if v.always {
			out[i] = legs[i] * times / sets
		} else {
			out[i] = max(0, legs[i]*times-2*x) / (sets - 2)
		}
	}
	return out
}

// legsOf are the loads of what each set sends to all others and receives from all others, of what most do.
type legsOf struct{ out, in, loads []float64 }

// mostLegs is how many of them are remembered: several patterns of the same ranks need the same, but for how much all send.
const mostLegs = 16

// legs are the loads of what each set sends to all others and receives from all others, so many times.
func (v *valiant) legs(ctx context.Context, out, in []float64) (loads []float64, times float64, err error) {
	most := max(slices.Max(out), slices.Max(in))
	k, i := v.find(out, in, most)
	if i < 0 {
		if k.loads, err = v.toAll(ctx, k.out, k.in); err != nil {
			return nil, 0, err
		}
		if i = len(v.known); i == mostLegs {
			v.known, i = v.known[:0], 0
		}
		v.known = append(v.known, k)
	}
	return v.known[i].loads, most, nil
}

// find is what legs are known by, and where they are among those that are known, -1 if they are not.
func (v *valiant) find(out, in []float64, most float64) (k legsOf, i int) {
	k = legsOf{out: over(out, most), in: over(in, most)}
	return k, slices.IndexFunc(v.known, func(o legsOf) bool { return slices.Equal(o.out, k.out) && slices.Equal(o.in, k.in) })
}

func over(list []float64, most float64) []float64 {
	out := make([]float64, len(list))
	for i, x := range list {
		out[i] = x / most
	}
	return out
}

// toAll is relative of what each set sends to all others and receives from all others.
func (v *valiant) toAll(ctx context.Context, out, in []float64) ([]float64, error) {
	if v.tracer != nil && v.tracer.ToAll(out, in) {
		return v.traced(ctx)
	}
	var flows []routing.Flow
	to := func(d int) {
		for s := range out {
			if rate := out[s] + in[d]; s != d && rate > 0 {
				flows = append(flows, routing.Flow{Src: s, Dst: d, Rate: rate})
			}
		}
	}
	if v.tracer == nil {
		for d := range in {
			to(d)
		}
		return v.relative(ctx, flows)
	}
	v.tracer.Begin()
	for d := range in {
		flows = flows[:0]
		if to(d); len(flows) > 0 {
			v.tracer.Add(d, flows)
		}
	}
	return v.traced(ctx)
}

// relative is Loads.Relative of flows, those to a set one after the other.
func (v *valiant) relative(ctx context.Context, flows []routing.Flow) ([]float64, error) {
	if v.tracer != nil {
		v.tracer.Begin()
		for i, first := 1, 0; i <= len(flows); i++ {
			if i == len(flows) || flows[i].Dst != flows[first].Dst {
				v.tracer.Add(flows[first].Dst, flows[first:i])
				first = i
			}
		}
		return v.traced(ctx)
	}
	l, err := v.r.FlowLoads(ctx, flows, v.opt)
	if err != nil {
		return nil, fmt.Errorf("placed: %w", err)
	}
	return l.Relative(v.r.Net, v.capacity), reached(l)
}

// traced is what was added to the tracer.
func (v *valiant) traced(ctx context.Context) ([]float64, error) {
	l := v.tracer.Loads()
	return l.Relative(v.r.Net, v.capacity), errors.Join(reached(l), ctx.Err())
}

// multiPath is how groups of endpoints that send to all others of their group, each message S, are best divided into routes and detours as BySwitches has
// them, the same part of all, where all endpoints send.
func (g *Grid) multiPath(of workload.Group, ranks int) (split routing.Split, ok bool) {
	one, times, ok := g.one(of)
	m := product(g.Dims)
	if !ok || m < 3 || ranks != m*g.PerSwitch {
		return split, false
	}
	var direct, detour []float64
	off := float64(of.Size - one.PerSwitch) // messages of a rank to other switches
	for d, k := range g.Dims {
		if k < 2 {
			continue
		}
		line := 0.0
		if one.Dims[d] > 1 {
			line = times * one.along(d, of.Size)
		}
		// Each leg from or to all switches is uniform traffic of all.
		legs := 2 * off * g.along(d, g.PerSwitch*m) / float64(g.PerSwitch)
		direct, detour = append(direct, line), append(detour, (legs-2*line)/float64(m-2))
		if one.Dims[d] < k && (one.Dims[d] == 1 || !g.star(d)) { // links with less
			direct, detour = append(direct, 0), append(detour, legs/float64(m-2))
		}
	}
	if len(direct) == 0 {
		return routing.Split{Direct: 1, Throughput: math.Inf(1)}, true
	}
	return routing.BestSplit(direct, detour), true
}
