package topology

import (
	"cmp"
	"encoding/binary"
	"slices"
)

// Sameness is what a bounded comparison of two networks knows.
type Sameness uint8

const (
	Undecided Sameness = iota // the bound on its work was reached
	Different
	Same
)

// Isomorphic tells whether two networks are the same graph: switches (embedded ones apart), endpoints and the channels between them, parallel ones
// counted, whatever numbers and classes they have. Colours of both are refined together, then vertices are individualised
// (McKay, Practical Graph Isomorphism, Congressus Numerantium 30, 1981); Same is said of a mapping that was checked channel by
// channel. steps bounds the arcs that it looks at, of which taken is the number: some 20 ns each.
func Isomorphic(a, b *Network, steps int64) (s Sameness, taken int64) {
	if a.Switches() != b.Switches() || a.Channels() != b.Channels() || a.Endpoints() != b.Endpoints() {
		return Different, 0
	}
	x, y := graphOf(a), graphOf(b)
	if len(x.arcs) != len(y.arcs) {
		return Different, 0
	}
	half := len(x.arcs)
	for _, arcs := range y.arcs {
		for i := range arcs {
			arcs[i].to += int32(half)
		}
	}
	p := &pairing{arcs: append(x.arcs, y.arcs...), half: half, steps: steps, sums: make([]uint64, 2*half)}
	p.start = p.colours(append(x.colour, y.colour...))
	p.refine(p.start, slices.Clone(p.start.order))
	s = p.match(p.start.clone(), nil)
	return s, steps - p.steps
}

// arc is a neighbour, and how many channels lead to it and from it.
type arc struct{ to, out, in int32 }

// vertices are switches, then sets of endpoints on the same switches.
type vertices struct {
	arcs   [][]arc
	colour []uint64
}

func graphOf(n *Network) vertices {
	v := vertices{arcs: make([][]arc, n.Switches()), colour: make([]uint64, n.Switches())}
	join := func(from, to int32) {
		v.arcs[from] = append(v.arcs[from], arc{to: to, out: 1})
		v.arcs[to] = append(v.arcs[to], arc{to: from, in: 1})
	}
	for s := range SwitchID(n.Switches()) {
		if n.Embedded(s) {
			v.colour[s] = 1
		}
		for c, end := n.Out(s); c < end; c++ {
			join(int32(s), int32(n.To(c)))
		}
	}
	index := map[string]int{}
	for g := range n.Groups() {
		first, end, on := n.Group(g)
		ports := slices.Sorted(slices.Values(on))
		var key []byte
		for _, s := range ports {
			key = binary.LittleEndian.AppendUint32(key, uint32(s))
		}
		at, ok := index[string(key)]
		if !ok {
			at = len(v.arcs)
			index[string(key)] = at
			v.arcs, v.colour = append(v.arcs, nil), append(v.colour, 1) // from 2 on: the endpoints, counted below
			for _, s := range ports {
				join(int32(at), int32(s))
			}
		}
		v.colour[at] += uint64(end - first)
	}
	for x := range v.arcs {
		v.arcs[x] = merged(v.arcs[x])
	}
	return v
}

// merged makes one arc of all with the same neighbour, in the order of these.
func merged(arcs []arc) []arc {
	slices.SortFunc(arcs, func(a, b arc) int { return cmp.Compare(a.to, b.to) })
	out := arcs[:0]
	for _, e := range arcs {
		if k := len(out) - 1; k >= 0 && out[k].to == e.to {
			out[k].out += e.out
			out[k].in += e.in
		} else {
			out = append(out, e)
		}
	}
	return out
}

// Fingerprint is a number that networks which are the same graph share, and few others do: the sum over all vertices of what is counted of the
// walks of one and of two channels from each to every other, so that networks are told apart in which all vertices look alike by their neighbours alone, where
// Isomorphic tries each of them. steps bounds the arcs that are looked at, of which taken is the number, some 5 ns each; ok is false where that is too few.
func Fingerprint(n *Network, steps int64) (sum uint64, taken int64, ok bool) {
	v := graphOf(n)
	for _, arcs := range v.arcs { // each is the second of as many walks
		taken += int64(len(arcs)) * int64(len(arcs))
	}
	if taken > steps {
		return 0, 0, false
	}
	weight := func(e arc) uint64 { return mix(uint64(e.out)<<32 | uint64(e.in)) }
	walks := make([]uint64, len(v.arcs)) // 0 between two vertices
	var met []int32
	walk := func(to int32, w uint64) {
		if walks[to] == 0 {
			met = append(met, to)
		}
		walks[to] += w
	}
	for x, arcs := range v.arcs {
		met = met[:0]
		for _, e := range arcs {
			first := weight(e)
			walk(e.to, mix(first))
			first *= mix(v.colour[e.to])
			for _, f := range v.arcs[e.to] {
				walk(f.to, first*weight(f))
			}
		}
		of := mix(v.colour[x])
		for _, z := range met { // once more where a sum was 0 on the way, which adds nothing
			of += mix(walks[z]^mix(v.colour[z])) * min(walks[z], 1)
			walks[z] = 0
		}
		sum += mix(of)
	}
	return sum, taken, true
}

// pairing maps the first half of the vertices onto the second.
type pairing struct {
	arcs  [][]arc
	half  int
	steps int64    // that may still be taken
	sums  []uint64 // 0 between two rounds
	start *colouring
}

// mix spreads a word over all of its bits (the finaliser of SplitMix64).
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// colouring is a partition of the vertices: those of a colour stand side by side.
type colouring struct {
	of         []int32 // colour by vertex
	order, at  []int32 // vertices by place, and the place of each
	start, end []int32 // places by colour
	first      []int32 // how many vertices of a colour are of the first half
}

func (c *colouring) clone() *colouring {
	return &colouring{of: slices.Clone(c.of), order: slices.Clone(c.order), at: slices.Clone(c.at),
		start: slices.Clone(c.start), end: slices.Clone(c.end), first: slices.Clone(c.first)}
}

// colours begins a colouring.
func (p *pairing) colours(start []uint64) *colouring {
	n := len(start)
	c := &colouring{of: make([]int32, n), order: make([]int32, n), at: make([]int32, n)}
	for x := range c.order {
		c.order[x] = int32(x)
	}
	slices.SortStableFunc(c.order, func(x, y int32) int { return cmp.Compare(start[x], start[y]) })
	for i, x := range c.order {
		if c.at[x] = int32(i); i == 0 || start[x] != start[c.order[i-1]] {
			c.start, c.end, c.first = append(c.start, int32(i)), append(c.end, int32(i)), append(c.first, 0)
		}
		p.paint(c, x, len(c.end)-1)
		c.end[len(c.end)-1]++
	}
	return c
}

// paint gives a vertex a colour, and counts it there.
func (p *pairing) paint(c *colouring, x int32, colour int) {
	if c.of[x] = int32(colour); int(x) < p.half {
		c.first[colour]++
	}
}

// split parts vertices, all of one colour, from the others of that colour, and from one another where sums differ, by which they are sorted. The
// largest part keeps the colour; changed gets the vertices of the others.
func (p *pairing) split(c *colouring, xs []int32, changed []int32) []int32 {
	old := c.of[xs[0]]
	rest := c.end[old] - int32(len(xs)) // they go behind the others
	for i, x := range xs {
		at := rest + int32(i)
		y := c.order[at]
		c.order[c.at[x]], c.order[at] = y, x
		c.at[y], c.at[x] = c.at[x], at
	}
	borders := []int32{c.start[old]}
	for i, x := range xs {
		if at := rest + int32(i); at > c.start[old] && (i == 0 || p.sums[x] != p.sums[xs[i-1]]) {
			borders = append(borders, at)
		}
	}
	borders = append(borders, c.end[old])
	most := 0
	for i := range len(borders) - 1 {
		if borders[i+1]-borders[i] > borders[most+1]-borders[most] {
			most = i
		}
	}
	for i := range len(borders) - 1 {
		if i == most {
			continue
		}
		c.start, c.end, c.first = append(c.start, borders[i]), append(c.end, borders[i+1]), append(c.first, 0)
		for _, x := range c.order[borders[i]:borders[i+1]] {
			if int(x) < p.half {
				c.first[old]--
			}
			p.paint(c, x, len(c.start)-1)
			changed = append(changed, x)
		}
	}
	c.start[old], c.end[old] = borders[most], borders[most+1]
	return changed
}

// refine splits colours by those of neighbours until no colour splits. Only neighbours of what changed its colour are looked at: as the largest
// part of what split keeps its own, a vertex changes seldom more than log n times (Hopcroft, An n log n algorithm for minimizing states in
// a finite automaton, 1971). Equal hashes by accident leave vertices together that are not alike, which only costs time: no mapping is
// believed unchecked.
func (p *pairing) refine(c *colouring, changed []int32) {
	var touched []int32
	for len(changed) > 0 && p.steps >= 0 {
		touched = touched[:0]
		for _, y := range changed {
			p.steps -= int64(len(p.arcs[y]))
			to, from := mix(uint64(c.of[y])<<1), mix(uint64(c.of[y])<<1|1)
			for _, e := range p.arcs[y] {
				if p.sums[e.to] == 0 {
					touched = append(touched, e.to)
				}
				p.sums[e.to] += uint64(e.out)*to + uint64(e.in)*from
			}
		}
		slices.SortFunc(touched, func(x, y int32) int {
			return cmp.Or(cmp.Compare(c.of[x], c.of[y]), cmp.Compare(p.sums[x], p.sums[y]), cmp.Compare(x, y))
		})
		touched = slices.Compact(touched)
		changed = changed[:0]
		for i, j := 0, 0; i < len(touched); i = j {
			of := c.of[touched[i]]
			for j = i; j < len(touched) && c.of[touched[j]] == of; j++ {
			}
			changed = p.split(c, touched[i:j], changed)
		}
		for _, x := range touched {
			p.sums[x] = 0
		}
	}
}

// match looks for a mapping that keeps colours, which are refined and are its own to change; chosen are the vertices that were individualised on the way to
// them from the start. Alike vertices mostly do as well as one another, so that the colours of a choice are made again when another is tried rather than
// kept: networks of a million endpoints have thousands of choices, and colours of 2 MB.
func (p *pairing) match(c *colouring, chosen [][2]int32) Sameness {
	if p.steps -= int64(len(c.first)) / coloursPerArc; p.steps < 0 {
		return Undecided
	}
	best := -1
	for k, n := range c.first {
		if 2*n != c.end[k]-c.start[k] {
			return Different
		}
		if n > 1 && (best < 0 || n < c.first[best]) {
			best = k
		}
	}
	if best < 0 {
		return p.check(c.of)
	}
	alike := slices.Sorted(slices.Values(c.order[c.start[best]:c.end[best]]))
	for i, y := range alike[len(alike)/2:] {
		if i > 0 {
			p.steps -= int64(len(c.of)) / verticesPerArc
			c = p.start.clone()
			for _, xs := range chosen {
				p.choose(c, xs)
			}
		}
		xs := [2]int32{alike[0], y}
		p.choose(c, xs)
		if s := p.match(c, append(chosen, xs)); s != Different {
			return s
		}
	}
	return Different
}

// Colours that are looked at, and vertices of which all is copied, in the time of an arc.
const coloursPerArc, verticesPerArc = 16, 4

// choose individualises a vertex of either half.
func (p *pairing) choose(c *colouring, xs [2]int32) { p.refine(c, p.split(c, xs[:], nil)) }

// check compares all channels under the mapping by colours, each of which stands once in either half.
func (p *pairing) check(colour []int32) Sameness {
	image := make([]int32, len(colour)) // by colour
	for y := p.half; y < len(colour); y++ {
		image[colour[y]] = int32(y)
	}
	order := func(a, b arc) int { return cmp.Compare(a.to, b.to) }
	for x := range p.half {
		want := p.arcs[image[colour[x]]]
		have := slices.Clone(p.arcs[x])
		for i := range have {
			have[i].to = image[colour[have[i].to]]
		}
		slices.SortFunc(have, order)
		if !slices.Equal(want, have) {
			return Different
		}
	}
	return Same
}
