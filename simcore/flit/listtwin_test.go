package flit_test

import (
	"math"
	"slices"

	"toposearch/simcore"
	"toposearch/simcore/flit"
)

// The list twin is BookSim2's router as reference/simcore.md 1 tells it, sentence by sentence: lists
// of entries for each stage, evaluated and then updated; buffers, output FIFOs and credit FIFOs as
// slices; lines as slices of (due, thing); allocators as matrices that are scanned (listalloc_test.go).
// It shares the routing functions and nothing else with the engine.

const (
	tIdle = iota
	tRouting
	tWaiting // for an output VC
	tActive
)

type tFlit struct {
	p                        *tPacket
	head, tail               bool
	vc                       int
	injected, arrived, hops_ int
}

type tPacket struct {
	simcore.Packet
	created, size, seq int
	ahead              []tElem // look-ahead: the route at the next router
	injected, headAt   int
	gone               int // flits retired
	record             bool
}

// tElem is an element of a route set.
type tElem struct{ port, lo, hi, pri int }

type tVC struct {
	queue     []*tFlit
	state     int
	route     []tElem
	port, ovc int
}

// tEntry is an entry of a stage's list: in progress if due >= 0.
type tEntry struct {
	port, vc, due int
	spec          bool
	granted       bool
	second        bool // by the speculative allocator
	xin, xout     int
	flit          *tFlit
}

type tEvent struct {
	due  int
	flit *tFlit
	vcs  []int
}

// tLine leads to an input port of a router, or to a node (router -1).
type tLine struct {
	router, port, latency, creditLatency int
	flits, credits                       []tEvent
}

// tOut is an output: what is known of the buffer behind it, and the queue in front of the line.
type tOut struct {
	line     *tLine
	occ      []int
	inUse    []bool
	tailGone []bool
	fifo     []*tFlit
	pending  []tEvent // credits read, to be applied
}

type tIn struct {
	vcs     []tVC
	from    *tLine
	message []int   // credits of this step
	fifo    [][]int // messages
}

type tRouter struct {
	in                                  []tIn
	out                                 []tOut
	route, vcalloc, swalloc, hold, xbar []tEntry
	holdVC                              []int // by crossbar input
	holdOut                             []bool
	offset                              []int
	va, sa, spec                        *tAlloc
	partial                             float64
}

type tNode struct {
	tOut
	cur            *tPacket
	sent, vc, last int
	lo, hi         int
	queue          []*tPacket // recorded, in the order in which they reach the head
	eject          *tLine
}

type twin struct {
	c        *flit.Config
	routing  flit.PortRouting
	routers  []tRouter
	nodes    []tNode
	view     *flit.FakeView
	t        int
	moved    int64 // flits that won a switch
	injected int64
	accepted int64
	latency  int64 // of the packets that have arrived
	flat     int64
	later    []func() // look-ahead routes, computed when all routers have worked

	m *listMeasure // nil: nothing is measured
}

func newTwin(p *flit.Plant, r flit.PortRouting, c *flit.Config) *twin {
	n := &twin{c: c, routing: r, routers: make([]tRouter, p.Switches), nodes: make([]tNode, p.Endpoints)}
	grow := func(sw, in, out int) {
		x := &n.routers[sw]
		for len(x.in) <= in {
			x.in = append(x.in, tIn{vcs: make([]tVC, c.VCs)})
		}
		for len(x.out) <= out {
			x.out = append(x.out, n.output())
		}
	}
	for _, l := range p.Lines {
		grow(int(l.From), -1, int(l.FromPort))
		grow(int(l.To), int(l.ToPort), -1)
	}
	for i := range p.Inject {
		grow(int(p.Inject[i].Switch), int(p.Inject[i].SwitchPort), -1)
		grow(int(p.Eject[i].Switch), -1, int(p.Eject[i].SwitchPort))
	}
	credit := func(own, other int32) int {
		if other != 0 {
			return int(other)
		}
		return int(own)
	}
	for _, l := range p.Lines {
		x := &tLine{router: int(l.To), port: int(l.ToPort), latency: int(l.Latency), creditLatency: credit(l.Latency, l.CreditLatency)}
		n.routers[l.From].out[l.FromPort].line, n.routers[l.To].in[l.ToPort].from = x, x
	}
	for _, l := range p.Inject {
		d := &n.nodes[l.Endpoint]
		d.tOut, d.vc, d.last = n.output(), -1, -1
		d.line = &tLine{router: int(l.Switch), port: int(l.SwitchPort), latency: int(l.Latency), creditLatency: int(l.Latency)}
		n.routers[l.Switch].in[l.SwitchPort].from = d.line
	}
	for _, l := range p.Eject {
		x := &tLine{router: -1, port: int(l.Endpoint), latency: int(l.Latency), creditLatency: int(l.Latency)}
		n.routers[l.Switch].out[l.SwitchPort].line, n.nodes[l.Endpoint].eject = x, x
	}
	var ports []int
	for i := range n.routers {
		x := &n.routers[i]
		ins, outs := len(x.in)*c.InputSpeedup, len(x.out)*c.OutputSpeedup
		x.va, x.sa = newTAlloc(c.VCAllocator, len(x.in)*c.VCs, len(x.out)*c.VCs), newTAlloc(c.SwAllocator, ins, outs)
		if c.Speculative && c.SpecSwAllocator != "prio" {
			x.spec = newTAlloc(c.SpecSwAllocator, ins, outs)
		}
		x.holdOut = make([]bool, outs)
		for k := range ins {
			x.holdVC, x.offset = append(x.holdVC, -1), append(x.offset, k%c.InputSpeedup)
		}
		ports = append(ports, len(x.out))
	}
	n.view = flit.NewFakeView(ports)
	return n
}

func (n *twin) output() tOut {
	return tOut{occ: make([]int, n.c.VCs), inUse: make([]bool, n.c.VCs), tailGone: make([]bool, n.c.VCs)}
}

func (o *tOut) full(vc, size int) bool { return o.occ[vc] >= size }

// due takes what stands in a line's register.
func due(e *[]tEvent, t int) (out []tEvent) {
	*e = slices.DeleteFunc(*e, func(x tEvent) bool {
		if x.due == t {
			out = append(out, x)
		}
		return x.due == t
	})
	return out
}

// credit applies a credit of an output VC.
func (o *tOut) credit(vc int) {
	o.occ[vc]--
	if o.tailGone[vc] && o.occ[vc] == 0 {
		o.tailGone[vc], o.inUse[vc] = false, false
	}
}

// gone accounts for a flit sent on an output VC.
func (n *twin) gone(o *tOut, f *tFlit, vc int) {
	o.occ[vc]++
	if f.tail {
		if n.c.WaitForTailCredit {
			o.tailGone[vc] = true
		} else {
			o.inUse[vc] = false
		}
	}
}

// cycle is one simulated cycle, step by step as in 1.1.
func (n *twin) cycle() {
	arrived := make([][]*tFlit, len(n.nodes))
	for i := range n.nodes { // 1
		d := &n.nodes[i]
		for _, e := range due(&d.eject.flits, n.t) {
			arrived[i] = append(arrived[i], e.flit)
			n.accepted++
			n.m.accept(i)
		}
		for _, e := range due(&d.line.credits, n.t) {
			for _, v := range e.vcs {
				d.credit(v)
			}
		}
	}
	read := make([][]*tFlit, len(n.routers)) // 2
	from := make([][]int, len(n.routers))
	for i := range n.routers {
		x := &n.routers[i]
		for k := range x.in {
			if x.in[k].from == nil {
				continue
			}
			for _, e := range due(&x.in[k].from.flits, n.t) {
				read[i], from[i] = append(read[i], e.flit), append(from[i], k)
			}
		}
		for k := range x.out {
			if x.out[k].line == nil {
				continue
			}
			for _, e := range due(&x.out[k].line.credits, n.t) {
				x.out[k].pending = append(x.out[k].pending, tEvent{due: n.t + n.c.CreditDelay, vcs: e.vcs})
			}
		}
	}
	for i := range n.nodes { // 3, 4
		n.inject(i)
	}
	for i, flits := range arrived { // 5
		for _, f := range flits {
			d := &n.nodes[i]
			d.eject.credits = append(d.eject.credits, tEvent{due: n.t + d.eject.creditLatency + 1, vcs: []int{f.vc}})
			n.flat += int64(n.t - f.injected)
			n.m.retire(f, n.t)
			if f.tail {
				n.latency += int64(n.t - f.p.created)
			}
		}
	}
	for i := range n.routers { // 6
		x := &n.routers[i]
		for x.partial += n.c.InternalSpeedup; x.partial >= 1; x.partial-- {
			n.step(i, read[i], from[i])
			read[i], from[i] = nil, nil
		}
	}
	for _, f := range n.later {
		f()
	}
	n.later = n.later[:0]
	for i := range n.routers { // 7
		n.output7(&n.routers[i])
	}
	n.t++
}

func (n *twin) output7(x *tRouter) {
	for k := range x.out {
		if o := &x.out[k]; len(o.fifo) > 0 {
			o.line.flits = append(o.line.flits, tEvent{due: n.t + o.line.latency + 1, flit: o.fifo[0]})
			o.fifo = o.fifo[1:]
		}
	}
	for k := range x.in {
		if in := &x.in[k]; len(in.fifo) > 0 {
			in.from.credits = append(in.from.credits, tEvent{due: n.t + in.from.creditLatency + 1, vcs: in.fifo[0]})
			in.fifo = in.fifo[1:]
		}
	}
}

// inject is 1.8; packets come from the recording (1.7).
func (n *twin) inject(i int) {
	d := &n.nodes[i]
	if d.cur == nil && len(d.queue) > 0 && d.queue[0].created <= n.t && !n.m.stopped() {
		d.cur, d.queue, d.sent, d.vc = d.queue[0], d.queue[1:], 0, -1
		n.m.atHead(d.cur, n.t)
		e := n.routing.InjectPort(&d.cur.Packet, &n.view.View)
		d.lo, d.hi = int(e.Lo), int(e.Hi)
	}
	if d.cur == nil {
		return
	}
	if d.vc < 0 {
		if r, ok := n.routing.(flit.Reinjector); ok {
			lo, hi := r.Reinject(&d.cur.Packet, &n.view.View)
			d.lo, d.hi = int(lo), int(hi)
		}
		free := func(v int) bool { return !d.inUse[v] && !d.full(v, n.c.BufferFlits) }
		if d.last < d.lo || d.last > d.hi {
			if free(d.lo) {
				d.vc = d.lo
			}
		} else {
			for k, size := 1, d.hi-d.lo+1; k <= size && d.vc < 0; k++ {
				if v := d.lo + (d.last-d.lo+k)%size; free(v) {
					d.vc = v
				}
			}
		}
		if d.vc < 0 {
			return
		}
		d.inUse[d.vc] = true
	}
	if d.full(d.vc, n.c.BufferFlits) {
		return
	}
	d.sent++
	f := &tFlit{p: d.cur, head: d.sent == 1, tail: d.sent == d.cur.size, vc: d.vc, injected: n.t}
	if f.head && n.c.RoutingDelay == 0 {
		n.routeAt(d.line.router, f)
	}
	n.gone(&d.tOut, f, d.vc)
	d.line.flits = append(d.line.flits, tEvent{due: n.t + d.line.latency + 1, flit: f})
	n.injected++
	n.m.inject()
	if f.head {
		d.cur.injected = n.t
	}
	if f.tail {
		d.last, d.cur = d.vc, nil
	}
}

// routeAt asks the routing function for a head that arrives at a router on its VC.
func (n *twin) routeAt(sw int, f *tFlit) {
	p := f.p
	p.VC = uint8(f.vc)
	h := n.routing.RoutePort(int32(sw), &p.Packet, &n.view.View)
	p.Hops++
	p.ahead = []tElem{{int(h.Port), int(h.Lo), int(h.Hi), 0}}
	if h.HasAlt {
		p.ahead[0].pri = 1
		p.ahead = append(p.ahead, tElem{int(h.AltPort), int(h.AltLo), int(h.AltHi), 0})
	}
}

// priority is that of the front flit of a VC (1.6).
func (n *twin) priority(v *tVC) int64 {
	f := v.queue[0]
	switch n.c.Priority {
	case "age":
		return math.MaxInt32 - int64(f.p.created)
	case "network_age":
		return math.MaxInt32 - int64(f.injected)
	case "local_age":
		return math.MaxInt32 - int64(f.arrived)
	case "queue_length":
		return int64(len(v.queue))
	case "hop_count":
		return int64(f.hops_)
	case "sequence":
		return math.MaxInt32 - int64(f.p.seq)
	}
	return 0
}
