package route

import (
	"toposearch/routing"
	"toposearch/simcore"
	"toposearch/topology"
)

// credits is how many channels of a way are seen by credits: what waits for the first one and behind it.
const credits = 2

// lanesOn gives the lanes of the channel of a hop, and the VC of the rule there.
func (r *Native) lanesOn(h routing.Hop) (l *lanes, vc uint8) {
	if r.division == nil {
		return &r.lanes, h.VC
	}
	how := r.division[h.Channel]
	if how&ofOneVC != 0 {
		return r.others[how], 0
	}
	return r.others[how], h.VC
}

// lanesOf are those of the channel by which a packet has come.
func (r *Native) lanesOf(p *simcore.Packet) *lanes {
	if r.division == nil {
		return &r.lanes
	}
	return r.others[p.Lanes]
}

// queue is the congestion of a channel on the VCs that packets on the direct way may take for a hop, with what
// waits for it in the switch, and the number of those VCs. Buffers of a round trip and a packet are full when as much has
// been decided for them as is yet to come; that packets wait tells earlier. The other VCs are those of last legs, on which nobody who decides will wait.
func (r *Native) queue(v *simcore.View, h routing.Hop, hops int) (flits, vcs int) {
	w := span{0, r.top}
	if r.hopVC {
		w.hi = r.hi[max(0, r.need-hops)]
	} else {
		l, vc := r.lanesOn(h)
		w = l.ways[vc][probing]
	}
	for vc := w.lo; vc <= w.hi; vc++ {
		flits += v.UsedVC(h.Channel, vc)
	}
	return flits + v.Waiting(h.Channel), int(w.hi-w.lo) + 1
}

// parallel is the number of channels of a kind that lead from a channel's start to its end.
func (r *Native) parallel(c topology.ChannelID) int {
	if r.parallels == nil {
		return 1
	}
	return int(r.parallels[c])
}

// parallels are, by channel, the channels of its kind between its switches; nil if there are no two such anywhere.
func parallels(c *routing.Router) []uint16 {
	type end struct {
		to   topology.SwitchID
		kind int
	}
	all, some := make([]uint16, c.Net.Channels()), false
	for s := range c.Net.Switches() {
		first, last := c.Net.Out(topology.SwitchID(s))
		count := map[end]uint16{}
		for ch := first; ch < last; ch++ {
			count[end{c.Net.To(ch), int(c.KindOf(ch))}]++
		}
		for ch := first; ch < last; ch++ {
			all[ch] = count[end{c.Net.To(ch), int(c.KindOf(ch))}]
			some = some || all[ch] > 1
		}
	}
	if !some {
		return nil
	}
	return all
}

// likePeers says whether the queue of the first channel on the direct way, less the bias, is not much longer than those of the
// switch's other channels of its kind, those parallel to it left out, which are as long whatever happens, or else of others (routing.Router.Peers). Then all of them are congested, and to divert from one to another only makes ways longer: where
// uniform traffic is beyond saturation, queues in deep buffers differ by much more than a packet.
func (r *Native) likePeers(v *simcore.View, direct way, near int) bool {
	return r.peersHold(v, direct.first.Channel, near, func(c topology.ChannelID) int {
		h := direct.first
		h.Channel = c
		flits, _ := r.queue(v, h, direct.hops)
		return flits
	}, func(c topology.ChannelID) bool { return r.begins(direct, c) })
}

// begins says whether a way may begin with a channel as well.
func (r *Native) begins(w way, c topology.ChannelID) (found bool) {
	if r.t.HasLists() {
		for _, h := range r.t.Hops(w.dst, w.node) {
			found = found || h.Channel == c
		}
		return found
	}
	r.t.EachHop(w.dst, w.node, func(h routing.Hop) { found = found || h.Channel == c })
	return found
}

// shallow says of buffers that they cannot show twice what others hold whose channels flow.
func shallow(l simcore.Line) bool { return l.Buffer < 2*(l.Trip+l.Packet) }

// times is Tuning.peers, or what stands for it at a channel.
func (r *Native) times(shallow bool, first topology.ChannelID, peers int) float64 {
	if r.tune.Peers == nil && (shallow && r.plan == ugalL && r.sends[r.t.Router.Net.To(first)] || r.plan.twice() && r.mixed[first]) {
		return 1
	}
	return r.tune.peers(peers)
}

// findMixed notes, by channel, whether it has no others of its kind and of it and its peers some lead to switches with endpoints and some to others.
func (r *Native) findMixed() {
	t := r.t.Router
	r.mixed = make([]bool, t.Net.Channels())
	for i := range r.mixed {
		of := topology.ChannelID(i)
		for c := range t.Peers(of, nil) {
			if t.KindOf(c) == t.KindOf(of) {
				break
			}
			if r.sends[t.Net.To(c)] != r.sends[t.Net.To(of)] {
				r.mixed[i] = true
				break
			}
		}
	}
}

// peersHold is likePeers for queues as a function gives them, the peers being routing.Router.Peers of a way that begins with other channels as well (nil: none).
func (r *Native) peersHold(v *simcore.View, first topology.ChannelID, near int, queue func(topology.ChannelID) int, begins func(topology.ChannelID) bool) bool {
	sum, peers := 0, 0
	for c := range r.t.Router.Peers(first, begins) {
		sum += queue(c)
		peers++
	}
	return peers > 0 && float64(near*peers) <= r.times(shallow(v.Line(first)), first, peers)*float64(sum)
}
