package placed

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"toposearch/internal/stream"
	"toposearch/topology"
	"toposearch/workload"
	"toposearch/workload/collective"
)

// mostCycled bounds the switches of grids in which disjoint rings are sought, and mostCovers how many: a tenth of a second, and as many links as a
// rank seldom sends on at once.
const mostCycled, mostCovers = 1 << 12, 64

// mostStarred bounds the ranks of two stars, whose rings need no search: their messages are counted one by one, in some 0.1 s.
const mostStarred = 1 << 16

// Cycles are Hamiltonian cycles of a grid that share no link, as many as are found, by switches; Lines are divided
// into cycles first: a ring is one, and n switches that are all joined have (n-1)/2 of them (Walecki: Alspach, Bull. ICA 52, 2008). All those of one kind
// along a dimension cover every switch, and two such covers exchange the sides of squares of which each has two opposite ones, which joins cycles, as Kotzig
// (1973) decomposes the product of two rings. Squares are drawn, and an exchange that leaves more cycles is undone; covers that are no single cycle at the end are left out.
func (g *Grid) Cycles() (out [][]int32) {
	n := product(g.Dims)
	if n < 3 || n > mostCycled {
		return nil
	}
	c := covers{g: g, n: n}
	step := 1
	for d, s := range g.Dims {
		for _, line := range g.lineCycles(d) {
			if len(c.next) < mostCovers {
				c.cover(step, s, line)
			}
		}
		step *= s
	}
	if len(c.next) == 0 {
		return nil
	}
	c.join(stream.New(1, "disjoint rings"))
	for f := range c.next {
		if order := c.order(f); len(order) == n {
			out = append(out, order)
		}
	}
	return out
}

// DirectedRings are Cycles both ways round: rings of channels. On two stars of as many ranks they are two rings, each of which leaves and enters every rank by the
// port that the other does not.
func (g *Grid) DirectedRings() (out [][]int32) {
	if out = g.starRings(); out != nil {
		return out
	}
	for _, ring := range g.Cycles() {
		back := slices.Clone(ring)
		slices.Reverse(back)
		out = append(out, ring, back)
	}
	return out
}

// starRings are the rings of two stars of s ranks each, nil if a grid is something else. Both take a step along either star, so that the sum of coordinates is one more
// modulo s; the first takes it along the first star but where that sum is s-1, and is through with all ranks after s times s steps, and the second along the other.
func (g *Grid) starRings() (out [][]int32) {
	n, size, steps, step := product(g.Dims), 0, []int(nil), 1
	for d, s := range g.Dims {
		if s > 1 {
			if !g.star(d) || len(steps) > 0 && s != size {
				return nil
			}
			size, steps = s, append(steps, step)
		}
		step *= s
	}
	if len(steps) != 2 || n > mostStarred {
		return nil
	}
	for first := range 2 {
		ring, at := make([]int32, 0, n), [2]int{}
		for i := range n {
			ring = append(ring, int32(at[0]*steps[0]+at[1]*steps[1]))
			along := first
			if i%size == size-1 {
				along = 1 - first
			}
			at[along] = (at[along] + 1) % size
		}
		out = append(out, ring)
	}
	return out
}

// lineCycles are disjoint Hamiltonian cycles of a line of a dimension; of a star one: each rank has one port to its middle, which two neighbours of a cycle fill both ways.
func (g *Grid) lineCycles(d int) (out [][]int32) {
	s := g.Dims[d]
	if ring, _ := g.ring(d); ring > 0 {
		if ring != s || g.open(d) {
			return nil
		}
		line := make([]int32, s)
		for i := range line {
			line[i] = int32(i)
		}
		return [][]int32{line}
	}
	if s < 3 {
		return nil
	}
	// Walecki: a hub, and zigzags over the others on a circle, each turned by one against the one before: of an odd number all links are in one of them, of
	// an even number all but one of each switch.
	most := min((s-1)/2, mostCovers)
	if g.star(d) {
		most = 1
	}
	for turn := range most {
		line := []int32{int32(s - 1)}
		for i := range s - 1 {
			line = append(line, int32(((turn+zigzag(i))%(s-1)+s-1)%(s-1)))
		}
		out = append(out, line)
	}
	return out
}

// zigzag is 0, 1, -1, 2, -2, ...
func zigzag(i int) int {
	if i%2 == 1 {
		return (i + 1) / 2
	}
	return -i / 2
}

// covers are sets of cycles, each of which passes every switch once; no two share a link.
type covers struct {
	g    *Grid
	n    int
	next [][][2]int32 // by cover and switch: its two neighbours
}

// cover adds one that repeats a cycle along all lines of a dimension.
func (c *covers) cover(step, size int, line []int32) {
	next, at := make([][2]int32, c.n), make([]int, size)
	for i, x := range line {
		at[x] = i
	}
	for v := range next {
		x := v / step % size
		base, i := v-x*step, at[x]
		before, after := line[(i+size-1)%size], line[(i+1)%size]
		next[v] = [2]int32{int32(base + int(before)*step), int32(base + int(after)*step)}
	}
	c.next = append(c.next, next)
}

// count is the number of cycles of a cover.
func (c *covers) count(f int, seen []bool) (cycles int) {
	clear(seen)
	for v := range seen {
		if seen[v] {
			continue
		}
		cycles++
		for before, at := int32(-1), int32(v); !seen[at]; {
			seen[at] = true
			to := c.next[f][at][0]
			if to == before {
				to = c.next[f][at][1]
			}
			before, at = at, to
		}
	}
	return cycles
}

// join exchanges sides of squares until each cover is one cycle, or draws are used up: 64 for each cycle there is to join, and as many more as there are switches.
func (c *covers) join(rng *rand.Rand) {
	seen, cycles, left := make([]bool, c.n), make([]int, len(c.next)), 0
	for f := range c.next {
		cycles[f] = c.count(f, seen)
		left += cycles[f] - 1
	}
	for draws := 64*left + c.n; draws > 0 && left > 0; draws-- {
		f, h := rng.IntN(len(c.next)), rng.IntN(len(c.next))
		v := int32(rng.IntN(c.n))
		u, w := c.next[f][v][rng.IntN(2)], c.next[h][v][rng.IntN(2)]
		if f == h || cycles[f] == 1 && cycles[h] == 1 {
			continue
		}
		x := c.opposite(v, u, w)
		if x < 0 || !c.joined(f, w, x) || !c.joined(h, u, x) {
			continue
		}
		moreF, moreH := c.change(f, v, u, w, x), c.change(h, v, w, u, x)
		c.exchange(f, v, u, w, x)
		c.exchange(h, v, w, u, x)
		if moreF+moreH > 0 { // made and undone, which on rings of two leaves neighbours the other way round
			c.exchange(f, v, w, u, x)
			c.exchange(h, v, u, w, x)
			continue
		}
		left += moreF + moreH
		cycles[f] += moreF
		cycles[h] += moreH
	}
}

// change is how many cycles more a cover has with the sides v-w and u-x of a square in place of v-u and w-x: one less if these are on two, one more if on the way from v away from u
// w comes before x, so that what is between v and w is closed.
func (c *covers) change(f int, v, u, w, x int32) int {
	next := c.next[f]
	for before, at := u, v; ; {
		to := next[at][0]
		if to == before {
			to = next[at][1]
		}
		switch before, at = at, to; at {
		case u:
			return -1
		case w:
			return 1
		case x:
			return 0
		}
	}
}

// opposite is the fourth corner of the square of v with its neighbours u and w along two dimensions, -1 if they are along one.
func (c *covers) opposite(v, u, w int32) int32 {
	step, along := int32(1), [2]int32{}
	for _, s := range c.g.Dims {
		size := int32(s)
		for i, y := range [2]int32{u, w} {
			if v/step%size != y/step%size {
				along[i] = step
			}
		}
		step *= size
	}
	if along[0] == along[1] {
		return -1
	}
	return u + w - v
}

func (c *covers) joined(f int, a, b int32) bool { return c.next[f][a][0] == b || c.next[f][a][1] == b }

// exchange takes the sides v-u and w-x of a square from a cover, and gives it v-w and u-x.
func (c *covers) exchange(f int, v, u, w, x int32) {
	swap := func(at, from, to int32) {
		if n := &c.next[f][at]; n[0] == from {
			n[0] = to
		} else {
			n[1] = to
		}
	}
	swap(v, u, w)
	swap(u, v, x)
	swap(w, x, v)
	swap(x, w, u)
}

// order is the cycle of a cover from switch 0 on.
func (c *covers) order(f int) (out []int32) {
	for before, at := int32(-1), int32(0); len(out) == 0 || at != 0; {
		out = append(out, at)
		to := c.next[f][at][0]
		if to == before {
			to = c.next[f][at][1]
		}
		before, at = at, to
	}
	return out
}

// disjointRings is the multi-ring of c over rings that share no channel of the lines on which the ranks of a group stand, one at each switch, with its stages; none if
// there is no second ring. On stars, whose ranks have a port along each dimension (BCube, ZCube), as many rings lead in and out by each of these, so that all ports
// are at work; what they carry is counted.
func (n *Network) disjointRings(ctx context.Context, c workload.Communication) (a collective.Cycles, of []stage, err error) {
	lines, isGrid := n.Shape.(*Grid)
	if cubes, ok := n.Shape.(*Cubes); ok {
		lines = cubes.Lines()
	} else if !isGrid {
		lines = n.Lines
	}
	if lines == nil || n.Domain > 1 || n.Rings == nil || !reduces(c.Kind) {
		return a, nil, nil
	}
	on, ok := n.onEndpoints(c.Group)
	if !ok {
		return a, nil, nil
	}
	one, times, ok := lines.one(on)
	if !ok || one.PerSwitch > 1 {
		return a, nil, nil
	}
	stars := slices.Contains(one.Stars, true)
	if n.model != nil { // as if there were none
		n.model.Ns += ringsNs(one, stars)
		return a, nil, nil
	}
	a.N = c.Size
	a.Rings = one.places(n.Rings(one))
	if len(a.Rings) < 3 && !(stars && len(a.Rings) == 2) { // one ring both ways is one of the rings that are known, where it is not by two ports
		return a, nil, nil
	}
	if !isGrid || stars {
		s, err := a.Schedule(c.Kind)
		if err != nil {
			return a, nil, err
		}
		if of, err = n.starStages(ctx, one, c, s); err != nil || of == nil {
			of, err = n.stages(ctx, c.Group, s, c.Bytes)
		}
		for i := range of {
			of[i] = asRing(c.Size, of[i].far*float64(c.Size)/float64(c.Size-1))
		}
		return a, of, err
	}
	far := 1.0
	for d, s := range one.Dims {
		if s > 1 {
			far = max(far, times/float64(len(a.Rings))/one.Carry[d])
		}
	}
	of = []stage{asRing(c.Size, far)}
	if c.Kind == collective.AllReduce {
		of = append(of, of[0])
	}
	return a, of, nil
}

// starStages are the stages of messages between neighbours of the grid of one group, all of whose lines are stars: they load a port of either end alone, and so
// are counted in one group; nil where other links are, or where a port is busier than ranks are, which detours may relieve.
func (n *Network) starStages(ctx context.Context, one *Grid, c workload.Communication, s *collective.Schedule) ([]stage, error) {
	for d, size := range one.Dims {
		if n.Shape == nil || size > 1 && !one.star(d) {
			return nil, nil
		}
	}
	group := &Network{Shape: one, Endpoint: make([]topology.EndpointID, c.Size), Link: n.Link, Domain: 1}
	for e := range group.Endpoint {
		group.Endpoint[e] = topology.EndpointID(e)
	}
	half := *s
	half.Steps = s.Steps[:1] // the other half sends by the same rings
	of, err := group.stages(ctx, workload.Group{Stride: 1, Size: c.Size}, &half, c.Bytes)
	if err != nil || n.Detours != nil && of[0].far > float64(c.Size-1)/float64(c.Size)*(1+rounding) {
		return nil, err
	}
	return slices.Repeat(of, len(s.Steps)), nil
}

// asRing is a half of an all-reduce around rings on which each step takes far times what it takes where nothing blocks, to the last digit that of a
// single ring: of designs on which nothing blocks none is faster than another by rounding.
func asRing(ranks int, far float64) stage {
	if math.Abs(far-1) <= rounding {
		far = 1
	}
	return stage{ranks - 1, far * (1 / float64(ranks)) * float64(ranks-1), 0}
}

// places are rings of switches in the order of Digits.
func (g *Grid) places(rings [][]int32) (out [][]int32) {
	if g.Digits == nil {
		return rings
	}
	place, weights := make([]int32, product(g.Dims)), g.weights()
	for i := range place {
		place[g.number(i, weights)] = int32(i)
	}
	for _, ring := range rings {
		ring = slices.Clone(ring)
		for i, s := range ring {
			ring[i] = place[s]
		}
		out = append(out, ring)
	}
	return out
}

// reduces tells an all-reduce or a half of one.
func reduces(k collective.Kind) bool {
	return k == collective.AllReduce || k == collective.ReduceScatter || k == collective.AllGather
}

// ringsNs is about what disjoint rings take to be found, and those of stars to be counted.
func ringsNs(g *Grid, stars bool) float64 {
	switch n := float64(product(g.Dims)); {
	case stars && n <= mostStarred:
		return 500 * n
	case !stars && n <= mostCycled:
		return 2000 * n
	}
	return 0
}
