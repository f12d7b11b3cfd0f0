// Package route works out what closed forms of routes say of a design: how long paths are, the zero-load
// latency, and the uniform load at which the busiest channel is full. A family gives its routes as types with
// weights or as sums (topology.Paths); rates of links are those of a market.
package route

import "toposearch/topology"

// Natural sums up a family's natural routes, over their types or in brief; false if it has no closed form.
func Natural(f *topology.Family, v []int, p *topology.Paths) bool {
	p.Reset()
	switch {
	case f.Paths == nil:
		return false
	case f.Brief != nil && f.Brief(v, p):
		return p.Sums.Pairs > 0
	}
	if !f.Paths(v, p) || len(p.Types) == 0 {
		return false
	}
	p.Sum(f)
	return true
}

// Shortest is the same of shortest routes, where natural ones can be longer.
func Shortest(f *topology.Family, v []int, p *topology.Paths) bool {
	p.Reset()
	if f.Distances == nil || !f.Distances(v, p) || len(p.Types) == 0 {
		return false
	}
	p.Sum(f)
	return true
}

// Figures are the distance metrics, from whole numbers summed over all ordered pairs: exact below 2^53, and
// rounded alike on every machine above, where products of pairs and links pass what an integer holds.
type Figures struct {
	Pairs             int64
	Links, Hops       float64 // sums
	MaxLinks, MaxHops int
}

// FiguresOf are those of a closed form.
func FiguresOf(s *topology.Sums) Figures {
	return Figures{s.Pairs, float64(s.Links), float64(s.Hops), s.MaxLinks, s.MaxHops}
}

// Add takes pairs into account whose paths have as many links and hops.
func (f *Figures) Add(pairs int64, links, hops int) {
	f.Pairs += pairs
	f.Links += float64(float64(pairs) * float64(links)) // rounded by itself: no machine joins it with the sum
	f.Hops += float64(float64(pairs) * float64(hops))
	f.MaxLinks = max(f.MaxLinks, links)
	f.MaxHops = max(f.MaxHops, hops)
}

// MeanLinks is the mean number of links of a path, and MeanHops that of hops.
func (f *Figures) MeanLinks() float64 { return f.Links / float64(f.Pairs) }

// MeanHops is the mean number of hops.
func (f *Figures) MeanHops() float64 { return f.Hops / float64(f.Pairs) }
