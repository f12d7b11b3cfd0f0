package cutthrough

import (
	"math/bits"

	"toposearch/internal/crew"
	"toposearch/simcore"
)

func (w *worker) init(s *Sim, id int) {
	*w = worker{s: s, id: id, view: simcore.NewView(s.net, w, nil)}
	w.boxes, w.emptied = make([][][]event, len(s.workers)), make([][][]event, len(s.workers))
	for i := range w.boxes {
		w.boxes[i] = make([][]event, s.slots)
	}
	w.calendar = make([]int32, calendarSize)
	w.stat.init(s.cfg.Batches)
	if s.failing != nil {
		w.stat.phases = make(simcore.Phases, len(s.failing.plan)+1)
	}
	if s.loop != nil {
		w.told = make([][][]notice, len(s.workers))
		for i := range w.told {
			w.told[i] = make([][]notice, s.slots)
		}
	}
}

func (w *worker) reset() {
	w.collectLists()
	for _, b := range w.boxes {
		for i := range b {
			if b[i] != nil {
				w.lists = append(w.lists, b[i][:0])
				b[i] = nil
			}
		}
	}
	w.queue, w.free, w.spare, w.freeN, w.inNet = w.queue[:0], -1, -1, 0, 0
	for i := range w.calendar {
		w.calendar[i] = -1
	}
	w.stat.reset()
	for _, b := range w.told {
		for i := range b {
			b[i] = b[i][:0]
		}
	}
	w.sending, w.arrived, w.lastTail = w.sending[:0], 0, 0
}

// gather sorts the events of the window that begins now by switch; those of a switch keep their
// order.
func (w *worker) gather() {
	s := w.s
	slot := int(s.now>>s.shift) & (s.slots - 1)
	n := 0
	for k := range s.workers {
		for _, e := range s.workers[k].boxes[w.id][slot] {
			i := e.sw - w.from
			w.count[i]++
			w.touched[i>>6] |= 1 << (i & 63)
		}
		n += len(s.workers[k].boxes[w.id][slot])
	}
	if cap(w.events) < n {
		w.events = make([]event, n, n+n/4)
	}
	w.events = w.events[:n]
	at := int32(0)
	for b, m := range w.touched {
		for ; m != 0; m &= m - 1 {
			i := b<<6 + bits.TrailingZeros64(m)
			at, w.count[i] = at+w.count[i], at
		}
	}
	for k := range s.workers {
		box := &s.workers[k].boxes[w.id][slot]
		for _, e := range *box {
			i := e.sw - w.from
			w.events[w.count[i]] = e
			w.count[i]++
		}
		if *box != nil {
			x := s.workers[k].emptied
			x[w.id] = append(x[w.id], (*box)[:0])
			*box = nil
		}
	}
}

// switches works through the events of this window.
func (w *worker) switches() {
	w.gather()
	from := int32(0)
	for b, m := range w.touched {
		w.touched[b] = 0
		for ; m != 0; m &= m - 1 {
			i := b<<6 + bits.TrailingZeros64(m)
			end := w.count[i]
			w.count[i] = 0
			w.work(w.from+int32(i), w.events[from:end])
			from = end
		}
	}
}

// work simulates one switch for the window.
func (w *worker) work(sw int32, events []event) {
	w.fetch(events)
	w.order(events)
	w.sw = sw
	for i := 0; i < len(events) || len(w.queue) > 0; {
		if i < len(events) && (len(w.queue) == 0 || events[i].key <= w.queue[0].key) {
			w.handle(&events[i])
			i++
			continue
		}
		e := w.first()
		w.handle(&e)
	}
}

// fetch touches the packets that arrive, which last stood in the cache of whoever sent them: one
// load after the other, so that the memory works on many at a time.
func (w *worker) fetch(events []event) {
	x := w.touch
	for i := range events {
		if e := &events[i]; e.key>>portBits&(1<<kindBits-1) == kindArrive {
			x += w.s.at(int32(e.what)).dst
		}
	}
	w.touch = x
}

// order sorts events by key, keeping equal ones in order: many at first into as many parts of
// the window as there are events, then by insertion.
func (w *worker) order(e []event) {
	if len(e) > 16 {
		if cap(w.turn) < len(e) {
			w.turn = make([]event, 2*len(e))
		}
		w.spread(e, w.turn[:len(e)])
	}
	for i := 1; i < len(e); i++ {
		x := e[i]
		k := i
		for k > 0 && e[k-1].key > x.key {
			e[k] = e[k-1]
			k--
		}
		e[k] = x
	}
}

// parts is the number of parts of a window into which events are sorted at first.
const partBits = 6

func (w *worker) spread(e, turn []event) {
	var start [1<<partBits + 1]int32
	down := w.s.shift + timeBits - min(partBits, w.s.shift)
	for i := range e {
		start[(e[i].key>>down)&(1<<partBits-1)+1]++
	}
	for i := 1; i <= 1<<partBits; i++ {
		start[i] += start[i-1]
	}
	for i := range e {
		k := (e[i].key >> down) & (1<<partBits - 1)
		turn[start[k]] = e[i]
		start[k]++
	}
	copy(e, turn)
}

// step simulates one window.
func (s *Sim) step() {
	if len(s.workers) == 1 {
		w := &s.workers[0]
		w.create()
		w.switches()
	} else {
		s.all((*worker).create)
		s.all((*worker).switches)
	}
	s.now += 1 << s.shift
	if s.loop != nil {
		s.collect()
	}
}

// all lets every worker do something, and waits.
func (s *Sim) all(f func(*worker)) {
	crew.Run(len(s.workers), func(i int) { f(&s.workers[i]) }, nil)
}

// border is the first border of windows of events that is not before a time.
func (s *Sim) border(at int64) int64 { return (at + 1<<s.shift - 1) &^ (1<<s.shift - 1) }
