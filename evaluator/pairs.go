package evaluator

// pairCounts counts pairs of blocks by how far they are apart: rows times perRow, and places.
type pairCounts struct {
	key          sectionsKey
	site         *Site
	rows, perRow int64
	counts       []int64
	pairs        int64
}

// blockRun is the blocks of one place in their sections that stand in one row, a section apart: those of
// the sections from first on, of which the first stands at place x, the next step places on, each width racks
// more than one wide.
type blockRun struct {
	at, first, n   int64
	y              int64
	x, step, width int64
}

// countPairs takes each pair of blocks as far apart as their nearest racks from which cables go. Blocks
// in a row are as far apart as their sections, so that pairs of rows are counted by sums and differences.
func (s *Site) countPairs(key *sectionsKey) *pairCounts {
	a := &pairCounts{key: *key, site: s}
	a.rows, a.perRow = s.hall((key.least + key.per - 1) / key.per * key.racks)
	a.counts = make([]int64, a.rows*a.perRow)
	runs := a.inRows()
	for i := range runs {
		a.alike(&runs[i])
		for j := range i {
			a.apart(&runs[j], &runs[i])
		}
	}
	a.broken(runs)
	return a
}

// inRows lists the blocks that stand in one row, row by row.
func (a *pairCounts) inRows() []blockRun {
	key := &a.key
	out := make([]blockRun, 0, a.rows*key.per)
	for y := range a.rows {
		for at := range key.per {
			from, to := int64(key.ends[at][0]), int64(key.ends[at][1])
			sections := ceilDiv(max(0, key.least-at), key.per) // that have such a block
			first := max(0, ceilDiv(y*a.perRow-from, key.racks))
			end := min(sections, floorDiv((y+1)*a.perRow-1-to, key.racks)+1)
			if end <= first {
				continue
			}
			r := blockRun{at: at, first: first, n: end - first, y: y, x: first*key.racks + from - y*a.perRow, step: key.racks, width: to - from}
			if y%2 == 1 {
				r.x, r.step = a.perRow-1-r.x-r.width, -r.step
			}
			out = append(out, r)
		}
	}
	return out
}

func floorDiv(x, y int64) int64 {
	if x < 0 {
		return -((-x + y - 1) / y)
	}
	return x / y
}

func ceilDiv(x, y int64) int64 { return floorDiv(x+y-1, y) }

// alike counts the pairs of blocks of one run.
func (a *pairCounts) alike(r *blockRun) {
	for d := int64(1); d < r.n; d++ {
		if a.takes(d * a.key.per) {
			a.add(r, r, d*r.step, r.n-d)
		}
	}
}

// apart counts the pairs of blocks of two runs, of which q stands no row before r.
func (a *pairCounts) apart(r, q *blockRun) {
	// By the numbers of their blocks in order.
	least := (q.first*a.key.per + q.at) - ((r.first+r.n-1)*a.key.per + r.at)
	most := ((q.first+q.n-1)*a.key.per + q.at) - (r.first*a.key.per + r.at)
	turned := r.step != q.step
	if !turned || a.all(least, most) {
		// So many pairs have one difference of their places in the runs, or one sum of them.
		for d := int64(0); d < r.n+q.n-1; d++ {
			n := min(d+1, r.n, q.n, r.n+q.n-1-d)
			if turned { // d is the sum
				a.add(r, q, q.x-r.x+d*q.step, n)
			} else if i := d - r.n + 1; a.takes(least + d*a.key.per) {
				a.add(r, q, q.x-r.x+i*q.step, n)
			}
		}
		return
	}
	for i := range r.n {
		for j := range q.n {
			if a.takes((q.first+j-r.first-i)*a.key.per + q.at - r.at) {
				a.add(r, q, q.x+j*q.step-r.x-i*r.step, 1)
			}
		}
	}
}

// takes tells whether blocks so many apart in order are a pair.
func (a *pairCounts) takes(d int64) bool {
	d = max(d, -d)
	return a.key.within == 0 || d <= a.key.within || d >= a.key.least-a.key.within
}

// all tells whether takes holds for all from least to most.
func (a *pairCounts) all(least, most int64) bool {
	w := a.key.within
	return w == 0 || 2*w >= a.key.least-1 || least >= -w && most <= w ||
		least >= a.key.least-w || most <= w-a.key.least
}

// add counts n pairs of which the one in the later row begins so many places after the other.
func (a *pairCounts) add(r, q *blockRun, x, n int64) {
	a.counts[(q.y-r.y)*a.perRow+max(x-r.width, -x-q.width, 0)] += n
	a.pairs += n
}

// broken counts the pairs with blocks that a row's end parts.
func (a *pairCounts) broken(runs []blockRun) {
	var blocks []int64
	var parts [][]stretch
	for y := int64(1); y < a.rows; y++ {
		for at := range a.key.per {
			from, to := int64(a.key.ends[at][0]), int64(a.key.ends[at][1])
			// Those that begin before place 0 of the row, and end from there on; not twice if longer than a row.
			for i := max(0, ceilDiv((y-1)*a.perRow-from, a.key.racks)); i*a.key.racks+from < y*a.perRow; i++ {
				if block := i*a.key.per + at; i*a.key.racks+to >= y*a.perRow && block < a.key.least {
					blocks = append(blocks, block)
					parts = append(parts, stretches(nil, i*a.key.racks+from, i*a.key.racks+to, a.perRow))
				}
			}
		}
	}
	one := make([]stretch, 1)
	for k, block := range blocks {
		for i := range runs {
			r := &runs[i]
			for j := range r.n {
				if a.takes((r.first+j)*a.key.per + r.at - block) {
					x := r.x + j*r.step
					one[0] = stretch{r.y, x, x + r.width}
					a.counts[a.site.nearest(parts[k], one, a.perRow)]++
					a.pairs++
				}
			}
		}
		for j := range k {
			if a.takes(blocks[j] - block) {
				a.counts[a.site.nearest(parts[k], parts[j], a.perRow)]++
				a.pairs++
			}
		}
	}
}
