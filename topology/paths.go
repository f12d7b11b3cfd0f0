package topology

// PathType is a set of ordered endpoint pairs whose routes cross equally many links of each class.
// A pair whose traffic is split over routes that cross different classes counts in several types,
// in proportion to its split.
type PathType struct {
	// Weight is ordered pairs of distinct endpoints, or integers in that proportion: where all sources are
	// alike those of one, because sums of weights times links must fit an int64 for every design that has
	// numbers (2^31 endpoints have 2^62 pairs).
	Weight int64
	Cross  [MaxClasses]int16
}

// Sums are what the types of a Paths add up to, in the same integers. Means, loads and most of a
// latency follow from them, and where dimensions are independent they take a formula each, however
// many types there are.
type Sums struct {
	Pairs int64             // of weights
	Cross [MaxClasses]int64 // of weights times links of a class; 0 for internal ones
	// Links and Hops are sums of weights times what a path counts: all links but internal ones, and of
	// these the ones between its first and its last nic link.
	Links, Hops       int64
	MaxLinks, MaxHops int
}

// Paths is a closed form of where a routing's routes go, for uniform traffic between distinct
// endpoints. Buffers are reused: call Reset, then Add.
type Paths struct {
	Types []PathType
	// Peak[c] is the load of the busiest channel of class c divided by the mean load of the
	// channels of that class; 1 where the load is even. Exact, never a guess.
	Peak [MaxClasses]float64
	// Shortest says that every route is a shortest path between its endpoints.
	Shortest bool
	// Sums are those of the types, once Sum or a family's Brief has filled them.
	Sums Sums

	memo []memo
}

// memo is a result that a family has kept.
type memo struct {
	key uint64
	x   [3]float64
}

// memos is how many results a Paths keeps, a power of two: 256 KiB, for families that need them.
const memos = 1 << 13

// Memo gives what compute gives for a key, which is not 0 and tells family and arguments: many designs
// in a row share what is dear about them. Results stay over Reset.
func (p *Paths) Memo(key uint64, compute func() [3]float64) [3]float64 {
	if p.memo == nil {
		p.memo = make([]memo, memos)
	}
	// Fibonacci hashing (Knuth, The Art of Computer Programming 3, 6.4): the upper bits of a product
	// with 2^64 over the golden ratio spread keys that differ little.
	m := &p.memo[key*0x9e3779b97f4a7c15>>(64-13)]
	if m.key != key {
		m.key, m.x = key, compute()
	}
	return m.x
}

// Reset empties p: no types, even loads, shortest.
func (p *Paths) Reset() {
	p.Types = p.Types[:0]
	p.Shortest = true
	for i := range p.Peak {
		p.Peak[i] = 1
	}
}

// Add appends a type and returns it to fill in Cross; types of no weight are dropped.
func (p *Paths) Add(weight int64, cross [MaxClasses]int16) {
	if weight != 0 {
		p.Types = append(p.Types, PathType{weight, cross})
	}
}
