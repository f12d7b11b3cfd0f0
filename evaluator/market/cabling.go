package market

import (
	"math"
	"slices"

	"toposearch/catalog"
	"toposearch/topology"
)

// Run is cables of one link class for which the same cabling is bought.
type Run struct {
	Class   int
	Between bool // buildings
	Step    int  // bought: index into the Steps of the rate
	Need    int  // the first of them that is long enough
	Single  bool // nothing is bought that serves more links than what is on sale for the fewest, for one as a rule
	Count   int64
	MaxM    float64 // the longest laid
}

// Cabling is what makes a link of a run, by the rates of its design.
func (m *Market) Cabling(r *Rates, run *Run) *catalog.Cabling {
	return &m.speedOfRun(r, run).Steps[run.Step]
}

func (m *Market) speedOfRun(r *Rates, run *Run) *Speed {
	return m.SpeedOfClass(r, run.Class, run.Between)
}

// MayShare tells whether links of any of the runs may have parts that serve several of them.
func (m *Market) MayShare(r *Rates, runs []Run) bool {
	return m.wiresVary && slices.ContainsFunc(runs, func(run Run) bool { return m.speedOfRun(r, &run).several })
}

// Where cables, modules or fibres cost less, or only more, by the dozen, which of them is the cheapest for a
// length depends on how many are bought, and that on what is chosen for the other lengths and classes. The
// cablings of all runs of a design are then chosen together, by the prices of the totals: a covering problem
// with fixed costs, for which no fast exact algorithm is known. A local search starts from the cheapest at unit
// prices; branch and bound then tries the combinations that may be cheaper still, up to a number of them,
// which is enough for most designs. Parts for several links are counted box by box, as on the bill.

const (
	// mostCablings is the most cablings that are considered for a run, the cheapest at the best price breaks first.
	mostCablings = 16
	// combinationSteps bounds the steps of the branch and bound, of some 20 ns each.
	combinationSteps = 5_000
	// improvements bounds the rounds of the local search; nearly all end after three.
	improvements = 16
	// mostVisits bounds the numbers of links that are added up for parts that several share, of some 2 ns each: networks of millions of links have some
	// thousand different boxes, and most a dozen.
	mostVisits = 50_000_000
)

// combination is a search for the cheapest cablings of the runs of a design.
type combination struct {
	m       *Market
	shares  *Shares
	runs    int
	at      []int           // by run that has a choice, which it is
	count   []int64         // of it
	options [][]*wireOption // of it, the cheapest at the best price breaks first
	now     []int           // by run, its option
	ready   []int           // by run, the cheapest at quantity 1 that comes in time however many are ordered; that at quantity 1 where none does
	best    []int
	units   []int64   // by wire, in now
	uses    [][]bool  // by wire that serves several links, the runs that have it
	cost    []float64 // of them
	total   float64   // of all: whole numbers, which add up exactly
	least   float64
	rest    []float64 // what the runs from one on cost at least
	steps   int
	visits  int
	anyTime bool // nothing comes in time
}

// CablesTogether replaces the steps of the runs of a design by those that are the cheapest together. sh is needed where they may share parts. They cost that much, in minor
// units, and any choice of parts, several for links of one length among them, costs low. late: no choice that was tried comes in time.
func (m *Market) CablesTogether(f *topology.Family, r *Rates, runs []Run, sh *Shares) (cost, low float64, late bool) {
	if !m.wiresVary {
		return 0, 0, false
	}
	c := combination{m: m, shares: sh, runs: len(runs), units: make([]int64, len(m.wires)), cost: make([]float64, len(m.wires)), uses: make([][]bool, len(m.wires))}
	for i := range runs {
		if o, one, ready := m.choices(f, r, &runs[i]); len(o) > 0 {
			c.at, c.count, c.options = append(c.at, i), append(c.count, runs[i].Count), append(c.options, o)
			c.now, c.ready = append(c.now, one), append(c.ready, ready)
		} else if runs[i].Single { // none has a price
			runs[i].Step = m.speedOfRun(r, &runs[i]).fewest(runs[i].Need)
		}
	}
	c.rest = make([]float64, len(c.now)+1)
	for k := len(c.now) - 1; k >= 0; k-- {
		c.rest[k] = c.rest[k+1] + float64(c.count[k])*c.options[k][0].less
	}
	first := slices.Clone(c.now)
	c.search()
	if c.least >= tooLate {
		clear(c.units)
		clear(c.cost)
		clear(c.uses)
		c.now, c.total, c.steps, c.visits, c.anyTime = first, 0, 0, 0, true
		c.search()
	}
	for k, i := range c.at {
		runs[i].Step = c.options[k][c.best[k]].step
	}
	return c.least, c.rest[0], c.anyTime
}

// search finds the cheapest together, from those at quantity 1 on.
func (c *combination) search() {
	for k, j := range c.now {
		c.tally(k, j, 1)
	}
	c.best, c.least = slices.Clone(c.now), c.total
	for round := 0; round < improvements && c.improve(); round++ {
	}
	if c.least >= tooLate { // where several runs share a stock, no change of one brings the order back within it
		for k, j := range c.ready {
			c.choose(k, j)
		}
		c.keep()
		for round := 0; round < improvements && c.improve(); round++ {
		}
	}
	c.descend(0, 0)
}

// choices are the cablings that are long enough for a run, which of them is the cheapest at quantity 1, and which the
// cheapest of those that come in time however many are ordered, the same where none does; none where none has a price.
func (m *Market) choices(f *topology.Family, r *Rates, run *Run) (out []*wireOption, one, ready int) {
	side := 0
	if f.LinkClasses[run.Class].Name == topology.ClassNic {
		side = 1
	}
	var single, sure *wireOption
	list, fewest := m.speedOfRun(r, run).options[side], math.MaxInt
	for i := range list {
		if list[i].step >= run.Need {
			fewest = min(fewest, list[i].links)
		}
	}
	for i := range list {
		o := &list[i]
		if o.step < run.Need || run.Single && o.links > fewest {
			continue
		}
		if single == nil || o.unit < single.unit {
			single = o
		}
		if !o.late && (sure == nil || o.unit < sure.unit) {
			sure = o
		}
		if len(out) < mostCablings {
			out = append(out, o)
		}
	}
	at := func(o *wireOption) int {
		if o != nil && !slices.Contains(out, o) {
			out = append(out, o)
		}
		return slices.Index(out, o)
	}
	if one, ready = at(single), at(sure); ready < 0 {
		ready = one
	}
	return out, one, ready
}

// tally takes option j of run k into account, or with -1 out of it.
func (c *combination) tally(k, j int, sign int64) {
	o := c.options[k][j]
	for i, p := range o.part {
		if p < 0 {
			continue
		}
		t, x := &c.m.wires[p], 0.0
		if t.part.Ports > 1 {
			c.units[p] = c.shared(p, k, sign > 0)
		} else {
			c.units[p] += sign * c.count[k] * o.units[i]
		}
		if n := c.units[p]; n > 0 {
			x = t.totalWithin(n, c.anyTime)
		}
		c.total += x - c.cost[p]
		c.cost[p] = x
	}
}

// shared is how many units of a part for several links are in use once run k uses it or no longer does.
func (c *combination) shared(p int32, k int, uses bool) int64 {
	if c.uses[p] == nil {
		c.uses[p] = make([]bool, c.runs)
	}
	c.uses[p][c.at[k]] = uses
	part := c.m.wires[p].part
	at := c.shares.at(part)
	c.visits += (len(at.Alike) + 1) * c.runs
	return at.units(int64(part.Ports), c.uses[p])
}

// choose gives run k option j.
func (c *combination) choose(k, j int) {
	if old := c.now[k]; old != j {
		c.tally(k, old, -1)
		c.tally(k, j, 1)
		c.now[k] = j
	}
}

// keep takes the choice at hand if it is the cheapest so far.
func (c *combination) keep() bool {
	if c.total >= c.least {
		return false
	}
	c.least = c.total
	copy(c.best, c.now)
	return true
}

// improve is a round of the local search: it tries another option for each run, and each part for all runs that it
// can serve, and tells whether that was of use.
func (c *combination) improve() bool {
	before := c.least
	for k := range c.options {
		if c.visits >= mostVisits {
			break
		}
		for j := range c.options[k] {
			c.choose(k, j)
			c.keep()
		}
		c.choose(k, c.best[k])
	}
	for p := range c.m.wires {
		if c.visits >= mostVisits {
			break
		}
		served := false
		for k := range c.options {
			if j := slices.IndexFunc(c.options[k], func(o *wireOption) bool { return o.part[0] == int32(p) || o.part[1] == int32(p) }); j >= 0 {
				c.choose(k, j)
				served = true
			}
		}
		if served && !c.keep() {
			for k, j := range c.best {
				c.choose(k, j)
			}
		}
	}
	return c.least < before
}

// descend tries every option for run k, those of the runs before being chosen. sum is what these cost at least.
func (c *combination) descend(k int, sum float64) {
	if k == len(c.options) {
		c.keep()
		return
	}
	for j, o := range c.options[k] {
		c.steps++
		low := sum + float64(c.count[k])*o.less
		if low+c.rest[k+1] >= c.least || c.steps >= combinationSteps || c.visits >= mostVisits {
			return // the next are no cheaper
		}
		c.choose(k, j)
		c.descend(k+1, low)
	}
}

// Cables sums up the cables of a design as bought.
type Cables struct {
	LongestM, TotalM float64 // stock lengths
	Copper, Optical  int64
	Unpriced         bool // one of them has no price
	Class            [topology.MaxClasses]Span
}

// Span is the lengths of the links of a class, the cables of a link as bought and one after the other, metres; 0
// where there is no cable.
type Span struct{ MinM, MeanM, MaxM float64 }

// Sum sums up runs of cables.
func (m *Market) Sum(r *Rates, runs []Run) (c Cables) {
	var count [topology.MaxClasses]float64
	for i := range runs {
		cab, n := m.Cabling(r, &runs[i]), float64(runs[i].Count)
		c.LongestM, c.TotalM = max(c.LongestM, cab.StockM), c.TotalM+cab.StockM*n
		s, k := &c.Class[runs[i].Class], &count[runs[i].Class]
		if *k == 0 {
			s.MinM = cab.StockM
		}
		s.MinM, s.MaxM = min(s.MinM, cab.StockM), max(s.MaxM, cab.StockM)
		s.MeanM, *k = s.MeanM+cab.StockM*n, *k+n
		if cab.Copper {
			c.Copper += runs[i].Count
		} else {
			c.Optical += runs[i].Count
		}
		c.Unpriced = c.Unpriced || !cab.Priced()
	}
	for i, n := range count {
		if n > 0 {
			s, each := &c.Class[i], float64(r.Cables(i))
			s.MinM, s.MeanM, s.MaxM = each*s.MinM, each*s.MeanM/n, each*s.MaxM
		}
	}
	return c
}
