package workload

import (
	"cmp"
	"slices"
)

// mostSizes bounds the numbers of accelerators that BestUpTo tries: each takes a search of its own, and what leaves more
// than a few of them idle is slower by so much.
const mostSizes = 12

// BestUpTo is the best of Best on any number of accelerators up to so many: of the largest numbers that are a product of what
// may divide the model and its batch, and the number itself. The error is that of all of them.
func BestUpTo(m *Transformer, sequence, batch, accelerators int, s System, wish Parallelism) (best *Training, shortest *StepTime, err error) {
	var first error
	for _, n := range sizes(m, sequence, batch, accelerators) {
		t, x, err := Best(m, sequence, batch, n, s, wish)
		switch {
		case err != nil && first == nil:
			first = err
		case err == nil && (best == nil || x.Total < shortest.Total):
			best, shortest = t, x
		}
	}
	if best == nil {
		return nil, nil, first
	}
	return best, shortest, nil
}

// sizes are numbers of ranks up to most, the largest first.
func sizes(m *Transformer, sequence, batch, most int) []int {
	found := map[int]bool{most: true}
	stages := min(m.Layers, most)
	for _, tp := range choices(m.Heads, 0, min(m.Heads, most), 0) {
		for _, cp := range choices(sequence, 0, most/tp, 0) {
			for pp := 1; pp <= min(stages, most/tp/cp); pp++ {
				// The largest replicas are all that is of use: fewer leave more than half of the accelerators idle.
				dp := largestDivisor(batch, most/tp/cp/pp)
				if n := tp * cp * pp * dp; 2*n > most {
					found[n] = true
				}
			}
		}
	}
	var out []int
	for n := range found {
		out = append(out, n)
	}
	slices.SortFunc(out, func(a, b int) int { return cmp.Compare(b, a) })
	return out[:min(len(out), mostSizes)]
}

// largestDivisor of n that is at most x, both at least 1.
func largestDivisor(n, x int) int {
	best := 1
	for d := 1; d*d <= n; d++ {
		if n%d != 0 {
			continue
		}
		if d <= x {
			best = max(best, d)
		}
		if n/d <= x {
			best = max(best, n/d)
		}
	}
	return best
}
