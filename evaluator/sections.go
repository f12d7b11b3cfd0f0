package evaluator

import (
	"math"
	"sync"

	"toposearch/topology"
)

// sections keeps what cables between any two sections of a floor need on average, by where in a
// section they end and how many sections there are.
type sections struct {
	sync.Mutex
	of map[sectionsKey]*sectionPairs
}

// sectionsKey is the racks of a section, those of them from which cables go, and how these are bought.
type sectionsKey struct {
	racks, first, last int64
	bought             atRate
}

// mostSections bounds the sections of which all pairs are looked at: 130,000 pairs take half a
// millisecond.
const mostSections = 512

type sectionPairs struct {
	sync.RWMutex
	known [mostSections + 1]bool
	means [mostSections + 1]cableMeans
}

// betweenAtLeast bounds from below what the cables between blocks need on average, of which a share
// joins all pairs of blocks equally often.
func (e *Evaluator) betweenAtLeast(key *sectionsKey, per *topology.PerEndpoint, c int, p *speed) (out cableMeans, ok bool) {
	least, most := per.Blocks[0], per.Blocks[1]
	share := per.Fan[c].Evenly
	if share == 0 || least < 2 || most > mostSections {
		return cableMeans{}, false
	}
	e.sections.Lock()
	if e.sections.of == nil {
		e.sections.of = map[sectionsKey]*sectionPairs{}
	}
	pairs := e.sections.of[*key]
	if pairs == nil {
		pairs = &sectionPairs{}
		e.sections.of[*key] = pairs
	}
	e.sections.Unlock()
	out = cableMeans{math.Inf(1), math.Inf(1), math.Inf(1)}
	for n := least; n <= most; n++ {
		out = out.least(e.pairMeans(pairs, key, p, n))
	}
	// The others go to another rack at least.
	near := e.costOf(min(e.opt.Site.lengthM(1, 0, false), e.opt.Site.lengthM(0, 1, false)), p, key.bought.same)
	mix := func(far, near float64) float64 { return near + share*max(0, far-near) }
	return cableMeans{mix(out.m, near.m), mix(out.price, near.price), mix(out.watts, near.watts)}, true
}

// pairMeans gives the means for n sections.
func (e *Evaluator) pairMeans(pairs *sectionPairs, key *sectionsKey, p *speed, n int64) cableMeans {
	pairs.RLock()
	known, out := pairs.known[n], pairs.means[n]
	pairs.RUnlock()
	if !known {
		out = e.layPairs(key, p, n)
		pairs.Lock()
		pairs.known[n], pairs.means[n] = true, out
		pairs.Unlock()
	}
	return out
}

// stretch is neighbours in a row.
type stretch struct{ y, from, to int64 }

// layPairs takes each pair of sections as far apart as their nearest racks from which cables go.
func (e *Evaluator) layPairs(key *sectionsKey, p *speed, n int64) cableMeans {
	s := &e.opt.Site
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
