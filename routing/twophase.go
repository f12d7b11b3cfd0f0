package routing

import (
	"context"
	"errors"

	"toposearch/topology"
)

// ErrNoIntermediate says that from no switch with endpoints all others can be reached.
var ErrNoIntermediate = errors.New("routing: from no switch with endpoints do legal routes lead to all others")

// TwoPhaseVCs is the number of VCs that routing by way of an intermediate (Valiant, UGAL) needs to be free of
// deadlock: a packet takes legal routes to a switch of a random attachment set and starts anew from there, in
// VCs above those of the first leg. Each leg is walked from where it can start: the first at any switch
// with endpoints, since it is chosen by what is nearest to the destination or to the intermediate, the second at every
// switch that can be the intermediate. A second leg can thereby be longer than any natural route, where
// endpoints have several ports. Cycle, if not nil, is one of the dependencies within a leg: no number of VCs is enough.
// Links of scale-up domains do not count, but where VCs follow hops. Its cost is two walks per destination.
func (r *Router) TwoPhaseVCs(ctx context.Context) (vcs int, cycle []Dependency, err error) {
	outward, homeward, err := r.legs(ctx)
	if err != nil {
		return 0, nil, err
	}
	for _, leg := range []Leg{outward, homeward} {
		g := r.legGraph(leg)
		longest := 0
		for _, target := range leg.Targets {
			if err := ctx.Err(); err != nil {
				return 0, nil, err
			}
			f := g.runTo(target)
			if r.Rule.HopVCs {
				longest = max(longest, g.longestTo(f))
				continue
			}
			g.collect(f)
		}
		if r.Rule.HopVCs {
			vcs += max(1, longest)
			continue
		}
		if cycle = g.cycle(); cycle != nil {
			return 0, cycle, nil
		}
		most := 1
		for k, c := range g.classVCs() {
			if c > 0 && !topology.IsScaleup(r.Net.LinkClasses[k].Name) {
				most = max(most, c)
			}
		}
		vcs += most
	}
	return vcs, nil, nil
}

// legs are the two legs of a way by an intermediate.
func (r *Router) legs(ctx context.Context) (outward, homeward Leg, err error) {
	S := r.states
	s := newSearch(r)
	bad := make([]bool, r.Net.Switches()) // does not reach every set
	for set := range r.Sets {
		if err := ctx.Err(); err != nil {
			return outward, homeward, err
		}
		f := s.run(set)
		for sw, source := range s.source {
			bad[sw] = bad[sw] || source && f.Dist[sw*S] == Unreachable
		}
	}
	for sw, source := range s.source {
		if source {
			outward.Starts = append(outward.Starts, topology.SwitchID(sw))
		}
		if source && !bad[sw] {
			homeward.Starts = append(homeward.Starts, topology.SwitchID(sw))
		}
	}
	if len(homeward.Starts) == 0 {
		return outward, homeward, ErrNoIntermediate
	}
	for i := range r.Sets {
		homeward.Targets = append(homeward.Targets, r.Sets[i].Ports)
		var good []Port
		for _, p := range r.Sets[i].Ports {
			if !bad[p.Switch] {
				good = append(good, p)
			}
		}
		if good != nil {
			outward.Targets = append(outward.Targets, good)
		}
	}
	return outward, homeward, nil
}

// longestTo is the most hops of a way that starts where the leg of the graph does.
func (g *dependencyGraph) longestTo(f *Field) int {
	most := uint16(0)
	for src := range g.r.Sets {
		var d uint16
		if g.at, d = g.r.Inject(f, src, g.at[:0]); d != Unreachable {
			most = max(most, d)
		}
	}
	for _, s := range g.starts {
		if d := f.Dist[int(s)*g.r.states]; d != Unreachable {
			most = max(most, d)
		}
	}
	return int(most)
}
