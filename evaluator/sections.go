package evaluator

import (
	"math"

	"toposearch/topology"
)

// sectionsKey is so many sections of a floor, from least to most, the racks of each, those of them from
// which cables go, and how these are bought.
type sectionsKey struct {
	racks, first, last int64
	bought             atRate
	least, most        int64
	within             int64 // of pairs at most so far apart around the ring of sections; 0: of all
}

// mostSections bounds the sections of which all pairs are looked at: half a million pairs take a
// millisecond.
const mostSections = 1024

// betweenAtLeast bounds from below what the cables between blocks need on average.
func (e *Evaluator) betweenAtLeast(key sectionsKey, f *topology.Fan, p *speed) (out cableMeans, ok bool) {
	if f.Evenly == 0 || key.least < 2 || key.most < key.least || key.most > mostSections {
		return cableMeans{}, false
	}
	out = e.pairsAtLeast(key, p)
	out.scale(f.Evenly)
	if f.Ring > 0 {
		key.within = int64(f.RingMost)
		near := e.pairsAtLeast(key, p)
		out.add(f.Ring, &near)
	}
	if rest := 1 - f.Evenly - f.Ring; rest > 0 { // to another rack at least
		near := e.costOf(e.opt.Site.besideM(), p, key.bought.same)
		out.add(rest, &near)
	}
	return out, true
}

// pairsAtLeast gives the least means over the numbers of sections.
func (e *Evaluator) pairsAtLeast(key sectionsKey, p *speed) cableMeans {
	out, ok := e.sections.find(key)
	switch {
	case ok:
		return out
	case key.least == key.most:
		out = e.layPairs(&key, p)
	default:
		one := key
		one.most = one.least
		out = e.pairsAtLeast(one, p)
		for one.least < key.most {
			one.least++
			one.most++
			out = out.least(e.pairsAtLeast(one, p))
		}
	}
	e.sections.keep(key, out)
	return out
}

// stretch is neighbours in a row.
type stretch struct{ y, from, to int64 }

// layPairs takes each pair of sections as far apart as their nearest racks from which cables go.
func (e *Evaluator) layPairs(key *sectionsKey, p *speed) cableMeans {
	s, n := &e.opt.Site, int(key.least)
	rows, perRow := s.hall(key.least * key.racks)
	parts := make([]stretch, 0, n+n/2)
	at := make([]int, n+1) // of the parts of each section
	for i := range key.least {
		parts = stretches(parts, i*key.racks+key.first, i*key.racks+key.last, perRow)
		at[i+1] = len(parts)
	}
	counts := make([]int64, rows*perRow)
	pairs := 0
	between := func(i, from, to int) {
		mine := parts[at[i]:at[i+1]]
		pairs += max(to-from, 0)
		for j := from; j < to; j++ {
			other := parts[at[j]:at[j+1]]
			if len(mine) > 1 || len(other) > 1 {
				counts[s.nearest(mine, other, perRow)]++
				continue
			}
			a, b := &mine[0], &other[0] // equally wide
			x := max(b.from-a.from, a.from-b.from) - (a.to - a.from)
			counts[(b.y-a.y)*perRow+max(x, 0)]++
		}
	}
	for i := range n {
		if within := int(key.within); within == 0 || 2*within >= n {
			between(i, i+1, n)
		} else {
			between(i, i+1, min(i+1+within, n))
			between(i, i+n-within, n)
		}
	}
	var out cableMeans
	for i, k := range counts {
		if k > 0 {
			dy := int64(i) / perRow
			x := e.costOf(s.lengthM(int64(i)-dy*perRow, dy, false), p, key.bought.same)
			out.add(float64(k), &x)
		}
	}
	out.scale(1 / float64(pairs))
	return out
}

// stretches adds the places of the racks from first to last, row by row.
func stretches(to []stretch, first, last, perRow int64) []stretch {
	for first <= last {
		y := first / perRow
		end := min(last, (y+1)*perRow-1)
		a, b := first-y*perRow, end-y*perRow
		if y%2 == 1 {
			a, b = perRow-1-b, perRow-1-a
		}
		to = append(to, stretch{y, a, b})
		first = end + 1
	}
	return to
}

// nearest is the place of the least distance between two of the stretches: rows times perRow, and places.
func (s *Site) nearest(a, b []stretch, perRow int64) int64 {
	at, best := int64(0), math.Inf(1)
	for _, p := range a {
		for _, q := range b {
			x, y := max(0, q.from-p.to, p.from-q.to), max(q.y-p.y, p.y-q.y)
			if m := float64(x)*s.RackPitchM + float64(y)*s.RowPitchM; m < best {
				at, best = y*perRow+x, m
			}
		}
	}
	return at
}
