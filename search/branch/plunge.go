package branch

import (
	"math"
	"math/rand/v2"
	"slices"
	"toposearch/search"
)

// plungeEvery is how many times the steps of a plunge are taken in order before the next one.
const plungeEvery = 4

// plunge goes from the whole space straight down to a tuple, mostly into the half that may hold what is
// closer: where bounds of large boxes tell little, as where parameters are without effect, designs
// that are close are come by sooner so than in order.
func (n *nearest) plunge(root Node, rng *rand.Rand) {
	b := box{Node: root}
	sp := n.p.Spaces[b.space]
	plain := rng.IntN(2) == 0 // with defaults where there are any
	for {
		n.w.effort++
		if p := &sp.Fam.Params[b.depth]; plain && p.Default != nil && b.lo < b.hi {
			v := n.w.lo[:len(sp.Dims)]
			for d := range int(b.depth) {
				v[d] = sp.Dims[d].At(int(b.at[d]))
			}
			if i, ok := sp.Dims[b.depth].Index(p.Default(v)); ok && int32(i) >= b.lo && int32(i) <= b.hi {
				b.lo, b.hi = int32(i), int32(i)
			}
		}
		if !n.w.shrink(sp, &b.Node) {
			return
		}
		last := int(b.depth) == len(sp.Dims)-1
		if b.lo == b.hi && last {
			if n.tuple(sp, &b, b.lo); n.design == "" { // the first may be far too large to be laid
				n.polish(slices.Clone(n.w.canon[:len(sp.Dims)]))
			}
			return
		}
		if b.lo == b.hi {
			n.next(sp, &b)
			continue
		}
		// Most parameters multiply: small values matter as much as large ones.
		mid := min(int32(math.Sqrt(float64(b.lo+1)*float64(b.hi+1))), b.hi) - 1
		mid = max(mid, b.lo)
		halves := [2]box{b, b}
		halves[0].hi, halves[1].lo = mid, mid+1
		for i := range halves {
			n.w.effort++
			halves[i].bound = n.boxBound(sp, &halves[i].Node)
		}
		k := 0
		switch {
		case min(halves[0].bound, halves[1].bound) >= n.value:
			return
		case halves[0].bound >= n.value, halves[1].bound < n.value && rng.IntN(8) == 0:
			k = 1
		case halves[1].bound >= n.value || halves[0].bound < halves[1].bound:
		case halves[1].bound < halves[0].bound || rng.IntN(2) == 0:
			k = 1
		}
		b = halves[k]
	}
}

// mostPolish bounds the rounds of a polish; few find anything after five.
const mostPolish = 16

// polish goes from a tuple to the best of those that differ in one value or, if none of these is closer, in two,
// by closed forms alone, and keeps the last.
func (n *nearest) polish(v []int) {
	sp := n.p.Spaces[n.family]
	at := make([]int, len(v)) // by index
	for d := range v {
		i, ok := sp.Dims[d].Index(v[d])
		if !ok {
			return // a canonical form that the space does not hold
		}
		at[d] = i
	}
	x, best := make([]int, len(v)), n.leafBound(sp, v, false)
	if math.IsInf(best, 1) {
		return
	}
	try := func(at []int) bool {
		for d := range at {
			x[d] = sp.Dims[d].At(at[d])
		}
		n.w.effort++
		if bound := n.leafBound(sp, x, false); bound < best {
			best = bound
			return true
		}
		return false
	}
	start := best
	for range mostPolish {
		var better []int
		now := slices.Clone(at)
		keep := func(int) {
			if try(at) {
				better = slices.Clone(at)
			}
		}
		if eachStep(sp, at, 0, keep); better == nil {
			eachStep(sp, at, 0, func(d int) { eachStep(sp, at, d+1, keep) })
		}
		if at = now; better == nil {
			break
		}
		at = better
	}
	if best < min(start, n.value) {
		for d := range at {
			x[d] = sp.Dims[d].At(at[d])
		}
		canon := make([]int, len(v))
		sp.Duplicate(x, canon)
		n.keep(canon, 0)
	}
}

// eachStep changes one index, of parameter from or a later one, in place: to its neighbours, to about an
// eighth less and more, to half and twice as much and to the least; and brings it back.
func eachStep(sp *search.Space, at []int, from int, visit func(d int)) {
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
