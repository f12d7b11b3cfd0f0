package evaluator

import (
	"cmp"
	"math"
	"slices"

	"toposearch/evaluator/metric"
	"toposearch/topology"
)

// leastLay bounds the cables of a design from below by its floor plan, class by class: what stands
// in different racks is at least as far apart as these are, and a cable to the central racks at
// least as long as to the nearest of them.
type leastLay struct {
	price, watts  [topology.MaxClasses]float64 // of all cables of the class; price in minor units
	cheap, cheapW [topology.MaxClasses]float64 // what level 0 counts for them without
	meanM         [topology.MaxClasses]float64
	longestM      [topology.MaxClasses]float64
}

// raise adds to cost and power what the floor plan knows beyond the cheapest cables.
func (e *Evaluator) raise(l *leastLay, s *topology.Size, out *metric.Intervals) {
	price, watts := 0.0, 0.0
	for c := range s.Family.LinkClasses {
		price += math.Max(0, l.price[c]-l.cheap[c])
		watts += math.Max(0, l.watts[c]-l.cheapW[c])
	}
	n := float64(s.Endpoints)
	up := func(k metric.Key, x float64) {
		if out.Have[k] {
			out.At[k].Lo = (out.At[k].Lo + x) * metric.Below
		}
	}
	up(metric.Cost, price/e.minor)
	up(metric.CostPerEndpoint, price/e.minor/n)
	up(metric.Power, watts)
	up(metric.PowerPerEndpoint, watts/n)
	if out.Have[metric.BuildingPower] {
		up(metric.BuildingPower, e.buildingAt(n, watts)-e.buildingAt(n, 0))
	}
}

// atLeast is the mean length of the cables of class c, at least.
func (l *leastLay) atLeast(c int, least float64) float64 {
	if l == nil {
		return least
	}
	return math.Max(least, l.meanM[c]*(1-1e-12))
}

// Laid improves, by what the floor plan says of cables, the intervals that Level0 has just given for
// the same design and scratch: several microseconds, and much closer. Several buildings are not
// foreseen: intervals stay as they are.
func (e *Evaluator) Laid(v []int, s *topology.Size, sc *Scratch, out *metric.Intervals) metric.Reject {
	f := s.Family
	if e.opt.Site.Buildings > 1 || f.Place == nil || s.Endpoints < 1 {
		return metric.Reject{}
	}
	place := f.Place(v)
	l := &sc.lay
	*l = leastLay{}
	r := &sc.rates
	sc.floor.size = nil // nothing there for Exact yet
	e.rate(s, boardSet(place.Boards), r)
	if r.reject.Constraint != "" {
		return r.reject
	}
	b := &sc.buys
	*b = purchase{}
	var rej metric.Reject
	if b.switches, rej = e.switches(s, r); rej.Constraint != "" {
		return rej
	}
	e.chooseNICs(s, r, b)
	var powerW [topology.MaxClasses]float64
	for i := range f.SwitchClasses {
		if p := b.switches[i].Part; p != nil {
			powerW[i] = p.PowerW
		}
	}
	p := &sc.floor
	if rej := p.fill(&e.opt.Site, s, &place, e.opt.PerServer, e.serverW(s, b), &powerW); rej.Constraint != "" {
		return rej
	}
	out.Point(metric.Racks, float64(p.racks()))
	out.Point(metric.FloorArea, p.area())
	f.BoundPerEndpoint(v, v, s.Endpoints, s.Endpoints, &sc.per)
	for c := range f.LinkClasses {
		if r.kind[c] == linkBought && s.Link[c] > 0 {
			if sp := e.speedOf(r.link[c]); sp != nil && len(sp.steps) > 0 {
				e.leastOf(c, v, sp, sc)
				e.leastByFan(c, sp, sc)
				if e.lacksCable(f, &sc.per, c, sp, true, max(l.meanM[c], l.longestM[c])) {
					out.Lacks |= metric.CostKeys
				}
			}
		}
	}
	e.raise(l, s, out)
	switch {
	case !out.Have[metric.Latency]:
	case sc.walk:
		e.raiseLatency(s, r, sc, out)
	default:
		e.latencyBetween(s, r, &sc.Paths, l, out)
	}
	return metric.Reject{}
}

// raiseLatency adds to a bound of latency from routes that are not walked yet what the floor plan knows
// of their cables.
func (e *Evaluator) raiseLatency(s *topology.Size, r *rates, sc *Scratch, out *metric.Intervals) {
	more := 0.0
	for c := range s.Family.LinkClasses {
		if x := sc.per.Cross[c]; x > 0 && r.kind[c] == linkBought {
			more += x * (sc.lay.atLeast(c, e.leastM) - e.leastM)
		}
	}
	out.At[metric.Latency].Lo += more * e.opt.Latency.CableNsPerM * (1 - 1e-12)
}

// leastOf bounds the cables of one class.
func (e *Evaluator) leastOf(c int, v []int, sp *speed, sc *Scratch) {
	p, l := &sc.floor, &sc.lay
	s := p.size
	l.cheap[c], l.cheapW[c] = float64(s.Link[c])*float64(sp.least), float64(s.Link[c])*sp.leastW
	sum := cables{speed: sp, site: p.site, rings: e.rings, far: &sc.far}
	f := s.Family
	known := topology.Cables{I: -1, J: -1}
	if f.Cables != nil {
		known = f.Cables(v, c)
	}
	switch {
	case c == 0 && f.LinkClasses[0].Name == topology.ClassNic:
		sum.nics(p, &known)
	case known.I >= 0:
		sum.between(p, c, &known)
	}
	if sum.count != s.Link[c] { // not known, or not evenly spread
		return
	}
	l.price[c], l.watts[c] = sum.price, sum.watts
	l.meanM[c] = math.Max(sum.m, sum.evenM) / float64(sum.count)
	l.longestM[c] = sum.longestM
}

// cables adds up cables of one rate, each at its least length.
type cables struct {
	speed           *speed
	site            *Site
	rings           []ring
	count           int64
	m, price, watts float64
	evenM           float64 // a better bound of m, or 0
	longestM        float64
	far             *farness
}

func (a *cables) add(n int64, m float64) {
	if n <= 0 {
		return
	}
	i := a.speed.from(m)
	x := float64(n)
	a.count += n
	a.m += x * m
	a.longestM = max(a.longestM, m)
	a.price += x * a.speed.fromPrice[i]
	a.watts += x * a.speed.fromW[i]
}

// least is the length of the shortest cable.
func (a *cables) least() float64 { return a.rings[0].m }

// beside is the length to the nearest other rack.
func (a *cables) beside() float64 { return a.site.besideM() }

// ring is so many racks around one, to which cables have the same length.
type ring struct {
	m     float64
	racks int64
}

// ringsAround lists the nearest racks around one, the nearest first.
func ringsAround(s *Site) []ring {
	const reach = 8 // racks and rows: few switches have endpoints farther away
	var out []ring
	for dx := int64(0); dx <= reach; dx++ {
		for dy := int64(0); dy <= reach; dy++ {
			n := int64(1)
			if dx > 0 {
				n *= 2
			}
			if dy > 0 {
				n *= 2
			}
			out = append(out, ring{s.lengthM(dx, dy, false), n})
		}
	}
	slices.SortFunc(out, func(a, b ring) int { return cmp.Compare(a.m, b.m) })
	// Beyond the nearest rack that is not listed, lengths are at least that.
	end := math.Min(s.lengthM(reach+1, 0, false), s.lengthM(0, reach+1, false))
	i := 0
	for i < len(out) && out[i].m < end {
		i++
	}
	return append(out[:i], ring{end, 1})
}
