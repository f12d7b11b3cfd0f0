package routing

import (
	"encoding/binary"
	"slices"
)

// twinned are ways in which one switch stands for all that are alike: without endpoints, with as many links from the same switches and to the same, on which packets go on in the same states, as
// the middle switches of a Clos network. Whatever the traffic, they carry as much.
type twinned struct {
	*ways
	times []int32 // by hop, how many it stands for; nil: no switches are alike
	alike []int32 // by node, how many it stands for
	stand []int32 // by hop of the ways where none stands for another, the one that stands for it
}

// twins are w with switches that are alike as one; ends are those that routes begin or end at.
func (w *ways) twins(ends []bool) *twinned {
	if w.r.spare || !slices.Contains(ends, false) {
		return &twinned{ways: w}
	}
	first, some := w.firstTwins(ends)
	if !some {
		return &twinned{ways: w}
	}
	var as []int32 // by hop, that of w
	m := &twinned{ways: &ways{r: w.r, rows: w.rows, nodes: w.nodes, words: w.words, far: w.far, longest: w.longest, dsts: w.dsts, inOrder: w.inOrder, start: make([]int32, 1, w.nodes+1)},
		alike: make([]int32, w.nodes), stand: make([]int32, len(w.hops))}
	at := make([]int32, w.nodes) // 1 + the place of the hop of the node at hand to one
	for x := range int32(w.nodes) {
		one := first[x]
		m.alike[one]++
		if one == x {
			for i := w.start[x]; i < w.start[x+1]; i++ {
				if to := first[w.hops[i].node]; at[to] == 0 {
					m.hops, m.times, as = append(m.hops, hop{w.hops[i].channel, to, -1}), append(m.times, 0), append(as, i)
					at[to] = int32(len(m.hops))
				}
			}
		}
		m.start = append(m.start, int32(len(m.hops)))
		for i := m.start[one]; i < m.start[one+1]; i++ {
			at[m.hops[i].node] = i + 1
		}
		for i := w.start[x]; i < w.start[x+1]; i++ {
			m.stand[i] = at[first[w.hops[i].node]] - 1
			if one == x {
				m.times[m.stand[i]]++
			}
		}
		for i := m.start[one]; i < m.start[one+1]; i++ {
			at[m.hops[i].node] = 0
		}
	}
	if w.on != nil {
		m.on = make([]uint64, 0, w.words*len(as))
		for word := range w.words {
			for _, i := range as {
				m.on = append(m.on, w.on[word*len(w.hops)+int(i)])
			}
		}
	}
	return m
}

// firstTwins are the first nodes that are alike, by node, and whether there is one that is not the first.
func (w *ways) firstTwins(ends []bool) (first []int32, some bool) {
	S := int32(w.rows.n())
	back, seen := w.reversed(), make(map[string]int32)
	var key []byte
	var list []int32
	add := func() {
		slices.Sort(list)
		for _, x := range append(list, -1) {
			key = binary.LittleEndian.AppendUint32(key, uint32(x))
		}
		list = list[:0]
	}
	first = make([]int32, w.nodes)
	for s := range int32(len(ends)) {
		one := s
		if !ends[s] {
			key = key[:0]
			for x := s * S; x < (s+1)*S; x++ {
				for _, h := range w.hops[w.start[x]:w.start[x+1]] {
					list = append(list, h.node)
				}
				add()
				list = append(list, back.from[back.start[x]:back.start[x+1]]...)
				add()
			}
			if o, ok := seen[string(key)]; ok {
				one, some = o, true
			} else {
				seen[string(key)] = s
			}
		}
		for t := range S {
			first[s*S+t] = one*S + t
		}
	}
	return first, some
}

// spread adds to channels what they carry, by what the hops do that stand for theirs, and forgets that.
func (m *twinned) spread(loads, channel []float64, hops []hop) {
	for i, at := range m.stand {
		channel[hops[i].channel] += loads[at]
	}
	clear(loads)
}
