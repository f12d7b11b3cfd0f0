package evaluator

import "math"

// sectionsKey is so many sections of a floor, from least to most, the racks of each, those of them from
// which cables go, and how these are bought.
type sectionsKey struct {
	racks, first, last int64
	bought             atRate
	least, most        int64
}

// mostSections bounds the sections of which all pairs are looked at: half a million pairs take a
// millisecond.
const mostSections = 1024

// betweenAtLeast bounds from below what the cables between blocks need on average, of which a share
// joins all pairs of blocks equally often.
func (e *Evaluator) betweenAtLeast(key sectionsKey, share float64, p *speed) (out cableMeans, ok bool) {
	if share == 0 || key.least < 2 || key.most < key.least || key.most > mostSections {
		return cableMeans{}, false
	}
	out = e.pairsAtLeast(key, p)
	// The others go to another rack at least.
	near := e.costOf(min(e.opt.Site.lengthM(1, 0, false), e.opt.Site.lengthM(0, 1, false)), p, key.bought.same)
	mix := func(far, near float64) float64 { return near + share*max(0, far-near) }
	return cableMeans{mix(out.m, near.m), mix(out.price, near.price), mix(out.watts, near.watts)}, true
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
	s, n := &e.opt.Site, key.least
	rows, perRow := s.hall(n * key.racks)
	var whole, parts []stretch // of sections in one row, and of those in several
	var ends []int             // of the parts of each of these
	for i := range n {
		first := len(parts)
		parts = stretches(parts, i*key.racks+key.first, i*key.racks+key.last, perRow)
		if len(parts) == first+1 {
			whole, parts = append(whole, parts[first]), parts[:first]
		} else {
			ends = append(ends, len(parts))
		}
	}
	counts := make([]int64, rows*perRow)
	for i, a := range whole {
		wide := a.to - a.from // all of whole are
		for _, b := range whole[i+1:] {
			x := max(b.from-a.from, a.from-b.from) - wide
			counts[(b.y-a.y)*perRow+max(x, 0)]++
		}
	}
	first := 0
	for i, end := range ends {
		mine := parts[first:end]
		for j := range whole {
			counts[s.nearest(mine, whole[j:j+1], perRow)]++
		}
		for first = end; i+1 < len(ends); {
			i++
			counts[s.nearest(mine, parts[end:ends[i]], perRow)]++
			end = ends[i]
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
	out.scale(2 / (float64(n) * float64(n-1)))
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
