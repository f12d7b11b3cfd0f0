package family

import "toposearch/topology"

// arrangements are the ways in which the global ports of a group are assigned to the other
// groups (Camarero, Vallejo, Beivide, ACM TACO 11(4), 2014; Hastings et al., CLUSTER 2015).
var arrangements = []string{"palmtree", "absolute", "relative", "circulant"}

const (
	palmtree = iota
	absolute
	relative
	circulant
)

// globals says which global ports of g groups, each with n ports, are linked. Port q belongs to
// switch q/h of its group. The ports are used in rounds of g-1, one for each other group, in the
// order of the arrangement; with g-1 dividing n that is all. The n mod (g-1) spare ports come
// last: links to the groups at distance 1, 2, ... in both directions, and for an odd rest to
// the opposite group if g is even; if g is odd, one port of each group stays empty. So no two
// pairs of groups differ by more than one link, every group has equally many, and parallel links
// are g-1 ports apart, hence on different switches wherever possible. Where a switch has ports of several rounds, these lead to
// different switches of a group (see across): links side by side between two switches would leave them a hop from fewer others, and what is between
// other switches to a single path.
type globals struct {
	g, n, arrangement int
	h                 int // ports of a switch, if its rounds are to lead to different switches; 0: round r of a group is linked to round r
}

// across gives the round that a round is linked to, and is its own inverse. Rounds are taken in blocks of as many as touch a switch; round t of block
// s leads to round t of block t-s, so that those of a block all lead to others. What fills no block stays as it is.
func (x globals) across(round int) int {
	if x.h <= x.g-1 {
		return round
	}
	r := x.whole()
	return r.Across(round)
}

// whole are the rounds of every group, of which so many touch a switch.
func (x globals) whole() topology.Rounds {
	r, _ := topology.RoundsOf(x.g, x.n, x.h)
	return r
}

// rounds is the number of links that every pair of groups has; spare how many ports of a group
// have a further one.
func (x globals) rounds() int { return x.n / (x.g - 1) }

func (x globals) spare() int {
	r := x.n % (x.g - 1)
	return r - r%2*(x.g%2)
}

// pairs is how many links the groups have with one another.
func (x globals) pairs() topology.BlockPairs {
	_, p := topology.RoundsOf(x.g, x.n, x.h)
	return p
}

// used is the number of global ports in use in every group.
func (x globals) used() int { return x.rounds()*(x.g-1) + x.spare() }

// peer gives the group and port at the other end of port q, q < used, of group i.
func (x globals) peer(i, q int) (j, to int) {
	g := x.g
	round, rank := q/(g-1), q%(g-1)
	if round == x.rounds() {
		// Spare ports: 2d reaches distance d+1, 2d+1 is the other end; the last may be alone.
		switch {
		case rank == x.spare()-1 && rank%2 == 0:
			return (i + g/2) % g, q
		case rank%2 == 0:
			return (i + rank/2 + 1) % g, q + 1
		}
		return (i + g - rank/2 - 1) % g, q - 1
	}
	return x.inRound(i, rank, x.across(round))
}

// inRound gives the group and port at the other end of the port of a rank of group i, in a round linked to round back.
func (x globals) inRound(i, rank, back int) (j, to int) {
	base := back * (x.g - 1)
	if x.arrangement == absolute {
		if rank < i {
			return rank, base + i - 1
		}
		return rank + 1, base + i
	}
	shift, to := x.turn(rank)
	if j = i + shift; j >= x.g {
		j -= x.g
	}
	return j, base + to
}

// globalPort is what peer needs of a port of whole rounds, which it divides for: its rank, or how far around the ring it leads, and the first port of
// the round at the other end, or the port; below 0 of spare ports. on is the switch of any port.
type globalPort struct{ rank, back, on int }

// table lists the ports in use of groups whose switches have h each.
func (x globals) table(h int) []globalPort {
	ports, rounds := make([]globalPort, x.used()), x.whole()
	for q := range ports {
		p := &ports[q]
		p.back = -1
		if p.on = q / h; q/(x.g-1) < x.rounds() {
			p.rank, p.back = q%(x.g-1), rounds.Across(q/(x.g-1))*(x.g-1)
			if x.cyclic() {
				shift, to := x.turn(p.rank)
				p.rank, p.back = shift, p.back+to
			}
		}
	}
	return ports
}

// tabled is peer by that table.
func (x globals) tabled(ports []globalPort, i, q int) (j, to int) {
	p := &ports[q]
	switch {
	case p.back < 0:
		return x.peer(i, q)
	case x.arrangement == absolute && p.rank < i:
		return p.rank, p.back + i - 1
	case x.arrangement == absolute:
		return p.rank + 1, p.back + i
	}
	if j = i + p.rank; j >= x.g {
		j -= x.g
	}
	return j, p.back
}

// peers gives the groups and ports at the other ends of all ports in use of group i.
func (x globals) peers(i int, visit func(q, j, to int)) {
	rounds, q := x.whole(), 0
	for r := range rounds.Count {
		back := rounds.Across(r)
		for rank := range x.g - 1 {
			j, to := x.inRound(i, rank, back)
			visit(q, j, to)
			q++
		}
	}
	for used := x.used(); q < used; q++ {
		j, to := x.peer(i, q)
		visit(q, j, to)
	}
}

// turn gives how far around the ring of groups the port of a rank leads in a cyclic arrangement, and to which rank.
func (x globals) turn(rank int) (shift, to int) {
	g := x.g
	switch x.arrangement {
	case relative:
		return rank + 1, g - 2 - rank
	case circulant:
		switch {
		case rank%2 == 1:
			return g - (rank-1)/2 - 1, rank - 1
		case rank == g-2: // g even: opposite groups
			return g / 2, rank
		}
		return rank/2 + 1, rank + 1
	}
	return g - rank - 1, g - 2 - rank
}

// links streams every link once, from the end of the lower group, or port: group by group, in the order of ports.
func (x globals) links(emit func(i, q, j, to int)) {
	used := x.used()
	for i := range x.g {
		from := 0
		if x.arrangement == absolute { // the whole rounds, in which those of group j > i are at rank j-1, and theirs of i at rank i
			for ; from+x.g-1 <= used; from += x.g - 1 {
				back := x.across(from/(x.g-1))*(x.g-1) + i
				for j := i + 1; j < x.g; j++ {
					emit(i, from+j-1, j, back)
				}
			}
		}
		for q := from; q < used; q++ {
			if j, to := x.peer(i, q); i < j || i == j && q < to {
				emit(i, q, j, to)
			}
		}
	}
}

// bundles are the links in bulk, of groups of a switches with h ports each, of which the first has the given number: those of whole rounds, and
// of spare ports one by one.
func (x globals) bundles(class, first, a, h int, emit func(topology.Bundle)) {
	b := topology.Bundle{Class: class, A: topology.SwitchID(first), B: topology.SwitchID(first), Times: 1, Ring: x.g, Step: a, Rounds: x.whole()}
	b.Rounds.Ports = h
	if x.cyclic() {
		b.Turn = x.turn
	}
	emit(b)
	step := x.g - 1
	for q := x.rounds() * step; q < x.used(); q++ {
		one := topology.Bundle{Class: class, A: topology.SwitchID(first + q/h), Times: 1, Count: x.g, Ring: x.g, Step: a}
		shift, to := x.peer(0, q)
		if one.B, one.Shift = topology.SwitchID(first+to/h), shift; q == to { // to the opposite group
			one.Count = x.g / 2
		}
		if q <= to {
			emit(one)
		}
	}
}

// cyclic tells whether turning the groups round keeps all links.
func (x globals) cyclic() bool { return x.arrangement != absolute }

// even tells whether every pair of groups has exactly one link, with none left over.
func (x globals) even() bool { return x.g == x.n+1 }

// mirrored tells whether the arrangement's mirror image (group i to -i, port q to n-1-q) is itself.
func (x globals) mirrored() bool {
	return x.even() && (x.arrangement == palmtree || x.arrangement == relative)
}

// globalShare is the least part of the links of any two groups that each switch of a group but the last has, over groups of n switches, h ports
// each, and g groups, from the least to the most of them: a switch with ports of whole rounds alone has as many of each group, rounded
// down, and so have those at the far ends.
func globalShare(n, h, g [2]int) float64 {
	return float64(h[0]/(g[1]-1)) / float64((n[1]*h[1]+g[0]-2)/(g[0]-1))
}

// middle is the number of links between two halves of the groups.
func (x globals) middle() float64 {
	return float64(x.g*x.g/4) * float64(x.used()) / float64(x.g-1)
}

// groupOrbits gives the orbits of the switches of groups of a switches, by index within the group;
// the first switch has the given ID.
func (x globals) groupOrbits(first int32, a int) []topology.Orbit {
	var out []topology.Orbit
	for r := range a {
		switch {
		case !x.mirrored():
			out = append(out, topology.Orbit{Rep: first + int32(r), Count: int64(x.g)})
		case 2*r < a:
			out = append(out, topology.Orbit{Rep: first + int32(r), Count: mirrored(r, a) * int64(x.g)})
		}
	}
	return out
}
