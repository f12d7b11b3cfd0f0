package evaluator

import (
	"toposearch/catalog"
	"toposearch/evaluator/bound"
	"toposearch/evaluator/cluster"
	"toposearch/evaluator/market"
	"toposearch/topology"
)

// range of how many parts of a kind stop a job by their failure: at least and at most.
type stops struct{ least, most int64 }

// criticalParts are the parts of a design whose failure alone leaves endpoints apart.
type criticalParts struct {
	switches, links [topology.MaxClasses]stops // by class of the family
	cards           stops                      // network cards
}

// singleHomed tells whether an endpoint hangs on one link to one switch, and nothing relays for it.
func (w *work) singleHomed() bool {
	return w.d.Family.LinkClasses[0].Name == topology.ClassNic && w.size.EndpointPorts == 1 && !w.e.scaled(w.d.Family)
}

// cardsOf are the network cards of an endpoint, and the ports of each.
func (w *work) cardsOf() (cards, ports int64) {
	if w.boxes.NICs == 0 {
		return 0, 0
	}
	cards = w.boxes.NICs / w.size.Endpoints
	return cards, (int64(w.size.EndpointPorts) + cards - 1) / cards
}

// countCritical says what is known without the network: of endpoints with one link that link, its card and its
// switch; of all others at most all.
func (w *work) countCritical() (c criticalParts) {
	f, s := w.d.Family, w.size
	for i := range f.SwitchClasses {
		if f.SwitchClasses[i].Embedded {
			continue
		}
		n := s.Switch[i].Count
		c.switches[i].most = n
		if w.singleHomed() && s.Switch[i].Ports[0] > 0 && s.Link[0] > 0 && w.allServe(i) {
			c.switches[i].least = n
		}
	}
	for i := range f.LinkClasses {
		c.links[i].most = s.Link[i]
	}
	c.cards.most = w.boxes.NICs
	if w.singleHomed() {
		c.links[0].least, c.cards.least = s.Link[0], w.boxes.NICs
	}
	if cards, _ := w.cardsOf(); cards == 1 && !w.e.scaled(f) && !f.HasScaleup() {
		c.cards.least = w.boxes.NICs
	}
	return c
}

// notAlike says why not all switches are alike, each with endpoints of one port or one that relays, "" if they are. Of such a network with d neighbours of each switch
// at least 2 (d+1) / 3 switches must fail before the rest falls apart, two if there are three: without any one switch
// or link the rest hangs together (M. Watkins, Connectivity of transitive graphs, J. Combinatorial Theory 8, 1970).
func (w *work) notAlike() string {
	o := w.symmetry().Switches
	cards, _ := w.cardsOf()
	switch {
	case len(o) != 1 || o[0].Count < 3:
		return "not all switches are claimed to be alike"
	case w.d.Family.Unidirectional:
		return "links have one direction"
	case !w.everySwitchAttached() && !w.everySwitchEmbedded() || w.d.Family.HasScaleup() || cards > 1:
		return "some switch has no endpoint, or endpoints have several ports or cards"
	case w.shortPaths() == nil: // which are of networks that hang together
		return "no closed form of distances"
	}
	return ""
}

// countAlike is countCritical of such a network, of which no link between switches stops a job.
func (w *work) countAlike() criticalParts {
	c := w.countCritical()
	for i, class := range w.d.Family.LinkClasses {
		if class.Name != topology.ClassNic {
			c.links[i] = stops{}
		}
	}
	return c
}

// allServe tells whether every switch of a class has an endpoint for certain: where no other class has any, and the
// counts leave no switch without one.
func (w *work) allServe(class int) bool {
	for i := range w.d.Family.SwitchClasses {
		if i != class && w.size.Switch[i].Ports[0] > 0 {
			return false
		}
	}
	k := &w.size.Switch[class]
	return w.size.Link[0] > (k.Count-1)*int64(k.Ports[0])
}

// inNetwork counts them on the built network.
func (w *work) inNetwork(n *topology.Critical) (c criticalParts) {
	f := w.d.Family
	classes := w.classIn(w.net)
	for i := range f.SwitchClasses {
		c.switches[i] = stops{n.Switches[i], n.Switches[i]}
	}
	for i := range w.net.LinkClasses {
		k := n.Links[i]
		if i == 0 && w.net.LinkClasses[0].Name == topology.ClassNic {
			k += n.Ports
		}
		if at := classes[i].class; at >= 0 && at < len(f.LinkClasses) {
			c.links[at].least += k
			c.links[at].most += k
		}
	}
	switch cards, _ := w.cardsOf(); {
	case cards == 0 || w.e.scaled(f) || f.HasScaleup():
	case w.net.LinkClasses[0].Name == topology.ClassNic:
		c.cards = stops{n.Cards, n.Cards}
	case cards == 1: // of an endpoint that relays: all of its links
		c.cards = stops{w.boxes.NICs, w.boxes.NICs}
	default:
		c.cards.most = n.Relays * cards
	}
	return c
}

// jobs are what a job on all endpoints needs, at least and at most, by the parts that are bought.
func (w *work) jobs(c *criticalParts) (least, most cluster.Job) {
	m, s, f := w.e.cluster, w.size, w.d.Family
	least.Endpoints, most.Endpoints = s.Endpoints, s.Endpoints
	around := m.Hosts(s.Endpoints)
	racks := m.Racks(float64(w.res.Plan.Floor.Racks))
	around.Plus(1, &racks)
	least.Shared, most.Shared = around, around
	for i := range f.SwitchClasses {
		if part := w.boxes.Switches[i].Part; part != nil {
			l, h := boxesThatStop(c.switches[i], s.Switch[i].Count, w.boxes.Boxes(s, i))
			one := m.Part(part)
			least.Shared.Plus(l, &one)
			most.Shared.Plus(h, &one)
		}
	}
	n := float64(s.Endpoints)
	for i := range f.LinkClasses {
		if k := c.links[i]; i == 0 && f.LinkClasses[0].Name == topology.ClassNic && k.least == s.Link[0] {
			l, h := w.linksFail(i, k, n)
			least.Own.Plus(1, &l)
			most.Own.Plus(1, &h)
			continue
		}
		l, h := w.linksFail(i, c.links[i], 1)
		least.Shared.Plus(1, &l)
		most.Shared.Plus(1, &h)
	}
	if nic := w.boxes.NIC; nic != nil {
		one := m.Part(nic)
		if c.cards.least == w.boxes.NICs {
			least.Own.Plus(float64(c.cards.least)/n, &one)
			most.Own.Plus(float64(c.cards.least)/n, &one)
		} else {
			least.Shared.Plus(float64(c.cards.least), &one)
			most.Shared.Plus(float64(c.cards.most), &one)
		}
	}
	w.mediaFail(&most)
	scaleup := w.scaleupFails()
	most.Shared.Plus(1, &scaleup)
	return least, most
}

// scaleupFails is what fails of the parts of scale-up domains that are bought; which of them stop a job is not looked at.
func (w *work) scaleupFails() (all cluster.Fails) {
	for _, l := range market.ScaleupParts(w.res.Plan.BOM) {
		one := w.e.cluster.Part(l.Part)
		all.Plus(float64(l.Quantity), &one)
	}
	return all
}

// boxesThatStop is how many of a class's boxes stop the job: as many as switches do where each has its own. Where
// several share one, all if all switches do, and else between none and all: those of a box fail together.
func boxesThatStop(c stops, switches, boxes int64) (least, most float64) {
	switch {
	case boxes == switches:
		return float64(c.least), float64(c.most)
	case c.least == switches:
		return float64(boxes), float64(boxes)
	}
	return 0, float64(boxes)
}

// linksFail is what fails of the links of a class that stop the job, divided by of. All of them are those that are bought; of a part of
// them it is not known which, and so how long they are.
func (w *work) linksFail(class int, c stops, of float64) (least, most cluster.Fails) {
	all, each := bound.LinksFail(w.e.cluster, w.e.market, &w.rates, w.runs, class, of)
	cables, links := w.rates.Cables(class), w.size.Link[class]
	if least = each.Least.Times(float64(c.least*cables) / of); c.least == links {
		least = all
		w.sparesFail(class, &least, of)
	}
	if most = each.Most.Times(float64(c.most*cables) / of); c.most == links {
		most = all
	}
	if c.most > 0 {
		w.sparesFail(class, &most, of)
	}
	return least, most
}

// sparesFail adds what is bought of parts for several links of a class beyond the fractions that links add up to, divided by of: a part fails as a
// whole, however many links it serves.
func (w *work) sparesFail(class int, f *cluster.Fails, of float64) {
	for i := range w.shared {
		if x := &w.shared[i]; x.Spare[class] > 0 {
			one := w.e.cluster.Part(x.Part)
			f.Plus(x.Spare[class]/of, &one)
		}
	}
}

// mediaFail adds traces and circuit switches: which links of them stop the job is not looked at.
func (w *work) mediaFail(most *cluster.Job) {
	var buys [market.MostMedia]market.Medium
	for i := range w.e.market.MediaOf(w.size, &w.rates, &buys) {
		b := &buys[i]
		switch groups, _, _ := b.Circuits(); {
		case b.Part != nil:
			one := w.e.cluster.Part(b.Part)
			most.Shared.Plus(float64(b.Count), &one)
		case groups > 0:
			one := w.e.cluster.Usual(catalog.KindOCS)
			most.Shared.Plus(float64(groups), &one)
		}
	}
}
