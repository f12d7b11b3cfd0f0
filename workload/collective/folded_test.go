package collective

import (
	"slices"
	"testing"
)

// TestFolded: permutations of ranks that are no power of two are those of the definition: every second of the first hands over to the next, and places at a distance of a power of two are partners; each leads back, and
// runs are its messages in the order of receivers.
func TestFolded(t *testing.T) {
	for n := 3; n < 200; n++ {
		q := 1
		for 2*q <= n {
			q *= 2
		}
		if q == n {
			continue
		}
		left := []int{} // the ranks that are places, in order
		for r := range n {
			if r >= 2*(n-q) || r%2 == 1 {
				left = append(left, r)
			}
		}
		for distance := -1; distance < q; distance = max(distance+1, 2*distance) {
			p := Perm{Folded: Folded{n, distance}}
			var want [][2]int // by receiver
			for r := range n {
				at := slices.Index(left, r)
				switch {
				case distance > 0 && at >= 0:
					want = append(want, [2]int{left[at^distance], r})
				case distance == handsOver && r < 2*(n-q) && r%2 == 1:
					want = append(want, [2]int{r - 1, r})
				case distance == handsBack && r < 2*(n-q) && r%2 == 0:
					want = append(want, [2]int{r + 1, r})
				}
			}
			var runs, back [][2]int
			p.Folded.Runs(func(from, step, to, toStep, n int) {
				for i := range n {
					runs = append(runs, [2]int{from + i*step, to + i*toStep})
				}
			})
			p.Inverse(n).Each(n, 0, func(from, to int) { back = append(back, [2]int{to, from}) })
			if !slices.Equal(runs, want) || !slices.Equal(back, want) {
				t.Fatalf("%d ranks, distance %d: runs %v, turned back %v, want %v", n, distance, runs, back, want)
			}
		}
	}
}
