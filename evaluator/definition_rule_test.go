package evaluator

import (
	"strconv"
	"strings"

	"toposearch/topology"
)

// naturalOf is the natural routing on the twin, through servers where these relay; known is false where
// the twin cannot tell it.
func naturalOf(d topology.Design, w *twin) (states int, rule legal, known bool) {
	if d.Family.Natural == nil {
		return 1, nil, true
	}
	if states, rule = naturalRule(d, w); rule == nil {
		if states, rule = replayed(d.Family.Natural(d.V), w); rule == nil {
			return 1, nil, false
		}
	}
	if w.server > 0 {
		states, rule = throughServers(states, rule, w)
	}
	return states, rule, true
}

// replayed follows a rule step by step; nil if a step may lead to several states.
func replayed(r topology.Rule, w *twin) (int, legal) {
	to := map[[4]uint8]uint8{}
	is := func(want, got uint8) bool { return want == topology.Any || want == got }
	for i, a := range r.Steps {
		for _, b := range r.Steps[:i] {
			if a.From == b.From && a.To != b.To {
				for _, arc := range w.arcs {
					if arc.from >= w.net.Switches() || arc.to >= w.net.Switches() {
						continue
					}
					k := kindOf(w, &arc)
					if is(a.Kind.Link, k.Link) && is(a.Kind.From, k.From) && is(a.Kind.To, k.To) &&
						is(b.Kind.Link, k.Link) && is(b.Kind.From, k.From) && is(b.Kind.To, k.To) {
						return 1, nil
					}
				}
			}
		}
	}
	return r.States, func(state int, a *twinArc) (int, bool) {
		k := kindOf(w, a)
		key := [4]uint8{k.Link, k.From, k.To, uint8(state)}
		if t, ok := to[key]; ok {
			return int(t), t != topology.Any
		}
		to[key] = topology.Any
		for _, s := range r.Steps {
			if int(s.From) == state && is(s.Kind.Link, k.Link) && is(s.Kind.From, k.From) && is(s.Kind.To, k.To) {
				to[key] = s.To
			}
		}
		return int(to[key]), to[key] != topology.Any
	}
}

func kindOf(w *twin, a *twinArc) topology.Kind {
	return topology.Kind{Link: uint8(a.class), From: uint8(w.net.Class(topology.SwitchID(a.from))), To: uint8(w.net.Class(topology.SwitchID(a.to)))}
}

// throughServers lets a packet change to another endpoint of its server before the family's route, and from
// where that arrives to another endpoint of that server: state 0 is at the source, 1 at another endpoint of its
// server, the family's follow, then at the end of its route and of all.
func throughServers(states int, rule legal, w *twin) (int, legal) {
	const family = 2
	arrived, last := family+states, family+states+1
	embedded := w.net.LinkClasses[0].Name == topology.ClassInternal
	return last + 1, func(state int, a *twinArc) (int, bool) {
		in := state >= family && state < arrived
		switch {
		case a.name == topology.ClassScaleup:
			switch {
			case state == 0:
				return 1, true
			case state == arrived, embedded && in:
				return last, true
			}
			return 0, false
		case !embedded && w.relay[a.from]:
			return family, state < family
		case !embedded && w.relay[a.to]:
			return arrived, in
		case embedded && state < family:
			s, ok := rule(0, a)
			return family + s, ok
		case in:
			s, ok := rule(state-family, a)
			return family + s, ok
		}
		return 0, false
	}
}

// naturalRule writes the natural routing of the families down once more; nil where the twin does
// not know it.
func naturalRule(d topology.Design, w *twin) (states int, rule legal) {
	rank := func(v int) int { return w.net.Class(topology.SwitchID(v)) }
	switch d.Family.Name {
	case "fullmesh", "hyperx", "flattenedbutterfly", "hypercube", "mesh", "torus", "tpuocs":
		if strings.Contains(d.String(), "twist") {
			return 1, nil
		}
		// Dimension order: never back to a lower dimension. Names of classes end on it.
		dims, most := make([]int, len(w.net.LinkClasses)), 0
		for _, a := range w.arcs {
			if n := a.name; a.links > 0 && strings.ContainsAny(n, "123456789") {
				dims[a.class], _ = strconv.Atoi(n[strings.IndexAny(n, "123456789"):])
				most = max(most, dims[a.class])
			}
		}
		return most + 1, func(state int, a *twinArc) (int, bool) { return dims[a.class], dims[a.class] >= state }
	case "dragonfly":
		// At most one local hop, one global hop, one local hop.
		return 4, func(state int, a *twinArc) (int, bool) {
			switch {
			case a.name == "local" && state == 0:
				return 1, true
			case a.name == "local" && state == 2:
				return 3, true
			case a.name == "global" && state < 2:
				return 2, true
			}
			return 0, false
		}
	case "bcube":
		// Digits in ascending order.
		return 8, func(state int, a *twinArc) (int, bool) {
			if w.embedded[a.to] {
				return state, true
			}
			return rank(a.to) + 1, rank(a.to) >= state
		}
	case "zcube":
		// All up or all down.
		return 3, func(state int, a *twinArc) (int, bool) {
			next := 1
			if rank(a.to) < rank(a.from) {
				next = 2
			}
			return next, state == 0 || state == next
		}
	case "fattree", "multirail", "roft", "hpn", "oft", "mlfm", "zettafly4", "kntree", "th1a":
		// Never up after down.
		return 2, func(state int, a *twinArc) (int, bool) {
			if rank(a.to) > rank(a.from) {
				return 0, state == 0
			}
			return 1, true
		}
	case "dragonflyplus":
		// Up, one global hop, down; inside a group up and down.
		return 3, func(state int, a *twinArc) (int, bool) {
			switch {
			case rank(a.to) > rank(a.from):
				return 1, state == 0
			case rank(a.to) == rank(a.from):
				return 2, state == 1
			}
			return 2, state > 0
		}
	}
	return 1, nil
}
