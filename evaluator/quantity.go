package evaluator

import (
	"math"

	"toposearch/catalog"
	"toposearch/topology"
)

// Which switch is the cheapest can depend on how many are bought: price breaks, minimum orders and packs
// count the total of a model over all classes of a design. So models are chosen for the classes
// together, by what the bill of materials will say. So are cables: see wiring.go.

// contenders is the most assignments of models to classes that are tried for a design: two or three
// classes with a dozen models each need some hundred. Beyond it the best of those tried is taken.
const contenders = 2000

// priceStep is a unit price, in minor units of the study's currency, from a quantity on.
type priceStep struct {
	from int64
	unit float64
}

// learnSteps lists the unit prices of a part by quantity ordered, and tells whether the price of many is
// not just that many times that of one.
func (e *Evaluator) learnSteps(m *modelPrice) (varies bool) {
	p := m.part
	if !p.Priced {
		return false
	}
	m.moq, m.pack = int64(max(p.MOQ, 1)), int64(max(p.Pack, 1))
	add := func(from int, price catalog.Money) {
		if x, ok := e.index.Currency().Convert(price, p.Currency); ok {
			m.steps = append(m.steps, priceStep{int64(from), float64(x)})
		}
	}
	add(0, p.UnitPrice)
	for _, b := range p.PriceBreaks {
		add(b.From, b.Price)
	}
	return len(m.steps) > 1 || m.moq > 1 || m.pack > 1
}

// total is the price of n units bought together, as a bill counts it, and whether it has one.
func (m *modelPrice) total(n int64) (float64, bool) {
	if len(m.steps) == 0 {
		return 0, false
	}
	n = max(n, m.moq)
	if m.pack > 1 {
		n = (n + m.pack - 1) / m.pack * m.pack
	}
	unit := m.steps[0].unit
	for _, s := range m.steps[1:] {
		if n >= s.from {
			unit = s.unit
		}
	}
	return unit * float64(n), true
}

// assignment is a search for the cheapest models of the classes of a design.
type assignment struct {
	models  []modelPrice
	classes int
	count   [topology.MaxClasses]int64
	class   [topology.MaxClasses]int
	options [topology.MaxClasses][mostOptions]option
	n       [topology.MaxClasses]int
	rest    [topology.MaxClasses + 1]float64 // the classes from here on cost at least
	now     [topology.MaxClasses]option
	best    [topology.MaxClasses]option
	least   float64
	tried   int
}

// option is a model that offers the ports of a class: its index, and the physical ports in use.
type option struct{ model, ports int32 }

// mostOptions bounds the models that are considered for a class, the cheapest at quantity 1 first.
const mostOptions = 16

// choose replaces the models in buys, each the cheapest of its class at quantity 1, by those that are
// the cheapest together. Classes whose cheapest has no price keep it: no other that fits has one.
func (e *Evaluator) choose(s *topology.Size, r *rates, buys *[topology.MaxClasses]catalog.SwitchChoice) {
	a := assignment{models: e.models}
	var buf [topology.MaxClasses]catalog.PortNeed
	for i := range s.Family.SwitchClasses {
		if buys[i].Part == nil || !buys[i].Part.Priced {
			continue
		}
		k := a.classes
		e.index.Fits(r.needs(s, i, &buf), func(c catalog.SwitchChoice) bool {
			if m := e.modelAt(c.Part); m >= 0 && len(e.models[m].steps) > 0 {
				a.options[k][a.n[k]] = option{int32(m), int32(c.PhysicalPorts)}
				a.n[k]++
			}
			return a.n[k] < mostOptions
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
			least = min(least, a.models[a.options[k][j].model].least)
		}
		a.rest[k] = a.rest[k+1] + float64(a.count[k])*least
	}
	a.least = math.Inf(1)
	a.descend(0, 0)
	for k := range a.classes {
		buys[a.class[k]] = catalog.SwitchChoice{Part: a.models[a.best[k].model].part, PhysicalPorts: int(a.best[k].ports)}
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
		a.now[k] = a.options[k][j]
		low := sum + float64(a.count[k])*a.models[a.now[k].model].least
		if a.tried < contenders && low+a.rest[k+1] < a.least {
			a.descend(k+1, low)
		}
	}
}

// price adds up the models chosen, each once for all of its classes.
func (a *assignment) price() (sum float64) {
	for k := range a.classes {
		n, first := int64(0), true
		for j := range a.classes {
			if a.now[j].model == a.now[k].model {
				first = first && j >= k
				n += a.count[j]
			}
		}
		if first {
			x, _ := a.models[a.now[k].model].total(n)
			sum += x
		}
	}
	return sum
}
