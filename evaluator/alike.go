package evaluator

import (
	"math"

	"toposearch/topology"
)

// alikeKey is a shape of designs that differ only in the number of parallel links.
type alikeKey struct {
	family *topology.Family
	like   topology.Values
}

// alikeCables is what the cables of a shape need: the mean length by class, and by class and rate the
// least price and draw of a link.
type alikeCables struct {
	known [topology.MaxClasses]bool
	meanM [topology.MaxClasses]float64
	maxM  [topology.MaxClasses]float64
	rate  [topology.MaxClasses][]alikePrice // by rate on sale
}

// alikePrice is the least price (minor units) and draw of a link on average, at a rate, and at it or any faster.
type alikePrice struct {
	price, watts, priceAny, wattsAny float64
}

// alikeOf lays the design of a shape without parallel links; nil where the floor depends on more than
// the shape. It costs as much as Exact the first time.
func (e *Evaluator) alikeOf(f *topology.Family, like *topology.Values) *alikeCables {
	s := &e.opt.Site
	if f.Place == nil || s.Buildings > 1 || s.RackPowerW > 0 || e.scaled(f) {
		return nil
	}
	key := alikeKey{f, *like}
	x, ok := e.alike.find(key)
	if !ok {
		x = e.layAlike(f, like)
		e.alike.keep(key, x)
	}
	return x
}

func (e *Evaluator) layAlike(f *topology.Family, like *topology.Values) *alikeCables {
	var s topology.Size
	var r rates
	var p floorPlan
	v, boards, ok := e.planLike(f, like, &s, &p)
	if !ok {
		return nil
	}
	e.rate(&s, boards, &r)
	lay := newLayout(&p)
	defer lay.free()
	lay.stream(topology.Design{Family: f, V: v}, &r)
	x := &alikeCables{}
	for c := range f.LinkClasses {
		if r.kind[c] != linkBought || s.Link[c] == 0 {
			continue
		}
		x.known[c] = true
		x.rate[c] = make([]alikePrice, len(e.speeds))
		cells := lay.counts[2*int64(c)*lay.cells : (2*int64(c)+1)*lay.cells]
		for i, k := range cells {
			if k > 0 {
				dy := int64(i) / p.perRow
				share := float64(k) / float64(s.Link[c])
				e.addAlike(x, c, p.site.lengthM(int64(i)-dy*p.perRow, dy, false), share)
			}
		}
	}
	return x
}

// planLike places the design of a shape, without a limit on the power of racks; boards are its classes
// that need no cable. ok is false if there is none.
func (e *Evaluator) planLike(f *topology.Family, like *topology.Values, s *topology.Size, p *floorPlan) (v []int, boards uint32, ok bool) {
	v = make([]int, len(f.Params))
	for i := range v {
		v[i] = int(like[i])
	}
	if f.Size(v, s) != nil || s.Endpoints < 1 {
		return nil, 0, false
	}
	place := f.Place(v)
	var none [topology.MaxClasses]float64
	rej := p.fill(&e.opt.Site, s, &place, e.opt.PerServer, 0, &none)
	return v, boardSet(place.Boards), rej.Constraint == ""
}

// addAlike adds a share of the cables of a class, of length m.
func (e *Evaluator) addAlike(x *alikeCables, c int, m, share float64) {
	x.meanM[c] += share * m
	x.maxM[c] = max(x.maxM[c], m)
	price, watts := math.Inf(1), math.Inf(1)
	for i := len(e.speeds) - 1; i >= 0; i-- {
		p, a := &e.speeds[i], &x.rate[c][i]
		if len(p.steps) == 0 {
			continue
		}
		at := p.from(m)
		price, watts = min(price, p.fromPrice[at]), min(watts, p.fromW[at])
		a.price += share * p.fromPrice[at]
		a.watts += share * p.fromW[at]
		a.priceAny += share * price
		a.wattsAny += share * watts
	}
}

// cablesOf bounds from below the mean length of the cables of class c in a box, and their least mean
// price (minor units) and draw, at the rate p or, if not same, at any faster; ok is false if nothing is
// known.
func (e *Evaluator) cablesOf(most *topology.Size, per *topology.PerEndpoint, c int, p *speed, same bool) (meanM, price, watts float64, ok bool) {
	if per.Alike {
		if x := e.alikeOf(most.Family, &per.Like); x != nil && x.known[c] && len(p.steps) > 0 {
			a := &x.rate[c][p.rank]
			if same {
				return x.meanM[c], a.price, a.watts, true
			}
			return x.meanM[c], a.priceAny, a.wattsAny, true
		}
	}
	return e.fanned(&per.Fan[c], p, same)
}
