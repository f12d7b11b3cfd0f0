package simulate

import (
	"toposearch/routing"
	"toposearch/simcore/cutthrough"
	"toposearch/topology"
)

const (
	noticeBytes  = 256    // a small packet
	controllerNs = 10_000 // for the controller of a switch, in software, to read a notice and change its routes
)

// NewsNs is how long after a failure the last source concerned has heard of it and taken other routes, ns: of each channel that fails
// by itself or with a switch, as the switch before it sees it, the longest (routing.NotifyDirect, NotifyHopByHop). Routes are r's, over
// the network as c has it, all links like the slowest and the longest.
func (x *Outages) NewsNs(r *routing.Router, c *cutthrough.Config, how News) int64 {
	n := r.Net
	t := routing.NotifyTimes{ForwardNs: c.SwitchNs, ProcessNs: controllerNs}
	for i := range n.LinkClasses {
		if gbps := c.ClassGbps[i]; gbps > 0 && n.LinkClasses[i].Name != topology.ClassInternal {
			t.SendNs = max(t.SendNs, noticeBytes*8/gbps)
			t.LinkNs = max(t.LinkNs, noticeBytes*8/gbps+c.ClassCableNs[i])
		}
	}
	for s := range topology.SwitchID(n.Switches()) {
		if n.Embedded(s) {
			t.ForwardNs = max(t.ForwardNs, c.RelayNs)
			break
		}
	}
	longest, seen := t.ProcessNs, map[topology.ChannelID]bool{}
	fails := func(ch topology.ChannelID) {
		if ch < 0 || seen[ch] { // no channel back
			return
		}
		seen[ch] = true
		notify := r.NotifyDirect
		if how == HopByHopNews {
			notify = r.NotifyHopByHop
		}
		longest = max(longest, notify(ch, t).MeasuredNs)
	}
	for _, o := range x.List {
		for _, ch := range o.Failures.Links {
			fails(ch)
			fails(n.Rev(ch))
		}
		for _, s := range o.Failures.Switches {
			first, end := n.Out(s)
			for ch := first; ch < end; ch++ {
				fails(n.Rev(ch))
			}
		}
	}
	return int64(longest + 0.5)
}
