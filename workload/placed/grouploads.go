package placed

import (
	"math"
	"slices"

	"toposearch/workload"
)

// groupLoads are what switches of Groups send each other; links are loaded once it is asked for, group by group, and once for groups that send and receive alike.
type groupLoads struct {
	*Groups
	out, in   []float64     // by switch, to and from others
	sent, got [][]groupFlow // by group of the source, and by that of the destination if it is another one
}

// groupFlow is what one switch sends to another: here is in the group at hand, there in the one that is so much further on than the source.
type groupFlow struct {
	here, there, far int32
	amount           float64
}

func (g *Groups) loads() shapeLoads {
	n := g.Count * g.Each
	return &groupLoads{Groups: g, out: make([]float64, n), in: make([]float64, n), sent: make([][]groupFlow, g.Count), got: make([][]groupFlow, g.Count)}
}

// clear forgets what was added, and keeps the memory.
func (l *groupLoads) clear() {
	clear(l.out)
	clear(l.in)
	for i := range l.sent {
		l.sent[i], l.got[i] = l.sent[i][:0], l.got[i][:0]
	}
}

func (l *groupLoads) add(from, to int, share float64) {
	a, b := from/l.PerSwitch, to/l.PerSwitch
	if a == b {
		return
	}
	l.out[a] += share
	l.in[b] += share
	x, y := a/l.Each, b/l.Each
	far := int32((y - x + l.Groups.Count) % l.Groups.Count)
	s, t := int32(a-x*l.Each), int32(b-y*l.Each)
	l.sent[x] = append(l.sent[x], groupFlow{s, t, far, share})
	if far > 0 {
		l.got[y] = append(l.got[y], groupFlow{t, s, far, share})
	}
}

// each gives to f what every group carries; of those alike once.
func (l *groupLoads) each(alike bool, f func(group int, p *groupPart)) {
	seen, p := make(map[uint64][]int), (*groupPart)(nil)
	for i, sent := range l.sent {
		if alike {
			h := hashFlows(hashFlows(0, sent), l.got[i])
			if slices.ContainsFunc(seen[h], func(k int) bool { return slices.Equal(sent, l.sent[k]) && slices.Equal(l.got[i], l.got[k]) }) {
				continue
			}
			seen[h] = append(seen[h], i)
		}
		if p == nil || !l.Turned {
			p = l.part(i)
		} else {
			p.clear()
		}
		of := l.of(i)
		for _, x := range sent {
			if x.far == 0 {
				p.local[int(x.here)*l.Each+int(x.there)] += x.amount
			} else {
				p.pass(&of[x.far], x.here, x.there, x.amount, true)
			}
		}
		for _, x := range l.got[i] {
			p.pass(l.towards(i, int(x.far)), x.there, x.here, x.amount, false)
		}
		f(i, p)
	}
}

// hashFlows adds flows to a hash (FNV-1a, in words).
func hashFlows(h uint64, list []groupFlow) uint64 {
	const prime = 1099511628211
	h = (h ^ uint64(len(list))) * prime
	for i := range list {
		x := &list[i]
		h = (h ^ uint64(x.here)<<32 ^ uint64(x.there)) * prime
		h = (h ^ uint64(x.far)<<32 ^ math.Float64bits(x.amount)) * prime
	}
	return h
}

// towards are the links to a group from the one to which it is so much further on.
func (g *Groups) towards(group, far int) *joined {
	if g.Turned {
		return &g.of(0)[far]
	}
	return &g.of((group - far + g.Count) % g.Count)[far]
}

func (l *groupLoads) levels() []float64 {
	most := make([]float64, 2)
	l.each(l.Turned, func(_ int, p *groupPart) {
		most[0] = max(most[0], slices.Max(p.local))
		if len(p.global) > 0 {
			most[1] = max(most[1], slices.Max(p.global))
		}
	})
	return most
}

// ways are the loads of links with those of legs.
func (l *groupLoads) ways() []busiest {
	if len(l.out) < 3 {
		return nil
	}
	same := func(list []float64) bool { return slices.Min(list) == slices.Max(list) }
	alike := l.Turned && same(l.out) && same(l.in) // then legs of all groups are
	var inner, outer busiest
	var legs *groupPart
	out, in := l.sides(l.out), l.sides(l.in)
	l.each(alike, func(i int, p *groupPart) {
		if legs == nil || !alike {
			legs = l.legs(i, out, in)
		}
		for k, x := range p.local {
			if k/l.Each != k%l.Each {
				inner = inner.add(linkLoad{x, legs.local[k]})
			}
		}
		for _, j := range l.of(i) {
			for k, m := range j.links {
				if m > 0 {
					outer = outer.add(linkLoad{p.global[j.first+k], legs.global[j.first+k]})
				}
			}
		}
	})
	return []busiest{inner, outer}
}

// legs are what a group carries of what each switch sends to all others, in all as much as it sends in l to each of them, and receives from all others.
func (l *groupLoads) legs(group int, out, in []sides) *groupPart {
	p, of, count := newGroupLegs(l.part(group)), l.of(group), l.Groups.Count
	for s, x := range out[group].of {
		for t, y := range in[group].of {
			p.local[s*l.Each+t] = x + y
		}
	}
	for far := 1; far < count; far++ {
		if to := in[(group+far)%count]; out[group].sum+to.sum > 0 {
			p.leave(&of[far], out[group], to)
		}
		if from := out[(group-far+count)%count]; from.sum+in[group].sum > 0 {
			p.enter(l.towards(group, far), from, in[group])
		}
	}
	p.spread(out[group], in[group])
	return p.groupPart
}

// sides are those of all groups.
func (l *groupLoads) sides(of []float64) []sides {
	out := make([]sides, l.Groups.Count)
	for i := range out {
		out[i].of = of[i*l.Each:][:l.Each]
		for _, x := range out[i].of {
			out[i].sum += x
		}
	}
	return out
}

func (g *Groups) byRuns(of workload.Group, p pattern, ranks int, detours bool) *loaded {
	if g.spare == nil {
		g.spare = g.loads()
	}
	l, c := g.spare.(*groupLoads), &loaded{own: 1}
	if p.All {
		c.own = float64(of.Size - 1)
	}
	l.clear()
	if g.PerSwitch%(of.Stride*of.Size) != 0 { // else all stay on their switches
		p.each(of, func(shift int) { shifted{of, shift}.runs(0, ranks, l.run) })
	}
	once := !p.All || of.Size == 2 // else what all send to all is one traffic, which makes no detours (traffic.together)
	if c.levels = l.levels(); detours && once && g.under(c.levels) > c.own*(1+rounding) {
		c.ways = l.ways()
	}
	return c
}

// run is a message of 1 from each of so many endpoints in a row to those in another row.
func (l *groupLoads) run(from, to, n int) {
	for per := l.PerSwitch; n > 0; {
		some := min(n, per-from%per, per-to%per)
		l.add(from, to, float64(some))
		from, to, n = from+some, to+some, n-some
	}
}
