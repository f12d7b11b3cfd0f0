package floor

import (
	"sync"

	"toposearch/topology"
)

// between lays the links between blocks of one class. A search does that for hundreds of thousands of designs, of which it asks no more: a
// Layout takes ten times as long for them.
type between struct {
	rack []int // of its block, by switch of a block
	to   []int // scratch of sorted
	sum  leastSum
}

// betweens recycles the arrays.
var betweens = sync.Pool{New: func() any { return &between{} }}

// Between sums up the cables between blocks of a design, which join switches of class i, as they are laid in one building, at the least
// that they cost, on floors whose Turning is that of turned; false where the family does not say which they are, or blocks differ. It takes some
// 10 ns a round of ports that stand in one rack, and of others 3 ns a port of a block where sums around the ring are kept, or else a link.
func (p *Plan) Between(d topology.Design, i int, turned *Turned) (l Least, ok bool) {
	if d.Family.Between == nil {
		return Least{}, false
	}
	b := betweens.Get().(*between)
	defer betweens.Put(b)
	if !b.racksOf(p, i) {
		return Least{}, false
	}
	first, links := topology.SwitchID(0), int64(0)
	for k := range i {
		first += topology.SwitchID(p.size.Switch[k].Count)
	}
	b.sum = turned.cable
	d.Family.Between(d.V, func(x topology.Bundle) {
		links = p.size.Link[x.Class]
		switch {
		case x.Rounds.Ports == 0:
			turned.add(&b.sum, x.Shift, b.rack[x.A-first], b.rack[x.B-first], int64(x.Times), x.Count < x.Ring)
		case x.Turn != nil:
			b.round(&x, turned)
		default:
			b.sorted(&x, turned)
		}
	})
	s := &b.sum
	return Least{Price: s.price, Watts: s.watts, MeanM: s.m / float64(s.count), LongestM: s.longestM}, s.count == links && links > 0
}

// racksOf finds in which rack of its block each of the switches of class i stands; false if it is not the same in all blocks.
func (b *between) racksOf(p *Plan, i int) bool {
	of, each := p.sharing[i], p.share(i)
	b.rack = b.rack[:0]
	for j := range each {
		for to := of.First(j + 1); int64(len(b.rack)) < to; {
			b.rack = append(b.rack, int(j*p.endRacks/each))
		}
	}
	for k := int64(1); of.Per > 1 && k <= p.blocks; k++ {
		if of.First(k*each) != k*int64(len(b.rack)) {
			return false
		}
	}
	return int64(len(b.rack))*p.blocks == p.size.Switch[i].Count
}

// oneRack gives the racks of the ports of two rounds of x; false if those of one stand in several.
func (b *between) oneRack(x *topology.Bundle, from, back int) (near, far int, ok bool) {
	last := x.Ring - 2
	near, far = b.rack[from/x.Rounds.Ports], b.rack[back/x.Rounds.Ports]
	return near, far, near == b.rack[(from+last)/x.Rounds.Ports] && far == b.rack[(back+last)/x.Rounds.Ports]
}

// round adds the links of rounds of ports with Turn.
func (b *between) round(x *topology.Bundle, turned *Turned) {
	x.EachRound(func(from, back int) {
		if near, far, ok := b.oneRack(x, from, back); ok && turned.round(&b.sum, 2*near, 2*far, int64(x.Times), from == back) {
			return
		}
		for rank := range x.Ring - 1 {
			shift, to := x.Turn(rank)
			if q, there := from+rank, back+to; q <= there { // else the other end of one before
				turned.add(&b.sum, shift, b.rack[q/x.Rounds.Ports], b.rack[there/x.Rounds.Ports], int64(x.Times), q == there)
			}
		}
	})
}

// sorted adds the links of rounds of ports without Turn.
func (b *between) sorted(x *topology.Bundle, turned *Turned) {
	n := turned.blocks
	x.EachRound(func(from, back int) {
		if near, far, ok := b.oneRack(x, from, back); ok && turned.all != nil {
			if from <= back { // with the round there
				turned.round(&b.sum, 2*near, 2*far, int64(x.Times), from == back)
			}
			return
		}
		b.to = b.to[:0] // by block the first of the places of the rack of its port to block i
		for i := range x.Ring - 1 {
			b.to = append(b.to, n*b.rack[(back+i)/x.Rounds.Ports])
		}
		at, port := from/x.Rounds.Ports, from%x.Rounds.Ports // the switch of the port to block j
		for j := 1; j < x.Ring; j++ {
			near := turned.places[n*b.rack[at]:]
			for i, to := range b.to[:j] {
				b.sum.apart(int64(x.Times), near[i], turned.places[to+j])
			}
			if port++; port == x.Rounds.Ports {
				at, port = at+1, 0
			}
		}
	})
}
