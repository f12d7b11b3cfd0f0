package workload

import (
	"cmp"
	"math"
	"slices"
	"sync"

	"toposearch/internal/memo"
)

// Chooser finds the best parallelism of a step on numbers of accelerators, and remembers what it has found. It is safe for concurrent use.
type Chooser struct {
	Model           *Transformer
	Sequence, Batch int
	System          System
	Wish            Parallelism

	// By the number of accelerators.
	exactly, upTo memo.Memo[int, *choice]
}

// All numbers of accelerators are tried until so many divisions that fit have been weighed, some 20 us each, but for so many numbers at least: 1,152 accelerators have
// 58,000 of GPT-3 175B on 88 numbers, and 1.5 million of a mixture of experts are on 65,536.
const (
	mostWeighed = 1 << 17
	leastSizes  = 12
)

// choice is what is best, once it is found, or why there is none.
type choice struct {
	once, timed sync.Once
	weighed     int     // divisions that fit
	alone       float64 // no step of those is shorter
	best        *Training
	shortest    *StepTime
	err         error
}

// on weighs the divisions over exactly so many accelerators, and has them, which are too many to be kept, if they were not weighed before.
func (c *Chooser) on(accelerators int) (x *choice, d *divisions) {
	x = remembered(&c.exactly, accelerators, func(x *choice) {
		if x.err = c.System.Check(); x.err != nil {
			return
		}
		d, x.alone = c.fitting(accelerators), math.Inf(1)
		x.weighed = len(d.fit)
		for i := range d.fit {
			x.alone = min(x.alone, d.fit[i].least)
		}
	})
	return x, d
}

func (c *Chooser) fitting(accelerators int) *divisions {
	return fitting(c.Model, c.Sequence, c.Batch, accelerators, c.System, c.Wish)
}

// time finds the best of the divisions d, which are found again if they are nil.
func (x *choice) time(c *Chooser, accelerators int, d *divisions) {
	x.timed.Do(func() {
		if x.err != nil {
			return
		}
		if d == nil {
			d = c.fitting(accelerators)
		}
		x.best, x.shortest, x.err = d.best(c.Model, accelerators, c.System)
	})
}

// remembered is the choice of so many accelerators.
func remembered(known *memo.Memo[int, *choice], accelerators int, find func(*choice)) *choice {
	x := known.Of(accelerators, func() *choice { return new(choice) })
	x.once.Do(func() { find(x) })
	return x
}

// UpTo is the best of Best on any number of accelerators up to so many, but for those that leave half of them idle: of all that are a product of what
// may divide the model and its batch, and the number itself, from the largest to where the products of matrices alone would take longer than what was
// found (of 1,152 accelerators GPT-3 175B takes 1,024 with a batch of 1,536). The error is that of all of them.
func (c *Chooser) UpTo(accelerators int) (best *Training, shortest *StepTime, err error) {
	x := remembered(&c.upTo, accelerators, func(x *choice) {
		weighed := 0
		for i, n := range sizes(c.Model, c.Sequence, c.Batch, accelerators) {
			if i >= leastSizes && weighed > mostWeighed || x.best != nil && c.Model.LeastSeconds(c.Batch, c.Sequence, n, c.System) > x.shortest.Total {
				break
			}
			on, divisions := c.on(n)
			weighed += on.weighed
			if x.best != nil && on.alone > x.shortest.Total*rounded {
				continue
			}
			on.time(c, n, divisions)
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
	return out
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
