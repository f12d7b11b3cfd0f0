package floor

import (
	"math"
	"sync/atomic"

	"toposearch/evaluator/market"
	"toposearch/internal/memo"
	"toposearch/topology"
)

// Turning is all that cables around a ring of blocks depend on, one rate aside, where the switches that they join stand among the endpoints of
// their block: thousands of designs share it, which differ in switches, ports and arrangement.
type Turning struct{ blocks, racks, net, half, central, perRow int64 }

// mostTurned bounds the sums over all blocks that are kept of a ring, 2 MiB, and so racks of a block to 361. spanPlaces is how many sums between several racks
// are kept, 64 KiB to find them by: of seven families at 65,536 endpoints rings are asked for 4,500 each, two thousand places of which made more than half of them again.
const mostTurned, spanPlaces = 1 << 16, 1 << 13

// TurningOf is that of the switches of class i, and how many there are of a block, where each block has a section of its own and they stand in several racks of its
// endpoints; 0 if not.
func (p *Plan) TurningOf(i int) (t Turning, switches int64) {
	if p.buildings > 1 || p.home[i] != topology.WithEndpoints || p.perSection > 1 || min(p.endRacks, p.share(i)) < 2 {
		return Turning{}, 0
	}
	return Turning{p.blocks, p.endRacks, p.netRacks, p.half, p.central, p.perRow}, p.share(i)
}

// Turned holds the cables from racks of every block to racks of all others, summed up by these racks, where there are not too many. Sums are made when they are first
// asked for. It is safe for concurrent use.
type Turned struct {
	blocks, racks int
	cable         leastSum
	ring          Ring  // where blocks stand
	middle, net   int64 // the racks of a block from middle on stand so many further
	spans         memo.Memo[spanPair, cableSum]
	// all is by the larger of two racks, then the other.
	all sumRows
}

// cableSum is the least cables between some racks of blocks, summed up, and the longest of them as laid.
type cableSum struct{ m, price, watts, longest float64 }

// sumRows are rows of sums over all blocks, each made when one of its sums is first asked for: designs of a search ask for few of them.
type sumRows []atomic.Pointer[[]turnedSum]

// at gives a place of a row of so many.
func (s sumRows) at(row, i, places int) *turnedSum {
	x := s[row].Load()
	if x == nil {
		made := make([]turnedSum, places)
		if x = &made; !s[row].CompareAndSwap(nil, x) {
			x = s[row].Load() // of another goroutine
		}
	}
	return &(*x)[i]
}

// turnedSum is such a sum, of floating-point numbers by their bits: it is there once metres are not 0. Whoever makes it makes the same.
type turnedSum struct{ m, price, watts, longest atomic.Uint64 }

// Turned prepares sums at a rate.
func (t *Turning) Turned(site *Site, speed *market.Speed, rings *Rings) *Turned {
	x := &Turned{blocks: int(t.blocks), racks: int(t.racks), cable: leastSum{speed: speed, site: site, near: rings.near(speed)},
		ring:   Ring{blocks: t.blocks, width: t.racks + t.net, half: t.half, central: t.central, perRow: t.perRow},
		middle: (t.racks + 1) / 2, net: t.net}
	x.spans.Places = spanPlaces
	if x.racks*(x.racks+1)/2 <= mostTurned {
		x.all = make(sumRows, x.racks)
	}
	return x
}

// round adds the cables from rack a of every block to rack b of all others, of each two blocks once if the racks are of one round; false where
// such sums are not kept.
func (x *Turned) round(l *leastSum, a, b int, half bool) bool {
	if x.all == nil {
		return false
	}
	a, b = max(a, b), min(a, b)
	sum := x.all.at(a, b, a+1).known(func() leastSum {
		return x.everywhere(spanned{int32(a), int32(a)}, spanned{int32(b), int32(b)})
	})
	x.takeRound(l, half, &sum)
	return true
}

// takeRound adds the sum over all blocks of cables to all others, or half of it.
func (x *Turned) takeRound(l *leastSum, half bool, sum *leastSum) {
	n, links := 1.0, int64(x.blocks)*int64(x.blocks-1)
	if half {
		n, links = n/2, links/2
	}
	l.take(n, links, sum)
}

// spanned are consecutive racks of a block, from the first to the last, and spanPair such at the two ends of cables.
type (
	spanned  struct{ first, last int32 }
	spanPair struct{ from, to spanned }
)

// everywhere adds up the least cables from racks a of every block to racks b of all others.
func (x *Turned) everywhere(a, b spanned) leastSum {
	at := func(racks spanned) (out [2]int64) {
		for i, r := range [2]int32{racks.first, racks.last} {
			if out[i] = int64(r); out[i] >= x.middle {
				out[i] += x.net
			}
		}
		return out
	}
	sum := x.cable
	x.ring.everywhere(at(a), at(b), &sum)
	return sum
}

// known gives a sum, which it makes the first time.
func (s *turnedSum) known(of func() leastSum) (sum leastSum) {
	if sum.m = math.Float64frombits(s.m.Load()); sum.m == 0 {
		sum = of()
		s.price.Store(math.Float64bits(sum.price))
		s.watts.Store(math.Float64bits(sum.watts))
		s.longest.Store(math.Float64bits(sum.longestM))
		s.m.Store(math.Float64bits(sum.m)) // the last, by which it is there
		return sum
	}
	sum.price, sum.watts = math.Float64frombits(s.price.Load()), math.Float64frombits(s.watts.Load())
	sum.longestM = math.Float64frombits(s.longest.Load())
	return sum
}

// take adds n times a sum.
func (a *leastSum) take(n float64, links int64, of *leastSum) {
	a.count += links
	a.m += n * of.m
	a.price += n * of.price
	a.watts += n * of.watts
	a.longestM = max(a.longestM, of.longestM)
}
