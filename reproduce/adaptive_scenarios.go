package reproduce

import (
	"context"
	"fmt"

	"toposearch/simcore"
	"toposearch/simcore/traffic"
	"toposearch/topology"
)

// The three scenarios that tell the columns of Table 2 apart. Each has a side on which a routing fails that never makes
// detours, and one on which it fails if it makes too many, so that neither minimal nor Valiant routing passes any.

// Indirect congestion: three of four packets go to the next group, over one link, the others anywhere. At a load l of each of 8
// endpoints minimal routing asks that link to carry 8 l (0.75 + 0.25/8.9) = 6.2 l; detours for all take l * 2 * 8/8.9 of each link. At
// 0.45 that is 2.8 and 0.81: the link is saturated, but three of four switches see that only when the buffers towards
// the switch with the link are full. Those are deep, so that who waits for that pays by latency.
const (
	indirectTraffic = "mixed(0.75*group_adversarial,0.25*uniform)"
	indirectLoad    = 0.45
	indirectBuffer  = 64
	indirectMost    = 1.25 // times the latency of the best split
)

// bestSplits are the shares of packets to the next group that go directly, among which the best split is: the link
// carries all of them up to (1 - 0.1) / (8 * 0.45 * 0.75) = 0.33.
var bestSplits = []float64{0.1, 0.2, 0.25, 0.3}

// Phantom congestion: links between groups of 100 cycles, a round trip of more than 200, in which a channel at half
// load holds 100 flits and credits while nobody waits. Uniform traffic then has nothing to gain by detours, traffic to
// the next group as much as ever.
const (
	phantomCycles = 100
	phantomLoad   = 0.5  // uniform
	phantomShift  = 0.35 // all to the next group, of 0.5 that Valiant's detours can carry
	phantomAtMost = 1.1  // times the latency of minimal routing
)

// Asymmetric load: five of nine groups send, each to the next of the five. A link between two of these carries a first
// leg of one detour and the second leg of another, one to or from an idle group a single leg: equal shares of
// detours, y by each of 7 groups, fill the former at 2 y = 1, where 1 + 7 y = 4.5 of 8 endpoints are served (0.56). With y by the idle
// groups alone up to 1 it is 1 + 3/2 + 4 = 6.5 (0.81). The load offered is between the two.
const (
	asymmetricActive = 5
	asymmetricLoad   = 0.68
)

// mark is a column of a row: whether the routing solves the problem, and by which figures.
type mark struct {
	solves bool
	note   string
}

// adaptiveMarks are those of a routing, and the VCs that it needs.
type adaptiveMarks struct {
	of  [3]mark
	vcs int
}

// yardsticks are what the marks are measured by.
type yardsticks struct {
	split   float64 // mean latency of the best split under indirect congestion
	minimal float64 // of minimal routing under uniform traffic on long links
}

func (l *adaptiveLab) traffic(name string) (simcore.Traffic, error) {
	return traffic.ByName(name, traffic.Options{Network: l.net, Blocks: l.design.Family.Place(l.design.V).Blocks})
}

// yardsticks simulates the best split and minimal routing.
func (l *adaptiveLab) yardsticks(ctx context.Context) (y yardsticks, err error) {
	t, err := l.traffic(indirectTraffic)
	if err != nil {
		return y, err
	}
	size := topology.EndpointID(l.net.Endpoints() / l.groups())
	next := func(src, dst topology.EndpointID) bool {
		return dst/size == (src/size+1)%topology.EndpointID(l.groups())
	}
	for _, share := range bestSplits {
		p, _, err := l.run(ctx, trial{routing: "valiant", traffic: t, load: indirectLoad, buffer: indirectBuffer, direct: func(src, dst topology.EndpointID) float64 {
			if next(src, dst) {
				return share
			}
			return 1
		}})
		if err != nil {
			return y, err
		}
		if !p.Saturated && (y.split == 0 || p.Latency.Mean < y.split) {
			y.split = p.Latency.Mean
		}
	}
	if t, err = l.traffic("uniform"); err != nil {
		return y, err
	}
	p, _, err := l.run(ctx, trial{routing: "natural", traffic: t, load: phantomLoad, global: phantomCycles})
	y.minimal = p.Latency.Mean
	return y, err
}

func (l *adaptiveLab) groups() int { return l.design.Family.Place(l.design.V).Blocks }

// marks simulates the routing of a row in all scenarios.
func (l *adaptiveLab) marks(ctx context.Context, r adaptiveRow, y yardsticks) (*adaptiveMarks, error) {
	trials := []trial{
		{load: indirectLoad, buffer: indirectBuffer},
		{load: phantomLoad, global: phantomCycles}, {load: phantomShift, global: phantomCycles},
		{load: asymmetricLoad, traffic: someGroups{l.net.Endpoints() / l.groups(), asymmetricActive}},
	}
	points := make([]simcore.Point, len(trials))
	m := new(adaptiveMarks)
	for i, text := range []string{indirectTraffic, "uniform", "group_adversarial", ""} {
		var err error
		if text != "" {
			if trials[i].traffic, err = l.traffic(text); err != nil {
				return nil, err
			}
		}
		trials[i].routing, trials[i].tuning, trials[i].settle, trials[i].look = r.name, r.tuning, r.settle, r.look
		if points[i], m.vcs, err = l.run(ctx, trials[i]); err != nil {
			return nil, fmt.Errorf("%s: %w", r.name, err)
		}
	}
	m.of = [3]mark{indirectMark(points[0], y.split), phantomMark(points[1], points[2], y.minimal), asymmetricMark(points[3])}
	return m, nil
}

// carried reports whether a load was accepted.
func carried(p simcore.Point) bool { return !p.Saturated && !p.Deadlocked }

// pointFigures are those of a point: mean latency, or what was accepted of a load that was too much.
func pointFigures(p simcore.Point) string {
	if !carried(p) {
		return fmt.Sprintf("accepted %.3f of %.3g", p.Accepted, p.Offered)
	}
	return fmt.Sprintf("%.1f cycles, %.2f hops", p.Latency.Mean, p.Hops.Mean)
}

func indirectMark(p simcore.Point, split float64) mark {
	return mark{carried(p) && p.Latency.Mean <= indirectMost*split, pointFigures(p) + fmt.Sprintf("; best split %.1f cycles", split)}
}

func phantomMark(uniform, shift simcore.Point, minimal float64) mark {
	return mark{carried(uniform) && uniform.Latency.Mean <= phantomAtMost*minimal && carried(shift),
		fmt.Sprintf("uniform: %s, minimal %.1f cycles; to the next group: %s", pointFigures(uniform), minimal, pointFigures(shift))}
}

func asymmetricMark(p simcore.Point) mark { return mark{carried(p), pointFigures(p)} }

// someGroups is the traffic of the first groups of a network alone: each sends to the next of them, the others are idle.
type someGroups struct{ size, active int }

func (g someGroups) Name() string {
	return fmt.Sprintf("the first %d groups, each to the next", g.active)
}

func (g someGroups) Dest(src topology.EndpointID, r *simcore.Rand) topology.EndpointID {
	if int(src) >= g.size*g.active {
		return -1
	}
	return topology.EndpointID((int(src)/g.size+1)%g.active*g.size + r.IntN(g.size))
}
