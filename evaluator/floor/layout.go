package floor

import (
	"slices"
	"sync"

	"toposearch/evaluator/market"
	"toposearch/evaluator/metric"
	"toposearch/topology"
)

// Layout counts the cables of each link class by how far their racks are apart: places along
// the row, rows across, and whether they are in different buildings. Networks are not built for
// it: the wiring streams past once.
type Layout struct {
	p      *Plan
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

// turns gathers bundles around one ring: those between the same racks all around are laid at once.
type turns struct {
	class, ring, step int
	from              int // the ring's first switch
	// Neighbours that stand in one rack all around the ring are one column.
	column []int32  // of the switches of the first step
	first  []int    // switch of each column
	count  []int    // links of a bundle, by shift
	links  []int64  // by [shift][column of A][column of B]; empty if bundles are laid one by one
	places []rackAt // by [column][place in the ring], of one building
}

// rackAt is where a switch stands, as is needed of it where there is one building.
type rackAt struct{ x, y int32 }

// layouts recycles the arrays, which a search fills thousands of times.
var layouts = sync.Pool{New: func() any { return &Layout{} }}

func grow[T any](a []T, n int) []T {
	if cap(a) < n {
		return make([]T, n)
	}
	a = a[:n]
	clear(a)
	return a
}

// NewLayout is a layout without cables: the spots of all switches. Free it after use.
func NewLayout(p *Plan) *Layout {
	l := layouts.Get().(*Layout)
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
			p.eachSwitchRun(i, func(to, position int64) {
				l.runs = append(l.runs, switchRun{first + to, p.spot(position)})
			})
		}
		first += n
	}
	p.eachCircuit(func(_, position int64) {
		first++
		l.runs = append(l.runs, switchRun{first, p.spot(position)})
	})
	all := int(first)
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
func (l *Layout) clear() {
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

// Free gives the memory of the layout back.
func (l *Layout) Free() { l.p = nil; layouts.Put(l) }

func (l *Layout) count(class int, a, b spot, n int64) {
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
func (l *Layout) findRuns() {
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

// Lengths gives the cables of a class inside buildings, or between them, by their laid length: in no order of
// lengths, but always in the same.
func (l *Layout) Lengths(class int, between bool, f func(m float64, count int64)) {
	from := 2 * int64(class) * l.cells
	if between {
		from += l.cells
	}
	for i, k := range l.counts[from : from+l.cells] {
		if k > 0 {
			dy := int64(i) / l.p.perRow
			f(l.p.site.LengthM(int64(i)-dy*l.p.perRow, dy, between), k)
		}
	}
}

// Runs turns the counts into runs by class and stock length, in that order, each of the cheapest cabling that is
// long enough. The rejection is a cable that is too long for its rate.
func (l *Layout) Runs(m *market.Market, r *market.Rates) (out []market.Run, reject metric.Reject) {
	for c := range l.p.size.Family.LinkClasses {
		if r.Kind[c] != market.Cable || l.p.size.Link[c] == 0 {
			continue
		}
		for _, between := range [2]bool{false, true} {
			if between && l.p.buildings == 1 {
				break
			}
			speed := m.SpeedOfClass(r, c, between)
			from := len(out)
			l.Lengths(c, between, func(m float64, count int64) {
				step, bound := -1, 0.0
				if speed != nil {
					step, bound = speed.Step(m), speed.LongestM()
				}
				if step >= 0 {
					out = tallyRun(out, from, market.Run{Class: c, Between: between, Step: step, Need: step, Count: count, MaxM: m})
				} else if m-bound > reject.Got-reject.Bound {
					reject = metric.Reject{Constraint: metric.RejectReach, Got: m, Bound: bound}
				}
			})
			slices.SortFunc(out[from:], func(a, b market.Run) int { return a.Step - b.Step })
		}
	}
	return out, reject
}

// tallyRun adds cables to the run of their step, of those from one on.
func tallyRun(out []market.Run, from int, r market.Run) []market.Run {
	for i := from; i < len(out); i++ {
		if o := &out[i]; o.Step == r.Step {
			o.Count += r.Count
			o.MaxM = max(o.MaxM, r.MaxM)
			return out
		}
	}
	return append(out, r)
}
