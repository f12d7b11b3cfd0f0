package family

import "math/bits"

// randomLinks is a simple graph to which links are added in no order. Whatever is looked up of a switch misses the caches of a large one: links
// that are not there are told from a word of bits, mostly, and neighbours lie by when they were joined, so that those joined at one time lie side by side.
type randomLinks struct {
	n, degree int
	joined    []int32 // the k-th neighbour of switch s at k*n+s
	count     []int32 // of neighbours of a switch
	maybe     []uint64
	shift     int
}

// bitsALink is how many bits there are of maybe for a link at least, of which each sets three of one word: one of a hundred links that are not
// there is looked for among neighbours.
const bitsALink = 16

func newRandomLinks(n, degree int) *randomLinks {
	log := bits.Len(uint(n) * uint(degree) / 2 * bitsALink / 64)
	return &randomLinks{n: n, degree: degree, joined: make([]int32, n*degree), count: make([]int32, n), maybe: make([]uint64, 1<<log), shift: 64 - log}
}

// mark is the word of a link in maybe, and its bits: they are set if there is the link, and may be if there is not.
func (g *randomLinks) mark(a, b int32) (word, set uint64) {
	const golden = 0x9e3779b97f4a7c15 // an odd number without pattern: the halves of the product together depend on all of the link
	high, low := bits.Mul64(uint64(min(a, b))<<32|uint64(max(a, b)), golden)
	h := (high ^ low) * golden
	return h >> g.shift, 1<<(h&63) | 1<<(h>>6&63) | 1<<(h>>12&63)
}

func (g *randomLinks) set(a, b int32) {
	word, set := g.mark(a, b)
	g.maybe[word] |= set
}

func (g *randomLinks) linked(a, b int32) bool {
	if a == b {
		return true
	}
	word, set := g.mark(a, b)
	return g.maybe[word]&set == set && g.found(a, b)
}

// found tells whether b is among the neighbours of a, and find which it is, as many as there are if it is none.
func (g *randomLinks) found(a, b int32) bool { return g.find(a, b) < int(g.count[a]) }

func (g *randomLinks) find(a, b int32) int {
	for k := range int(g.count[a]) {
		if g.joined[k*g.n+int(a)] == b {
			return k
		}
	}
	return int(g.count[a])
}

func (g *randomLinks) join(a, b int32) {
	g.set(a, b)
	g.put(a, b)
	g.put(b, a)
}

func (g *randomLinks) put(a, b int32) {
	g.joined[int(g.count[a])*g.n+int(a)] = b
	g.count[a]++
}

// cut takes b from the neighbours of a.
func (g *randomLinks) cut(a, b int32) {
	last := int(g.count[a]) - 1
	for k := g.find(a, b); k < last; k++ {
		g.joined[k*g.n+int(a)] = g.joined[(k+1)*g.n+int(a)]
	}
	g.count[a]--
}

// rows are the neighbours of each switch in turn, of as many as the degree.
func (g *randomLinks) rows() regularRows {
	const together = 16 // switches, of whose neighbours joined k-th a line of the cache holds as many
	r := regularRows{g.degree, make([]int32, g.n*g.degree), g.count}
	for from := 0; from < g.n; from += together {
		until := min(from+together, g.n)
		for k := range g.degree {
			for s, t := range g.joined[k*g.n+from : k*g.n+until] {
				r.near[(from+s)*g.degree+k] = t
			}
		}
	}
	return r
}

// regularRows are the neighbours of switches of the same degree.
type regularRows struct {
	degree int
	near   []int32
	count  []int32
}

func (r regularRows) of(s int32) []int32 {
	from := int(s) * r.degree
	return r.near[from : from+int(r.count[s])]
}

// above leaves in each row, in order, the switches that have higher numbers. Rows of lower ones have been read when they are written.
func (r regularRows) above() {
	for s := range int32(len(r.count)) {
		row := r.of(s)
		r.count[s] = 0
		for _, t := range row {
			if t < s {
				r.near[int(t)*r.degree+int(r.count[t])] = s
				r.count[t]++
			}
		}
	}
}
