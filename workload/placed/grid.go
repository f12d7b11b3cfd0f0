package placed

import (
	"fmt"
	"slices"
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
	Stars     []bool
	spare     *gridLoads // of a pattern before, to be used again
	spareRows *gridRows
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

// gridRows are what links of a grid carry that has no rings, row by row of the first dimension: messages from switches in a row to those of another that are as far on take, in each dimension, links alike of
// switches in a row.
type gridRows struct {
	*Grid
	size  int // of a row
	first [][]int32
	runs  [][]rowRun // by dimension
	// What switches send to others and receive from there, each more than the one before; nil: all as much, and legs are not asked of them.
	out, in      []int
	list, sorted []rowRun // room for those of a row,
	order        []uint64 // for their order
	edges        [][2]int // and for where they begin and end,
	more         []int    // or, by switch, what each carries more than the one before
}

// rowRun are links of the switches of a row from one to another: in the first dimension all to the switch that is key further on, in others to that of coordinate key, of stars to the middle (0) or from there (1).
// before is the next of the row, as in gridRows.first: its place in runs and one more.
type rowRun struct{ before, key, from, to, load int32 }

// gridLoads are what the links between two switches carry, in shares of S. Where all are joined that of switch s to coordinate y in a dimension
// is at [from[dimension] + s*size + y]. Of a ring it is by how much more its link to the next switch carries than the one before, and one
// place for the end; those backwards follow those forwards. Of a star it is what switches send, and behind that what they receive.
type gridLoads struct {
	*Grid
	from    []int
	weights []int // of Digits
	load    []float64
	few     *gridFew     // in place of load
	out, in []float64    // by switch, what its endpoints send to other switches and receive from there
	walks   [2]*gridWalk // of strided
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

// fewest is how many times as many links as a pattern may load a grid has to have for them to be kept one by one: to find one takes a few times as long as to know its place.
const fewest = 4

// counts are the links of a grid, and whether a pattern of so many messages between switches loads few of them.
func (g *Grid) counts(messages float64) (links float64, few bool) {
	n, joined := float64(product(g.Dims)), true
	for d, s := range g.Dims {
		switch ring, _ := g.ring(d); {
		case ring > 0:
			links, joined = links+n/float64(s)*2*float64(ring+1), false
		case g.star(d):
			links, joined = links+2*n, false
		default:
			links += n * float64(s)
		}
	}
	return links, joined && messages*float64(len(g.Dims)) <= links/fewest
}

// loadsOf are loads of a pattern of so many messages between switches, those of a pattern before if they are given back (again).
func (g *Grid) loadsOf(messages int) *gridLoads {
	if _, few := g.counts(float64(messages)); !few {
		return g.loads().(*gridLoads)
	}
	n := product(g.Dims)
	if l := g.spare; l != nil {
		g.spare = nil
		return l
	}
	l := &gridLoads{Grid: g, weights: g.weights(), out: make([]float64, n), in: make([]float64, n), few: new(gridFew)}
	for range g.Dims {
		l.few.first, l.few.links = append(l.few.first, make([]int32, n)), append(l.few.links, nil)
	}
	return l
}

// again forgets what was added, and keeps the memory for a pattern to come.
func (g *Grid) again(l *gridLoads) {
	if l.few == nil {
		return
	}
	clear(l.out)
	clear(l.in)
	for d, links := range l.few.links {
		for i := range links {
			l.few.first[d][links[i].at] = 0
		}
		l.few.links[d] = links[:0]
	}
	g.spare = l
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
		around(load[line*2*(ring+1):][:2*(ring+1)], l.open(d), at/step%s*apart, y*apart, share)
	case l.star(d):
		load[at] += share
		load[len(l.out)+at+(y-at/step%s)*step] += share
	default:
		load[at*s+y] += share
	}
}

func (l *gridLoads) levels() []float64 {
	most := make([]float64, len(l.Dims))
	for d := range l.Dims {
		switch ring, apart := l.ring(d); {
		case l.few == nil && ring == 0: // to itself a switch sends nothing
			most[d] = greatest(l.along(d))
		case l.few == nil && apart == 1:
			for load := l.along(d); len(load) > 0; load = load[ring+1:] {
				most[d] = max(most[d], greatestSum(load[:ring]))
			}
		default:
			l.links(d, func(x float64) { most[d] = max(most[d], x) })
		}
	}
	return most
}

// greatest is the greatest of what links carry, none of which is less than nothing or no number: slices.Max takes four times as long, as it looks for these.
func greatest(list []float64) (most float64) {
	for _, x := range list {
		if x > most {
			most = x
		}
	}
	return most
}

// greatestSum is it of links that each carry so much more than the one before.
func greatestSum(more []float64) (most float64) {
	sum := 0.0
	for _, m := range more {
		if sum += m; sum > most {
			most = sum
		}
	}
	return most
}

// along are the loads of a dimension.
func (l *gridLoads) along(d int) []float64 {
	to := len(l.load)
	if d+1 < len(l.from) {
		to = l.from[d+1]
	}
	return l.load[l.from[d]:to]
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
	load, size, step := l.along(d), l.Dims[d], product(l.Dims[:d])
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

func product(list []int) int {
	n := 1
	for _, x := range list {
		n *= x
	}
	return n
}

// gridWalk is a place of a grid from which one so many switches further on is found without dividing.
type gridWalk struct {
	*Grid
	digits  []Digit
	weights []int // of digits, in their coordinates
	values  []int // of digits
	at      []int // coordinates
	in      int   // the endpoint at its switch
}

func (g *Grid) newWalk() *gridWalk {
	w := &gridWalk{Grid: g, digits: g.digits()}
	n := len(w.digits)
	room := make([]int, 2*n+len(g.Dims))
	w.weights, w.values, w.at = room[:n:n], room[n:2*n:2*n], room[2*n:]
	for i, x := range w.digits {
		w.weights[i] = 1
		for _, lower := range w.digits[:i] {
			if lower.Dim == x.Dim {
				w.weights[i] *= lower.Values
			}
		}
	}
	return w
}

// begin goes to an endpoint.
func (w *gridWalk) begin(endpoint int) {
	clear(w.values)
	clear(w.at)
	w.in = endpoint % w.PerSwitch
	w.forward(endpoint / w.PerSwitch)
}

// further goes to the endpoint that is so much further on.
func (w *gridWalk) further(endpoints int) {
	w.in += endpoints
	if w.in >= w.PerSwitch {
		more := w.in / w.PerSwitch
		w.in -= more * w.PerSwitch
		w.forward(more)
	}
}

// forward goes so many switches further on.
func (w *gridWalk) forward(more int) {
	for i := range w.digits {
		x := &w.digits[i]
		before := w.values[i]
		v := before + more
		more = 0
		if v >= x.Values {
			more = v / x.Values
			v -= more * x.Values
		}
		w.values[i] = v
		w.at[x.Dim] += (v - before) * w.weights[i]
		if more == 0 {
			return
		}
	}
}

// number is the switch.
func (w *gridWalk) number() (s int) {
	for d := len(w.Dims) - 1; d >= 0; d-- {
		s = s*w.Dims[d] + w.at[d]
	}
	return s
}

// strided adds messages switch by switch.
func (l *gridLoads) strided(from, step, to, toStep, n int) {
	if l.walks[0] == nil {
		l.walks = [2]*gridWalk{l.newWalk(), l.newWalk()}
	}
	a, b := l.walks[0], l.walks[1]
	a.begin(from)
	b.begin(to)
	for n > 0 {
		some := min(n, (l.PerSwitch-a.in+step-1)/step, (l.PerSwitch-b.in+toStep-1)/toStep)
		l.between(a, b, float64(some))
		a.further(some * step)
		b.further(some * toStep)
		n -= some
	}
}

// between is add of switches whose coordinates are known.
func (l *gridLoads) between(a, b *gridWalk, share float64) {
	if slices.Equal(a.at, b.at) {
		return
	}
	at := a.number()
	l.out[at] += share
	l.in[b.number()] += share
	low, step := 0, 1 // of the switch at hand, by the coordinates that it has in common with the destination
	high := at
	for d, s := range l.Dims {
		x, y := a.at[d], b.at[d]
		high = (high - x) / s
		if x != y {
			if ring, apart := l.ring(d); ring > 0 && l.few == nil {
				around(l.load[l.from[d]+(high*step+low)*2*(ring+1):][:2*(ring+1)], l.open(d), x*apart, y*apart, share)
			} else {
				l.pass(d, step, (high*s+x)*step+low, y, share)
			}
		}
		low += y * step
		step *= s
	}
}
