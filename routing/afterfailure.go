package routing

import (
	"context"
	"fmt"
	"slices"

	"toposearch/topology"
)

// FailureVCs is what routing needs after any single failure of a link between switches or of a switch that is
// not embedded. Pairs of endpoints that the failure parts do not count.
type FailureVCs struct {
	// VCs is the most that any failure asks for, the whole network included: those of the rule where its routes
	// still lead from everywhere to everywhere, without a cycle of dependencies; else one per hop of the longest
	// shortest path (Minimal).
	VCs      int
	Failures int // looked at; parallel links are alike and count once
	// Rerouted is the number of failures after which the rule does not do, and First one of them in words.
	Rerouted int
	First    string
}

// VCsAfterFailure looks at each failure by itself, at the cost of CheckDeadlock each. One-way networks are refused:
// what a failure leaves connected is not known there.
func VCsAfterFailure(ctx context.Context, n *topology.Network, rule topology.Rule) (*FailureVCs, error) {
	if n.Unidirectional {
		return nil, fmt.Errorf("routing: %s: failures of channels without a partner are not looked at", n.Design)
	}
	out := &FailureVCs{}
	whole, ok, err := needAfter(ctx, n, rule)
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, fmt.Errorf("routing: %s: the rule %s has a cycle or leaves pairs without a route before anything fails", n.Design, rule.Name)
	}
	out.VCs = whole
	for _, f := range singleFailures(n) {
		m, err := n.Without(&f)
		if err != nil {
			return nil, err
		}
		out.Failures++
		vcs, ok, err := needAfter(ctx, m, rule)
		if err != nil {
			return nil, err
		}
		if !ok {
			if out.Rerouted++; out.Rerouted == 1 {
				out.First = FailureName(n, &f)
			}
			if vcs, _, err = needAfter(ctx, m, topology.Minimal()); err != nil {
				return nil, err
			}
		}
		out.VCs = max(out.VCs, vcs)
	}
	return out, nil
}

// singleFailures lists every link, one of those that are parallel, and every switch that is not embedded.
func singleFailures(n *topology.Network) (all []topology.Failures) {
	type ends struct {
		class, from, to int
	}
	seen := make(map[ends]bool)
	for _, c := range n.Cables() {
		e := ends{n.LinkClass(c), int(n.From(c)), int(n.To(c))}
		if !seen[e] {
			seen[e] = true
			all = append(all, topology.Failures{Links: []topology.ChannelID{c}})
		}
	}
	for _, s := range n.Boxes() {
		all = append(all, topology.Failures{Switches: []topology.SwitchID{s}})
	}
	return all
}

// FailureName names the switch or the link of a single failure.
func FailureName(n *topology.Network, f *topology.Failures) string {
	if len(f.Switches) > 0 {
		return "switch " + n.SwitchName(f.Switches[0])
	}
	c := f.Links[0]
	return fmt.Sprintf("the %s link from %s to %s", n.LinkClasses[n.LinkClass(c)].Name, n.SwitchName(n.From(c)), n.SwitchName(n.To(c)))
}

// needAfter is the number of VCs of a rule on a network: one per hop counts the hops of scale-up domains too, as packets take them in the same network (TwoPhaseVCs, and what
// simulations need); of VCs that a rule names those on scale-up links do not count. ok is false if it leaves a connected pair without a route or has a cycle.
func needAfter(ctx context.Context, n *topology.Network, rule topology.Rule) (vcs int, ok bool, err error) {
	r, err := New(n, rule)
	if err != nil {
		return 0, false, err
	}
	longest, everywhere, err := r.leadsEverywhere(ctx)
	if err != nil || !everywhere {
		return 0, false, err
	}
	if rule.HopVCs {
		return max(1, longest), true, nil // what check would find hop by hop
	}
	rep, err := r.check(ctx, 0)
	if err != nil {
		return 0, false, err
	}
	vcs = 1
	for k, c := range rep.ClassVCs {
		if c > 0 && !topology.IsScaleup(n.LinkClasses[k].Name) {
			vcs = max(vcs, c)
		}
	}
	return vcs, rep.Acyclic, nil
}

// leadsEverywhere reports whether the rule leads from every set to all that are connected with it, and the most hops that it takes.
func (r *Router) leadsEverywhere(ctx context.Context) (longest int, everywhere bool, err error) {
	parts := r.Net.Parts()
	s, S := newWide(r, r.allStates()), r.states
	dist := make([]uint8, r.Net.Switches()*S*wideBits)
	for from := 0; from < len(r.Sets); from += wideBits {
		if err := ctx.Err(); err != nil {
			return 0, false, err
		}
		var dsts [][]Port
		for i := from; i < min(from+wideBits, len(r.Sets)); i++ {
			dsts = append(dsts, r.Sets[i].Ports)
		}
		for i := range dist {
			dist[i] = Far
		}
		if !s.fill(dsts, dist, wideBits, 1) {
			return r.leadsFar(ctx, parts) // hundreds of hops: one by one
		}
		for src := range r.Sets {
			for i, dst := range dsts {
				least := uint8(Far)
				for _, p := range r.Sets[src].Ports {
					least = min(least, dist[int(p.Switch)*S*wideBits+i])
				}
				if least != Far {
					longest = max(longest, int(least))
				} else if connected(parts, r.Sets[src].Ports, dst) {
					return 0, false, nil
				}
			}
		}
	}
	return longest, true, nil
}

// connected reports whether links lead from one of some switches to one of others.
func connected(parts []topology.SwitchID, from, to []Port) bool {
	return slices.ContainsFunc(from, func(p Port) bool {
		return slices.ContainsFunc(to, func(q Port) bool { return parts[p.Switch] == parts[q.Switch] })
	})
}

// leadsFar is leadsEverywhere for routes of any length.
func (r *Router) leadsFar(ctx context.Context, parts []topology.SwitchID) (longest int, everywhere bool, err error) {
	s := newSearch(r)
	s.full = true // failed switches are never reached
	var at []int
	for dst := range r.Sets {
		f := s.run(dst)
		for src := range r.Sets {
			var d uint16
			if at, d = r.Inject(f, src, at[:0]); d != Unreachable {
				longest = max(longest, int(d))
			} else if connected(parts, r.Sets[src].Ports, r.Sets[dst].Ports) {
				return 0, false, nil
			}
		}
	}
	return longest, true, ctx.Err()
}
