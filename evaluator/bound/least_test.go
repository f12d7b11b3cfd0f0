package bound

import (
	"slices"
	"testing"

	"toposearch/internal/stream"
)

// TestLeast: of lengths in any order, many of them equal, the least are kept that sorting all of them gives.
func TestLeast(t *testing.T) {
	for _, n := range []int{0, 1, mostPacked, mostPacked + 1, 4 * (mostPacked + 1), 40 * mostPacked} {
		rng := stream.New(1, "least", uint64(n))
		l, all := least{cut: inf}, []float64(nil)
		for range n {
			x := float64(rng.IntN(n))
			l.add(x)
			all = append(all, x)
		}
		end := float64(n) / 2
		want := constant(end)
		slices.Sort(all)
		for i := range min(n, len(want)) {
			want[i] = min(all[i], end)
		}
		if !slices.Equal(l.upTo(end), want) {
			t.Errorf("of %d lengths others are kept than the least", n)
		}
	}
}
