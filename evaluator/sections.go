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
}

// mostPaired bounds the blocks of which all pairs are looked at, manyPaired those for which it is done for more than
// fewNumbers of them: half a million pairs take 0.2 ms. Where their order matters it takes twenty times as long:
// beyond mostNear blocks it is as well to lay the design.
const (
	mostPaired = 4096
	manyPaired = 1024
	fewNumbers = 16
	mostNear   = 256
)

// betweenAtLeast bounds from below what the cables between blocks need on average.
func (e *Evaluator) betweenAtLeast(key sectionsKey, f *topology.Fan, parts []blockPart, p *speed, closely bool) (out cableMeans, ok bool) {
	if f.Evenly == 0 || key.least < 2 || key.most < key.least || key.most > mostPaired || key.most > manyPaired && key.most-key.least > fewNumbers {
		return cableMeans{}, false
	}
	out = e.pairsAtLeast(key, p)
	if key.least == key.most && len(parts) > 1 && f.Rounds > 0 {
		out = e.roundsAtLeast(key, f.Rounds, parts, out, p)
	}
	out.scale(f.Evenly)
	least := e.opt.Site.besideM() // to another rack
	if key.per > 1 {
		least = e.leastM
	}
	near := e.costOf(least, p, key.bought.same)
	if closely && f.Ring > 0 && key.least == key.most && key.most <= mostNear {
		ring := e.nearAtLeast(key, p)[f.RingMost-1]
		out.add(f.Ring, &ring)
		out.add(max(0, 1-f.Evenly-f.Ring), &near)
	} else {
		out.add(1-f.Evenly, &near)
	}
	return out, true
}

// roundsAtLeast bounds the mean over the links of so many rounds. Those that lie within a part of the switches join
// the racks of that part; for others it is as given.
func (e *Evaluator) roundsAtLeast(key sectionsKey, rounds float64, parts []blockPart, others cableMeans, p *speed) (out cableMeans) {
	rest := 1.0
	for i := range parts {
		// The rounds that a part's ends may cut; the first part begins with a round.
		cut := 2.0
		if i == 0 {
			cut = 1
		}
		if share := parts[i].share - cut/rounds; share > 0 {
			key.ends = parts[i].at
			x := e.pairsAtLeast(key, p)
			out.add(share, &x)
			rest -= share
		}
	}
	out.add(rest, &others)
	return out
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

// layPairs gives the means over the pairs of a number of blocks.
func (e *Evaluator) layPairs(key *sectionsKey, p *speed) cableMeans {
	a := e.opt.Site.countPairs(key)
	defer a.free()
	var out, x cableMeans
	for dy := range a.rows {
		until := -1.0
		for dx, k := range a.counts[dy*a.perRow : (dy+1)*a.perRow] {
			if k == 0 {
				continue
			}
			m := e.apartM(int64(dx), dy)
			if x.m = m; m > until {
				x, until = e.costUntil(m, p, key.bought.same)
			}
			out.add(float64(k), &x)
		}
	}
	out.scale(2 / float64(key.least*(key.least-1)))
	return out
}

// apartM is the least length of a cable between blocks whose nearest racks are so far apart: those that share a rack
// may have others.
func (e *Evaluator) apartM(dx, dy int64) float64 {
	if dx == 0 && dy == 0 {
		return e.leastM
	}
	return e.opt.Site.lengthM(dx, dy, false)
}

// nearAtLeast gives the means over the pairs that are at most 1, 2, ... apart around the ring of so many blocks.
func (e *Evaluator) nearAtLeast(key sectionsKey, p *speed) []cableMeans {
	out, ok := e.near.find(key)
	if !ok {
		out = e.layNear(&key, p)
		e.near.keep(key, out)
	}
	return out
}

func (e *Evaluator) layNear(key *sectionsKey, p *speed) []cableMeans {
	s, n := &e.opt.Site, int(key.least)
	rows, perRow := s.hall(key.floor())
	cells := make([]cableMeans, rows*perRow)
	for i := range cells {
		dy := int64(i) / perRow
		cells[i] = e.costOf(e.apartM(int64(i)-dy*perRow, dy), p, key.bought.same)
	}
	parts := make([][]stretch, n)
	for i := range key.least {
		parts[i] = key.parts(i, perRow)
	}
	out := make([]cableMeans, n/2)
	for i, mine := range parts {
		for j, other := range parts[:i] {
			at := int64(0)
			if len(mine) == 1 && len(other) == 1 {
				a, b := &mine[0], &other[0]
				at = max(a.y-b.y, b.y-a.y)*perRow + max(b.from-a.to, a.from-b.to, 0)
			} else {
				at = s.nearest(mine, other, perRow)
			}
			out[min(i-j, n-i+j)-1].add(1, &cells[at])
		}
	}
	all := out[0]
	for d := 1; d < len(out); d++ {
		all.add(1, &out[d])
		out[d] = all
		out[d].scale(1 / float64(min(n*(d+1), n*(n-1)/2)))
	}
	out[0].scale(1 / float64(min(n, n*(n-1)/2)))
	return out
}

// floor is the number of racks of the least number of blocks.
func (key *sectionsKey) floor() int64 { return ceilDiv(key.least, key.per) * key.racks }

// parts are the places of block i from which cables go.
func (key *sectionsKey) parts(i, perRow int64) []stretch {
	base, ends := i/key.per*key.racks, &key.ends[i%key.per]
	return stretches(nil, base+int64(ends[0]), base+int64(ends[1]), perRow)
}

// stretch is neighbours in a row.
type stretch struct{ y, from, to int64 }

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
