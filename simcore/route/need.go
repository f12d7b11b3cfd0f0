package route

import (
	"context"
	"slices"

	"toposearch/routing"
	"toposearch/simcore"
	"toposearch/topology"
)

// prepare fills the tables and works out the VC classes.
func (r *Native) prepare(ctx context.Context, c *routing.Router, opt Options) error {
	r.number(c)
	r.blockOf = opt.Blocks
	r.anyMid = len(opt.Blocks) == 0 || slices.Max(opt.Blocks) < 3
	t, err := routing.NewTable(ctx, c, opt.Blocks, opt.Workers)
	if err != nil {
		return err
	}
	r.t = t
	if r.plan.detours() {
		if opt.anyMid != nil {
			r.anyMid = *opt.anyMid
		} else {
			r.anyMid = r.anyMid || !r.grouped()
		}
		r.parallels = parallels(c)
		if !r.hopVC {
			r.missed = r.findMissed()
		}
		if r.plan.twice() {
			r.findMixed()
		}
		if err := r.findMids(ctx, opt.Workers); err != nil {
			return err
		}
	}
	if r.plan == qAdaptive {
		err = r.prepareQ()
	} else {
		err = r.findClasses(ctx, opt)
	}
	if err != nil {
		return err
	}
	if r.plan <= ugalG {
		r.entering = c.Entering()
	}
	if err := r.share(c.Net.Design, opt); err != nil {
		return err
	}
	return t.MakeLists(ctx, opt.Workers)
}

// findMids lists the intermediates: the sets, or the blocks, each with those of its switches
// from which every set can be reached, or would be if nothing had failed. (In a tree whose routes go up once and then down, a
// packet that has come to a spine cannot start anew from there.)
func (r *Native) findMids(ctx context.Context, workers int) error {
	c := r.t.Router
	n := c.Net.Switches()
	good := make([]bool, n)
	for s := range good {
		good[s] = true
		for set := range c.Sets { // endpoints whose switches have all failed can be reached from nowhere
			good[s] = good[s] && (len(c.Sets[set].Ports) == 0 || r.t.Dist(set, r.t.Node(topology.SwitchID(s), 0)) != routing.Far)
		}
	}
	if r.via == viaBlock {
		r.mids = make([]mid, slices.Max(r.blockOf)+1)
		for i := range c.Sets { // a switch that misses what failures part from it goes on to all others
			for _, p := range c.Sets[i].Ports {
				good[p.Switch] = good[p.Switch] || r.missesAlone(i, p.Switch)
			}
		}
		for s, b := range r.blockOf {
			if b >= 0 && good[s] {
				r.mids[b].ports = append(r.mids[b].ports, routing.Port{Switch: topology.SwitchID(s), Count: 1})
			}
		}
	} else {
		r.mids = make([]mid, len(c.Sets))
		for i := range r.mids {
			for _, p := range c.Sets[i].Ports {
				if good[p.Switch] || r.missesAlone(i, p.Switch) {
					r.mids[i].ports = append(r.mids[i].ports, p)
					good[p.Switch] = true
				}
			}
		}
	}
	var extra [][]routing.Port
	for i := range r.mids {
		m := &r.mids[i]
		switch {
		case len(m.ports) == 0:
			m.dst = -1
		case r.via != viaBlock && len(m.ports) == len(c.Sets[i].Ports):
			m.dst = int32(i)
		default:
			m.dst = int32(len(c.Sets) + len(extra))
			extra = append(extra, m.ports)
		}
		if r.via == viaBlock {
			m.onward = make([]uint8, len(c.Sets))
			for set := range m.onward {
				m.onward[set] = uint8(meanHops(r.t, m.ports, set))
			}
		}
	}
	for s := range good { // what has failed decides nothing
		good[s] = good[s] || failedSwitch(c.Net, topology.SwitchID(s))
	}
	if r.plan.twice() && r.blockOf != nil && slices.Contains(good, false) {
		r.midsOf = make([][]int32, slices.Max(r.blockOf)+1)
		for i := range r.mids {
			if b := r.blockOfMid(int32(i)); b >= 0 && r.mids[i].dst >= 0 {
				r.midsOf[b] = append(r.midsOf[b], int32(i))
			}
		}
	}
	return r.t.Extend(ctx, extra, workers)
}

// meanHops is the mean number of hops from some switches to a set, rounded; 0 if there are none.
func meanHops(t *routing.Table, ports []routing.Port, set int) int {
	if len(ports) == 1 {
		return int(t.Dist(set, t.Node(ports[0].Switch, 0)))
	}
	sum := 0
	for _, p := range ports {
		sum += int(t.Dist(set, t.Node(p.Switch, 0)))
	}
	return (2*sum + len(ports)) / max(1, 2*len(ports))
}

// findClasses finds how many VC classes each phase uses: the way to the intermediates, the way to the
// destination, the first hop of it. Phases take classes one above the other, so that a rule that
// is free of cycles stays so; a rule whose VCs follow hops just counts on.
func (r *Native) findClasses(ctx context.Context, opt Options) error {
	c := r.t.Router
	toSets, err := c.LegVCs(ctx, r.leg(homeward))
	if err != nil {
		return err
	}
	toMid := [topology.MaxClasses]int{}
	leg, first, last := 0, 0, highest(toSets)
	if r.plan != direct {
		if toMid, err = c.LegVCs(ctx, r.leg(outward)); err != nil {
			return err
		}
		leg = highest(toMid)
	}
	if c.Rule.HopVCs {
		last = max(r.longestLeg(homeward), opt.Hops)
		leg = r.longestLeg(outward)
	}
	if r.plan.twice() {
		first = c.FirstVCs()
	}
	if r.plan.detours() && !slices.ContainsFunc(r.mids, func(m mid) bool { return m.dst >= 0 }) {
		first, leg = 0, 0 // from nowhere can all be reached, as where failures part the network: packets make no detours, and decide on none
	}
	r.levels = [phases]uint8{uint8(first), uint8(leg), uint8(max(1, last))}
	r.offset = offsetsOf(r.levels)
	r.need = int(r.offset[homeward] + r.levels[homeward])
	if max(leg, last) > 1 && !r.hopVC {
		r.oneVC = c.OneVC()
	}
	for k := range r.class {
		switch {
		case toSets[k]+toMid[k] == 0:
		case r.hopVC:
			r.class[k] = r.need
		default:
			r.class[k] = int(r.offset[outward]) + toMid[k] + toSets[k]
		}
	}
	return nil
}

// starts lists the switches at which a leg can start besides those ports of endpoints that are
// nearest to where it leads.
func (r *Native) starts(phase int) []topology.SwitchID {
	var out []topology.SwitchID
	switch {
	case phase == homeward:
		for i := range r.mids {
			for _, p := range r.mids[i].ports {
				out = append(out, p.Switch)
			}
		}
	case r.plan.twice(): // a detour can start at the second switch
		for s := range topology.SwitchID(r.t.Router.Net.Switches()) {
			out = append(out, s)
		}
	case r.plan != valiant: // at the port that is nearest to the destination, not to the intermediate
		for i := range r.t.Router.Sets {
			if ports := r.t.Router.Sets[i].Ports; len(ports) > 1 {
				for _, p := range ports {
					out = append(out, p.Switch)
				}
			}
		}
	}
	return out
}

// longestLeg is the most hops of a leg.
func (r *Native) longestLeg(phase int) int {
	t, most := r.t, uint8(0)
	from := r.starts(phase)
	slices.Sort(from)
	from = slices.Compact(from)
	for _, dst := range r.targets(phase) {
		for _, s := range from {
			if d := t.Dist(dst, t.Node(s, 0)); d != routing.Far {
				most = max(most, d)
			}
		}
		for i := range t.Router.Sets { // an endpoint starts at its nearest port
			least := uint8(routing.Far)
			for _, p := range t.Router.Sets[i].Ports {
				least = min(least, t.Dist(dst, t.Node(p.Switch, 0)))
			}
			if least != routing.Far {
				most = max(most, least)
			}
		}
	}
	return int(most)
}

// targets lists the destinations of the table that a leg can have.
func (r *Native) targets(phase int) []int {
	var out []int
	if phase == homeward {
		for i := range r.t.Router.Sets {
			out = append(out, i)
		}
		return out
	}
	for _, m := range r.mids {
		if m.dst >= 0 {
			out = append(out, int(m.dst))
		}
	}
	return out
}

// leg is what packets of a phase do.
func (r *Native) leg(phase int) routing.Leg {
	leg := routing.Leg{Starts: r.starts(phase)}
	if phase == homeward {
		for i := range r.t.Router.Sets {
			leg.Targets = append(leg.Targets, r.t.Router.Sets[i].Ports)
		}
		return leg
	}
	for i := range r.mids {
		if r.mids[i].dst >= 0 {
			leg.Targets = append(leg.Targets, r.mids[i].ports)
		}
	}
	return leg
}

// CheckDeadlock checks the dependencies of the legs of a packet's way. Each phase has VCs of its
// own, above those before, so the whole is free of cycles if each leg is.
func (r *Native) CheckDeadlock(ctx context.Context) (*routing.DeadlockReport, error) {
	switch {
	case r.all != nil:
		return r.t.Router.CheckWalks(ctx)
	case r.ofar != nil:
		return r.checkEscape(), nil
	}
	if r.paths != nil {
		return r.paths.CheckDeadlock(ctx)
	}
	if r.esc != nil {
		return r.esc.proof, nil
	}
	rep := &routing.DeadlockReport{Acyclic: true, Proven: true, VCs: r.need, ClassVCs: r.class,
		Method: "channel-dependency graph of each leg; legs use VCs one above the other"}
	if r.hopVC {
		rep.Method = "one VC per hop of the longest route: dependencies only go to higher VCs"
		return rep, nil
	}
	for _, phase := range []int{outward, homeward} {
		if phase == outward && r.plan == direct {
			continue
		}
		leg := r.leg(phase)
		if phase == outward {
			// The direct way may begin on the VCs of the outward leg and go over to higher ones at any hop.
			leg.Targets = append(leg.Targets, r.leg(homeward).Targets...)
		}
		var err error
		if rep.Cycle, err = r.t.Router.LegCycle(ctx, leg); err != nil {
			return nil, err
		}
		if rep.Cycle != nil {
			rep.Acyclic = false
			return rep, nil
		}
	}
	return rep, nil
}

func highest(v [topology.MaxClasses]int) int { return max(1, slices.Max(v[:])) }

// By so many sets as sources and destinations, spread evenly, it is known what direct ways between blocks are like; mostly is the part of them that stays in two blocks
// where these are groups: all do where they are, but for routes around what has failed, and in Slim Fly networks, whose blocks are where switches stand, a third to two thirds.
const (
	wayDraws = 64
	mostly   = 0.9
)

// grouped says, of the family's rule (Options.anyMid), whether direct ways from a block to another go over few links between the two, as in Dragonfly networks: by way of
// another switch of either block a packet would cross these as well. The first hop tells whether they go over links between the two alone. In a HyperX of three dimensions, whose blocks
// are planes, they do, too, but come from the other block to the destination itself: to every other switch there leads another link, and the links that can be loaded most
// are those inside blocks. (Where both planes are avoided ugal_l accepted 0.27 of the worst permutation on hyperx(s1=4,s2=4,s3=4,t=4) instead of 0.37, par 0.28 instead of 0.35, ugal_g
// 0.33 instead of 0.42, by Valiant's routing 0.40: half of the planes take all detours, with two hops in the third dimension each.)
func (r *Native) grouped() bool {
	sets := r.t.Router.Sets
	step := max(1, len(sets)/wayDraws)
	ways, within, atEnd := 0.0, 0.0, 0.0
	for src := 0; src < len(sets); src += step {
		for dst := step / 2; dst < len(sets); dst += step {
			from, to := r.blockOfSet(int32(src)), r.blockOfSet(int32(dst))
			if from < 0 || to < 0 || from == to {
				continue
			}
			n, in := 0.0, 0.0
			start := r.t.Node(sets[src].Ports[0].Switch, 0)
			r.t.EachHop(dst, start, func(h routing.Hop) {
				n++
				if b := r.blockOf[r.t.Router.Net.To(h.Channel)]; b < 0 || b == from || b == to {
					in++
				}
			})
			if n > 0 {
				ways, within = ways+1, within+in/n
				if r.entersAtEnd(src, dst, start) {
					atEnd++
				}
			}
		}
	}
	return within >= mostly*ways && atEnd < mostly*ways
}

// entersAtEnd says whether the last hop of a direct way between two sets leads from another block to that of the destination, and no two go over links of a class. Along a line or a ring
// several do, and from a switch no link leads to every other there: meshes and tori keep off the planes of source and destination. (By way of any, ugal_l accepted 0.14 of the worst permutation on
// torus(k1=8,k2=8,k3=4) instead of 0.20, par 0.12 instead of 0.18, on mesh(k1=5,k2=5,k3=4) 0.29 instead of 0.35, 0.21 instead of 0.33; ugal_g 0.33 instead of 0.36, and 0.40 instead of 0.38.)
func (r *Native) entersAtEnd(src, dst, node int) bool {
	p := simcore.Packet{Src: topology.EndpointID(src), Dst: topology.EndpointID(dst)} // stands for a flow of its own
	net := r.t.Router.Net
	var classes []int // of the hops so far
	for last := node; ; {
		h, ok := choose(r.t, dst, node, sameHash, &p, nil)
		if ok && r.hopVC {
			h = r.staying(dst, node, h)
		}
		if !ok {
			b := r.blockOf[r.t.SwitchOf(last)]
			return b >= 0 && b != r.blockOf[r.t.SwitchOf(node)]
		}
		class := net.LinkClass(h.Channel)
		if slices.Contains(classes, class) {
			return false
		}
		classes = append(classes, class)
		last, node = node, r.t.Node(net.To(h.Channel), h.State)
	}
}

// staying is a hop of a node towards a destination that leads to no other block, or, if there is none, the one given. Where a rule takes all shortest paths, those of a HyperX go through its
// dimensions in any order, and one of them comes from the other block to the destination itself.
func (r *Native) staying(dst, node int, other routing.Hop) routing.Hop {
	found := false
	r.t.EachHop(dst, node, func(h routing.Hop) {
		if !found && r.blockOf[r.t.Router.Net.To(h.Channel)] == r.blockOf[r.t.SwitchOf(node)] {
			found, other = true, h
		}
	})
	return other
}
