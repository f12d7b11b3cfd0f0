package market

import (
	"math"

	"toposearch/catalog"
	"toposearch/evaluator/metric"
	"toposearch/topology"
)

// Purchase is the boxes that a counted design takes.
type Purchase struct {
	Switches [topology.MaxClasses]catalog.SwitchChoice // by switch class; no part where none is bought
	Sharing  [topology.MaxClasses]Sharing              // of boxes by the switches of a class
	Cards                                              // network cards
	Scaleups                                           // scale-up switches
	Media    [MostMedia]Medium                         // what links need that is no cable
}

// Boxes is the number of boxes that the switches of class i take.
func (b *Purchase) Boxes(s *topology.Size, i int) int64 { return b.Sharing[i].Boxes(s.Switch[i].Count) }

// PowerW is the draw of a switch of class i, 0 where none is bought.
func (b *Purchase) PowerW(i int) float64 {
	if p := b.Switches[i].Part; p != nil {
		return p.PowerW
	}
	return 0
}

// SwitchW is the draw of all switches.
func (b *Purchase) SwitchW(s *topology.Size) (watts float64) {
	for i := range s.Family.SwitchClasses {
		watts += b.PowerW(i) * float64(b.Boxes(s, i))
	}
	return watts
}

// Buy chooses switches and network cards. The rejection says which switch is not on sale.
func (m *Market) Buy(s *topology.Size, r *Rates, b *Purchase) metric.Reject {
	if rej := m.buySwitches(s, r, b); rej.Constraint != "" {
		return rej
	}
	m.BuyCards(s, r, &b.Cards)
	m.buyScaleup(s, &b.Scaleups)
	if len(s.Family.Media) > 0 {
		b.Media = [MostMedia]Medium{}
		m.MediaOf(s, r, &b.Media)
	}
	return metric.Reject{}
}

// buySwitches chooses the model of each class that is bought: the cheapest that offers the ports of its
// fullest switch, at the price breaks of the total where there are any.
func (m *Market) buySwitches(s *topology.Size, r *Rates, b *Purchase) metric.Reject {
	var buf [topology.MaxClasses]catalog.PortNeed
	for i := range s.Family.SwitchClasses {
		needs := buf[:0]
		b.Sharing[i] = Sharing{}
		if !s.Family.SwitchClasses[i].Embedded && s.Switch[i].Count > 0 {
			needs = r.Needs(s, i, &buf)
		}
		if len(needs) == 0 {
			b.Switches[i] = catalog.SwitchChoice{}
			continue
		}
		c, ok := m.cheapestAlone(needs)
		if !ok {
			return m.TooFewPorts(needs)
		}
		if s.Family.SwitchClasses[i].SharesBox {
			c, b.Sharing[i] = m.cheapestShared(needs, &s.Switch[i])
		}
		b.Switches[i] = c
	}
	if m.switchBreaks {
		m.switchesTogether(s, r, b)
	}
	return metric.Reject{}
}

// PortsBought is the physical ports of the fullest switch, and all ports of all switches: those that stay
// free are counted as they are used, split the same way.
func (b *Purchase) PortsBought(s *topology.Size) (fullest int, all float64) {
	for i := range s.Family.SwitchClasses {
		c := &b.Switches[i]
		if c.Part == nil {
			continue
		}
		fullest = max(fullest, c.PhysicalPorts)
		inUse := 0
		for k := range s.Family.LinkClasses {
			inUse += int(s.Switch[i].Ports[k])
		}
		all += float64(b.Boxes(s, i)) * float64(inUse) * float64(c.Part.Ports) / float64(c.PhysicalPorts)
	}
	return fullest, all
}

// cheapestAlone is the model for the ports at the price of one: from the table where they all have one rate.
func (m *Market) cheapestAlone(needs []catalog.PortNeed) (catalog.SwitchChoice, bool) {
	if len(needs) == 1 {
		if p := m.SpeedOf(float64(needs[0].Gbps)); p != nil && needs[0].Count < len(p.choice) {
			return p.choice[needs[0].Count], true
		}
		return catalog.SwitchChoice{}, false
	}
	return m.index.ChooseSwitch(needs)
}

// cheapestShared is the model of which the boxes that switches with these ports take, several in one where it
// has the ports, cost least, and how they share them; the first of several.
func (m *Market) cheapestShared(needs []catalog.PortNeed, k *topology.SwitchCount) (best catalog.SwitchChoice, how Sharing) {
	least := 0.0
	m.index.Fits(needs, func(c catalog.SwitchChoice) bool {
		h := sharing(c, k)
		x, ok := m.modelOf(c.Part).total(h.Boxes(k.Count))
		if !ok {
			x = math.Inf(1)
		}
		if best.Part == nil || x < least {
			best, how, least = c, h, x
		}
		return true
	})
	return best, how
}

// RateReject is the rejection of a design with a rate that is not sold, with the ports of the class of switches that is farthest from having as many.
func (m *Market) RateReject(s *topology.Size, r *Rates) metric.Reject {
	rej := r.Reject
	var buf [topology.MaxClasses]catalog.PortNeed
	for i := range s.Family.SwitchClasses {
		if s.Family.SwitchClasses[i].Embedded || s.Switch[i].Count == 0 {
			continue
		}
		sold, whole := buf[:0], 0
		for _, need := range r.Needs(s, i, &buf) {
			if float64(need.Gbps) > m.fastest {
				whole += need.Count
			} else {
				sold = append(sold, need)
			}
		}
		takes, has := m.index.Nearest(sold, whole)
		if p := (metric.Ports{Got: float64(takes), Bound: float64(has)}); has > 0 && p.Got*rej.Ports.Bound >= rej.Ports.Got*p.Bound {
			rej.Ports = p
		}
	}
	return rej
}

// TooFewPorts says how far the needs are beyond what is sold: rates that no one model has together, whatever their number, or ports.
func (m *Market) TooFewPorts(needs []catalog.PortNeed) metric.Reject {
	takes, has := m.index.Nearest(needs, 0)
	if has == 0 {
		return metric.Reject{Constraint: metric.RejectRates, Got: float64(len(needs)), Bound: float64(m.index.MostRates(needs))}
	}
	return metric.Reject{Constraint: metric.RejectPorts, Got: float64(takes), Bound: float64(has)}
}

// Which switch is the cheapest can depend on how many are bought, and price breaks count the total of a model
// over all classes of a design. So models are chosen for the classes together, by what the bill of materials
// will say.

const (
	// mostAssignments is the most assignments of models to classes that are tried for a design: two or three
	// classes with a dozen models each need some hundred. Beyond it the best of those tried is taken.
	mostAssignments = 2000
	// mostModels bounds the models that are considered for a class, the cheapest at quantity 1 first; one of them comes in time, if there is one.
	mostModels = 16
)

// assignment is a search for the cheapest models of the classes of a design.
type assignment struct {
	models  []tariff
	classes int
	count   [topology.MaxClasses]int64
	class   [topology.MaxClasses]int
	offers  [topology.MaxClasses][mostModels]modelOffer
	n       [topology.MaxClasses]int
	rest    [topology.MaxClasses + 1]float64 // the classes from here on cost at least
	now     [topology.MaxClasses]modelOffer
	best    [topology.MaxClasses]modelOffer
	least   float64
	tried   int
	anyTime bool // nothing comes in time
}

// modelOffer is a model that has the ports of a class: its index, the physical ports in use, and how switches
// share boxes of it.
type modelOffer struct {
	model, ports int32
	how          Sharing
}

// units is how many boxes class k takes of a model.
func (a *assignment) units(k int, o modelOffer) int64 { return o.how.Boxes(a.count[k]) }

// switchesTogether replaces the models in buys, each the cheapest of its class at quantity 1, by those that
// are the cheapest together. Classes whose cheapest has no price keep it: no other that fits has one.
func (m *Market) switchesTogether(s *topology.Size, r *Rates, b *Purchase) {
	buys := &b.Switches
	a := assignment{models: m.models}
	var buf [topology.MaxClasses]catalog.PortNeed
	for i := range s.Family.SwitchClasses {
		if buys[i].Part == nil || !buys[i].Part.Priced {
			continue
		}
		k, ready := a.classes, false // whether one comes in time however many are ordered
		m.index.Fits(r.Needs(s, i, &buf), func(c catalog.SwitchChoice) bool {
			at := m.modelAt(c.Part)
			if at < 0 || len(m.models[at].steps) == 0 {
				return true
			}
			o, late := modelOffer{model: int32(at), ports: int32(c.PhysicalPorts)}, m.models[at].late
			if s.Family.SwitchClasses[i].SharesBox {
				o.how = sharing(c, &s.Switch[i])
			}
			switch {
			case a.n[k] < mostModels:
				a.offers[k][a.n[k]] = o
				a.n[k]++
			case !late: // the dearest makes room
				a.offers[k][mostModels-1] = o
			}
			ready = ready || !late
			return a.n[k] < mostModels || !ready
		})
		if a.n[k] == 0 {
			continue
		}
		a.count[k], a.class[k] = s.Switch[i].Count, i
		a.classes++
	}
	for k := a.classes - 1; k >= 0; k-- {
		least := math.Inf(1)
		for j := range a.n[k] {
			o := a.offers[k][j]
			least = min(least, float64(a.units(k, o))*a.models[o.model].one.Price)
		}
		a.rest[k] = a.rest[k+1] + least
	}
	a.least = math.Inf(1)
	a.descend(0, 0)
	if a.least >= tooLate { // of several classes and many models, not all were tried
		a.oneByOne()
	}
	if a.least >= tooLate {
		a.anyTime, a.least, a.tried = true, math.Inf(1), 0
		a.descend(0, 0)
	}
	for k := range a.classes {
		buys[a.class[k]] = catalog.SwitchChoice{Part: a.models[a.best[k].model].part, PhysicalPorts: int(a.best[k].ports)}
		b.Sharing[a.class[k]] = a.best[k].how
	}
}

// descend tries every model for class k, those of the classes before being chosen. sum is what these
// cost at least.
func (a *assignment) descend(k int, sum float64) {
	if k == a.classes {
		a.tried++
		if x := a.price(); x < a.least {
			a.least, a.best = x, a.now
		}
		return
	}
	for j := range a.n[k] {
		a.now[k] = a.offers[k][j]
		low := sum + float64(a.units(k, a.now[k]))*a.models[a.now[k].model].one.Price
		if a.tried < mostAssignments && low+a.rest[k+1] < a.least {
			a.descend(k+1, low)
		}
	}
}

// oneByOne chooses for each class in turn what adds the least to the price of those before, and takes that if it is the cheapest so far.
func (a *assignment) oneByOne() {
	all := a.classes
	for k := range all {
		a.classes = k + 1
		best, least := 0, math.Inf(1)
		for j := range a.n[k] {
			a.now[k] = a.offers[k][j]
			if x := a.price(); x < least {
				best, least = j, x
			}
		}
		a.now[k] = a.offers[k][best]
	}
	if x := a.price(); x < a.least {
		a.least, a.best = x, a.now
	}
}

// price adds up the models chosen, each once for all of its classes.
func (a *assignment) price() (sum float64) {
	for k := range a.classes {
		n, first := int64(0), true
		for j := range a.classes {
			if a.now[j].model == a.now[k].model {
				first = first && j >= k
				n += a.units(j, a.now[j])
			}
		}
		if first {
			sum += a.models[a.now[k].model].totalWithin(n, a.anyTime)
		}
	}
	return sum
}
