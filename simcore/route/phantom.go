package route

import (
	"toposearch/routing"
	"toposearch/simcore"
	"toposearch/topology"
)

// PAR without phantom congestion (PARph: J. Won, G. Kim, J. Kim, T. Jiang, M. Parker, S. Scott, "Overcoming far-end congestion in large-scale
// networks", HPCA 2015; H. Kasan's BookSim2 has it as par_inflight_avg). A queue that a switch knows from its credits holds
// flits that are in flight, on a long channel more than any others: what was sent within a credit round trip is
// taken off, by a window that slides over the flits sent. Against transient congestion the direct way is compared not with the
// queue of the detour but with the mean of the switch's queues, plus an offset: direct if q H <= (mean + offset) H'.
//
// Filled in: the mean is that of the other channels of the same class of links, whose buffers are alike, or of all others
// where there are none; packets that wait for a channel in its switch count as its queue; the offset and how
// often a mean is taken (Phantom).
type phantom struct {
	r      *Native
	tune   Phantom
	period simcore.Cycle
	links  int             // classes
	at     []simcore.Cycle // by switch: when its sums were taken; -1: never
	sum    []int32         // by switch and class of links, of queues
	count  []int32         // likewise, of channels
}

func (r *Native) newPhantom(v *simcore.View) *simcore.State {
	n := r.t.Router.Net
	m := &phantom{r: r, tune: r.tune.Phantom, links: len(n.LinkClasses), at: make([]simcore.Cycle, n.Switches())}
	m.period = simcore.Cycle(orElse(m.tune.MeanPeriod, packetOf(v)))
	m.sum, m.count = make([]int32, n.Switches()*m.links), make([]int32, n.Switches()*m.links)
	for s := range topology.SwitchID(n.Switches()) {
		c, end := n.Out(s)
		for ; c < end; c++ {
			m.count[int(s)*m.links+n.LinkClass(c)]++
		}
	}
	return &simcore.State{Of: m, CountSent: true, Reset: func() {
		for i := range m.at {
			m.at[i] = -1
		}
	}}
}

// realQueue is the queue of a channel without what is in flight.
func realQueue(v *simcore.View, c topology.ChannelID) int {
	return max(0, v.Used(c)-v.Sent(c)) + v.Waiting(c)
}

// others gives the sum and the number of the queues at a switch that are compared with one of q flits. Sums are taken
// when first asked for in a period: nothing that they are of changes while heads are routed.
func (m *phantom) others(sw topology.SwitchID, c topology.ChannelID, q int, v *simcore.View) (sum, count int) {
	n, k := m.r.t.Router.Net, int(sw)*m.links
	sums := m.sum[k : k+m.links]
	if now := v.Now(); m.at[sw] < 0 || now/m.period != m.at[sw]/m.period {
		m.at[sw] = now
		clear(sums)
		x, end := n.Out(sw)
		for ; x < end; x++ {
			sums[n.LinkClass(x)] += int32(realQueue(v, x))
		}
	}
	class := n.LinkClass(c)
	sum, count = int(sums[class]), int(m.count[k+class])
	if count < 2 {
		sum, count = 0, 0
		for i := range sums {
			sum += int(sums[i])
			count += int(m.count[k+i])
		}
	}
	return max(0, sum-q), max(1, count-1)
}

// byRealQueues draws an intermediate, and gives -1 if the direct way is better; with the first hop of the way.
func (r *Native) byRealQueues(sw topology.SwitchID, p *simcore.Packet, v *simcore.View, dst int) (int32, routing.Hop) {
	mid, here := r.drawFrom(sw, p), r.t.Node(sw, p.State)
	direct, _ := choose(r.t, dst, here, r.pick, p, v)
	if mid < 0 {
		return -1, direct
	}
	to := &r.mids[mid]
	start := r.startOf(sw, p, to)
	by, ok := choose(r.t, int(to.dst), start, r.pick, p, v)
	if !ok {
		return -1, direct // it stands there already, or cannot come there from a spine in a tree that is climbed once
	}
	m := v.State().(*phantom)
	q := realQueue(v, direct.Channel)
	sum, count := m.others(sw, direct.Channel, q, v)
	offset := orElse(m.tune.Offset, v.Line(direct.Channel).Packet)
	if q*count*int(r.t.Dist(dst, here)) <= (sum+offset*count)*(int(r.t.Dist(int(to.dst), start))+r.onward(to, dst)) {
		return -1, direct
	}
	return mid, by
}
