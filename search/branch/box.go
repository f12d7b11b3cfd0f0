package branch

import (
	"math"

	"slices"

	"toposearch/search"
	"toposearch/topology"
)

// box is a set of tuples of a space: the parameters before depth, in the order of the family, are fixed, the one at
// depth ranges over the indices lo to hi of its domain, those behind it are free.
type box struct {
	space  int16
	depth  int16
	lo, hi int32
	at     [topology.FewParams]int32 // indices of the fixed parameters,
	more   []int32                   // of those behind; never changed, since copies of a box share it
}

// index is that of a fixed parameter.
func (b *box) index(d int) int32 {
	if d < len(b.at) {
		return b.at[d]
	}
	return b.more[d-len(b.at)]
}

// root is the box of a whole space; ok is false if the space is empty.
func root(p *search.Problem, sp int) (b box, ok bool) {
	if p.Spaces[sp].Size.Sign() == 0 || len(p.Spaces[sp].Dims) == 0 {
		return box{}, false
	}
	return box{space: int16(sp), hi: int32(p.Spaces[sp].DimAt(0).N) - 1}, true
}

// fewTuples is the width of a range of the last parameter from which tuples are taken one by one: bounds of so
// small a box cost as much as its tuples.
const fewTuples = 4

// few means that the tuples of the box are to be taken one by one.
func (b *box) few(sp *search.Space) bool {
	return int(b.depth) == len(sp.Dims)-1 && b.hi-b.lo < fewTuples
}

// width is the number of values in the range.
func (b *box) width() int64 { return int64(b.hi-b.lo) + 1 }

// middle divides the range into halves of as many values: it is the last of the lower one.
func (b *box) middle() int32 { return b.lo + (b.hi-b.lo)/2 }

// geometricMiddle divides the range into halves of about the same ratio. Most parameters multiply: small
// values matter as much as large ones.
func (b *box) geometricMiddle() int32 {
	mid := min(int32(math.Sqrt(float64(b.lo+1)*float64(b.hi+1))), b.hi) - 1
	return max(mid, b.lo)
}

// deepen makes of a box with one value in its range the same tuples by the next parameter.
func (b *box) deepen(sp *search.Space) {
	if int(b.depth) < len(b.at) {
		b.at[b.depth] = b.lo
	} else {
		b.more = append(slices.Clip(b.more), b.lo)
	}
	b.depth++
	b.lo, b.hi = 0, int32(sp.DimAt(int(b.depth)).N)-1
}

// fixed writes the values of the parameters before depth.
func (b *box) fixed(sp *search.Space, v []int) {
	for d := range int(b.depth) {
		v[sp.ParamAt(d)] = sp.DimAt(d).At(int(b.index(d)))
	}
}

// tuple writes the values of a tuple of a box of the last parameter: that of index i of it.
func (b *box) tuple(sp *search.Space, i int32, v []int) {
	b.fixed(sp, v)
	v[sp.ParamAt(len(v)-1)] = sp.DimAt(len(v) - 1).At(int(i))
}

// corners writes the least and the largest values of the tuples.
func (b *box) corners(sp *search.Space, lo, hi []int) {
	for depth := range sp.Dims {
		i := sp.ParamAt(depth)
		d := &sp.Dims[i]
		switch {
		case depth < int(b.depth):
			lo[i] = d.At(int(b.index(depth)))
			hi[i] = lo[i]
		case depth == int(b.depth):
			lo[i], hi[i] = d.At(int(b.lo)), d.At(int(b.hi))
		default:
			lo[i], hi[i] = d.At(0), d.At(d.N-1)
		}
	}
}
