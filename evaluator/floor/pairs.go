package floor

import (
	"toposearch/evaluator/market"
	"toposearch/topology"
)

// Ring is where blocks stand whose switches of one class are linked block by block: all that distances between
// them depend on, so that many designs share one.
type Ring struct {
	blocks, width int64 // racks from a block to the next
	first, last   int64 // racks of a block in which the switches stand, from its first on
	half, central int64 // as many racks stand before the block in the middle
	rows, perRow  int64
}

// mostInRing bounds the blocks between which all distances are measured: 512 have 131,000 pairs, some 0.4 ms.
const mostInRing = 512

// RingOf is where the switches of class i stand; ok is false where blocks share racks, stand in several buildings, or are too
// many.
func (p *Plan) RingOf(i int) (r Ring, ok bool) {
	if p.buildings > 1 || p.perSection > 1 || p.blocks < 2 || p.blocks > mostInRing || p.sharing[i].Per > 1 || p.count[i]%p.blocks != 0 || p.count[i] == 0 {
		return Ring{}, false
	}
	r = Ring{blocks: p.blocks, width: p.endRacks + p.netRacks, half: p.half, central: p.central, rows: p.rows, perRow: p.perRow}
	switch p.home[i] {
	case topology.WithEndpoints:
		r.last = r.width - 1
	case topology.InBlock:
		if !p.both {
			before, all := p.beforeInBlock(i)
			r.first = (p.endRacks+1)/2 + before*p.netRacks/all
			r.last = (p.endRacks+1)/2 + (before+p.share(i)-1)*p.netRacks/all
		}
	default:
		return Ring{}, false
	}
	return r, true
}

// Pairs bounds from below the cables between blocks that are linked in pairs, at a rate.
type Pairs struct {
	blocks int
	upTo   []reached // by places around the ring: of links from every block to each of so many next ones
	half   reached   // of links to the blocks halfway around
}

// reached sums what cables need: metres and the least price, in minor units, and draw, as bought.
type reached struct{ m, price, watts float64 }

func (a *reached) add(n float64, b reached) {
	a.m, a.price, a.watts = a.m+n*b.m, a.price+n*b.price, a.watts+n*b.watts
}

// Pairs measures a ring: between two blocks cables are no shorter than between the rectangles of racks in which their
// switches stand. It takes some 3 ns a pair of blocks.
func (r Ring) Pairs(site *Site, speed *market.Speed) *Pairs {
	x := &Pairs{blocks: int(r.blocks), upTo: make([]reached, 1, r.blocks/2+1)}
	cells := make([]reached, r.rows*r.perRow) // by rows and places between
	for i := range cells {
		dy := int64(i) / r.perRow
		m := max(site.LengthM(int64(i)-dy*r.perRow, dy, false), site.BesideM()) // never one rack
		if i == 0 {
			m = site.BesideM()
		}
		cells[i].m = speed.StockM(m)
		cells[i].price, cells[i].watts = speed.AtLeast(m)
	}
	at := make([]rectangle, r.blocks)
	for b := range at {
		at[b] = r.of(int64(b))
	}
	for d := 1; 2*d <= x.blocks; d++ {
		sum := reached{}
		from := at
		if 2*d == x.blocks {
			from = at[:d]
		}
		to := d
		for i := range from {
			if to == len(at) {
				to = 0
			}
			c := &cells[from[i].rowsTo(&at[to])*r.perRow+from[i].placesTo(&at[to])]
			sum.add(1, *c)
			to++
		}
		if 2*d == x.blocks {
			x.half = sum
		}
		sum.add(1, x.upTo[d-1])
		x.upTo = append(x.upTo, sum)
	}
	return x
}

// links are how many links from every block to each of so many next ones are.
func (x *Pairs) links(next int) int {
	if 2*next == x.blocks { // the last of them from half of the blocks
		return x.blocks*(next-1) + x.blocks/2
	}
	return x.blocks * next
}

// mean is that of links as they are between blocks.
func (x *Pairs) mean(of topology.BlockPairs) (out reached, links int) {
	all := len(x.upTo) - 1
	links = of.Each*x.links(all) + x.links(of.Next)
	var sum reached
	sum.add(float64(of.Each), x.upTo[all])
	sum.add(1, x.upTo[of.Next])
	if of.Opposite {
		links += x.blocks / 2
		sum.add(1, x.half)
	}
	out.add(1/float64(links), sum)
	return out, links
}

// Mean bounds the mean of the cables between blocks that are linked like that, as bought; false if there are none, or not
// as many as there should be.
func (x *Pairs) Mean(of topology.BlockPairs, links int64) (l Least, ok bool) {
	if of.Each < 1 || 2*of.Next >= x.blocks {
		return Least{}, false
	}
	mean, n := x.mean(of)
	return Least{Price: mean.price, Watts: mean.watts, MeanM: mean.m}, int64(n) == links
}

// AtLeast bounds it where every two blocks have so many links at least, whatever further ones there are. More links of all
// make the mean more like that of all: where what is nearer counts less, it rises.
func (x *Pairs) AtLeast(each int) (least Least, ok bool) {
	if each < 1 {
		return Least{}, false
	}
	all, _ := x.mean(topology.BlockPairs{Each: 1})
	least = Least{Price: all.price, Watts: all.watts, MeanM: all.m}
	for next := 0; 2*next < x.blocks; next++ {
		for _, opposite := range [2]bool{false, true} {
			if opposite && x.blocks%2 == 1 {
				continue
			}
			of, _ := x.mean(topology.BlockPairs{Each: each, Next: next, Opposite: opposite})
			least.Price, least.Watts, least.MeanM = min(least.Price, of.price), min(least.Watts, of.watts), min(least.MeanM, of.m)
		}
	}
	return least, true
}

// rectangle is places and rows from the first to the last.
type rectangle struct{ x0, x1, y0, y1 int64 }

// of is where the switches of a block stand: rows are filled to and fro.
func (r *Ring) of(block int64) rectangle {
	base := block * r.width
	if block >= r.half {
		base += r.central
	}
	first, last := base+r.first, base+r.last
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
