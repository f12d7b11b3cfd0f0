package routing

import (
	"cmp"
	"context"
	"math"
	"slices"
)

// mergedUnit is the weight of the largest load in the matching of a channel, of which loads are whole parts but for rounding: sums of some thousands are right to ten digits.
const mergedUnit = 1 << 44

// mergedWork is the number of pairs looked at after which the matching of a channel ends: a second or two.
const mergedWork = 1 << 30

// merged is what may be sent over a channel, sources that nothing tells apart made one, and destinations. By colour refinement those of one colour have as many pairs of each
// weight with those of any other (Grohe, Kersting, Mladenov and Selman, "Dimension Reduction via Colour Refinement", ESA 2014). What a heaviest shipment weighs is
// the same, since what one colour sends to another may be spread evenly over those of its pairs that weigh most.
type merged struct {
	srcs, dsts side
	pairs      []weighed
	largest    float64 // load of a pair
	*transport         // of colours; the last row sends, and the last column takes, what others cannot
}

// side is the sets that send over a channel, or that take.
type side struct {
	sets, amount []int32     // and their endpoints
	pairs        [][]weighed // of each
	colour       []int32
	colours      int
}

// weighed is a pair, by its places on either side, and what it weighs.
type weighed struct {
	src, dst int32
	weight   int64
}

// merge is of the pairs that cross a channel.
func (p *pairs) merge(list []crossing) *merged {
	m := &merged{pairs: make([]weighed, len(list))}
	for i := range list {
		m.largest = max(m.largest, list[i].load)
	}
	srcAt, dstAt := make([]int32, len(p.r.Sets)), make([]int32, len(p.r.Sets)) // counted from 1
	for i, x := range list {
		w := weighed{m.srcs.place(p.r, x.src, srcAt), m.dsts.place(p.r, x.dst, dstAt), int64(math.Round(x.load / m.largest * mergedUnit))}
		m.pairs[i] = w
		m.srcs.pairs[w.src] = append(m.srcs.pairs[w.src], w)
		m.dsts.pairs[w.dst] = append(m.dsts.pairs[w.dst], w)
	}
	m.srcs.colour, m.dsts.colour = m.srcs.amount, m.dsts.amount // at first of those with as many endpoints
	for before := -1; m.srcs.colours+m.dsts.colours > before; {
		before = m.srcs.colours + m.dsts.colours
		m.srcs.refine(func(w weighed) int32 { return m.dsts.colour[w.dst] })
		m.dsts.refine(func(w weighed) int32 { return m.srcs.colour[w.src] })
	}
	return m
}

// place finds the place of a set, or gives it one.
func (s *side) place(r *Router, set int32, at []int32) int32 {
	if at[set] == 0 {
		s.sets, s.amount, s.pairs = append(s.sets, set), append(s.amount, int32(r.Sets[set].Endpoints)), append(s.pairs, nil)
		at[set] = int32(len(s.sets))
	}
	return at[set] - 1
}

// refine tells apart what has pairs of other weights, or with other colours.
func (s *side) refine(other func(w weighed) int32) {
	type key struct {
		weight int64
		colour int32
	}
	keys, order := make([][]key, len(s.sets)), make([]int, len(s.sets))
	for i, list := range s.pairs {
		order[i], keys[i] = i, make([]key, len(list))
		for j, w := range list {
			keys[i][j] = key{w.weight, other(w)}
		}
		slices.SortFunc(keys[i], func(a, b key) int { return cmp.Or(cmp.Compare(a.weight, b.weight), cmp.Compare(a.colour, b.colour)) })
	}
	compare := func(a, b int) int {
		return cmp.Or(cmp.Compare(s.colour[a], s.colour[b]), slices.CompareFunc(keys[a], keys[b], func(a, b key) int {
			return cmp.Or(cmp.Compare(a.weight, b.weight), cmp.Compare(a.colour, b.colour))
		}))
	}
	slices.SortStableFunc(order, compare)
	colour := make([]int32, len(s.sets))
	s.colours = 0
	for i, k := range order {
		if i == 0 || compare(order[i-1], k) != 0 {
			s.colours++
		}
		colour[k] = int32(s.colours - 1)
	}
	s.colour = colour
}

// solve finds what loads the channel most, and gives this load, or one that is no less where it takes more than mergedWork.
func (m *merged) solve(ctx context.Context) (most float64, err error) {
	rows, columns := m.srcs.colours, m.dsts.colours
	t := newTransport(rows+1, columns+1)
	m.transport = t
	for _, w := range m.pairs {
		at := &t.weight[int(m.srcs.colour[w.src])*t.columns+int(m.dsts.colour[w.dst])]
		*at = max(*at, w.weight)
	}
	for i, n := range m.srcs.amount {
		t.supply[m.srcs.colour[i]] += n
		t.demand[columns] += n
	}
	for i, n := range m.dsts.amount {
		t.demand[m.dsts.colour[i]] += n
		t.supply[rows] += n
	}
	supply, demand := slices.Clone(t.supply), slices.Clone(t.demand)
	err = t.solve(ctx, mergedWork)
	for i, n := range supply {
		most += float64(t.u[i]) * float64(n)
	}
	for j, n := range demand {
		most += float64(t.v[j]) * float64(n)
	}
	return most / mergedUnit * m.largest, err
}

// apart ships between sets what solve ships between colours: over pairs that weigh most of those of their colours.
func (m *merged) apart(ctx context.Context) (out []Flow, err error) {
	n, t := max(len(m.srcs.sets), len(m.dsts.sets))+1, m.transport
	last := n - 1
	a := newAssignment(n, make([]uint16, n*n)) // 1: may ship
	a.most = matchedWork
	copy(a.supply, m.srcs.amount)
	copy(a.demand, m.dsts.amount)
	idleSrc, idleDst := slices.Clone(t.supply), slices.Clone(t.demand) // what is not shipped of each colour
	for k, amount := range t.flow {
		if t.weight[k] == 0 {
			idleSrc[k/t.columns] += amount
			idleDst[k%t.columns] += amount
		}
	}
	for i, k := range m.srcs.colour {
		a.weight[i*n+last] = uint16(min(idleSrc[k], 1))
	}
	for j, k := range m.dsts.colour {
		a.weight[last*n+j] = uint16(min(idleDst[k], 1))
	}
	for _, idle := range idleSrc[:t.rows-1] {
		a.demand[last] += idle
	}
	for _, idle := range idleDst[:t.columns-1] {
		a.supply[last] += idle
	}
	for _, w := range m.pairs {
		if k := int(m.srcs.colour[w.src])*t.columns + int(m.dsts.colour[w.dst]); t.flow[k] > 0 && w.weight == t.weight[k] {
			a.weight[int(w.src)*n+int(w.dst)] = 1
		}
	}
	err = a.solve(ctx)
	for k, amount := range a.flow {
		if i, j := k/n, k%n; amount > 0 && a.weight[k] > 0 && i < last && j < last {
			out = append(out, Flow{int(m.srcs.sets[i]), int(m.dsts.sets[j]), float64(amount)})
		}
	}
	return out, err
}
