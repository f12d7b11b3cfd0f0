package floor

import (
	"sync"

	"toposearch/topology"
)

// between lays the links between blocks of one class. A search does that for hundreds of thousands of designs, of which it asks no more: a
// Layout takes ten times as long for them.
type between struct {
	rack []int  // of its block, by switch of a block
	in   []span // the switches of that rack, by switch
	runs []turnRun
	to   []int // scratch of sorted
	sum  leastSum
}

// betweens recycles the arrays.
var betweens = sync.Pool{New: func() any { return &between{} }}

// Between sums up the cables between blocks of a design, which join switches of class i, as they are laid in one building, at the least
// that they cost, on floors whose Turning is that of turned; false where the family does not say which they are, or blocks differ. It takes some
// 10 ns a round of ports that stand in one rack, of others as much for each rack where sums around the ring are kept, or else 3 ns a link.
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
			turned.add(&b.sum, x.Shift, x.Shift, b.rack[x.A-first], b.rack[x.B-first], int64(x.Times), x.Count < x.Ring)
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
	b.in = b.in[:0]
	for j, from := 0, 0; j < len(b.rack); j++ {
		if b.rack[j] != b.rack[from] {
			from = j
		}
		b.in = append(b.in, span{from: from})
	}
	for j := len(b.in) - 1; j >= 0; j-- {
		if b.in[j].end = j + 1; j+1 < len(b.in) && b.rack[j+1] == b.rack[j] {
			b.in[j].end = b.in[j+1].end
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

// span is from one switch of a block to before another.
type span struct{ from, end int }

// turnRun is ports of a round, of ranks stride apart, of which each leads by further around the ring than the one before, 1 or -1, and to a rank step from that.
type turnRun struct{ rank, stride, ports, shift, by, to, step int }

// runsOf finds the runs of the ports of a round, which may follow one another, or take turns as those of a circulant.
func (b *between) runsOf(x *topology.Bundle) {
	b.runs = b.runs[:0]
	stride := 1
	if x.Ring > 3 {
		first, _ := x.Turn(0)
		second, _ := x.Turn(1)
		if d := second - first; d != 1 && d != -1 {
			stride = 2
		}
	}
	for phase := range stride {
		fresh := true
		for rank := phase; rank < x.Ring-1; rank += stride {
			shift, to := x.Turn(rank)
			if !fresh {
				r := &b.runs[len(b.runs)-1]
				by, step := shift-r.shift-r.by*(r.ports-1), to-r.to-r.step*(r.ports-1)
				if r.ports == 1 && by*by == 1 && step*step == stride*stride {
					r.by, r.step = by, step
				}
				if by == r.by && step == r.step && by != 0 {
					r.ports++
					continue
				}
			}
			fresh = false
			b.runs = append(b.runs, turnRun{rank: rank, stride: stride, ports: 1, shift: shift, to: to})
		}
	}
}

// round adds the links of rounds of ports with Turn.
func (b *between) round(x *topology.Bundle, turned *Turned) {
	b.runsOf(x)
	x.EachRound(func(from, back int) {
		if near, far, ok := b.oneRack(x, from, back); ok && turned.round(&b.sum, near, far, int64(x.Times), from == back) {
			return
		}
		for i := range b.runs {
			r, whole := b.runs[i], b.runs[i].ports
			if d := r.to - r.rank; from == back && r.step == r.stride || from == back && r.ports == 1 { // each link once
				if d < 0 {
					continue
				}
				if d == 0 {
					whole = 0
				}
			} else if from == back { // the two ends approach each other
				if d < 0 {
					continue
				}
				r.ports = min(r.ports, d/(2*r.stride)+1)
				if d == 2*r.stride*(r.ports-1) {
					whole = r.ports - 1
				}
				whole = min(whole, r.ports)
			}
			b.run(x, turned, &r, from, back, whole)
		}
	})
}

// run adds the links of a run of ports of two rounds, of which those from whole on join opposite blocks, port by port with itself.
func (b *between) run(x *topology.Bundle, turned *Turned, r *turnRun, from, back, whole int) {
	h, apart := x.Rounds.Ports, r.stride-1 // its logarithm
	for k := 0; k < r.ports; {
		q, there := from+r.rank+k*r.stride, back+r.to+k*r.step
		near, far := q/h, there/h
		last := k + (b.in[near].end*h-1-q)>>apart
		if r.step > 0 {
			last = min(last, k+(b.in[far].end*h-1-there)>>apart)
		} else if r.step < 0 {
			last = min(last, k+(there-b.in[far].from*h)>>apart)
		}
		last = min(last, r.ports-1)
		if k < whole {
			last = min(last, whole-1)
		}
		s, e := r.shift+k*r.by, r.shift+last*r.by
		turned.add(&b.sum, min(s, e), max(s, e), b.rack[near], b.rack[far], int64(x.Times), k >= whole)
		k = last + 1
	}
}

// sorted adds the links of rounds of ports without Turn.
func (b *between) sorted(x *topology.Bundle, turned *Turned) {
	n := turned.blocks
	x.EachRound(func(from, back int) {
		if near, far, ok := b.oneRack(x, from, back); ok && turned.all != nil {
			if from <= back { // with the round there
				turned.round(&b.sum, near, far, int64(x.Times), from == back)
			}
			return
		}
		if a, last := from/x.Rounds.Ports, (from+x.Ring-2)/x.Rounds.Ports; from == back && b.rack[last] == b.rack[a]+1 {
			turned.roundParted(&b.sum, b.rack[a], b.in[a].end*x.Rounds.Ports-from, int64(x.Times))
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
