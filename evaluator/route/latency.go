package route

import (
	"math"

	"toposearch/evaluator/market"
	"toposearch/topology"
)

// LatencyModel holds the constants of the zero-load model (DESIGN.md section 5). Cables count as bought: where the
// next length on sale is longer than the run, the rest is coiled at its ends, and the signal passes it too.
type LatencyModel struct {
	SwitchNs    float64 // default 400
	RelayNs     float64 // a relaying endpoint; default 1000
	NICNs       float64 // both NICs and FEC together; default 0
	CableNsPerM float64 // of a cable as bought; default 5
	MTUBytes    int     // serialised once, at the slowest link; default 4096
}

// FillDefaults replaces zero values by their defaults.
func (l *LatencyModel) FillDefaults() {
	def(&l.SwitchNs, 400)
	def(&l.RelayNs, 1000)
	def(&l.CableNsPerM, 5)
	def(&l.MTUBytes, 4096)
}

func def[T comparable](p *T, x T) {
	var zero T
	if *p == zero {
		*p = x
	}
}

// Crossing is what a route crosses, on average or exactly.
type Crossing struct {
	Links, Relays, Switches float64
	CableM                  float64 // as bought
	SlowestGbps             float64 // of its links
}

// Ns is the zero-load latency of a route.
func (l *LatencyModel) Ns(c *Crossing) float64 {
	return c.Switches*l.SwitchNs + c.Relays*l.RelayNs + l.NICNs +
		8*float64(l.MTUBytes)/c.SlowestGbps + c.CableM*l.CableNsPerM
}

// MeanNs is the mean zero-load latency over the routes p with cables of these mean lengths by class, as
// bought, or encloses it.
func (l *LatencyModel) MeanNs(s *topology.Size, r *market.Rates, p *topology.Paths, meanM []float64) (lo, hi float64) {
	c := meanCrossing(s.Family, r, &p.Sums)
	for k := range s.Family.LinkClasses {
		if r.Kind[k] == market.Cable {
			c.CableM += float64(p.Sums.Cross[k]) / float64(p.Sums.Pairs) * meanM[k]
		}
	}
	return l.between(&c, s.Family, r, p)
}

// CablelessNs is MeanNs without the cables.
func (l *LatencyModel) CablelessNs(s *topology.Size, r *market.Rates, p *topology.Paths) (lo, hi float64) {
	c := meanCrossing(s.Family, r, &p.Sums)
	return l.between(&c, s.Family, r, p)
}

// between is the latency of a mean crossing with the bounds of what its slowest links add.
func (l *LatencyModel) between(c *Crossing, f *topology.Family, r *market.Rates, p *topology.Paths) (lo, hi float64) {
	a, b := slowest(f, r, p)
	c.SlowestGbps = 1 / a
	lo = l.Ns(c)
	if a == b {
		return lo, lo
	}
	c.SlowestGbps = 1 / b
	return lo, l.Ns(c)
}

// meanCrossing is what a route crosses on average, the slowest link and the cables aside. Interior
// vertices are switches that are bought, or endpoints that relay. Every link has two ends; those on
// bought switches belong to interior vertices.
func meanCrossing(f *topology.Family, r *market.Rates, s *topology.Sums) (c Crossing) {
	n := float64(s.Pairs)
	for k := range f.LinkClasses {
		if s.Cross[k] != 0 {
			c.Switches += float64(s.Cross[k]) / n * float64(r.Ends[k]) / 2
		}
	}
	c.Links = float64(s.Links) / n
	c.Relays = c.Links - 1 - c.Switches
	return c
}

// slowest bounds the mean of 1 over the rate of the slowest link of a route, in 1/(Gb/s): exactly if all
// classes that routes cross have one rate, if no one is slower than the links of endpoints, or if the
// types of routes are listed.
func slowest(f *topology.Family, r *market.Rates, p *topology.Paths) (lo, hi float64) {
	s := &p.Sums
	slow, fast := math.Inf(1), 0.0
	for c := range f.LinkClasses {
		if s.Cross[c] != 0 {
			slow, fast = min(slow, r.Link[c]), max(fast, r.Link[c])
		}
	}
	switch {
	case fast == 0: // ports of one endpoint's own: no route between distinct endpoints
		return 1 / r.Bandwidth, 1 / r.Bandwidth
	case slow == fast, s.Cross[0] == 2*s.Pairs && r.Link[0] == slow:
		return 1 / slow, 1 / slow
	case len(p.Types) == 0:
		return 1 / fast, 1 / slow
	}
	sum := 0.0
	for i := range p.Types {
		t := &p.Types[i]
		x := math.Inf(1)
		for c := range f.LinkClasses {
			if t.Cross[c] != 0 && s.Cross[c] != 0 {
				x = min(x, r.Link[c])
			}
		}
		if math.IsInf(x, 1) {
			x = r.Bandwidth
		}
		sum += float64(t.Weight) / x
	}
	x := sum / float64(s.Pairs)
	return x, x
}
