package branch

import (
	"math"
	"math/rand/v2"
	"slices"

	"toposearch/search"
)

// dive goes from the whole space straight down to a tuple, mostly into the half that may hold what is
// closer: where bounds of large boxes say little, as where parameters are without effect, it comes by designs
// that are close sooner than a search in order.
func (a *attempt) dive(all box, rng *rand.Rand) {
	b := openBox{box: all}
	sp := a.wide.Spaces[b.space]
	usual := rng.IntN(2) == 0 // with defaults where there are any
	for {
		a.effort++
		if usual {
			a.toDefault(sp, &b.box)
		}
		if !a.shrink(sp, &b.box) {
			return
		}
		if b.lo < b.hi {
			if !a.diveInto(sp, &b, rng) {
				return
			}
			continue
		}
		if int(b.depth) < len(sp.Dims)-1 {
			a.deepen(sp, &b.box)
			continue
		}
		if a.tuple(sp, &b, b.lo); a.found == nil { // the first may be far too large to be evaluated
			a.refine(slices.Clone(a.canon[:len(sp.Dims)]))
		}
		return
	}
}

// toDefault narrows the range to the default of its parameter, if it has one there.
func (a *attempt) toDefault(sp *search.Space, b *box) {
	param := sp.ParamAt(int(b.depth))
	p := &sp.Fam.Params[param]
	if p.Default == nil || b.lo == b.hi {
		return
	}
	for d := int(b.depth) + 1; d < len(sp.Dims); d++ {
		if sp.ParamAt(d) < param { // on which the default may depend
			return
		}
	}
	v := a.lo[:len(sp.Dims)]
	b.fixed(sp, v)
	if i, ok := sp.DimAt(int(b.depth)).Index(p.Default(v)); ok && int32(i) >= b.lo && int32(i) <= b.hi {
		b.lo, b.hi = int32(i), int32(i)
	}
}

// diveInto makes of a box one of its halves, and reports whether one of them may hold what is closer.
func (a *attempt) diveInto(sp *search.Space, b *openBox, rng *rand.Rand) bool {
	halves := [2]openBox{*b, *b}
	halves[0].hi = b.geometricMiddle()
	halves[1].lo = halves[0].hi + 1
	for i := range halves {
		a.effort++
		halves[i].bound = a.boxBound(sp, &halves[i].box)
	}
	lower, upper := halves[0].bound, halves[1].bound
	k := 0
	switch {
	case min(lower, upper) >= a.best:
		return false
	case lower >= a.best, upper < a.best && rng.IntN(8) == 0:
		k = 1
	case upper >= a.best || lower < upper:
	case upper < lower || rng.IntN(2) == 0:
		k = 1
	}
	*b = halves[k]
	return true
}

// refineRounds bounds the rounds of a refinement; few find anything after five.
const refineRounds = 16

// refine goes from a tuple to the best of those that differ in one value or, if none of these is closer, in two,
// by closed forms alone, and keeps the last.
func (a *attempt) refine(v []int) {
	sp := a.wide.Spaces[a.family]
	at := make([]int, len(v)) // by index
	for d := range v {
		i, ok := sp.Dims[d].Index(v[d])
		if !ok {
			return // a canonical form that the space does not hold
		}
		at[d] = i
	}
	x, least := make([]int, len(v)), a.tupleBound(v, false)
	if math.IsInf(least, 1) {
		return
	}
	values := func(at []int) []int {
		for d := range at {
			x[d] = sp.Dims[d].At(at[d])
		}
		return x
	}
	start := least
	for range refineRounds {
		var better []int
		now := slices.Clone(at)
		try := func(int) {
			a.effort++
			if bound := a.tupleBound(values(at), false); bound < least {
				least, better = bound, slices.Clone(at)
			}
		}
		if eachMove(sp, at, 0, try); better == nil {
			eachMove(sp, at, 0, func(d int) { eachMove(sp, at, d+1, try) })
		}
		if at = now; better == nil {
			break
		}
		at = better
	}
	if least < min(start, a.best) {
		canon := make([]int, len(v))
		sp.Duplicate(values(at), canon)
		a.keep(canon, 0)
	}
}

// eachMove changes one index, of parameter from or a later one, in place: to its neighbours, to about an
// eighth less and more, to half and twice as much and to the least; and brings it back.
func eachMove(sp *search.Space, at []int, from int, visit func(d int)) {
	for d := from; d < len(at); d++ {
		was := at[d]
		for _, i := range [...]int{was - 1, was + 1, was - was/8 - 2, was + was/8 + 2, was / 2, 2*was + 1, 0} {
			if i < 0 || i >= sp.Dims[d].N || i == was {
				continue
			}
			at[d] = i
			visit(d)
		}
		at[d] = was
	}
}
