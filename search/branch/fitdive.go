package branch

import (
	"errors"
	"slices"

	"toposearch/topology"
)

// dive halves the box at hand at random, one parameter after the other in a random order, and never into a
// half that holds nothing better.
func (x *fitter) dive() {
	for _, i := range x.rng.Perm(len(x.free)) {
		p := x.free[i]
		for x.lo[p] < x.hi[p] {
			lo, hi := x.lo[p], x.hi[p]
			mid := middleValue(lo, hi)
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
func (x *fitter) repair() {
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

// Bounds on the work of climb: moves in all, and boxes of the derived parameter visited after each.
const (
	fitMoves    = 4000
	followBoxes = 100
)

// fitSteps are the moves of a parameter that climb tries.
var fitSteps = []int{1, -1, 2, -2, 3, -3, 4, -4, 6, -6, 8, -8}

// climb moves one or two parameters of the best design, and lets the derived one follow, until
// nothing improves.
func (x *fitter) climb() {
	for moves := fitMoves; x.best.V != nil && moves > 0; {
		before := x.best.Size
		from := slices.Clone(x.best.V)
		for i := range x.free {
			for j := range i + 1 {
				for _, a := range fitSteps {
					for _, b := range fitSteps {
						if i == j && b != 1 {
							break // one parameter, one step
						}
						if moves--; moves < 0 {
							return
						}
						copy(x.lo, from)
						if x.move(x.free[i], a) && (i == j || x.move(x.free[j], b)) {
							x.follow(x.free[i], x.free[j])
						}
					}
				}
			}
		}
		if before == x.best.Size {
			return
		}
	}
}

func (x *fitter) move(p, by int) bool {
	to := x.lo[p] + by
	if q := &x.f.Params[p]; to < q.Min || to > q.Max {
		return false
	}
	x.lo[p] = to
	return true
}

// follow searches all values of the derived parameter, unless it has just been moved, with the others as
// they are in the box at hand.
func (x *fitter) follow(moved ...int) {
	last := len(x.free) - 1
	if p := x.free[last]; x.f.Derived < 0 || slices.Contains(moved, p) {
		copy(x.hi, x.lo)
		x.keep()
		x.offer(x.lo)
		return
	}
	var b box
	for _, p := range x.free[:last] {
		b.lo = int32(x.lo[p] - x.f.Params[p].Min)
		b.deepen(&x.sp)
	}
	b.lo, b.hi = 0, int32(x.sp.Dims[last].N)-1
	x.narrow(&b)
	x.work = followBoxes
	x.walk(b)
}
