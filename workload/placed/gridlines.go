package placed

import (
	"slices"

	"toposearch/workload"
)

// gridLines counts what a pattern of ranks on the first endpoints in order loads a grid with whose switches are numbered by their coordinates, line by line, of lines that are alike one.
//
// A pattern is moves: endpoints whose place in a block of ranks is in an interval send to those so much further on. In a dimension a message takes the line that has the lower coordinates of its
// destination and the higher ones of its source. Those that take a line by the same move have the same lower coordinates, and go equally far on it: loads depend on where these
// endpoints are in blocks, and on whether lower coordinates carry.
type gridLines struct {
	*Grid
	of    workload.Group
	p     pattern
	ranks int
	block int // of ranks
	all   []gridMove
	// Switches are numbered cell by cell, of so many coordinates each along each dimension, and so many endpoints if there is one at a switch; else of one each.
	cell []int
	unit int

	at          int         // the dimension at hand,
	below, size int         // endpoints below its coordinate, or cells, and its cells
	moves       []gridMove  // those with the same lower coordinates and higher ones in a cell, of what comes to a line
	way         []float64   // of a ring, as in gridLoads; of a star what switches send, and behind that what they receive
	by          [][]float64 // where all are joined: by distance, what each switch sends so far
	used        []int       // of these distances
	cuts        []int
	most        float64
	values      []float64 // what links carry, once each, if asked is set,
	asked       bool
	idle        bool // and whether one carries nothing
}

// gridMove is messages from places from to to of blocks to those so many endpoints further on. In the dimension at hand those from a coordinate of a cell, by an endpoint in it, are to a coordinate of one that is so many cells further on, and
// so many below.
type gridMove struct{ from, to, ahead, far, rest, own, other, endpoint int }

// byLines are the levels of a pattern of so many ranks on the first endpoints in order, and ways if it is asked for them; false: messages have to be counted otherwise.
func (g *Grid) byLines(of workload.Group, p pattern, ranks int, ways bool) (levels []float64, out []busiest, ok bool) {
	each := float64(g.PerSwitch * p.sends(of)) // sent by every switch, if ways are asked for
	n := product(g.Dims)
	g, cell, turned, ok := g.lined(of, p, ranks, ways)
	if !ok {
		return nil, nil, false
	}
	if turned && !p.All {
		p.Shift = of.Size - p.Shift
	}
	x := &gridLines{Grid: g, of: of, p: p, ranks: ranks, block: of.Stride * of.Size, asked: ways, cell: cell, unit: product(cell)}
	p.each(of, func(shift int) {
		ahead := shift * of.Stride
		x.all = append(x.all, gridMove{from: 0, to: x.block - ahead, ahead: ahead}, gridMove{from: x.block - ahead, to: x.block, ahead: ahead - x.block})
	})
	levels, x.below = make([]float64, len(g.Dims)), g.PerSwitch
	if ways {
		out = make([]busiest, len(g.Dims))
	}
	for d, s := range g.Dims {
		if s < 2 {
			continue
		}
		x.dimension(d)
		levels[d] = x.most
		if ways {
			step := x.below / g.PerSwitch
			times := n / (step * s)
			legs := (&legsAlong{times: times, step: step}).of(float64(step)*each, float64(times)*each)
			for _, carried := range x.values {
				out[d] = out[d].add(linkLoad{carried, legs})
			}
			if x.idle {
				out[d] = out[d].add(linkLoad{0, legs})
			}
		}
		x.below *= s / cell[d]
	}
	if turned {
		slices.Reverse(levels)
	}
	return levels, out, true
}

// lined tells whether byLines counts a pattern, and is the grid as cells has it.
func (g *Grid) lined(of workload.Group, p pattern, ranks int, ways bool) (same *Grid, cell []int, turned, ok bool) {
	n := product(g.Dims)
	if p.All && of.Size > mostShifts || ways && (n < 3 || ranks != n*g.PerSwitch || of.Stride%g.PerSwitch != 0) {
		return nil, nil, false, false
	}
	if g, cell, turned, ok = g.cells(); !ok {
		return nil, nil, false, false
	}
	for d, s := range g.Dims {
		if ring, apart := g.ring(d); ring > 0 && (ring != s || apart != 1) || ways && (ring > 0 || g.star(d) || turned || product(cell) > 1) {
			return nil, nil, false, false
		}
	}
	return g, cell, turned, true
}

// cells are the coordinates of a cell along each dimension, of a grid whose switches are numbered inside cells as cells are, by their coordinates from the first dimension on. turned is a grid with all dimensions the other way round, where they are numbered from
// the last on: a message takes the links back there that the one from its destination to its source takes here.
func (g *Grid) cells() (same *Grid, cell []int, turned, ok bool) {
	n := len(g.Dims)
	cell = slices.Repeat([]int{1}, n)
	if g.Digits == nil {
		return g, cell, false, true
	}
	if len(g.Digits) != n && len(g.Digits) != 2*n {
		return nil, nil, false, false
	}
	if turned = n > 1 && g.Digits[0].Dim == n-1; turned {
		same = new(Grid)
		*same = *g
		same.Dims, same.Rings, same.Apart, same.Open, same.Stars = reversed(g.Dims), reversed(g.Rings), reversed(g.Apart), reversed(g.Open), reversed(g.Stars)
		same.Digits = slices.Clone(g.Digits)
		for i := range same.Digits {
			same.Digits[i].Dim = n - 1 - same.Digits[i].Dim
		}
		g = same
	}
	if len(g.Digits) == 2*n && g.PerSwitch == 1 {
		for d := range cell {
			cell[d] = g.Digits[d].Values
		}
	}
	for i, x := range g.Digits[len(g.Digits)-n:] {
		if x != (Digit{i, g.Dims[i] / cell[i]}) || len(g.Digits) > n && g.Digits[i] != (Digit{i, cell[i]}) {
			return nil, nil, false, false
		}
	}
	return g, cell, turned, true
}

func reversed[T any](list []T) []T {
	list = slices.Clone(list)
	slices.Reverse(list)
	return list
}

// dimension is what the busiest link of a dimension carries. Sources of a line have the same higher coordinates, and so are among endpoints in a row, a slab: where in blocks it begins says what its
// lines carry, and which of their places it is in if it is in one.
func (x *gridLines) dimension(d int) {
	x.at, x.size, x.most, x.idle = d, x.Dims[d]/x.cell[d], 0, false
	x.way, x.used, x.values = x.way[:0], x.used[:0], x.values[:0]
	switch ring, _ := x.ring(d); {
	case ring > 0:
		x.way = slices.Grow(x.way[:0], 2*(ring+1))[:2*(ring+1)]
	case x.star(d):
		x.way = slices.Grow(x.way[:0], 2*x.Dims[d])[:2*x.Dims[d]]
	default:
		x.by = make([][]float64, x.Dims[d])
	}
	clear(x.way)
	for class := range x.unit / x.cell[d] {
		x.class(class)
		slab := x.below * x.size * x.unit
		seen, whole := make(map[int]bool), x.ranks/slab
		for u := range min(whole, x.block/gcd(x.block, slab)) { // after these slabs begin at the same places again
			place, alike := x.alike(u*slab%x.block, slab)
			if alike && seen[place] {
				continue
			}
			seen[place] = seen[place] || alike
			x.slab(u*x.below*x.size, alike)
		}
		if whole*slab < x.ranks {
			x.slab(whole*x.below*x.size, false)
		}
	}
}

// class has the moves by which messages come to lines that have the same lower coordinates of destinations and higher ones of sources in cells, of which there are as many as cells have switches without the dimension at hand.
func (x *gridLines) class(class int) {
	x.moves = x.moves[:0]
	for _, m := range x.all {
		for own := range x.cell[x.at] {
			source, dest, carry, fixed, step := 0, 0, 0, class, 1
			m.own = own
			for d, n := range x.cell {
				more := mod(m.ahead, x.unit)/step%n + carry
				from := own
				if d != x.at {
					from, fixed = fixed%n, fixed/n
				}
				if d < x.at {
					from = mod(from-more, n)
				}
				to := (from + more) % n
				if d == x.at {
					m.other = to
				}
				carry = (from + more) / n
				source, dest, step = source+from*step, dest+to*step, step*n
			}
			cells := (m.ahead + source - dest) / x.unit
			m.endpoint = source
			m.rest = mod(cells, x.below)
			m.far = mod((cells-m.rest)/x.below, x.size)
			x.moves = append(x.moves, m)
		}
	}
}

// alike tells whether all of so many endpoints from a place of a block on send by the same moves, and a number for which.
func (x *gridLines) alike(place, n int) (which int, ok bool) {
	if x.p.All {
		return place / x.of.Stride, place%x.of.Stride+n <= x.of.Stride
	}
	if back := x.all[1].from; place < back {
		return 0, place+n <= back
	}
	return 1, place+n <= x.block
}

// slab is the lines of so many endpoints from one on. Lines of switches with other lower coordinates are alike as long as as many of their sources have begun or ended to send
// by each move (line), and where that was the case in another block; but for those between which a carry begins.
func (x *gridLines) slab(first int, alike bool) {
	cuts := append(x.cuts[:0], x.below)
	end := (first + x.below*x.size) * x.unit
	for _, m := range x.moves {
		if m.rest > 0 {
			cuts = append(cuts, m.rest)
		}
		if end > x.ranks {
			cuts = append(cuts, mod((x.ranks-m.endpoint+x.unit-1)/x.unit-first+m.rest, x.below))
		}
	}
	slices.Sort(cuts)
	x.cuts = cuts
	per := x.PerSwitch
	period := x.block / gcd(x.block, per*x.unit) * per
	for low := 0; low < x.below; {
		for cuts[0] <= low {
			cuts = cuts[1:]
		}
		next := cuts[0] / per * per // up to there all carry alike
		if next <= low {
			x.line(first, low, alike)
			low += per
			continue
		}
		for to := min(next, low+period); low < to; {
			low += x.line(first, low, alike) / per * per
		}
		low = next
	}
}

// line is what comes to the endpoints of the switch from low on below the coordinate, from sources in the slab from first on, and for how many endpoints more below another line is as this
// one, as far as sources are concerned; at least those of a switch.
func (x *gridLines) line(first, low int, alike bool) (more int) {
	more = x.below * x.unit
	step := x.below * x.unit % x.block
	for i := range x.moves {
		m := &x.moves[i]
		for carry := range 2 {
			from, to := max(low, m.rest), low+x.PerSwitch
			if carry == 1 {
				from, to = low, min(low+x.PerSwitch, m.rest)
			}
			n, far := to-from, m.far+carry
			if n <= 0 || far%x.size == 0 && m.own == m.other {
				continue
			}
			at := (first+from-m.rest+carry*x.below)*x.unit + m.endpoint // the first source
			place := at % x.block
			if alike && (place < m.from || place >= m.to) {
				continue
			}
			for c := range x.size {
				some := max(0, min(n, x.ranks-at-c*x.below*x.unit))
				if !alike {
					some = m.of(place, some, x.block)
					switch {
					case place < m.from:
						more = min(more, m.from-place)
					case place < m.to:
						more = min(more, m.to-place)
					default:
						more = min(more, m.from+x.block-place)
					}
					if place += step; place >= x.block {
						place -= x.block
					}
				}
				if some > 0 {
					x.pass(m.own+c*x.cell[x.at], m.other+(c+far)%x.size*x.cell[x.at], float64(some))
				}
			}
		}
	}
	x.end()
	return max(more/x.unit, x.PerSwitch)
}

// of is how many of so many endpoints from a place of a block on send by the move.
func (m *gridMove) of(place, n, block int) int {
	in := n / block * (m.to - m.from)
	end := place + n%block
	return in + max(0, min(end, m.to)-max(place, m.from)) + max(0, min(end-block, m.to)-m.from)
}

// pass is messages from a coordinate to another.
func (x *gridLines) pass(from, to int, share float64) {
	switch ring, _ := x.ring(x.at); {
	case ring > 0:
		around(x.way, x.open(x.at), from, to, share)
	case x.star(x.at):
		x.way[from] += share
		x.way[x.Dims[x.at]+to] += share
	default:
		far := mod(to-from, x.Dims[x.at])
		if x.by[far] == nil {
			x.by[far] = make([]float64, x.Dims[x.at])
			x.used = append(x.used, far)
		}
		x.by[far][from] += share
	}
}

// end takes what the links of a line carry, and forgets it.
func (x *gridLines) end() {
	ring, _ := x.ring(x.at)
	sum := 0.0
	for _, share := range x.way {
		if ring > 0 { // what is at the end of a way brings the sum back to nothing
			sum += share
			share = sum
		}
		x.most = max(x.most, share)
	}
	clear(x.way)
	for _, far := range x.used {
		for i, share := range x.by[far] {
			x.carries(share)
			x.by[far][i] = 0
		}
	}
	x.idle = x.idle || len(x.used) < x.Dims[x.at]-1
}

// carries is a link where all are joined.
func (x *gridLines) carries(share float64) {
	x.most = max(x.most, share)
	switch {
	case !x.asked:
	case share == 0:
		x.idle = true
	case !slices.Contains(x.values, share):
		x.values = append(x.values, share)
	}
}

// mod is what is left of a number, from 0 on, whatever its sign.
func mod(a, b int) int { return (a%b + b) % b }
