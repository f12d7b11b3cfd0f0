package placed

import (
	"context"
	"fmt"
	"math/bits"
	"slices"

	"toposearch/topology"
	"toposearch/workload"
	"toposearch/workload/collective"
)

// Lone is what a message has between two endpoints of an idle network: the time of its first byte, in seconds, and the
// rate at which the others follow, in bytes per second.
type Lone func(from, to topology.EndpointID) (latency, bytesPerS float64)

// mostLate bounds the messages whose routes are followed one by one.
const mostLate = 1 << 16

// late is when the last link has carried what a step whose repetitions do not wait for each other puts on it, in shares of S at
// the rate of an endpoint: each link is busy with what of it comes when endpoints send the k-th of their messages and later, from
// then on. 0 if there are too many messages to follow.
func (w *waiting) late(ctx context.Context, places int, st collective.Step) (share float64, err error) {
	if len(w.n.Endpoint)*st.Repeat > mostLate {
		return 0, nil
	}
	after := make(map[int32]float64)
	for k := st.Repeat - 1; k >= 0; k-- {
		begun := 0.0
		for i := range st.Lanes {
			l := &st.Lanes[i]
			begun += float64(k) * l.Share
			w.each(l, places, k, func(from, to int) {
				list, e := w.route(ctx, from, to)
				if e != nil {
					err = e
				}
				for _, u := range list {
					after[u.channel] += u.share * l.Share
				}
			})
		}
		for _, x := range after {
			share = max(share, begun+x)
		}
	}
	return share, err
}

// Estimate is the time of a collective, in seconds.
type Estimate struct {
	Total    float64
	Transfer float64 // of it, what the busiest link or endpoint of each step carries
}

// ByAlgorithm is the time of one of the collectives of c by an algorithm, all its groups at once. Unlike Collective, which takes
// Link.Alpha for every step, it knows how long each message takes and follows what ranks wait for: data, not steps. A ring
// whose links differ takes what data take around it, or what its busiest link carries if that is more; rings beside each other
// fill each other's gaps; messages that wait for nothing follow one another; pipelines fill once. Link.Alpha comes on top for
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
		return n.pipeline(ctx, c, flows, lone)
	}
	s, err := a.Schedule(c.Kind)
	if err != nil {
		return e, err
	}
	if a.Ports() > 1 { // its parts go on beside each other, and meet at ports
		return n.pipeline(ctx, c, s.Flows(), lone)
	}
	stages, err := n.stages(ctx, c.Group, s)
	if err != nil {
		return e, err
	}
	w := waiting{n: n, c: c, lone: lone, routes: make(map[[2]int32][]used)}
	for i, st := range s.Steps {
		transfer := stages[i].far * c.Bytes / n.Link.BytesPerS
		e.Transfer += transfer
		if err := w.step(ctx, s.Ranks, st); err != nil {
			return e, err
		}
		if st.Lanes[0].Grow != 0 {
			tail, err := w.late(ctx, s.Ranks, st)
			if err != nil {
				return e, err
			}
			e.Transfer += max(0, tail*c.Bytes/n.Link.BytesPerS-transfer)
		}
	}
	e.Total = max(w.last(), e.Transfer+w.least)
	if h, ok := a.(collective.HalvingDoubling); ok {
		e.Total += n.handedOver(h.N, c.Bytes)
	}
	return e, nil
}

// handedOver is what the first step of an all-reduce by halving among ranks that are no power of two takes longer than
// its vector: the others do not wait for it, and what they send to the ranks that are still receiving, all but a q-th of the
// vector, shares their ports.
func (n *Network) handedOver(ranks int, bytes float64) float64 {
	q := 1 << (bits.Len(uint(ranks)) - 1)
	if q == ranks {
		return 0
	}
	return (1 - 1/float64(q)) * bytes / n.Link.BytesPerS
}

// waiting follows what each rank has received, step by step.
type waiting struct {
	n    *Network
	c    workload.Communication
	lone Lone
	// ready[chain][rank] is when a rank has all that it waits for in a chain of lanes; sent when its port is free again.
	ready  [][]float64
	least  float64 // the shortest latency of a message
	routes map[[2]int32][]used
}

func (w *waiting) last() (t float64) {
	for _, chain := range w.ready {
		t = max(t, slices.Max(chain))
	}
	return t
}

// each calls f for a lane's messages in a repetition, in all groups, by ranks of the network.
func (w *waiting) each(l *collective.Lane, places, k int, f func(from, to int)) {
	g := w.c.Group
	l.Each(places, k, func(from, to int) {
		for base := 0; base < len(w.n.Endpoint); base += g.Stride * g.Size {
			for low := range g.Stride {
				f(base+low+from*g.Stride, base+low+to*g.Stride)
			}
		}
	})
}

// step lets the lanes of a step go.
func (w *waiting) step(ctx context.Context, places int, st collective.Step) error {
	var crowd map[int32]float64 // shares of S on channels
	if st.Repeat == 1 {         // ranks of steps that repeat fall out of step, so that they do not meet again and again
		var err error
		if crowd, err = w.crowd(ctx, places, st); err != nil {
			return err
		}
	}
	port := w.n.Link.BytesPerS
	for i := range st.Lanes {
		l := &st.Lanes[i]
		for len(w.ready) <= l.Chain {
			w.ready = append(w.ready, make([]float64, len(w.n.Endpoint)))
		}
		now := w.ready[l.Chain]
		next := slices.Clone(now)
		bytes := l.Share * w.c.Bytes
		for k := range st.Repeat {
			w.each(l, places, k, func(from, to int) {
				latency, rate := w.lone(w.n.Endpoint[from], w.n.Endpoint[to])
				if w.least == 0 || latency < w.least {
					w.least = latency
				}
				start := now[from]
				if l.Grow != 0 {
					start += float64(k) * bytes / port
				}
				took := bytes / rate
				if crowd != nil {
					took = max(took, w.meets(crowd, from, to)*w.c.Bytes/port)
				}
				next[to] = max(next[to], start+w.n.Link.Alpha+latency+took)
				next[from] = max(next[from], start+bytes/port)
			})
			if l.Grow == 0 {
				copy(now, next)
			}
		}
		copy(now, next)
	}
	return nil
}

// pipeline is the time of flows that are under way together.
func (n *Network) pipeline(ctx context.Context, c workload.Communication, flows []collective.Flow, lone Lone) (e Estimate, err error) {
	t := n.newPairs(c.Group)
	for _, f := range flows {
		t.send(f.From, f.To, float64(f.Count)*f.Share)
	}
	far, err := t.far(ctx)
	if err != nil {
		return e, err
	}
	e.Transfer = far * c.Bytes / n.Link.BytesPerS
	least := 0.0
	for base := 0; base < len(n.Endpoint); base += c.Stride * c.Size {
		for low := range c.Stride {
			p := newStream(flows, func(i int) (alpha, took, port float64) {
				f := &flows[i]
				latency, rate := lone(n.Endpoint[base+low+f.From*c.Stride], n.Endpoint[base+low+f.To*c.Stride])
				if least == 0 || latency < least {
					least = latency
				}
				bytes := f.Share * c.Bytes
				return n.Link.Alpha + latency, bytes / rate, bytes / n.Link.BytesPerS
			}, c.Size)
			e.Total = max(e.Total, p.run())
		}
	}
	e.Total = max(e.Total, e.Transfer+least)
	return e, nil
}
