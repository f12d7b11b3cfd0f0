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
	same      []int         // by group, the first that is known to send and receive alike; itself if that has to be seen
	legs      keptLegs
	evenly    *groupLegs // of a group, where each switch sends and receives 1; nil until it is asked for
}

// groupFlow is what one switch sends to another: here is in the group at hand, there in the one that is so much further on than the source.
type groupFlow struct {
	here, there, far int32
	amount           float64
}

func (g *Groups) loads() shapeLoads {
	n := g.Count * g.Each
	l := &groupLoads{Groups: g, out: make([]float64, n), in: make([]float64, n), sent: make([][]groupFlow, g.Count), got: make([][]groupFlow, g.Count), same: make([]int, g.Count)}
	l.clear()
	return l
}

// clear forgets what was added, and keeps the memory.
func (l *groupLoads) clear() {
	clear(l.out)
	clear(l.in)
	for i := range l.sent {
		l.sent[i], l.got[i], l.same[i] = l.sent[i][:0], l.got[i][:0], i
	}
}

func (l *groupLoads) add(from, to int, share float64) {
	l.send(from/l.PerSwitch, to/l.PerSwitch, share)
	l.receive(from/l.PerSwitch, to/l.PerSwitch, share)
}

// send is what a switch sends to another, at its group.
func (l *groupLoads) send(a, b int, share float64) {
	if a == b {
		return
	}
	l.out[a] += share
	x, y := a/l.Each, b/l.Each
	l.sent[x] = append(l.sent[x], groupFlow{int32(a - x*l.Each), int32(b - y*l.Each), int32((y - x + l.Groups.Count) % l.Groups.Count), share})
}

// receive is send at the group of the other.
func (l *groupLoads) receive(a, b int, share float64) {
	if a == b {
		return
	}
	l.in[b] += share
	if x, y := a/l.Each, b/l.Each; x != y {
		l.got[y] = append(l.got[y], groupFlow{int32(b - y*l.Each), int32(a - x*l.Each), int32((y - x + l.Groups.Count) % l.Groups.Count), share})
	}
}

// each gives to f what every group carries; together: of those alike once.
func (l *groupLoads) each(together bool, f func(groups []int, p *groupPart)) {
	var p *groupPart
	for _, groups := range l.alike(together) {
		i, first := groups[0], l.same[groups[0]]
		if p == nil || !l.Turned {
			p = l.part(i)
		} else {
			p.clear()
		}
		of := l.of(i)
		for _, x := range l.sent[first] {
			if x.far == 0 {
				p.local[int(x.here)*l.Each+int(x.there)] += x.amount
			} else {
				p.pass(&of[x.far], x.here, x.there, x.amount, true)
			}
		}
		for _, x := range l.got[first] {
			p.pass(l.towards(i, int(x.far)), x.there, x.here, x.amount, false)
		}
		f(groups, p)
	}
}

// alike are the groups, one by one or together those that send and receive alike.
func (l *groupLoads) alike(together bool) (classes [][]int) {
	seen, of := make(map[uint64][]int), make([]int, len(l.sent))
	for i, sent := range l.sent {
		class := -1
		switch {
		case !together:
		case l.same[i] != i:
			class = of[l.same[i]]
		default:
			h := hashFlows(hashFlows(0, sent), l.got[i])
			for _, c := range seen[h] {
				if k := classes[c][0]; slices.Equal(sent, l.sent[k]) && slices.Equal(l.got[i], l.got[k]) {
					class = c
				}
			}
			if class < 0 {
				seen[h] = append(seen[h], len(classes))
			}
		}
		if class < 0 {
			class, classes = len(classes), append(classes, nil)
		}
		of[i], classes[class] = class, append(classes[class], i)
	}
	return classes
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

func (l *groupLoads) levels() []float64 {
	most := make([]float64, 2)
	l.each(l.Turned, func(_ []int, p *groupPart) {
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
	l.legs.begin(l.Groups, l.out, l.in)
	var inner, outer busiest
	l.each(l.legs.together(), func(groups []int, p *groupPart) {
		legs := make([]*groupPart, len(groups))
		for i, g := range groups {
			legs[i] = l.legs.part(g)
		}
		most := legs[0]
		if len(legs) > 1 {
			most = l.legs.most.groupPart
		}
		inner = inner.links(p.local, most.local, legs, func(g *groupPart) []float64 { return g.local })
		outer = outer.links(p.global, most.global, legs, func(g *groupPart) []float64 { return g.global })
	})
	return []busiest{inner, outer}
}

// links adds the links of groups that carry as much, each with the legs of the group in which it has most; most is as much or more. Where legs are -Inf there is no link.
func (w busiest) links(direct, most []float64, legs []*groupPart, of func(*groupPart) []float64) busiest {
	for k, x := range direct {
		if math.IsInf(most[k], -1) || w.covers(linkLoad{x, most[k]}) {
			continue
		}
		highest := math.Inf(-1)
		for _, g := range legs {
			highest = max(highest, of(g)[k])
		}
		w = w.add(linkLoad{x, highest})
	}
	return w
}

func (g *Groups) byRuns(of workload.Group, p pattern, ranks int, detours bool) *loaded {
	l, c := g.sent(of, p, ranks), &loaded{own: float64(p.sends(of))}
	if c.levels = l.levels(); detours && !p.together(of) && g.under(c.levels) > c.own*(1+rounding) {
		if c.ways = l.mostWays(); c.ways == nil || g.split(c.ways) > c.own {
			c.ways = l.ways()
		}
	}
	return c
}

// mostWays are ways with the legs of switches that all send and receive as much as the one that does most, which are no less on any link: enough to know where detours
// leave no link busier than an endpoint. nil: they are not known for all groups.
func (l *groupLoads) mostWays() []busiest {
	if len(l.out) < 3 || !l.Turned || l.legs.g == l.Groups && slices.Equal(l.legs.sent[0], l.out) && slices.Equal(l.legs.sent[1], l.in) {
		return nil
	}
	most := max(slices.Max(l.out), slices.Max(l.in))
	if l.evenly == nil {
		n := len(l.out)
		even := keptLegs{g: l.Groups, out: l.sides(slices.Repeat([]float64{1}, n)), in: l.sides(slices.Repeat([]float64{1}, n))}
		l.evenly = l.newLegs(0)
		even.legs(0, l.evenly)
	}
	legs := l.part(0)
	for i, x := range l.evenly.local {
		legs.local[i] = most * x
	}
	for i, x := range l.evenly.global {
		legs.global[i] = most * x
	}
	var inner, outer busiest
	l.each(true, func(_ []int, p *groupPart) {
		inner = inner.links(p.local, legs.local, []*groupPart{legs}, func(g *groupPart) []float64 { return g.local })
		outer = outer.links(p.global, legs.global, []*groupPart{legs}, func(g *groupPart) []float64 { return g.global })
	})
	return []busiest{inner, outer}
}

// sent is what ranks send by a pattern, until the next is asked for.
func (g *Groups) sent(of workload.Group, p pattern, ranks int) *groupLoads {
	if g.spare == nil {
		g.spare = g.loads()
	}
	l := g.spare.(*groupLoads)
	l.clear()
	if g.PerSwitch%(of.Stride*of.Size) != 0 { // else all stay on their switches
		l.shifts(of, p, ranks)
	}
	return l
}

// shifts are the messages of a pattern. Where groups have the same links those that begin at the same place of a group of ranks send and receive alike: the first is counted.
func (l *groupLoads) shifts(of workload.Group, p pattern, ranks int) {
	each, block := l.Each*l.PerSwitch, of.Stride*of.Size
	if !l.Turned {
		p.each(of, func(shift int) { shifted{of, shift}.runs(0, ranks, l.run) })
		return
	}
	first := make(map[int]int)
	for i := 0; i*each < ranks; i++ {
		if end := (i + 1) * each; end <= ranks {
			if k, ok := first[i*each%block]; ok {
				l.same[i] = k
				copy(l.out[i*l.Each:][:l.Each], l.out[k*l.Each:])
				copy(l.in[i*l.Each:][:l.Each], l.in[k*l.Each:])
				continue
			}
			first[i*each%block] = i
		}
		var got [][3]int
		p.each(of, func(shift int) {
			begin, end := i*each, min(ranks, (i+1)*each)
			shifted{of, shift}.runs(begin, end, func(from, to, n int) {
				l.split(from, to, n, func(a, b, n int) { l.send(a, b, float64(n)) })
			})
			got = got[:0]
			shifted{of, -shift}.runs(begin, end, func(to, from, n int) { got = append(got, [3]int{from, to, n}) })
			slices.SortFunc(got, func(a, b [3]int) int { return a[0] - b[0] }) // as sources send
			for _, x := range got {
				l.split(x[0], x[1], x[2], func(a, b, n int) { l.receive(a, b, float64(n)) })
			}
		})
	}
}

// run is a message of 1 from each of so many endpoints in a row to those in another row.
func (l *groupLoads) run(from, to, n int) {
	l.split(from, to, n, func(a, b, n int) {
		l.send(a, b, float64(n))
		l.receive(a, b, float64(n))
	})
}

// split gives to f the switches of a run.
func (l *groupLoads) split(from, to, n int, f func(a, b, n int)) {
	bySwitch(l.PerSwitch, from, to, n, func(from, to, n int) { f(from/l.PerSwitch, to/l.PerSwitch, n) })
}
