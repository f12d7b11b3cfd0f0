package placed

import (
	"fmt"

	"toposearch/workload"
)

// Grid is a network of switches in lines along dimensions, with routes that correct one coordinate after the other. In a line all
// switches are joined to each other (HyperX, nD-FullMesh), and a message takes one hop; or they are a ring (torus), and it goes the shorter
// way round, half of it each way if both are as short; or each has a port to something in their middle (BCube). Loads are counted without building the network.
type Grid struct {
	Dims      []int // switches along each dimension, in the order in which routes take them; the first is the fastest in their numbers
	PerSwitch int   // endpoints of a switch, in the order of Digits
	// Digits are how endpoints are numbered switch by switch, the fastest first; those of a dimension lowest first. nil: as switches are.
	Digits []Digit
	// Carry is what the links between two switches carry each way, by dimension, in units of what an endpoint sends at
	// Link.BytesPerS.
	Carry []float64
	// Rings has the switches of the rings of each dimension, 0 where all are joined; nil: everywhere. Of a ring only every Apart-th
	// switch, from the first, may be in the grid; what these send is then sent by those between them as well.
	Rings, Apart []int
	// Open are rings without the link that closes them; nil: none is.
	Open []bool
	// Stars are lines of ports to a middle, which Carry is of; nil: none is.
	Stars []bool
	spare *gridLoads // of a pattern before, to be used again
}

// Digit is so many values of a coordinate, or of what is left of it above the digits before.
type Digit struct{ Dim, Values int }

// digits are Digits, or those that none stand for.
func (g *Grid) digits() []Digit {
	if g.Digits != nil {
		return g.Digits
	}
	out := make([]Digit, len(g.Dims))
	for d, values := range g.Dims {
		out[d] = Digit{d, values}
	}
	return out
}

// weights are what each of Digits adds to the number of a switch.
func (g *Grid) weights() []int {
	step, out := make([]int, len(g.Dims)), make([]int, len(g.Digits))
	for d := range step {
		step[d] = product(g.Dims[:d])
	}
	for i, x := range g.Digits {
		out[i] = step[x.Dim]
		step[x.Dim] *= x.Values
	}
	return out
}

// number is the switch of that place in the order of Digits, by their weights.
func (g *Grid) number(place int, weights []int) (s int) {
	if g.Digits == nil {
		return place
	}
	for i, x := range g.Digits {
		s += place % x.Values * weights[i]
		place /= x.Values
	}
	return s
}

// star tells whether a dimension is one.
func (g *Grid) star(d int) bool { return g.Stars != nil && g.Stars[d] }

// open tells whether a ring is a line with two ends.
func (g *Grid) open(d int) bool { return g.Open != nil && g.Open[d] }

// Geometry is all but Carry.
func (g *Grid) Geometry() string {
	return fmt.Sprint("grid ", g.Dims, g.PerSwitch, g.Rings, g.Apart, g.Open, g.Stars, g.Digits)
}

func (g *Grid) under(levels []float64) (most float64) {
	for d, x := range levels {
		if x > 0 {
			most = max(most, x/g.Carry[d])
		}
	}
	return most
}

func (g *Grid) home(endpoint int) int32 { return int32(endpoint / g.PerSwitch) } // in the order of Digits

// ring is the switches of the rings of a dimension and how far apart those in the grid are; 0 if there are none.
func (g *Grid) ring(d int) (switches, apart int) {
	if g.Rings == nil || g.Rings[d] == 0 {
		return 0, 0
	}
	return g.Rings[d], g.Apart[d]
}

// closed counts one group: all others that send over the same links hang on the same switches, or in rings between them.
func (g *Grid) closed(of workload.Group, p pattern) (busiest float64, ok bool) {
	one, times, ok := g.one(of)
	if !ok {
		return 0, false
	}
	if p.All {
		return times * one.all(of.Size), true
	}
	l := one.loadsOf(of.Size)
	for i := range of.Size {
		l.add(i, (i+p.Shift)%of.Size, 1)
	}
	return times * one.under(l.levels()), true
}

// one is the first group of endpoints as all endpoints of a grid, and how many groups send alike from the same switches; false if groups
// do not begin and end where coordinates do, so that they do not lie alike.
func (g *Grid) one(of workload.Group) (one *Grid, times float64, ok bool) {
	stride, size := of.Stride, of.Size
	one = &Grid{Carry: g.Carry, Dims: make([]int, len(g.Dims)), Open: g.Open, Stars: g.Stars}
	// part is what the group has of a coordinate of so many values, and its distance there.
	part := func(values int) (have, apart int) {
		if stride >= values {
			ok = ok && stride%values == 0
			stride /= values
			return 1, values
		}
		apart = stride
		ok = ok && values%apart == 0
		stride = 1
		have = min(size, values/apart)
		ok = ok && size%have == 0 && values/apart%have == 0
		size /= have
		return have, apart
	}
	ok = true
	have, apart := part(g.PerSwitch)
	one.PerSwitch, times = have, float64(apart)
	far := make([]int, len(g.Dims)) // from one of the group to the next along a dimension, whose switches are so regularly apart since digits are taken in their order
	for d := range far {
		one.Dims[d], far[d] = 1, 1
	}
	for _, x := range g.digits() {
		have, apart = part(x.Values)
		if one.Dims[x.Dim] == 1 { // else the lower digit has all that are left
			far[x.Dim] *= apart
		}
		one.Dims[x.Dim] *= have
		if g.Digits != nil {
			one.Digits = append(one.Digits, Digit{x.Dim, have})
		}
	}
	for d, have := range one.Dims {
		if ring, _ := g.ring(d); ring > 0 && have > 1 {
			if one.Rings == nil {
				one.Rings, one.Apart = make([]int, len(g.Dims)), make([]int, len(g.Dims))
			}
			one.Rings[d], one.Apart[d] = ring, far[d]
		}
	}
	return one, times, ok && size == 1
}

// all is what the busiest links take if all of n endpoints send to all others.
func (g *Grid) all(n int) (most float64) {
	for d, switches := range g.Dims {
		if switches > 1 {
			most = max(most, g.along(d, n))
		}
	}
	return most
}

// along is it of the links of one dimension: on each line as many send between any two of its switches.
func (g *Grid) along(d, n int) float64 {
	switches := g.Dims[d]
	line := &Grid{Dims: []int{switches}, PerSwitch: 1, Carry: g.Carry[d : d+1], Stars: []bool{g.star(d)}}
	if ring, apart := g.ring(d); ring > 0 {
		line.Rings, line.Apart, line.Open = []int{ring}, []int{apart}, []bool{g.open(d)}
	}
	l := line.loads()
	for x := range switches {
		for y := range switches {
			l.add(x, y, 1)
		}
	}
	return line.under(l.levels()) * float64(g.PerSwitch) * float64(n/switches)
}

// gridLoads are what the links between two switches carry, in shares of S. Where all are joined that of switch s to coordinate y in a dimension
// is at [from[dimension] + s*size + y]. Of a ring it is by how much more its link to the next switch carries than the one before, and one
// place for the end; those backwards follow those forwards. Of a star it is what switches send, and behind that what they receive.
type gridLoads struct {
	*Grid
	from    []int
	weights []int // of Digits
	load    []float64
	few     *gridFew  // in place of load
	out, in []float64 // by switch, what its endpoints send to other switches and receive from there
}

func (g *Grid) loads() shapeLoads {
	l := &gridLoads{Grid: g, weights: g.weights()}
	switches, n := product(g.Dims), 0
	for d, s := range g.Dims {
		l.from = append(l.from, n)
		switch ring, _ := g.ring(d); {
		case ring > 0:
			n += switches / s * 2 * (ring + 1)
		case g.star(d):
			n += 2 * switches
		default:
			n += switches * s
		}
	}
	all := make([]float64, n+2*switches)
	l.load, l.out, l.in = all[:n:n], all[n:n+switches], all[n+switches:]
	return l
}

func (l *gridLoads) add(a, b int, share float64) {
	at, to, step := a/l.PerSwitch, b/l.PerSwitch, 1
	if at == to {
		return
	}
	at, to = l.number(at, l.weights), l.number(to, l.weights)
	l.out[at] += share
	l.in[to] += share
	for d, s := range l.Dims {
		if x, y := at/step%s, to/step%s; x != y {
			l.pass(d, step, at, y, share)
			at += (y - x) * step
		}
		step *= s
	}
}

// run is a message of 1 from each of so many endpoints in a row to those in another row: add, switch by switch.
func (l *gridLoads) run(from, to, n int) {
	if l.Digits != nil {
		bySwitch(l.PerSwitch, from, to, n, func(from, to, n int) { l.add(from, to, float64(n)) })
		return
	}
	var room [32]int // of both coordinates, of all grids but some hypercubes
	a, b := l.place(room[:0:16], from/l.PerSwitch), l.place(room[16:16], to/l.PerSwitch)
	at, end, i, j := from/l.PerSwitch, to/l.PerSwitch, from%l.PerSwitch, to%l.PerSwitch
	for n > 0 {
		some := min(n, l.PerSwitch-i, l.PerSwitch-j)
		if at != end {
			share, step, s := float64(some), 1, at
			l.out[at] += share
			l.in[end] += share
			for d, x := range a {
				if y := b[d]; x != y {
					l.pass(d, step, s, y, share)
					s += (y - x) * step
				}
				step *= l.Dims[d]
			}
		}
		if i += some; i == l.PerSwitch {
			i, at = 0, at+1
			l.next(a)
		}
		if j += some; j == l.PerSwitch {
			j, end = 0, end+1
			l.next(b)
		}
		n -= some
	}
}

// place is the coordinates of a switch.
func (g *Grid) place(room []int, s int) []int {
	for _, n := range g.Dims {
		room = append(room, s%n)
		s /= n
	}
	return room
}

// next makes coordinates those of the next switch, of the last the first.
func (g *Grid) next(place []int) {
	for d := range place {
		if place[d]++; place[d] < g.Dims[d] {
			return
		}
		place[d] = 0
	}
}

// pass is a message from a switch to coordinate y of a dimension, of which neighbours are step switches apart.
func (l *gridLoads) pass(d, step, at, y int, share float64) {
	if l.few != nil {
		l.few.add(d, at, y, share)
		return
	}
	s, load := l.Dims[d], l.load[l.from[d]:]
	switch ring, apart := l.ring(d); {
	case ring > 0:
		line := at/(step*s)*step + at%step
		l.around(load[line*2*(ring+1):][:2*(ring+1)], l.open(d), at/step%s*apart, y*apart, share)
	case l.star(d):
		load[at] += share
		load[len(l.out)+at+(y-at/step%s)*step] += share
	default:
		load[at*s+y] += share
	}
}

// legs are the loads of what each switch sends to all others, in all as much as it sends in l to each of them, and receives from all others. In a dimension
// a message passes from where it still has the later coordinates of its source to where it has the earlier ones of its destination: of sources that differ
// in the earlier ones alone, and of destinations that differ in the later ones.
func (l *gridLoads) legs() *gridLoads {
	x, step, n := l.Grid.loads().(*gridLoads), 1, len(l.out)
	for d, s := range l.Dims {
		out, in := l.byCoordinates(step, s)
		for at := range n {
			for y := range s {
				if y != at/step%s {
					x.pass(d, step, at, y, float64(n/(step*s))*out[at/step]+float64(step)*in[y*step+at%step])
				}
			}
		}
		step *= s
	}
	return x
}

// around is a message in a ring, or in a line.
func (*gridLoads) around(ring []float64, open bool, x, y int, share float64) {
	k := len(ring)/2 - 1
	ahead := (y - x + k) % k
	switch {
	case open && y > x:
		ahead = 0 // no way round
	case open:
		ahead = k
	case 2*ahead == k:
		share /= 2
	}
	pass := func(way []float64, from, to int) {
		way[from] += share
		way[to] -= share
		if to < from { // over the end
			way[0] += share
			way[k] -= share
		}
	}
	if 2*ahead <= k {
		pass(ring[:k+1], x, y)
	}
	if 2*ahead >= k {
		pass(ring[k+1:], y, x)
	}
}

func (l *gridLoads) levels() []float64 {
	most := make([]float64, len(l.Dims))
	for d := range l.Dims {
		l.links(d, func(x float64) { most[d] = max(most[d], x) })
	}
	return most
}

// links gives to f what the links between every two switches of a dimension carry; of those that carry nothing maybe one.
func (l *gridLoads) links(d int, f func(carried float64)) {
	if l.few != nil {
		for i := range l.few.links[d] {
			f(l.few.links[d][i].load)
		}
		if len(l.few.links[d]) < len(l.out)*(l.Dims[d]-1) {
			f(0)
		}
		return
	}
	from, to, size, step := l.from[d], len(l.load), l.Dims[d], product(l.Dims[:d])
	if d+1 < len(l.from) {
		to = l.from[d+1]
	}
	load := l.load[from:to]
	ring, apart := l.ring(d)
	switch {
	case size < 2:
	case l.star(d):
		for _, x := range load {
			f(x)
		}
	case ring == 0:
		for i, x := range load {
			if at, y := i/size, i%size; at/step%size != y {
				f(x)
			}
		}
	default:
		for ; len(load) > 0; load = load[ring+1:] {
			alongRing(load[:ring], apart, f)
		}
	}
}

// alongRing gives to f what the links of a ring carry one way, by the differences between them, if each message is sent by so many
// switches one after the other.
func alongRing(more []float64, times int, f func(carried float64)) {
	carried := make([]float64, len(more))
	x := 0.0
	for i, m := range more {
		x += m
		carried[i] = x
	}
	sum := 0.0
	for i := range times {
		sum += carried[(len(carried)-i)%len(carried)]
	}
	for i := range carried {
		f(sum)
		if times > 1 { // else rounding would stay behind
			sum += carried[(i+1)%len(carried)] - carried[(i+1-times+len(carried))%len(carried)]
		} else {
			sum = carried[(i+1)%len(carried)]
		}
	}
}

func product(list []int) int {
	n := 1
	for _, x := range list {
		n *= x
	}
	return n
}
