package main

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"

	"toposearch/internal/stream"
	"toposearch/topology"
)

// ask is what a family is searched for.
type ask struct {
	radix     int   // most ports of a switch; of an endpoint, where there are no switches
	endpoints int64 // at least; 0: as many as possible
	uniform   float64
}

// A fit is what the search over the parameters of a family found.
type fit struct {
	v        []int // nil: nothing
	size     topology.Size
	complete bool // the whole family was searched
}

// keptDefaults are parameters that stay at their default where they have one: they change no count
// (wirings, lanes), or trade bandwidth for size (tapers).
var keptDefaults = []string{"seed", "tries", "spread", "mix", "arrangement", "twist", "lx", "ly", "lz", "lw", "d", "up"}

// Bounds on the work for one family: random dives to begin with, and boxes of parameters looked at by
// branch and bound. Together a second at most.
const (
	fitDives = 2000
	fitMoves = 4000
	fitBoxes = 100_000
)

// closeness is the share of the endpoints asked for by which two designs may differ and count as
// equally close: otherwise a design with one endpoint less would win over one with half the switches.
const closeness = 0.1

// bestFit lowers the share of uniform traffic by halves until the family has a design.
func bestFit(f *topology.Family, q ask) fit {
	least := q.uniform / 8
	for {
		best := findFit(f, q)
		if best.v != nil || q.uniform == 0 {
			return best
		}
		if q.uniform /= 2; q.uniform < least {
			q.uniform = 0
		}
	}
}

// finder looks for the best design in three ways: random dives into the box of all parameters,
// single steps from the best of them, and branch and bound over the whole box as far as the work
// allows. Boxes are judged by SizeBounds.
type finder struct {
	ask
	f         *topology.Family
	free      []int // parameters to split, by index; the derived one last
	kept      []int // those at their defaults
	lo, hi    []int
	v         []int // scratch
	bl, bh, s topology.Size
	rng       *rand.Rand
	work      int
	best      fit
}

func findFit(f *topology.Family, q ask) fit {
	x := &finder{ask: q, f: f, v: make([]int, len(f.Params)), rng: stream.New(1, "families "+f.Name)}
	for i, p := range f.Params {
		switch {
		case p.Default != nil && slices.Contains(keptDefaults, p.Name):
			x.kept = append(x.kept, i)
		case i != f.Derived:
			x.free = append(x.free, i)
		}
	}
	if f.Derived >= 0 {
		x.free = append(x.free, f.Derived)
	}
	x.reset()
	if len(x.free) > 2 {
		for range fitDives {
			x.reset()
			x.dive()
		}
		x.climb()
	}
	x.reset()
	x.work = fitBoxes
	x.walk(0)
	x.best.complete = x.work > 0
	return x.best
}

// reset makes the box that of all parameters.
func (x *finder) reset() {
	x.lo, x.hi = x.lo[:0], x.hi[:0]
	for _, p := range x.f.Params {
		x.lo, x.hi = append(x.lo, p.Min), append(x.hi, p.Max)
	}
}

// walk splits the i-th free parameter.
func (x *finder) walk(i int) {
	if i == len(x.free) {
		x.keep()
		x.offer(x.lo)
		return
	}
	p := x.free[i]
	lo, hi := x.lo[p], x.hi[p]
	if from, to := lo, hi; p != x.f.Derived {
		x.split(i, lo, hi)
	} else if from, to = x.allowed(p, lo, hi); from <= to {
		x.split(i, from, to)
	}
	x.lo[p], x.hi[p] = lo, hi
}

// allowed narrows the range of the last parameter by what the rules say of its ends: nothing beyond
// the nearest allowed value is allowed.
func (x *finder) allowed(p, lo, hi int) (from, to int) {
	x.keep()
	copy(x.v, x.lo)
	nearest := func(value int) int {
		x.v[p] = value
		var bad *topology.Infeasible
		if errors.As(x.f.Size(x.v, &x.s), &bad) && bad.Param == x.f.Params[p].Name && bad.Bound >= x.f.Params[p].Min && bad.Bound > 1 {
			return bad.Bound // a bound of 1 may only say that IDs do not fit
		}
		return value
	}
	return max(lo, nearest(lo)), min(hi, nearest(hi))
}

func (x *finder) split(i, lo, hi int) {
	if x.work <= 0 {
		return
	}
	x.work--
	p := x.free[i]
	x.lo[p], x.hi[p] = lo, hi
	x.keep()
	if !x.promising() {
		return
	}
	if lo == hi {
		x.walk(i + 1)
		return
	}
	mid := middle(lo, hi)
	if x.endpoints == 0 {
		x.split(i, mid+1, hi)
		x.split(i, lo, mid)
	} else {
		x.split(i, lo, mid)
		x.split(i, mid+1, hi)
	}
}

// middle divides a range into halves of equal ratio: large values differ less.
func middle(lo, hi int) int {
	mid := int(math.Sqrt(float64(max(lo, 1)) * float64(hi)))
	return min(max(mid, lo), hi-1)
}

// dive halves the box at random, one parameter after the other in a random order, and never into a
// half that holds nothing better.
func (x *finder) dive() {
	order := x.rng.Perm(len(x.free))
	for _, i := range order {
		p := x.free[i]
		for x.lo[p] < x.hi[p] {
			lo, hi := x.lo[p], x.hi[p]
			mid := middle(lo, hi)
			halves := [2][2]int{{lo, mid}, {mid + 1, hi}}
			first := x.rng.IntN(2)
			for try := range 2 {
				h := halves[(first+try)%2]
				x.lo[p], x.hi[p] = h[0], h[1]
				x.keep()
				if x.promising() {
					break
				}
				if try == 1 {
					return
				}
			}
		}
	}
	x.keep()
	x.offer(x.lo)
	x.repair()
}

// repair moves a parameter that breaks a rule to the nearest value that the rule allows, a few
// times.
func (x *finder) repair() {
	for range 2 * len(x.lo) {
		var bad *topology.Infeasible
		if !errors.As(x.f.Size(x.lo, &x.s), &bad) {
			return
		}
		i := x.f.Param(bad.Param)
		if i < 0 || bad.Bound == x.lo[i] {
			return
		}
		x.lo[i] = bad.Bound
		copy(x.hi, x.lo)
		x.keep()
		x.offer(x.lo)
	}
}

// steps are the moves of a parameter that climb tries.
var steps = []int{1, -1, 2, -2, 3, -3, 4, -4, 6, -6, 8, -8}

// climb moves one or two parameters of the best design, and lets the derived one follow, until
// nothing improves.
func (x *finder) climb() {
	for moves := fitMoves; x.best.v != nil && moves > 0; {
		before := x.best.size
		from := slices.Clone(x.best.v)
		for i := range x.free {
			for j := range i + 1 {
				for _, a := range steps {
					for _, b := range steps {
						if i == j && b != 1 {
							break // one parameter, one step
						}
						if moves--; moves < 0 {
							return
						}
						x.from(from)
						if !x.move(x.free[i], a) || i != j && !x.move(x.free[j], b) {
							continue
						}
						x.follow(x.free[i], x.free[j])
					}
				}
			}
		}
		if before == x.best.size {
			return
		}
	}
}

// from makes the box one design.
func (x *finder) from(v []int) {
	copy(x.lo, v)
	copy(x.hi, v)
}

func (x *finder) move(p, by int) bool {
	to := x.lo[p] + by
	if q := &x.f.Params[p]; to < q.Min || to > q.Max {
		return false
	}
	x.lo[p], x.hi[p] = to, to
	return true
}

// follow looks through all values of the derived parameter, unless it has just been moved.
func (x *finder) follow(moved ...int) {
	last := len(x.free) - 1
	x.work = 100
	if p := x.free[last]; x.f.Derived >= 0 && !slices.Contains(moved, p) {
		x.lo[p], x.hi[p] = x.f.Params[p].Min, x.f.Params[p].Max
		x.walk(last)
		return
	}
	x.walk(last + 1)
}

// keep sets the range of kept parameters to their defaults over the box. They depend on the first
// two parameters at most (ports, levels) and are monotone in each.
func (x *finder) keep() {
	for _, k := range x.kept {
		x.lo[k], x.hi[k] = x.f.Params[k].Max, x.f.Params[k].Min
		copy(x.v, x.lo)
		for corner := range 4 {
			for b := range min(2, len(x.v)) {
				if x.v[b] = x.lo[b]; corner>>b&1 == 1 {
					x.v[b] = x.hi[b]
				}
			}
			d := x.f.Params[k].Default(x.v)
			x.lo[k], x.hi[k] = min(x.lo[k], d), max(x.hi[k], d)
		}
	}
}

// promising tells whether the box may hold a design better than the best so far.
func (x *finder) promising() bool {
	x.f.SizeBounds(x.lo, x.hi, &x.bl, &x.bh)
	switch {
	case ports(&x.bl) > x.radix || x.bh.Endpoints < max(2, x.endpoints):
		return false
	case x.best.v == nil:
		return true
	}
	b := &x.best.size
	reach := x.bh.Endpoints
	if x.endpoints > 0 {
		reach = max(x.bl.Endpoints, x.endpoints)
	}
	if c := x.compare(reach, b.Endpoints); c != 0 {
		return c < 0
	}
	if n := x.bl.Switches(); n != b.Switches() {
		return n < b.Switches()
	}
	return true
}

// ports is what the radix limits: those of the fullest switch, or of an endpoint that forwards.
func ports(s *topology.Size) int {
	if s.Switches() == 0 {
		return int(s.EndpointPorts)
	}
	return s.Radix()
}

// compare is negative if a endpoints are better than b: more of them, or closer by a step.
func (x *finder) compare(a, b int64) int {
	if x.endpoints == 0 {
		return int(max(-1, min(1, b-a)))
	}
	return x.distance(a) - x.distance(b)
}

// distance is how many steps of closeness a number of endpoints is above what is asked for.
func (x *finder) distance(n int64) int {
	return int(float64(n-x.endpoints) / (closeness * float64(x.endpoints)))
}

// offer takes the values if they are better than the best so far.
func (x *finder) offer(v []int) {
	s := &x.s
	if x.f.Size(v, s) != nil || ports(s) > x.radix || s.Endpoints < max(2, x.endpoints) || uniformBound(s) < x.uniform {
		return
	}
	if x.best.v == nil || x.better(s, &x.best.size) {
		x.best.v, x.best.size = slices.Clone(v), *s
	}
}

// better is the rule by which designs are chosen.
func (x *finder) better(a, b *topology.Size) bool {
	if c := x.compare(a.Endpoints, b.Endpoints); c != 0 {
		return c < 0
	}
	if a.Switches() != b.Switches() {
		return a.Switches() < b.Switches()
	}
	if a.Endpoints != b.Endpoints {
		return a.Endpoints < b.Endpoints
	}
	return a.SwitchLinks() > b.SwitchLinks()
}
