package workload

import (
	"cmp"
	"math"
	"slices"
	"sync"

	"toposearch/internal/memo"
)

// Chooser finds the parallelisms with the shortest steps on numbers of accelerators where nothing blocks, and remembers what it has found. It is safe for concurrent use.
type Chooser struct {
	Model           *Transformer
	Sequence, Batch int
	System          System
	Wish            Parallelism
	// Ideal is a network of so many ranks that blocks nothing, with those of a division on it; nil: the System's.
	Ideal func(ranks int) func(*Training) Fabric

	exactly, upTo memo.Memo[asked, *chosen]
}

// asked is how many accelerators are divided, and how many choices are wanted.
type asked struct{ accelerators, most int }

// All numbers of accelerators are tried until so many divisions that fit have been weighed, some 20 us each, but for so many numbers at least: 1,152 accelerators have
// 58,000 of GPT-3 175B on 88 numbers, and 1.5 million of a mixture of experts are on 65,536.
const (
	mostWeighed = 1 << 17
	leastSizes  = 12
)

// chosen are the best, once they are found, or why there is none.
type chosen struct {
	once, timed sync.Once
	weighed     int     // divisions that fit
	alone       float64 // no step of those is shorter
	list        []*Choice
	left        bool // numbers of accelerators were left out
	err         error
}

// on weighs the divisions over exactly so many accelerators, and has them, which are too many to be kept, if they were not weighed before.
func (c *Chooser) on(a asked) (x *chosen, d *divisions) {
	x = remembered(&c.exactly, a, func(x *chosen) {
		if x.err = c.System.Check(); x.err != nil {
			return
		}
		d, x.alone = c.fitting(a.accelerators), math.Inf(1)
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
func (x *chosen) time(c *Chooser, a asked, d *divisions) {
	x.timed.Do(func() {
		if x.err != nil {
			return
		}
		if d == nil {
			d = c.fitting(a.accelerators)
		}
		f := c.System.always
		if c.Ideal != nil {
			f = c.Ideal(a.accelerators)
		}
		x.list, x.err = d.shortest(c.Model, a.accelerators, c.System, f, a.most)
	})
}

// remembered are the choices for what is asked.
func remembered(known *memo.Memo[asked, *chosen], a asked, find func(*chosen)) *chosen {
	x := known.Of(a, func() *chosen { return new(chosen) })
	x.once.Do(func() { find(x) })
	return x
}

// Shortest are at most so many divisions over any number of accelerators up to so many, but for those that leave half of them idle, the shortest steps first: of all numbers that are a product of what
// may divide the model and its batch, and the number itself, from the largest to where the products of matrices alone would take longer than what was
// found (of 1,152 accelerators GPT-3 175B takes 1,024 with a batch of 1,536). all is false if there are numbers that were left out (mostWeighed). The error is that of all of them.
func (c *Chooser) Shortest(accelerators, most int) (list []*Choice, all bool, err error) {
	x := remembered(&c.upTo, asked{accelerators, most}, func(x *chosen) {
		weighed := 0
		for i, n := range sizes(c.Model, c.Sequence, c.Batch, accelerators) {
			enough := math.Inf(1)
			if len(x.list) == most {
				enough = x.list[most-1].Seconds
			}
			if c.Model.LeastSeconds(c.Batch, c.Sequence, n, c.System) > enough {
				break
			}
			if i >= leastSizes && weighed > mostWeighed {
				x.left = true
				break
			}
			a := asked{n, most}
			on, divisions := c.on(a)
			weighed += on.weighed
			if on.alone > enough*rounded {
				continue
			}
			on.time(c, a, divisions)
			if on.err != nil && x.err == nil {
				x.err = on.err
			}
			x.list = merged(x.list, on.list, most)
		}
		if len(x.list) > 0 {
			x.err = nil
		}
	})
	return x.list, !x.left, x.err
}

// merged are the shortest of both, of equal ones those of a first.
func merged(a, b []*Choice, most int) []*Choice {
	out := slices.Concat(a, b)
	slices.SortStableFunc(out, func(a, b *Choice) int { return cmp.Compare(a.Seconds, b.Seconds) })
	return slices.Clip(out[:min(len(out), most)])
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
