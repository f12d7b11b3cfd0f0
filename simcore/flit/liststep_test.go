package flit_test

import (
	"cmp"
	"slices"
)

// step is an internal step of a router (1.3): input queuing, evaluation of every stage, update of
// every stage, credits.
func (n *twin) step(sw int, flits []*tFlit, from []int) {
	x := &n.routers[sw]
	n.enqueue(sw, flits, from)
	for k := range x.out {
		o := &x.out[k]
		for len(o.pending) > 0 && o.pending[0].due <= n.t {
			for _, v := range o.pending[0].vcs {
				o.credit(v)
				n.view.Add(sw, k, -1)
			}
			o.pending = o.pending[1:]
		}
	}
	for k := range x.in {
		x.in[k].message = nil
	}
	n.evaluate(sw)
	n.update(sw)
	for k := range x.in {
		if in := &x.in[k]; len(in.message) > 0 {
			in.fifo = append(in.fifo, in.message)
		}
	}
}

// enqueue is (a) for the flits read.
func (n *twin) enqueue(sw int, flits []*tFlit, from []int) {
	x := &n.routers[sw]
	for i, f := range flits {
		v := &x.in[from[i]].vcs[f.vc]
		f.arrived = n.t
		v.queue = append(v.queue, f)
		switch {
		case v.state == tIdle:
			n.headAtFront(x, from[i], f.vc)
		case v.state == tActive && len(v.queue) == 1:
			e := tEntry{port: from[i], vc: f.vc, due: -1}
			if x.holdVC[n.xin(from[i], f.vc)] == f.vc {
				x.hold = append(x.hold, e)
			} else {
				x.swalloc = append(x.swalloc, e)
			}
		}
	}
}

// headAtFront starts the packet whose head is at the front of an idle VC.
func (n *twin) headAtFront(x *tRouter, port, vc int) {
	v := &x.in[port].vcs[vc]
	if n.c.RoutingDelay > 0 {
		v.state = tRouting
		x.route = append(x.route, tEntry{port: port, vc: vc, due: -1})
		return
	}
	v.route = v.queue[0].p.ahead
	n.wait(x, port, vc)
}

func (n *twin) wait(x *tRouter, port, vc int) {
	x.in[port].vcs[vc].state = tWaiting
	e := tEntry{port: port, vc: vc, due: -1}
	x.vcalloc = append(x.vcalloc, e)
	if n.c.Speculative {
		x.swalloc = append(x.swalloc, e)
	}
}

func (n *twin) xin(port, vc int) int     { return port*n.c.InputSpeedup + vc%n.c.InputSpeedup }
func (n *twin) xout(port, input int) int { return port*n.c.OutputSpeedup + input%n.c.OutputSpeedup }

// begin starts what waits in a list, unless something is in progress (1.3).
func (n *twin) begin(list []tEntry, delay int) []*tEntry {
	var out []*tEntry
	for i := range list {
		if list[i].due >= 0 {
			break
		}
		list[i].due = n.t + delay - 1
		out = append(out, &list[i])
	}
	return out
}

// done takes what is finished from the front of a list.
func (n *twin) done(list *[]tEntry) (out []tEntry) {
	for len(*list) > 0 && (*list)[0].due >= 0 && (*list)[0].due <= n.t {
		out = append(out, (*list)[0])
		*list = (*list)[1:]
	}
	return out
}

func (n *twin) evaluate(sw int) {
	x := &n.routers[sw]
	n.begin(x.route, n.c.RoutingDelay)
	n.evaluateVCs(x)
	for _, e := range n.begin(x.hold, 1) {
		v := &x.in[e.port].vcs[e.vc]
		e.xin, e.xout = n.xin(e.port, e.vc), n.xout(v.port, e.port)
		e.granted = n.room(x, v)
	}
	n.evaluateSwitch(x)
	n.begin(x.xbar, n.c.StPrepare+n.c.StFinal)
}

// evaluateVCs is 1.5.
func (n *twin) evaluateVCs(x *tRouter) {
	list := n.begin(x.vcalloc, 1)
	var reqs []tRequest
	for i, e := range list {
		v := &x.in[e.port].vcs[e.vc]
		in := e.port*n.c.VCs + e.vc
		if n.c.VCShuffleRequests {
			in = e.vc*len(x.in) + e.port
		}
		for _, el := range v.route {
			o := &x.out[el.port]
			for w := el.lo; w <= el.hi; w++ {
				if o.inUse[w] || n.c.VCBusyWhenFull && o.full(w, n.c.BufferFlits) {
					continue
				}
				pri := int64(el.pri)
				if n.c.VCPrioritizeEmpty && o.occ[w] > 0 {
					pri -= 1 << 31
				}
				reqs = append(reqs, tRequest{in, el.port*n.c.VCs + w, pri, n.priority(v), i})
			}
		}
	}
	for _, r := range x.va.match(reqs) {
		list[r.entry].granted, list[r.entry].xout = true, r.out
	}
}

// room reports whether an active VC may send.
func (n *twin) room(x *tRouter, v *tVC) bool {
	o := &x.out[v.port]
	return !o.full(v.ovc, n.c.BufferFlits) && (n.c.OutputBuffer < 0 || len(o.fifo) < n.c.OutputBuffer)
}

// evaluateSwitch is 1.6.
func (n *twin) evaluateSwitch(x *tRouter) {
	list := n.begin(x.swalloc, 1)
	bids := map[[3]int]tRequest{} // by speculative or not, input, output
	bid := func(i, port int, pri int64, spec bool) {
		e := list[i]
		r := tRequest{n.xin(e.port, e.vc), n.xout(port, e.port), pri, pri, i}
		if x.holdVC[r.in] >= 0 || x.holdOut[r.out] {
			return
		}
		key := [3]int{0, r.in, r.out}
		if spec && x.spec != nil {
			key[0] = 1
		} else if spec {
			r.inPri, r.outPri = r.inPri-1<<40, r.outPri-1<<40
		}
		old, several := bids[key]
		if several {
			turn := func(vc int) int { return (vc - x.offset[r.in] + n.c.VCs) % n.c.VCs }
			if old.inPri > r.inPri || old.inPri == r.inPri && turn(list[old.entry].vc) < turn(e.vc) {
				return
			}
		}
		bids[key] = r
	}
	for i, e := range list {
		v := &x.in[e.port].vcs[e.vc]
		if v.state == tActive {
			if n.room(x, v) {
				bid(i, v.port, n.priority(v), false)
			}
			continue
		}
		e.spec = true
		for _, el := range v.route {
			if n.eligible(&x.out[el.port], el) {
				bid(i, el.port, n.priority(v), true)
			}
		}
	}
	var reqs, specs []tRequest
	for key, r := range bids {
		if key[0] == 0 {
			reqs = append(reqs, r)
		} else {
			specs = append(specs, r)
		}
	}
	usedIn, usedOut := map[int]bool{}, map[int]bool{}
	second := false
	grant := func(r tRequest) {
		e := list[r.entry]
		e.granted, e.xin, e.xout, e.second = true, r.in, r.out, second
		x.offset[r.in] = (e.vc + n.c.InputSpeedup) % n.c.VCs
	}
	for _, r := range x.sa.match(reqs) {
		grant(r)
		usedIn[r.in], usedOut[r.out] = true, true
	}
	if n.c.SpecMaskByReqs {
		for _, r := range reqs {
			usedOut[r.out] = true
		}
	}
	if x.spec == nil {
		return
	}
	second = true
	for _, r := range x.spec.match(specs) {
		if !usedIn[r.in] && !usedOut[r.out] {
			grant(r)
		}
	}
}

func (n *twin) eligible(o *tOut, el tElem) bool {
	if !n.c.SpecCheckElig {
		return true
	}
	for w := el.lo; w <= el.hi; w++ {
		if !o.inUse[w] && !(n.c.SpecCheckCred && o.full(w, n.c.BufferFlits)) {
			return true
		}
	}
	return false
}

// rank orders grants: those of the speculative allocator last, then by input.
func (e *tEntry) rank() int {
	r := e.port<<8 | e.vc
	if e.second {
		r += 1 << 24
	}
	return r
}

func (n *twin) update(sw int) {
	x := &n.routers[sw]
	for _, e := range n.done(&x.route) {
		v := &x.in[e.port].vcs[e.vc]
		n.routeAt(sw, v.queue[0])
		v.route = v.queue[0].p.ahead
		n.wait(x, e.port, e.vc)
	}
	for _, e := range n.done(&x.vcalloc) {
		if !e.granted {
			x.vcalloc = append(x.vcalloc, tEntry{port: e.port, vc: e.vc, due: -1})
			continue
		}
		v := &x.in[e.port].vcs[e.vc]
		v.state, v.port, v.ovc = tActive, e.xout/n.c.VCs, e.xout%n.c.VCs
		x.out[v.port].inUse[v.ovc] = true
		if !n.c.Speculative {
			x.swalloc = append(x.swalloc, tEntry{port: e.port, vc: e.vc, due: -1})
		}
	}
	// Flits that enter one output queue in one step do so in the order of their inputs.
	held := n.done(&x.hold)
	slices.SortFunc(held, func(a, b tEntry) int { return cmp.Compare(a.xin, b.xin) })
	for _, e := range held {
		x.holdVC[e.xin], x.holdOut[e.xout] = -1, false
		if e.granted {
			n.move(sw, e)
		} else {
			x.swalloc = append(x.swalloc, tEntry{port: e.port, vc: e.vc, due: -1})
		}
	}
	won := n.done(&x.swalloc)
	slices.SortStableFunc(won, func(a, b tEntry) int { return cmp.Compare(a.rank(), b.rank()) })
	for _, e := range won {
		v := &x.in[e.port].vcs[e.vc]
		if e.granted && e.spec {
			e.granted = v.state == tActive && v.port == e.xout/n.c.OutputSpeedup && !x.out[v.port].full(v.ovc, n.c.BufferFlits)
		}
		if e.granted {
			n.move(sw, e)
		} else {
			x.swalloc = append(x.swalloc, tEntry{port: e.port, vc: e.vc, due: -1})
		}
	}
	for _, e := range n.done(&x.xbar) {
		x.out[e.port].fifo = append(x.out[e.port].fifo, e.flit)
	}
}

// move takes the front flit of a VC into the crossbar and says what comes behind it.
func (n *twin) move(sw int, e tEntry) {
	x := &n.routers[sw]
	v := &x.in[e.port].vcs[e.vc]
	f := v.queue[0]
	v.queue = v.queue[1:]
	x.in[e.port].message = append(x.in[e.port].message, e.vc)
	n.gone(&x.out[v.port], f, v.ovc)
	n.view.Add(sw, v.port, 1)
	n.moved++
	f.vc = v.ovc
	f.hops_++
	x.xbar = append(x.xbar, tEntry{port: v.port, due: -1, flit: f})
	if l := x.out[v.port].line; f.head && n.c.RoutingDelay == 0 && l.router >= 0 {
		n.later = append(n.later, func() { n.routeAt(l.router, f) })
	}
	switch {
	case f.tail && len(v.queue) == 0:
		v.state = tIdle
	case f.tail:
		n.headAtFront(x, e.port, e.vc)
	case len(v.queue) == 0:
	case n.c.HoldSwitch:
		x.holdVC[e.xin], x.holdOut[e.xout] = e.vc, true
		x.hold = append(x.hold, tEntry{port: e.port, vc: e.vc, due: -1})
	default:
		x.swalloc = append(x.swalloc, tEntry{port: e.port, vc: e.vc, due: -1})
	}
}
