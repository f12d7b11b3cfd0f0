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
	mostWires = 24
	// wirings and wiringSteps bound the complete choices that are priced, of a microsecond each, and the steps
	// to come by them.
	wirings, wiringSteps = 2000, 50_000
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

// wireOption is a cabling for a run: its step, its parts by their place among the wires, -1 for none, and of
// each so many units in all, in parts of wireDen.
type wireOption struct {
	step       int
	part       [2]int
	units      [2]int64
	unit, less float64 // price at quantity 1, and at the best price breaks
}

// wireSearch is a search for the cheapest cablings of the runs of a design.
type wireSearch struct {
	e       *Evaluator
	runs    []int // the places of those that have a choice
	options [][]wireOption
	now     []int // by run, its option
	best    []int
	least   float64
	rest    []float64
	units   []int64 // scratch, by wire
	tried   int
	steps   int
}

// chooseCables replaces the steps of runs by those that are the cheapest together.
func (e *Evaluator) chooseCables(f *topology.Family, r *rates, rs []runs) {
	if !e.wireBreaks {
		return
	}
	w := wireSearch{e: e, units: make([]int64, len(e.wires))}
	for i := range rs {
		if o := e.optionsOf(f, r, &rs[i]); len(o) > 0 {
			w.runs, w.options = append(w.runs, i), append(w.options, o)
		}
	}
	n := len(w.runs)
	w.now, w.best, w.rest = make([]int, n), make([]int, n), make([]float64, n+1)
	for k, o := range w.options {
		for j := range o {
			if o[j].unit < o[w.best[k]].unit {
				w.best[k] = j
			}
		}
	}
	copy(w.now, w.best)
	w.least = w.price()
	for round := 0; round < improvements && w.improve(); round++ {
	}
	for k := n - 1; k >= 0; k-- {
		w.rest[k] = w.rest[k+1] + w.options[k][0].less
	}
	w.descend(0, 0)
	for k, i := range w.runs {
		rs[i].step = w.options[k][w.best[k]].step
	}
}

// optionsOf are the cablings that are long enough for a run and have a price, the cheapest at the best price
// breaks first; none where there is no choice.
func (e *Evaluator) optionsOf(f *topology.Family, r *rates, run *runs) []wireOption {
	sp := e.speedOf(r.link[run.class])
	if run.far {
		sp = e.farOf(r.link[run.class])
	}
	var out []wireOption
	for step := run.step; step < len(sp.steps); step++ {
		c := &sp.steps[step]
		if !c.Priced() {
			continue
		}
		o := wireOption{step: step, part: [2]int{-1, -1}}
		for k := range c.Items {
			it := &c.Items[k]
			if it.Part == nil {
				continue
			}
			num, den := int64(it.Num), int64(it.Den)
			switch {
			case shared(it, &f.LinkClasses[run.class]):
				num = den + 1
			case it.Part.Kind != catalog.KindTransceiver && !it.Part.Splitter():
				den = 1 // a link without a parallel takes all of it
			}
			o.part[k] = slices.IndexFunc(e.wires, func(m modelPrice) bool { return m.part == it.Part })
			o.units[k] = run.count * num * (e.wireDen / den)
			m, n := &e.wires[o.part[k]], float64(o.units[k])/float64(e.wireDen)
			if len(m.steps) == 0 {
				return nil
			}
			o.unit += n * m.steps[0].unit
			o.less += n * m.least
		}
		out = append(out, o)
	}
	slices.SortStableFunc(out, func(a, b wireOption) int { return cmp.Or(cmp.Compare(a.less, b.less), cmp.Compare(a.unit, b.unit)) })
	return cheapestFew(out)
}

// cheapestFew keeps the first of some options, and the one that is the cheapest at unit prices.
func cheapestFew(out []wireOption) []wireOption {
	if len(out) <= mostWires {
		return out
	}
	one := slices.MinFunc(out, func(a, b wireOption) int { return cmp.Compare(a.unit, b.unit) })
	out = out[:mostWires]
	if !slices.ContainsFunc(out, func(o wireOption) bool { return o.step == one.step }) {
		out[mostWires-1] = one
	}
	return out
}

// price adds up the parts of the options in now, each once for all runs.
func (w *wireSearch) price() (sum float64) {
	clear(w.units)
	for k, j := range w.now {
		o := &w.options[k][j]
		for i, p := range o.part {
			if p >= 0 {
				w.units[p] += o.units[i]
			}
		}
	}
	for p, n := range w.units {
		if n > 0 {
			x, _ := w.e.wires[p].total((n + w.e.wireDen - 1) / w.e.wireDen)
			sum += x
		}
	}
	return sum
}

// improve tries another option for each run, and each part for all runs that it can serve, and tells whether that
// was of use.
func (w *wireSearch) improve() bool {
	before := w.least
	keep := func() {
		if x := w.price(); x < w.least {
			w.least = x
			copy(w.best, w.now)
		}
		copy(w.now, w.best)
	}
	for k := range w.options {
		for j := range w.options[k] {
			w.now[k] = j
			keep()
		}
	}
	for p := range w.e.wires {
		for k := range w.options {
			if j := slices.IndexFunc(w.options[k], func(o wireOption) bool { return slices.Contains(o.part[:], p) }); j >= 0 {
				w.now[k] = j
			}
		}
		keep()
	}
	return w.least < before
}

// descend tries every option for run k, those of the runs before being chosen. sum is what these cost at least.
func (w *wireSearch) descend(k int, sum float64) {
	if k == len(w.options) {
		w.tried++
		if x := w.price(); x < w.least {
			w.least = x
			copy(w.best, w.now)
		}
		return
	}
	for j := range w.options[k] {
		w.now[k] = j
		w.steps++
		low := sum + w.options[k][j].less
		if low+w.rest[k+1] >= w.least || w.tried >= wirings || w.steps >= wiringSteps {
			return // the next are no cheaper
		}
		w.descend(k+1, low)
	}
}
