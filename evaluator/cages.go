package evaluator

import (
	"slices"

	"toposearch/catalog"
	"toposearch/topology"
)

// A twin-port module serves two ports of a switch from one cage; an odd port has a module of its own. An
// adapter has a cage for each port, so that at the end of a nic link a module serves one link only. What
// every link needs of modules is a fraction; whole modules are counted box by box, on the cable schedule,
// where the list has modules that serve several links.

// caged is how many of such a module a design needs.
type caged struct {
	part     *catalog.Part
	boxes    map[topology.SwitchID]int64   // links at a switch,
	npus     map[topology.EndpointID]int64 // at an endpoint that relays
	adapters int64                         // at ports of adapters
}

// each is the links that a module serves.
func (c *caged) each() int64 { return int64(c.part.Ports) }

// units is the number of modules, and links what the fractions of their links add up to, as a multiple
// of 1/each.
func (c *caged) units() (units, links int64) {
	units, links = c.adapters, c.adapters*c.each()
	for _, n := range c.boxes {
		units += (n + c.each() - 1) / c.each()
		links += n
	}
	for _, n := range c.npus {
		units += (n + c.each() - 1) / c.each()
		links += n
	}
	return units, links
}

// sharesCages tells whether links of any of the runs have modules that serve several of them.
func (e *Evaluator) sharesCages(r *rates, rs []runs) bool {
	for i := range rs {
		if it := &e.cabling(r.link[rs[i].class], rs[i].far, rs[i].step).Items[1]; it.Part != nil && it.Den > 1 {
			return true
		}
	}
	return false
}

// countCages counts the links of every box by the modules that several share.
func (w *work) countCages() error {
	return w.e.EachCable(w.d, func(c Cable) bool {
		if c.Modules == nil || c.Modules.Ports < 2 {
			return true
		}
		at := slices.IndexFunc(w.cages, func(x caged) bool { return x.part == c.Modules })
		if at < 0 {
			at = len(w.cages)
			w.cages = append(w.cages, caged{part: c.Modules, boxes: map[topology.SwitchID]int64{}, npus: map[topology.EndpointID]int64{}})
		}
		x := &w.cages[at]
		end := func(s topology.SwitchID, e topology.EndpointID) {
			switch {
			case s >= 0:
				x.boxes[s]++
			case c.Link == topology.ClassNic:
				x.adapters++
			default:
				x.npus[e]++
			}
		}
		end(c.FromSwitch, c.Endpoint)
		end(c.ToSwitch, c.ToEndpoint)
		return true
	})
}

// wholeModules brings a bill to whole modules, box by box.
func (b *bill) wholeModules(cages []caged) {
	for i := range cages {
		for k := range b.lines {
			if l := &b.lines[k]; l.part == cages[i].part {
				l.num, _ = cages[i].units()
				l.den = 1
			}
		}
	}
}

// spareW is the draw of modules beyond the fractions that links need.
func spareW(cages []caged) (watts float64) {
	for i := range cages {
		units, links := cages[i].units()
		watts += float64(units*cages[i].each()-links) / float64(cages[i].each()) * cages[i].part.PowerW
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
	if it := &c.Items[1]; it.Part != nil && it.Den > 1 { // a module of its own at either end
		return c.PowerW + it.Part.PowerW*(2-float64(it.Num)/float64(it.Den))
	}
	return max(c.PowerW, linkW(c, &nic))
}
