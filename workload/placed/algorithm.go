package placed

import (
	"context"
	"fmt"

	"toposearch/workload"
	"toposearch/workload/collective"
)

// ByAlgorithm is the time of one of the collectives of c by an algorithm, all its groups at once. Unlike Collective, which takes
// Link.Alpha for every step, it knows how long each message takes and follows what ranks wait for: data, not steps. Messages are played one by one over
// the ports and links of their routes (streaming), where they wait for one another; of too many (mostPlayed, mostVisits) steps are summed (waiting, Estimate.Summed): a ring
// whose links differ then takes what data take around it, or what its busiest link carries if that is more, and messages that wait for nothing follow one another.
// Where sources divide messages over several paths, or routes divide packets over all, what a step puts on links is counted as a whole. Link.Alpha comes on top for
// each message that waits. There are no scale-up domains.
func (n *Network) ByAlgorithm(ctx context.Context, c workload.Communication, a collective.Algorithm, lone Lone) (e Estimate, err error) {
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
		if e, ok, err := n.play(ctx, c, flows, a.Ports(), patience, lone); ok || err != nil {
			return e, err
		}
		e.Summed = true
	}
	s, err := a.Schedule(c.Kind)
	if err != nil {
		return e, err
	}
	// Parts that go on beside each other meet at ports; ways that have no names cannot be followed, and of messages that are divided ahead of time no two meet on purpose.
	directly, divided := n.divides(c.Kind, a)
	_, ahead := a.(collective.MultiPath)
	if several := a.Ports() > 1; !(divided && ahead) && (several || n.Detours == nil || n.Detours.Named) {
		times := 1
		if several {
			times = patience
		}
		if n.most(times, c.Group) >= messagesOf(s) {
			if e, ok, err := n.play(ctx, c, s.Flows(), a.Ports(), times, lone); ok || err != nil {
				return e, err
			}
		}
		e.Summed = true
	}
	if divided {
		split, err := n.divided(ctx, c, directly)
		e.Transfer = c.Bytes / split.Throughput / n.Link.BytesPerS
		e.Total = e.Transfer + n.nearest(c, s, lone)
		return e, err
	}
	stages, err := n.stages(ctx, c.Group, s, c.Bytes)
	if err != nil {
		return e, err
	}
	w := waiting{n: n, c: c, lone: lone, routes: n.newRoutes(), in: make([]float64, len(n.Endpoint)),
		busy: make(map[int32]float64), sent: make([]float64, len(n.Endpoint))}
	for i, st := range s.Steps {
		transfer := stages[i].far * c.Bytes / n.Link.BytesPerS
		if st.Repeat > 1 || n.Around != nil {
			e.Transfer += transfer
		}
		if err := w.step(ctx, s.Ranks, st); err != nil {
			return e, err
		}
		if st.Lanes[0].Grow != 0 && n.Around == nil {
			tail, err := w.late(ctx, s.Ranks, st)
			if err != nil {
				return e, err
			}
			e.Transfer += max(0, tail*c.Bytes/n.Link.BytesPerS-transfer)
		}
	}
	e.Transfer += w.busiest() * c.Bytes / n.Link.BytesPerS
	e.Total = max(w.last(), w.end, e.Transfer+w.least)
	return e, nil
}
