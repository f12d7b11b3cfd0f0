package evaluator

import (
	"math"
	"sync"
)

// pairCounts counts pairs of blocks by how far they are apart: rows times perRow, and places.
type pairCounts struct {
	key          sectionsKey
	site         *Site
	rows, perRow int64
	counts       []int64
	runs         []blockRun
}

// pairs recycles the arrays, which a search fills thousands of times.
var pairs = sync.Pool{New: func() any { return &pairCounts{} }}

func (a *pairCounts) free() { a.site = nil; pairs.Put(a) }

// blockRun is the blocks of one place in their sections that stand in one row, a section apart: the first
// at place x, the next step places on, each width racks more than one wide.
type blockRun struct {
	n, y           int64
	x, step, width int64
}

// countPairs takes each pair of blocks as far apart as their nearest racks from which cables go. Blocks
// in a row are as far apart as their sections, so that pairs of rows are counted by sums and differences.
func (s *Site) countPairs(key *sectionsKey) *pairCounts {
	a := pairs.Get().(*pairCounts)
	a.key, a.site = *key, s
	a.rows, a.perRow = s.hall(key.floor())
	a.counts = grow(a.counts, int(a.rows*a.perRow))
	a.inRows()
	for i := range a.runs {
		a.alike(&a.runs[i])
		for j := range i {
			a.apart(&a.runs[j], &a.runs[i])
		}
	}
	a.broken()
	return a
}

// inRows lists the blocks that stand in one row, row by row.
func (a *pairCounts) inRows() {
	key := &a.key
	a.runs = a.runs[:0]
	for y := range a.rows {
		for at := range key.per {
			from, to := int64(key.ends[at][0]), int64(key.ends[at][1])
			sections := ceilDiv(max(0, key.least-at), key.per) // that have such a block
			first := max(0, ceilDiv(y*a.perRow-from, key.racks))
			end := min(sections, ceilDiv((y+1)*a.perRow-to, key.racks))
			if end <= first {
				continue
			}
			r := blockRun{n: end - first, y: y, x: first*key.racks + from - y*a.perRow, step: key.racks, width: to - from}
			if y%2 == 1 {
				r.x, r.step = a.perRow-1-r.x-r.width, -r.step
			}
			a.runs = append(a.runs, r)
		}
	}
}

// alike counts the pairs of blocks of one run.
func (a *pairCounts) alike(r *blockRun) {
	for d := int64(1); d < r.n; d++ {
		a.counts[max(d*max(r.step, -r.step)-r.width, 0)] += r.n - d
	}
}

// apart counts the pairs of blocks of two runs, of which q stands no row before r: so many have one difference
// of their numbers in the runs or, where the rows run in opposite directions, one sum.
func (a *pairCounts) apart(r, q *blockRun) {
	x := q.x - r.x
	if r.step == q.step {
		x -= (r.n - 1) * r.step
	}
	all := r.n + q.n - 1
	most := min(r.n, q.n)
	counts := a.counts[(q.y-r.y)*a.perRow:][:a.perRow]
	for d := int64(1); d <= all; d++ {
		counts[max(x-r.width, -x-q.width, 0)] += min(d, most, all+1-d)
		x += q.step
	}
}

// broken counts the pairs with blocks that a row's end parts.
func (a *pairCounts) broken() {
	var parts [][]stretch
	for y := int64(1); y < a.rows; y++ {
		for at := range a.key.per {
			from, to := int64(a.key.ends[at][0]), int64(a.key.ends[at][1])
			// Those that begin in the row before, and end from this one on.
			for i := max(0, ceilDiv((y-1)*a.perRow-from, a.key.racks)); i*a.key.racks+from < y*a.perRow; i++ {
				if block := i*a.key.per + at; i*a.key.racks+to >= y*a.perRow && block < a.key.least {
					parts = append(parts, a.key.parts(block, a.perRow))
				}
			}
		}
	}
	for k, block := range parts {
		for i := range a.runs {
			a.beside(block, &a.runs[i])
		}
		for _, other := range parts[:k] {
			a.counts[a.site.nearest(block, other, a.perRow)]++
		}
	}
}

// beside counts the pairs of a block that a row's end parts with those of a run, as Site.nearest has it.
func (a *pairCounts) beside(block []stretch, r *blockRun) {
	from := r.x
	for range r.n {
		at, best := int64(0), math.Inf(1)
		for i := range block {
			p := &block[i]
			x, y := max(0, from-p.to, p.from-from-r.width), max(r.y-p.y, p.y-r.y)
			if m := float64(x)*a.site.RackPitchM + float64(y)*a.site.RowPitchM; m < best {
				at, best = y*a.perRow+x, m
			}
		}
		a.counts[at]++
		from += r.step
	}
}
