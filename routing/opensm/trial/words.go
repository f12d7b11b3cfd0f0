package trial

import (
	"fmt"
	"strings"
)

// cannot is what no table of InfiniBand says, so that nothing of it was tried.
const cannot = "What a destination-based fabric cannot express, and was not tried: adaptive and non-minimal routing (ugal, Valiant, par), virtual channels that change on " +
	"the way (one per hop, datelines), several ports behind one address. InfiniBand has one way from a switch to an address and one service level for a pair; " +
	"figures of other routings of this program are neither confirmed nor refuted by it."

// Contradictions are what OpenSM or ibdmchk say otherwise than this program; none is what one hopes for.
func (r *Result) Contradictions() (out []string) {
	add := func(format string, x ...any) { out = append(out, fmt.Sprintf(format, x...)) }
	if !r.DiscoveryAgrees {
		add("discovery found %d cables, and the network has %d, or other ends", r.DiscoveredCables, r.Cables)
	}
	for _, e := range r.Engines {
		if e.Fits && e.OneLaneLoops != e.OurLoops {
			add("tables of %s on one lane: ibdmchk says %s, our walk over them %s", e.Engine, loops(e.OneLaneLoops), loops(e.OurLoops))
		}
		if e.Lost > 0 {
			add("tables of %s lose %d pairs", e.Engine, e.Lost)
		}
	}
	for _, o := range r.Ours {
		switch {
		case o.Refused != "":
		case !o.Loaded:
			add("our tables of %s are not what OpenSM dumped after it loaded them", o.Routing)
		case o.Loops:
			add("our tables of %s have a credit loop by ibdmchk with %d service levels, and none by our proof", o.Routing, o.Layers)
		case o.Layers == 1 && o.OneLane:
			add("our tables of %s have a credit loop by ibdmchk on one lane, and none by our proof", o.Routing)
		}
	}
	return out
}

func loops(found bool) string {
	if found {
		return "a credit loop"
	}
	return "no credit loop"
}

// Words tells the result, a paragraph a finding.
func (r *Result) Words() string {
	var b strings.Builder
	say := func(format string, x ...any) { fmt.Fprintf(&b, format+"\n", x...) }
	say("%s: %d switches, %d endpoints, %d cables", r.Design, r.Switches, r.Endpoints, r.Cables)
	if r.DiscoveryAgrees {
		say("discovered: the subnet is up; ibnetdiscover finds the same %d cables, port for port", r.DiscoveredCables)
	}
	say("\nOpenSM's own tables%16s %9s %8s  credit loops on one lane", "mean hops", "busiest", "lanes")
	for _, e := range r.Engines {
		if !e.Fits {
			say("  %-10s does not fit: %s", e.Engine, e.Why)
			continue
		}
		lanes, verdict := "-", loops(e.OneLaneLoops)
		if e.Lanes > 0 {
			lanes = fmt.Sprint(e.Lanes)
		}
		if e.OneLaneLoops && e.Lanes > 1 {
			verdict += ", which its lanes are to break"
		}
		say("  %-10s %22.4f %9d %8s  %s", e.Engine, e.MeanHops, e.Busiest, lanes, verdict)
	}
	say("Our tables, loaded by OpenSM")
	for _, o := range r.Ours {
		if o.Refused != "" {
			say("  %-10s cannot be written: %s", o.Routing, o.Refused)
			continue
		}
		say("  %-10s %22.4f %9d %8d  %s; with our service levels %s", o.Routing, o.MeanHops, o.Busiest, o.Layers, loops(o.OneLane), loops(o.Loops))
	}
	say("busiest: pairs of endpoints over one channel. lanes: what the engine says that it needs; its service levels are not read back,")
	say("so that ibdmchk judges its tables with all pairs on one lane. Of ours it knows the level of each pair.")
	for _, line := range r.lanes() {
		say("%s", line)
	}
	if c := r.Contradictions(); len(c) > 0 {
		say("\nCONTRADICTIONS\n  %s", strings.Join(c, "\n  "))
	} else {
		say("\nAgrees: cables found, tables taken over entry by entry, and every verdict of ibdmchk on credit loops is that of this program.")
	}
	say("%s", cannot)
	return b.String()
}

// lanes compares virtual lanes of the same algorithm.
func (r *Result) lanes() (out []string) {
	for _, o := range r.Ours {
		for _, e := range r.Engines {
			if e.Engine != o.Routing || !e.Fits || e.Lanes == 0 || o.Layers == 0 {
				continue
			}
			how := "as many as ours"
			if e.Lanes != o.Layers {
				how = fmt.Sprintf("ours has %d: both break ties their own way, and neither is proved to be the least", o.Layers)
			}
			out = append(out, fmt.Sprintf("Virtual lanes of %s: OpenSM's engine needs %d, %s.", o.Routing, e.Lanes, how))
		}
	}
	return out
}
