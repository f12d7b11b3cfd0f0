package placed

import "toposearch/workload"

// Nets are groups of leaves, so many to a sub-network. Of the links that lead out of a group as many lead to switches that it shares with each of the other sub-networks, and with the groups of its own:
// what groups of two sub-networks send each other takes those of these two, and what groups of one do takes all, in equal parts (Zettafly).
type Nets struct {
	Leaf, Group   Subtree // with all that leads out of them
	Groups, Count int     // of a sub-network, and sub-networks
}

// Geometry is all but what links carry.
func (x *Nets) Geometry() string { return Tree{x.Leaf, x.Group}.Geometry() }

func (x *Nets) home(endpoint int) int32 { return int32(x.Leaf.number(endpoint)) }

// closed is left to byRuns, since groups of ranks that lie alike meet other sub-networks.
func (x *Nets) closed(workload.Group, pattern) (busiest float64, ok bool) { return 0, false }

func (x *Nets) under(levels []float64) float64 { return Tree{x.Leaf, x.Group}.under(levels) }

func (x *Nets) split(levels []busiest) float64 { return Tree{}.split(levels) }

// blocks are leaves, groups and sub-networks.
func (x *Nets) blocks() []Subtree {
	return []Subtree{x.Leaf, x.Group, {Endpoints: x.Groups * x.Group.Endpoints, Carry: float64(x.Groups) * x.Group.Carry}}
}

// byRuns counts what leaves and enters leaves, and groups by the sub-network of the other end.
func (x *Nets) byRuns(of workload.Group, p pattern, ranks int, _ bool) *loaded {
	l := &loaded{own: float64(p.sends(of)), levels: Tree{x.Leaf}.inRows(of, p, ranks)}
	size, most := x.Groups*x.Group.Endpoints, 0
	repeat, to := period(size, of.Stride*of.Size), make([]int, x.Count)
	for first := 0; first < ranks; first += x.Group.Endpoints {
		own := first / size
		if first >= repeat && (own+1)*size <= ranks {
			continue // as one before, of other sub-networks as far on
		}
		end := min(ranks, first+x.Group.Endpoints)
		for _, sign := range [2]int{1, -1} { // what it sends, and what it receives
			clear(to)
			p.each(of, func(shift int) {
				shifted{of, sign * shift}.runs(first, end, func(_, other, n int) {
					to[own] -= max(0, min(end, other+n)-max(first, other)) // inside
					bySwitch(size, 0, other, n, func(_, other, n int) { to[other/size] += n })
				})
			})
			most = max(most, x.busiest(to, own))
		}
	}
	l.levels = append(l.levels, float64(most))
	return l
}

// busiest is what all links of a group would carry if they carried as much as the busiest, of what it sends to each sub-network, of which one is its own.
func (x *Nets) busiest(to []int, own int) (most int) {
	for net, n := range to {
		if net != own {
			most = max(most, n*(x.Count-1))
		}
	}
	return most + to[own]
}

// netLoads are messages one by one: what leaves and enters leaves, and groups by the sub-network of the other end.
type netLoads struct {
	*Nets
	leaves  shapeLoads
	between map[[3]int]float64 // by group, sub-network and way
}

func (x *Nets) loads() shapeLoads { return &netLoads{x, Tree{x.Leaf}.loads(), map[[3]int]float64{}} }

func (l *netLoads) add(from, to int, share float64) {
	l.leaves.add(from, to, share)
	if a, b := l.Group.number(from), l.Group.number(to); a != b {
		l.between[[3]int{a, b / l.Groups, 0}] += share
		l.between[[3]int{b, a / l.Groups, 1}] += share
	}
}

func (l *netLoads) levels() []float64 {
	most := 0.0
	for k, x := range l.between {
		own := [3]int{k[0], k[0] / l.Groups, k[2]}
		if k != own {
			x = x*float64(l.Count-1) + l.between[own]
		}
		most = max(most, x)
	}
	return append(l.leaves.levels(), most)
}

func (l *netLoads) ways() []busiest { return nil }
