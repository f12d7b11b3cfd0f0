package evaluator

import (
	"cmp"
	"math"
	"slices"

	"toposearch/catalog"
	"toposearch/topology"
)

// Where cables, modules or fibres cost less, or only more, by the dozen, which of them is the cheapest for a
// length depends on how many are bought, and that on what is chosen for the other lengths and classes. They
// are chosen for all runs of a design together then, by the prices of the totals. The cheapest choice of all
// is a covering problem with fixed costs, for which no fast way is known: improved step by step from the
// cheapest at unit prices, and then all choices of the few dozen that can be as cheap are tried, up to a
// number of them. Most designs need few enough. Modules for several links count as fractions here, cables for
// several as though they carried one; on the bill they are counted box by box.

const (
	// mostWires is the most cablings that are considered for a run, the cheapest at the best price breaks first.
	mostWires = 16
	// wiringSteps bounds the steps by which complete choices are tried, of some 20 ns each.
	wiringSteps = 5_000
	// improvements bounds the rounds that start from unit prices; nearly all end after three.
	improvements = 16
)

// learnWires lists the prices of the parts of links, and tells whether they vary with the quantity.
func (e *Evaluator) learnWires() {
	e.wireDen = 1
	parts := e.index.Catalogue().Parts
	for i := range parts {
		p := &parts[i]
		switch p.Kind {
		case catalog.KindCable, catalog.KindTransceiver, catalog.KindFibre:
		default:
			continue
		}
		m := modelPrice{part: p, most: math.Inf(1)}
		if e.learnSteps(&m) && p.Approved {
			e.wireBreaks = true
		}
		if low, ok := p.MinUnit(); ok {
			if l, ok := e.index.Currency().Convert(low, p.Currency); ok {
				m.least = float64(l)
			}
		}
		e.wires = append(e.wires, m)
		if n := int64(max(p.Ports, 1)); e.wireDen%n != 0 {
			e.wireDen *= n
		}
	}
}

// cablingsOf lists what may make a link of a rate, by length: where prices do not vary the cheapest for each,
// otherwise all of them, but none without a price where one that is as long has one.
func (e *Evaluator) cablingsOf(x *catalog.Index, gbps int) []catalog.Cabling {
	if !e.wireBreaks {
		return ladderOf(x, gbps)
	}
	all := x.Cablings(gbps)
	priced := pricedTo(all)
	return slices.DeleteFunc(all, func(c catalog.Cabling) bool { return !c.Priced() && c.StockM <= priced })
}

// wireOption is a cabling: its step, its parts by their place among the wires, -1 for none, of each so many
// units for a link, in parts of wireDen, and the price of a link.
type wireOption struct {
	step       int
	part       [2]int32
	units      [2]int64
	unit, less float64 // price at quantity 1, and at the best price breaks
}

// learnOptions prepares the cablings of a rate for links of class nic and of others, the cheapest at the best
// price breaks first; none without a price.
func (e *Evaluator) learnOptions(p *speed) {
	nic, other := topology.LinkClass{Name: topology.ClassNic}, topology.LinkClass{}
	for side, class := range [2]*topology.LinkClass{&other, &nic} {
		for step := range p.steps {
			if o, ok := e.optionOf(&p.steps[step], class); ok {
				o.step = step
				p.options[side] = append(p.options[side], o)
			}
		}
		slices.SortStableFunc(p.options[side], func(a, b wireOption) int {
			return cmp.Or(cmp.Compare(a.less, b.less), cmp.Compare(a.unit, b.unit))
		})
	}
}

func (e *Evaluator) optionOf(c *catalog.Cabling, class *topology.LinkClass) (o wireOption, ok bool) {
	o.part = [2]int32{-1, -1}
	for k := range c.Items {
		it := &c.Items[k]
		if it.Part == nil {
			continue
		}
		num, den := int64(it.Num), int64(it.Den)
		switch {
		case shared(it, class):
			num = den + 1
		case it.Part.Kind != catalog.KindTransceiver && !it.Part.Splitter():
			den = 1 // a link without a parallel takes all of it
		}
		at := slices.IndexFunc(e.wires, func(m modelPrice) bool { return m.part == it.Part })
		m := &e.wires[at]
		if len(m.steps) == 0 {
			return o, false
		}
		o.part[k], o.units[k] = int32(at), num*(e.wireDen/den)
		n := float64(num) / float64(den)
		o.unit += n * m.steps[0].unit
		o.less += n * m.least
	}
	return o, true
}

// wireSearch is a search for the cheapest cablings of the runs of a design.
type wireSearch struct {
	e       *Evaluator
	count   []int64         // by run that has a choice
	options [][]*wireOption // of it, the cheapest at the best price breaks first
	now     []int           // by run, its option
	best    []int
	units   []int64   // by wire, in now
	cost    []float64 // of them
	total   float64   // of all: whole numbers, which add up exactly
	least   float64
	rest    []float64 // what the runs from one on cost at least
	steps   int
}

// chooseCables replaces the steps of runs by those that are the cheapest together.
func (e *Evaluator) chooseCables(f *topology.Family, r *rates, rs []runs) {
	if !e.wireBreaks {
		return
	}
	w := wireSearch{e: e, units: make([]int64, len(e.wires)), cost: make([]float64, len(e.wires))}
	var at []int
	for i := range rs {
		if o, one := e.optionsOf(f, r, &rs[i]); len(o) > 0 {
			at, w.count, w.options = append(at, i), append(w.count, rs[i].count), append(w.options, o)
			w.now = append(w.now, one)
		}
	}
	for k, j := range w.now {
		w.add(k, j, 1)
	}
	w.best, w.least = slices.Clone(w.now), w.total
	for round := 0; round < improvements && w.improve(); round++ {
	}
	w.rest = make([]float64, len(w.now)+1)
	for k := len(w.now) - 1; k >= 0; k-- {
		w.rest[k] = w.rest[k+1] + float64(w.count[k])*w.options[k][0].less
	}
	w.descend(0, 0)
	for k, i := range at {
		rs[i].step = w.options[k][w.best[k]].step
	}
}

// optionsOf are the cablings that are long enough for a run, and which of them is the cheapest at quantity 1;
// none where none has a price.
func (e *Evaluator) optionsOf(f *topology.Family, r *rates, run *runs) (out []*wireOption, one int) {
	sp := e.speedOf(r.link[run.class])
	if run.far {
		sp = e.farOf(r.link[run.class])
	}
	side := 0
	if f.LinkClasses[run.class].Name == topology.ClassNic {
		side = 1
	}
	list, single := sp.options[side], (*wireOption)(nil)
	for i := range list {
		o := &list[i]
		if o.step < run.step {
			continue
		}
		if single == nil || o.unit < single.unit {
			single = o
		}
		if len(out) < mostWires {
			out = append(out, o)
		}
	}
	if one = slices.Index(out, single); one < 0 && single != nil {
		one = len(out)
		out = append(out, single)
	}
	return out, one
}

// add takes option j of run k into account, or with -1 out of it.
func (w *wireSearch) add(k, j int, sign int64) {
	o := w.options[k][j]
	for i, p := range o.part {
		if p < 0 {
			continue
		}
		w.units[p] += sign * w.count[k] * o.units[i]
		x := 0.0
		if n := w.units[p]; n > 0 {
			if w.e.wireDen > 1 {
				n = (n + w.e.wireDen - 1) / w.e.wireDen
			}
			x, _ = w.e.wires[p].total(n)
		}
		w.total += x - w.cost[p]
		w.cost[p] = x
	}
}

// move gives run k option j.
func (w *wireSearch) move(k, j int) {
	if old := w.now[k]; old != j {
		w.add(k, old, -1)
		w.add(k, j, 1)
		w.now[k] = j
	}
}

// keep takes the choice at hand if it is the cheapest so far.
func (w *wireSearch) keep() bool {
	if w.total >= w.least {
		return false
	}
	w.least = w.total
	copy(w.best, w.now)
	return true
}

// improve tries another option for each run, and each part for all runs that it can serve, and tells whether that
// was of use.
func (w *wireSearch) improve() bool {
	before := w.least
	for k := range w.options {
		for j := range w.options[k] {
			w.move(k, j)
			w.keep()
		}
		w.move(k, w.best[k])
	}
	for p := range w.e.wires {
		served := false
		for k := range w.options {
			if j := slices.IndexFunc(w.options[k], func(o *wireOption) bool { return o.part[0] == int32(p) || o.part[1] == int32(p) }); j >= 0 {
				w.move(k, j)
				served = true
			}
		}
		if served && !w.keep() {
			for k, j := range w.best {
				w.move(k, j)
			}
		}
	}
	return w.least < before
}

// descend tries every option for run k, those of the runs before being chosen. sum is what these cost at least.
func (w *wireSearch) descend(k int, sum float64) {
	if k == len(w.options) {
		w.keep()
		return
	}
	for j, o := range w.options[k] {
		w.steps++
		low := sum + float64(w.count[k])*o.less
		if low+w.rest[k+1] >= w.least || w.steps >= wiringSteps {
			return // the next are no cheaper
		}
		w.move(k, j)
		w.descend(k+1, low)
	}
}
