package placed

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"toposearch/routing"
	"toposearch/workload"
)

// Groups is a network of groups of switches, all joined to each other inside, whose routes take a link inside the group of the source, one between the two groups and one
// inside that of the destination, as few as they can, in equal parts over all that lead on: a dragonfly with its natural routes. Or switches of a group have links to each of
// its spines (Mids), over which routes go, and between groups over a link of these: a Dragonfly+. Endpoints are in the order of switches, and
// these in the order of groups. Loads are counted without building it.
type Groups struct {
	Count, Each, PerSwitch int // groups; switches of each; endpoints of a switch
	Mids                   int // spines of a group; 0: its switches are joined to each other
	// Local and Global are what a link inside groups and one between them carries each way, in units of what an endpoint sends at Link.BytesPerS.
	Local, Global float64
	// Links emits all links of a group to others, by switches, or by spines.
	Links func(group int, emit func(from, to int))
	// Turned: the group i+1 has the links of the group i, with all groups one further on.
	Turned bool
	ports  [2]int     // most links of a switch, and all of a group, to other groups, once known
	spare  shapeLoads // of a pattern before, to be used again
	joined [][]joined // by group, of the first alone if Turned, and by how much further on the other group is
}

// joined is how a group is joined to another.
type joined struct {
	exits, entries []int32   // switches with links to it, and those there to which they lead
	links          []int32   // of exit and entry, at [exit*len(entries)+entry]
	out, in        []int32   // links of an exit, and exits that lead to an entry
	leads, led     [][]int32 // by exit, the entries to which it has links, and by entry the exits from which it has some, by their places
	// at is where that of exit and entry is in groupPart.global, which has those from first on, before end.
	at         []int32
	first, end int
}

// Geometry is all but what links carry.
func (g *Groups) Geometry() string {
	key := fmt.Sprint("groups ", g.Count, g.Each, g.PerSwitch, g.Mids, g.of(0))
	for i := 1; !g.Turned && i < g.Count; i++ {
		key += fmt.Sprint(g.of(i))
	}
	return key
}

func (g *Groups) home(endpoint int) int32 { return int32(endpoint / g.PerSwitch) }

// closed is left to count, since groups of ranks that lie alike meet other links between groups.
func (g *Groups) closed(workload.Group, pattern) (busiest float64, ok bool) { return 0, false }

func (g *Groups) under(levels []float64) float64 { return max(levels[0]/g.Local, levels[1]/g.Global) }

func (g *Groups) split(levels []busiest) float64 { return 1 / g.best(levels).Throughput }

func (g *Groups) best(levels []busiest) routing.Split {
	return split(levels, []float64{g.Local, g.Global}, g.Count*g.Each)
}

// blocks are switches, of which none has more links than Groups.ports, and groups.
func (g *Groups) blocks() []Subtree {
	g.of(0)
	all := Subtree{Endpoints: g.Each * g.PerSwitch, Carry: float64(g.ports[1]) * g.Global}
	one := Subtree{Endpoints: g.PerSwitch, Carry: float64(g.Each-1)*g.Local + float64(g.ports[0])*g.Global}
	if g.Mids > 0 {
		one.Carry = float64(g.Mids) * g.Local
	}
	if g.Each == 1 {
		all.Carry = min(all.Carry, one.Carry)
		return []Subtree{all}
	}
	return []Subtree{one, all}
}

// of are the links of a group by how much further on the other is.
func (g *Groups) of(group int) []joined {
	if g.Turned {
		group = 0
	}
	if g.joined == nil {
		g.joined = make([][]joined, g.Count)
	}
	if g.joined[group] == nil {
		g.joined[group] = g.join(group)
	}
	return g.joined[group]
}

func (g *Groups) join(group int) []joined {
	type link struct{ from, to int32 }
	to, out := make([][]link, g.Count), make([]joined, g.Count)
	each := cmp.Or(g.Mids, g.Each)
	from, all := make([]int, each), 0
	g.Links(group, func(a, b int) {
		far := (b/each - group + g.Count) % g.Count
		to[far] = append(to[far], link{int32(a % each), int32(b % each)})
		from[a%each]++
		all++
	})
	g.ports[0], g.ports[1] = max(g.ports[0], slices.Max(from)), max(g.ports[1], all)
	first, exit, entry := 0, make([]int, each), make([]int, each) // and by switch, 1 + its place among those at hand
	for far, list := range to {
		j := &out[far]
		for _, l := range list {
			if exit[l.from] == 0 {
				j.exits = append(j.exits, l.from)
				exit[l.from] = len(j.exits)
			}
			if entry[l.to] == 0 {
				j.entries = append(j.entries, l.to)
				entry[l.to] = len(j.entries)
			}
		}
		j.links = make([]int32, len(j.exits)*len(j.entries))
		j.out, j.in = make([]int32, len(j.exits)), make([]int32, len(j.entries))
		for _, l := range list {
			e, f := exit[l.from]-1, entry[l.to]-1
			j.out[e]++
			if j.links[e*len(j.entries)+f]++; j.links[e*len(j.entries)+f] == 1 {
				j.in[f]++
			}
		}
		j.leads, j.led = make([][]int32, len(j.exits)), make([][]int32, len(j.entries))
		j.at, j.first = make([]int32, len(j.links)), first
		for i, m := range j.links {
			if e, f := i/len(j.entries), i%len(j.entries); m > 0 {
				j.leads[e], j.led[f] = append(j.leads[e], int32(f)), append(j.led[f], int32(e))
				j.at[i] = int32(first)
				first++
			}
		}
		j.end = first
		for _, l := range list {
			exit[l.from], entry[l.to] = 0, 0
		}
	}
	return out
}

// groupPart is what the links of one group carry, in shares of S: that from one of its switches to another at [from*each+to], or up to a spine at [from*mids+spine] and, behind
// these, down at [spine*each+to], and each of those to other groups at [joined.at].
type groupPart struct {
	each, mids    int
	local, global []float64
}

// between are the links of a group to others, those of the same ends once.
func (g *Groups) between(group int) int {
	j := g.of(group)
	return j[len(j)-1].end
}

func (g *Groups) part(group int) *groupPart {
	local := g.Each * g.Each
	if g.Mids > 0 {
		local = 2 * g.Each * g.Mids
	}
	return &groupPart{g.Each, g.Mids, make([]float64, local), make([]float64, g.between(group))}
}

func (p *groupPart) fill(x float64) {
	for _, list := range [2][]float64{p.local, p.global} {
		for i := range list {
			list[i] = x
		}
	}
}

// least is a part to be raised.
func (g *Groups) least(group int) *groupPart {
	p := g.part(group)
	p.fill(math.Inf(-1))
	return p
}

// pass adds what one switch sends to one of another group, to the links of its own group or, if here is false, to those of the other, between which are the links j: of
// routes as short as they can be in equal parts over all links that lead on.
func (p *groupPart) pass(j *joined, from, to int32, amount float64, here bool) {
	if p.mids > 0 {
		p.over(j, from, to, amount, here)
		return
	}
	p.passBy(j, slices.Index(j.exits, from), slices.Index(j.entries, to), from, to, amount, here)
}

// passBy is pass from an exit to an entry by their places, -1 if a switch is none.
func (p *groupPart) passBy(j *joined, e, f int, from, to int32, amount float64, here bool) {
	nf := len(j.entries)
	switch {
	case e >= 0 && f >= 0 && j.links[e*nf+f] > 0:
		if here {
			p.global[j.at[e*nf+f]] += amount / float64(j.links[e*nf+f])
		}
	case e >= 0 && f >= 0:
		part := amount / float64(j.out[e]+j.in[f])
		p.leave(j, e, to, part, here)
		p.enter(j, from, f, part, here)
	case e >= 0:
		p.leave(j, e, to, amount/float64(j.out[e]), here)
	case f >= 0:
		p.enter(j, from, f, amount/float64(j.in[f]), here)
	default:
		part := amount / float64(len(j.exits))
		for e, x := range j.exits {
			if here {
				p.local[int(from)*p.each+int(x)] += part
			}
			p.leave(j, e, to, part/float64(j.out[e]), here)
		}
	}
}

// inside adds what one switch sends to another of the group.
func (p *groupPart) inside(from, to int32, amount float64) {
	if p.mids == 0 {
		p.local[int(from)*p.each+int(to)] += amount
		return
	}
	up, down := p.ways()
	for s := range p.mids {
		up[int(from)*p.mids+s] += amount / float64(p.mids)
		down[s*p.each+int(to)] += amount / float64(p.mids)
	}
}

// ways are the links up to spines and those down.
func (p *groupPart) ways() (up, down []float64) {
	n := p.each * p.mids
	return p.local[:n], p.local[n:]
}

// over is pass over spines.
func (p *groupPart) over(j *joined, from, to int32, amount float64, here bool) {
	up, down := p.ways()
	part := amount / float64(len(j.exits))
	for e, x := range j.exits {
		if here {
			up[int(from)*p.mids+int(x)] += part
		}
		for _, f := range j.leads[e] {
			if at := e*len(j.entries) + int(f); here {
				p.global[j.at[at]] += part / float64(j.out[e])
			} else {
				down[int(j.entries[f])*p.each+int(to)] += part / float64(j.out[e]) * float64(j.links[at])
			}
		}
	}
}

// leave takes all links of an exit, each with a part, and then the one to the destination.
func (p *groupPart) leave(j *joined, e int, to int32, part float64, here bool) {
	for _, f := range j.leads[e] {
		if at := e*len(j.entries) + int(f); here {
			p.global[j.at[at]] += part
		} else {
			p.local[int(j.entries[f])*p.each+int(to)] += part * float64(j.links[at])
		}
	}
}

// enter takes a part by way of each exit with a link to an entry, which is the destination.
func (p *groupPart) enter(j *joined, from int32, f int, part float64, here bool) {
	if !here {
		return
	}
	for _, e := range j.led[f] {
		at := int(e)*len(j.entries) + f
		p.local[int(from)*p.each+int(j.exits[e])] += part
		p.global[j.at[at]] += part / float64(j.links[at])
	}
}
