package branch

import (
	"math"

	"toposearch/constraints"
	"toposearch/search"
)

// bounder narrows boxes and encloses the counts of their designs, for one goroutine.
type bounder struct {
	p     *search.Problem
	enc   search.Enclosure // of the box or tuple at hand
	tally []search.Tally   // by space: the tuples that were dropped

	lo, hi, canon  [search.MaxParams]int // values of the box or tuple at hand; its canonical form
	hullLo, hullHi [search.MaxParams]int
}

func newBounder(p *search.Problem) bounder {
	return bounder{p: p, tally: make([]search.Tally, len(p.Spaces))}
}

// shrink drops from both ends of a range what the family says makes no network, has too few or too many
// endpoints or is the same design again, and reports whether anything is left.
func (b *bounder) shrink(sp *search.Space, x *box) bool {
	if sp.Fam.Next == nil && sp.Fam.Within == nil && sp.Fam.Idle == nil {
		return true
	}
	v := b.lo[:len(sp.Dims)]
	x.fixed(sp, v)
	if sp.Fam.Idle != nil && !b.once(sp, x, v) {
		return false
	}
	if sp.Fam.Within != nil && !b.within(sp, x, v) {
		return false
	}
	return sp.Fam.Next == nil || b.skip(sp, x, v)
}

// once drops all values but one of a parameter that says nothing: the canonical one stays or, if the space is narrowed and does not
// hold it, the first. The values before the range are in v.
func (b *bounder) once(sp *search.Space, x *box, v []int) bool {
	dim := sp.DimAt(int(x.depth))
	if dim.N == 1 {
		return true
	}
	canonical, idle := sp.Fam.Idle(v, sp.ParamAt(int(x.depth)))
	if !idle {
		return true
	}
	at, ok := dim.Index(canonical)
	if !ok {
		at = 0
	}
	if keep := int32(at); keep >= x.lo && keep <= x.hi {
		b.drop(search.Duplicate, x, x.width()-1)
		x.lo, x.hi = keep, keep
		return true
	}
	b.drop(search.Duplicate, x, x.width())
	return false
}

// skip drops what the family says makes no network. The values before the range are in v.
func (b *bounder) skip(sp *search.Space, x *box, v []int) bool {
	param, dim := sp.ParamAt(int(x.depth)), sp.DimAt(int(x.depth))
	next := func(i int32) int32 { // the least index from i on that may be valid
		if i > x.hi {
			return i
		}
		for value := dim.At(int(i)); ; {
			j, ok := dim.Index(sp.Fam.Next(v, param, value))
			if ok || j >= dim.N || int32(j) > x.hi {
				return min(int32(j), x.hi+1)
			}
			value = dim.At(j)
		}
	}
	first := next(x.lo)
	b.drop(constraints.NoNetwork, x, int64(first-x.lo))
	if x.lo = first; first > x.hi {
		return false
	}
	if second := next(first + 1); second > x.hi {
		b.drop(constraints.NoNetwork, x, int64(x.hi-first))
		x.hi = first
	}
	return true
}

// mostWithin bounds the endpoints of which a family's Within is asked: products with a few more
// values do not overflow. Networks have less than 2^31 of anything.
const mostWithin = 1 << 40

// within drops what the family says has too few or too many endpoints. The values before the range are in v.
func (b *bounder) within(sp *search.Space, x *box, v []int) bool {
	if b.p.Min > mostWithin {
		return true
	}
	dim := sp.DimAt(int(x.depth))
	lo, hi := sp.Fam.Within(v, sp.ParamAt(int(x.depth)), max(b.p.Min, 1), min(max(b.p.Max, 1), mostWithin))
	first, last := int64(x.lo), int64(x.hi)
	if lo > int64(dim.At(int(x.lo))) {
		i, _ := dim.Index(int(min(lo, math.MaxInt32)))
		first = min(int64(i), last+1)
	}
	if hi < int64(dim.At(int(x.hi))) {
		i, _ := dim.Index(int(max(hi, -1) + 1)) // the first that is too large
		last = max(int64(i)-1, first-1)
	}
	b.drop(constraints.Window, x, first-int64(x.lo)+int64(x.hi)-last)
	x.lo, x.hi = int32(first), int32(last)
	return first <= last
}

// drop counts values of the range of a box, with all that the parameters behind it may be.
func (b *bounder) drop(why string, x *box, values int64) {
	if values > 0 {
		b.tally[x.space].Add(why, int(x.depth), values)
	}
}

// counts encloses the counts of the designs of a box that lie in the window, in b.enc, or says why no tuple
// of it counts.
func (b *bounder) counts(sp *search.Space, x *box) string {
	lo, hi := b.values(sp, x)
	e := &b.enc
	sp.Fam.SizeBounds(lo, hi, &e.Low, &e.High)
	if e.High.Endpoints < b.p.Min || e.Low.Endpoints > b.p.Max {
		return constraints.Window
	}
	if x.lo == x.hi && b.unordered(sp, int(x.depth), lo, hi) {
		return search.Duplicate
	}
	e.Low.Endpoints, e.High.Endpoints = max(e.Low.Endpoints, b.p.Min), min(e.High.Endpoints, b.p.Max)
	sp.Fam.BoundPerEndpoint(lo, hi, e.Low.Endpoints, e.High.Endpoints, &e.PerEndpoint)
	e.PerEndpoint.Tighten(&e.Low, &e.High)
	return ""
}

// values are the least and the largest values of the designs of a box: of the canonical forms of its tuples,
// where the space does not hold all of them.
func (b *bounder) values(sp *search.Space, x *box) (lo, hi []int) {
	k := len(sp.Dims)
	lo, hi = b.lo[:k], b.hi[:k]
	x.corners(sp, lo, hi)
	if !sp.Whole && sp.Fam.Hull != nil {
		lo, hi = b.hullLo[:k], b.hullHi[:k]
		copy(lo, b.lo[:k])
		copy(hi, b.hi[:k])
		sp.Fam.Hull(lo, hi)
	}
	return lo, hi
}

// unordered reports whether the fixed parameters, up to depth, are already out of canonical order, whatever
// follows. Canonical forms sort groups of parameters; fixed values out of order stay so whether
// the rest is as small as can be or as large as can be, and values in order are canonical with
// one of the two.
func (b *bounder) unordered(sp *search.Space, depth int, lo, hi []int) bool {
	if !sp.Whole || sp.Fam.Canonical == nil {
		return false
	}
	return b.moves(sp, depth, lo) && b.moves(sp, depth, hi)
}

// moves reports whether the canonical form of v changes one of the first depth+1 values.
func (b *bounder) moves(sp *search.Space, depth int, v []int) bool {
	c := b.canon[:len(v)]
	copy(c, v)
	sp.Fam.Canonical(c)
	for d := 0; d <= depth; d++ {
		if i := sp.ParamAt(d); c[i] != v[i] {
			return true
		}
	}
	return false
}
