package floor

import (
	"toposearch/evaluator/market"
	"toposearch/topology"
)

// Stream counts the cables of the classes that are bought.
func (l *Layout) Stream(d topology.Design, r *market.Rates) {
	f := d.Family
	var e, end int64
	var at spot
	f.Attach(d.V, func(count int, ports []topology.SwitchID) {
		for left := int64(count); left > 0; {
			if e >= end {
				var position int64
				position, end = l.p.positionOf(e)
				at = l.p.spot(position)
			}
			n := min(left, end-e)
			for _, s := range ports {
				if r.Kind[0] == market.Inside {
					l.spots[s] = at // an embedded switch stands where its endpoint does
				} else if r.Kind[0] == market.Cable {
					l.count(0, at, l.spots[s], n)
				}
			}
			e += n
			left -= n
		}
	})
	if f.Wire == nil {
		return
	}
	if f.Bundles != nil {
		l.bundles(d, r)
		return
	}
	spots, counts, row := l.spots, l.counts, int32(l.p.perRow)
	one, way := l.p.buildings == 1, l.p.throughCircuits()
	f.Wire(d.V, func(class int, a, b topology.SwitchID) {
		if r.Kind[class] != market.Cable {
			return
		}
		if box, ok := way.box(class, a); ok {
			l.count(class, spots[a], spots[box], 1)
			l.count(class, spots[b], spots[box], 1)
			return
		}
		p, q := &spots[a], &spots[b]
		if !one && p.building != q.building {
			l.count(class, *p, *q, 1)
			return
		}
		dx, dy := p.x-q.x, p.y-q.y
		if dx < 0 {
			dx = -dx
		}
		if dy < 0 {
			dy = -dy
		}
		counts[int64(class)*2*l.cells+int64(dy*row+dx)]++
	})
}

// bundles counts the cables of the classes that are bought, bundle by bundle.
func (l *Layout) bundles(d topology.Design, r *market.Rates) {
	l.findRuns()
	d.Family.Bundles(d.V, func(b topology.Bundle) {
		if r.Kind[b.Class] == market.Cable {
			l.bundle(&b)
		}
	})
	l.endTurns()
}

// bundle counts the links of a bundle, rack by rack.
func (l *Layout) bundle(b *topology.Bundle) {
	times := int64(b.Times)
	a, end := int64(b.A), int64(b.A)+int64(b.Count)
	if b.Rounds.Ports > 0 {
		l.rounds(b)
		return
	}
	if b.Ring > 0 {
		l.turn(b)
		return
	}
	if b.Blocks > 1 {
		l.blocks(b)
		return
	}
	if b.Mesh {
		for from := a; from < end; {
			r := &l.runs[l.runAt[from]]
			to := min(r.end, end)
			n := to - from
			l.count(b.Class, r.at, r.at, times*n*(n-1)/2)
			l.fan(b.Class, r.at, to, end, times*n)
			from = to
		}
		return
	}
	first, cycle, each := int64(b.B), int64(b.Cycle), int64(b.Each)
	if each == 1 && cycle == int64(b.Count) {
		l.oneToOne(b.Class, a, first, cycle, times)
		return
	}
	one := l.runs[l.runAt[first]].end >= first+cycle*each
	for from := a; from < end; {
		r := &l.runs[l.runAt[from]]
		to := min(r.end, end)
		n := to - from
		if one {
			l.count(b.Class, r.at, l.spots[first], times*n*each)
			from = to
			continue
		}
		if rounds := n / cycle; rounds > 0 {
			l.fan(b.Class, r.at, first, first+cycle*each, times*rounds)
		}
		// The rest begins where the whole rounds did, and may pass the end of the cycle.
		at, rest := (from-a)%cycle, n%cycle
		until := min(at+rest, cycle)
		l.fan(b.Class, r.at, first+at*each, first+until*each, times)
		l.fan(b.Class, r.at, first, first+(at+rest-until)*each, times)
		from = to
	}
}

// rounds counts the links of rounds of ports.
func (l *Layout) rounds(b *topology.Bundle) {
	b.EachRound(func(from, back int) {
		if b.Turn != nil {
			l.round(b, from, back)
			return
		}
		for j := range b.Ring {
			to := l.spots[int(b.B)+j*b.Step:]
			for i := range j {
				l.count(b.Class, l.spots[int(b.A)+i*b.Step+(from+j-1)/b.Rounds.Ports], to[(back+i)/b.Rounds.Ports], int64(b.Times))
			}
		}
	})
}

// round takes the bundles around the ring that a round with Turn is, port by port.
func (l *Layout) round(b *topology.Bundle, from, back int) {
	x := topology.Bundle{Class: b.Class, Times: b.Times, Ring: b.Ring, Step: b.Step}
	for rank := range b.Ring - 1 {
		shift, to := b.Turn(rank)
		q, there := from+rank, back+to
		if q > there {
			continue // the other end of one before
		}
		x.A, x.B = b.A+topology.SwitchID(q/b.Rounds.Ports), b.B+topology.SwitchID(there/b.Rounds.Ports)
		if x.Shift, x.Count = shift, b.Ring; q == there { // to the opposite block
			x.Count = b.Ring / 2
		}
		l.turn(&x)
	}
}

// blocks counts the links of a bundle block by block, or all blocks at once whose upper switches
// stand in one rack.
func (l *Layout) blocks(b *topology.Bundle) {
	upper := int64(b.Cycle) * int64(b.Each)
	one := *b
	one.Blocks = 0
	for k := int64(0); k < int64(b.Blocks); {
		r := &l.runs[l.runAt[int64(b.B)+k*upper]]
		n := min((r.end-int64(b.B)-k*upper)/upper, int64(b.Blocks)-k)
		if n > 0 {
			from := int64(b.A) + k*int64(b.Count)
			l.fan(b.Class, r.at, from, from+n*int64(b.Count), int64(b.Times)*int64(b.Each))
			k += n
			continue
		}
		one.A, one.B = b.A+topology.SwitchID(k*int64(b.Count)), b.B+topology.SwitchID(k*upper)
		l.bundle(&one)
		k++
	}
}

// oneToOne counts times links from each of n consecutive switches to one of as many others, in order.
func (l *Layout) oneToOne(class int, a, b, n, times int64) {
	end := a + n
	from, to := l.runAt[a], l.runAt[b]
	for a < end {
		x, y := &l.runs[from], &l.runs[to]
		k := min(x.end-a, y.end-b, end-a)
		l.count(class, x.at, y.at, times*k)
		a, b = a+k, b+k
		if a == x.end {
			from++
		}
		if b == y.end {
			to++
		}
	}
}

// fan counts times links from a spot to each of the switches in from..to-1.
func (l *Layout) fan(class int, at spot, from, to, times int64) {
	if from >= to {
		return
	}
	for k := l.runAt[from]; from < to; k++ {
		r := &l.runs[k]
		n := min(r.end, to) - from
		l.count(class, at, r.at, times*n)
		from += n
	}
}
