package branch

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"

	"toposearch/internal/stream"
	"toposearch/search"
	"toposearch/topology"
)

// fitter searches for a Fit.
type fitter struct {
	Wanted
	f      *topology.Family
	sp     search.Space // of the free parameters, in their order
	free   []int        // parameters to divide, by index; the derived one last
	kept   []int        // those at their defaults
	lo, hi []int        // the box at hand, by parameter
	bl, bh topology.Size
	// scratch: the corners of a box of the free parameters, values and a size
	corners []int
	v       []int
	s       topology.Size
	rng     *rand.Rand
	work    int
	best    Fit
}

func newFitter(f *topology.Family, want Wanted) *fitter {
	n := len(f.Params)
	x := &fitter{Wanted: want, f: f, lo: make([]int, n), hi: make([]int, n), v: make([]int, n), rng: stream.New(1, "families "+f.Name)}
	for i := range f.Params {
		switch {
		case AtDefault(&f.Params[i]):
			x.kept = append(x.kept, i)
		case i != f.Derived:
			x.free = append(x.free, i)
		}
	}
	if f.Derived >= 0 {
		x.free = append(x.free, f.Derived)
	}
	for _, i := range x.free {
		x.sp.Dims = append(x.sp.Dims, search.NewDim(f.Params[i].Min, f.Params[i].Max))
	}
	x.corners = make([]int, 2*len(x.free))
	return x
}

// all makes the box at hand that of all values.
func (x *fitter) all() {
	for i, p := range x.f.Params {
		x.lo[i], x.hi[i] = p.Min, p.Max
	}
}

// root is the box of all free parameters.
func (x *fitter) root() box {
	b := box{hi: int32(x.sp.Dims[0].N) - 1}
	x.narrow(&b)
	return b
}

// walk searches a box, depth first.
func (x *fitter) walk(b box) {
	if x.work <= 0 || b.lo > b.hi {
		return
	}
	x.work--
	if x.load(&b); !x.promising() {
		return
	}
	if b.lo < b.hi {
		dim := &x.sp.Dims[b.depth]
		mid, _ := dim.Index(middleValue(dim.At(int(b.lo)), dim.At(int(b.hi))))
		lower, upper := b, b
		lower.hi, upper.lo = int32(mid), int32(mid)+1
		if x.Endpoints == 0 { // large ones first
			lower, upper = upper, lower
		}
		x.walk(lower)
		x.walk(upper)
		return
	}
	if int(b.depth) == len(x.free)-1 {
		x.offer(x.lo)
		return
	}
	b.deepen(&x.sp)
	x.narrow(&b)
	x.walk(b)
}

// load makes a box that at hand.
func (x *fitter) load(b *box) {
	n := len(x.free)
	lo, hi := x.corners[:n], x.corners[n:]
	b.corners(&x.sp, lo, hi)
	for i, p := range x.free {
		x.lo[p], x.hi[p] = lo[i], hi[i]
	}
	x.keep()
}

// middleValue divides a range into halves of equal ratio: large values differ less.
func middleValue(lo, hi int) int {
	mid := int(math.Sqrt(float64(max(lo, 1)) * float64(hi)))
	return min(max(mid, lo), hi-1)
}

// narrow drops from the range of the derived parameter what the family's rules say of its ends: nothing beyond
// the nearest allowed value is allowed.
func (x *fitter) narrow(b *box) {
	p := x.free[b.depth]
	if p != x.f.Derived {
		return
	}
	x.load(b)
	copy(x.v, x.lo)
	nearest := func(value int) int {
		x.v[p] = value
		var bad *topology.Infeasible
		if errors.As(x.f.Size(x.v, &x.s), &bad) && bad.Param == x.f.Params[p].Name && bad.Bound >= x.f.Params[p].Min && bad.Bound > 1 {
			return bad.Bound // a bound of 1 may only say that IDs do not fit
		}
		return value
	}
	dim := &x.sp.Dims[b.depth]
	lo, hi := dim.At(int(b.lo)), dim.At(int(b.hi))
	from, to := max(lo, nearest(lo)), min(hi, nearest(hi))
	b.lo, b.hi = int32(from-x.f.Params[p].Min), int32(to-x.f.Params[p].Min)
}

// keep sets the range of kept parameters to their defaults over the box at hand. They depend on the first
// two parameters at most (ports, levels) and are monotone in each.
func (x *fitter) keep() {
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

// promising reports whether the box at hand may hold a design better than the best so far.
func (x *fitter) promising() bool {
	x.f.SizeBounds(x.lo, x.hi, &x.bl, &x.bh)
	switch {
	case ports(&x.bl) > x.Radix || x.bh.Endpoints < max(2, x.Endpoints):
		return false
	case x.best.V == nil:
		return true
	}
	b := &x.best.Size
	reach := x.bh.Endpoints
	if x.Endpoints > 0 {
		reach = max(x.bl.Endpoints, x.Endpoints)
	}
	if c := x.compare(reach, b.Endpoints); c != 0 {
		return c < 0
	}
	return x.bl.Switches() <= b.Switches()
}

// offer takes the values if they are better than the best so far.
func (x *fitter) offer(v []int) {
	s := &x.s
	if x.f.Size(v, s) == nil && x.admits(s) && (x.best.V == nil || x.better(s, &x.best.Size)) {
		x.best.V, x.best.Size = slices.Clone(v), *s
	}
}
