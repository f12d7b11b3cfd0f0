package family

import (
	"testing"

	"toposearch/internal/stream"
)

// Where ports of a spine lead to different groups, the short walk adds up what the plain one does, in the
// same order: to the last bit.
func TestSpineLoadsApart(t *testing.T) {
	rng := stream.New(8, "spine loads")
	tried, shared := 0, 0
	for tried < 4000 {
		m, h := 1+rng.IntN(12), 1+rng.IntN(12)
		g := h + 1 + rng.IntN(m*h-h+1)
		if rng.IntN(4) == 0 {
			g = h + 1 + rng.IntN(min(m*h-h+1, 4)) // many rounds
		}
		if g < 2 {
			continue
		}
		tried++
		x := globals{g, m * h, palmtree}
		a, b := spineLoads{x: x, h: h}, spineLoads{x: x, h: h}
		a.apart()
		b.together()
		if a != b {
			t.Fatalf("m=%d h=%d g=%d: loads %v %v, busiest %g; want %v %v, %g", m, h, g, a.up[:m], a.down[:m], a.most, b.up[:m], b.down[:m], b.most)
		}
		for rank := range g - 1 {
			if e := a.extra(rank); e >= 0 && e/h == (rank+(x.rounds()-1)*(g-1))/h {
				shared++
				break
			}
		}
	}
	if shared < 100 {
		t.Errorf("%d networks with two links of a spine to one group test little", shared)
	}
}

func BenchmarkDragonflyPlusPeaks(b *testing.B) {
	x := spineLoads{x: globals{70, 480, palmtree}, h: 20}
	b.Run("together", func(b *testing.B) {
		for b.Loop() {
			w := x
			w.together()
		}
	})
	b.Run("apart", func(b *testing.B) {
		for b.Loop() {
			w := x
			w.apart()
		}
	})
}
