package family

import "toposearch/topology"

// Levels of hammingMessages: channels of traces and of links to networks stand by accelerator, those inside a network by leaf.
const (
	hammingTraceX = iota // by accelerator: to the next one, to the one before,
	hammingTraceY
	hammingPorts  // by accelerator, dimension and edge: up, down
	hammingClimbX // by network and leaf: up, down
	hammingClimbY
)

// hammingMessages are the ways along x, then along y (hammingRoutes), link by link.
func hammingMessages(v []int) *topology.Messages {
	d := hammingmeshParams(v)
	n := d.a() * d.b() * d.x() * d.y()
	m := &topology.Messages{Levels: []topology.Channels{
		hammingTraceX: {Class: hammingBoardX, Bundles: 2 * n, Each: 1},
		hammingTraceY: {Class: hammingBoardY, Bundles: 2 * n, Each: 1},
		hammingPorts:  {Class: hammingNic, Bundles: 8 * n, Each: 1},
	}}
	a, b, x := d.a(), d.b(), d.x()
	var lines [2]hammingLegs
	for i := range lines {
		leaves, spines, e := line(d.boards(i), d.k())
		lines[i] = hammingLegs{dim: i, side: d.side(i), leaves: leaves, perLeaf: d.boards(i) / leaves}
		m.Levels = append(m.Levels, topology.Channels{Class: hammingRowUp + i, Bundles: 2 * leaves * d.side(1-i) * d.boards(1-i), Each: max(1, spines*e)})
	}
	lines[0].step, lines[0].board = 1, a*b
	lines[1].step, lines[1].board = a, a*b*x
	m.Load = func(from, to int, emit func(level, at int, share float64)) {
		f, t := hammingSpotOf(from, a, b, x), hammingSpotOf(to, a, b, x)
		lines[0].load(f[0], t[0], f[1][1]*b+f[1][0], f[1][0]*lines[1].step+f[1][1]*lines[1].board, emit)
		lines[1].load(f[1], t[1], t[0][1]*a+t[0][0], t[0][0]*lines[0].step+t[0][1]*lines[0].board, emit)
	}
	return m
}

// hammingSpot is where an accelerator is by dimension: its place on its board, and the board.
type hammingSpot [2][2]int

func hammingSpotOf(e, a, b, x int) hammingSpot {
	row, board := e/a, e/(a*b)
	by := board / x
	return hammingSpot{{e - row*a, board - by*x}, {row - board*b, by}}
}

// hammingLegs are routes along a dimension, of boards with so many accelerators in a row, so many boards to a leaf; the next accelerator of a board, and that of the next board, are so much further on.
type hammingLegs struct{ dim, side, leaves, perLeaf, step, board int }

// load is a route from a place and board to another, in the network of a number; base is the accelerator at the first place of the first board.
func (l *hammingLegs) load(from, to [2]int, network, base int, emit func(level, at int, share float64)) {
	if from == to {
		return
	}
	if from[1] == to[1] {
		d := max(from[0]-to[0], to[0]-from[0])
		round := l.side + 1 - d // over the network
		if h := halves(d, round); h > 0 {
			l.along(from[0], to[0], base+from[1]*l.board, float64(h)/2, emit)
		}
		if h := halves(round, d); h > 0 {
			edge := 0
			if from[0] > to[0] {
				edge = 1
			}
			l.port(from, edge, 0, base, float64(h)/2, emit)
			l.port(to, 1-edge, 1, base, float64(h)/2, emit)
		}
		return
	}
	for way, p := range [2][2]int{from, to} {
		low, high := p[0], l.side-1-p[0]
		if h := halves(low, high); h > 0 {
			l.port(p, 0, way, base, float64(h)/2, emit)
		}
		if h := halves(high, low); h > 0 {
			l.port(p, 1, way, base, float64(h)/2, emit)
		}
		if leaf := p[1] / l.perLeaf; from[1]/l.perLeaf != to[1]/l.perLeaf {
			emit(hammingClimbX+l.dim, (network*l.leaves+leaf)*2+way, 1)
		}
	}
}

// along loads the traces between two places of a board, whose first accelerator is base.
func (l *hammingLegs) along(from, to, base int, share float64, emit func(level, at int, share float64)) {
	for ; from < to; from++ {
		emit(hammingTraceX+l.dim, 2*(base+from*l.step), share)
	}
	for ; from > to; from-- {
		emit(hammingTraceX+l.dim, 2*(base+from*l.step)+1, share)
	}
}

// port loads the way from a place to the network by an edge of its board, or, if way is 1, from there.
func (l *hammingLegs) port(p [2]int, edge, way, base int, share float64, emit func(level, at int, share float64)) {
	out := edge * (l.side - 1)
	base += p[1] * l.board
	if way == 0 {
		l.along(p[0], out, base, share, emit)
	} else {
		l.along(out, p[0], base, share, emit)
	}
	emit(hammingPorts, (((base+out*l.step)*2+l.dim)*2+edge)*2+way, share)
}
