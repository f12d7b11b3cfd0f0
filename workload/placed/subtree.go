package placed

import "toposearch/workload"

// number is the subtree of an endpoint.
func (b Subtree) number(endpoint int) int {
	if b.Across > 0 {
		return endpoint/(b.Across*b.Endpoints)*b.Across + endpoint%b.Across
	}
	return endpoint / b.Endpoints
}

// holds is how many ranks of a group each subtree has, and of how many groups, if that is the same of all that have ranks, which are so many on the first endpoints; else 0.
func (b Subtree) holds(g workload.Group, ranks int) (each, groups int) {
	span := g.Stride * g.Size
	if b.Across > 0 {
		if g.Stride%b.Across == 0 { // groups on a rail
			return Subtree{Endpoints: b.Endpoints}.holds(workload.Group{Stride: g.Stride / b.Across, Size: g.Size}, ranks/b.Across)
		}
		filled := ranks / b.Across // of a leaf, by one each of as many servers
		switch {
		case ranks%b.Across != 0 || filled > b.Endpoints && filled%b.Endpoints != 0:
			return 0, 0
		case filled > b.Endpoints:
			filled = b.Endpoints
		}
		switch servers := g.Size * g.Stride / b.Across; {
		case b.Across%span == 0: // of a group there are no two on a rail
			return 1, filled
		case b.Across%g.Stride != 0 || span%b.Across != 0:
		case filled%servers == 0:
			return servers, filled / servers
		case servers%filled == 0:
			return filled, 1
		}
		return 0, 0
	}
	switch {
	case b.Endpoints%span == 0:
		return g.Size, b.Endpoints / g.Size
	case g.Stride%b.Endpoints == 0:
		return 1, b.Endpoints
	case b.Endpoints%g.Stride == 0 && g.Size%(b.Endpoints/g.Stride) == 0:
		return b.Endpoints / g.Stride, g.Stride
	}
	return 0, 0
}

// leaving is how many messages of a pattern leave a subtree, if that is the same of all that have ranks.
func (b Subtree) leaving(g workload.Group, p pattern, ranks int) (leave float64, ok bool) {
	m, groups := b.holds(g, ranks)
	out := m * (g.Size - m)
	if !p.All {
		switch {
		case b.Across == 0 || g.Stride%b.Across == 0: // those of a group are next to each other
			out = m - max(0, m-p.Shift) - max(0, m-(g.Size-p.Shift))
		case p.Shift*g.Stride%b.Across != 0: // to another rail
			out = m
		default:
			return 0, false
		}
	}
	return float64(out) * float64(groups), groups > 0
}
