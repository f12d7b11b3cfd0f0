package family

import "toposearch/topology"

// Routes of hammingmesh in closed form. A line of boards, one after another along a dimension, with the network that joins their
// edges is a graph of its own, and a route is one along x and then one along y. On a board of a accelerators in a row the
// network is one node more, next to both edges: a ring of a+1. To another board a route leaves by the nearer edge and enters by the
// one that is nearer to its destination; where two ways are as short, each takes half.

// hammingMostSide is the most accelerators of a board along a dimension.
const hammingMostSide = 16

// hammingSide is what a board of some length does along a dimension, in halves of an ordered pair of accelerators in a line.
type hammingSide struct {
	board, nic   int64                  // sums of links crossed between those of the board: traces, and to or from the network
	bare         int64                  // pairs of those that stay on traces
	longest      int                    // links of the longest of these
	longestNic   int                    // links of the longest way over the network that stays on the board, 0 if there is none
	away         int64                  // traces crossed between the accelerators of two boards
	edge         int                    // traces from the accelerator that is farthest from the edges
	inner, outer [hammingMostSide]int64 // pairs of the board, and of it with one other, over the trace after each, in one direction
}

// hammingSides are those of boards of 1 to hammingMostSide.
var hammingSides = func() (all [hammingMostSide + 1]hammingSide) {
	for a := 1; a <= hammingMostSide; a++ {
		all[a].fill(a)
	}
	return all
}()

func (h *hammingSide) fill(a int) {
	for i := range a {
		near := min(i, a-1-i)
		h.edge = max(h.edge, near)
		h.away += 4 * int64(a*near) // to, and from, as many
		h.bare += 2                 // to itself
		for to := range a {
			if to == i {
				continue
			}
			d := max(i-to, to-i)
			round := a + 1 - d // over the network
			if d <= round {
				h.add(i, to, halves(d, round))
			}
			if round <= d {
				h.around(a, i, to, halves(round, d))
			}
		}
		// By the edge of the last, over the traces from i on, and by that of the first to i.
		for at := range a - 1 {
			if at >= i {
				h.outer[at] += int64(a) * halves(a-1-i, i)
			} else {
				h.outer[at] += int64(a) * halves(i, a-1-i)
			}
		}
	}
}

// halves is the weight of a way of so many links beside another one.
func halves(links, other int) int64 {
	switch {
	case links < other:
		return 2
	case links == other:
		return 1
	}
	return 0
}

// add counts a way over traces alone.
func (h *hammingSide) add(from, to int, weight int64) {
	d := max(from-to, to-from)
	h.bare += weight
	h.board += weight * int64(d)
	h.longest = max(h.longest, d)
	for at := from; at < to; at++ {
		h.inner[at] += weight
	}
}

// around counts a way over the network from an edge to the other.
func (h *hammingSide) around(a, from, to int, weight int64) {
	d := max(from-to, to-from)
	h.board += weight * int64(a-1-d)
	h.nic += weight * 2
	h.longestNic = max(h.longestNic, a+1-d)
	if from < to {
		return // in the other direction
	}
	for at := range a - 1 {
		if at >= from || at < to {
			h.inner[at] += weight
		}
	}
}

// hammingLine is what a whole line of boards does, in halves of the ordered pairs from the accelerators of one board.
type hammingLine struct {
	pairs, bare         int64
	board, nic, up      int64   // sums of links crossed
	longest, longestNic int     // links of the longest route over traces alone, and of those over the network
	peak                float64 // of the traces
	boards, perLeaf     int64   // and those that share a leaf
}

// hammingLineOf is that of dimension d.
func hammingLineOf(v hammingmeshParams, d int) (l hammingLine) {
	a, x := v.side(d), int64(v.boards(d))
	h := &hammingSides[a]
	l.boards, l.perLeaf = x, x
	if leaves, _, _ := line(v.boards(d), v.k()); leaves > 1 {
		l.perLeaf = x / int64(leaves)
	}
	each := 2 * int64(a*a) // pairs with another board
	l.pairs, l.bare = x*each, h.bare
	l.board = h.board + (x-1)*h.away
	l.nic = h.nic + 2*(x-1)*each
	l.up = 2 * (x - l.perLeaf) * each
	l.longest, l.longestNic = h.longest, h.longestNic
	if x > 1 {
		l.longestNic = max(l.longestNic, 2*h.edge+2)
	}
	if x > l.perLeaf {
		l.longestNic = max(l.longestNic, 2*h.edge+4)
	}
	l.peak = 1
	if l.board > 0 {
		most := int64(0)
		for at := range a - 1 {
			most = max(most, h.inner[at]+(x-1)*h.outer[at])
		}
		l.peak = float64(most) * float64(2*(a-1)) / float64(l.board)
	}
	return l
}

// hammingPeaks fills the loads of the busiest channels: networks load all their links alike, those of the two dimensions differently.
func hammingPeaks(v hammingmeshParams, x, y *hammingLine, p *topology.Paths) {
	p.Peak[hammingBoardX], p.Peak[hammingBoardY] = x.peak, y.peak
	nx, ny := float64(x.nic)*float64(y.pairs), float64(y.nic)*float64(x.pairs) // of a board
	a, b := float64(v.a()), float64(v.b())
	if nx+ny > 0 {
		p.Peak[hammingNic] = max(nx/b, ny/a) * (a + b) / (nx + ny)
	}
}

// briefHamming is what hammingPaths lists, of the sources of one board.
func briefHamming(v []int, p *topology.Paths) bool {
	d := hammingmeshParams(v)
	x, y := hammingLineOf(d, 0), hammingLineOf(d, 1)
	s := &p.Sums
	*s = topology.Sums{}
	all := x.pairs * y.pairs // less than 2^4 * 2^8 * 2^31
	s.Pairs = all - 4*int64(d.a()*d.b())
	s.Cross[hammingBoardX], s.Cross[hammingBoardY] = x.board*y.pairs, y.board*x.pairs
	s.Cross[hammingRowUp], s.Cross[hammingColumnUp] = x.up*y.pairs, y.up*x.pairs
	s.Cross[hammingNic] = x.nic*y.pairs + y.nic*x.pairs
	for _, c := range s.Cross {
		s.Links += c
	}
	s.Hops = s.Links - 2*(all-x.bare*y.bare)
	s.MaxLinks = max(x.longest, x.longestNic) + max(y.longest, y.longestNic)
	s.MaxHops = x.longest + y.longest
	if x.longestNic > 0 {
		s.MaxHops = max(s.MaxHops, x.longestNic+max(y.longest, y.longestNic)-2)
	}
	if y.longestNic > 0 {
		s.MaxHops = max(s.MaxHops, y.longestNic+max(x.longest, x.longestNic)-2)
	}
	hammingPeaks(d, &x, &y, p)
	return true
}

// hammingWay is a way along a line: links crossed, and halves of pairs from a board that take it.
type hammingWay struct {
	board, nic, up int16
	weight         int64
}

// hammingWays lists the ways along a line.
func hammingWays(v hammingmeshParams, d int) (ways []hammingWay) {
	a, l := v.side(d), hammingLineOf(v, d)
	add := func(board, nic, up int, weight int64) {
		for i := range ways {
			if w := &ways[i]; int(w.board) == board && int(w.nic) == nic && int(w.up) == up {
				w.weight += weight
				return
			}
		}
		if weight > 0 {
			ways = append(ways, hammingWay{int16(board), int16(nic), int16(up), weight})
		}
	}
	for i := range a {
		for to := range a {
			d := max(i-to, to-i)
			add(d, 0, 0, halves(d, a+1-d))
			add(a-1-d, 2, 0, halves(a+1-d, d))
			near := min(i, a-1-i) + min(to, a-1-to)
			add(near, 2, 0, 2*(l.perLeaf-1))
			add(near, 2, 2, 2*(l.boards-l.perLeaf))
		}
	}
	return ways
}

// hammingPaths lists the ways along x times those along y.
func hammingPaths(v []int, p *topology.Paths) bool {
	d := hammingmeshParams(v)
	p.Reset()
	ys := hammingWays(d, 1)
	for _, x := range hammingWays(d, 0) {
		for _, y := range ys {
			c := crossing(2)
			c[hammingNic] = x.nic + y.nic
			c[hammingBoardX], c[hammingBoardY] = x.board, y.board
			c[hammingRowUp], c[hammingColumnUp] = x.up, y.up
			w := x.weight * y.weight
			if c == crossing(2) {
				w -= 4 * int64(d.a()*d.b()) // to itself
			}
			p.Add(w, c)
		}
	}
	x, y := hammingLineOf(d, 0), hammingLineOf(d, 1)
	hammingPeaks(d, &x, &y, p)
	return true
}

// hammingDiameter: a walk along y needs an accelerator of the line along x, and the other way around. So two switches of networks along
// x that do not belong to one line are as far apart as by way of some accelerator of theirs, and then along y as accelerators are.
func hammingDiameter(v []int) int {
	d := hammingmeshParams(v)
	var far, from, via [2]int // between accelerators, to one from a switch, and between switches by way of one
	for i := range 2 {
		l := hammingLineOf(d, i)
		edge := hammingSides[d.side(i)].edge
		far[i] = max(l.longest, l.longestNic)
		from[i], via[i] = 1+edge, 2
		if l.boards > l.perLeaf {
			from[i], via[i] = 3+edge, 4
		}
	}
	most := max(far[0]+far[1], from[0]+far[1], far[0]+from[1], from[0]+from[1])
	for i := range 2 {
		if j := 1 - i; d.side(j)*d.boards(j) > 1 {
			most = max(most, via[i]+far[j])
		}
	}
	return most
}
