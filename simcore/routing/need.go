package routing

import (
	"context"
	"fmt"
	"slices"

	"toposearch/topology"
)

// prepare fills the tables and works out the VC classes.
func (r *Native) prepare(ctx context.Context, c *Router, opt Options) error {
	n := c.Net
	r.groupOf, r.setOf = make([]int32, n.Endpoints()), make([]int32, n.Endpoints())
	for g := range n.Groups() {
		first, end, _ := n.Group(g)
		for e := first; e < end; e++ {
			r.groupOf[e], r.setOf[e] = int32(g), c.SetOf[g]
		}
	}
	r.blockOf = opt.Blocks
	t, err := newTable(ctx, c, opt.Blocks, opt.Workers)
	if err != nil {
		return err
	}
	r.t = t
	if r.plan != direct {
		if err := r.findMids(ctx, opt.Workers); err != nil {
			return err
		}
	}
	if err := r.classes(ctx); err != nil {
		return err
	}
	have := opt.VCs
	if have == 0 {
		have = max(r.need, opt.Want)
	}
	if have < r.need || have > 256 {
		return fmt.Errorf("routing: %s on %s needs %d virtual channels (256 are possible), and there are %d", r.name, n.Design, r.need, have)
	}
	r.top = uint8(have - 1)
	for i := range r.need {
		r.lo = append(r.lo, uint8(i*have/r.need))
		r.hi = append(r.hi, uint8((i+1)*have/r.need-1))
	}
	return t.makeLists(ctx, opt.Workers)
}

// findMids lists the intermediates: the sets, or the blocks, each with those of its switches
// from which every set can be reached. (In a tree whose routes go up once and then down, a
// packet that has come to a spine cannot start anew from there.)
func (r *Native) findMids(ctx context.Context, workers int) error {
	c := r.t.r
	n := c.Net.Switches()
	good := make([]bool, n)
	for s := range good {
		good[s] = true
		for set := range c.Sets {
			good[s] = good[s] && r.t.at(set, s*c.states) != far
		}
	}
	if r.via == viaBlock {
		r.mids = make([]mid, slices.Max(r.blockOf)+1)
		for s, b := range r.blockOf {
			if b >= 0 && good[s] {
				r.mids[b].ports = append(r.mids[b].ports, Port{topology.SwitchID(s), 1})
			}
		}
	} else {
		r.mids = make([]mid, len(c.Sets))
		for i := range r.mids {
			for _, p := range c.Sets[i].Ports {
				if good[p.Switch] {
					r.mids[i].ports = append(r.mids[i].ports, p)
				}
			}
		}
	}
	var extra [][]Port
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
				m.onward[set] = uint8(r.t.meanFrom(m.ports, set))
			}
		}
	}
	return r.t.extend(ctx, extra, workers)
}

// meanFrom is the mean number of hops from some switches to a set, rounded; 0 if there are none.
func (t *table) meanFrom(ports []Port, set int) int {
	if len(ports) == 1 {
		return int(t.at(set, t.node(ports[0].Switch, 0)))
	}
	sum := 0
	for _, p := range ports {
		sum += int(t.at(set, t.node(p.Switch, 0)))
	}
	return (2*sum + len(ports)) / max(1, 2*len(ports))
}

// classes finds how many VC classes each phase uses: the way to the intermediates, the way to the
// destination, the first hop of it. Phases take classes one above the other, so that a rule that
// is free of cycles stays so; a rule whose VCs follow hops just counts on.
func (r *Native) classes(ctx context.Context) error {
	c := r.t.r
	home, err := r.leg(ctx, homeward, 0)
	if err != nil {
		return err
	}
	toSets, toMid := home.classVCs(), [topology.MaxClasses]int{}
	leg, last := 0, highest(toSets)
	if r.plan != direct {
		out, err := r.leg(ctx, outward, 0)
		if err != nil {
			return err
		}
		toMid = out.classVCs()
		leg = highest(toMid)
	}
	if c.Rule.HopVCs {
		last = r.farthest(homeward)
		leg = r.farthest(outward)
	}
	if r.plan == par {
		r.offset[outward] = uint8(c.firstVCs())
	}
	r.offset[homeward] = r.offset[outward] + uint8(leg)
	r.need = max(1, int(r.offset[homeward])+last)
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
	case r.plan == par: // a detour can start at the second switch
		for s := range topology.SwitchID(r.t.r.Net.Switches()) {
			out = append(out, s)
		}
	case r.plan != valiant: // at the port that is nearest to the destination, not to the intermediate
		for i := range r.t.r.Sets {
			if ports := r.t.r.Sets[i].Ports; len(ports) > 1 {
				for _, p := range ports {
					out = append(out, p.Switch)
				}
			}
		}
	}
	return out
}

// farthest is the most hops of a leg.
func (r *Native) farthest(phase int) int {
	t, most := r.t, uint8(0)
	from := r.starts(phase)
	slices.Sort(from)
	from = slices.Compact(from)
	for _, dst := range r.targets(phase) {
		for _, s := range from {
			if d := t.at(dst, t.node(s, 0)); d != far {
				most = max(most, d)
			}
		}
		for i := range t.r.Sets { // an endpoint starts at its nearest port
			least := uint8(far)
			for _, p := range t.r.Sets[i].Ports {
				least = min(least, t.at(dst, t.node(p.Switch, 0)))
			}
			if least != far {
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
		for i := range r.t.r.Sets {
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

// leg walks what packets of a phase do. vcs = 0 only notes which VCs are in use; otherwise the
// dependencies are collected, with that many VCs.
func (r *Native) leg(ctx context.Context, phase, vcs int) (*walker, error) {
	c := r.t.r
	w := newWalker(c)
	w.full = true
	count := vcs == 0
	w.ordered = count || c.Rule.HopVCs
	if vcs == 0 {
		vcs = c.Rule.VCs()
	}
	w.prepare(vcs, false)
	w.extra = r.starts(phase)
	most := c.mostVCs()
	for k, dst := range r.targets(phase) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		// Packets to more destinations can add no VC to those that the rule knows; looking is as
		// much work as walking, so it is done ever less often.
		if count && k&(k-1) == 0 && w.classVCs() == most {
			break
		}
		ports := []Port(nil)
		if dst < len(c.Sets) {
			ports = c.Sets[dst].Ports
		} else {
			i := slices.IndexFunc(r.mids, func(m mid) bool { return int(m.dst) == dst })
			ports = r.mids[i].ports
		}
		w.packetsTo(w.runTo(ports))
	}
	return w, nil
}

// CheckDeadlock checks the dependencies of the legs of a packet's way. Each phase has VCs of its
// own, above those before, so the whole is free of cycles if each leg is.
func (r *Native) CheckDeadlock(ctx context.Context) (*DeadlockReport, error) {
	rep := &DeadlockReport{Acyclic: true, Proven: true, VCs: r.need, ClassVCs: r.class,
		Method: "channel-dependency graph of each leg; legs use VCs one above the other"}
	if r.hopVC {
		rep.Method = "one VC per hop of the longest route: dependencies only go to higher VCs"
		return rep, nil
	}
	for _, phase := range []int{outward, homeward} {
		if phase == outward && r.plan == direct {
			continue
		}
		w, err := r.leg(ctx, phase, r.t.r.Rule.VCs())
		if err != nil {
			return nil, err
		}
		if rep.Cycle = w.cycle(); rep.Cycle != nil {
			rep.Acyclic = false
			return rep, nil
		}
	}
	return rep, nil
}

// mostVCs is the number of VCs that the rule has on the links of each class.
func (r *Router) mostVCs() (most [topology.MaxClasses]int) {
	r.eachStep(func(kind, _, _, vc int) {
		c := r.Kinds[kind].Link
		most[c] = max(most[c], vc+1)
	})
	return most
}

func highest(v [topology.MaxClasses]int) int { return max(1, slices.Max(v[:])) }

// firstVCs is the number of VCs on which a rule lets a packet take its first hop.
func (r *Router) firstVCs() int {
	n := 1
	r.eachStep(func(_, s, _, vc int) {
		if s == 0 {
			n = max(n, vc+1)
		}
	})
	return n
}
