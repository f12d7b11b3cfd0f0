package cut

import (
	"context"
	"math"
	"math/bits"
	"slices"
)

const (
	// SidesMost is the number of vertices whose sides BySides tries at most, in 2^20 ways if links lead both ways.
	SidesMost = 21
	// SidesNs is what BySides takes at most, in ns.
	SidesNs = 5e8
)

// sidesNs is the time of trying both sides of so many vertices, +Inf if they are too many.
func sidesNs(moved int, arcs, endpoints float64) float64 {
	if moved >= SidesMost {
		return math.Inf(1)
	}
	return math.Exp2(float64(moved)) * (10 + 3*arcs/float64(moved+1) + 30*endpoints)
}

// BySides is the exact least cut, at most 1, of a small graph: every way of putting switches on sides
// is tried, in an order in which one switch changes side at a time (Gray code). Vertices that are
// linked to those only follow: switches without endpoints go where it costs less, endpoints where
// balance allows it. Bounds proven by spectra and flows stay up to a third below the least cut of such
// graphs. It is false if the graph is not small, or the context is done.
func (g *Graph) BySides(ctx context.Context) (float64, bool) {
	roles := g.roles()
	k, ends := 0, 0
	for _, r := range roles {
		switch r {
		case tried:
			k++
		case balancing:
			ends++
		}
	}
	ways := k
	if !g.oneWay { // the last vertex stays where it is: the other half are the same cuts from the other side
		ways--
	}
	if k == 0 || sidesNs(ways, float64(len(g.to)), float64(ends)) > SidesNs {
		return 0, false
	}
	s := newSides(g, roles)
	best, at := s.value(), uint64(0)
	for i := uint64(1); i < 1<<ways; i++ {
		if i&0xffff == 0 && ctx.Err() != nil {
			return 0, false
		}
		s.move(s.tried[bits.TrailingZeros64(i)])
		if x := s.value(); x < best-1e-9 { // sums of a million moves round
			best, at = x, i
		}
	}
	s = newSides(g, roles)
	for i, v := range s.tried {
		if (at^at>>1)>>i&1 == 1 {
			s.move(v)
		}
	}
	return math.Min(s.value()/g.full(), 1), true
}

// role is how the side of a vertex is chosen.
type role uint8

const (
	tried     role = iota // both sides are tried
	free                  // no endpoints, linked to tried ones only: goes where it costs less
	balancing             // an endpoint, or several kept whole, linked to tried ones only: goes where balance allows
)

// roles lets as many vertices follow as it easily can: those of endpoints, which come last, if all hold
// equally many; then, class by class, the largest first, switches without endpoints that have no links to
// what follows already.
func (g *Graph) roles() []role {
	of := make([]role, len(g.weight))
	alone := func(v int) bool {
		for i := g.start[v]; i < g.start[v+1]; i++ {
			if of[g.to[i]] != tried {
				return false
			}
		}
		return true
	}
	first := g.switches // vertex with endpoints; those of spare ones come before
	for first < len(of) && g.weight[first] == 0 {
		first++
	}
	ends := g.access == 0
	for v := first; v < len(of) && ends; v++ {
		if ends = g.weight[v] > 0 && g.weight[v] == g.weight[first] && alone(v); ends {
			of[v] = balancing
		}
	}
	if !ends {
		clear(of)
	}
	var size [256]int
	var classes []int
	for v := range g.switches {
		if size[g.class[v]]++; size[g.class[v]] == 1 {
			classes = append(classes, int(g.class[v]))
		}
	}
	slices.SortStableFunc(classes, func(a, b int) int { return size[b] - size[a] })
	for _, c := range classes {
		for v := range g.switches {
			if int(g.class[v]) == c && g.weight[v] == 0 && alone(v) {
				of[v] = free
			}
		}
	}
	return of
}

// sides is the state of the enumeration. All begin on side false.
type sides struct {
	g     *Graph
	role  []role
	tried []int32
	side  []bool
	cut   float64 // of links between what is tried, and to what is free
	ends  int64   // endpoints of what is tried and on side true
	// Of each vertex that follows: its capacity to side true, and all of it; channels one way count as
	// Graph says, so that all is what leaves the vertex.
	near, all []float64
	pull      []float64 // of endpoints that follow: what each costs more on side true
	base      float64   // cost of those, all on side false
}

func newSides(g *Graph, roles []role) *sides {
	n := len(roles)
	s := &sides{g: g, role: roles, side: make([]bool, n), near: make([]float64, n), all: make([]float64, n)}
	for v, r := range roles {
		switch r {
		case tried:
			s.tried = append(s.tried, int32(v))
		case balancing:
			s.pull = append(s.pull, 0)
			fallthrough
		default:
			s.all[v] = g.degree(v) + g.lean[v]
		}
	}
	return s
}

// move puts a vertex on the other side.
func (s *sides) move(v int32) {
	g, to := s.g, !s.side[v]
	sign := 1.0
	if !to {
		sign = -1
	}
	for i := g.start[v]; i < g.start[v+1]; i++ {
		u, x := g.to[i], g.cap[i]
		switch {
		case s.role[u] == free:
			s.cut -= math.Min(s.near[u], s.all[u]-s.near[u])
			s.near[u] += sign * x
			s.cut += math.Min(s.near[u], s.all[u]-s.near[u])
		case s.role[u] == balancing:
			s.near[u] += sign * x
			s.base += sign * x
		case s.side[u] == to:
			s.cut -= x
		default:
			s.cut += x
		}
	}
	s.side[v] = to
	s.cut += sign * g.lean[v]
	s.ends += int64(sign) * g.weight[v]
}

// value is the capacity of the cut once balanced, +Inf if it cannot be.
func (s *sides) value() float64 {
	g := s.g
	if len(s.pull) == 0 {
		diff := 2*s.ends - g.endpoints
		over := max(diff, -diff) - g.imbalance
		switch {
		case over <= 0:
			return s.cut
		case g.access == 0:
			return math.Inf(1)
		}
		return s.cut + float64(over/2)*g.access
	}
	first := len(s.role) - len(s.pull) // endpoints come last
	for e := range s.pull {
		s.pull[e] = s.all[first+e] - 2*s.near[first+e]
	}
	slices.Sort(s.pull)
	least, most := (g.endpoints-g.imbalance)/2, (g.endpoints+g.imbalance)/2
	x := s.cut + s.base
	each := g.weight[first]
	for i, p := range s.pull {
		if n := int64(i) * each; n < least || n < most && p < 0 {
			x += p
		}
	}
	return x
}
