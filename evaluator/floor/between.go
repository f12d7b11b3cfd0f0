package floor

import (
	"sync"

	"toposearch/evaluator/market"
	"toposearch/topology"
)

// between lays the links between blocks of one class and counts them by how far their racks are apart. A search does that for hundreds
// of thousands of designs, of which it asks no more: a Layout takes ten times as long for them.
type between struct {
	places []rackAt // of the switches of the class
	counts []int32  // by rows and places between
	perRow int32
	to     []int // scratch of sorted
}

// betweens recycles the arrays.
var betweens = sync.Pool{New: func() any { return &between{} }}

// Between sums up the cables between blocks of a design, which join switches of class i, as they are laid in one building, at the least
// that they cost at a rate; false where the family does not say which they are. It takes some 2 ns a link.
func (p *Plan) Between(d topology.Design, i int, speed *market.Speed, rings *Rings) (l Least, ok bool) {
	if d.Family.Between == nil {
		return Least{}, false
	}
	b := betweens.Get().(*between)
	defer betweens.Put(b)
	first, links := b.stand(p, i), int64(0)
	d.Family.Between(d.V, func(x topology.Bundle) {
		x.A, x.B, links = x.A-first, x.B-first, p.size.Link[x.Class]
		switch {
		case x.Turn != nil:
			turnsOf(&x, b.ring)
		case x.Ports > 0:
			b.sorted(&x)
		default:
			b.ring(&x)
		}
	})
	sum := leastSum{speed: speed, site: p.site, near: rings.near(speed)}
	for at, n := range b.counts {
		if n > 0 {
			sum.apart(int64(n), spot{}, spot{x: int32(at) % b.perRow, y: int32(at) / b.perRow})
		}
	}
	return Least{Price: sum.price, Watts: sum.watts, MeanM: sum.m / float64(sum.count), LongestM: sum.longestM}, sum.count == links && links > 0
}

// stand finds where the switches of class i stand, and gives the first of them.
func (b *between) stand(p *Plan, i int) (first topology.SwitchID) {
	for k := range i {
		first += topology.SwitchID(p.size.Switch[k].Count)
	}
	b.places = b.places[:0]
	p.eachSwitchRun(i, func(to, position int64) {
		at := p.spot(position)
		for int64(len(b.places)) < to {
			b.places = append(b.places, rackAt{at.x, at.y})
		}
	})
	b.counts, b.perRow = grow(b.counts, int(p.hall())), int32(p.perRow)
	return first
}

func (b *between) count(p, q rackAt, times int32) {
	dx, dy := p.x-q.x, p.y-q.y
	b.counts[max(dy, -dy)*b.perRow+max(dx, -dx)] += times
}

// ring counts a bundle around the ring of blocks.
func (b *between) ring(x *topology.Bundle) {
	from, end := int(x.A), int(x.B)+x.Ring*x.Step
	to := int(x.B) + x.Shift*x.Step
	for range x.Count {
		if to >= end {
			to -= x.Ring * x.Step
		}
		b.count(b.places[from], b.places[to], int32(x.Times))
		from, to = from+x.Step, to+x.Step
	}
}

// sorted counts the links of a round of ports without Turn.
func (b *between) sorted(x *topology.Bundle) {
	b.to = b.to[:0] // by block the switch of its port to block i
	for i := range x.Ring {
		b.to = append(b.to, int(x.B)+(x.Back+i)/x.Ports)
	}
	at, port := x.From/x.Ports, x.From%x.Ports // the switch of the port to block j
	for j := 1; j < x.Ring; j++ {
		from, far := b.places[int(x.A)+at:], b.places[j*x.Step:]
		for i := range j {
			b.count(from[i*x.Step], far[b.to[i]], int32(x.Times))
		}
		if port++; port == x.Ports {
			at, port = at+1, 0
		}
	}
}
