package evaluator

import "math"

// sectionsKey is so many sections of a floor, from least to most, the racks of each, those of them from
// which cables go, and how these are bought.
type sectionsKey struct {
	racks, first, last int64
	bought             atRate
	least, most        int64
}

// mostSections bounds the sections of which all pairs are looked at: 130,000 pairs take half a
// millisecond.
const mostSections = 512

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
	var all []stretch
	ends := make([]int, n) // of the stretches of each section
	for i := range n {
		for at, end := i*key.racks+key.first, i*key.racks+key.last; at <= end; {
			y := at / perRow
			to := min(end, (y+1)*perRow-1)
			a, b := at-y*perRow, to-y*perRow
			if y%2 == 1 {
				a, b = perRow-1-b, perRow-1-a
			}
			all = append(all, stretch{y, a, b})
			at = to + 1
		}
		ends[i] = len(all)
	}
	counts := make([]int64, rows*perRow)
	first := 0
	for i := range n {
		mine := all[first:ends[i]]
		first = ends[i]
		other := first
		for j := i + 1; j < n; j++ {
			dx, dy, best := int64(0), int64(0), math.Inf(1)
			for _, b := range all[other:ends[j]] {
				for _, a := range mine {
					x, y := max(0, b.from-a.to, a.from-b.to), max(b.y-a.y, a.y-b.y)
					if m := float64(x)*s.RackPitchM + float64(y)*s.RowPitchM; m < best {
						dx, dy, best = x, y, m
					}
				}
			}
			other = ends[j]
			counts[dy*perRow+dx]++
		}
	}
	var out cableMeans
	for i, k := range counts {
		if k > 0 {
			dy := int64(i) / perRow
			x := e.costOf(s.lengthM(int64(i)-dy*perRow, dy, false), p, key.bought.same)
			out.m += float64(k) * x.m
			out.price += float64(k) * x.price
			out.watts += float64(k) * x.watts
		}
	}
	of := float64(n) * float64(n-1) / 2
	return cableMeans{out.m / of, out.price / of, out.watts / of}
}
