package cutthrough

import (
	"cmp"
	"slices"
)

// create makes the packets of this window.
func (w *worker) create() {
	s := w.s
	w.collectLists()
	w.now, w.until, w.sw = s.now, s.now, -1
	if s.loop != nil {
		w.createInLoop()
		w.until = s.now + 1<<s.shift
		return
	}
	end := s.now + 1<<s.shift
	k := s.now >> s.shift & (calendarSize - 1)
	e := w.calendar[k]
	w.calendar[k] = -1
	for e >= 0 {
		x, next := &s.src[e], s.calNext[e]
		if w.createAt(e, x, end) {
			// Its queue is full: it tries again in the next window.
			k := end >> s.shift & (calendarSize - 1)
			s.calNext[e], w.calendar[k] = w.calendar[k], e
		} else {
			w.file(e, x)
		}
		e = next
	}
	w.until = end
}

// createAt makes the packets of one endpoint that are due before end, as far as its ports have
// room in their queues; what is due later stays a number, so that sources need no memory however
// long they wait. true: one waits for room.
func (w *worker) createAt(e int32, x *source, end int64) bool {
	s := w.s
	for {
		if x.pend < 0 {
			if s.createdBy(e, x) >= end || s.load == 0 && s.loop == nil {
				return false
			}
			if s.epStart[e+1]-s.epStart[e] == 1 && s.nic[s.epTie[s.epStart[e]]].n >= s.depth {
				return true
			}
			if s.loop != nil {
				x.pend = w.drawInLoop(e, x)
			} else {
				x.pend = w.draw(e, x)
			}
			if x.pend < 0 {
				continue
			}
		}
		p := s.at(x.pend)
		k := s.epTie[s.epStart[e]+int32(p.port)]
		port := &s.nic[k]
		if port.n >= s.depth {
			return true
		}
		port.n++
		port.bytes += s.bytes[p.size]
		w.push(max(p.created, s.now), kindCreate, port.in-s.inStart[port.sw], port.sw, uint32(x.pend))
		x.pend = -1
	}
}

// createInLoop makes the packets of this window.
func (w *worker) createInLoop() {
	s := w.s
	slot := int(s.now>>s.shift) & (s.slots - 1)
	w.notices = w.notices[:0]
	for k := range s.workers {
		box := &s.workers[k].told[w.id][slot]
		w.notices = append(w.notices, *box...)
		*box = (*box)[:0]
	}
	slices.SortFunc(w.notices, func(a, b notice) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.e, b.e), cmp.Compare(a.tag, b.tag), cmp.Compare(a.bytes, b.bytes))
	})
	for _, n := range w.notices {
		s.hear(n)
	}
	still := w.sending[:0]
	for _, e := range w.sending {
		x := &s.src[e]
		if w.createAt(e, x, s.now+1<<s.shift) || x.next < never {
			still = append(still, e)
		} else {
			s.loop.ends[e].sending = false
		}
	}
	w.sending = still
}
