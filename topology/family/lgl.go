package family

import "slices"

// groupPair is the global links between two groups: which switches of the one lead to which of
// the other.
type groupPair struct {
	exits, entries []int  // switches with links, distinct
	rows, cols     sparse // links of an exit, and of an entry: parallel ones are one
	links          []int  // how many are parallel
	out, in        []int  // links of an exit, parallel ones counted; exits that lead to an entry
	atExit         []int  // place of a switch in exits, or -1
	atEntry        []int
}

// sparse lists what is linked to each exit or entry.
type sparse struct {
	first []int
	at    []linkAt
}

type linkAt struct{ other, link int } // the entry or exit, and the place in links

func (s *sparse) of(i int) []linkAt { return s.at[s.first[i]:s.first[i+1]] }

// groupPairs gathers the links of group i by the group they lead to and visits those pairs.
func (x globals) groupPairs(i, h int, visit func(j int, p *groupPair)) {
	used := x.used()
	// Ports sorted by the group they lead to.
	mem := make([]int, 4*used+x.g+1)
	ports, to, js, fars, first := mem[:used], mem[used:2*used], mem[2*used:3*used], mem[3*used:4*used], mem[4*used:]
	x.peers(i, func(q, j, far int) {
		js[q], fars[q] = j, far
		first[j+1]++
	})
	for j := range x.g {
		first[j+1] += first[j]
	}
	next := append([]int(nil), first...)
	for q, j := range js {
		ports[next[j]], to[next[j]] = q/h, fars[q]/h
		next[j]++
	}
	p := &groupPair{atExit: make([]int, x.n/h), atEntry: make([]int, x.n/h)}
	for s := range p.atExit {
		p.atExit[s], p.atEntry[s] = -1, -1
	}
	for j := range x.g {
		if j != i {
			p.gather(ports[first[j]:first[j+1]], to[first[j]:first[j+1]])
			visit(j, p)
		}
	}
}

// gather fills the pair from the switches at both ends of its links, in the order of the first.
func (p *groupPair) gather(from, to []int) {
	for _, e := range p.exits {
		p.atExit[e] = -1
	}
	for _, f := range p.entries {
		p.atEntry[f] = -1
	}
	p.exits, p.entries, p.links, p.out, p.in = p.exits[:0], p.entries[:0], p.links[:0], p.out[:0], p.in[:0]
	p.rows.first, p.rows.at = p.rows.first[:0], p.rows.at[:0]
	row := 0 // where the links of the exit begin
	for k, r := range from {
		if p.atExit[r] < 0 {
			p.atExit[r] = len(p.exits)
			p.exits, p.out, row = append(p.exits, r), append(p.out, 0), len(p.rows.at)
			p.rows.first = append(p.rows.first, row)
		}
		if p.atEntry[to[k]] < 0 {
			p.atEntry[to[k]] = len(p.entries)
			p.entries, p.in = append(p.entries, to[k]), append(p.in, 0)
		}
		p.out[len(p.out)-1]++
		f := p.atEntry[to[k]]
		if at := slices.IndexFunc(p.rows.at[row:], func(l linkAt) bool { return l.other == f }); at >= 0 {
			p.links[row+at]++
			continue
		}
		p.rows.at = append(p.rows.at, linkAt{f, len(p.links)})
		p.links = append(p.links, 1)
		p.in[f]++
	}
	p.rows.first = append(p.rows.first, len(p.links))
	p.cols.first, p.cols.at = append(p.cols.first[:0], 0), slices.Grow(p.cols.at[:0], len(p.links))[:len(p.links)]
	for _, n := range p.in {
		p.cols.first = append(p.cols.first, p.cols.first[len(p.cols.first)-1]+n)
	}
	for e := range p.exits {
		for _, l := range p.rows.of(e) {
			p.cols.at[p.cols.first[l.other]] = linkAt{e, l.link}
			p.cols.first[l.other]++
		}
	}
	copy(p.cols.first[1:], p.cols.first) // each has come to where the next begins
	p.cols.first[0] = 0
}

// hops counts the pairs of switches of the two groups, of a switches each, by the length of their
// local-global-local route: 1, 2 or 3.
func (p *groupPair) hops(a int) (n [4]int64) {
	n[1] = int64(len(p.links))
	e, f := int64(len(p.exits)), int64(len(p.entries))
	n[3] = (int64(a) - e) * (int64(a) - f)
	n[2] = int64(a)*int64(a) - n[3] - n[1]
	return n
}

// turned is the pair as the other group sees it.
func (p *groupPair) turned(q *groupPair) {
	q.exits, q.entries, q.atExit, q.atEntry = p.entries, p.exits, p.atEntry, p.atExit
	q.rows, q.cols, q.links = p.cols, p.rows, p.links
	q.out, q.in = q.out[:0], q.in[:0]
	for f := range q.exits {
		n := 0
		for _, l := range q.rows.of(f) {
			n += q.links[l.link]
		}
		q.out = append(q.out, n)
	}
	for e := range q.entries {
		q.in = append(q.in, len(q.cols.of(e)))
	}
}

// lglLoads holds the loads of the channels of one group, in units of the traffic between two switches.
type lglLoads struct {
	a            int
	leaves, came locals    // of the group by the switch at the far end, and into it by the one at the near end of a local channel
	global       float64   // busiest so far
	inverse      []float64 // 1/k by k
	g, w         []float64 // scratch: load of each of the parallel links; of the local channels to an exit, or from an entry,
	once, times  []float64 // 1, and the parallel ones, of each link,
	sums         []float64 // and what one end carries for each kind of other ends
	outs, ins    kinds
}

// locals is what local channels of switches carry.
type locals struct {
	all []float64 // by switch: each of its channels,
	of  []float64 // and how much more or less those do whose other end has links to the same groups: by switch*a + other end
}

func (x *locals) reset(a int) {
	x.all, x.of = append(x.all[:0], make([]float64, a)...), append(x.of[:0], make([]float64, a*a)...)
}

// kinds are the different ones of a list of numbers, few mostly.
type kinds struct {
	of            []int // kind of each number
	values, count []int // of each kind
}

func (k *kinds) list(numbers []int) {
	k.of, k.values, k.count = k.of[:0], k.values[:0], k.count[:0]
	for _, n := range numbers {
		i := slices.Index(k.values, n)
		if i < 0 {
			i = len(k.values)
			k.values, k.count = append(k.values, n), append(k.count, 0)
		}
		k.count[i]++
		k.of = append(k.of, i)
	}
}

// walk puts the traffic of the first groups with all others on channels, group by group: of one group if all are alike, else of
// all. It counts the pairs of switches as hops does, and gives the load of the busiest local channel, traffic between its own ends included.
func (l *lglLoads) walk(x globals, groups, h int) (hops [4]int64, busiest float64) {
	var back groupPair
	for i := range groups {
		l.leaves.reset(l.a)
		l.came.reset(l.a)
		x.groupPairs(i, h, func(_ int, q *groupPair) {
			n := q.hops(l.a)
			for i := range hops {
				hops[i] += n[i]
			}
			if x.cyclic() { // what goes to the group looks like what goes from it to another
				l.load(q, true, true)
				return
			}
			l.load(q, true, false)
			q.turned(&back)
			l.load(&back, false, true)
		})
		for r := range l.a {
			for s, came := range l.came.of[r*l.a:][:l.a] {
				if s != r {
					busiest = max(busiest, 1+l.came.all[r]+came+l.leaves.all[s]+l.leaves.of[s*l.a+r])
				}
			}
		}
	}
	return hops, busiest
}

// load puts the traffic from one group to another on the channels: in the source group those that lead to
// the exits, in the destination group those that lead from the entries, of which the group at hand is one or, like any other, both.
// Traffic from an exit to an entry takes their own links if there are any, else those of either, in equal parts per channel. Few pairs have links: what
// each part would be if none had is told by the numbers of links of both, and what pairs with links have less is taken off.
func (l *lglLoads) load(p *groupPair, source, destination bool) {
	a, ne, nf := float64(l.a), float64(len(p.exits)), float64(len(p.entries))
	for k := len(l.inverse); k <= slices.Max(p.out)+slices.Max(p.in); k++ { // pairs are many times as many as sums
		l.inverse = append(l.inverse, 1/float64(k))
	}
	l.outs.list(p.out)
	l.ins.list(p.in)
	l.g, l.times, l.w = append(l.g[:0], make([]float64, len(p.links))...), l.times[:0], l.w[:0]
	for _, n := range p.links {
		l.times = append(l.times, float64(n))
	}
	for len(l.once) < len(p.links) {
		l.once = append(l.once, 1)
	}
	for e, x := range p.exits {
		// Switches without a link go to all exits for destinations without one, else to those
		// that lead to the destination.
		w, apart := (a-nf)/ne, l.parts(p.out[e], &l.ins)
		for _, k := range p.rows.of(e) {
			w += 1 / float64(p.in[k.other])
			apart -= l.inverse[p.out[e]+p.in[k.other]]
		}
		for _, k := range p.rows.of(e) {
			l.g[k.link] = apart + (a-nf)*a/ne/float64(p.out[e])
		}
		if l.w = append(l.w, w); source {
			l.leaves.all[x] += w
		}
	}
	if source {
		l.among(p.exits, &p.rows, &p.cols, p.in, &l.outs, l.once, &l.leaves)
	}
	l.w = l.w[:0]
	for f, y := range p.entries {
		w, apart := 0.0, l.parts(p.in[f], &l.outs)
		for _, k := range p.cols.of(f) {
			w += float64(p.links[k.link]) / float64(p.out[k.other]) * a / ne
			apart -= l.inverse[p.out[k.other]+p.in[f]]
		}
		for _, k := range p.cols.of(f) {
			l.g[k.link] += (1 + (a-ne)/float64(p.in[f]) + apart) / float64(p.links[k.link])
			l.global = max(l.global, l.g[k.link])
		}
		if l.w = append(l.w, w); destination {
			l.came.all[y] += w
		}
	}
	if destination {
		l.among(p.entries, &p.cols, &p.rows, p.out, &l.ins, l.times, &l.came)
	}
}

// parts is what a channel of a switch with so many channels would carry for all of the other group's ends if it had a link to none.
func (l *lglLoads) parts(channels int, others *kinds) (sum float64) {
	for i, n := range others.count {
		sum += float64(n) * l.inverse[channels+others.values[i]]
	}
	return sum
}

// among puts on local channels between two of the ends of links what one of them carries for the other, in the place of what it carries for a switch
// without links, l.w: all that its links lead to is reached by them in part, but for what has a link to the other end itself. Links are weighed where
// each of parallel ones carries its part.
func (l *lglLoads) among(ends []int, from, back *sparse, degrees []int, kinds *kinds, weigh []float64, on *locals) {
	full := len(ends) // what has links to all ends takes them
	l.sums = append(l.sums[:0], make([]float64, len(kinds.values))...)
	sums := l.sums
	for i, x := range ends {
		clear(sums)
		for _, k := range from.of(i) {
			if len(back.of(k.other)) < full {
				for c, n := range kinds.values {
					sums[c] += weigh[k.link] * l.inverse[n+degrees[k.other]]
				}
			}
		}
		of := on.of[x*l.a:][:l.a]
		if full < l.a {
			for j, y := range ends {
				of[y] += sums[kinds.of[j]] - l.w[i]
			}
			continue
		}
		on.all[x] += sums[0] - l.w[i] // there is no switch without links
		if len(sums) > 1 {
			for j, y := range ends {
				of[y] += sums[kinds.of[j]] - sums[0]
			}
		}
	}
	for b, degree := range degrees {
		linked := back.of(b)
		if len(linked) == full {
			continue
		}
		for _, k := range linked {
			of := on.of[ends[k.other]*l.a:][:l.a]
			for _, j := range linked {
				of[ends[j.other]] -= weigh[k.link] * l.inverse[kinds.values[kinds.of[j.other]]+degree]
			}
		}
	}
}

// nearerByTwo counts the pairs of switches of different groups whose local-global-local route takes
// three hops, but that two global hops join, over all sources of the groups given.
func (x globals) nearerByTwo(groups, h int) int64 {
	a := x.n / h
	used := x.used()
	var count int64
	ports := x.table(h)
	seen := make([]int32, x.g*a) // 1 + source for which a switch has been counted
	exit, entry := make([]bool, x.g*a), make([]bool, x.g*a)
	for i := range groups {
		clear(exit)
		clear(entry)
		clear(seen)
		x.groupPairs(i, h, func(j int, p *groupPair) {
			for _, e := range p.exits {
				exit[j*a+e] = true
			}
			for _, f := range p.entries {
				entry[j*a+f] = true
			}
		})
		for q := range used {
			r := ports[q].on
			j, to := x.tabled(ports, i, q)
			first := ports[to].on * h
			for q2 := first; q2 < min(first+h, used); q2++ {
				k, far := x.tabled(ports, j, q2)
				s := k*a + ports[far].on
				if k == i || seen[s] == int32(r+1) {
					continue
				}
				seen[s] = int32(r + 1)
				if !exit[k*a+r] && !entry[s] {
					count++
				}
			}
		}
	}
	return count
}

// nearerEven is nearerByTwo where every pair of groups has exactly one link: tables of what the
// ports lead to stand for the walk over pairs of groups.
func (x globals) nearerEven(groups, h int) int64 {
	a, g, n := x.n/h, x.g, x.n
	to := make([]int32, g*n) // group that a port leads to
	at := make([]int32, g*g) // switch of a group that has its link to another
	for i := range g {
		for q := range n {
			j, _ := x.peer(i, q)
			to[i*n+q], at[i*g+j] = int32(j), int32(q/h)
		}
	}
	var count int64
	seen := make([]int32, g*a) // the last source switch, plus 1, from which a switch was reached
	for s := range groups * a {
		i, r := s/a, int32(s%a)
		for _, j := range to[i*n+int(r)*h : i*n+int(r)*h+h] {
			u := int(at[int(j)*g+i])
			for _, k := range to[int(j)*n+u*h : int(j)*n+u*h+h] {
				end := at[int(k)*g+int(j)]
				if int(k) == i || seen[int(k)*a+int(end)] == int32(s+1) {
					continue
				}
				seen[int(k)*a+int(end)] = int32(s + 1)
				if at[i*g+int(k)] != r && at[int(k)*g+i] != end {
					count++
				}
			}
		}
	}
	return count
}
