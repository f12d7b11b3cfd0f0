package placed

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"toposearch/workload"
	"toposearch/workload/collective"
)

// Fabric is the network for workload.Training.TimeOn, until ctx ends.
func (n *Network) Fabric(ctx context.Context) workload.Fabric { return fabric{ctx, n} }

type fabric struct {
	ctx context.Context
	n   *Network
}

// Collective remembers times: many divisions of a step have the same communications.
func (f fabric) Collective(c workload.Communication) (float64, string, error) {
	k := asked{c.Kind, c.Group, c.Bytes}
	if x, ok := f.n.asked[k]; ok {
		return x.seconds, x.algorithm, nil
	}
	seconds, algorithm, err := f.n.Collective(f.ctx, c)
	if err == nil {
		if f.n.asked == nil {
			f.n.asked = make(map[asked]answer)
		}
		f.n.asked[k] = answer{seconds, algorithm}
	}
	return seconds, algorithm, err
}

// Bounds is a fabric on which a communication takes its LowerBound.
func (n *Network) Bounds() workload.Fabric { return bounds{n} }

type bounds struct{ n *Network }

func (b bounds) Collective(c workload.Communication) (float64, string, error) {
	return b.n.LowerBound(c), "bound", nil
}

// Collective is the time of one of the collectives of c, all groups at once, in seconds, by the algorithm of a
// ring, multi-ring, halving and doubling, hierarchical, direct, over all links of meshes, multi-path, or by switches that add (Reduction), that takes least. It is what these algorithms take: others
// may be faster. LowerBound is what none is faster than.
func (n *Network) Collective(ctx context.Context, c workload.Communication) (seconds float64, algorithm string, err error) {
	best, _, seconds, err := n.best(ctx, c)
	if err != nil {
		return 0, "", err
	}
	return seconds, best.Name(), nil
}

// best is the algorithm that takes least for a communication, with its stages and time.
func (n *Network) best(ctx context.Context, c workload.Communication) (best collective.Algorithm, of []stage, seconds float64, err error) {
	if ranks := len(n.Endpoint); c.Size < 1 || c.Stride < 1 || ranks%(c.Stride*c.Size) != 0 {
		return nil, nil, 0, fmt.Errorf("placed: %d ranks of stride %d do not divide %d ranks: %d are left over", c.Size, c.Stride, ranks, ranks%max(c.Stride*c.Size, 1))
	}
	seconds = math.Inf(1)
	for _, t := range n.tries(c) {
		if t.least >= seconds*(1-2*rounding) {
			break // no later one is faster, whatever is in its way
		}
		a := t.Algorithm
		if _, all := a.(collective.Direct); all && c.Kind != collective.AllToAll && c.Size >= fewDirect && n.directly(c) >= seconds*(1+bounded) {
			continue
		}
		s, err := a.Schedule(c.Kind)
		if err != nil {
			return nil, nil, 0, err
		}
		stages, faster, err := n.stagesWithin(ctx, c.Group, s, c.Bytes, seconds)
		if err != nil {
			return nil, nil, 0, err
		}
		if faster {
			best, of, seconds = a, stages, n.time(stages, c.Bytes)
		}
	}
	if reduces(c.Kind) && seconds > (float64(c.Size-1)*n.Link.Alpha+c.Kind.WireShare(c.Size)*c.Bytes/n.Link.BytesPerS)*(1+rounding) {
		a, stages, err := n.disjointRings(ctx, c)
		if err != nil {
			return nil, nil, 0, err
		}
		if t := n.time(stages, c.Bytes); stages != nil && t < seconds {
			best, of, seconds = a, stages, t
		}
	}
	if a, stages, ok, err := n.multiPath(ctx, c, seconds); err != nil {
		return nil, nil, 0, err
	} else if ok {
		if t := n.time(stages, c.Bytes); t < seconds*(1-rounding) {
			best, of, seconds = a, stages, t
		}
	}
	if a, stages, ok := n.reduced(c); ok {
		if t := n.time(stages, c.Bytes); t < seconds {
			best, of, seconds = a, stages, t
		}
	}
	if best == nil {
		return nil, nil, 0, fmt.Errorf("placed: no algorithm does %s", c)
	}
	return best, of, seconds, nil
}

// message is a shift by one: each rank to the next of its group.
type message struct{ n int }

func (message) Name() string { return "message" }
func (message) Ports() int   { return 1 }
func (message) Cost(collective.Kind) (c collective.Cost, err error) {
	c.Steps[0], c.Share[0] = 1, 1
	return c, nil
}
func (a message) Schedule(k collective.Kind) (*collective.Schedule, error) {
	return &collective.Schedule{Kind: k, Ranks: a.n, Steps: []collective.Step{{Repeat: 1, Lanes: []collective.Lane{{
		Perm: collective.Perm{Stride: 1, Size: a.n, Shift: 1}, Share: 1}}}}}, nil
}

// try is an algorithm and what it takes at least.
type try struct {
	collective.Algorithm
	least float64
}

// tries are the algorithms that do a communication, by what they take where nothing blocks: their steps, and their bytes at the
// rate of all that an endpoint has. Without domains the ring, a single pattern, is the first: where others block, a few of their steps take longer.
func (n *Network) tries(c workload.Communication) (out []try) {
	alpha, rate := n.Link.Alpha, n.Link.BytesPerS
	if n.Domain > 1 {
		alpha, rate = min(alpha, n.Scaleup.Alpha), rate+n.nearRate()
	}
	for _, a := range n.algorithms(c) {
		cost, err := a.Cost(c.Kind)
		if err != nil {
			continue // there are kinds that an algorithm does not do
		}
		t := try{a, 0}
		for l := range cost.Steps {
			t.least += float64(cost.Steps[l])*alpha + cost.Share[l]*c.Bytes/rate
		}
		t.least *= 1 - rounding
		out = append(out, t)
	}
	last := func(t try) bool { _, ring := t.Algorithm.(collective.Ring); return !ring || n.Domain > 1 }
	slices.SortStableFunc(out, func(a, b try) int {
		switch x, y := last(a), last(b); {
		case x == y:
			return cmp.Compare(a.least, b.least)
		case x:
			return 1
		}
		return -1
	})
	return out
}

// fewDirect is in how large groups it is worth to know what messages to all others take at least before they are counted, and bounded what such a bound may be off by rounding.
const fewDirect, bounded = 8, 1e-6

// directly is what messages of all ranks to all others of their groups take at least: whatever they are for, they cross cuts as those of an all-to-all do.
func (n *Network) directly(c workload.Communication) (seconds float64) {
	steps, alpha := float64(c.Size-1), n.Link.Alpha
	if n.Domain > 1 {
		alpha = min(alpha, n.Scaleup.Alpha)
	}
	c.Kind = collective.AllToAll
	return n.LowerBound(c) + steps*alpha
}

// MostDirect bounds the messages of all ranks to all others of their groups in a reduce-scatter or an all-gather, which others do as well:
// all pairs of 2,048 endpoints, which take a tenth of a second.
const MostDirect = 1 << 22

func (n *Network) algorithms(c workload.Communication) []collective.Algorithm {
	if c.Kind == collective.Exchange {
		return []collective.Algorithm{message{c.Size}}
	}
	out := []collective.Algorithm{collective.Ring{N: c.Size}, collective.HalvingDoubling{N: c.Size}}
	if c.Kind == collective.AllToAll || len(n.Endpoint)*c.Size <= MostDirect {
		out = append(out, collective.Direct{N: c.Size})
	}
	g := c.Group
	on, lies := n.onEndpoints(g)
	if lies {
		g = on
	}
	inner, outer := g.Within(n.Domain)
	if inner > 1 && n.Mesh {
		out = append(out, collective.Hierarchical{Inner: inner, Outer: outer, Mesh: true})
	}
	if inner > 1 && outer > 1 && !(n.Mesh && lies) { // where parts of groups are in meshes that is slower
		out = append(out, collective.Hierarchical{Inner: inner, Outer: outer})
	}
	return out
}
