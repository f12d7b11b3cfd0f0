package evaluator

import (
	"slices"

	"toposearch/catalog"
	"toposearch/topology"
)

// A twin-port module serves two ports of a switch from one cage; an odd port has a module of its own. An
// adapter has a cage for each port, so that at the end of a nic link a module serves one link only. A cable
// or fibre for several links joins two cages: its links lead from the same box to the same box, and a link
// that has no parallel takes a whole one. A splitter has one cage at one box, the switch of nic links and the
// first end of others, and single ends elsewhere. What every link needs is a fraction of a part; whole parts
// are counted box by box, on the cable schedule, where the list has parts that serve several links.

// caged is how many of such a part a design needs.
type caged struct {
	part     *catalog.Part
	boxes    map[topology.SwitchID]int64   // links at a switch, ends that have a cage
	npus     map[topology.EndpointID]int64 // at an endpoint that relays
	pairs    map[[2]int64]int64            // links of a straight cable or fibre, by the boxes at its ends
	adapters int64                         // at ports of adapters
}

// each is the links that a part serves.
func (c *caged) each() int64 { return int64(c.part.Ports) }

// units is the number of parts, and links what the fractions of their links add up to, as a multiple
// of 1/each.
func (c *caged) units() (units, links int64) {
	units, links = c.adapters, c.adapters*c.each()
	if c.part.Kind != catalog.KindTransceiver {
		links = c.adapters // the one link of a whole cable
	}
	add := func(n int64) {
		units += (n + c.each() - 1) / c.each()
		links += n
	}
	for _, n := range c.boxes {
		add(n)
	}
	for _, n := range c.npus {
		add(n)
	}
	for _, n := range c.pairs {
		add(n)
	}
	return units, links
}

// sharesCages tells whether links of any of the runs have parts that serve several of them.
func (e *Evaluator) sharesCages(r *rates, rs []runs) bool {
	for i := range rs {
		for _, it := range e.cabling(r.link[rs[i].class], rs[i].far, rs[i].step).Items {
			if it.Part != nil && it.Den > 1 {
				return true
			}
		}
	}
	return false
}

// countCages counts the links of every box by the parts that several share.
func (w *work) countCages() error {
	return w.e.eachCable(w.d, false, func(c Cable) bool {
		if c.Modules != nil && c.Modules.Ports > 1 {
			x := w.cagedOf(c.Modules)
			x.end(&c, c.FromSwitch, c.Endpoint)
			x.end(&c, c.ToSwitch, c.ToEndpoint)
		}
		if c.Part != nil && c.Part.Ports > 1 {
			w.cagedOf(c.Part).link(&c)
		}
		return true
	})
}

func (w *work) cagedOf(p *catalog.Part) *caged {
	at := slices.IndexFunc(w.cages, func(x caged) bool { return x.part == p })
	if at < 0 {
		at = len(w.cages)
		w.cages = append(w.cages, caged{part: p, boxes: map[topology.SwitchID]int64{}, npus: map[topology.EndpointID]int64{}, pairs: map[[2]int64]int64{}})
	}
	return &w.cages[at]
}

// end counts a link at one of its ends.
func (c *caged) end(x *Cable, s topology.SwitchID, e topology.EndpointID) {
	switch {
	case s >= 0:
		c.boxes[s]++
	case x.Link == topology.ClassNic:
		c.adapters++
	default:
		c.npus[e]++
	}
}

// link counts a link of a cable or fibre for several.
func (c *caged) link(x *Cable) {
	nic := x.Link == topology.ClassNic && (x.FromSwitch < 0 || x.ToSwitch < 0)
	switch {
	case c.part.Splitter() && nic && x.FromSwitch < 0, c.part.Splitter() && !nic && x.FromSwitch < 0 && x.ToSwitch >= 0:
		c.end(x, x.ToSwitch, x.ToEndpoint)
	case c.part.Splitter():
		c.end(x, x.FromSwitch, x.Endpoint)
	case nic:
		c.adapters++ // a port of an adapter is a cage
	default:
		a, b := box(x.FromSwitch, x.Endpoint), box(x.ToSwitch, x.ToEndpoint)
		c.pairs[[2]int64{min(a, b), max(a, b)}]++
	}
}

// box numbers switches from 0 up and endpoints from -1 down.
func box(s topology.SwitchID, e topology.EndpointID) int64 {
	if s >= 0 {
		return int64(s)
	}
	return -1 - int64(e)
}

// wholeParts brings a bill to whole parts, box by box.
func (b *bill) wholeParts(cages []caged) {
	for i := range cages {
		for k := range b.lines {
			if l := &b.lines[k]; l.part == cages[i].part {
				l.num, _ = cages[i].units()
				l.den = 1
			}
		}
	}
}

// spareW is the draw of parts beyond the fractions that links need: that of a module, and of both ends of
// a cable. Fibres draw nothing.
func spareW(cages []caged) (watts float64) {
	for i := range cages {
		units, links := cages[i].units()
		spare := float64(units*cages[i].each()-links) / float64(cages[i].each()) * cages[i].part.PowerW
		switch cages[i].part.Kind {
		case catalog.KindTransceiver:
			watts += spare
		case catalog.KindCable:
			watts += 2 * spare
		}
	}
	return watts
}

// cables adds the parts of links of a class.
func (b *bill) cables(c *catalog.Cabling, class *topology.LinkClass, count int64, usedIn string) {
	for k := range c.Items {
		it := &c.Items[k]
		switch {
		case it.Part == nil:
		case shared(it, class):
			b.add(it.Part, count, int64(it.Den)+1, int64(it.Den), usedIn)
		default:
			b.add(it.Part, count, int64(it.Num), int64(it.Den), usedIn)
		}
	}
}

// shared tells whether a part is modules at both ends of a nic link that serve several links each.
func shared(it *catalog.Item, class *topology.LinkClass) bool {
	return class.Name == topology.ClassNic && it.Part.Kind == catalog.KindTransceiver && it.Den > 1
}

// linkW is the draw of the modules of a link of a class.
func linkW(c *catalog.Cabling, class *topology.LinkClass) float64 {
	if it := &c.Items[1]; it.Part != nil && shared(it, class) {
		return it.Part.PowerW * float64(it.Den+1) / float64(it.Den)
	}
	return c.PowerW
}

// mostLinkW is that of a link of any class.
func mostLinkW(c *catalog.Cabling) float64 {
	nic := topology.LinkClass{Name: topology.ClassNic}
	if it := &c.Items[0]; it.Part != nil && it.Part.Kind == catalog.KindCable && it.Den > 1 { // a cable of its own
		return c.PowerW * float64(it.Den)
	}
	if it := &c.Items[1]; it.Part != nil && it.Den > 1 { // a module of its own at either end
		return c.PowerW + it.Part.PowerW*(2-float64(it.Num)/float64(it.Den))
	}
	return max(c.PowerW, linkW(c, &nic))
}
