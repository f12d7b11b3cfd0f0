package cutthrough

import (
	"slices"

	"toposearch/simcore"
)

// standAt has the owner of a switch work on it, between two windows.
func (s *Sim) standAt(sw int32) *worker {
	w := &s.workers[s.owner[sw]]
	w.now, w.until, w.sw = s.now, s.now, sw
	return w
}

// loseQueues loses what waits at some outputs of a switch.
func (s *Sim) loseQueues(sw, from, end int32, cause int) {
	w := s.standAt(sw)
	for o := from; o < end; o++ {
		out := &s.out[o]
		w.account(out)
		for vc := int32(0); out.waiting != 0 && vc < int32(s.vcs); vc++ {
			q := &s.lanes[o*int32(s.vcs)+vc]
			for h := q.first; h >= 0; {
				across := s.at(h).sibling
				for i := h; i >= 0; {
					p := s.at(i)
					next := p.next
					out.queued -= s.bytes[p.size]
					out.packets--
					w.release(sw, s.inStart[sw]+int32(p.in), p, max(w.now, p.tail))
					w.lose(i, p, cause, w.now)
					i = next
				}
				h = across
			}
			q.first, q.last = -1, -1
			out.waiting &^= 1 << vc
		}
	}
}

// loseAtSource loses what waits at an endpoint's port.
func (w *worker) loseAtSource(x *nicPort) {
	s := w.s
	for i := x.head; i >= 0; {
		p := s.at(i)
		next := p.next
		x.n--
		x.bytes -= s.bytes[p.size]
		w.inNet++ // it never was
		w.lose(i, p, simcore.LostAtPort, w.now)
		i = next
	}
	x.head, x.tail = -1, -1
}

// lose takes a packet in the network out at a time.
func (w *worker) lose(i int32, p *packet, cause int, at int64) {
	s := w.s
	b := int64(s.bytes[p.size])
	if p.vc&flagRec != 0 {
		w.stat.outstanding--
	}
	w.stat.gone += b
	w.stat.phases.Lose(at, cause, b)
	w.stat.moved = w.now
	w.inNet--
	w.drop(i)
}

// cutOnWay loses a packet that leaves now if its output goes down before the last byte has arrived, at a time.
func (w *worker) cutOnWay(o, i int32, p *packet, arrives int64) bool {
	out := &w.s.out[o]
	if out.fault&faultSoon == 0 || arrives <= w.s.failing.outCut[o] {
		return false
	}
	w.lose(i, p, simcore.LostOnLink, w.s.failing.outCut[o])
	return true
}

// loseArrivals loses packets that have left their senders and not reached the queues of the next switch, of all switches or of
// those that are chosen: between two windows they stand in lists of events.
func (s *Sim) loseArrivals(cause int, at func(sw int32) bool) {
	var lost []event
	for i := range s.workers {
		for _, b := range s.workers[i].boxes {
			for slot := range b {
				b[slot] = slices.DeleteFunc(b[slot], func(e event) bool {
					out := e.key>>portBits&(1<<kindBits-1) == kindArrive && at(e.sw)
					if out {
						lost = append(lost, e)
					}
					return out
				})
			}
		}
	}
	for _, e := range lost {
		s.standAt(e.sw).loseArrival(s.inStart[e.sw]+int32(e.key&(1<<portBits-1)), int32(e.what), cause)
	}
}

// loseArrival loses a packet that was to be stored at an input.
func (w *worker) loseArrival(in, i int32, cause int) {
	p := w.s.at(i)
	if !w.s.pfc {
		w.giveCredit(in, int32(p.vc&vcMask), w.s.bytes[p.size], max(w.now, p.tail))
	}
	w.lose(i, p, cause, w.now)
}

// loseStored loses a packet that has just been stored at an input, whose output is down or is no port.
func (w *worker) loseStored(in, i int32, p *packet, o int32) {
	w.release(w.sw, in, p, max(w.now, p.tail))
	cause := simcore.LostAtPort
	if o == deadEnd {
		cause = simcore.LostNoRoute
	}
	w.lose(i, p, cause, w.now)
}
