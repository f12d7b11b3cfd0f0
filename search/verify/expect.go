package verify

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"toposearch/routing"
	"toposearch/simcore"
	"toposearch/simcore/cutthrough"
	"toposearch/simcore/flit"
	"toposearch/simcore/queue"
	"toposearch/simcore/route"
	"toposearch/topology"
)

// expect predicts the saturation load of the switch that is simulated (package queue), and says what limits it. It says
// nothing of traffics that are only measured, and of routings whose splits follow from queues it says why. classes is the number of
// VC classes of the routing.
func (l *Result) expect(ctx context.Context, n *topology.Network, w *Way, classes int, cfg *flit.Config) error {
	if !known(l.Traffic) {
		return nil
	}
	if route.Escapes(w.Name) {
		// Measured on 40 random designs, one of a family: an even split over shortest paths and all VCs is met within 10 % by 23; the
		// others saturate at 0.64 to 0.9 of it, and no part of the VCs alone explains all of them.
		l.Notes = append(l.Notes, fmt.Sprintf("%s: no saturation load of %s is predicted from VCs and buffers: packets that fall back on escape channels hold their few VCs and take other routes than shortest ones; "+
			"no routing saturates above %.4g", l.Traffic, w.Name, l.Certified))
		return nil
	}
	t, err := l.turns(ctx, w)
	var much routing.TooManyTurns
	if errors.As(err, &much) {
		l.Notes = append(l.Notes, fmt.Sprintf("%s: no saturation load is predicted from VCs and buffers: %v", l.Traffic, err))
		return nil
	}
	if err != nil {
		return err
	}
	vcs, classes, err := vcsOf(w.Name, cfg.VCs, classes)
	if err != nil {
		return err
	}
	sw := queue.Switch{VCs: vcs, Buffer: float64(cfg.BufferFlits), Packet: cfg.MeanFlits(), Speedup: cfg.InternalSpeedup,
		Trip: float64(2*cfg.LinkLatency+cfg.CreditDelay) + pipeline(cfg, cfg.RoutingDelay+cfg.VCAllocDelay),
		Turn: float64(cfg.RoutingDelay+cfg.VCAllocDelay) / cfg.InternalSpeedup}
	usable := queue.Usable(t, vcs, classes)
	expected, err := queue.New(t, sw, usable).Saturation(ctx)
	if err != nil {
		return err
	}
	if l.keepsPaths(w) {
		l.fullBy(t, n)
	}
	if w.All != nil && l.Alone < nearFull*l.Predicted {
		l.expectBetween(w, min(expected, l.Alone))
		return nil
	}
	l.Expected = min(expected, l.Predicted)
	if l.Limit, err = limitOf(ctx, t, sw, usable, l.Expected, l.Predicted); err != nil {
		return err
	}
	switch {
	case w.Always: // every source sends by way of all switches: what waits for a full channel in shallow buffers holds up the rest
		return nil
	case w.Detours:
		if seen, way := l.native.SeenChannels(), l.longest/2; seen < way {
			l.Seen, l.Way = seen, way
		}
		full := min(1, 1/slices.Max(t.Relative(routing.OwnCapacity(n)))) // as Saturation is
		return l.expectSight(ctx, n, min(1, expected/full), true)
	}
	return l.expectShares(ctx, n, w)
}

// expectBetween says between which loads all-path routing saturates where a split over its paths carries more than direct routes do, of which
// VCs and buffers let expect `alone`. What of the gain its switches reach is not predicted: each compares the queues of its own channels, so that a
// detour may lead into a full one two hops away, and none knows the split that is best.
func (l *Result) expectBetween(w *Way, alone float64) {
	l.Least = alone
	l.Notes = append(l.Notes, fmt.Sprintf("%s: no one saturation load of %s is predicted: its switches split traffic over paths by the queues of their own channels, and what of the best split they reach is not modelled; "+
		"expected between %.4g, what VCs and buffers leave of direct routes alone, and %.4g, above which no split of its paths is accepted", l.Traffic, w.Name, alone, l.Certified))
}

// expectShares raises what is expected of a permutation, or a workload, over direct routes to the load at which 97 % of it are accepted: flows that meet no
// full channel are not kept from their share, and what is held back leaves room on the channels behind (jellyfish(n=64,r=15,p=1), of which 0.676 was
// simulated by cut-through: 0.686, by shares alone, which stand for it where that is not computed, 0.632).
func (l *Result) expectShares(ctx context.Context, n *topology.Network, w *Way) error {
	if l.flows == nil || l.crowds() || w.Detours || l.Predicted <= 0 {
		return nil
	}
	full := min(1, l.Expected/l.Predicted) // the part of a channel that VCs and buffers let be used
	switch {
	case w.Tables != nil:
		l.expectTables(n, w, full)
		return nil
	case l.native.KeepsFlows():
		l.expectThinned(n, w, full)
		return nil
	}
	if l.shares == nil && len(w.Direct.Sets) == n.Switches() {
		thinned, err := w.Direct.NewSighted(ctx, l.flows, routing.OwnCapacity(n), routing.Sight{May: func(_, _, _ int) bool { return false }})
		if err != nil {
			return err
		}
		if thinned != nil {
			x, err := thinned.Saturation(ctx, simcore.SaturatedBelow)
			l.Expected = max(l.Expected, full*x)
			return err
		}
	}
	if l.shares == nil {
		var err error
		if l.shares, err = w.Direct.FairShares(ctx, l.flows, routing.OwnCapacity(n)); err != nil {
			return err
		}
	}
	l.Expected = max(l.Expected, l.shares.Saturation(simcore.SaturatedBelow, full))
	return nil
}

// expectTables is expectShares of the paths of tables.
func (l *Result) expectTables(n *topology.Network, w *Way, full float64) {
	l.raise(full * w.Direct.Thinned(slices.Collect(w.Tables.Paths(l.pairs)), routing.OwnCapacity(n), simcore.SaturatedBelow))
}

// expectThinned is expectShares of flows of which each keeps to the way that its hash picks.
func (l *Result) expectThinned(n *topology.Network, w *Way, full float64) {
	l.raise(full * w.Direct.Thinned(slices.Collect(l.native.Flows(l.pairs)), routing.OwnCapacity(n), simcore.SaturatedBelow))
}

// raise raises what is expected, but not above what fills a port of an endpoint.
func (l *Result) raise(x float64) {
	if l.ports > 0 {
		x = min(x, l.ports)
	}
	l.Expected = max(l.Expected, x)
}

// vcsOf is how many of a channel's VCs packets choose from under a routing that tells so many classes of them apart, and into how many classes they
// are dealt out there.
func vcsOf(name string, have, classes int) (vcs, of int, err error) {
	detours, err := route.Detours(name)
	switch {
	case err != nil:
		return 0, 0, err
	case route.OnRing(name): // its own VC carries what has found no other way; the others are alike
		have, classes = have-1, 1
	case detours: // a class of the one leg stands beside that of the other
		classes /= 2
	}
	return have, min(max(1, classes), have), nil
}

// deepPackets of each input are more than queues need: at 97 % of an output 17 packets wait on average, and a queue that is
// geometric has more than 100 once in 400 times.
const deepPackets = 100

// expectDeep says of a switch that cuts through what its buffers let expect: virtual output queues know no head-of-line blocking, so
// that channels are full before anything else is, where each input has room for a round trip and such queues.
func (l *Result) expectDeep(ctx context.Context, n *topology.Network, w *Way, cfg *cutthrough.Config) error {
	if !known(l.Traffic) || l.Predicted <= 0 || w.All != nil || w.Detours && !l.sights() && !l.idles() || route.Escapes(w.Name) {
		return nil
	}
	used := make([]int, n.Switches())
	for s := range used {
		used[s] = len(n.Neighbors(topology.SwitchID(s)))
	}
	for g := range n.Groups() {
		first, end, at := n.Group(g)
		for _, s := range at {
			used[s] += int(end - first)
		}
	}
	ports := slices.Max(used)
	trip := 0.0 // bytes on the longest cable within a credit round trip
	for i, gbps := range cfg.ClassGbps {
		if n.LinkClasses[i].Name != topology.ClassInternal {
			trip = max(trip, gbps/8*(2*cfg.ClassCableNs[i]+cfg.ControlNs))
		}
	}
	if room := float64(cfg.BufferBytes) / float64(ports*max(cfg.VCs, 1)); room < trip+deepPackets*float64(cfg.MTUBytes) {
		l.Notes = append(l.Notes, fmt.Sprintf("%s: no saturation load is predicted from buffers: %.3g kB of a VC of an input are less than a round trip and %d packets", l.Traffic, room/1000, deepPackets))
		return nil
	}
	if w.Detours {
		l.Expected, l.Limit = l.Predicted, LimitChannel
		if l.idles() {
			return nil
		}
		return l.expectSight(ctx, n, 1, false)
	}
	apart := l.Traffic == "uniform" && w.Direct.Net.Endpoints() <= mostThinned // deep buffers hold what waits apart, and sources go on to send to others
	if l.keepsPaths(w) {
		t, err := l.flowTurns(ctx, w)
		if much := (routing.TooManyTurns{}); errors.As(err, &much) {
			l.Notes = append(l.Notes, fmt.Sprintf("%s: no saturation load is predicted: %v", l.Traffic, err))
			return nil
		}
		if err != nil {
			return err
		}
		l.fullBy(t, n)
		if apart && w.Tables == nil {
			l.expectThinned(n, w, 1)
		}
	}
	if w.Tables != nil && apart {
		l.expectTables(n, w, 1)
	}
	l.Expected, l.Limit = max(l.Expected, l.Predicted), LimitChannel
	return l.expectShares(ctx, n, w)
}

// turns are those of the traffic, detours included.
func (l *Result) turns(ctx context.Context, w *Way) (*routing.Turns, error) {
	if l.keepsPaths(w) {
		return l.flowTurns(ctx, w)
	}
	if l.valiant != nil {
		t := *l.valiant
		t.Legs = 2
		return &t, nil
	}
	turns, lanes := w.Direct.Turns, false
	switch {
	case w.Tables != nil:
		turns = w.Tables.Turns
	case w.All != nil:
		// Detours take the second lanes as the first fill up; without them a lane that no route takes stays idle.
		if even := w.All.EvenRoutes(); even != nil {
			turns, lanes = even.Turns, true
		}
	}
	t, err := turns(ctx, l.flows)
	if err != nil {
		return nil, err
	}
	t.Layers = t.Layers || lanes
	t.Single = l.Traffic == "worst" // a permutation
	if l.Direct == nil {
		return t, nil
	}
	uniform := t
	if l.flows != nil {
		if uniform, err = w.Direct.Turns(ctx, nil); err != nil {
			return nil, err
		}
	}
	t = uniform.Detoured(uniform, t, *l.Direct) // both legs as uniform traffic, by way of a random endpoint
	t.Legs = 1                                  // packets on the direct way may take VCs of both
	if sum := t.Crossings(); sum > 0 {
		t.Legs += min(1, 2*(1-*l.Direct)*uniform.Crossings()/sum)
	}
	return t, nil
}

// mostThinned bounds the endpoints whose flows to all others are thinned round by round: a tenth of a second for so many.
const mostThinned = 256

// keepsPaths says whether each pair of endpoints keeps to one way that is known. Of all pairs over tables their turns are those of an even split, unless endpoints have several
// ports: which of the nearest a pair takes follows from both of its ends.
func (l *Result) keepsPaths(w *Way) bool {
	ends := int64(w.Direct.Net.Endpoints())
	return l.native.KeepsFlows() || w.Tables != nil && (l.pairs != nil || routing.SeveralPorts(w.Direct.Net) && ends*ends <= mostFlows)
}

// flowTurns are the turns of flows of which each keeps to the way that its hash picks, or tables say.
func (l *Result) flowTurns(ctx context.Context, w *Way) (*routing.Turns, error) {
	ends := int64(w.Direct.Net.Endpoints())
	if l.pairs == nil && ends*ends > mostFlows {
		return nil, routing.TooManyTurns{What: "flows", Number: ends * ends, Most: mostFlows}
	}
	var t *routing.Turns
	var err error
	if w.Tables != nil {
		t, err = w.Tables.PathTurns(ctx, l.pairs)
	} else {
		t, err = w.Direct.PathTurns(ctx, l.native.Flows(l.pairs))
	}
	if err == nil {
		t.Single = l.Traffic == "worst"
	}
	return t, err
}

// fullBy sets when the busiest channel is full of flows that each keep to one way.
func (l *Result) fullBy(t *routing.Turns, n *topology.Network) {
	var full float64
	full, l.ports = t.Full(routing.OwnCapacity(n))
	if l.Traffic != "worst" && l.Traffic != "uniform" { // what endpoints send and take may be full before
		full = min(full, l.Predicted)
	}
	l.Predicted = full
}

// pipeline is what a flit takes through a switch once it has a route and a VC, which take so many
// steps, cycles. The switch steps InternalSpeedup times a cycle, so that its stages take that much less.
func pipeline(c *flit.Config, before int) float64 {
	return math.Ceil(float64(before+c.SwAllocDelay+c.StPrepare+c.StFinal) / c.InternalSpeedup)
}
