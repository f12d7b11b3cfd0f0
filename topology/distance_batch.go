package topology

import "math/bits"

// words is how many words of sources a search carries: 4 words fill half a cache line per switch
// and keep the fronts of 10,000 switches inside the second-level cache.
const words = 4

// lanes is the number of sources of one search.
const lanes = 64 * words

type word = [words]uint64

// batch searches from up to `lanes` sources at once. Bit i of a word belongs to source i; a
// node pulls the front of its neighbours until it has been reached by all. Pulling along the
// outgoing channels counts paths from the node to the source, which over all ordered pairs is
// the same count, in unidirectional networks and under rules too.
type batch struct {
	p                *probe
	seen, cur, next  []word
	seen2, cur2, nx2 []word // without nic links
	got              []word // by set, where sets have several ports
	all              word
	weight           [words]int64 // of every source of the word; -1 if they differ
	src              []source
}

func newBatch(p *probe) *batch {
	k := p.nodes
	b := &batch{p: p, seen: make([]word, k), cur: make([]word, k), next: make([]word, k)}
	if p.bare {
		b.seen2, b.cur2, b.nx2 = make([]word, k), make([]word, k), make([]word, k)
	}
	if p.hang == nil {
		b.got = make([]word, len(p.count))
	}
	return b
}

// begin sets the sources' bits.
func (b *batch) begin(src []source) {
	p := b.p
	b.src, b.all = src, word{}
	clear(b.seen)
	clear(b.cur)
	clear(b.got)
	for i, s := range src {
		w, bit := i/64, uint64(1)<<(i%64)
		b.all[w] |= bit
		for _, v := range p.exit[p.exitStart[s.set]:p.exitStart[s.set+1]] {
			if v != p.dead {
				b.seen[v][w] |= bit
				b.cur[v][w] |= bit
			}
		}
		switch {
		case i%64 == 0:
			b.weight[w] = s.weight
		case b.weight[w] != s.weight:
			b.weight[w] = -1
		}
	}
	if p.dead >= 0 {
		b.seen[p.dead] = b.all
	}
	if p.bare {
		copy(b.seen2, b.seen)
		copy(b.cur2, b.cur)
	}
}

func (b *batch) search(src []source, t *tally) {
	b.begin(src)
	for d := 0; ; d++ {
		b.count(d, t)
		live := advance(b.p.start, b.p.to, b.seen, b.cur, b.next, b.all)
		b.cur, b.next = b.next, b.cur
		if b.p.bare {
			advance(b.p.start2, b.p.to2, b.seen2, b.cur2, b.nx2, b.all)
			b.cur2, b.nx2 = b.nx2, b.cur2
		}
		if !live {
			return
		}
	}
}

// advance makes one step of the search: next is what is reached for the first time.
func advance(start []int32, to []SwitchID, seen, cur, next []word, all word) bool {
	live := uint64(0)
	for v := range seen {
		sv := &seen[v]
		if *sv == all {
			next[v] = word{}
			continue
		}
		var a0, a1, a2, a3 uint64
		for _, u := range to[start[v]:start[v+1]] {
			c := &cur[u]
			a0 |= c[0]
			a1 |= c[1]
			a2 |= c[2]
			a3 |= c[3]
		}
		a0 &^= sv[0]
		a1 &^= sv[1]
		a2 &^= sv[2]
		a3 &^= sv[3]
		next[v] = word{a0, a1, a2, a3}
		sv[0] |= a0
		sv[1] |= a1
		sv[2] |= a2
		sv[3] |= a3
		live |= a0 | a1 | a2 | a3
	}
	return live != 0
}

// count adds the pairs that were reached at distance d.
func (b *batch) count(d int, t *tally) {
	p := b.p
	var sum, bare int64
	if p.hang != nil {
		for v, h := range p.hang {
			if h == 0 {
				continue
			}
			c := &b.cur[v]
			if *c == (word{}) {
				continue
			}
			sum += h * b.weigh(c)
			if p.bare {
				both := meet(c, &b.cur2[v])
				bare += h * b.weigh(&both)
			}
		}
	} else {
		for i, h := range p.count {
			g := &b.got[i]
			if *g == b.all {
				continue
			}
			var c word
			for _, v := range p.entry[p.setStart[i]:p.setStart[i+1]] {
				for w := range c {
					c[w] |= b.cur[v][w]
				}
			}
			for w := range c {
				c[w] &^= g[w]
				g[w] |= c[w]
			}
			if c != (word{}) {
				sum += h * b.weigh(&c)
			}
		}
	}
	if sum != 0 || d == 0 {
		t.pairs = bump(t.pairs, d, sum)
	}
	if bare != 0 {
		t.noNic = bump(t.noNic, d, bare)
	}
}

func meet(a, b *word) (c word) {
	for w := range c {
		c[w] = a[w] & b[w]
	}
	return c
}

// weigh adds the weights of the sources whose bit is set.
func (b *batch) weigh(c *word) int64 {
	var sum int64
	for w, x := range c {
		if x == 0 {
			continue
		}
		if k := b.weight[w]; k >= 0 {
			sum += k * int64(bits.OnesCount64(x))
			continue
		}
		for ; x != 0; x &= x - 1 {
			sum += b.src[64*w+bits.TrailingZeros64(x)].weight
		}
	}
	return sum
}
