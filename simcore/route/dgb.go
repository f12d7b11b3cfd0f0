package route

import (
	"cmp"
	"slices"

	"toposearch/internal/memory"
	"toposearch/routing"
	"toposearch/simcore"
	"toposearch/topology"
)

// Decoupled, gradient descent-based bias (DGB: H. Kasan, G. Kim, Y. Yi, J. Kim, "Dynamic global adaptive routing in high-radix networks",
// ISCA 2022, and Kasan's BookSim2, from which the steps are that the paper's abstract leaves open). The source decides by its
// own queues and by a bias that it keeps for each destination switch and each channel of its own: direct if q H <= (q' + bias) H'.
// The bias follows the latencies of both ways: after every epoch, or once there are new ones of both, it moves by
// Rate times that of the detour minus that of the direct way, or, as likely as the direct way has room, by a step that tries the
// direct way out. A latency is estimated when a packet departs, from what waits at the source and at the channel by which the way leaves the block,
// and the rest that the destination has reported of the last packet of that way.
//
// Filled in: the published model has the report and the queues at the exit arrive at once; here a report takes as long as the direct
// way back, each by itself (there: with the next packet), and exits are told as in pb. Latencies are without the time on
// lines, as there. Where there are no blocks, the queue at the source stands for every hop of a way of which nothing was reported.
type gradient struct {
	r      *Native
	tune   Gradient
	dsts   int
	board  *simcore.Board // by channel to other blocks: flits that wait for it; nil: there are no blocks
	pb     piggyBack      // where in the board channels are
	every  simcore.Cycle  // cycles between two that put up their queues: a packet
	first  []int          // by switch: its pairs of destination and channel
	pair   []pairState
	dst    []dstState // by switch and destination
	open   [][]decision
	length float64 // mean of Lag
}

// pairState is what a switch knows of detours to a destination that begin with a channel.
type pairState struct {
	bias, sum float32 // sum of n latencies since the bias was adjusted
	n         int32
	last      int32 // cycle in which it was
	rest      int32 // of the latency, as reported last
	known     bool  // that it was
}

// dstState is the same of the direct way.
type dstState struct {
	last  [history]int32 // latencies
	n     int32
	rest  int32
	known bool
}

const (
	history   = 5  // latencies of the direct way that count, as in Kasan's model
	clockBits = 20 // of a departure in Packet.Aux; above it stands the channel of the source
)

// decision is what a source has decided by and how; it is learnt from in the next cycle, all of a switch in
// an order that does not depend on that in which heads were routed.
type decision struct {
	dst, channel   int32 // of the switch, by which the detour begins
	hops, by       int32 // of the direct way, and of the detour
	near, far      int32 // latencies estimated
	detour         bool
	room, luck     float32 // share of the direct way's buffers that is empty; a random number
	fullest, extra float32 // flits that buffers of a channel hold; cycles that the detour is longer
}

func (r *Native) newGradient(v *simcore.View) (*simcore.State, error) {
	n := r.t.Router.Net
	m := &gradient{r: r, tune: r.tune.Gradient, dsts: len(r.t.Router.Sets)}
	const pairBytes, dstBytes = 24, 32
	if err := memory.Require("the biases of routing "+r.name+" on "+n.Design, float64(m.dsts)*(pairBytes*float64(n.Channels())+dstBytes*float64(n.Switches()))); err != nil {
		return nil, err
	}
	m.first, m.pair = make([]int, n.Switches()), make([]pairState, n.Channels()*m.dsts)
	m.dst, m.open = make([]dstState, n.Switches()*m.dsts), make([][]decision, n.Switches())
	for s := range n.Switches() {
		c, _ := n.Out(topology.SwitchID(s))
		m.first[s] = int(c) * m.dsts
	}
	for c := range topology.ChannelID(n.Channels()) {
		m.length += float64(v.Lag(c)) / float64(n.Channels())
	}
	if r.blockOf != nil {
		m.pb.place(r)
		m.pb.most, m.every = farAway*r.longestInside(v), simcore.Cycle(packetOf(v))
		m.board = simcore.NewBoard(n.Switches(), m.pb.widest(), m.every, m.pb.most)
	}
	return &simcore.State{Of: m, CountSent: true, Period: 1, Tick: m.tick, Enter: m.enter, Hear: m.hear, Reset: func() {
		clear(m.pair)
		clear(m.dst)
		clear(m.open)
		if m.board != nil {
			m.board.Reset()
		}
	}}, nil
}

// at is what a switch knows of detours to a destination by one of its channels.
func (m *gradient) at(sw topology.SwitchID, dst, channel int32) *pairState {
	c, end := m.r.t.Router.Net.Out(sw)
	return &m.pair[m.first[sw]+int(dst)*int(end-c)+int(channel)]
}

// tick puts up the queues of channels to other blocks, and learns from what was decided in the cycle before.
func (m *gradient) tick(sw topology.SwitchID, v *simcore.View) {
	if m.board != nil && v.Now()%m.every == 0 {
		row := m.board.Row(sw, v.Now())
		for i, c := range m.pb.far[m.pb.first[sw]:m.pb.first[sw+1]] {
			row[i] = int32(realQueue(v, c))
		}
	}
	open := m.open[sw]
	if len(open) > 1 {
		slices.SortFunc(open, compareDecisions)
	}
	for i := range open {
		d := &open[i]
		m.adjust(sw, d, v.Now())
		x, y := m.at(sw, d.dst, d.channel), &m.dst[int(sw)*m.dsts+int(d.dst)]
		if d.detour {
			x.sum += float32(d.far)
			x.n++
		} else {
			y.last[y.n%history] = d.near
			y.n++
		}
	}
	m.open[sw] = open[:0]
}

func compareDecisions(a, b decision) int {
	return cmp.Or(cmp.Compare(a.dst, b.dst), cmp.Compare(a.channel, b.channel), cmp.Compare(a.luck, b.luck), cmp.Compare(a.near, b.near), cmp.Compare(a.far, b.far),
		cmp.Compare(a.room, b.room))
}

// adjust moves the bias that a decision was taken by.
func (m *gradient) adjust(sw topology.SwitchID, d *decision, now simcore.Cycle) {
	x, y := m.at(sw, d.dst, d.channel), &m.dst[int(sw)*m.dsts+int(d.dst)]
	near := min(y.n, history)
	const enough = 3 // latencies of either way together
	if int(now)-int(x.last) < orElse(m.tune.Epoch, 50) && (near == 0 || x.n == 0) && near+x.n < enough {
		return
	}
	x.last = int32(now)
	rate, explore := float32(orElse(m.tune.Rate, 0.25)), d.room*float32(orElse(m.tune.ExploreRate, 0.25))*d.extra
	lucky := d.luck < d.room
	switch {
	case near > 0 && x.n > 0:
		sum := float32(0)
		for _, l := range y.last[:near] {
			sum += float32(l)
		}
		step := rate * (x.sum/float32(x.n) - sum/float32(near))
		if step < explore && lucky {
			step = explore
		}
		x.bias += step
		x.sum, x.n = 0, 0
	case lucky:
		if x.n > 0 || x.bias <= 0 {
			x.bias += explore
		}
	case near > 0 && d.near > d.far, x.n > 0 && d.far > d.near:
		x.bias += rate * float32(d.far-d.near)
	}
	x.bias = min(max(x.bias, -d.fullest), d.fullest*float32(d.hops)/float32(d.by))
}

// byBias draws an intermediate, and gives -1 if the direct way is better; with the first hop of the way.
func (r *Native) byBias(sw topology.SwitchID, p *simcore.Packet, v *simcore.View, dst int) (int32, routing.Hop) {
	m := v.State().(*gradient)
	here, fresh := r.t.Node(sw, p.State), r.t.Node(sw, 0)
	direct, _ := choose(r.t, dst, here, r.pick, p, v)
	first, _ := r.t.Router.Net.Out(sw)
	mid := r.drawMid(p)
	by, ok := routing.Hop{}, false
	if mid >= 0 {
		if by, ok = choose(r.t, int(r.mids[mid].dst), fresh, r.pick, p, v); ok {
			ok = r.t.Dist(int(r.mids[mid].dst), fresh) != routing.Far
		}
	}
	d := decision{dst: int32(dst), hops: int32(r.t.Dist(dst, here))}
	y := &m.dst[int(sw)*m.dsts+dst]
	near, queued := m.queued(p, v, way{here, dst, direct, int(d.hops)})
	d.near = latency(near, queued, d.hops, y.rest, y.known, m.board != nil)
	if !ok {
		m.depart(p, v, near+queued, d.hops, 0)
		return -1, direct
	}
	to := &r.mids[mid]
	d.channel, d.by = int32(by.Channel-first), int32(r.t.Dist(int(to.dst), fresh))+int32(r.onward(to, dst))
	x := m.at(sw, d.dst, d.channel)
	far, queuedFar := m.queued(p, v, way{fresh, int(to.dst), by, int(d.by)})
	d.far = latency(far, queuedFar, d.by, x.rest, x.known, m.board != nil)
	line := v.Line(direct.Channel)
	d.fullest = float32(line.Buffer * len(r.at))
	d.room = 1 - min(1, float32(max(int32(backlog(v, direct.Channel)), queued))/d.fullest)
	d.extra, d.luck = float32(max(0, d.by-d.hops))*float32(m.length), float32(p.Rand.Float64())
	q, qBy := float32(backlog(v, direct.Channel)), float32(backlog(v, by.Channel))
	d.detour = q*float32(d.hops) > max(0, float32(d.by)*(qBy+round(x.bias)))
	m.open[sw] = append(m.open[sw], d)
	if !d.detour {
		m.depart(p, v, near+queued, d.hops, 0)
		return -1, direct
	}
	m.depart(p, v, far+queuedFar, d.by, d.channel+1)
	return mid, by
}

// round is half away from zero, for the biases of a few flits.
func round(x float32) float32 {
	if x < 0 {
		return float32(int(x - 0.5))
	}
	return float32(int(x + 0.5))
}

// queued are the flits that wait for the first channel of a way, and at its exit from the block, as far as that
// is another channel and has been told.
func (m *gradient) queued(p *simcore.Packet, v *simcore.View, w way) (here, exit int32) {
	here = int32(realQueue(v, w.first.Channel))
	if m.board == nil || m.r.blockOf[m.r.t.SwitchOf(w.node)] < 0 {
		return here, 0
	}
	c, away, ok := m.r.exit(p, v, w)
	if !ok || c == w.first.Channel || away > m.pb.most {
		return here, 0
	}
	if row := m.board.Row(m.r.t.Router.Net.From(c), v.Now()-away); row != nil {
		exit = row[m.pb.slot[c]]
	}
	return here, exit
}

// latency estimates that of a way from what waits and, if anything was reported, the rest.
func latency(here, exit, hops, rest int32, known, blocks bool) int32 {
	switch {
	case known:
		return max(hops, here+exit+hops+rest)
	case blocks:
		return max(hops, here+(hops-1)*exit)
	}
	return max(hops, here*hops)
}

// depart notes in a packet when it would arrive if nothing else took time; lines are added as it goes.
func (m *gradient) depart(p *simcore.Packet, v *simcore.View, queued, hops, channel int32) {
	p.Aux = uint32(int64(v.Now())+int64(queued)+int64(hops))&(1<<clockBits-1) | uint32(channel)<<clockBits
}

// later moves the clock of a packet on.
func later(aux uint32, by simcore.Cycle) uint32 {
	return aux&^(1<<clockBits-1) | (aux+uint32(by))&(1<<clockBits-1)
}

// enter reports to the source, when a packet has come to its destination, what took time besides the queues there.
func (m *gradient) enter(sw topology.SwitchID, p *simcore.Packet, v *simcore.View) int32 {
	r := m.r
	if p.Hops == 0 || p.Phase != homeward || r.t.Dist(int(r.setOf[p.Dst]), r.t.Node(sw, p.State)) != 0 {
		return 0
	}
	rest := int32(uint32(v.Now())-p.Aux) << (32 - clockBits) >> (32 - clockBits) // the clock goes round
	from, back := r.sourceSwitch(p), simcore.Cycle(0)
	for at, node := sw, r.t.Node(sw, 0); at != from; {
		h, ok := choose(r.t, int(r.setOf[p.Src]), node, hash, p, nil)
		if !ok { // another of the source's switches: it passes the report on from port to port
			back += 2 * v.EntryLag(p.Src)
			break
		}
		back += v.Lag(h.Channel)
		at = r.t.Router.Net.To(h.Channel)
		node = r.t.Node(at, h.State)
	}
	v.Tell(simcore.Note{To: from, Channel: topology.ChannelID(int32(p.Aux>>clockBits) - 1), Row: r.setOf[p.Dst], Value: rest}, max(back, 1))
	return 0
}

// hear keeps what a destination has reported.
func (m *gradient) hear(n simcore.Note) {
	if n.Channel < 0 {
		y := &m.dst[int(n.To)*m.dsts+int(n.Row)]
		y.rest, y.known = n.Value, true
		return
	}
	x := m.at(n.To, n.Row, int32(n.Channel))
	x.rest, x.known = n.Value, true
}
