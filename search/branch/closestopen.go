package branch

import (
	"slices"

	"toposearch/search"
)

// admit opens a box unless nothing in it is closer than what is known.
func (a *attempt) admit(b *openBox) {
	sp := a.wide.Spaces[b.space]
	a.effort++
	if !a.shrink(sp, &b.box) {
		return
	}
	if b.bound = max(b.bound, a.boxBound(sp, &b.box)); b.bound < a.best {
		a.open.push(b.bound, b)
	}
}

// split opens the halves of a box, its tuples if they are few, or the same tuples by the next parameter where
// one value is left of this one.
func (a *attempt) split(b *openBox) {
	sp := a.wide.Spaces[b.space]
	switch {
	case b.few(sp):
		for i := b.lo; i <= b.hi; i++ {
			a.tuple(sp, b, i)
		}
	case b.lo == b.hi:
		a.deepen(sp, &b.box)
		a.admit(b)
	default:
		left, right := *b, *b
		left.hi = b.middle()
		right.lo = left.hi + 1
		a.admit(&right) // the lower half is the next if they are equal
		a.admit(&left)
	}
}

// deepen goes on to the next parameter of a box. Which random numbers are drawn moves no metric far: the
// default stands for all.
func (a *attempt) deepen(sp *search.Space, b *box) {
	b.deepen(sp)
	if p := &sp.Fam.Params[sp.ParamAt(int(b.depth))]; p.Draw && b.hi > 0 {
		a.partial = true
		i, _ := sp.DimAt(int(b.depth)).Index(p.Default(nil))
		b.lo = min(int32(i), b.hi)
		b.hi = b.lo
	}
}

// tuple opens the design of index i of the last parameter; its canonical form is then in a.canon.
func (a *attempt) tuple(sp *search.Space, b *openBox, i int32) {
	a.effort++
	v := a.lo[:len(sp.Dims)]
	b.tuple(sp, i, v)
	if sp.Fam.Size(v, &a.enc.Low) != nil || sp.Duplicate(v, a.canon[:len(v)]) {
		return
	}
	a.keep(slices.Clone(a.canon[:len(v)]), b.bound)
}

// keep opens a tuple, once, unless what is known is closer than it can be.
func (a *attempt) keep(v []int, bound float64) {
	t := openTuple{v: v, bound: max(bound, a.tupleBound(v, false))}
	if k := search.Key(a.family, v); t.bound < a.best && !a.kept[k] {
		a.kept[k] = true
		a.tuples.push(t.bound, &t)
	}
}
