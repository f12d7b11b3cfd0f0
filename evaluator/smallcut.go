package evaluator

import (
	"context"
	"math"
	"math/bits"
	"slices"
)

// The exact least cut of a small network: every way of putting switches on sides is tried, in an
// order in which one switch changes side at a time (Gray). What is linked to those only follows:
// switches without endpoints go where it costs less, endpoints where balance allows it. Bounds proven
// by spectra and flows stay up to a third below the least cut of such networks.

const (
	smallCutMost = 21  // vertices that are tried: 2^20 ways
	smallCutNs   = 5e8 // what that may cost
)

// smallCutCost is the cost of trying every side, +Inf if there are too many vertices.
func smallCutCost(vertices int, arcs, endpoints float64) float64 {
	if vertices > smallCutMost {
		return math.Inf(1)
	}
	return math.Exp2(float64(vertices-1)) * (10 + 3*arcs/float64(max(vertices, 1)) + 30*endpoints)
}

// exactSmallCut is the least cut as a fraction of full, at most 1; false if the network is not small.
func (g *cutGraph) exactSmallCut(ctx context.Context) (float64, bool) {
	role := g.roles()
	k, ends := 0, 0
	for _, r := range role {
		switch r {
		case cutTried:
			k++
		case cutEnd:
			ends++
		}
	}
	if k == 0 || smallCutCost(k, float64(len(g.to)), float64(ends)) > smallCutNs {
		return 0, false
	}
	s := newSmallCut(g, role)
	best, at := s.value(), uint64(0)
	// The last vertex stays where it is: the other half are the same cuts from the other side.
	for i := uint64(1); i < 1<<(k-1); i++ {
		if i&0xffff == 0 && ctx.Err() != nil {
			return 0, false
		}
		s.move(s.tried[bits.TrailingZeros64(i)])
		if x := s.value(); x < best-1e-9 { // sums of a million moves round
			best, at = x, i
		}
	}
	s = newSmallCut(g, role)
	for i, v := range s.tried {
		if (at^at>>1)>>i&1 == 1 {
			s.move(v)
		}
	}
	return math.Min(s.value()/g.full(), 1), true
}

// cutRole is what becomes of a vertex.
type cutRole uint8

const (
	cutTried cutRole = iota // both sides are tried
	cutFree                 // no endpoints, linked to tried ones only: goes where it costs less
	cutEnd                  // an endpoint, or a server kept whole, linked to tried ones only: goes where balance allows
)

// roles lets as many vertices follow as it easily can: endpoints, or servers of one size, then class by class, the
// largest first, switches without endpoints that have no links among what follows already.
func (g *cutGraph) roles() []cutRole {
	role := make([]cutRole, len(g.weight))
	alone := func(v int) bool {
		for i := g.start[v]; i < g.start[v+1]; i++ {
			if role[g.to[i]] != cutTried {
				return false
			}
		}
		return true
	}
	ends := g.hang == 0
	for v := g.switches; v < len(role) && ends; v++ {
		if ends = g.weight[v] > 0 && g.weight[v] == g.weight[g.switches] && alone(v); ends {
			role[v] = cutEnd
		}
	}
	if !ends {
		clear(role)
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
				role[v] = cutFree
			}
		}
	}
	return role
}

// smallCut is the state of the enumeration. All begin on side false.
type smallCut struct {
	g     *cutGraph
	role  []cutRole
	tried []int32
	side  []bool
	cut   float64 // of links between what is tried, and to what is free
	ends  int64   // endpoints of what is tried and on side true
	// near is the capacity of a vertex that follows to side true, all its capacity.
	near, all []float64
	pull      []float64 // of endpoints that follow: what each costs more on side true
	base      float64   // cost of those, all on side false
}

func newSmallCut(g *cutGraph, role []cutRole) *smallCut {
	n := len(role)
	s := &smallCut{g: g, role: role, side: make([]bool, n), near: make([]float64, n), all: make([]float64, n)}
	for v, r := range role {
		switch r {
		case cutTried:
			s.tried = append(s.tried, int32(v))
		case cutEnd:
			s.pull = append(s.pull, 0)
			fallthrough
		default:
			s.all[v] = g.degree(v)
		}
	}
	return s
}

// move puts a vertex on the other side.
func (s *smallCut) move(v int32) {
	g, to := s.g, !s.side[v]
	sign := 1.0
	if !to {
		sign = -1
	}
	for i := g.start[v]; i < g.start[v+1]; i++ {
		u, x := g.to[i], g.cap[i]
		switch {
		case s.role[u] == cutFree:
			s.cut -= math.Min(s.near[u], s.all[u]-s.near[u])
			s.near[u] += sign * x
			s.cut += math.Min(s.near[u], s.all[u]-s.near[u])
		case s.role[u] == cutEnd:
			s.near[u] += sign * x
			s.base += sign * x
		case s.side[u] == to:
			s.cut -= x
		default:
			s.cut += x
		}
	}
	s.side[v] = to
	s.ends += int64(sign) * g.weight[v]
}

// value is the capacity of the cut once balanced, +Inf if it cannot be.
func (s *smallCut) value() float64 {
	g := s.g
	if len(s.pull) == 0 {
		diff := 2*s.ends - g.endpoints
		over := max(diff, -diff) - g.imbalance()
		switch {
		case over <= 0:
			return s.cut
		case g.hang == 0:
			return math.Inf(1)
		}
		return s.cut + float64((over+1)/2)*g.hang
	}
	first := len(s.role) - len(s.pull) // endpoints come last
	for e := range s.pull {
		s.pull[e] = s.all[first+e] - 2*s.near[first+e]
	}
	slices.Sort(s.pull)
	least, most := (g.endpoints-g.imbalance())/2, (g.endpoints+g.imbalance())/2
	x := s.cut + s.base
	each := g.weight[first]
	for i, p := range s.pull {
		if n := int64(i) * each; n < least || n < most && p < 0 {
			x += p
		}
	}
	return x
}
