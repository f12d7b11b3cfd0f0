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
	moves []gridMove

	at          int         // the dimension at hand,
	below, size int         // endpoints below its coordinate, and its switches
	way         []float64   // of a ring, as in gridLoads; of a star what switches send, and behind that what they receive
	by          [][]float64 // where all are joined: by distance, what each switch sends so far
	used        []int       // of these distances
	cuts        []int
	most        float64
	values      []float64 // what links carry, once each, if asked is set,
	asked       bool
	idle        bool // and whether one carries nothing
}

// gridMove is messages from places from to to of blocks to those so many endpoints further on. In the dimension at hand that is so many coordinates, and so many endpoints below.
type gridMove struct{ from, to, ahead, far, rest int }

// byLines are the levels of a pattern of so many ranks on the first endpoints in order, and ways if it is asked for them; false: messages have to be counted otherwise.
func (g *Grid) byLines(of workload.Group, p pattern, ranks int, ways bool) (levels []float64, out []busiest, ok bool) {
	each := float64(g.PerSwitch * p.sends(of)) // sent by every switch, if ways are asked for
	n := product(g.Dims)
	if p.All && of.Size > mostShifts || ways && (n < 3 || ranks != n*g.PerSwitch || of.Stride%g.PerSwitch != 0) {
		return nil, nil, false
	}
	for d, s := range g.Dims {
		ring, apart := g.ring(d)
		if g.Digits != nil && (len(g.Digits) != len(g.Dims) || g.Digits[d] != Digit{d, s}) || ring > 0 && (ring != s || apart != 1) || ways && (ring > 0 || g.star(d)) {
			return nil, nil, false
		}
	}
	x := &gridLines{Grid: g, of: of, p: p, ranks: ranks, block: of.Stride * of.Size, asked: ways}
	p.each(of, func(shift int) {
		ahead := shift * of.Stride
		x.moves = append(x.moves, gridMove{from: 0, to: x.block - ahead, ahead: ahead}, gridMove{from: x.block - ahead, to: x.block, ahead: ahead - x.block})
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
		x.below *= s
	}
	return levels, out, true
}

// dimension is what the busiest link of a dimension carries. Sources of a line have the same higher coordinates, and so are among endpoints in a row, a slab: where in blocks it begins says what its
// lines carry, and which of their places it is in if it is in one.
func (x *gridLines) dimension(d int) {
	x.at, x.size, x.most, x.idle = d, x.Dims[d], 0, false
	x.way, x.used, x.values = x.way[:0], x.used[:0], x.values[:0]
	for i := range x.moves {
		m := &x.moves[i]
		m.rest = mod(m.ahead, x.below)
		m.far = mod((m.ahead-m.rest)/x.below, x.size)
	}
	switch ring, _ := x.ring(d); {
	case ring > 0:
		x.way = slices.Grow(x.way[:0], 2*(ring+1))[:2*(ring+1)]
	case x.star(d):
		x.way = slices.Grow(x.way[:0], 2*x.size)[:2*x.size]
	default:
		x.by = make([][]float64, x.size)
	}
	clear(x.way)
	clear(x.way)
	slab := x.below * x.size
	seen, whole := make(map[int]bool), x.ranks/slab
	for u := range min(whole, x.block/gcd(x.block, slab)) { // after these slabs begin at the same places again
		place, alike := x.alike(u*slab%x.block, slab)
		if alike && seen[place] {
			continue
		}
		seen[place] = seen[place] || alike
		x.slab(u*slab, alike)
	}
	if whole*slab < x.ranks {
		x.slab(whole*slab, false)
	}
}

// alike tells whether all of so many endpoints from a place of a block on send by the same moves, and a number for which.
func (x *gridLines) alike(place, n int) (which int, ok bool) {
	if x.p.All {
		return place / x.of.Stride, place%x.of.Stride+n <= x.of.Stride
	}
	if back := x.moves[1].from; place < back {
		return 0, place+n <= back
	}
	return 1, place+n <= x.block
}

// slab is the lines of so many endpoints from one on. Lines of switches with other lower coordinates are alike as long as as many of their sources have begun or ended to send
// by each move (line), and where that was the case in another block; but for those between which a carry begins.
func (x *gridLines) slab(first int, alike bool) {
	cuts := append(x.cuts[:0], x.below)
	end := first + x.below*x.size
	for _, m := range x.moves {
		if m.rest > 0 {
			cuts = append(cuts, m.rest)
		}
		if end > x.ranks {
			cuts = append(cuts, (x.ranks-first+m.rest)%x.below)
		}
	}
	slices.Sort(cuts)
	x.cuts = cuts
	per := x.PerSwitch
	period := x.block / gcd(x.block, per) * per
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
	more = x.below
	step := x.below % x.block
	for i := range x.moves {
		m := &x.moves[i]
		for carry := range 2 {
			from, to := max(low, m.rest), low+x.PerSwitch
			if carry == 1 {
				from, to = low, min(low+x.PerSwitch, m.rest)
			}
			n, far := to-from, m.far+carry
			if n <= 0 || far%x.size == 0 {
				continue
			}
			at := first + from - m.rest + carry*x.below // of the first source
			place := at % x.block
			if alike && (place < m.from || place >= m.to) {
				continue
			}
			for c := range x.size {
				some := max(0, min(n, x.ranks-at-c*x.below))
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
					x.pass(c, far%x.size, float64(some))
				}
			}
		}
	}
	x.end()
	return max(more, x.PerSwitch)
}

// of is how many of so many endpoints from a place of a block on send by the move.
func (m *gridMove) of(place, n, block int) int {
	in := n / block * (m.to - m.from)
	end := place + n%block
	return in + max(0, min(end, m.to)-max(place, m.from)) + max(0, min(end-block, m.to)-m.from)
}

// pass is a message from a coordinate to that so much further on.
func (x *gridLines) pass(from, far int, share float64) {
	to := (from + far) % x.size
	switch ring, _ := x.ring(x.at); {
	case ring > 0:
		around(x.way, x.open(x.at), from, to, share)
	case x.star(x.at):
		x.way[from] += share
		x.way[x.size+to] += share
	default:
		if x.by[far] == nil {
			x.by[far] = make([]float64, x.size)
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
	x.idle = x.idle || len(x.used) < x.size-1
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
