package route

import (
	"errors"
	"fmt"
	"slices"

	"toposearch/internal/memory"
	"toposearch/routing"
	"toposearch/simcore"
	"toposearch/topology"
)

// Q-adaptive (Y. Kang, X. Wang, Z. Lan, "Q-adaptive: a multi-agent reinforcement learning based routing on Dragonfly network",
// HPDC 2021, and the authors' model for SST). Each switch estimates, in cycles, how long packets take to another
// block by each of its channels: a table with a row for each block and each of its endpoints (the two levels). At its source a packet
// leaves by the channel with the best estimate, if that is below the one of the direct way by a part (First). At the first switch of another
// block that has no channel to the destination's block it may go by another switch of the block, drawn at random, if that is
// better by a part (Second). From then on it goes directly; a small part of the choices is drawn at random. The switch behind a channel tells the one before it how long
// the packet took from there and the best estimate of its own, towards which the estimate moves: faster down than up.
//
// Filled in: times are from the front of a VC to the front of a VC, so that they add up to the time of the packet; what is told travels
// over the channel back; first estimates are times of an empty network. VCs rise with every
// hop, and leave one for each hop to come, which is free of deadlock. Where the family's rule does not lead from every switch to every endpoint, as after a failure, direct ways are all shortest paths.
type learner struct {
	r     *Native
	tune  Learning
	rows  int // per switch
	first []int
	q     []float32 // by switch, row and channel of the switch
}

// prepareQ numbers the endpoints of switches, and finds how many hops packets make: a channel of the source, a channel
// inside another block, and the direct way from there.
func (r *Native) prepareQ() error {
	n, t := r.t.Router.Net, r.t
	r.q = &qTables{index: make([]int32, n.Endpoints())}
	at := make([]int32, n.Switches())
	for g := range n.Groups() {
		first, end, ports := n.Group(g)
		if len(ports) == 0 { // its switch has failed
			continue
		}
		if len(ports) != 1 {
			return fmt.Errorf("routing: %s: endpoints of %s are on %d switches each; tables of estimates have rows for the endpoints of one switch", r.name, n.Design, len(ports))
		}
		for e := first; e < end; e++ {
			r.q.index[e] = at[ports[0]]
			at[ports[0]]++
		}
	}
	r.q.perSwitch = int(slices.Max(at))
	longest := 0
	for s, count := range at {
		if c, end := n.Out(topology.SwitchID(s)); c == end && count == 0 { // it has failed
			continue
		}
		if count == 0 || r.blockOf[s] < 0 {
			return fmt.Errorf("routing: %s: %s has switches without endpoints or outside any group, and only sources decide; it is for Dragonflies", r.name, n.Design)
		}
		for dst := range t.Router.Sets {
			d := t.Dist(dst, t.Node(topology.SwitchID(s), 0))
			if d == routing.Far {
				if t.Router.Rule.HopVCs { // all shortest paths: nothing connects them
					continue
				}
				return fmt.Errorf("routing: %s: on %s %w", r.name, n.Design, errMisses)
			}
			longest = max(longest, int(d))
		}
	}
	r.hopVC = true
	r.levels = [phases]uint8{homeward: uint8(2 + longest)}
	r.need = 2 + longest
	for k := 1; k < len(n.LinkClasses); k++ {
		r.class[k] = r.need
	}
	return nil
}

// errMisses is why a routing whose packets may leave the direct way anywhere cannot go by a rule; it then goes by all shortest paths.
var errMisses = errors.New("the natural routes do not lead from every switch to every endpoint by ever fewer hops")

func (r *Native) newLearner(v *simcore.View) (*simcore.State, error) {
	n := r.t.Router.Net
	blocks := int(slices.Max(r.blockOf)) + 1
	m := &learner{r: r, tune: r.tune.Learning, rows: blocks * r.q.perSwitch, first: make([]int, n.Switches())}
	const estimate = 4 // bytes
	if err := memory.Require("the estimates of routing "+r.name+" on "+n.Design, estimate*float64(n.Channels())*float64(m.rows)); err != nil {
		return nil, err
	}
	for s := range n.Switches() {
		c, _ := n.Out(topology.SwitchID(s))
		m.first[s] = int(c) * m.rows
	}
	m.q = make([]float32, n.Channels()*m.rows)
	idle := m.idle(v, blocks)
	return &simcore.State{Of: m, Reset: func() { m.reset(idle) }, Enter: m.enter, Hear: m.hear}, nil
}

// idle is the time from each channel to each block in an empty network: that of its lines.
func (m *learner) idle(v *simcore.View, blocks int) []float32 {
	n := m.r.t.Router.Net
	out := make([]float32, n.Channels()*blocks)
	to := make([]simcore.Cycle, n.Switches())
	for b := range blocks {
		for s := range to {
			to[s] = 1 << 30
			if m.r.blockOf[s] == int32(b) {
				to[s] = 0
			}
		}
		for changed := true; changed; { // as often as the longest shortest way has hops, which are few
			changed = false
			for s := range topology.SwitchID(n.Switches()) {
				c, end := n.Out(s)
				for ; c < end; c++ {
					if t := v.Lag(c) + to[n.To(c)]; t < to[s] {
						to[s], changed = t, true
					}
				}
			}
		}
		for c := range n.Channels() {
			out[c*blocks+b] = float32(v.Lag(topology.ChannelID(c)) + to[n.To(topology.ChannelID(c))])
		}
	}
	return out
}

func (m *learner) reset(idle []float32) {
	n := m.r.t.Router.Net
	blocks := m.rows / m.r.q.perSwitch
	for s := range topology.SwitchID(n.Switches()) {
		c, end := n.Out(s)
		for row := range m.rows {
			list := m.row(s, row)
			for i := range int(end - c) {
				list[i] = idle[(int(c)+i)*blocks+row/m.r.q.perSwitch]
			}
		}
	}
}

// row is that of a switch: an estimate for each of its channels.
func (m *learner) row(sw topology.SwitchID, row int) []float32 {
	c, end := m.r.t.Router.Net.Out(sw)
	k := m.first[sw] + row*int(end-c)
	return m.q[k : k+int(end-c)]
}

// rowOf is the row for a packet.
func (m *learner) rowOf(p *simcore.Packet) int {
	return int(m.r.blockOfSet(m.r.setOf[p.Dst]))*m.r.q.perSwitch + int(m.r.q.index[p.Src])
}

// enter tells the switch before how long the packet took from there, and will take.
func (m *learner) enter(sw topology.SwitchID, p *simcore.Packet, v *simcore.View) int32 {
	if p.Hops == 0 {
		return 0
	}
	n, c := m.r.t.Router.Net, topology.ChannelID(p.Mid)
	from, to := n.From(c), m.r.blockOfSet(m.r.setOf[p.Dst])
	if m.r.blockOf[from] == to {
		return 0 // there are estimates for other blocks
	}
	row, rest := m.rowOf(p), float32(0)
	if m.r.blockOf[sw] != to {
		rest = slices.Min(m.row(sw, row))
	}
	took := int64(v.Now()) - int64(p.Aux)
	back := c
	if x := n.Rev(c); x >= 0 {
		back = x
	}
	v.Tell(simcore.Note{To: from, Channel: c, Row: int32(row), Value: int32(took) + int32(rest)}, max(v.Lag(c), v.Lag(back)))
	return 0
}

// hear moves an estimate towards what was told.
func (m *learner) hear(n simcore.Note) {
	c, _ := m.r.t.Router.Net.Out(n.To)
	q := &m.row(n.To, int(n.Row))[n.Channel-c]
	rate := orElse(m.tune.Learn, 0.2)
	if float32(n.Value) > *q {
		rate = orElse(m.tune.Unlearn, 0.04)
	}
	*q += float32(rate) * (float32(n.Value) - *q)
}

// routeQ gives the next hop.
func (r *Native) routeQ(sw topology.SwitchID, p *simcore.Packet, v *simcore.View) simcore.Hop {
	dst, node := int(r.setOf[p.Dst]), r.t.Node(sw, p.State)
	h, ok := choose(r.t, dst, node, r.pick, p, v)
	if !ok {
		return simcore.Hop{Channel: simcore.Eject, Lo: 0, Hi: r.top}
	}
	rest := int(r.t.Dist(dst, node)) - 1 // hops after this one
	if m, ok := stateOf[*learner](v); ok {
		if c := m.choose(sw, p, h.Channel); c != h.Channel {
			h, rest = routing.Hop{Channel: c}, r.restFrom(sw, p, c)
		} else if rest > 1 { // where what has failed makes the direct way longer it may lead through a block in which packets choose
			rest = r.restFrom(sw, p, c)
		}
		p.Aux = uint32(v.Now())
	}
	p.Mid, p.State = int32(h.Channel), h.State
	lo := 0
	if p.Hops > 0 {
		lo = int(r.at[p.VC]) + 1
	}
	return simcore.Hop{Channel: h.Channel, Lo: r.lo[lo], Hi: r.hi[r.need-1-rest]}
}

// restFrom is the most hops that follow a channel.
func (r *Native) restFrom(sw topology.SwitchID, p *simcore.Packet, c topology.ChannelID) int {
	to := r.t.Router.Net.To(c)
	if block := r.blockOf[to]; p.Hops == 0 && block != r.blockOf[sw] && block != r.blockOfSet(r.setOf[p.Dst]) {
		return r.need - 1 // it may choose again there
	}
	return int(r.t.Dist(int(r.setOf[p.Dst]), r.t.Node(to, 0)))
}

// choose gives the channel by which a packet leaves, where it may choose.
func (m *learner) choose(sw topology.SwitchID, p *simcore.Packet, direct topology.ChannelID) topology.ChannelID {
	r, n := m.r, m.r.t.Router.Net
	from, to, here := r.blockOfSet(r.setOf[p.Src]), r.blockOfSet(r.setOf[p.Dst]), r.blockOf[sw]
	second := p.Hops == 1 && here != from
	if here == to || p.Hops > 0 && !second || second && r.blockOf[n.To(direct)] == to {
		return direct
	}
	first, end := n.Out(sw)
	q, best, part := m.row(sw, m.rowOf(p)), 0, orElse(m.tune.First, 0.2)
	if second {
		if best = m.inside(sw, p); best < 0 {
			return direct
		}
		part = orElse(m.tune.Second, 0.35)
	} else {
		for i, x := range q {
			if x < q[best] {
				best = i
			}
		}
	}
	if explore := orElse(m.tune.Explore, 0.001); explore > 0 && p.Rand.Float64() < explore {
		c := first + topology.ChannelID(p.Rand.IntN(int(end-first)))
		if !second || r.blockOf[n.To(c)] == here { // a third channel between blocks would be one hop too many
			return c
		}
	}
	if d := q[direct-first]; float64(d-q[best]) < part*float64(d) {
		return direct
	}
	return first + topology.ChannelID(best)
}

// inside draws a channel to another switch of the block; -1 if there is none.
func (m *learner) inside(sw topology.SwitchID, p *simcore.Packet) int {
	n, kept, seen := m.r.t.Router.Net, -1, 0
	first, end := n.Out(sw)
	for c := first; c < end; c++ {
		if m.r.blockOf[n.To(c)] == m.r.blockOf[sw] {
			if seen++; p.Rand.IntN(seen) == 0 {
				kept = int(c - first)
			}
		}
	}
	return kept
}
