package evaluator

import (
	"math"

	"toposearch/topology"
)

// blocksKey is a shape of blocks, and how cables are bought. However many such blocks there are, their
// racks follow one another along the rows of the floor, so that only where a row ends inside a block are
// they nearer to each other than along a straight row.
type blocksKey struct {
	family *topology.Family
	like   topology.Values
	bought atRate
}

// atRate is the rank of a rate among those on sale, and whether no faster one will do.
type atRate struct {
	rank int
	same bool
}

// blockShape is the racks of a section of blocks, and their cables by link class.
type blockShape struct {
	racks, per int64         // of a section: racks, blocks
	boxes      int64         // switches of a central rack
	central    uint32        // classes of switches that stand there
	shortest   cableMeans    // of all cables
	of         []blockCables // empty if nothing is known
}

// blockCables is what a cable inside a block needs on average, or where those between blocks end.
type blockCables struct {
	inside, between bool // which of the two is known
	apart           bool // the class joins blocks
	straight        cableMeans
	bent            cableMeans // at least that where a row ends inside the section
	ends            blockEnds
	parts           []blockPart
}

// blockPart is a share of the switches of a block, which follow one another and, in each block of a section, stand in
// one rack.
type blockPart struct {
	share float64
	at    blockEnds
}

// blockEnds are the racks of a section from which cables between blocks go: the first and the last of each block.
type blockEnds [mostTogether][2]uint8

// mostTogether bounds the blocks of a section between which cables are bounded: networks with more have blocks of
// a few endpoints.
const mostTogether = 8

// cableMeans are the mean length, least price (minor units) and least draw of a cable.
type cableMeans struct{ m, price, watts float64 }

// blocksAtLeast bounds from below what the cables of a class need that join all switches of two classes
// in each block; ok is false if nothing is known.
func (e *Evaluator) blocksAtLeast(most *topology.Size, per *topology.PerEndpoint, c int, p *speed, same, closely bool) (out cableMeans, ok bool) {
	x := e.shapeOf(most.Family, per, p, same)
	if x == nil {
		return cableMeans{}, false
	}
	s, f := &e.opt.Site, most.Family
	switch y := &x.of[c]; {
	case y.inside:
		central := int64(0)
		for i := range f.SwitchClasses {
			if x.central&(1<<i) != 0 {
				central += most.Switch[i].Count
			}
		}
		sections := max(1, per.Blocks[0]/x.per) // whole ones
		if out, ok = y.atLeast(s, float64(x.racks), float64(sections), float64((central+x.boxes-1)/x.boxes)); ok && x.per > 1 {
			out = out.toward(&x.shortest, x.alone(per.Blocks))
		}
		return out, ok
	case y.between && x.central == 0:
		return e.betweenAtLeast(sectionsKey{x.racks, x.per, y.ends, atRate{p.rank, same}, per.Blocks[0], per.Blocks[1]}, &per.Fan[c], y.parts, p, closely)
	}
	return cableMeans{}, false
}

// shapeOf gives the shape of a box's blocks, nil if nothing is known.
func (e *Evaluator) shapeOf(f *topology.Family, per *topology.PerEndpoint, p *speed, same bool) *blockShape {
	s := &e.opt.Site
	if per.Blocks[1] == 0 || f.Place == nil || s.Buildings > 1 || s.RackPowerW > 0 || e.scaled(f) || len(p.steps) == 0 {
		return nil
	}
	key := blocksKey{f, per.Like, atRate{p.rank, same}}
	x, ok := e.blocks.find(key)
	if !ok {
		x = e.layBlock(key, p)
		e.blocks.keep(key, x)
	}
	if len(x.of) == 0 || per.Blocks[0] < x.per { // fewer blocks have a section of another shape
		return nil
	}
	return x
}

// farthestAtLeast bounds from below the longest cable of a class that joins all pairs of blocks; 0 if nothing is known.
func (e *Evaluator) farthestAtLeast(f *topology.Family, per *topology.PerEndpoint, c int, p *speed) float64 {
	if per.Fan[c].Evenly == 0 {
		return 0
	}
	x := e.shapeOf(f, per, p, true)
	if x == nil || !x.of[c].apart || x.central != 0 {
		return 0
	}
	// A section begins in the first corner, and one holds the place at the far end of the last row but one, which is
	// full: its racks are in that row, or near that end of the next ones.
	s := &e.opt.Site
	racks := ceilDiv(per.Blocks[0], x.per) * x.racks
	rows, perRow := s.hall(racks)
	places := perRow - 2*x.racks
	if per.Blocks[0] < per.Blocks[1] {
		// Of more racks a hall that is longer than deep has one row less at most, and rows that are shorter by one
		// row's share.
		places, rows = perRow*rows/(rows+1)-1-2*x.racks, rows-1
		if s.Rows > 0 || rows*rows > racks {
			return 0
		}
	}
	if places <= 0 || rows <= 3 {
		return 0
	}
	return s.lengthM(places, rows-3, false)
}

// alone is the largest share of the blocks that stand in a section of fewer.
func (x *blockShape) alone(blocks [2]int64) float64 {
	left := x.per - 1
	if blocks[0] == blocks[1] {
		left = blocks[0] % x.per
	}
	return float64(left) / float64(blocks[0])
}

// atLeast bounds the means over at least so many sections, beside so many central racks at most. ok is false
// if sections may be wider than rows.
func (x *blockCables) atLeast(s *Site, width, sections, central float64) (out cableMeans, ok bool) {
	// As arrange has it. Of more racks the rows are longer; of more sections fewer lie at their ends.
	racks := sections * width
	rows := math.Sqrt(racks*s.RackPitchM/s.RowPitchM) + 0.5
	ends := math.Sqrt((racks+central)*s.RackPitchM/s.RowPitchM) / sections
	if s.Rows > 0 {
		rows = float64(s.Rows)
		ends = rows / sections
	}
	if width > 1 && racks*below < max(rows, 1)*width {
		return cableMeans{}, false
	}
	return x.straight.toward(&x.bent, min(1, ends)), true
}

// toward replaces a share of the cables by others that need less.
func (x cableMeans) toward(y *cableMeans, share float64) cableMeans {
	mix := func(a, b float64) float64 { return a - share*max(0, a-b) }
	return cableMeans{mix(x.m, y.m), mix(x.price, y.price), mix(x.watts, y.watts)}
}

func (x *cableMeans) add(n float64, y *cableMeans) {
	x.m += n * y.m
	x.price += n * y.price
	x.watts += n * y.watts
}

func (x *cableMeans) scale(by float64) {
	x.m *= by
	x.price *= by
	x.watts *= by
}

func (x cableMeans) least(y cableMeans) cableMeans {
	return cableMeans{min(x.m, y.m), min(x.price, y.price), min(x.watts, y.watts)}
}
