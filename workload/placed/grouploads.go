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
	evenly    *groupPart // legs of a group, where each switch sends and receives 1; nil until it is asked for
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

// each gives to f what every group carries, of those alike once.
func (l *groupLoads) each(f func(p *groupPart)) {
	var p *groupPart
	for _, groups := range l.alike(l.Turned) {
		p = l.carried(groups[0], p)
		f(p)
	}
}

// carried is what a group carries, in p where that is one of as many links.
func (l *groupLoads) carried(group int, p *groupPart) *groupPart {
	if p == nil || !l.Turned {
		p = l.part(group)
	} else {
		p.fill(0)
	}
	of, first := l.of(group), l.same[group]
	for _, x := range l.sent[first] {
		if x.far == 0 {
			p.inside(x.here, x.there, x.amount)
		} else {
			p.pass(&of[x.far], x.here, x.there, x.amount, true)
		}
	}
	for _, x := range l.got[first] {
		p.pass(l.towards(group, int(x.far)), x.there, x.here, x.amount, false)
	}
	return p
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
	l.each(func(p *groupPart) {
		most[0] = max(most[0], greatest(p.local))
		most[1] = max(most[1], greatest(p.global))
	})
	return most
}

// ways are the loads of links with those of legs: of groups that carry as much those of the one in which a link has most.
func (l *groupLoads) ways() []busiest {
	if len(l.out) < 3 {
		return nil
	}
	l.legs.begin(l.Groups, l.out, l.in)
	alike := l.alike(l.Turned)
	if p := l.part(0); len(alike)*(len(p.local)+len(p.global)) > mostKept {
		alike = l.alike(false)
	}
	if l.legs.uniform {
		most := l.least(0)
		l.legs.raise(0, most)
		return l.waysOf(alike, most)
	}
	of, most := make([]int, l.Groups.Count), make([]*groupPart, len(alike))
	for c, groups := range alike {
		for _, i := range groups {
			of[i] = c
		}
	}
	var w groupWays
	var spare []*groupPart
	for i, c := range of {
		if n := len(spare); most[c] == nil && n > 0 && l.Turned {
			most[c], spare = spare[n-1], spare[:n-1]
			most[c].fill(math.Inf(-1))
		} else if most[c] == nil {
			most[c] = l.least(i)
		}
		if l.legs.raise(i, most[c]); i == alike[c][len(alike[c])-1] {
			w.add(l, alike[c][0], most[c])
			spare, most[c] = append(spare, most[c]), nil
		}
	}
	return w.levels[:]
}

// waysOf are those of groups of which each first one stands for some, of links that all have these legs at most.
func (l *groupLoads) waysOf(alike [][]int, legs *groupPart) []busiest {
	var w groupWays
	for _, groups := range alike {
		w.add(l, groups[0], legs)
	}
	return w.levels[:]
}

// groupWays are the busiest links inside groups and between them.
type groupWays struct {
	levels [2]busiest
	direct *groupPart // room for what a group carries
}

// add adds the links of a group, with their legs.
func (w *groupWays) add(l *groupLoads, group int, legs *groupPart) {
	w.direct = l.carried(group, w.direct)
	l.unlinked(legs)
	w.levels[0] = w.levels[0].links(w.direct.local, legs.local)
	w.levels[1] = w.levels[1].links(w.direct.global, legs.global)
}

// links adds links with their legs, which are -Inf where there is no link.
func (w busiest) links(direct, legs []float64) busiest {
	for k, x := range direct {
		if !math.IsInf(legs[k], -1) {
			w = w.add(linkLoad{x, legs[k]})
		}
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
	if len(l.out) < 3 || !l.Turned {
		return nil
	}
	if l.evenly == nil {
		each := l.sides(slices.Repeat([]float64{1}, len(l.out)))
		l.evenly = l.least(0)
		(&keptLegs{g: l.Groups, out: each, in: each}).raise(0, l.evenly)
	}
	most, legs := max(slices.Max(l.out), slices.Max(l.in)), l.part(0)
	for i, x := range l.evenly.local {
		legs.local[i] = most * x
	}
	for i, x := range l.evenly.global {
		legs.global[i] = most * x
	}
	return l.waysOf(l.alike(true), legs)
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

// shifts are the messages of a pattern. Where groups have the same links those that begin at the same place of a group of ranks send and receive alike, and of one shift those whose
// messages go and come in the same rows, so much further on: the first is counted.
func (l *groupLoads) shifts(of workload.Group, p pattern, ranks int) {
	each, block, all := l.Each*l.PerSwitch, of.Stride*of.Size, len(l.out)*l.PerSwitch
	if !l.Turned {
		p.each(of, func(shift int) { shifted{of, shift}.runs(0, ranks, l.run) })
		return
	}
	begins, known := make(map[int]int), make([]groupRuns, 0, mostKinds)
	var runs groupRuns
	for i := 0; i*each < ranks; i++ {
		begin, end := i*each, min(ranks, (i+1)*each)
		first, alike := begins[begin%block]
		alike = alike && (i+1)*each <= ranks
		p.each(of, func(shift int) {
			if alike {
				return
			}
			runs.first, runs.out, runs.in = i, runs.out[:0], runs.in[:0]
			shifted{of, shift}.runs(begin, end, func(from, to, n int) {
				runs.out = append(runs.out, groupRun{from - begin, (to - from + all) % all, n})
			})
			shifted{of, -shift}.runs(begin, end, func(to, from, n int) {
				runs.in = append(runs.in, groupRun{to - begin, (from - to + all) % all, n})
			})
			source := func(r groupRun) int {
				if at := begin + r.here + r.ahead; at < all {
					return at
				}
				return begin + r.here + r.ahead - all
			}
			slices.SortFunc(runs.in, func(a, b groupRun) int { return source(a) - source(b) }) // as sources send
			if !p.All {
				if k := slices.IndexFunc(known, runs.same); k >= 0 {
					first, alike = known[k].first, true
					return
				}
				if len(known) < mostKinds {
					known = append(known, groupRuns{i, slices.Clone(runs.out), slices.Clone(runs.in)})
				}
			}
			for _, r := range runs.out {
				l.split(begin+r.here, (begin+r.here+r.ahead)%all, r.n, func(a, b, n int) { l.send(a, b, float64(n)) })
			}
			for _, r := range runs.in {
				l.split((begin+r.here+r.ahead)%all, begin+r.here, r.n, func(a, b, n int) { l.receive(a, b, float64(n)) })
			}
		})
		if begins[begin%block] = i; alike {
			begins[begin%block], l.same[i] = first, first
			copy(l.out[i*l.Each:][:l.Each], l.out[first*l.Each:])
			copy(l.in[i*l.Each:][:l.Each], l.in[first*l.Each:])
		}
	}
}

// groupRuns are rows of messages of 1 from and to endpoints of a group: where they begin in it, how much further on the other ends are, around all groups, and how many there are.
type groupRuns struct {
	first   int
	out, in []groupRun
}
type groupRun struct{ here, ahead, n int }

func (r *groupRuns) same(o groupRuns) bool {
	return slices.Equal(r.out, o.out) && slices.Equal(r.in, o.in)
}

// run is a message of 1 from each of so many endpoints in a row to those in another row.
func (l *groupLoads) run(from, to, n int) {
	l.split(from, to, n, func(a, b, n int) {
		l.send(a, b, float64(n))
		l.receive(a, b, float64(n))
	})
}

// strided adds messages switch by switch.
func (l *groupLoads) strided(from, step, to, toStep, n int) {
	for per := l.PerSwitch; n > 0; {
		some := min(n, (per-from%per+step-1)/step, (per-to%per+toStep-1)/toStep)
		l.add(from, to, float64(some))
		from, to, n = from+some*step, to+some*toStep, n-some
	}
}

// split gives to f the switches of a run.
func (l *groupLoads) split(from, to, n int, f func(a, b, n int)) {
	bySwitch(l.PerSwitch, from, to, n, func(from, to, n int) { f(from/l.PerSwitch, to/l.PerSwitch, n) })
}
