package flit

import (
	"toposearch/simcore"
)

// request asks an allocator for an output. Among an input's requests the highest inPri counts
// first, at an output the highest outPri; iSLIP and PIM ignore both.
type request struct {
	in, out       int32
	inPri, outPri int64
	vc            int32 // what it is for; the matchers do not read it
}

// matcher is an allocator with its arbiters' state.
type matcher struct {
	spec          allocSpec
	nIn, nOut     int32
	inArb, outArb arbiters
	diagonal      int32
	start         int32 // max_size: the first input to be matched
}

// arbiters is a bank of arbiters. Round robin: ptr is the candidate with the highest claim.
// Matrix: last holds when each candidate won, the least recent first; at the start the higher
// index is the less recent.
type arbiters struct {
	n     int32
	ptr   []int32
	last  []int64
	clock int64
}

func newArbiters(count, n int32, matrix bool) arbiters {
	a := arbiters{n: n, ptr: make([]int32, count)}
	if matrix {
		a.last = make([]int64, int(count)*int(n))
	}
	a.reset()
	return a
}

func (a *arbiters) reset() {
	clear(a.ptr)
	a.clock = 0
	for i := range a.last {
		a.last[i] = -int64(int32(i) % max(1, a.n))
	}
}

// claim of candidate c at arbiter i: the smallest wins.
func (a *arbiters) claim(i, c int32) int64 {
	if a.last != nil {
		return a.last[int(i)*int(a.n)+int(c)]
	}
	k := c - a.ptr[i]
	if k < 0 {
		k += a.n
	}
	return int64(k)
}

// won makes candidate c the last in turn.
func (a *arbiters) won(i, c int32) {
	if a.last != nil {
		a.clock++
		a.last[int(i)*int(a.n)+int(c)] = a.clock
		return
	}
	if a.ptr[i] = c + 1; a.ptr[i] >= a.n {
		a.ptr[i] = 0
	}
}

func newMatcher(spec allocSpec, nIn, nOut int32) matcher {
	return matcher{spec: spec, nIn: nIn, nOut: nOut,
		inArb: newArbiters(nIn, nOut, spec.matrix), outArb: newArbiters(nOut, nIn, spec.matrix)}
}

func (m *matcher) reset() {
	m.inArb.reset()
	m.outArb.reset()
	m.diagonal, m.start = 0, 0
}

// matching is the working memory of matchers and their answer.
type matching struct {
	inTo, outTo []int32 // index of the granted request by input and by output, -1: none
	pick        []int32 // by input or output, the request chosen in the first half
	used        []int32 // inputs or outputs whose entries of pick have to be cleared
	start       []int32 // random starting points of PIM
	seen        []bool  // outputs met by an augmenting path
}

func newMatching(n int) *matching {
	m := &matching{inTo: make([]int32, n), outTo: make([]int32, n), pick: make([]int32, n),
		start: make([]int32, n), seen: make([]bool, n)}
	for i := range n {
		m.inTo[i], m.outTo[i], m.pick[i] = -1, -1, -1
	}
	return m
}

// clear forgets the answer to a set of requests.
func (m *matching) clear(reqs []request) {
	for i := range reqs {
		m.inTo[reqs[i].in], m.outTo[reqs[i].out] = -1, -1
	}
}

// match grants requests, at most one per input and per output; m.inTo and m.outTo hold the answer
// until m.clear. There is at most one request per (input, output).
func (a *matcher) match(reqs []request, m *matching, rng *simcore.Rand) {
	if len(reqs) == 0 {
		return
	}
	switch a.spec.kind {
	case allocInputFirst:
		a.separable(reqs, m, true)
	case allocOutputFirst:
		a.separable(reqs, m, false)
	case allocISLIP, allocPIM:
		for i := range a.spec.iters {
			a.grantAccept(reqs, m, i == 0, rng)
		}
	case allocWavefront, allocRRWavefront:
		a.wavefront(reqs, m)
	case allocMaxSize:
		a.maxSize(reqs, m)
	}
}

// separable: one side picks among its requests, the other among those that picked it.
func (a *matcher) separable(reqs []request, m *matching, inputFirst bool) {
	first, second := &a.inArb, &a.outArb
	if !inputFirst {
		first, second = second, first
	}
	side := func(r *request) (i, c int32, pri int64) {
		if inputFirst {
			return r.in, r.out, r.inPri
		}
		return r.out, r.in, r.outPri
	}
	for k := range reqs {
		i, c, pri := side(&reqs[k])
		if b := m.pick[i]; b >= 0 {
			_, bc, bp := side(&reqs[b])
			if pri < bp || pri == bp && first.claim(i, c) > first.claim(i, bc) {
				continue
			}
		} else {
			m.used = append(m.used, i)
		}
		m.pick[i] = int32(k)
	}
	to := m.outTo
	if !inputFirst {
		to = m.inTo
	}
	for _, i := range m.used {
		k := m.pick[i]
		m.pick[i] = -1
		_, o, _ := side(&reqs[k])
		pri := reqs[k].outPri
		if !inputFirst {
			pri = reqs[k].inPri
		}
		if b := to[o]; b >= 0 {
			bi, _, _ := side(&reqs[b])
			bp := reqs[b].outPri
			if !inputFirst {
				bp = reqs[b].inPri
			}
			if pri < bp || pri == bp && second.claim(o, i) > second.claim(o, bi) {
				continue
			}
		}
		to[o] = k
	}
	m.used = m.used[:0]
	a.settle(reqs, m, to)
}

// settle completes both directions of the answer and moves the arbiters of matched pairs.
func (a *matcher) settle(reqs []request, m *matching, to []int32) {
	for k := range reqs {
		r := &reqs[k]
		i := r.out
		if &to[0] == &m.inTo[0] {
			i = r.in
		}
		if to[i] != int32(k) {
			continue
		}
		m.inTo[r.in], m.outTo[r.out] = int32(k), int32(k)
		a.inArb.won(r.in, r.out)
		a.outArb.won(r.out, r.in)
	}
}

// grantAccept is one iteration of iSLIP or PIM: unmatched outputs grant, inputs accept.
func (a *matcher) grantAccept(reqs []request, m *matching, firstIter bool, rng *simcore.Rand) {
	pim := a.spec.kind == allocPIM
	claim := func(b *arbiters, i, c, start int32) int64 {
		if !pim {
			return b.claim(i, c)
		}
		return int64((c - start + b.n) % b.n)
	}
	starts := m.start
	if pim {
		m.drawStarts(reqs, true, a.nIn, rng)
	}
	for k := range reqs {
		r := &reqs[k]
		if m.inTo[r.in] >= 0 || m.outTo[r.out] >= 0 {
			continue
		}
		b := m.pick[r.out]
		if b >= 0 && claim(&a.outArb, r.out, r.in, starts[r.out]) > claim(&a.outArb, r.out, reqs[b].in, starts[r.out]) {
			continue
		}
		if b < 0 {
			m.used = append(m.used, r.out)
		}
		m.pick[r.out] = int32(k)
	}
	if pim {
		m.drawStarts(reqs, false, a.nOut, rng)
	}
	for _, o := range m.used {
		k := m.pick[o]
		m.pick[o] = -1
		r := &reqs[k]
		b := m.inTo[r.in]
		if b >= 0 && claim(&a.inArb, r.in, o, starts[r.in]) > claim(&a.inArb, r.in, reqs[b].out, starts[r.in]) {
			continue
		}
		if b >= 0 {
			m.outTo[reqs[b].out] = -1
		}
		m.inTo[r.in], m.outTo[o] = k, k
	}
	if firstIter && !pim {
		for _, o := range m.used {
			if k := m.outTo[o]; k >= 0 {
				a.inArb.won(reqs[k].in, o)
				a.outArb.won(o, reqs[k].in)
			}
		}
	}
	m.used = m.used[:0]
}

// drawStarts draws the random starting points of PIM's outputs (or inputs) among n candidates.
func (m *matching) drawStarts(reqs []request, outputs bool, n int32, rng *simcore.Rand) {
	for k := range reqs {
		i := reqs[k].in
		if outputs {
			i = reqs[k].out
		}
		m.start[i] = int32(rng.IntN(int(n)))
	}
}

// wavefront sweeps the diagonals of the request matrix, class of priority by class.
func (a *matcher) wavefront(reqs []request, m *matching) {
	n := max(a.nIn, a.nOut)
	first := int32(-1)
	for {
		// The best class that has not been swept: classes are few, requests too.
		best := int32(-1)
		for k := range reqs {
			r := &reqs[k]
			if m.inTo[r.in] >= 0 || m.outTo[r.out] >= 0 {
				continue
			}
			if best < 0 || r.outPri > reqs[best].outPri ||
				r.outPri == reqs[best].outPri && (r.inPri > reqs[best].inPri ||
					r.inPri == reqs[best].inPri && a.wave(r, n) < a.wave(&reqs[best], n)) {
				best = int32(k)
			}
		}
		if best < 0 {
			break
		}
		r := &reqs[best]
		m.inTo[r.in], m.outTo[r.out] = best, best
		if first < 0 {
			first = (r.in + r.out) % n
		}
	}
	if a.spec.kind == allocRRWavefront {
		a.diagonal = (first + 1) % n
	} else {
		a.diagonal = (a.diagonal + 1) % n
	}
}

// wave is when the sweep reaches a request.
func (a *matcher) wave(r *request, n int32) int32 {
	return (r.in + r.out - a.diagonal + 2*n) % n
}

// maxSize is a largest matching by augmenting paths; the input that starts moves on each time.
func (a *matcher) maxSize(reqs []request, m *matching) {
	for d := range a.nIn {
		clear(m.seen)
		m.augment(reqs, (a.start+d)%a.nIn)
	}
	a.start = (a.start + 1) % a.nIn
}

func (m *matching) augment(reqs []request, in int32) bool {
	for k := range reqs {
		r := &reqs[k]
		if r.in != in || m.seen[r.out] {
			continue
		}
		m.seen[r.out] = true
		if b := m.outTo[r.out]; b < 0 || m.augment(reqs, reqs[b].in) {
			m.outTo[r.out], m.inTo[in] = int32(k), int32(k)
			return true
		}
	}
	return false
}
