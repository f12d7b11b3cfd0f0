package workload

import (
	"cmp"
	"slices"
	"sync"
)

// mostSizes bounds the numbers of accelerators that a Chooser tries: each takes a search of its own, and what leaves more
// than a few of them idle is slower by so much.
const mostSizes = 12

// Chooser finds the best parallelism of a step on numbers of accelerators, and remembers what it has found. It is safe for concurrent use.
type Chooser struct {
	Model           *Transformer
	Sequence, Batch int
	System          System
	Wish            Parallelism

	exactly, upTo sync.Map // by the number of accelerators: *choice
}

// choice is what is best, once it is found, or why there is none.
type choice struct {
	once     sync.Once
	best     *Training
	shortest *StepTime
	err      error
}

// remembered is the choice of so many accelerators.
func remembered(known *sync.Map, accelerators int, find func(*choice)) *choice {
	x, ok := known.Load(accelerators)
	if !ok {
		x, _ = known.LoadOrStore(accelerators, new(choice))
	}
	c := x.(*choice)
	c.once.Do(func() { find(c) })
	return c
}

// UpTo is the best of Best on any number of accelerators up to so many: of the largest numbers that are a product of what
// may divide the model and its batch, and the number itself. The error is that of all of them.
func (c *Chooser) UpTo(accelerators int) (best *Training, shortest *StepTime, err error) {
	x := remembered(&c.upTo, accelerators, func(x *choice) {
		for _, n := range sizes(c.Model, c.Sequence, c.Batch, accelerators) {
			on := remembered(&c.exactly, n, func(on *choice) {
				on.best, on.shortest, on.err = Best(c.Model, c.Sequence, c.Batch, n, c.System, c.Wish)
			})
			switch {
			case on.err != nil && x.err == nil:
				x.err = on.err
			case on.err == nil && (x.best == nil || on.shortest.Total < x.shortest.Total):
				x.best, x.shortest = on.best, on.shortest
			}
		}
		if x.best != nil {
			x.err = nil
		}
	})
	return x.best, x.shortest, x.err
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
