package simcore

import (
	"cmp"
	"slices"

	"toposearch/topology"
)

// Detail is what a run measured inside the network, in the window.
type Detail struct {
	// Links sums up the utilisation of the channels of each kind: class, from what, to what.
	Links []LinkUse `json:"links"`
	// Worst is the busiest channel between switches; of equals the first. Nil if there is none.
	Worst   *ChannelUse `json:"worst_link,omitempty"`
	Buffers []BufferUse `json:"buffers"`
	Waits   []Part      `json:"waits"`
	// Channels are all channels between switches, if Observe asks for them.
	Channels []ChannelUse `json:"-"`
}

// LinkUse is the utilisation of the channels of one kind: the flits that they carried, as a
// fraction of what they can carry.
type LinkUse struct {
	Class    string  `json:"class"`
	From     string  `json:"from"` // class of switch, or "endpoint"
	To       string  `json:"to"`
	Channels int     `json:"channels"`
	Mean     float64 `json:"mean"`
	Min      float64 `json:"min"`
	Max      float64 `json:"max"`
}

// ChannelUse is the utilisation of one channel, named by both ends.
type ChannelUse struct {
	Class       string            `json:"class"`
	From        string            `json:"from"` // Network.SwitchName
	To          string            `json:"to"`
	FromID      topology.SwitchID `json:"from_id"`
	ToID        topology.SwitchID `json:"to_id"`
	Flits       int64             `json:"flits"`
	Utilisation float64           `json:"utilisation"`
}

// BufferUse is the occupancy of the input buffers of a class of switches, looked at every 64
// cycles.
type BufferUse struct {
	Class    string  `json:"class"`
	Switches int     `json:"switches"`
	Mean     float64 `json:"mean_flits"` // in a switch
	Max      int64   `json:"max_flits"`  // in the fullest switch at any look
	Fill     float64 `json:"mean_fill"`  // mean share of the slots
	MaxVC    int64   `json:"max_vc_flits"`
	VCSlots  int     `json:"vc_slots"`
	// Of the cut-through model also in bytes; its flits are cells.
	MeanBytes  float64 `json:"mean_bytes,omitempty"`
	MaxBytes   int64   `json:"max_bytes,omitempty"`
	MaxVCBytes int64   `json:"max_vc_bytes,omitempty"`
	VCBytes    int64   `json:"vc_bytes,omitempty"`
}

// Part is one part of the mean packet latency; the parts add up to it.
type Part struct {
	Where  string  `json:"where"`
	Cycles float64 `json:"cycles"`
	Share  float64 `json:"share"`
}

func (s *Sim) classOf(sw int32) int {
	if s.net == nil {
		return 0
	}
	return s.net.Class(topology.SwitchID(sw))
}

// detail sums the window up, cycles long. Mean latencies follow in finishWaits, when they are known.
func (x *observer) detail(cycles Cycle) *Detail {
	if x == nil || !x.s.cfg.Observe.Detail || cycles <= 0 {
		return nil
	}
	d := &Detail{Buffers: x.buffers()}
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
func (x *observer) links(d *Detail, cycles float64) {
	s, n := x.s, x.s.net
	var sums LinkSums
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

// LinkSums sums up the utilisation of channels by class and ends. The zero value is empty.
type LinkSums struct{ rows map[LinkUse]*LinkUse }

// Add counts a channel.
func (t *LinkSums) Add(class, from, to string, use float64) {
	if t.rows == nil {
		t.rows = make(map[LinkUse]*LinkUse)
	}
	k := LinkUse{Class: class, From: from, To: to}
	r := t.rows[k]
	if r == nil {
		r = &LinkUse{Class: class, From: from, To: to, Min: use, Max: use}
		t.rows[k] = r
	}
	r.Channels++
	r.Mean += use
	r.Min, r.Max = min(r.Min, use), max(r.Max, use)
}

// list is what was added, sorted.
func (t *LinkSums) list() (all []LinkUse) {
	for _, r := range t.rows {
		r.Mean /= float64(r.Channels)
		all = append(all, *r)
	}
	slices.SortFunc(all, func(a, b LinkUse) int {
		return cmp.Or(cmp.Compare(a.Class, b.Class), cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To))
	})
	return all
}

// FillLinks fills Links, Worst and, if every channel is asked for, Channels, for any model: of gives
// the flits that a channel between switches carried and its utilisation, sums has the channels of
// endpoints.
func (d *Detail) FillLinks(n *topology.Network, sums *LinkSums, every bool, of func(topology.SwitchID, topology.ChannelID) (int64, float64)) {
	var names []string
	if every {
		names = n.SwitchNames()
		d.Channels = make([]ChannelUse, 0, n.Channels())
	}
	var worst ChannelUse
	most := -1.0
	for sw := range topology.SwitchID(n.Switches()) {
		first, end := n.Out(sw)
		for c := first; c < end; c++ {
			flits, u := of(sw, c)
			to, class := n.To(c), n.LinkClasses[n.LinkClass(c)].Name
			sums.Add(class, n.SwitchClasses[n.Class(sw)].Name, n.SwitchClasses[n.Class(to)].Name, u)
			x := ChannelUse{Class: class, FromID: sw, ToID: to, Flits: flits, Utilisation: u}
			if u > most {
				worst, most = x, u
			}
			if every {
				x.From, x.To = names[sw], names[to]
				d.Channels = append(d.Channels, x)
			}
		}
	}
	d.Links = sums.list()
	if most >= 0 {
		worst.From, worst.To = n.SwitchName(worst.FromID), n.SwitchName(worst.ToID)
		d.Worst = &worst
	}
}

// buffers gives the occupancy by class of switch.
func (x *observer) buffers() []BufferUse {
	s := x.s
	slots, count := make([]float64, len(x.fill)), make([]int, len(x.fill))
	for sw := range int32(s.switches) {
		c := s.classOf(sw)
		count[c]++
		slots[c] += float64(s.inStart[sw+1]-s.inStart[sw]) * float64(s.vcs) * float64(s.depth)
	}
	var out []BufferUse
	for c, f := range x.fill {
		if count[c] == 0 {
			continue
		}
		name := "switch"
		if s.net != nil {
			name = s.net.SwitchClasses[c].Name
		}
		b := BufferUse{Class: name, Switches: count[c], Max: f.most, MaxVC: f.mostVC, VCSlots: int(s.depth)}
		if x.looks > 0 {
			b.Mean = float64(f.sum) / float64(x.looks) / float64(count[c])
			b.Fill = float64(f.sum) / float64(x.looks) / max(slots[c], 1)
		}
		out = append(out, b)
	}
	return out
}

// placeNames are the parts of a packet's latency, in the order in which they are printed: before
// the network, the places of its head, and the flits behind it.
var placeNames = [numPlaces]string{"routing", "vc_allocation", "switch_allocation", "credit_stall", "slow_link", "behind_other_packet", "link_and_crossbar"}

// waits divides the mean latency. Source queue and serialisation are measured packet by packet;
// what is between, the way of the head, is divided as the heads stood when looked at: by Little's
// law the mean number at a place is the rate of packets times the mean time spent there.
func (x *observer) waits(pt *Point) []Part {
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
	out := []Part{{Where: "source_queue", Cycles: pt.Latency.Mean - pt.Network.Mean}}
	for i, k := range x.heads {
		w := Part{Where: placeNames[i]}
		if all > 0 {
			w.Cycles = head * float64(k) / float64(all)
		}
		out = append(out, w)
	}
	out = append(out, Part{Where: "rest_of_packet", Cycles: tail})
	for i := range out {
		out[i].Share = out[i].Cycles / max(pt.Latency.Mean, 1e-9)
	}
	return out
}
