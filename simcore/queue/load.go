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

// carries reports whether the means at a load settle before an output is full or an input has no VC left. An input that only the room behind one output leaves without costs
// nothing: the output is not full, has work all the time, and so works off what waits, unless it waits for room in turn. That ends where packets leave the network,
// but not in a circle, as around a ring; nor is there one where packets keep to layers, none of which knows a circle of waiting (of torus(k1=8,k2=8) by lash, uniform, 0.53 is expected, 0.53 to 0.56
// simulated, of ring(n=16), worst, 0.148, simulated 0.146 to 0.149; 0.43 and 0.094 if every such input ended it). With more such outputs some stand idle while packets for them wait behind others; so does an output whose packets wait for
// room in their leg, while others have nothing for it. (dcell(n=8,l=1), worst permutation, of which a
// channel is full at 0.056, expected 0.059, simulated 0.058 to 0.060; 0.041 if every such input ended it. Without regard to circles 0.47 would be expected of uniform
// traffic on ring(n=16) over two VCs, of which 0.37 is simulated, 0.374 with it.)
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
			held, stuck, by := m.hold(i, load)
			m.ahead[i] = drains
			if held >= p.vcs {
				if m.legs > 1 || held-stuck >= p.vcs {
					return false
				}
				held, m.ahead[i] = p.vcs, by
			}
			change = max(change, math.Abs(held-m.held[i]))
			m.held[i] = held
		}
		if !m.layers && m.circular() {
			return false
		}
		if change < settled {
			return true
		}
	}
	return false
}

// hold is how many packets are at the front of VCs of an input, and how many of them wait for room behind the output of which most do.
func (m *Model) hold(i int, load float64) (held, stuck float64, by int32) {
	for _, t := range m.turns[m.start[i]:m.start[i+1]] {
		rate := load * t.rate / m.sw.Packet
		held += rate * m.front[t.out]
		if x := rate * m.full[t.out]; x > stuck {
			stuck, by = x, t.out
		}
	}
	return held, stuck, by
}

// drains stands in Model.ahead for inputs that no output holds up.
const drains = -1

// circular says whether inputs that are held up wait for each other in a circle.
func (m *Model) circular() bool {
	for i := range m.ahead {
		at := int32(i)
		for steps := 0; m.ahead[at] != drains; steps++ {
			if at = m.ahead[at]; int(at) >= m.channels { // leaves the network
				break
			}
			if steps > m.channels {
				return true
			}
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
	m.front[o], m.full[o] = sw.Turn+sw.Packet*max(0, sw.Trip/sw.Buffer-1), 0 // a VC shorter than the round trip is slower
	if rho == 0 {
		return true
	}
	next := 0.0
	if o < m.channels { // what is at the next switch; a packet that moves on has half of its slots on average
		moving := flow / sw.Speedup / p.vcs
		next = max(stored(m.held[o]/p.vcs, varies(rho, p.vcs, m.legs, m.layers), sw.Buffer/sw.Packet)-moving/2, 0)
	}
	queue := waiting(rho, p.mix)
	room := sw.Buffer/sw.Packet - flow*sw.Trip/sw.Packet/p.vcs
	own := p.vcs * beyond(queue/p.vcs, 0, room)
	full := p.vcs*beyond(queue/p.vcs, next, room) - own
	blocked := full + met(own, rho, p.mix, p.vcs)
	across := flow / sw.Speedup
	others := met(waiting(across, p.mix)-across, across, p.mix, p.vcs)
	m.front[o] += (1 + others/across) * sw.Packet / sw.Speedup
	m.front[o] += blocked * sw.Packet / flow
	m.full[o] = full * sw.Packet / flow
	return true
}
