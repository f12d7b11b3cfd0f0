package queue

import (
	"context"
	"math"
)

const (
	rounds  = 300  // of means that follow from each other; at loads that are carried some ten are enough
	settled = 1e-4 // packets by which no mean changes any more
	exact   = 1e-3 // of the load found
)

// Saturation is the largest load, at most 1, at which all queues have means. It takes seconds for ten thousands of channels; an error is
// that of a cancelled context.
func (m *Model) Saturation(ctx context.Context) (float64, error) {
	lo, hi := 0.0, 1.0
	if m.carries(ctx, hi) {
		return hi, ctx.Err()
	}
	for hi-lo > exact && ctx.Err() == nil {
		if mid := (lo + hi) / 2; m.carries(ctx, mid) {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo, ctx.Err()
}

// carries reports whether the means at a load settle before an output is full or an input has no VC left.
func (m *Model) carries(ctx context.Context, load float64) bool {
	clear(m.held)
	for k := 0; k < rounds && ctx.Err() == nil; k++ {
		for o := range m.ports {
			if m.ports[o].out > 0 && !m.leave(o, load) {
				return false
			}
		}
		change := 0.0
		for i := range m.ports {
			p := &m.ports[i]
			sum := 0.0
			for _, t := range m.turns[m.start[i]:m.start[i+1]] {
				sum += load * t.rate / m.sw.Packet * m.front[t.out]
			}
			if sum >= p.vcs {
				return false
			}
			change = max(change, math.Abs(sum-m.held[i]))
			m.held[i] = sum
		}
		if change < settled {
			return true
		}
	}
	return false
}

// leave finds for how long packets that leave by an output are at the front of a VC before it; false: it is full.
func (m *Model) leave(o int, load float64) bool {
	p, sw := &m.ports[o], &m.sw
	flow := load * p.out
	// An endpoint that is its own switch takes what comes.
	rho := flow / p.rate
	if p.closed {
		rho = 0
	}
	if rho >= 1 {
		return false
	}
	m.front[o] = sw.Turn + sw.Packet*max(0, sw.Trip/sw.Buffer-1) // a VC shorter than the round trip is slower
	if rho == 0 {
		return true
	}
	next := 0.0
	if o < m.channels { // what is at the next switch; a packet that moves on has half of its slots on average
		moving := flow / sw.Speedup / p.vcs
		next = max(stored(m.held[o]/p.vcs, p.vcs)-moving/2, 0)
	}
	queue := waiting(rho, p.mix)
	room := sw.Buffer/sw.Packet - flow*sw.Trip/sw.Packet/p.vcs
	own := p.vcs * beyond(queue/p.vcs, 0, room)
	blocked := p.vcs*beyond(queue/p.vcs, next, room) - own + met(own, rho, p.mix, p.vcs)
	across := flow / sw.Speedup
	others := met(waiting(across, p.mix)-across, across, p.mix, p.vcs)
	m.front[o] += (1 + others/across) * sw.Packet / sw.Speedup
	m.front[o] += blocked * sw.Packet / flow
	return true
}
