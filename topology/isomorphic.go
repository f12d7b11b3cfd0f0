package topology

import (
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
// channel. steps bounds the arcs that it looks at, of which taken is the number: some 5 ns each.
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
	p := &pairing{arcs: append(x.arcs, y.arcs...), half: half, steps: steps}
	s = p.match(append(x.colour, y.colour...))
	return s, steps - p.steps
}

// arc is a neighbour, and which way the channel leads.
type arc struct {
	to int32
	in bool
}

// vertices are switches, then sets of endpoints on the same switches.
type vertices struct {
	arcs   [][]arc
	colour []uint64
}

func graphOf(n *Network) vertices {
	v := vertices{arcs: make([][]arc, n.Switches()), colour: make([]uint64, n.Switches())}
	join := func(from, to int32) {
		v.arcs[from] = append(v.arcs[from], arc{to: to})
		v.arcs[to] = append(v.arcs[to], arc{to: from, in: true})
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
	return v
}

// pairing maps the first half of the vertices onto the second.
type pairing struct {
	arcs  [][]arc
	half  int
	steps int64 // that may still be taken
}

// mix spreads a word over all of its bits (the finaliser of SplitMix64).
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// refine splits colours by those of neighbours until no colour splits. Equal hashes by accident leave vertices together
// that are not alike, which only costs time: no mapping is believed unchecked.
func (p *pairing) refine(colour []uint64) (refined []uint64, kinds int) {
	kinds = number(colour)
	for {
		next := make([]uint64, len(colour))
		for x, arcs := range p.arcs {
			sum := uint64(0)
			for _, e := range arcs {
				c := colour[e.to] << 1
				if e.in {
					c++
				}
				sum += mix(c)
			}
			next[x] = mix(colour[x]) ^ mix(sum)
			p.steps -= int64(len(arcs))
		}
		k := number(next)
		if k <= kinds || p.steps < 0 {
			return colour, kinds
		}
		colour, kinds = next, k
	}
}

// number replaces colours by their ranks, and counts them.
func number(colour []uint64) int {
	all := slices.Clone(colour)
	slices.Sort(all)
	all = slices.Compact(all)
	for i, c := range colour {
		at, _ := slices.BinarySearch(all, c)
		colour[i] = uint64(at)
	}
	return len(all)
}

// match goes on from colours that a mapping has to keep.
func (p *pairing) match(start []uint64) Sameness {
	colour, kinds := p.refine(slices.Clone(start))
	if p.steps < 0 {
		return Undecided
	}
	var count [2][]int32
	count[0], count[1] = make([]int32, kinds), make([]int32, kinds)
	for x, c := range colour {
		count[x/p.half][c]++
	}
	if !slices.Equal(count[0], count[1]) {
		return Different
	}
	best := -1
	for c, n := range count[0] {
		if n > 1 && (best < 0 || n < count[0][best]) {
			best = c
		}
	}
	if best < 0 {
		return p.check(colour)
	}
	x := slices.Index(colour[:p.half], uint64(best))
	for y := p.half; y < len(colour); y++ {
		if colour[y] != uint64(best) {
			continue
		}
		next := slices.Clone(colour)
		next[x], next[y] = uint64(kinds), uint64(kinds)
		if s := p.match(next); s != Different {
			return s
		}
	}
	return Different
}

// check compares all channels under the mapping by colours, each of which stands once in either half.
func (p *pairing) check(colour []uint64) Sameness {
	image := make([]int32, len(colour)) // by colour
	for y := p.half; y < len(colour); y++ {
		image[colour[y]] = int32(y)
	}
	order := func(a, b arc) int {
		if a.to != b.to {
			return int(a.to) - int(b.to)
		}
		if a.in == b.in {
			return 0
		}
		if a.in {
			return 1
		}
		return -1
	}
	for x := range p.half {
		want := slices.Clone(p.arcs[image[colour[x]]])
		have := slices.Clone(p.arcs[x])
		for i := range have {
			have[i].to = image[colour[have[i].to]]
		}
		slices.SortFunc(want, order)
		slices.SortFunc(have, order)
		if !slices.Equal(want, have) {
			return Different
		}
	}
	return Same
}
