package placed

import (
	"fmt"
	"slices"

	"toposearch/workload"
)

// Nets are groups of leaves, so many to a sub-network. Of the links that lead out of a group as many lead to switches that it shares with each of the other sub-networks, and with the groups of its own:
// what groups of two sub-networks send each other takes those of these two, and what groups of one do takes all, in equal parts (Zettafly).
//
// Where leaves are joined, each to all others of its group, the links out of it are theirs, as many of each: a message goes to the leaf of its own group that is at the place of its destination, and over the links of that one to it.
type Nets struct {
	Leaf, Group   Subtree // with all that leads out of groups, and of leaves; of those that are joined, to the others
	Groups, Count int     // of a sub-network, and sub-networks
	Joined        bool
}

// leaves are those of a group.
func (x *Nets) leaves() int { return x.Group.Endpoints / x.Leaf.Endpoints }

// each are the leaves of a group whose links out of it are counted by themselves: all of those that are joined, else one for the group.
func (x *Nets) each() int {
	if x.Joined {
		return x.leaves()
	}
	return 1
}

// Geometry is all but what links carry.
func (x *Nets) Geometry() string {
	return fmt.Sprint(x.Joined, Tree{x.Leaf, x.Group}.Geometry(), x.Groups, x.Count)
}

func (x *Nets) home(endpoint int) int32 { return int32(x.Leaf.number(endpoint)) }

// closed is left to byRuns, since groups of ranks that lie alike meet other sub-networks.
func (x *Nets) closed(workload.Group, pattern) (busiest float64, ok bool) { return 0, false }

// under takes what leaves or, where these are joined, links between two of them carry, and what groups would if all their links carried as much as the busiest.
func (x *Nets) under(levels []float64) float64 {
	if n := x.leaves(); x.Joined {
		levels = []float64{levels[0] * float64(n-1), levels[1] * float64(n)}
		if n == 1 {
			return levels[1] / x.Group.Carry
		}
	}
	return Tree{x.Leaf, x.Group}.under(levels)
}

func (x *Nets) split(levels []busiest) float64 { return Tree{}.split(levels) }

// blocks are leaves, groups and sub-networks.
func (x *Nets) blocks() []Subtree {
	leaf := x.Leaf
	if x.Joined {
		leaf.Carry += x.Group.Carry / float64(x.leaves())
	}
	return []Subtree{leaf, x.Group, {Endpoints: x.Groups * x.Group.Endpoints, Carry: float64(x.Groups) * x.Group.Carry}}
}

// byRuns counts what leaves and enters leaves, and groups, or their leaves, by the sub-network of the other end.
func (x *Nets) byRuns(of workload.Group, p pattern, ranks int, _ bool) *loaded {
	l := &loaded{own: float64(p.sends(of))}
	size, count := x.Groups*x.Group.Endpoints, netCount{Nets: x}
	if x.Joined {
		count.links = make([]int, x.leaves()*x.leaves())
	} else {
		l.levels = Tree{x.Leaf}.inRows(of, p, ranks)
	}
	count.to = make([][]int, x.each())
	for i := range count.to {
		count.to[i] = make([]int, x.Count)
	}
	repeat, most := period(size, of.Stride*of.Size), 0
	for first := 0; first < ranks; first += x.Group.Endpoints {
		own := first / size
		if first >= repeat && (own+1)*size <= ranks {
			continue // as one before, of other sub-networks as far on
		}
		count.first, count.end = first, min(ranks, first+x.Group.Endpoints)
		for _, sign := range [2]int{1, -1} { // what it sends, and what it receives
			count.sends = sign > 0
			p.each(of, func(shift int) { shifted{of, sign * shift}.runs(first, count.end, count.run) })
			for _, to := range count.to {
				most = max(most, x.busiest(to, own))
				clear(to)
			}
		}
		if x.Joined {
			count.joined = max(count.joined, slices.Max(count.links))
			clear(count.links)
		}
	}
	if x.Joined {
		l.levels = []float64{float64(count.joined)}
	}
	l.levels = append(l.levels, float64(most))
	return l
}

// netCount counts the messages of a group.
type netCount struct {
	*Nets
	first, end int // the endpoints of the group
	sends      bool
	to         [][]int // by leaf, if they are joined, and sub-network: what leaves the group, or enters it
	links      []int   // between leaves that are joined
	joined     int     // the most of them
}

// run is messages of so many endpoints of the group, sent or received.
func (c *netCount) run(self, other, n int) {
	if !c.Joined {
		size := c.Groups * c.Group.Endpoints
		c.to[0][c.first/size] -= max(0, min(c.end, other+n)-max(c.first, other)) // inside
		bySwitch(size, 0, other, n, func(_, other, n int) { c.to[0][other/size] += n })
		return
	}
	bySwitch(c.Leaf.Endpoints, self, other, n, func(self, other, n int) {
		from, to := (self-c.first)/c.Leaf.Endpoints, other/c.Leaf.Endpoints
		group := to / c.leaves()
		by := from // the leaf that messages leave the group by, or enter it
		if c.sends {
			if by = to % c.leaves(); by != from {
				c.links[from*c.leaves()+by] += n
			}
		}
		if group*c.Group.Endpoints != c.first {
			c.to[by][group/c.Groups] += n
		}
	})
}

// busiest is what all links out of a group or a leaf would carry if they carried as much as the busiest, of what it sends to each sub-network, of which one is its own.
func (x *Nets) busiest(to []int, own int) (most int) {
	for net, n := range to {
		if net != own {
			most = max(most, n*(x.Count-1))
		}
	}
	return most + to[own]
}

// netLoads are messages one by one: what leaves and enters leaves, or what links between those that are joined carry, and groups or such leaves by the sub-network of the other end.
type netLoads struct {
	*Nets
	leaves  shapeLoads
	each    int       // leaves of a group that are counted by themselves
	links   []float64 // by leaf and that of its group, of those that are joined
	between []float64 // by group or leaf, way and sub-network
}

func (x *Nets) loads() shapeLoads {
	l := &netLoads{Nets: x, leaves: Tree{x.Leaf}.loads(), each: x.each()}
	groups := x.Groups * x.Count
	if x.Joined {
		l.links = make([]float64, groups*l.each*l.each)
	}
	l.between = make([]float64, groups*l.each*2*x.Count)
	return l
}

// Bytes is what counting messages one by one takes.
func (x *Nets) Bytes(float64) float64 {
	leaves, each := float64(x.Groups*x.Count), 2*float64(x.Count)
	if x.Joined {
		leaves, each = leaves*float64(x.leaves()), each+float64(x.leaves())
	}
	return 8 * leaves * each
}

func (l *netLoads) add(from, to int, share float64) {
	a, b := l.Group.number(from), l.Group.number(to)
	out, in := a, b // by which messages leave and enter groups
	if l.Joined {
		own, at := l.Leaf.number(from), l.Leaf.number(to)
		if out, in = a*l.each+at%l.each, at; out != own {
			l.links[own*l.each+out%l.each] += share
		}
	} else {
		l.leaves.add(from, to, share)
	}
	if a != b {
		l.between[2*out*l.Count+b/l.Groups] += share
		l.between[(2*in+1)*l.Count+a/l.Groups] += share
	}
}

func (l *netLoads) levels() []float64 {
	most := 0.0
	for i := range len(l.between) / l.Count {
		to, own := l.between[i*l.Count:][:l.Count], i/2/l.each/l.Groups
		for net, x := range to {
			if net != own {
				x = x*float64(l.Count-1) + to[own]
			}
			most = max(most, x)
		}
	}
	if !l.Joined {
		return append(l.leaves.levels(), most)
	}
	return []float64{slices.Max(l.links), most}
}

func (l *netLoads) ways() []busiest { return nil }
