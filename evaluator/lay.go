package evaluator

import (
	"slices"
	"sync"

	"toposearch/evaluator/metric"
	"toposearch/topology"
)

// layout counts the cables of each link class by how far their racks are apart: places along
// the row, rows across, and whether they are in different buildings. Networks are not built for
// it: the wiring streams past once.
type layout struct {
	p      *floorPlan
	spots  []spot  // by switch
	counts []int64 // [class][far][dy*perRow+dx]
	cells  int64
	// runs are consecutive switches at one spot; runAt tells for each switch in which it is.
	runs  []switchRun
	runAt []int32
	turns turns
}

// switchRun is switches up to end at one spot.
type switchRun struct {
	end int64
	at  spot
}

// layouts recycles the arrays, which a search fills thousands of times.
var layouts = sync.Pool{New: func() any { return &layout{} }}

func grow[T any](a []T, n int) []T {
	if cap(a) < n {
		return make([]T, n)
	}
	a = a[:n]
	clear(a)
	return a
}

func newLayout(p *floorPlan) *layout {
	l := layouts.Get().(*layout)
	l.p = p
	l.cells = p.rows * p.perRow
	l.clear()
	l.runs = l.runs[:0]
	l.spots = l.spots[:0]
	first := int64(0)
	for i := range p.size.Family.SwitchClasses {
		n := p.size.Switch[i].Count
		if p.home[i] == topology.Inside { // known when their endpoints are
			l.runs = append(l.runs, switchRun{first + n, spot{}})
		} else {
			p.eachRun(i, func(to, position int64) {
				l.runs = append(l.runs, switchRun{first + to, p.spot(position)})
			})
		}
		first += n
	}
	all := int(p.size.AllSwitches())
	if cap(l.spots) < all {
		l.spots = make([]spot, all)
	}
	l.spots = l.spots[:all]
	from := int64(0)
	for i := range l.runs {
		r := &l.runs[i]
		for k := from; k < r.end; k++ {
			l.spots[k] = r.at
		}
		from = r.end
	}
	return l
}

// clear empties the counts of the classes that there are.
func (l *layout) clear() {
	f := l.p.size.Family
	n := len(f.LinkClasses) * 2 * int(l.cells)
	if cap(l.counts) < n {
		l.counts = make([]int64, n)
		return
	}
	l.counts = l.counts[:n]
	for c := range f.LinkClasses {
		at, end := 2*int64(c)*l.cells, 2*int64(c+1)*l.cells
		if l.p.size.Link[c] == 0 {
			continue // nothing is counted, and nothing read
		}
		if l.p.buildings == 1 {
			end -= l.cells
		}
		clear(l.counts[at:end])
	}
}

func (l *layout) free() { l.p = nil; layouts.Put(l) }

// stream counts the cables of the classes that are bought.
func (l *layout) stream(d topology.Design, r *rates) {
	f := d.Family
	var e, end int64
	var at spot
	f.Attach(d.V, func(count int, ports []topology.SwitchID) {
		for left := int64(count); left > 0; {
			if e >= end {
				var position int64
				position, end = l.p.positionOf(e)
				at = l.p.spot(position)
			}
			n := min(left, end-e)
			for _, s := range ports {
				if r.kind[0] == linkInside {
					l.spots[s] = at // an embedded switch stands where its endpoint does
				} else if r.kind[0] == linkBought {
					l.count(0, at, l.spots[s], n)
				}
			}
			e += n
			left -= n
		}
	})
	if f.Wire == nil {
		return
	}
	if f.Bundles != nil {
		l.findRuns()
		f.Bundles(d.V, func(b topology.Bundle) {
			if r.kind[b.Class] == linkBought {
				l.bundle(&b)
			}
		})
		l.endTurns()
		return
	}
	spots, counts, row := l.spots, l.counts, int32(l.p.perRow)
	one := l.p.buildings == 1
	f.Wire(d.V, func(class int, a, b topology.SwitchID) {
		if r.kind[class] != linkBought {
			return
		}
		p, q := &spots[a], &spots[b]
		if !one && p.building != q.building {
			l.count(class, *p, *q, 1)
			return
		}
		dx, dy := p.x-q.x, p.y-q.y
		if dx < 0 {
			dx = -dx
		}
		if dy < 0 {
			dy = -dy
		}
		counts[int64(class)*2*l.cells+int64(dy*row+dx)]++
	})
}

func (l *layout) count(class int, a, b spot, n int64) {
	dx, dy := a.x-b.x, a.y-b.y
	if dx < 0 {
		dx = -dx
	}
	if dy < 0 {
		dy = -dy
	}
	i := int64(class) * 2 * l.cells
	if a.building != b.building {
		i += l.cells
	}
	l.counts[i+int64(dy)*l.p.perRow+int64(dx)] += n
}

// findRuns joins neighbours at one spot, now that all are known.
func (l *layout) findRuns() {
	n := len(l.spots)
	if cap(l.runAt) < n {
		l.runAt = make([]int32, n)
	}
	l.runAt = l.runAt[:n]
	l.runs = l.runs[:0]
	for i := range l.spots {
		if k := len(l.runs); k == 0 || l.runs[k-1].at != l.spots[i] {
			l.runs = append(l.runs, switchRun{at: l.spots[i]})
		}
		k := len(l.runs) - 1
		l.runs[k].end = int64(i) + 1
		l.runAt[i] = int32(k)
	}
}

// bundle counts the links of a bundle, rack by rack.
func (l *layout) bundle(b *topology.Bundle) {
	times := int64(b.Times)
	a, end := int64(b.A), int64(b.A)+int64(b.Count)
	if b.Ring > 0 {
		l.turn(b)
		return
	}
	if b.Blocks > 1 {
		l.blocks(b)
		return
	}
	if b.Mesh {
		for from := a; from < end; {
			r := &l.runs[l.runAt[from]]
			to := min(r.end, end)
			n := to - from
			l.count(b.Class, r.at, r.at, times*n*(n-1)/2)
			l.fan(b.Class, r.at, to, end, times*n)
			from = to
		}
		return
	}
	first, cycle, each := int64(b.B), int64(b.Cycle), int64(b.Each)
	one := l.runs[l.runAt[first]].end >= first+cycle*each
	for from := a; from < end; {
		r := &l.runs[l.runAt[from]]
		to := min(r.end, end)
		n := to - from
		if one {
			l.count(b.Class, r.at, l.spots[first], times*n*each)
			from = to
			continue
		}
		if rounds := n / cycle; rounds > 0 {
			l.fan(b.Class, r.at, first, first+cycle*each, times*rounds)
		}
		// The rest begins where the whole rounds did, and may pass the end of the cycle.
		at, rest := (from-a)%cycle, n%cycle
		until := min(at+rest, cycle)
		l.fan(b.Class, r.at, first+at*each, first+until*each, times)
		l.fan(b.Class, r.at, first, first+(at+rest-until)*each, times)
		from = to
	}
}

// blocks counts the links of a bundle block by block, or all blocks at once whose upper switches
// stand in one rack.
func (l *layout) blocks(b *topology.Bundle) {
	upper := int64(b.Cycle) * int64(b.Each)
	one := *b
	one.Blocks = 0
	for k := int64(0); k < int64(b.Blocks); {
		r := &l.runs[l.runAt[int64(b.B)+k*upper]]
		n := min((r.end-int64(b.B)-k*upper)/upper, int64(b.Blocks)-k)
		if n > 0 {
			from := int64(b.A) + k*int64(b.Count)
			l.fan(b.Class, r.at, from, from+n*int64(b.Count), int64(b.Times)*int64(b.Each))
			k += n
			continue
		}
		one.A, one.B = b.A+topology.SwitchID(k*int64(b.Count)), b.B+topology.SwitchID(k*upper)
		l.bundle(&one)
		k++
	}
}

// fan counts times links from a spot to each of the switches in from..to-1.
func (l *layout) fan(class int, at spot, from, to, times int64) {
	for from < to {
		r := &l.runs[l.runAt[from]]
		n := min(r.end, to) - from
		l.count(class, at, r.at, times*n)
		from += n
	}
}

// runs are cables of one link class that are bought alike.
type runs struct {
	class int
	far   bool // between buildings
	step  int  // index into the rate's steps
	rung  int  // of the first of them that is long enough
	count int64
	minM  float64
	maxM  float64
	sumM  float64 // laid, in no particular precision beyond 2^-53: lengths are summed by cell
}

// gather turns the counts into runs by class and stock length, in that order. reject is a cable
// that is too long for its rate.
func (l *layout) gather(e *Evaluator, r *rates) (out []runs, reject metric.Reject) {
	for c := range l.p.size.Family.LinkClasses {
		if r.kind[c] != linkBought || l.p.size.Link[c] == 0 {
			continue
		}
		for far := range int(min(l.p.buildings, 2)) {
			speed := e.speedOf(r.link[c])
			if far == 1 {
				speed = e.farOf(r.link[c])
			}
			from := len(out)
			cells := l.counts[(2*int64(c)+int64(far))*l.cells : (2*int64(c)+int64(far)+1)*l.cells]
			for i, k := range cells {
				if k == 0 {
					continue
				}
				dy := int64(i) / l.p.perRow
				m := l.p.site.lengthM(int64(i)-dy*l.p.perRow, dy, far == 1)
				step := -1
				if speed != nil {
					step = speed.at(m)
				}
				if step < 0 {
					bound := 0.0
					if speed != nil {
						bound = speed.longest()
					}
					if m-bound > reject.Got-reject.Bound {
						reject = metric.Reject{Constraint: metric.RejectReach, Got: m, Bound: bound}
					}
					continue
				}
				out = tallyRun(out, from, runs{c, far == 1, step, step, k, m, m, m * float64(k)})
			}
			slices.SortFunc(out[from:], func(a, b runs) int { return a.step - b.step })
		}
	}
	return out, reject
}

func tallyRun(out []runs, from int, r runs) []runs {
	for i := from; i < len(out); i++ {
		if o := &out[i]; o.step == r.step {
			o.count += r.count
			o.sumM += r.sumM
			o.minM, o.maxM = min(o.minM, r.minM), max(o.maxM, r.maxM)
			return out
		}
	}
	return append(out, r)
}

// farOf gives the single-mode links of a rate, nil if no switch offers it.
func (e *Evaluator) farOf(gbps float64) *speed {
	for i := range e.far {
		if float64(e.far[i].gbps) == gbps {
			return &e.far[i]
		}
	}
	return nil
}
