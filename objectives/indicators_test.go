package objectives

import (
	"math"
	"testing"
)

// Indicators by hand. Reference (0,1), (1,0), which is scaled already; the front has (0,1) and, in place of (1,0), (0.5,0.5): that misses it
// by 0.5 in the second objective and is better in the first. From (1.1,1.1) the reference has 1.1*0.1 + 0.1*1 = 0.21, the front
// 0.6*0.1 + 0.6*0.5 + 0.5*0.1 = 0.41 (slabs above and below 1, then what (0,1) adds on the left).
func TestCompared(t *testing.T) {
	near := func(name string, got, want float64) {
		if math.Abs(got-want) > 1e-12 {
			t.Errorf("%s: %g, want %g", name, got, want)
		}
	}
	ref := []Vector{{10, 300}, {20, 200}} // scaled: (0,1), (1,0)
	x := Compared([]Vector{{10, 300}, {15, 250}}, ref)
	near("IGD+", x.IGDPlus, 0.25) // 0 and 0.5
	near("epsilon", x.Epsilon, 0.5)
	near("factor", x.Factor, 1.5) // (1+0.5)/(1+0)
	near("recall", x.Recall, 0.5)
	near("hypervolume", x.Hypervolume, 0.41/0.21)
	if x := Compared(ref, ref); x != (Indicators{1, 0, 0, 1, 1}) {
		t.Errorf("a front beside itself: %+v", x)
	}
	x = Compared(nil, ref)
	if x.Hypervolume != 0 || !math.IsInf(x.IGDPlus, 1) || !math.IsInf(x.Epsilon, 1) || x.Recall != 0 {
		t.Errorf("no front: %+v", x)
	}
}
