package evaluator

import (
	"math"
	"slices"

	"toposearch/catalog"
	"toposearch/internal/unit"
)

// nicsKnown bounds the ports of an endpoint for which network cards are looked up beforehand.
const nicsKnown = 32

// nicChoice is the adapters of an endpoint.
type nicChoice struct {
	part  *catalog.Part // nil: none on the list is as fast
	cards int
	// rivals are the cards among which the price decides, where that depends on how many are bought; nil
	// otherwise.
	rivals []*catalog.Part
}

// learnNICs chooses adapters for every rate and small number of ports.
func (e *Evaluator) learnNICs() {
	for i := range e.speeds {
		p := &e.speeds[i]
		p.nics = make([]nicChoice, nicsKnown+1)
		for n := 1; n <= nicsKnown; n++ {
			p.nics[n] = e.adapters(p.gbps, n)
		}
	}
}

// adapters chooses the network cards for ports of a rate; a faster one does as well.
func (e *Evaluator) adapters(rate, ports int) nicChoice {
	for {
		if part, cards, ok := e.index.ChooseNIC(rate, ports); ok {
			return nicChoice{part, cards, e.rivals(rate, ports)}
		}
		next, ok := e.sold(float64(rate) + 0.5)
		if !ok {
			return nicChoice{}
		}
		rate = next
	}
}

// rivals are the priced cards that may be the cheapest, where their prices vary with the quantity.
func (e *Evaluator) rivals(rate, ports int) []*catalog.Part {
	if !e.nicBreaks {
		return nil
	}
	varies := false
	all := slices.DeleteFunc(e.index.NICs(rate, ports), func(p *catalog.Part) bool {
		m := e.modelOf(p)
		varies = varies || len(m.steps) > 1 || m.moq > 1 || m.pack > 1
		return len(m.steps) == 0
	})
	if !varies || len(all) < 2 {
		return nil
	}
	return all
}

// cheapestOf is the part of which n cost least together, the first of several.
func (e *Evaluator) cheapestOf(parts []*catalog.Part, n int64) *catalog.Part {
	best, least := parts[0], math.Inf(1)
	for _, p := range parts {
		if x, ok := e.modelOf(p).total(n); ok && x < least {
			best, least = p, x
		}
	}
	return best
}

// modelPrice bounds the price of one switch or NIC in minor units; most is +Inf if it has none,
// or if it is sold in packs.
type modelPrice struct {
	part        *catalog.Part
	least, most float64
	steps       []priceStep // by quantity ordered; none without a price
	moq, pack   int64
}

// modelAt is the index of a part among the models, -1 if it is none.
func (e *Evaluator) modelAt(p *catalog.Part) int {
	for i := range e.models {
		if e.models[i].part == p {
			return i
		}
	}
	return -1
}

// modelOf finds the bounds of a part that is a switch, an adapter, a trace or a circuit switch.
func (e *Evaluator) modelOf(p *catalog.Part) *modelPrice {
	if i := e.modelAt(p); i >= 0 {
		return &e.models[i]
	}
	return &modelPrice{part: p, most: math.Inf(1)}
}

func (e *Evaluator) learnModels() {
	cur := e.index.Currency()
	digits, ok := unit.MinorDigits(e.opt.Currency)
	if !ok {
		digits = 2
	}
	e.minor, e.leastSwitchW = math.Pow10(digits), math.Inf(1)
	parts := e.index.Catalogue().Parts
	e.noNICs = !e.opt.CountNICs && !e.index.Catalogue().Has(catalog.KindNIC)
	for i := range parts {
		p := &parts[i]
		switch p.Kind {
		case catalog.KindSwitch, catalog.KindNIC, catalog.KindTrace, catalog.KindOCS:
		default:
			continue
		}
		if p.Kind == catalog.KindSwitch {
			e.leastSwitchW = min(e.leastSwitchW, p.PowerW)
		}
		m := modelPrice{part: p, most: math.Inf(1)}
		if e.learnSteps(&m) {
			e.breaks = e.breaks || p.Kind == catalog.KindSwitch
			e.circuitBreaks = e.circuitBreaks || p.Kind == catalog.KindOCS && p.Approved
			e.nicBreaks = e.nicBreaks || p.Kind == catalog.KindNIC
		}
		if low, ok := p.MinUnit(); ok {
			if l, ok := cur.Convert(low, p.Currency); ok {
				m.least = float64(l)
			}
			if h, ok := cur.Convert(mostUnit(p), p.Currency); ok && p.MOQ <= 1 && p.Pack <= 1 {
				m.most = float64(h)
			}
		}
		e.models = append(e.models, m)
	}
	if math.IsInf(e.leastSwitchW, 1) {
		e.leastSwitchW = 0
	}
}

// mostUnit is the highest price of a unit at any quantity.
func mostUnit(p *catalog.Part) catalog.Money {
	most := p.UnitPrice
	for _, b := range p.PriceBreaks {
		most = max(most, b.Price)
	}
	return most
}
