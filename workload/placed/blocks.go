package placed

import "toposearch/workload"

// Blocks bounds a network of blocks of consecutive endpoints from below, whose routes stay in a block between two endpoints of it, on the link between their
// switches, which are all joined, and between blocks take one of the links that join the two: as in a dragonfly with its natural routes. Counted are the links
// inside blocks with what blocks send inside, and all links between two blocks together with what these send each other; what is on its way to other
// blocks inside them is not. Where a block is a switch that is all.
type Blocks struct {
	Outer Grid // the blocks as switches
	Inner Grid // a block, and behind its dimension all blocks, between which nothing is counted; without dimensions where blocks are switches
}

func (b Blocks) home(endpoint int) int32 { return int32(endpoint / b.Outer.PerSwitch) }

// Geometry is that of both.
func (b Blocks) Geometry() string { return "blocks " + b.Outer.Geometry() + b.Inner.Geometry() }

func (b Blocks) under(levels []float64) float64 {
	outer := len(b.Outer.Dims)
	return max(b.Outer.under(levels[:outer]), b.Inner.under(levels[outer:]))
}

func (b Blocks) blocks() []Subtree { return b.Outer.blocks() }

func (b Blocks) loads() shapeLoads {
	l := &blockLoads{size: b.Outer.PerSwitch, perSwitch: b.Outer.PerSwitch / b.inBlock(), outer: b.Outer.loads().(*gridLoads)}
	if len(b.Inner.Dims) > 0 {
		l.inner = b.Inner.loads().(*gridLoads)
	}
	n := b.Outer.Dims[0] * b.inBlock()
	l.out, l.in = make([]float64, n), make([]float64, n)
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
	one := Grid{Dims: b.Inner.Dims[:1], PerSwitch: b.Inner.PerSwitch, Carry: b.Inner.Carry[:1]}
	inside, ok := one.closed(g, p)
	return max(busiest, inside), ok
}

// inBlock is how many switches a block has.
func (b Blocks) inBlock() int {
	if len(b.Inner.Dims) == 0 {
		return 1
	}
	return b.Inner.Dims[0]
}

type blockLoads struct {
	size, perSwitch int // endpoints of a block, and of a switch
	outer, inner    *gridLoads
	out, in         []float64 // by switch, what its endpoints send to other switches and receive from there
}

func (l *blockLoads) add(from, to int, share float64) {
	if a, b := from/l.perSwitch, to/l.perSwitch; a != b {
		l.out[a] += share
		l.in[b] += share
	}
	switch {
	case from/l.size != to/l.size:
		l.outer.add(from, to, share)
	case l.inner != nil:
		l.inner.add(from, to, share)
	}
}

func (l *blockLoads) levels() []float64 {
	if l.inner == nil {
		return l.outer.levels()
	}
	return append(l.outer.levels(), l.inner.levels()...)
}
