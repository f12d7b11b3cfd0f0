package evaluator

import (
	"fmt"
	"math"

	"toposearch/catalog"
	"toposearch/topology"
)

// mostMedia bounds the media that a family declares: three dimensions of circuit switches.
const mostMedia = 4

// mediumBuy is a part that links need which are no cable, or run over a circuit switch beside
// their cables.
type mediumBuy struct {
	medium *topology.LinkMedium
	part   *catalog.Part // nil: the price list has none
	count  int64         // units of the part; links or ports where there is none
	class  string
	// ports of each of so many groups that share circuit switches; 0 elsewhere.
	ports, groups int64
}

// mediaOf lists the parts that the links of a design need by the family's media: a trace for each
// link of a board or a backplane, and whole circuit switches for each group of links that share them,
// with two ports for every link.
func (e *Evaluator) mediaOf(s *topology.Size, r *rates, out *[mostMedia]mediumBuy) int {
	n := 0
	for i := range s.Family.Media {
		m := &s.Family.Media[i]
		links, rate := int64(0), 0.0
		for _, c := range m.Classes {
			links += s.Link[c]
			if s.Link[c] > 0 {
				rate = max(rate, r.link[c])
			}
		}
		if links == 0 || n == mostMedia {
			continue
		}
		b := &out[n]
		n++
		*b = mediumBuy{medium: m, count: links, class: s.Family.LinkClasses[m.Classes[0]].Name}
		if m.Medium != catalog.MediumOCS {
			b.part, _ = e.index.ChooseTrace(m.Medium, rate, links)
			continue
		}
		groups := int64(max(m.Groups, 1))
		ports := (2*links + groups - 1) / groups
		b.ports, b.groups = ports, groups
		each, ok := int64(0), false
		if b.part, each, ok = e.index.ChooseCircuit(ports, groups); ok {
			b.count = each * groups
		} else {
			b.count = 2 * links
		}
	}
	if e.circuitBreaks {
		e.circuitsTogether(out[:n])
	}
	return n
}

// circuitsTogether chooses circuit switches for all media of a design by the prices of the totals, trying every
// one on the list for each: a list has a few, and a design three dimensions of them.
func (e *Evaluator) circuitsTogether(buys []mediumBuy) {
	circuits := e.index.Circuits()
	var now, best [mostMedia]int
	least := math.Inf(1)
	for {
		sum := 0.0
		for i := range circuits {
			n := int64(0)
			for k := range buys {
				if buys[k].ports > 0 && now[k] == i {
					n += circuitsFor(circuits[i], &buys[k])
				}
			}
			if n > 0 {
				x, ok := e.modelOf(circuits[i]).total(n)
				if !ok {
					x = math.Inf(1)
				}
				sum += x
			}
		}
		if sum < least {
			least, best = sum, now
		}
		k := 0
		for k < len(buys) {
			if now[k]++; buys[k].ports > 0 && now[k] < len(circuits) {
				break
			}
			now[k] = 0
			k++
		}
		if k == len(buys) {
			break
		}
	}
	if math.IsInf(least, 1) {
		return // none has a price
	}
	for k := range buys {
		if b := &buys[k]; b.ports > 0 {
			b.part = circuits[best[k]]
			b.count = circuitsFor(b.part, b)
		}
	}
}

// circuitsFor is how many circuit switches of a kind the groups of a medium need.
func circuitsFor(p *catalog.Part, b *mediumBuy) int64 {
	return (b.ports + int64(p.Ports) - 1) / int64(p.Ports) * b.groups
}

// countMedia adds bounds of price and draw of what the media need.
func (e *Evaluator) countMedia(s *topology.Size, r *rates, m *money) {
	var buys [mostMedia]mediumBuy
	for i := range e.mediaOf(s, r, &buys) {
		b := &buys[i]
		if b.part == nil {
			if b.medium.Medium == catalog.MediumOCS {
				m.hi, m.noPower, m.noCost = math.Inf(1), true, true
			}
			continue
		}
		m.noCost = m.noCost || !b.part.Priced
		n := float64(b.count)
		m.loW += n * b.part.PowerW
		m.hiW += n * b.part.PowerW
		m.leadLo = max(m.leadLo, leastLead(b.part))
		a := e.modelOf(b.part)
		m.lo += n * a.least
		m.hi += n * a.most
	}
}

// billMedia puts the parts on a bill and adds up their draw. missing says what is not on the price
// list: circuit switches are bought for the network, while traces come with the boards of the endpoints.
func (e *Evaluator) billMedia(s *topology.Size, r *rates, bl *bill) (watts float64, missing string) {
	var buys [mostMedia]mediumBuy
	ports := int64(0)
	for i := range e.mediaOf(s, r, &buys) {
		b := &buys[i]
		if b.part == nil && b.medium.Medium == catalog.MediumOCS {
			ports += b.count
		} else if b.part != nil {
			watts += b.part.PowerW * float64(b.count)
			if bl != nil {
				bl.add(b.part, b.count, 1, 1, b.class)
			}
		}
	}
	if ports > 0 {
		missing = fmt.Sprintf("%d ports of optical circuit switches (the price list has no part of kind %s)", ports, catalog.KindOCS)
	}
	return watts, missing
}

// noteMedia says what comes with the endpoints and is not counted.
func (w *work) noteMedia(add func(string, ...any)) {
	var buys [mostMedia]mediumBuy
	circuits := false
	for i := range w.e.mediaOf(w.size, &w.rates, &buys) {
		b := &buys[i]
		if b.medium.Medium == catalog.MediumOCS {
			circuits = true
		} else if b.part == nil {
			add("%d links of class %s are traces (%s) that come with their boards: not counted, the price list has no trace of that medium",
				b.count, b.class, b.medium.Medium)
		}
	}
	if circuits {
		add("cables over circuit switches are laid from end to end: the way by the circuit switches, and their racks, are not on the floor plan")
	}
}
