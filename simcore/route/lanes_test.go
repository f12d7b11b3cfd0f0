package route

import (
	"slices"
	"testing"
)

// Every VC has one class. Classes of first hops have one each, unless these carry all that goes directly; the others equal shares, of which the last are the larger.
func TestDealt(t *testing.T) {
	for _, c := range []struct {
		levels       [phases]uint8
		have         int
		firsts, legs bool
		want         []int // VCs by class
	}{
		{[phases]uint8{1, 1, 1}, 3, false, false, []int{1, 1, 1}},
		{[phases]uint8{1, 1, 1}, 6, false, false, []int{1, 2, 3}},
		{[phases]uint8{1, 1, 1}, 6, true, false, []int{2, 2, 2}},
		{[phases]uint8{1, 1, 1}, 8, true, false, []int{3, 3, 2}},
		{[phases]uint8{1, 2, 2}, 9, false, false, []int{1, 2, 2, 2, 2}},
		{[phases]uint8{0, 2, 2}, 8, false, true, []int{2, 2, 2, 2}},
	} {
		l := dealt(c.levels, c.have, c.firsts, c.legs)
		var got []int
		taken := make([]bool, c.have)
		for class := range l.lo {
			got = append(got, int(l.hi[class])-int(l.lo[class])+1)
			for vc := l.lo[class]; vc <= l.hi[class]; vc++ {
				if taken[vc] || l.offset[l.at[vc]] > uint8(class) {
					t.Errorf("%v of %d: VC %d of class %d is of phase %d, taken %v", c.levels, c.have, vc, class, l.at[vc], taken[vc])
				}
				taken[vc] = true
			}
		}
		if !slices.Equal(got, c.want) || slices.Contains(taken, false) {
			t.Errorf("%v of %d, firsts %v, legs %v: %v VCs by class, want %v; taken %v", c.levels, c.have, c.firsts, c.legs, got, c.want, taken)
		}
	}
}
