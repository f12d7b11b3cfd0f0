package placed

import (
	"slices"

	"toposearch/workload"
)

// Blocks bounds a network of blocks of consecutive endpoints from below, whose routes stay in a block between two endpoints of it, on the link between their
// switches, which are all joined, and between blocks take one of the links that join the two: as in a dragonfly with its natural routes. Counted are the links
// inside blocks with what blocks send inside, and all links between two blocks together with what these send each other; what is on its way to other
// blocks inside them is not. Where a block is a switch that is all.
type Blocks struct {
	Outer Grid // the blocks as switches
	Inner Grid // a block, without dimensions where blocks are switches
}

func (b Blocks) home(endpoint int) int32 { return int32(endpoint / b.Outer.PerSwitch) }

// Geometry is that of both.
func (b Blocks) Geometry() string { return "blocks " + b.Outer.Geometry() + b.Inner.Geometry() }

func (b Blocks) under(levels []float64) float64 {
	return max(b.Outer.under(levels[:1]), b.Inner.under(levels[1:]))
}

func (b Blocks) blocks() []Subtree { return b.Outer.blocks() }

func (b Blocks) loads() shapeLoads {
	l := &blockLoads{perSwitch: b.Outer.PerSwitch / b.inBlock(), blocks: b.Outer.Dims[0], each: b.inBlock()}
	n := l.blocks * l.each
	all := make([]float64, l.blocks*l.blocks+n*l.each+2*n)
	take := func(n int) (part []float64) {
		part, all = all[:n:n], all[n:]
		return part
	}
	l.outer, l.inner, l.out, l.in = take(l.blocks*l.blocks), take(n*l.each), take(n), take(n)
	return l
}

// closed counts whole groups in blocks, or one place of a group in each, in all patterns, and several places of a group in each where all send to all.
func (b Blocks) closed(g workload.Group, p pattern) (busiest float64, ok bool) {
	busiest, ok = b.Outer.closed(g, p)
	if !ok || len(b.Inner.Dims) == 0 {
		return busiest, ok
	}
	size := b.Outer.PerSwitch
	switch {
	case g.Stride%size == 0:
		return busiest, true
	case size%(g.Stride*g.Size) == 0:
	case p.All && size%g.Stride == 0 && g.Size%(size/g.Stride) == 0:
		g.Size = size / g.Stride // of which each block has whole ones
	default:
		return 0, false
	}
	inside, ok := b.Inner.closed(g, p)
	return max(busiest, inside), ok
}

// inBlock is how many switches a block has.
func (b Blocks) inBlock() int {
	if len(b.Inner.Dims) == 0 {
		return 1
	}
	return b.Inner.Dims[0]
}

// blockLoads are what all links from a block to another carry, at [block*blocks+other], and the link from a switch to another of its block, at
// [switch*each+other].
type blockLoads struct {
	perSwitch, blocks, each int // endpoints of a switch; blocks, and switches of each
	outer, inner            []float64
	out, in                 []float64 // by switch, what its endpoints send to other switches and receive from there
}

func (l *blockLoads) add(from, to int, share float64) {
	a, b := from/l.perSwitch, to/l.perSwitch
	if a == b {
		return
	}
	l.out[a] += share
	l.in[b] += share
	if x, y := a/l.each, b/l.each; x != y {
		l.outer[x*l.blocks+y] += share
	} else {
		l.inner[a*l.each+b-y*l.each] += share
	}
}

func (l *blockLoads) levels() []float64 {
	if l.each == 1 {
		return []float64{slices.Max(l.outer)}
	}
	return []float64{slices.Max(l.outer), slices.Max(l.inner)}
}
