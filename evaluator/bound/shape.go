package bound

import (
	"unsafe"

	"toposearch/evaluator/floor"
	"toposearch/evaluator/market"
	"toposearch/internal/memo"
	"toposearch/topology"
)

// Designs that differ only in the number of parallel links have the same floor plan, where racks are not limited in
// power, and so the same lengths of cables: what the plan of one says of a class holds for all of them.

// shapeKey names such designs by the values of the one without parallel links.
type shapeKey struct {
	family *topology.Family
	values topology.Values
}

// shape is what their cables need: the longest as laid by class, and by class and rate the least mean length as
// bought, price and draw of a link.
type shape []shapeClass // by class

type shapeClass struct {
	maxM  float64
	rates []shapePrice // by rate on sale; nil: nothing is known
}

// shapePrice is the least length (m), price (minor units) and draw of a link on average, at a rate, and at it or
// any faster.
type shapePrice struct {
	own, any meanCable
}

// shapePlaces bounds what is kept of shapes: seven families at 65,536 endpoints have some hundred thousand, to which a search comes back. They take
// no more than shapePart of the memory that there is.
const shapePlaces, shapePart = 1 << 18, 16

// placesOfShapes is how many are kept, of prices at so many rates.
func placesOfShapes(rates int, memory int64) int {
	const classes = 4 // of cables, of most families
	each := unsafe.Sizeof(shapeKey{}) + unsafe.Sizeof(shape{}) + classes*(unsafe.Sizeof(shapeClass{})+uintptr(rates)*unsafe.Sizeof(shapePrice{}))
	return int(max(1, min(shapePlaces, memory/shapePart/int64(each))))
}

// shapes lays them on a site, and keeps what it has found lately.
type shapes struct {
	site      *floor.Site
	market    *market.Market
	perServer int
	memo      memo.Memo[shapeKey, shape]
	lengths   memo.Memo[float64, []shapePrice] // of one cable, by how long it is laid
}

// of lays the design of a shape without parallel links; nil where the floor depends on more than the shape. It
// costs as much as laying the cables of a design the first time.
func (g *shapes) of(f *topology.Family, values *topology.Values) shape {
	if f.Place == nil || g.site.Buildings > 1 || g.site.RackPowerW > 0 {
		return nil
	}
	return g.memo.Of(shapeKey{f, *values}, func() shape { return g.lay(f, values) })
}

// lay lays the cables of the design with these values; nil if there is none.
func (g *shapes) lay(f *topology.Family, values *topology.Values) shape {
	v := make([]int, len(f.Params))
	for i := range v {
		v[i] = int(values[i])
	}
	var s topology.Size
	if f.Size(v, &s) != nil || s.Endpoints < 1 {
		return nil
	}
	place := f.Place(v)
	var p floor.Plan // what boxes draw does not matter where racks are not limited
	if rej := p.Place(g.site, g.perServer, &s, &place, &market.Purchase{}); rej.Constraint != "" || !laid(&p, topology.Design{Family: f, V: v}) {
		return nil
	}
	var r market.Rates
	g.market.Rate(&s, market.BoardSet(place.Boards), &r)
	lay := floor.NewLayout(&p)
	defer lay.Free()
	lay.Stream(topology.Design{Family: f, V: v}, &r)
	x := make(shape, len(f.LinkClasses))
	for c := range x {
		if r.Kind[c] != market.Cable || s.Link[c] == 0 {
			continue
		}
		at := &x[c]
		at.rates = make([]shapePrice, g.market.Speeds())
		lay.Lengths(c, false, func(length float64, count int64) {
			at.maxM = max(at.maxM, length)
			share := float64(count) / float64(s.Link[c])
			for i, one := range g.lengths.Of(length, func() []shapePrice { return pricesOf(g.market, length) }) {
				at.rates[i].own.add(share, &one.own)
				at.rates[i].any.add(share, &one.any)
			}
		})
	}
	return x
}

// laidMostBytes bounds the layouts that a bound may take, one a worker of a search, and so their time: some two
// million switches, in a tenth of a second. Larger ones are left to the evaluation, which waits for memory.
const laidMostBytes = 32 << 20

// laid tells whether a bound may lay the cables of a design on its plan: what is larger, or slow to construct, is
// bounded less tightly.
func laid(p *floor.Plan, d topology.Design) bool {
	ns, bytes := d.WireTakes()
	return bytes+p.LayoutBytes() <= laidMostBytes && ns <= 1e8
}

// pricesOf is a cable of a length at each rate on sale; nothing where there is none.
func pricesOf(all *market.Market, length float64) []shapePrice {
	out := make([]shapePrice, all.Speeds())
	any := meanCable{inf, inf, inf}
	for i := all.Speeds() - 1; i >= 0; i-- {
		if len(all.SpeedAt(i).Steps) == 0 {
			continue
		}
		var own meanCable
		own.meanM, own.price, own.watts = all.AtLeast(i, length)
		any = meanCable{min(any.meanM, own.meanM), min(any.price, own.price), min(any.watts, own.watts)}
		out[i] = shapePrice{own, any}
	}
	return out
}
