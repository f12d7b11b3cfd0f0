package family

import "slices"

// groupPair is the global links between two groups: which switches of the one lead to which of
// the other.
type groupPair struct {
	exits, entries []int // switches with links, distinct
	links          []int // by exit*len(entries)+entry: parallel links
	out, in        []int // links of an exit; exits that lead to an entry
	atExit         []int // place of a switch in exits, or -1
	atEntry        []int
}

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

// gather fills the pair from the switches at both ends of its links.
func (p *groupPair) gather(from, to []int) {
	for _, e := range p.exits {
		p.atExit[e] = -1
	}
	for _, f := range p.entries {
		p.atEntry[f] = -1
	}
	p.exits, p.entries = p.exits[:0], p.entries[:0]
	for k := range from {
		if p.atExit[from[k]] < 0 {
			p.atExit[from[k]] = len(p.exits)
			p.exits = append(p.exits, from[k])
		}
		if p.atEntry[to[k]] < 0 {
			p.atEntry[to[k]] = len(p.entries)
			p.entries = append(p.entries, to[k])
		}
	}
	p.links = append(p.links[:0], make([]int, len(p.exits)*len(p.entries))...)
	p.out = append(p.out[:0], make([]int, len(p.exits))...)
	p.in = append(p.in[:0], make([]int, len(p.entries))...)
	for k := range from {
		e, f := p.atExit[from[k]], p.atEntry[to[k]]
		p.out[e]++
		if p.links[e*len(p.entries)+f]++; p.links[e*len(p.entries)+f] == 1 {
			p.in[f]++
		}
	}
}

// hops counts the pairs of switches of the two groups, of a switches each, by the length of their
// local-global-local route: 1, 2 or 3.
func (p *groupPair) hops(a int) (n [4]int64) {
	for _, m := range p.links {
		if m > 0 {
			n[1]++
		}
	}
	e, f := int64(len(p.exits)), int64(len(p.entries))
	n[3] = (int64(a) - e) * (int64(a) - f)
	n[2] = int64(a)*int64(a) - n[3] - n[1]
	return n
}

// turned is the pair as the other group sees it.
func (p *groupPair) turned(q *groupPair) {
	ne, nf := len(p.exits), len(p.entries)
	q.exits, q.entries, q.atExit, q.atEntry = p.entries, p.exits, p.atEntry, p.atExit
	q.links = append(q.links[:0], make([]int, ne*nf)...)
	q.out, q.in = append(q.out[:0], make([]int, nf)...), append(q.in[:0], make([]int, ne)...)
	for e := range ne {
		for f := range nf {
			if m := p.links[e*nf+f]; m > 0 {
				q.links[f*ne+e] = m
				q.out[f] += m
				q.in[e]++
			}
		}
	}
}

// lglLoads holds the loads of the channels of one group, in units of the traffic between two switches.
type lglLoads struct {
	a      int
	local  []float64 // by from*a + to
	global float64   // busiest so far
	g      []float64 // scratch: load of each of the parallel links, by exit and entry
	row    sparse    // scratch: entries that an exit has links to,
	col    sparse    // and exits that an entry has links to
	// inverse is 1/k by k.
	inverse []float64
}

// walk puts the traffic of the first groups with all others on channels, group by group: of one group if all are alike, else of
// all. It counts the pairs of switches as hops does, and gives the load of the busiest local channel.
func (l *lglLoads) walk(x globals, groups, h int) (hops [4]int64, busiest float64) {
	l.local = make([]float64, l.a*l.a)
	var back groupPair
	for i := range groups {
		clear(l.local)
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
		busiest = max(busiest, slices.Max(l.local))
	}
	return hops, busiest
}

// load puts the traffic from one group to another on the channels: in the source group those that lead to
// the exits, in the destination group those that lead from the entries, of which the group at hand is one or, like any other, both.
func (l *lglLoads) load(p *groupPair, source, destination bool) {
	a, ne, nf := float64(l.a), float64(len(p.exits)), float64(len(p.entries))
	l.g = append(l.g[:0], make([]float64, len(p.links))...)
	// Of many pairs few have links: those of an exit, and those of an entry.
	l.row.gather(len(p.exits), len(p.entries), func(e, f int) bool { return p.links[e*len(p.entries)+f] > 0 })
	l.col.gather(len(p.entries), len(p.exits), func(f, e int) bool { return p.links[e*len(p.entries)+f] > 0 })
	for k := len(l.inverse); k <= slices.Max(p.out)+slices.Max(p.in); k++ { // pairs are many times as many as sums
		l.inverse = append(l.inverse, 1/float64(k))
	}
	for e, x := range p.exits {
		// Switches without a link go to all exits for destinations without one, else to those
		// that lead to the destination.
		w, without := (a-nf)/ne, (a-nf)*a/ne/float64(p.out[e])
		for _, f := range l.row.of(e) {
			at := e*len(p.entries) + int(f)
			w += 1 / float64(p.in[f])
			l.g[at] += over((a-ne)/float64(p.in[f]), p.links[at]) + without
		}
		for r := range l.a {
			if source && p.atExit[r] < 0 {
				l.local[r*l.a+x] += w
			}
		}
	}
	for f, y := range p.entries {
		w := 0.0
		for _, e := range l.col.of(f) {
			w += float64(p.links[int(e)*len(p.entries)+f]) / float64(p.out[e])
		}
		for s := range l.a {
			if destination && p.atEntry[s] < 0 {
				l.local[y*l.a+s] += w * a / ne
			}
		}
	}
	l.between(p, source, destination)
	for i, m := range p.links {
		if m > 0 {
			l.global = max(l.global, l.g[i])
		}
	}
}

// between adds the traffic from exits to entries: over their own links if there are any, else over
// the links of either, in equal parts per channel.
func (l *lglLoads) between(p *groupPair, source, destination bool) {
	nf := len(p.entries)
	for e, r := range p.exits {
		row, g, from := l.row.of(e), l.g[e*nf:][:nf], l.local[r*l.a:][:l.a]
		for f, s := range p.entries {
			if m := p.links[e*nf+f]; m > 0 {
				g[f] += over(1, m)
				continue
			}
			part := l.inverse[p.out[e]+p.in[f]]
			for _, k := range row {
				g[k] += part
				if destination {
					l.local[p.entries[k]*l.a+s] += float64(p.links[e*nf+int(k)]) * part
				}
			}
			for _, k := range l.col.of(f) {
				if source {
					from[p.exits[k]] += part
				}
				at := int(k)*nf + f
				l.g[at] += over(part, p.links[at])
			}
		}
	}
}

// over is x/m: mostly m is 1, and dividing takes as long as all else.
func over(x float64, m int) float64 {
	if m == 1 {
		return x
	}
	return x / float64(m)
}

// sparse lists which of the columns of each row are taken, rising.
type sparse struct{ first, at []int32 }

func (s *sparse) gather(rows, columns int, taken func(i, j int) bool) {
	s.first, s.at = append(s.first[:0], 0), s.at[:0]
	for i := range rows {
		for j := range columns {
			if taken(i, j) {
				s.at = append(s.at, int32(j))
			}
		}
		s.first = append(s.first, int32(len(s.at)))
	}
}

func (s *sparse) of(row int) []int32 { return s.at[s.first[row]:s.first[row+1]] }

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
