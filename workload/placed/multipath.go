package placed

import (
	"context"
	"fmt"
	"math"
	"slices"

	"toposearch/routing"
	"toposearch/workload"
	"toposearch/workload/collective"
)

// MultiPath is the direct all-to-all whose packets divide over several paths: the network's own routes, and detours by way of
// another switch, as adaptive routings and the source routes of UB-Mesh (Liao et al., arXiv:2503.20377, multi-path all-to-all) take
// them. Where all endpoints send to all others the routes load a network evenly, and detours only load it twice; where groups do, most links are idle.
type MultiPath struct{ collective.Direct }

// Name of the algorithm.
func (MultiPath) Name() string { return "multi-path" }

// multiPath is an all-to-all over the best split that is found of routes and detours, the same of every pair; false: packets make no
// detours, or what is known, in seconds, takes no longer than what ranks send.
func (n *Network) multiPath(ctx context.Context, c workload.Communication, seconds float64) (a MultiPath, of []stage, ok bool, err error) {
	a.N = c.Size
	own := c.Kind.WireShare(c.Size)
	if n.Detours == nil || c.Kind != collective.AllToAll || seconds <= (float64(c.Size-1)*n.Link.Alpha+own*c.Bytes/n.Link.BytesPerS)*(1+rounding) {
		return a, nil, false, nil
	}
	s, err := a.Schedule(c.Kind)
	if err != nil {
		return a, nil, false, nil // a group of one
	}
	if g, isGrid := n.Shape.(*Grid); isGrid && n.Domain == 1 {
		on, lies := n.onEndpoints(c.Group)
		if !lies {
			return a, nil, false, nil
		}
		busiest, lies := g.multiPath(on, n.Detours)
		return a, []stage{{c.Size - 1, unless(own, busiest/float64(c.Size)), 0}}, lies, nil
	}
	if n.Router == nil || n.Detours.Split == nil {
		return a, nil, false, nil
	}
	t := n.traffic(c.Group)
	for _, l := range s.Steps[0].Lanes {
		t.lanes = append(t.lanes, lane{l.Perm.Inverse(s.Ranks), s.Steps[0].Repeat, l.Share})
	}
	t.bySet(func(int32, []routing.Flow) {})
	most := max(slices.Max(t.out), t.in)
	carries, err := n.Detours.Split(ctx, t.flows, most)
	if err != nil {
		return a, nil, false, err
	}
	return a, []stage{{c.Size - 1, unless(most, 1/carries), slices.Max(t.inside)}}, true, nil
}

// overPaths is how long the busiest link or endpoint is busy with a schedule of messages that do not wait for each other, over several paths.
func (n *Network) overPaths(ctx context.Context, c workload.Communication, s *collective.Schedule) (seconds float64, err error) {
	t := n.newPairs(c.Group)
	for _, f := range s.Flows() {
		t.send(f.From, f.To, float64(f.Count)*f.Share)
	}
	own := max(slices.Max(t.out), slices.Max(t.in))
	carries, err := n.Detours.Split(ctx, t.flows(), own)
	if err != nil {
		return 0, err
	}
	return unless(own, 1/carries) * c.Bytes / n.Link.BytesPerS, nil
}

// nearest is the shortest time of a first byte, and Link.Alpha, of the messages of a schedule.
func (n *Network) nearest(c workload.Communication, s *collective.Schedule, lone Lone) float64 {
	least := math.Inf(1)
	for _, f := range s.Flows() {
		latency, _ := lone(n.Endpoint[f.From*c.Stride], n.Endpoint[f.To*c.Stride])
		least = min(least, latency)
	}
	return n.Link.Alpha + least
}

// AnyEndpoint are detours by way of any endpoint (Valiant, Brebner, STOC 1981) over a router's routes; capacity is what a link of a class of its
// network carries, in units of what an endpoint sends at Link.BytesPerS. always: all packets make one.
func AnyEndpoint(r *routing.Router, capacity func(link int) float64, always bool, workers int) *Detours {
	opt := routing.LoadOptions{Workers: workers}
	var twice []float64 // loads of detours of all that endpoints send, once computed
	return &Detours{Split: func(ctx context.Context, flows []routing.Flow, own float64) (float64, error) {
		if twice == nil {
			l, err := r.UniformLoads(ctx, opt)
			if err != nil {
				return 0, fmt.Errorf("placed: %w", err)
			}
			twice = routing.Detoured(l.Relative(r.Net, capacity), r.Net.Endpoints())
		}
		l, err := r.FlowLoads(ctx, flows, opt)
		if err != nil {
			return 0, fmt.Errorf("placed: %w", err)
		}
		if err := reached(l); err != nil {
			return 0, err
		}
		detours := slices.Clone(twice)
		for i := range detours {
			detours[i] *= own
		}
		direct := l.Relative(r.Net, capacity)
		if always {
			direct = detours
		}
		return routing.BestSplit(direct, detours).Throughput, nil
	}}
}

// multiPath is what the busiest links take if groups of endpoints send to all others of their group, each message S, and the same part of all makes
// detours.
func (g *Grid) multiPath(of workload.Group, by *Detours) (busiest float64, ok bool) {
	one, times, ok := g.one(of)
	if !ok {
		return 0, false
	}
	var direct, detour []float64
	apart := 0.0
	for d, k := range g.Dims {
		if k < 2 {
			continue
		}
		have := one.Dims[d]
		line := 0.0
		if have > 1 {
			line = times * one.along(d, of.Size)
		}
		// Each way by any endpoint is uniform traffic of all, of which each endpoint sends size - 1 messages to one of each of them.
		all := g.along(d, g.PerSwitch*product(g.Dims)) / float64(g.PerSwitch*product(g.Dims))
		direct, detour = append(direct, line), append(detour, 2*all*float64(of.Size-1))
		if ring, _ := g.ring(d); ring == 0 && have > 1 {
			line *= throughLine(have, k)
		}
		apart = max(apart, line)
	}
	if len(direct) == 0 {
		return 0, true
	}
	busiest = slices.Max(direct)
	if by.Lines {
		busiest = min(busiest, apart)
	}
	if by.Endpoints {
		busiest = min(busiest, 1/routing.BestSplit(direct, detour).Throughput)
	}
	return busiest, true
}

// throughLine is what the busiest link of a line of k switches that are all joined carries, of what it does without detours, if groups of so many of
// the switches, which take up the line, send within themselves, and the best part of it by way of any third switch or directly, all k-1 the same. A switch sends
// have-1 shares and gets as many: of what makes detours a link to any switch carries a (k-1)-th of both, without what it is itself direct for.
func throughLine(have, k int) float64 {
	own, other := float64(2*have-3)/float64(k-1), float64(2*have-2)/float64(k-1)
	if have == k {
		other = own
	}
	return 1 / routing.BestSplit([]float64{1, 0}, []float64{own, other}).Throughput
}

func product(list []int) int {
	n := 1
	for _, x := range list {
		n *= x
	}
	return n
}
