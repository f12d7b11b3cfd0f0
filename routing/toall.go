package routing

import "math/bits"

// ToAll is a traffic in which each set sends so much to every other, and receives so much from every other besides: of endpoints with one port that all reach one another; false: some
// do not, or there are too many switches. Only its Channel loads count. Packets to all destinations of a word move on together, those that are farthest from theirs first.
func (t *Tracer) ToAll(out, in []float64) bool {
	if !t.keeps() {
		return false
	}
	t.Begin()
	w := t.ways
	if t.toward == nil {
		t.toward = make([]float64, w.nodes*wideBits)
	}
	for word := range w.words {
		t.on = t.leading(word, t.on)
		live := t.lives(word, t.on)
		t.passed = t.passed[:0]
		for x, live := range live {
			if live != 0 {
				t.passed = append(t.passed, int32(x))
				clear(t.toward[x*wideBits:][:wideBits])
			}
		}
		to := in[word*wideBits : min((word+1)*wideBits, len(in))]
		for s, x := range t.sources {
			row := t.toward[int(x)*wideBits:][:len(to)]
			for i, amount := range to {
				row[i] = out[s] + amount
			}
		}
		for d := w.longest; d > 0; d-- {
			for _, x := range t.passed {
				if m := w.away(word, int(x), d) & live[x]; m != 0 {
					t.advance(t.on, int(x), m)
				}
			}
		}
	}
	return true
}

// advance moves what is at a node to some destinations of a word one hop on, split equally over all that lead nearer.
func (t *Tracer) advance(on []uint64, x int, to uint64) {
	w := t.ways
	first, end := w.start[x], w.start[x+1]
	var hops [16]uint64 // how many there are by destination: bit k of each in hops[k], of so many bits
	planes := 0
	for _, m := range on[first:end] {
		m &= to
		for k := 0; m != 0; k++ {
			hops[k], m, planes = hops[k]^m, hops[k]&m, max(planes, k+1)
		}
	}
	row := (*[wideBits]float64)(t.toward[x*wideBits:])
	several := uint64(0)
	for k := 1; k < planes; k++ {
		several |= hops[k]
	}
	for m := several; m != 0; m &= m - 1 {
		i, n := bits.TrailingZeros64(m)&(wideBits-1), 0
		for k := range planes {
			n |= int(hops[k]>>i&1) << k
		}
		row[i] /= float64(n)
	}
	for a := first; a < end; a++ {
		m := on[a] & to
		if m == 0 {
			continue
		}
		next, sum := (*[wideBits]float64)(t.toward[int(w.hops[a].node)*wideBits:]), 0.0
		for ; m != 0; m &= m - 1 {
			i := bits.TrailingZeros64(m) & (wideBits - 1)
			sum += row[i]
			next[i] += row[i]
		}
		t.sum.channel[w.hops[a].channel] += sum
	}
}

// away are the destinations of a word that are so many hops from a node, at least one.
func (w *ways) away(word, x int, d uint8) uint64 {
	far, m := &w.far[word], ^uint64(0)
	if d>>far.bits != 0 {
		return 0
	}
	for k, of := range far.of[x*far.bits:][:far.bits] {
		if d>>k&1 != 0 {
			m &= of
		} else {
			m &^= of
		}
	}
	return m
}

// mostAhead bounds the hops from a node, so that advance counts them in 16 bits.
const mostAhead = 1<<16 - 1

// keeps tells whether ToAll can be, which it finds once it is asked for.
func (t *Tracer) keeps() bool {
	if t.kept == 0 {
		t.kept = -1
		if t.meet() {
			t.kept = 1
		}
	}
	return t.kept > 0
}

// meet finds the nodes of sets, and tells whether all of them have one port, and reach all.
func (t *Tracer) meet() bool {
	w := t.ways
	if len(t.next) > mostAhead || w.nodes*wideBits > MostOn {
		return false
	}
	t.sources = make([]int32, len(t.r.Sets))
	for i := range t.sources {
		ports := t.r.Sets[i].Ports
		if len(ports) != 1 || ports[0].Count != 1 || t.targets[ports[0].Switch].index() != i {
			return false
		}
		t.sources[i] = t.node(ports[0].Switch)
		reached := 0
		for word := range w.words {
			far, met := &w.far[word], uint64(0)
			for _, m := range far.of[int(t.sources[i])*far.bits:][:far.bits] {
				met |= m
			}
			reached += bits.OnesCount64(met)
		}
		if reached+1 < len(t.r.Sets) {
			return false
		}
	}
	t.pass()
	return true
}

// pass finds where packets to each destination come by, if hops are kept.
func (t *Tracer) pass() {
	w := t.ways
	if w.on == nil {
		return
	}
	t.live = make([]uint64, w.words*w.nodes)
	for word := range w.words {
		t.on = t.leading(word, t.on)
		t.come(word, t.on, t.live[word*w.nodes:][:w.nodes])
	}
}

// leading are the hops that packets take to the destinations of a word, of two VCs of a channel one as ways.once has it; in the room of on where they are not kept.
func (t *Tracer) leading(word int, on []uint64) []uint64 {
	w := t.ways
	if !t.r.spare {
		return w.onto(word, on)
	}
	if w.on == nil {
		on = w.onto(word, on)
	} else {
		on = append(on[:0], w.onto(word, nil)...)
	}
	for i := range on { // a rest comes behind
		if rest := w.hops[i].rest; rest >= 0 {
			on[rest] &^= on[i]
		}
	}
	return on
}

// lives is where packets to the destinations of a word come by, for which hops are on shortest routes.
func (t *Tracer) lives(word int, on []uint64) []uint64 {
	n := t.ways.nodes
	if t.ways.on != nil {
		return t.live[word*n:][:n]
	}
	if t.live == nil {
		t.live = make([]uint64, n)
	}
	clear(t.live)
	t.come(word, on, t.live)
	return t.live
}

// come marks it.
func (t *Tracer) come(word int, on, live []uint64) {
	w := t.ways
	for _, x := range t.sources {
		live[x] = ^uint64(0)
	}
	for d := w.longest; d > 0; d-- {
		for x := range w.nodes {
			if live[x] == 0 {
				continue
			}
			if m := w.away(word, x, d) & live[x]; m != 0 {
				for a := w.start[x]; a < w.start[x+1]; a++ {
					live[w.hops[a].node] |= on[a] & m
				}
			}
		}
	}
}
