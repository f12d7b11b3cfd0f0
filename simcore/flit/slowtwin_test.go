package flit

import (
	"slices"
	"testing"

	"toposearch/internal/racing"
	"toposearch/simcore"
	"toposearch/topology"
)

// The slow twin is the router of Dally and Towles chapter 16 as objects that scan everything in
// every cycle: queues are slices, channels are slices of (due, thing), arbiters try candidates in
// turn. It shares no code with the engine but the routing, and reads its packets from a recording
// of one of the engine's runs; both must deliver every packet in the same cycle.

type slowFlit struct {
	p          int
	head, tail bool
	vc         int
}

type slowEvent struct {
	due  int
	flit slowFlit
	vc   int // of a credit
}

type slowVC struct {
	queue     []slowFlit
	state     string // idle, routing, waiting, active
	since     int    // cycle from which the state counts
	out       int
	lo, hi    int
	ovc       int
	vaPointer int
}

type slowChannel struct {
	to, toPort  int // router, or -1: endpoint toPort
	flits       []slowEvent
	credits     []slowEvent
	occ         []int
	used        []bool
	vaPointer   []int
	saPointer   int
	creditDelay int
}

type slowIn struct {
	vcs       []slowVC
	saPointer int
	offset    int
	from      *slowChannel
}

type slowPacket struct {
	src, dst, created, size, arrived int
	pkt                              simcore.Packet
}

type slowNet struct {
	g       *grid
	cfg     Config
	in      [][]slowIn
	out     [][]slowChannel
	source  []slowChannel // injection channels
	sending []struct{ p, sent, vc, last int }
	queue   [][]int
	packets []slowPacket
	view    *simcore.View
}

func newSlowNet(g *grid, cfg Config, packets []slowPacket, v *simcore.View) *slowNet {
	k2 := g.k * g.k
	n := &slowNet{g: g, cfg: cfg, packets: packets, view: v}
	n.in, n.out = make([][]slowIn, k2), make([][]slowChannel, k2)
	n.queue = make([][]int, k2)
	for s := range k2 {
		first, end := g.n.Out(topology.SwitchID(s))
		for c := first; c < end; c++ {
			o := n.channel(cfg.CreditDelay)
			o.to = int(g.n.To(c))
			f, _ := g.n.Out(g.n.To(c))
			o.toPort = int(g.n.Rev(c) - f)
			n.out[s] = append(n.out[s], o)
		}
		e := n.channel(cfg.CreditDelay)
		e.to, e.toPort = -1, s
		n.out[s] = append(n.out[s], e)
		n.in[s] = make([]slowIn, len(n.out[s]))
		for i := range n.in[s] {
			n.in[s][i].vcs = make([]slowVC, cfg.VCs)
			for v := range n.in[s][i].vcs {
				n.in[s][i].vcs[v].state = "idle"
			}
		}
		src := n.channel(0)
		src.to, src.toPort = s, len(n.out[s])-1
		n.source = append(n.source, src)
		n.sending = append(n.sending, struct{ p, sent, vc, last int }{-1, 0, -1, -1})
	}
	for s := range k2 {
		for o := range n.out[s] {
			if c := &n.out[s][o]; c.to >= 0 {
				n.in[c.to][c.toPort].from = c
			}
		}
		n.in[s][len(n.in[s])-1].from = &n.source[s]
	}
	for i, p := range packets {
		n.queue[p.src] = append(n.queue[p.src], i)
	}
	return n
}

func (n *slowNet) channel(creditDelay int) slowChannel {
	return slowChannel{occ: make([]int, n.cfg.VCs), used: make([]bool, n.cfg.VCs), vaPointer: make([]int, n.cfg.VCs), creditDelay: creditDelay}
}

// take removes what is due.
func take(e *[]slowEvent, now int) (due []slowEvent) {
	*e = slices.DeleteFunc(*e, func(x slowEvent) bool {
		if x.due == now {
			due = append(due, x)
		}
		return x.due == now
	})
	return due
}

func (n *slowNet) cycle(now int) {
	for s := range n.source {
		for _, c := range take(&n.source[s].credits, now) {
			n.source[s].occ[c.vc]--
		}
		for o := range n.out[s] {
			for _, c := range take(&n.out[s][o].credits, now) {
				n.out[s][o].occ[c.vc]--
			}
		}
	}
	for s := range n.source {
		n.inject(s, now)
	}
	for s := range n.in {
		for o := range n.out[s] {
			n.deliver(&n.out[s][o], now)
		}
		n.deliver(&n.source[s], now)
	}
	for s := range n.in {
		n.allocVC(s, now)
		n.route(s, now)
		n.allocSwitch(s, now)
	}
}

func (n *slowNet) deliver(o *slowChannel, now int) {
	for _, e := range take(&o.flits, now) {
		if o.to < 0 {
			o.credits = append(o.credits, slowEvent{due: now + 2 + o.creditDelay, vc: e.flit.vc})
			if e.flit.tail {
				n.packets[e.flit.p].arrived = now
			}
			continue
		}
		v := &n.in[o.to][o.toPort].vcs[e.flit.vc]
		v.queue = append(v.queue, e.flit)
		if v.state == "idle" {
			v.state, v.since = "routing", now
		}
	}
}

func (n *slowNet) inject(s, now int) {
	x, o := &n.sending[s], &n.source[s]
	if x.p < 0 && len(n.queue[s]) > 0 && n.packets[n.queue[s][0]].created <= now {
		x.p, x.sent, x.vc = n.queue[s][0], 0, -1
		n.queue[s] = n.queue[s][1:]
	}
	if x.p < 0 {
		return
	}
	if x.vc < 0 {
		tries := n.cfg.VCs
		if x.last < 0 {
			tries = 1
		}
		for i := range tries {
			if v := (x.last + 1 + i) % n.cfg.VCs; !o.used[v] && n.room(o, v) {
				x.vc, o.used[v] = v, true
				break
			}
		}
	}
	if x.vc < 0 || !n.room(o, x.vc) {
		return
	}
	x.sent++
	f := slowFlit{x.p, x.sent == 1, x.sent == n.packets[x.p].size, x.vc}
	o.occ[x.vc]++
	o.flits = append(o.flits, slowEvent{due: now + 2, flit: f})
	if f.tail {
		o.used[x.vc], x.last, x.p = false, x.vc, -1
	}
}

func (n *slowNet) route(s, now int) {
	for i := range n.in[s] {
		for w := range n.in[s][i].vcs {
			v := &n.in[s][i].vcs[w]
			if v.state != "routing" || v.since > now {
				continue
			}
			p := &n.packets[v.queue[0].p].pkt
			h := n.g.Route(topology.SwitchID(s), p, n.view)
			p.Hops++
			v.out = len(n.out[s]) - 1
			if h.Channel != simcore.Eject {
				first, _ := n.g.n.Out(topology.SwitchID(s))
				v.out = int(h.Channel - first)
			}
			v.lo, v.hi, v.state, v.since = int(h.Lo), int(h.Hi), "waiting", now+1
		}
	}
}

func (n *slowNet) allocVC(s, now int) {
	vcs, ports := n.cfg.VCs, len(n.out[s])
	size := vcs * ports
	choice := make([]int, size) // by input VC, the output VC asked for
	for i := range size {
		choice[i] = -1
		v := &n.in[s][i/vcs].vcs[i%vcs]
		if v.state != "waiting" || v.since > now {
			continue
		}
		for d := range size {
			o := (v.vaPointer + d) % size
			if o/vcs == v.out && o%vcs >= v.lo && o%vcs <= v.hi && !n.out[s][o/vcs].used[o%vcs] {
				choice[i] = o
				break
			}
		}
	}
	for o := range size {
		c := &n.out[s][o/vcs]
		for d := range size {
			i := (c.vaPointer[o%vcs] + d) % size
			if choice[i] != o {
				continue
			}
			v := &n.in[s][i/vcs].vcs[i%vcs]
			c.used[o%vcs], c.vaPointer[o%vcs] = true, (i+1)%size
			v.ovc, v.vaPointer, v.state, v.since = o%vcs, (o+1)%size, "active", now+1
			break
		}
	}
}

func (n *slowNet) allocSwitch(s, now int) {
	ports := len(n.out[s])
	pick := make([]int, ports) // by input port, the VC that bids
	for i := range ports {
		in := &n.in[s][i]
		pick[i] = -1
		for d := 0; d < ports && pick[i] < 0; d++ {
			o := (in.saPointer + d) % ports
			for e := range n.cfg.VCs {
				w := (in.offset + e) % n.cfg.VCs
				v := &in.vcs[w]
				if v.state == "active" && v.since <= now && len(v.queue) > 0 && v.out == o && n.room(&n.out[s][o], v.ovc) {
					pick[i] = w
					break
				}
			}
		}
	}
	for o := range ports {
		c := &n.out[s][o]
		for d := range ports {
			i := (c.saPointer + d) % ports
			if pick[i] < 0 || n.in[s][i].vcs[pick[i]].out != o {
				continue
			}
			n.move(s, i, pick[i], o, now)
			break
		}
	}
}

// room reports whether a VC of the next buffer takes a flit: in its own slots or in the shared ones.
func (n *slowNet) room(c *slowChannel, vc int) bool {
	shared := 0
	for _, occ := range c.occ {
		shared += max(0, occ-n.cfg.BufferFlits)
	}
	return c.occ[vc] < n.cfg.BufferFlits || shared < n.cfg.SharedFlits
}

func (n *slowNet) move(s, i, w, o, now int) {
	in, c := &n.in[s][i], &n.out[s][o]
	v := &in.vcs[w]
	f := v.queue[0]
	v.queue = v.queue[1:]
	in.saPointer, c.saPointer, in.offset = (o+1)%len(n.out[s]), (i+1)%len(n.out[s]), (w+1)%n.cfg.VCs
	in.from.credits = append(in.from.credits, slowEvent{due: now + 2 + in.from.creditDelay, vc: w})
	f.vc = v.ovc
	c.occ[v.ovc]++
	c.flits = append(c.flits, slowEvent{due: now + 3, flit: f})
	if f.tail {
		c.used[v.ovc] = false
		v.state = "idle"
		if len(v.queue) > 0 {
			v.state, v.since = "routing", now+1
		}
	}
}

// recorder notes every packet in the order in which each endpoint makes them, and when each
// arrives is compared at the end.
type recorder struct {
	*grid
	made *[]slowPacket
}

func (r recorder) Inject(p *simcore.Packet, v *simcore.View) simcore.Entry {
	*r.made = append(*r.made, slowPacket{src: int(p.Src), dst: int(p.Dst), created: int(ofEngine(p).created), size: int(ofEngine(p).size), arrived: -1,
		pkt: simcore.Packet{Src: p.Src, Dst: p.Dst}})
	return r.grid.Inject(p, v)
}

func TestSlowTwin(t *testing.T) {
	racing.Figures(t)
	for _, c := range []struct {
		k, vcs, buf, shared, size int
		torus                     bool
		load                      float64
	}{{3, 2, 4, 0, 1, false, 0.5}, {4, 4, 8, 0, 1, true, 0.6}, {3, 3, 2, 0, 5, false, 0.9}, {4, 2, 3, 0, 3, true, 1},
		{3, 4, 1, 3, 1, false, 0.9}, {4, 3, 2, 5, 4, true, 1}} {
		g := newGrid(t, c.k, c.torus)
		cfg := DefaultConfig()
		cfg.VCs, cfg.BufferFlits, cfg.SharedFlits, cfg.PacketFlits = c.vcs, c.buf, c.shared, c.size
		var made []slowPacket
		fast, err := New(g.n, recorder{g, &made}, uniform{c.k * c.k}, cfg)
		if err != nil {
			t.Fatal(err)
		}
		fast.Reset(c.load, 3)
		fast.Record(0, 0, Forever, true)
		const cycles = 600
		accepted := make([]int64, cycles)
		for i := range cycles {
			fast.Step(1)
			accepted[i] = fast.stat.accPackets
		}
		slow := newSlowNet(g, cfg, made, &fast.view)
		for now := range cycles {
			slow.cycle(now)
			arrived := int64(0)
			for i := range slow.packets {
				if slow.packets[i].arrived >= 0 {
					arrived++
				}
			}
			if arrived != accepted[now] {
				t.Fatalf("%+v: after cycle %d the engine has delivered %d packets, the twin %d", c, now, accepted[now], arrived)
			}
		}
		var sum, n int64
		for _, p := range slow.packets {
			if p.arrived >= 0 {
				sum += int64(p.arrived - p.created)
				n++
			}
		}
		if n != fast.stat.plat.N() || float64(sum)/float64(n) != fast.stat.plat.Mean() || n < 100 {
			t.Errorf("%+v: latencies of %d packets have a mean of %g, the twin's are %d and add up to %d", c, fast.stat.plat.N(), fast.stat.plat.Mean(), n, sum)
		}
	}
}
