package flit

import (
	"toposearch/simcore"
	"toposearch/topology"
)

// detail sums the window up, cycles long. Mean latencies follow in finishWaits, when they are known.
func (x *observer) detail(cycles simcore.Cycle) *simcore.Detail {
	if x == nil || !x.s.cfg.Observe.Detail || cycles <= 0 {
		return nil
	}
	d := &simcore.Detail{Buffers: x.buffers()}
	if x.s.net != nil {
		x.links(d, float64(cycles))
	}
	return d
}

// use is the utilisation of an output port over some cycles.
func (s *Sim) use(op int32, cycles float64) float64 {
	u := float64(s.sentBy[op]) / cycles
	if s.slow != nil && s.slow[op].num > 0 {
		u *= float64(s.slow[op].den) / float64(s.slow[op].num)
	}
	return u
}

// links fills Links, Worst and Channels.
func (x *observer) links(d *simcore.Detail, cycles float64) {
	s, n := x.s, x.s.net
	var sums simcore.LinkSums
	for k := range s.src {
		op := s.nOut + int32(k)
		sw := s.in[s.out[op].down].sw
		sums.Add(n.LinkClasses[0].Name, "endpoint", n.SwitchClasses[s.classOf(sw)].Name, s.use(op, cycles))
	}
	for k, op := range s.sinkOut {
		sums.Add(n.LinkClasses[0].Name, n.SwitchClasses[s.classOf(s.sinkSwitch[k])].Name, "endpoint", s.use(op, cycles))
	}
	d.FillLinks(n, &sums, s.cfg.Observe.Channels, func(_ topology.SwitchID, c topology.ChannelID) (int64, float64) {
		op := s.chanOut[c]
		return int64(s.sentBy[op]), s.use(op, cycles)
	})
}

// buffers gives the occupancy by class of switch.
func (x *observer) buffers() []simcore.BufferUse {
	s := x.s
	slots, count := make([]float64, len(x.fill)), make([]int, len(x.fill))
	for sw := range int32(s.switches) {
		c := s.classOf(sw)
		count[c]++
		slots[c] += float64(s.inStart[sw+1]-s.inStart[sw]) * float64(s.vcs) * float64(s.depth)
	}
	var out []simcore.BufferUse
	for c, f := range x.fill {
		if count[c] == 0 {
			continue
		}
		name := "switch"
		if s.net != nil {
			name = s.net.SwitchClasses[c].Name
		}
		b := simcore.BufferUse{Class: name, Switches: count[c], Max: f.most, MaxVC: f.mostVC, VCSlots: int(s.depth)}
		if x.snapshots > 0 {
			b.Mean = float64(f.sum) / float64(x.snapshots) / float64(count[c])
			b.Fill = float64(f.sum) / float64(x.snapshots) / max(slots[c], 1)
		}
		out = append(out, b)
	}
	return out
}

// placeNames are the parts of a packet's latency, in the order in which they are printed: before
// the network, the places of its head, and the flits behind it.
var placeNames = [numPlaces]string{"routing", "vc_allocation", "switch_allocation", "credit_stall", "slow_link", "behind_other_packet", "link_and_crossbar"}

// waits divides the mean latency. Source queue and serialisation are measured packet by packet;
// what is between, the way of the head, is divided as the heads stood in the snapshots: by Little's
// law the mean number at a place is the rate of packets times the mean time spent there.
func (x *observer) waits(pt *simcore.Point) []simcore.Part {
	t := &x.s.stat
	if pt.Packets == 0 {
		return nil
	}
	n := float64(t.plat.N())
	tail := float64(t.frag+t.bodies) / n
	head := max(pt.Network.Mean-tail, 0)
	all := int64(0)
	for _, k := range x.heads {
		all += k
	}
	out := []simcore.Part{{Where: "source_queue", Cycles: pt.Latency.Mean - pt.Network.Mean}}
	for i, k := range x.heads {
		w := simcore.Part{Where: placeNames[i]}
		if all > 0 {
			w.Cycles = head * float64(k) / float64(all)
		}
		out = append(out, w)
	}
	out = append(out, simcore.Part{Where: "rest_of_packet", Cycles: tail})
	for i := range out {
		out[i].Share = out[i].Cycles / max(pt.Latency.Mean, 1e-9)
	}
	return out
}
