package floor

import (
	"cmp"
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"toposearch/evaluator/market"
	"toposearch/internal/memo"
)

// leastSum adds up cables of one rate, each at its least length.
type leastSum struct {
	speed           *market.Speed
	site            *Site
	rings           []ring
	near            *nearCables
	lyings          *lyings
	distances       *Distances
	count           int64
	m, price, watts float64 // metres as bought
	evenM           float64 // a better bound of m, or 0
	longestM        float64 // as laid
}

func (a *leastSum) add(n int64, m float64) {
	c := cableOf(a.speed, m)
	a.addOf(n, &c)
}

// apart adds cables between racks at two spots of a building.
func (a *leastSum) apart(n int64, x, y spot) { a.addOf(n, a.spotsApart(x, y)) }

// spotsApart is a cable between racks at two spots of a building.
func (a *leastSum) spotsApart(x, y spot) *leastCable {
	dx, dy := x.x-y.x, x.y-y.y
	return a.cableTo(int64(max(dx, -dx)), int64(max(dy, -dy)))
}

// cableTo is a cable between racks so many places and rows apart.
func (a *leastSum) cableTo(dx, dy int64) *leastCable {
	if dx < nearPlaces && dy < nearRows {
		if row := a.near[dy].Load(); row != nil {
			return &row[dx]
		}
		return &a.near.fill(a.speed, a.site, dy)[dx]
	}
	c := cableOf(a.speed, a.site.LengthM(dx, dy, false))
	return &c
}

func (a *leastSum) addOf(n int64, c *leastCable) {
	if n <= 0 {
		return
	}
	x := float64(n)
	a.count += n
	a.m += x * c.stockM
	a.longestM = max(a.longestM, c.m)
	a.price += x * c.price
	a.watts += x * c.watts
}

// leastCable is a cable of a rate that is laid m long: as it is bought, and the least price and draw of any as long.
type leastCable struct{ m, stockM, price, watts float64 }

func cableOf(speed *market.Speed, m float64) leastCable {
	c := leastCable{m: m, stockM: speed.StockM(m)}
	c.price, c.watts = speed.AtLeast(m)
	return c
}

// nearCables are those to racks so many rows and places away, each row made when it is first asked for, 32 KiB: all in halls of some millions of
// endpoints.
type nearCables [nearRows]atomic.Pointer[[nearPlaces]leastCable]

const nearPlaces, nearRows = 1024, 256

// fill makes a row.
func (c *nearCables) fill(speed *market.Speed, site *Site, dy int64) *[nearPlaces]leastCable {
	row := new([nearPlaces]leastCable)
	for dx := range row {
		row[dx] = cableOf(speed, site.LengthM(int64(dx), dy, false))
	}
	c[dy].Store(row) // another goroutine stores the same
	return row
}

// Rings are the racks around one, the nearest first, by the length of the cables to them, and these cables by their rates. It is safe
// for concurrent use.
type Rings struct {
	site   *Site
	rings  []ring
	by     sync.Map // *nearCables by *market.Speed
	lyings lyings
}

// near gives the cables of a rate.
func (r *Rings) near(speed *market.Speed) *nearCables {
	if x, ok := r.by.Load(speed); ok {
		return x.(*nearCables)
	}
	x, _ := r.by.LoadOrStore(speed, new(nearCables))
	return x.(*nearCables)
}

// ring is racks to which cables have the same length.
type ring struct {
	m     float64
	racks int64
}

// RingsAround lists the rings of a site.
func RingsAround(s *Site) *Rings {
	const reach = 8 // racks and rows: few switches have endpoints beyond
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
			out = append(out, ring{s.LengthM(dx, dy, false), n})
		}
	}
	slices.SortFunc(out, func(a, b ring) int { return cmp.Compare(a.m, b.m) })
	// Beyond the nearest rack that is not listed, lengths are at least that.
	end := math.Min(s.LengthM(reach+1, 0, false), s.LengthM(0, reach+1, false))
	i := 0
	for i < len(out) && out[i].m < end {
		i++
	}
	return &Rings{site: s, rings: append(out[:i], ring{end, 1})}
}

// lyingKey is all that links inside a section need depend on, where they join switches to each other, each to as many, or to as many endpoints
// each in turn: thousands of designs of a search have groups of so many switches in so many racks.
type lyingKey struct {
	speed                            *market.Speed
	switches, each                   int64
	perRack, endRacks, netRacks, end int64 // perRack is 0 of links to each other; end is how many racks stand in the row in which the section begins, 0: all
}

// lyings keeps what such links need, 64 thousand of them in some 15 MiB.
type lyings = memo.Memo[lyingKey, leastSum]

// join adds what others need.
func (a *leastSum) join(o *leastSum) {
	a.count += o.count
	a.m += o.m
	a.longestM = max(a.longestM, o.longestM)
	a.price += o.price
	a.watts += o.watts
}
