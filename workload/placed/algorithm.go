package placed

import (
	"context"
	"fmt"
	"slices"

	"toposearch/topology"
	"toposearch/workload"
	"toposearch/workload/collective"
)

// Latency is what the first byte of a message takes between two endpoints of an idle network, in seconds.
type Latency func(from, to topology.EndpointID) float64

// Estimate is the time of a collective in seconds: Latency of its chains of messages, one behind the other, and Transfer, what
// the busiest link or endpoint is busy for.
type Estimate struct{ Latency, Transfer float64 }

// Total is both.
func (e Estimate) Total() float64 { return e.Latency + e.Transfer }

// ByAlgorithm is the time of one of the collectives of c by an algorithm, all its groups at once. Unlike Collective, which takes
// Link.Alpha for every step, it knows how long each message takes: ranks wait for what they need, not for steps, so that the
// steps of a ring take what its links take together, messages that wait for nothing take one latency, and pipelines fill once.
// Link.Alpha comes on top for each message that waits. There are no scale-up domains.
func (n *Network) ByAlgorithm(ctx context.Context, c workload.Communication, a collective.Algorithm, latency Latency) (e Estimate, err error) {
	if ranks := len(n.Endpoint); c.Size < 1 || c.Stride < 1 || ranks%(c.Stride*c.Size) != 0 || n.Domain > 1 {
		return e, fmt.Errorf("placed: %d ranks of stride %d do not divide %d ranks without domains: %d are left over", c.Size, c.Stride, ranks, ranks%max(c.Stride*c.Size, 1))
	}
	if p, ok := a.(interface {
		Flows(collective.Kind) ([]collective.Flow, error)
	}); ok {
		flows, err := p.Flows(c.Kind)
		if err != nil {
			return e, err
		}
		return n.pipeline(ctx, c, flows, latency)
	}
	s, err := a.Schedule(c.Kind)
	if err != nil {
		return e, err
	}
	stages, err := n.stages(ctx, c.Group, s)
	if err != nil {
		return e, err
	}
	for i, g := range stages {
		e.Latency += n.chain(c.Group, s, s.Steps[i], latency)
		e.Transfer += g.far * c.Bytes / n.Link.BytesPerS
	}
	return e, nil
}

// pipeline is the time of flows of which all are under way together: the busiest link is busy for all of them, after the
// longest way of a first message through the ranks, each of which waits for the whole of it.
func (n *Network) pipeline(ctx context.Context, c workload.Communication, flows []collective.Flow, latency Latency) (e Estimate, err error) {
	ranks := len(n.Endpoint)
	t := n.newTraffic(c.Group)
	for _, f := range flows {
		t.send(f.From, f.To, float64(f.Count)*f.Share)
	}
	far, err := t.far(ctx)
	if err != nil {
		return e, err
	}
	at := make([]float64, len(flows)) // when the first message of a flow has arrived
	var arrive func(i, base int) float64
	arrive = func(i, base int) float64 {
		if at[i] > 0 {
			return at[i]
		}
		f := &flows[i]
		for _, need := range f.After {
			at[i] = max(at[i], arrive(need.Flow, base))
		}
		from, to := n.Endpoint[base+f.From*c.Stride], n.Endpoint[base+f.To*c.Stride]
		at[i] += n.Link.Alpha + latency(from, to) + f.Share*c.Bytes/n.Link.BytesPerS
		return at[i]
	}
	share := 0.0
	for base := 0; base < ranks; base += c.Stride * c.Size {
		for low := range c.Stride {
			clear(at)
			for i := range flows {
				e.Latency, share = max(e.Latency, arrive(i, base+low)), max(share, flows[i].Share)
			}
		}
	}
	// The first message is part of what is transferred, and has been counted on its last link.
	e.Transfer = max(far-share, 0) * c.Bytes / n.Link.BytesPerS
	return e, nil
}

// chain is the latency of the longest chain of messages in a step: of lanes that repeat, along the way that data take from
// rank to rank.
func (n *Network) chain(g workload.Group, s *collective.Schedule, st collective.Step, latency Latency) float64 {
	most := 0.0
	for _, l := range st.Lanes {
		next := make([]int, s.Ranks)
		for i := range next {
			next[i] = -1
		}
		l.Each(s.Ranks, 0, func(from, to int) { next[from] = to })
		for base := 0; base < len(n.Endpoint); base += g.Stride * g.Size {
			for low := range g.Stride {
				took := make([]float64, s.Ranks)
				for r, o := range next {
					if o >= 0 {
						took[r] = n.Link.Alpha + latency(n.Endpoint[base+low+r*g.Stride], n.Endpoint[base+low+o*g.Stride])
					}
				}
				if l.Grow != 0 { // none waits for another
					most = max(most, slices.Max(took))
					continue
				}
				most = max(most, longest(next, took, st.Repeat))
			}
		}
	}
	return most
}

// longest is the largest sum of steps consecutive numbers along the cycles of a permutation (-1: the end of a path).
func longest(next []int, took []float64, steps int) float64 {
	most := 0.0
	seen := make([]bool, len(next))
	for r := range next {
		if seen[r] || next[r] < 0 {
			continue
		}
		var cycle []float64
		for at := r; at >= 0 && !seen[at]; at = next[at] {
			seen[at] = true
			cycle = append(cycle, took[at])
		}
		whole := 0.0
		for _, x := range cycle {
			whole += x
		}
		rest := steps % len(cycle)
		sum := float64(steps/len(cycle)) * whole
		for i := range rest {
			sum += cycle[i]
		}
		for i := range cycle { // the window moves on around the cycle
			most = max(most, sum)
			sum += cycle[(i+rest)%len(cycle)] - cycle[i]
		}
	}
	return most
}
