package route

import (
	"toposearch/simcore"
	"toposearch/topology"
)

// Piggybacking (PB: N. Jiang, J. Kim, W. J. Dally, "Indirect adaptive routing on large scale interconnection networks",
// ISCA 2009). Every switch tells the others of its block, a bit for each of its channels to other blocks, which of
// them are congested. A source takes a detour if the direct way leaves the block by such a channel, or if the rule of UGAL says so.
//
// Filled in: a queue is that of all VCs of a channel with what waits for it in its switch; it is congested beyond the larger of
// two limits, which FOGSim adds up: buffers of a round trip would never hold as much; where the
// detour leaves by a congested channel, too, the bits say nothing and the rule of UGAL decides; where a way divides
// inside the block, the switch asks about one exit drawn at random; the ratio for few channels (PiggyBack).
type piggyBack struct {
	board *simcore.Board // a bit per channel to other blocks
	first []int32        // by switch, in far
	far   []topology.ChannelID
	slot  []int32 // by channel: its place in far, minus first
	tune  PiggyBack
	most  simcore.Cycle // how far away boards are read
}

func (r *Native) newPiggyBack(v *simcore.View) *simcore.State {
	m := &piggyBack{tune: r.tune.PiggyBack, most: farAway * r.longestInside(v)}
	m.place(r)
	period := simcore.Cycle(orElse(m.tune.Period, packetOf(v)))
	m.board = simcore.NewBoard(r.t.Router.Net.Switches(), (m.widest()+31)/32, period, m.most)
	return &simcore.State{Of: m, Reset: m.board.Reset, Period: period, Tick: m.tick}
}

// place lists the channels that leave a block.
func (m *piggyBack) place(r *Native) {
	m.first, m.far = r.farChannels()
	m.slot = make([]int32, r.t.Router.Net.Channels())
	for s := range r.t.Router.Net.Switches() {
		for i, c := range m.far[m.first[s]:m.first[s+1]] {
			m.slot[c] = int32(i)
		}
	}
}

// widest is the most channels to other blocks that a switch has, at least 1.
func (m *piggyBack) widest() int {
	most := int32(1)
	for s := range len(m.first) - 1 {
		most = max(most, m.first[s+1]-m.first[s])
	}
	return int(most)
}

// tick marks the congested channels of a switch.
func (m *piggyBack) tick(sw topology.SwitchID, v *simcore.View) {
	list := m.far[m.first[sw]:m.first[sw+1]]
	if len(list) == 0 {
		return
	}
	row := m.board.Row(sw, v.Now())
	clear(row)
	sum := 0
	for _, c := range list {
		sum += backlog(v, c)
	}
	threshold := orElse(m.tune.Threshold, defaultMark*v.Line(list[0]).Packet)
	limit := max(int(m.ratio(len(list))*float64(sum)/float64(len(list))), threshold)
	for i, c := range list {
		if backlog(v, c) > limit {
			row[i/32] |= 1 << (i % 32)
		}
	}
}

// defaultMark is the packets of PiggyBack.Threshold.
const defaultMark = 5

// ratio is PiggyBack.Ratio for a switch with n channels to other blocks.
func (m *piggyBack) ratio(n int) float64 {
	switch {
	case m.tune.Ratio != nil:
		return *m.tune.Ratio
	case n == 1:
		return 0
	}
	return min(2, float64(n+1)/2)
}

// backlog is the queue of a channel, as its switch knows it.
func backlog(v *simcore.View, c topology.ChannelID) int { return v.Used(c) + v.Waiting(c) }

// congestedAhead says whether a way leaves the block by a channel that is marked, as far as its first switch has been told.
func (r *Native) congestedAhead(p *simcore.Packet, v *simcore.View, w way) bool {
	m, ok := stateOf[*piggyBack](v)
	if !ok || r.blockOf[r.t.SwitchOf(w.node)] < 0 {
		return false
	}
	c, away, ok := r.exit(p, v, w)
	if !ok || away > m.most {
		return false
	}
	row := m.board.Row(r.t.Router.Net.From(c), v.Now()-away)
	i := m.slot[c]
	return row != nil && row[i/32]>>(i%32)&1 != 0
}
