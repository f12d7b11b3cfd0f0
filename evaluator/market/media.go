package market

import (
	"math"

	"toposearch/catalog"
	"toposearch/topology"
)

// MostMedia bounds the media that a family declares: three dimensions of circuit switches.
const MostMedia = 4

// Medium is a part that links need which are no cable, or run over a circuit switch beside
// their cables.
type Medium struct {
	Of    *topology.LinkMedium
	Part  *catalog.Part // nil: the price list has none
	Count int64         // units of the part; links or ports where there is none
	Class string        // the first of the classes of its links
	// groups share circuit switches, with ports in each of them; 0 where there are none
	ports, groups int64
}

// MediaOf lists the parts that the links of a design need by the family's media: a trace for each
// link of a board or a backplane, and whole circuit switches for each group of links that share them,
// with two ports for every link.
func (m *Market) MediaOf(s *topology.Size, r *Rates, out *[MostMedia]Medium) int {
	n := 0
	for i := range s.Family.Media {
		of := &s.Family.Media[i]
		links, rate := int64(0), 0.0
		for _, c := range of.Classes {
			links += s.Link[c]
			if s.Link[c] > 0 {
				rate = max(rate, r.Link[c])
			}
		}
		if links == 0 || n == MostMedia {
			continue
		}
		b := &out[n]
		n++
		*b = Medium{Of: of, Count: links, Class: s.Family.LinkClasses[of.Classes[0]].Name}
		if of.Medium != catalog.MediumOCS {
			b.Part, _ = m.index.ChooseTrace(of.Medium, rate, links)
			continue
		}
		groups := int64(max(of.Groups, 1))
		ports := (2*links + groups - 1) / groups
		b.ports, b.groups = ports, groups
		each, ok := int64(0), false
		if b.Part, each, ok = m.index.ChooseCircuit(ports, groups); ok {
			b.Count = each * groups
		} else {
			b.Count = 2 * links
		}
	}
	if m.circuitBreaks {
		m.circuitsTogether(out[:n])
	}
	return n
}

// circuitsTogether chooses circuit switches for all media of a design by the prices of the totals, trying every
// one on the list for each: a list has a few, and a design three dimensions of them.
func (m *Market) circuitsTogether(buys []Medium) {
	circuits := m.index.Circuits()
	var now, best [MostMedia]int
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
				x, ok := m.modelOf(circuits[i]).total(n)
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
			b.Part = circuits[best[k]]
			b.Count = circuitsFor(b.Part, b)
		}
	}
}

// Circuits are the circuit switches of a medium: groups of each boxes, that serve links each. Where the price
// list has none, one is taken for each group; 0 of other media.
func (b *Medium) Circuits() (groups, each, links int64) {
	switch {
	case b.groups == 0:
		return 0, 0, 0
	case b.Part == nil:
		return b.groups, 1, b.ports
	}
	return b.groups, b.Count / b.groups, int64(b.Part.Ports) / 2
}

// circuitsFor is how many circuit switches of a kind the groups of a medium need.
func circuitsFor(p *catalog.Part, b *Medium) int64 {
	return (b.ports + int64(p.Ports) - 1) / int64(p.Ports) * b.groups
}

// LackMedia tells what no design between two sizes has by the parts that its links need which are no cable: a
// known draw, or a price. known says that they all have the rates r.
func (m *Market) LackMedia(lo, hi *topology.Size, r *Rates, known bool) (noPower, noPrice bool) {
	for i := range lo.Family.Media {
		medium := &lo.Family.Media[i]
		links, rate, sure := int64(0), 0.0, known
		for _, c := range medium.Classes {
			links += lo.Link[c]
			if lo.Link[c] > 0 {
				rate = max(rate, r.Link[c])
			} else if hi.Link[c] > 0 {
				sure = false // the fastest of the classes is not known
			}
		}
		switch {
		case links == 0:
		case medium.Medium == catalog.MediumOCS:
			c, _, ok := m.index.ChooseCircuit(1, 1)
			noPower = noPower || !ok
			noPrice = noPrice || !ok || !c.Priced // one with a price is taken before any without
		case sure:
			if c, ok := m.index.ChooseTrace(medium.Medium, rate, links); ok && !c.Priced {
				noPrice = true
			}
		}
	}
	return noPower, noPrice
}
