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

// BufferUse is the occupancy of the input buffers of a class of switches, sampled every 64
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
