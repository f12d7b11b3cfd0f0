package floor

import (
	"toposearch/evaluator/market"
	"toposearch/internal/memo"
	"toposearch/topology"
)

// Ring is where blocks stand whose switches of one class are linked block by block: all that distances between
// them depend on, so that many designs share one.
type Ring struct {
	blocks, width int64 // racks from a block to the next
	first, last   int64 // racks of a block in which the switches stand, from its first on
	half, central int64 // as many racks stand before the block in the middle
	rows, perRow  int64
	stand         standing
}

// standing says in which rack of its block each of its switches stands: of share, before others that make all, evenly over racks,
// counted from one on, of which those from mid on are jump further.
type standing struct{ share, before, all, racks, from, mid, jump int64 }

// of is the rack of switch j.
func (s *standing) of(j int64) int64 {
	at := (s.before + j) * s.racks / s.all
	if at >= s.mid {
		at += s.jump
	}
	return s.from + at
}

// mostInRing bounds the blocks between which all distances are measured: 1,024 have half a million pairs, some 2 ms. Designs share rings: of
// one size there are some thousands. Of more blocks only the longest distance is measured.
const mostInRing = 1024

// RingOf is where the switches of class i stand; ok is false where blocks share racks or stand in several buildings.
func (p *Plan) RingOf(i int) (r Ring, ok bool) {
	if p.buildings > 1 || p.perSection > 1 || p.blocks < 2 || p.sharing[i].Per > 1 || p.count[i]%p.blocks != 0 || p.count[i] == 0 {
		return Ring{}, false
	}
	r = Ring{blocks: p.blocks, width: p.endRacks + p.netRacks, half: p.half, central: p.central, rows: p.rows, perRow: p.perRow}
	middle := (p.endRacks + 1) / 2
	r.stand = standing{share: p.share(i), all: p.share(i), racks: 1}
	switch p.home[i] {
	case topology.WithEndpoints:
		r.last = r.width - 1
		r.stand.racks, r.stand.mid, r.stand.jump = p.endRacks, middle, p.netRacks
	case topology.InBlock:
		if !p.both {
			r.stand.before, r.stand.all = p.beforeInBlock(i)
			r.stand.racks, r.stand.from = p.netRacks, middle
			r.first, r.last = r.stand.of(0), r.stand.of(r.stand.share-1)
		}
	default:
		return Ring{}, false
	}
	if r.divided() == 1 {
		r.stand = standing{} // nothing depends on it: designs that differ only in what stands in one rack share the ring
	}
	return r, true
}

// Pairs bounds from below the cables between blocks that are linked in pairs, at a rate.
type Pairs struct {
	blocks int
	upTo   []reached // by places around the ring: of links from every block to each of so many next ones
	half   reached   // of links to the blocks halfway around
	// LongestM is the longest as laid, at least, where every two blocks are linked.
	LongestM float64
	leasts   memo.Memo[pairsKey, Least] // of AtLeast
}

// pairsKey is what AtLeast depends on. pairsPlaces are how many of them are kept of a ring, 4 KiB: each box is asked several times, and its halves seldom differ in both.
type pairsKey struct {
	each  int
	share float64
}

const pairsPlaces = 64

// reached sums what cables need between the nearest racks of two blocks: metres and the least price, in minor units, and draw, as bought;
// and metres as laid, with how much farther all switches but one of either block are from the other block than its nearest rack is, one by one.
type reached struct{ m, price, watts, laid, farther float64 }

func (a *reached) add(n float64, b reached) {
	a.m, a.price, a.watts, a.laid, a.farther = a.m+n*b.m, a.price+n*b.price, a.watts+n*b.watts, a.laid+n*b.laid, a.farther+n*b.farther
}

// least is the mean length as bought where each switch but one has at least a share of the links of any two blocks. Along a row and
// across rows apart, two racks are at least as far from each other as each is from the block of the other, less what is between the
// blocks.
func (a *reached) least(share float64) float64 { return max(a.m, a.laid+share*a.farther) }

// part is consecutive switches of a block, and where they stand in it.
type part struct {
	switches    float64
	first, last int64
}

// mostParts bounds the parts of a block, and mostOfAll those of all: the distances of all parts to all blocks are measured, in 20 us at most.
// Switches have links to all of many blocks in few designs.
const mostParts, mostOfAll = 4, 128

// divided is into how many parts the switches of a block are divided.
func (r *Ring) divided() int64 {
	return min(mostParts, r.stand.racks, r.stand.share, max(1, mostOfAll/r.blocks))
}

// parts divides the switches of a block, without the last.
func (r *Ring) parts() (out []part) {
	s := &r.stand
	n := r.divided()
	if n <= 1 {
		return nil // no farther than the block
	}
	for k := range n {
		a, b := k*s.share/n, (k+1)*s.share/n
		x := part{float64(b - a), s.of(a), s.of(b - 1)}
		if k == n-1 {
			x.switches--
		}
		out = append(out, x)
	}
	return out
}

// Pairs measures a ring: between two blocks cables are no shorter than between the rectangles of racks in which their
// switches stand. It takes some 3 ns a pair of blocks.
func (r Ring) Pairs(site *Site, speed *market.Speed, rings *Rings) *Pairs {
	if r.blocks > mostInRing {
		return &Pairs{LongestM: r.longest(site)}
	}
	x := &Pairs{blocks: int(r.blocks), upTo: make([]reached, 1, r.blocks/2+1)}
	x.leasts.Places = pairsPlaces
	cable, beside := leastSum{speed: speed, site: site, near: rings.near(speed)}, cableOf(speed, site.BesideM()) // never one rack
	parts := r.parts()
	at, in := make([]rectangle, r.blocks), make([]rectangle, 0, int(r.blocks)*len(parts))
	for b := range at {
		at[b] = r.of(int64(b), r.first, r.last)
		for _, p := range parts {
			in = append(in, r.of(int64(b), p.first, p.last))
		}
	}
	along, across := site.LengthM(2, 0, false)-site.LengthM(1, 0, false), site.LengthM(0, 2, false)-site.LengthM(0, 1, false)
	up := site.LengthM(1, 0, false) - along
	farther := func(from, to int) float64 {
		dx, dy, sum := at[from].placesTo(&at[to]), at[from].rowsTo(&at[to]), 0.0
		for k := range parts {
			a := &in[from*len(parts)+k]
			sum += parts[k].switches * (float64(a.placesTo(&at[to])-dx)*along + float64(a.rowsTo(&at[to])-dy)*across)
		}
		return sum
	}
	for d := 1; 2*d <= x.blocks; d++ {
		from := at
		if 2*d == x.blocks {
			from = at[:d]
		}
		to := d
		var m, price, watts, laid, far, longest float64 // in registers: half of the time was adding to a struct
		for i := range from {
			if to == len(at) {
				to = 0
			}
			dx, dy := from[i].placesTo(&at[to]), from[i].rowsTo(&at[to])
			near := beside
			if dx > 0 || dy > 0 {
				near = *cable.cableTo(dx, dy)
			}
			l := up + float64(dx)*along + float64(dy)*across
			if parts != nil {
				far += farther(i, to) + farther(to, i)
			}
			m, price, watts, laid = m+near.stockM, price+near.price, watts+near.watts, laid+l
			longest = max(longest, l)
			to++
		}
		x.LongestM = max(x.LongestM, longest)
		sum := reached{m, price, watts, laid, far}
		if 2*d == x.blocks {
			x.half = sum
		}
		sum.add(1, x.upTo[d-1])
		x.upTo = append(x.upTo, sum)
	}
	return x
}

// longest bounds the longest cable from those between the blocks at the ends of the first and of the last rows and all blocks of these rows.
func (r *Ring) longest(site *Site) (m float64) {
	row := min(max(1, r.perRow/r.width), r.blocks)
	for _, from := range [...]int64{0, row - 1, r.blocks - row, r.blocks - 1} {
		a := r.of(from, r.first, r.last)
		for k := range row {
			for _, to := range [...]int64{k, r.blocks - 1 - k} {
				b := r.of(to, r.first, r.last)
				m = max(m, site.LengthM(a.placesTo(&b), a.rowsTo(&b), false))
			}
		}
	}
	return max(m, site.BesideM())
}

// links are how many links from every block to each of so many next ones are.
func (x *Pairs) links(next int) int {
	if 2*next == x.blocks { // the last of them from half of the blocks
		return x.blocks*(next-1) + x.blocks/2
	}
	return x.blocks * next
}

// sum is that of links as they are between blocks, and how many they are.
func (x *Pairs) sum(of topology.BlockPairs) (sum reached, links int) {
	all := len(x.upTo) - 1
	links = of.Each*x.links(all) + x.links(of.Next)
	sum.add(float64(of.Each), x.upTo[all])
	sum.add(1, x.upTo[of.Next])
	if of.Opposite {
		links += x.blocks / 2
		sum.add(1, x.half)
	}
	return sum, links
}

// mean is the mean of one.
func (x *Pairs) mean(of topology.BlockPairs) (out reached, links int) {
	sum, links := x.sum(of)
	out.add(1/float64(links), sum)
	return out, links
}

// Mean bounds the mean of the cables between blocks that are linked like that, as bought; false if there are none, or not
// as many as there should be.
func (x *Pairs) Mean(of topology.BlockPairs, links int64) (l Least, ok bool) {
	if of.Each < 1 || 2*of.Next >= x.blocks || len(x.upTo) == 0 {
		return Least{}, false
	}
	mean, n := x.mean(of)
	return Least{Price: mean.price, Watts: mean.watts, MeanM: mean.m}, int64(n) == links
}

// AtLeast bounds it where every two blocks have so many links at least, whatever further ones there are, and each switch but one of a
// block a share of them. More links of all make the mean more like that of all: where what is nearer counts less, it rises.
func (x *Pairs) AtLeast(each int, share float64) (least Least, ok bool) {
	if each < 1 || len(x.upTo) == 0 {
		return Least{}, false
	}
	return x.leasts.Of(pairsKey{each, share}, func() Least { return x.atLeast(each, share) }), true
}

func (x *Pairs) atLeast(each int, share float64) (least Least) {
	all, _ := x.mean(topology.BlockPairs{Each: 1})
	least = Least{Price: all.price, Watts: all.watts, MeanM: all.least(share)}
	for next := 0; 2*next < x.blocks; next++ {
		for _, opposite := range [2]bool{false, true} {
			if opposite && x.blocks%2 == 1 {
				continue
			}
			of, _ := x.mean(topology.BlockPairs{Each: each, Next: next, Opposite: opposite})
			least.Price, least.Watts, least.MeanM = min(least.Price, of.price), min(least.Watts, of.watts), min(least.MeanM, of.least(share))
		}
	}
	return least
}

// rectangle is places and rows from the first to the last.
type rectangle struct{ x0, x1, y0, y1 int64 }

// of is where the racks of a block from one to another stand: rows are filled to and fro.
func (r *Ring) of(block, first, last int64) rectangle {
	base := block * r.width
	if block >= r.half {
		base += r.central
	}
	first, last = base+first, base+last
	a, b := rectangle{y0: first / r.perRow, y1: last / r.perRow}, r.perRow-1
	x := func(position, row int64) int64 {
		if at := position - row*r.perRow; row%2 == 0 {
			return at
		}
		return b - (position - row*r.perRow)
	}
	from, to := x(first, a.y0), x(last, a.y1)
	switch {
	case a.y0 == a.y1:
		a.x0, a.x1 = min(from, to), max(from, to)
	case a.y1 > a.y0+1:
		a.x0, a.x1 = 0, b
	case a.y0%2 == 0: // around the upper end
		a.x0, a.x1 = min(from, to), b
	default:
		a.x0, a.x1 = 0, max(from, to)
	}
	return a
}

// rowsTo and placesTo are how far apart two are.
func (a *rectangle) rowsTo(b *rectangle) int64   { return max(0, b.y0-a.y1, a.y0-b.y1) }
func (a *rectangle) placesTo(b *rectangle) int64 { return max(0, b.x0-a.x1, a.x0-b.x1) }
