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
type Turning struct{ blocks, perSection, racks, net, half, central, perRow int64 }

// mostTurned bounds the sums over all blocks that are kept of a ring, 2 MiB, and so racks of a block to 361. spanPlaces is how many sums between several racks
// are kept, 64 KiB to find them by: of seven families at 65,536 endpoints rings are asked for 4,500 each, two thousand places of which made more than half of them again.
const mostTurned, spanPlaces = 1 << 16, 1 << 13

// Turning is that of the switches of class i; ok is false where they stand otherwise.
func (p *Plan) Turning(i int) (t Turning, ok bool) {
	if p.buildings > 1 || p.home[i] != topology.WithEndpoints || p.perSection > 1 && p.endRacks > 1 {
		return Turning{}, false
	}
	return Turning{p.blocks, p.perSection, p.endRacks, p.netRacks, p.half, p.central, p.perRow}, true
}

// TurningOf is that of the switches of class i, and how many there are of a block, where they stand in several racks of its endpoints; 0 if not.
func (p *Plan) TurningOf(i int) (t Turning, switches int64) {
	t, ok := p.Turning(i)
	if !ok || !p.Spreads(i) || p.perSection > 1 {
		return t, 0
	}
	return t, p.share(i)
}

// Turned holds the cables from racks of every block to racks of all others, summed up by these racks, where there are not too many. Sums are made when they are first
// asked for. It is safe for concurrent use.
type Turned struct {
	blocks, racks int
	cable         leastSum
	places        []spot // by rack of a block, then by block
	ring          Ring   // where blocks stand, if each has a section of its own
	middle, net   int64  // the racks of a block from middle on stand so many further
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
	x := &Turned{blocks: int(t.blocks), racks: int(t.racks), cable: leastSum{speed: speed, site: site, near: rings.near(speed)}}
	if x.racks*(x.racks+1)/2 <= mostTurned {
		x.all = make(sumRows, x.racks)
	}
	if t.perSection == 1 {
		x.ring = Ring{blocks: t.blocks, width: t.racks + t.net, half: t.half, central: t.central, perRow: t.perRow}
		x.middle, x.net, x.spans.Places = (t.racks+1)/2, t.net, spanPlaces
	}
	x.places = make([]spot, 0, x.racks*x.blocks)
	for r := range t.racks {
		for b := range t.blocks {
			x.places = append(x.places, t.spot(b/t.perSection, r))
		}
	}
	return x
}

// spot is where a rack of a section stands: rows are filled to and fro.
func (t *Turning) spot(section, r int64) spot {
	at := section*(t.racks+t.net) + r
	if section >= t.half {
		at += t.central
	}
	if r >= (t.racks+1)/2 {
		at += t.net
	}
	y := at / t.perRow
	x := at - y*t.perRow
	if y%2 == 1 {
		x = t.perRow - 1 - x
	}
	return spot{x: int32(x), y: int32(y)}
}

// round adds times the cables from rack a of every block to rack b of all others, of each two blocks once if the racks are of one round; false where
// such sums are not kept.
func (x *Turned) round(l *leastSum, a, b int, times int64, half bool) bool {
	if x.all == nil {
		return false
	}
	a, b = max(a, b), min(a, b)
	sum := x.all.at(a, b, a+1).known(func() (sum leastSum) {
		if x.ring.blocks > 0 {
			return x.everywhere(spanned{int32(a), int32(a)}, spanned{int32(b), int32(b)})
		}
		sum = x.cable
		for shift := 1; shift < x.blocks; shift++ {
			one := x.around(shift, a, b)
			sum.take(1, 0, &one)
		}
		return sum
	})
	x.takeRound(l, times, half, &sum)
	return true
}

// takeRound adds times the sum over all blocks of cables to all others, or half of it.
func (x *Turned) takeRound(l *leastSum, times int64, half bool, sum *leastSum) {
	n, links := float64(times), times*int64(x.blocks)*int64(x.blocks-1)
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

// everywhere adds up the least cables from racks a of every block to racks b of all others, where each block has a section of its own.
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

// around adds up the cables from rack a of every block to rack b of the one shift blocks further.
func (x *Turned) around(shift, a, b int) leastSum {
	sum, to := x.cable, x.places[b*x.blocks:][:x.blocks]
	var t cableSum // in registers: adding to a struct takes twice as long
	at := shift
	for _, from := range x.places[a*x.blocks:][:x.blocks] {
		if at == len(to) {
			at = 0
		}
		c := sum.spotsApart(from, to[at])
		t.m, t.price, t.watts, t.longest = t.m+c.stockM, t.price+c.price, t.watts+c.watts, max(t.longest, c.m)
		at++
	}
	sum.count, sum.m, sum.price, sum.watts, sum.longestM = int64(x.blocks), t.m, t.price, t.watts, t.longest
	return sum
}
