package evaluator

import (
	"math"

	"toposearch/topology"
)

// sectionsKey is so many blocks, from least to most, on a floor of sections: the racks and blocks of each, those
// of the racks from which cables go, and how these are bought.
type sectionsKey struct {
	racks, per  int64
	ends        blockEnds
	bought      atRate
	least, most int64
	within      int64 // of pairs at most so far apart around the ring of blocks; 0: of all
}

// mostPaired bounds the blocks of which all pairs are looked at, manyPaired those for which it is done for a
// wide range of numbers: half a million pairs take a millisecond.
const (
	mostPaired = 4096
	manyPaired = 1024
	fewNumbers = 16
)

// betweenAtLeast bounds from below what the cables between blocks need on average.
func (e *Evaluator) betweenAtLeast(key sectionsKey, f *topology.Fan, p *speed) (out cableMeans, ok bool) {
	if f.Evenly == 0 || key.least < 2 || key.most < key.least || key.most > mostPaired || key.most > manyPaired && key.most-key.least > fewNumbers {
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

// pairsAtLeast gives the least means over the numbers of blocks.
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

// layPairs gives the means over the pairs of a number of blocks.
func (e *Evaluator) layPairs(key *sectionsKey, p *speed) cableMeans {
	a := e.opt.Site.countPairs(key)
	var out, x cableMeans
	for dy := range a.rows {
		until := -1.0
		for dx, k := range a.counts[dy*a.perRow : (dy+1)*a.perRow] {
			if k == 0 {
				continue
			}
			m := e.opt.Site.lengthM(int64(dx), dy, false)
			if x.m = m; m > until {
				x, until = e.costUntil(m, p, key.bought.same)
			}
			out.add(float64(k), &x)
		}
	}
	out.scale(1 / float64(a.pairs))
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
