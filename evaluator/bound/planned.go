package bound

import (
	"toposearch/evaluator/floor"
	"toposearch/evaluator/market"
	"toposearch/internal/memo"
	"toposearch/topology"
)

// Designs that differ only in how many links there are between blocks have one floor plan: what it says of a class holds for
// all of them.

// planned is what the floor plan of such designs says of their cables.
type planned struct {
	class []plannedClass
}

// plannedClass is that of one class at the rate of a rank: a mean, or distances between blocks.
type plannedClass struct {
	rank  int
	known bool
	mean  meanCable
	pairs *floor.Pairs
	// turning is where the switches of blocks stand, so many of each, if they do in several racks of its endpoints.
	turning  floor.Turning
	switches int64
	// longestM is the longest cable as laid.
	longestM float64
}

// plans makes them on a site, and keeps what it has found lately.
type plans struct {
	site      *floor.Site
	market    *market.Market
	perServer int
	rings     *floor.Rings
	memo      memo.Memo[planKey, *planned]
	pairs     memo.Memo[ringKey, *floor.Pairs]
	inBlocks  memo.Memo[floor.InBlocks, *inBlocks]
	turned    memo.Memo[turnKey, *floor.Turned]
}

// What is kept of floor plans: some 300 bytes each of a hundred thousand to which a search comes back, 10 KiB each of some thousand
// rings, of a million endpoints of 35,000, and of those whose switches stand in several racks where these stand, 20 KiB at 65,536 endpoints, which have 620 such rings, 300 KiB at
// a million, with the sums that have been asked for, some 100 KiB.
const (
	planPlaces = 1 << 18
	ringPlaces = 1 << 16
	turnPlaces = 1 << 11
)

// planMostRacks bounds the racks between which cables are bounded: from each rack to each place and row of the hall
// that is a second for a million racks, of some 30 million endpoints. Larger designs keep what closed forms say.
const planMostRacks = 1 << 20

// ringKey names distances between blocks at the rate of a rank.
type ringKey struct {
	ring floor.Ring
	rank int // market.Speed.Key
}

// turnKey names sums of cables around a ring at the rate of a rank.
type turnKey struct {
	floor.Turning
	rank int // market.Speed.Key
}

// turnedOf gives the sums for cables around a ring.
func (g *plans) turnedOf(t floor.Turning, speed *market.Speed) *floor.Turned {
	return g.turned.Of(turnKey{t, speed.Key}, func() *floor.Turned { return t.Turned(g.site, speed, g.rings) })
}

// planKey names what is known of a plan: all of it, or only what lies between blocks.
type planKey struct {
	shapeKey
	between bool
}

// of gives what the plan says of designs whose floor is that of the design with these values, or only of what lies between
// blocks; nil where it depends on more.
func (g *plans) of(f *topology.Family, values *topology.Values, between bool) *planned {
	if f.Place == nil || f.Cables == nil || g.site.Buildings > 1 || g.site.RackPowerW > 0 {
		return nil
	}
	return g.memo.Of(planKey{shapeKey{f, *values}, between}, func() *planned { return g.make(f, values, between) })
}

// make plans a floor; nil if there is none.
func (g *plans) make(f *topology.Family, values *topology.Values, between bool) *planned {
	v := make([]int, len(f.Params))
	for i := range v {
		v[i] = int(values[i])
	}
	var s, most topology.Size
	f.SizeBounds(v, v, &s, &most) // with these values there need not be a design
	if s.Endpoints < 1 {
		return nil
	}
	place := f.Place(v)
	var p floor.Plan // what boxes draw does not matter where racks are not limited
	if rej := p.Place(g.site, g.perServer, &s, &place, &market.Purchase{}); rej.Constraint != "" || p.Racks() > planMostRacks {
		return nil
	}
	var r market.Rates
	g.market.Rate(&s, market.BoardSet(place.Boards), &r)
	x := &planned{make([]plannedClass, len(f.LinkClasses))}
	for c := range f.LinkClasses {
		speed := r.Speed[c]
		if r.Kind[c] != market.Cable || speed == nil || len(speed.Steps) == 0 || r.Cables(c) > 1 {
			continue
		}
		at := &x.class[c]
		at.rank = speed.Key
		known := f.Cables(v, c)
		if known.Scope == topology.OtherBlocks {
			at.pairs = g.between(&p, known.I, speed)
			if at.known = at.pairs != nil; at.known {
				at.longestM = at.pairs.LongestM
				at.turning, at.switches = p.TurningOf(known.I)
			}
		} else if between {
			continue
		} else if mean := g.inside(&p, c, &known, speed); mean != nil && s.Link[c] == most.Link[c] {
			at.known, at.mean, at.longestM = true, mean.mean, mean.longestM
		}
	}
	return x
}

// inBlocks is the mean of the least cables of a class, and the longest of them as laid.
type inBlocks struct {
	mean     meanCable
	longestM float64
}

// inside bounds the cables of class c by the plan; nil if nothing is known.
func (g *plans) inside(p *floor.Plan, c int, known *topology.Cables, speed *market.Speed) *inBlocks {
	key, shared := p.InBlocks(c, known, speed.Key)
	if shared {
		if x, ok := g.inBlocks.Find(key); ok {
			return x
		}
	}
	var mem floor.Distances
	least, ok := p.LeastCables(c, known, speed, g.rings, &mem)
	if !ok {
		return nil
	}
	n := float64(p.Links(c))
	x := &inBlocks{meanCable{least.MeanM, least.Price / n, least.Watts / n}, least.LongestM}
	if shared {
		g.inBlocks.Keep(key, x)
	}
	return x
}

// between gives how far apart blocks are between which class i is linked; nil if that is not known.
func (g *plans) between(p *floor.Plan, i int, speed *market.Speed) *floor.Pairs {
	ring, ok := p.RingOf(i)
	if !ok {
		return nil
	}
	return g.pairs.Of(ringKey{ring, speed.Key}, func() *floor.Pairs { return ring.Pairs(g.site, speed, g.rings) })
}

// classOf is what the floor plan of all designs of a box says of class c; nil if that is nothing.
func (g *plans) classOf(f *topology.Family, per *topology.PerEndpoint, c int) *plannedClass {
	if !per.OnePlan {
		return nil
	}
	x := g.of(f, &per.Plan, per.PlanBetween)
	if x == nil || !x.class[c].known {
		return nil
	}
	return &x.class[c]
}

// mean bounds the cables of class c of a box by the floor plan of all its designs, at the rate p; ok is false if that is
// not known.
func (g *plans) mean(f *topology.Family, per *topology.PerEndpoint, c int, p *market.Speed) (out meanCable, ok bool) {
	at := g.classOf(f, per, c)
	if at == nil || at.rank != p.Key {
		return meanCable{}, false
	}
	if at.pairs == nil {
		return at.mean, true
	}
	fan := &per.Fan[c]
	least, ok := at.pairs.AtLeast(fan.Each, fan.Share)
	if ok && fan.Spread[0] > 0 && at.switches > 0 && per.PlanRounds {
		if x, ok := g.turnedOf(at.turning, p).AtLeast(int(at.switches), fan.Spread, at.pairs); ok {
			least.MeanM, least.Price, least.Watts = max(least.MeanM, x.MeanM), max(least.Price, x.Price), max(least.Watts, x.Watts)
		}
	}
	return meanCable{least.MeanM, least.Price, least.Watts}, ok
}
