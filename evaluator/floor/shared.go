package floor

import (
	"slices"

	"toposearch/catalog"
	"toposearch/evaluator/market"
	"toposearch/topology"
)

// A twin-port module serves two ports of a switch from one cage; an odd port has a module of its own. An
// adapter has a cage for each port, so that at the end of a nic link a module serves one link only. A cable
// or fibre for several links joins two cages: its links lead from the same box to the same box, and a link
// that has no parallel takes a whole one. A splitter has one cage at a switch, and single ends at
// endpoints. What every link needs is a fraction of a part; whole parts
// are counted box by box, on the cable schedule, where the list has parts that serve several links.

// sharedPart is how many links of a design have a part that several share.
type sharedPart struct {
	part     *catalog.Part
	boxes    map[topology.SwitchID]sharing   // links at a switch, ends that have a cage
	npus     map[topology.EndpointID]sharing // at an endpoint that relays
	pairs    map[[2]int64]sharing            // links of a straight cable or fibre, by the boxes at its ends
	adapters [topology.MaxClasses]int64      // at ports of adapters, by class
}

// sharing is the links between which parts are shared, and the last of their classes.
type sharing struct {
	links int64
	class int
}

func (s sharing) and(class int) sharing { return sharing{s.links + 1, max(s.class, class)} }

// each is the links that a part serves.
func (c *sharedPart) each() int64 { return int64(c.part.Ports) }

// SharedParts counts the links of every box by the parts that several links share, and tells where their plugs do not fit.
func (s *Schedule) SharedParts() ([]market.Whole, []Cages, error) {
	filled := plugs{map[plugAt]int64{}, map[topology.SwitchID]int64{}}
	var all []*sharedPart
	of := func(p *catalog.Part) *sharedPart {
		at := slices.IndexFunc(all, func(x *sharedPart) bool { return x.part == p })
		if at < 0 {
			at = len(all)
			all = append(all, &sharedPart{part: p, boxes: map[topology.SwitchID]sharing{}, npus: map[topology.EndpointID]sharing{}, pairs: map[[2]int64]sharing{}})
		}
		return all[at]
	}
	err := s.EachCable(false, func(c Cable) bool {
		if c.Modules != nil && c.Modules.Ports > 1 {
			x := of(c.Modules)
			x.end(&c, c.FromSwitch, c.Endpoint)
			if !c.Circuit {
				x.end(&c, c.ToSwitch, c.ToEndpoint)
			}
		}
		if c.Part != nil && c.Part.Ports > 1 {
			of(c.Part).link(&c)
		}
		filled.add(s, &c)
		return true
	})
	out := make([]market.Whole, len(all))
	for i, x := range all {
		out[i] = x.whole()
	}
	return out, filled.over(s), err
}

// whole is how many of the part are bought. What of one serves no link is a spare of the last class of the links that share it: of that to
// endpoints, the first, only where no other link does.
func (c *sharedPart) whole() market.Whole {
	w, each := market.Whole{Part: c.part}, c.each()
	free, idle := [topology.MaxClasses]int64{}, int64(0) // of each places of a part; those whose draw is not that of links
	add := func(n sharing) {
		units := (n.links + each - 1) / each
		w.Units += units
		free[n.class] += units*each - n.links
		idle += units*each - n.links
	}
	for _, n := range c.boxes {
		add(n)
	}
	for _, n := range c.npus {
		add(n)
	}
	for _, n := range c.pairs {
		add(n)
		w.Links += n.links
	}
	for class, n := range c.adapters {
		w.Units, w.Links = w.Units+n, w.Links+n
		free[class] += n * (each - 1)
		if c.part.Kind != catalog.KindTransceiver { // a module at an adapter draws as one of a link does
			idle += n * (each - 1)
		}
	}
	for class, n := range free {
		w.Spare[class] = float64(n) / float64(each)
	}
	// The draw of a module, and of both ends of a cable, but of no split end that hangs free; fibres draw nothing.
	spare := float64(idle) / float64(each) * c.part.PowerW
	switch {
	case c.part.Kind == catalog.KindTransceiver, c.part.Kind == catalog.KindCable && c.part.Splitter():
		w.SpareW = spare
	case c.part.Kind == catalog.KindCable:
		w.SpareW = 2 * spare
	}
	return w
}

// end counts a link at one of its ends.
func (c *sharedPart) end(x *Cable, s topology.SwitchID, e topology.EndpointID) {
	switch {
	case s >= 0:
		c.boxes[s] = c.boxes[s].and(x.Class)
	case x.Link == topology.ClassNic:
		c.adapters[x.Class]++
	default:
		c.npus[e] = c.npus[e].and(x.Class)
	}
}

// link counts a link of a cable or fibre for several.
func (c *sharedPart) link(x *Cable) {
	nic := x.Link == topology.ClassNic && (x.FromSwitch < 0 || x.ToSwitch < 0)
	switch {
	case c.part.Splitter() && x.FromSwitch < 0:
		c.end(x, x.ToSwitch, x.ToEndpoint)
	case c.part.Splitter():
		c.end(x, x.FromSwitch, x.Endpoint)
	case nic:
		c.adapters[x.Class]++ // a port of an adapter is a cage
	default:
		a, b := box(x.FromSwitch, x.Endpoint), box(x.ToSwitch, x.ToEndpoint)
		at := [2]int64{min(a, b), max(a, b)}
		c.pairs[at] = c.pairs[at].and(x.Class)
	}
}
