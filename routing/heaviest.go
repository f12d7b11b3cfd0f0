package routing

import (
	"cmp"
	"context"
	"math"
	"slices"
)

// crossing is a pair of a source and a destination whose traffic crosses a channel, and the relative load of the channel by a unit of it.
type crossing struct {
	src, dst int32
	load     float64
}

// weightUnit is the weight of the largest load in the matching of a channel: of the largest numbers of sixteen bits the one with the most divisors,
// so that the parts into which routes divide, halves to sevenths and what these make together, are whole.
const weightUnit = 65520

// matcher finds what loads a channel most. Sources and destinations have so many endpoints left.
type matcher struct {
	supply, demand []int32
	srcAt, dstAt   []int32 // scratch: places in a matching, counted from 1
	work           int     // steps of all matchings so far
}

func newMatcher(supply, demand []int32) *matcher {
	return &matcher{supply: supply, demand: demand, srcAt: make([]int32, len(supply)), dstAt: make([]int32, len(demand))}
}

// heaviest ships over the pairs that cross a channel what loads it most, and gives this load; visit gets each pair that ships and how much. No traffic loads the channel
// more than most: load, but for rounding where loads are no whole parts, and unless the matching takes more than matchedWork. Then less is shipped, and most is what the duals say.
func (m *matcher) heaviest(ctx context.Context, pairs []crossing, visit func(src, dst, amount int32)) (load, most float64, err error) {
	var srcs, dsts []int32
	place := func(x int32, at []int32, list *[]int32) {
		if at[x] == 0 {
			*list = append(*list, x)
			at[x] = int32(len(*list))
		}
	}
	largest := 0.0
	for i := range pairs {
		place(pairs[i].src, m.srcAt, &srcs)
		place(pairs[i].dst, m.dstAt, &dsts)
		largest = max(largest, pairs[i].load)
	}
	n := max(len(srcs), len(dsts)) + 1 // the last one sends or takes what the others cannot
	part, weight := make([]float64, n*n), make([]uint16, n*n)
	a := newAssignment(n, weight)
	a.most = matchedWork
	sent, taken := int32(0), int32(0)
	for i := range pairs {
		x := (m.srcAt[pairs[i].src]-1)*int32(n) + m.dstAt[pairs[i].dst] - 1
		part[x] = pairs[i].load
		weight[x] = uint16(math.Ceil(pairs[i].load/largest*weightUnit - 1e-6)) // whole but for rounding
	}
	for i, s := range srcs {
		a.supply[i] = m.supply[s]
		sent += m.supply[s]
		m.srcAt[s] = 0
	}
	for i, d := range dsts {
		a.demand[i] = m.demand[d]
		taken += m.demand[d]
		m.dstAt[d] = 0
	}
	a.supply[n-1], a.demand[n-1] = max(0, taken-sent), max(0, sent-taken)
	supply, demand := slices.Clone(a.supply), slices.Clone(a.demand)
	err = a.solve(ctx)
	m.work += a.work
	if err != nil {
		return 0, 0, err
	}
	for x, amount := range a.flow {
		if amount > 0 && weight[x] > 0 {
			load += float64(amount) * part[x]
			visit(srcs[x/n], dsts[x%n], amount)
		}
	}
	// The dual of a shipment, what it weighs when it is done and no less before.
	dual := int64(0)
	for i := range n {
		dual += int64(a.u[i])*int64(supply[i]) + int64(a.v[i])*int64(demand[i])
	}
	return load, max(load, float64(dual)/weightUnit*largest), nil
}

const (
	// listedAtOnce is of how many channels the pairs are listed in one pass over all pairs, and listedPairs how many of these: 200 MB.
	listedAtOnce = 256
	listedPairs  = 1 << 23
	// matchedWork is the number of steps, of some nanoseconds, after which matchings end: as long as passes over the pairs of some hundred sets take.
	matchedWork = 1 << 28
)

// tighten finds what any traffic loads most. bound has covers of what it can load each channel with: from the largest on they are replaced by the heaviest matchings,
// until one is no less than those that are left, or the work is done. list calls add with the pairs that cross channels that are wanted, as long as it says so. kind, if
// not nil, has the kinds of channels, all of one alike. load is what any traffic loads one channel with at most, and flows that traffic.
func (m *matcher) tighten(ctx context.Context, bound []float64, kind []uint16, list func(wanted []bool, add func(c int32, pair crossing) bool) error) (load float64, flows []Flow, err error) {
	done, wanted, atOnce := make([]bool, len(bound)), make([]bool, len(bound)), listedAtOnce
	for m.work < matchedWork {
		var next []int32
		var kinds [math.MaxUint16 + 1]bool
		for c, x := range bound {
			if kind != nil {
				if kinds[kind[c]] {
					continue
				}
				kinds[kind[c]] = true
			}
			if !done[c] && x > load*(1+1e-9) {
				next = append(next, int32(c))
			}
		}
		if next == nil {
			break
		}
		slices.SortStableFunc(next, func(a, b int32) int { return cmp.Compare(bound[b], bound[a]) })
		next = next[:min(len(next), atOnce)]
		for _, c := range next {
			wanted[c] = true
		}
		pairs, room := make(map[int32][]crossing, len(next)), listedPairs
		err := list(wanted, func(c int32, pair crossing) bool {
			pairs[c] = append(pairs[c], pair)
			room--
			return room > 0 || len(next) == 1
		})
		if err != nil {
			return 0, nil, err
		}
		if room <= 0 && len(next) > 1 {
			clear(wanted)
			atOnce = max(1, atOnce/4)
			continue
		}
		for _, c := range next {
			wanted[c] = false
			if bound[c] <= load*(1+1e-9) || m.work >= matchedWork {
				continue
			}
			var over []Flow
			x, most, err := m.heaviest(ctx, pairs[c], func(src, dst, amount int32) { over = append(over, Flow{int(src), int(dst), float64(amount)}) })
			if err != nil {
				return 0, nil, err
			}
			done[c], bound[c] = true, min(bound[c], most)
			for other := range bound {
				if kind != nil && kind[other] == kind[c] {
					bound[other] = min(bound[other], most)
				}
			}
			if x > load {
				load, flows = x, over
			}
		}
	}
	return load, flows, nil
}
