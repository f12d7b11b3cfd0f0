package cutthrough

import (
	"math/bits"
	"sync"

	"toposearch/simcore"
)

// Kinds of events, in the order in which those of one instant are worked through: what makes room
// first, what may wait last.
const (
	kindCredit     = iota // port: an output; what: VC and bytes
	kindNICCredit         // port: the input that the endpoint feeds; what: VC and bytes
	kindControl           // port: an output; what: VC, and whether to pause
	kindNICControl        // port: the input that the endpoint feeds
	kindArrive            // port: an input; what: a packet whose head has passed the pipeline
	kindCreate            // port: the input that the endpoint feeds; what: a packet
	kindWake              // port: an output
	kindNICWake           // port: the input that the endpoint feeds
)

// event is something that happens at a switch. Its key is the time in ps, the kind in 3 bits and
// the number of the port within the switch in 16. Events of equal keys come from one place, in
// order, or commute.
type event struct {
	key  uint64
	sw   int32
	what uint32
}

const (
	portBits = 16
	kindBits = 3
	timeBits = portBits + kindBits
)

// worker simulates some of the switches.
type worker struct {
	s         *Sim
	id        int
	from, end int32 // switches
	view      simcore.View
	query     simcore.Packet // what the routing is asked about

	now   int64 // ps
	until int64 // end of the window
	sw    int32 // switch at work
	boxes [][][]event
	// Lists of boxes that have been emptied are used again, the last first, while they are in cache:
	// few of the boxes are in use at a time. What worker i has emptied stands in emptied[i] until the
	// next window begins.
	lists   [][]event
	emptied [][][]event
	queue   []event // of the switch at work, in this window: a heap by key
	events  []event // of this window, by switch
	count   []int32
	// touched marks switches with events.
	touched []uint64
	turn    []event
	touch   int32 // keeps fetch from being optimised away

	free, spare int32 // lists of free packets, -1: none; spare holds as many as a chunk
	freeN       int
	calendar    []int32 // endpoints by the window of their next packet, mod calendarSize
	stat        tally
	inNet       int64

	// Of a workload: what endpoints of other workers, by slot, are told; those at work here.
	told     [][][]notice
	notices  []notice
	sending  []int32 // endpoints with something to send
	arrived  int64   // bytes since the last look
	lastTail int64   // ps of the last arrival
}

func (w *worker) init(s *Sim, id int) {
	*w = worker{s: s, id: id, view: simcore.NewView(s.net, w)}
	w.boxes, w.emptied = make([][][]event, len(s.workers)), make([][][]event, len(s.workers))
	for i := range w.boxes {
		w.boxes[i] = make([][]event, s.slots)
	}
	w.calendar = make([]int32, calendarSize)
	w.stat.init(s.cfg.Batches)
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

// push files an event: for the switch at work and this window into its queue, else for the worker
// that owns the switch.
func (w *worker) push(at int64, kind uint64, port, sw int32, what uint32) {
	e := event{uint64(at)<<timeBits | kind<<portBits | uint64(uint32(port)), sw, what}
	s := w.s
	if at < w.until {
		if checking && sw != w.sw {
			panic("cutthrough: an event for another switch lies within the window")
		}
		w.insert(e)
		return
	}
	box := &w.boxes[s.owner[sw]][int(at>>s.shift)&(s.slots-1)]
	if n := len(w.lists); *box == nil && n > 0 {
		*box = w.lists[n-1]
		w.lists = w.lists[:n-1]
	}
	*box = append(*box, e)
}

// collectLists takes back the lists that have been emptied.
func (w *worker) collectLists() {
	for i, lists := range w.emptied {
		w.lists = append(w.lists, lists...)
		w.emptied[i] = lists[:0]
	}
}

// insert puts an event into the queue of the switch at work. Its heap is its own: with the tie that
// internal/heap keeps besides the key an event has 24 bytes instead of 16, and takes a fifth longer.
func (w *worker) insert(e event) {
	q := append(w.queue, e)
	i := len(q) - 1
	for i > 0 {
		up := (i - 1) / 2
		if q[up].key <= e.key {
			break
		}
		q[i] = q[up]
		i = up
	}
	q[i] = e
	w.queue = q
}

// first takes the first event of the queue out.
func (w *worker) first() event {
	q := w.queue
	top, n := q[0], len(q)-1
	e := q[n]
	q = q[:n]
	i := 0
	for {
		k := 2*i + 1
		if k >= n {
			break
		}
		if k+1 < n && q[k+1].key < q[k].key {
			k++
		}
		if q[k].key >= e.key {
			break
		}
		q[i] = q[k]
		i = k
	}
	if n > 0 {
		q[i] = e
	}
	w.queue = q
	return top
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
	var wg sync.WaitGroup
	for i := range s.workers[1:] {
		wg.Add(1)
		go func() {
			f(&s.workers[i+1])
			wg.Done()
		}()
	}
	f(&s.workers[0])
	wg.Wait()
}

// take gives a free packet.
func (w *worker) take() int32 {
	if w.free < 0 {
		if w.spare >= 0 {
			w.free, w.spare = w.spare, -1
		} else {
			w.free = w.s.takeList()
		}
		w.freeN = 1 << chunkBits
	}
	i := w.free
	w.free = w.s.at(i).next
	w.freeN--
	return i
}

// drop takes a packet back. A list that is full becomes the spare one; the spare one before it
// goes to whoever runs short.
func (w *worker) drop(i int32) {
	if w.freeN == 1<<chunkBits {
		if w.spare >= 0 {
			w.s.giveList(w.spare)
		}
		w.spare, w.free, w.freeN = w.free, -1, 0
	}
	w.s.at(i).next = w.free
	w.free = i
	w.freeN++
}
