package route

import (
	"toposearch/internal/memory"
	"toposearch/routing"
	"toposearch/simcore"
	"toposearch/topology"
)

// Explicit contention notification (ECtN: P. Fuentes, E. Vallejo, M. Garcia, R. Beivide, G. Rodriguez, C. Minkenberg, M. Valero,
// "Contention-based nonminimal adaptive routing in high-radix networks", IPDPS 2015; FOGSim has it as CA_REMOTE). Not queues
// tell but demand: a counter per channel has the heads at the front of the VCs of a switch whose direct way leaves by it,
// until their tails have gone; a partial counter per block those that came from endpoints or from another block and are for
// that block. Switches send their partial counters to the others of their block from time to time, whose sum is the combined
// counter. A source takes a detour if the channel of the direct way or the combined counter of the destination's block
// reaches its threshold, by a channel and to a block that do not; if none is found, it goes directly.
//
// Filled in: the source alone decides, as with the other routings of four VCs (the paper decides again on the way);
// the contended detours are excluded, of the others one is drawn (FOGSim: the one whose queue is shortest among those below
// its threshold); thresholds (threshold, limit).
type contention struct {
	r        *Native
	tune     Contention
	blocks   int
	board    *simcore.Board // partial counters
	want     []demand       // by channel
	partial  []int32        // by switch and block
	combined []int32        // likewise: the sum over the switch's own block, as it is known there
	members  [][]topology.SwitchID
	sources  []int32 // by block: VCs whose heads its switches count together
	step     simcore.Cycle
	steps    simcore.Cycle // in the period of notifications
}

// demand is the number of heads that want a channel, and how many of them came in a cycle: those do not count in that
// cycle, so that it does not matter in which order heads are routed.
type demand struct {
	heads, fresh int16
	cycle        int32 // of fresh
}

// heads that want a channel besides the packet that asks.
func (m *contention) heads(c topology.ChannelID, v *simcore.View) int {
	d := &m.want[c]
	if d.cycle == int32(v.Now()) {
		return int(d.heads - d.fresh)
	}
	return int(d.heads)
}

func (r *Native) newContention(v *simcore.View) (*simcore.State, error) {
	n := r.t.Router.Net
	_, far := r.farChannels()
	m := &contention{r: r, tune: r.tune.Contention, want: make([]demand, n.Channels()), step: r.acrossBlock(v)}
	for s, b := range r.blockOf {
		m.blocks = max(m.blocks, int(b)+1)
		for int(b) >= len(m.members) {
			m.members = append(m.members, nil)
		}
		if b >= 0 {
			m.members[b] = append(m.members[b], topology.SwitchID(s))
		}
	}
	m.steps = max(2, (simcore.Cycle(orElse(m.tune.Every, defaultEvery))+m.step/2)/m.step)
	const counters = 4 * (2 + 5) // bytes: the two of each switch and block, and what the board keeps of them
	if err := memory.Require("the counters of routing "+r.name+" on "+n.Design, counters*float64(n.Switches())*float64(m.blocks)); err != nil {
		return nil, err
	}
	m.board = simcore.NewBoard(n.Switches(), m.blocks, m.step, m.step)
	m.partial, m.combined = make([]int32, n.Switches()*m.blocks), make([]int32, n.Switches()*m.blocks)
	m.sources = make([]int32, m.blocks)
	for g := range n.Groups() {
		first, end, ports := n.Group(g)
		for _, sw := range ports {
			m.countSource(r.blockOf[sw], int(end-first))
		}
	}
	for _, c := range far {
		m.countSource(r.blockOf[n.To(c)], 1)
	}
	return &simcore.State{Of: m, Period: m.step, Tick: m.tick, Enter: m.enter, Leave: m.leave, Reset: func() {
		clear(m.want)
		clear(m.partial)
		clear(m.combined)
		m.board.Reset()
	}}, nil
}

// defaultEvery is that of Contention.Every.
const defaultEvery = 100

// tick puts the partial counters of a switch up, and adds those of its block up when all have arrived.
func (m *contention) tick(sw topology.SwitchID, v *simcore.View) {
	b := m.r.blockOf[sw]
	if b < 0 {
		return
	}
	own := m.partial[int(sw)*m.blocks : (int(sw)+1)*m.blocks]
	switch v.Now() / m.step % m.steps {
	case 0:
		copy(m.board.Row(sw, v.Now()), own)
	case 1:
		sum := m.combined[int(sw)*m.blocks : (int(sw)+1)*m.blocks]
		clear(sum)
		for _, x := range m.members[b] {
			for i, k := range m.board.Row(x, v.Now()-m.step) {
				sum[i] += k
			}
		}
	}
}

// enter counts a head; the answer names its counters: the channel of the switch, plus 1, and above that the block, plus 1.
func (m *contention) enter(sw topology.SwitchID, p *simcore.Packet, v *simcore.View) int32 {
	r, n := m.r, m.r.t.Router.Net
	state := p.State
	if p.Phase == outward {
		state = 0 // its way to the destination begins anew
	}
	h, ok := choose(r.t, int(r.setOf[p.Dst]), r.t.Node(sw, state), hash, p, nil)
	if !ok {
		return 0
	}
	first, _ := n.Out(sw)
	d := &m.want[h.Channel]
	if d.heads++; d.cycle != int32(v.Now()) {
		d.cycle, d.fresh = int32(v.Now()), 0
	}
	d.fresh++
	mark := int32(h.Channel-first) + 1
	to := r.blockOfSet(r.setOf[p.Dst])
	if from := r.blockOf[sw]; from >= 0 && to >= 0 && from != to && (p.Hops == 0 || p.Aux == cameFromFar) {
		m.partial[int(sw)*m.blocks+int(to)]++
		mark |= (to + 1) << channelBits
	}
	return mark
}

const (
	channelBits = 12 // of a mark: no switch has 4095 channels
	cameFromFar = 1  // in Packet.Aux: the packet's last channel led to another block
)

func (m *contention) leave(sw topology.SwitchID, mark int32) {
	if mark == 0 {
		return
	}
	first, _ := m.r.t.Router.Net.Out(sw)
	m.want[first+topology.ChannelID(mark&(1<<channelBits-1))-1].heads--
	if to := mark >> channelBits; to > 0 {
		m.partial[int(sw)*m.blocks+int(to)-1]--
	}
}

// countSource counts lines that lead to switches of a block.
func (m *contention) countSource(block int32, lines int) {
	if block >= 0 {
		m.sources[block] += int32(lines * len(m.r.at))
	}
}

// threshold is the number of heads from which on a channel is contended: twice as many as want one on average
// where every VC of every line has a head and traffic is uniform, and lines lead to a switch as many as away from it.
// FOGSim has 3 unless another is given.
func (m *contention) threshold() int { return orElse(m.tune.Local, 2*len(m.r.at)) }

// contended says whether the demand for another block is.
func (m *contention) contended(sw topology.SwitchID, to int32) bool {
	from := m.r.blockOf[sw]
	if from < 0 || to < 0 || from == to {
		return false
	}
	return int(m.combined[int(sw)*m.blocks+int(to)]) >= m.limit(from)
}

// limit is the threshold of a combined counter: twice its mean, likewise, of the VCs whose heads it counts.
// FOGSim has 8 unless another is given.
func (m *contention) limit(from int32) int {
	return orElse(m.tune.Combined, max(1, 2*int(m.sources[from])/max(1, m.blocks-1)))
}

// byContention draws an intermediate, and gives -1 if the direct way is better; with the first hop of the way.
func (r *Native) byContention(sw topology.SwitchID, p *simcore.Packet, v *simcore.View, dst int) (int32, routing.Hop) {
	m := v.State().(*contention)
	here, fresh := r.t.Node(sw, p.State), r.t.Node(sw, 0)
	direct, _ := choose(r.t, dst, here, r.pick, p, v)
	if m.heads(direct.Channel, v)+1 < m.threshold() && !m.contended(sw, r.blockOfSet(r.setOf[p.Dst])) {
		return -1, direct
	}
	for range r.tune.draws(fewDraws) {
		mid := r.drawMid(p)
		if mid < 0 {
			break
		}
		by, ok := choose(r.t, int(r.mids[mid].dst), fresh, r.pick, p, v)
		if !ok || m.heads(by.Channel, v)+1 >= m.threshold() && by.Channel != direct.Channel || m.contended(sw, r.blockOfMid(mid)) {
			continue
		}
		return mid, by
	}
	return -1, direct
}
