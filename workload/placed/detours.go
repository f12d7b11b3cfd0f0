package placed

import (
	"math"
	"slices"

	"toposearch/routing"
	"toposearch/workload"
)

// leaving is how many of a group of endpoints that lie switch by switch, so many on each of more than one, send to another switch if each sends to the one
// so much further on: from every switch as many.
func leaving(perSwitch, shift, size int) float64 { return float64(min(perSwitch, shift, size-shift)) }

// divided is where all endpoints send; every switch then sends as much.
func (g *Grid) divided(of workload.Group, shift, ranks int) (busiest float64, ok bool) {
	one, times, ok := g.one(of)
	m := product(g.Dims)
	if !ok || m < 3 || ranks != m*g.PerSwitch || one.PerSwitch == of.Size {
		return 0, false
	}
	l := one.loadsOf(of.Size)
	for i := range of.Size {
		l.add(i, (i+shift)%of.Size, 1)
	}
	out := times * leaving(one.PerSwitch, shift, of.Size)
	var direct, detours []float64
	for d, k := range g.Dims {
		if k < 2 {
			continue
		}
		legs := 2 * out * g.along(d, g.PerSwitch*m) / float64(g.PerSwitch*g.PerSwitch)
		link := func(carried float64) {
			line := times * carried / g.Carry[d]
			direct, detours = append(direct, line), append(detours, (legs-2*line)/float64(m-2))
		}
		l.links(d, link)
		if ring, _ := one.ring(d); one.Dims[d] < k && ring == 0 && (one.Dims[d] == 1 || !g.star(d)) { // links of switches that are not in the group
			link(0)
		}
	}
	return 1 / routing.BestSplit(direct, detours).Throughput, true
}

func (t Tree) split([]busiest) float64 { return math.Inf(1) }

func (l *treeLoads) ways() []busiest { return nil }

func (g *Grid) split(levels []busiest) float64 { return 1 / g.best(levels).Throughput }

func (g *Grid) best(levels []busiest) routing.Split {
	return split(levels, g.Carry, product(g.Dims))
}

func (l *gridLoads) ways() []busiest {
	if len(l.out) < 3 {
		return nil
	}
	if l.few != nil {
		out, step := make([]busiest, len(l.Dims)), 1
		for d, s := range l.Dims {
			if s > 1 {
				out[d] = l.fewWays(d, step)
			}
			step *= s
		}
		return out
	}
	var legs *gridLoads
	out, step := make([]busiest, len(l.Dims)), 1
	for d, s := range l.Dims {
		switch ring, _ := l.ring(d); {
		case s < 2:
		case ring == 0 && !l.star(d): // each link has the legs of its own ends alone
			along := l.legsAlong(step, s)
			for i, x := range l.along(d) {
				if at, y := i/s, i%s; at/step%s != y {
					out[d] = out[d].add(linkLoad{x, along.between(at, y)})
				}
			}
		default:
			if legs == nil {
				legs = l.legs()
			}
			var of []float64
			legs.links(d, func(x float64) { of = append(of, x) })
			i := 0
			l.links(d, func(x float64) {
				out[d] = out[d].add(linkLoad{x, of[i]})
				i++
			})
		}
		step *= s
	}
	return out
}

func (b Blocks) split(levels []busiest) float64 {
	return 1 / split(levels, append(slices.Clone(b.Outer.Carry), b.Inner.Carry...), product(b.Outer.Dims)*b.inBlock()).Throughput
}

// ways are what is counted of blocks: of legs those between two switches on the link that joins them, in a block, and all between those of two blocks on the links
// between these.
func (l *blockLoads) ways() []busiest {
	if len(l.out) < 3 {
		return nil
	}
	leave, enter := make([]float64, l.blocks), make([]float64, l.blocks)
	for s := range l.out {
		leave[s/l.each] += l.out[s]
		enter[s/l.each] += l.in[s]
	}
	var outer, inner busiest
	for a := range l.blocks {
		for b := range l.blocks {
			if a != b {
				outer = outer.add(linkLoad{l.outer[a*l.blocks+b], float64(l.each) * (leave[a] + enter[b])})
			}
		}
		first := a * l.each
		for s := first; s < first+l.each; s++ {
			for y, d := range l.in[first : first+l.each] {
				if s != first+y {
					inner = inner.add(linkLoad{l.inner[s*l.each+y], l.out[s] + d})
				}
			}
		}
	}
	return []busiest{outer, inner}
}
