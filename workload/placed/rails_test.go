package placed

import (
	"testing"

	"toposearch/internal/stream"
	"toposearch/workload"
)

// TestRails: what subtrees across rails and above them hold of groups, and what leaves them, is what ranks and messages say one by one, for any ranks on the first endpoints.
func TestRails(t *testing.T) {
	rng, held, left := stream.New(9, "rails"), 0, 0
	for range 8000 {
		leaf, rails, segments := 1+rng.IntN(8), 1+rng.IntN(6), 1+rng.IntN(4)
		r := Rails{Tree{{Endpoints: leaf, Across: rails}, {Endpoints: leaf * rails * (1 + rng.IntN(2))}}}
		of := workload.Group{Stride: 1 + rng.IntN(1<<rng.IntN(6)), Size: 2 + rng.IntN(8)}
		ranks := leaf * rails * segments
		if rng.IntN(2) == 0 {
			ranks -= rng.IntN(ranks)
		}
		if ranks -= ranks % (of.Stride * of.Size); ranks == 0 {
			continue
		}
		p := pattern{Shift: 1 + rng.IntN(of.Size-1)}
		if gcd(p.Shift, of.Size) > 1 {
			p = pattern{All: true}
		}
		got, want := r.byRuns(of, p, ranks, false), r.counted(of, p, ranks)
		for i, b := range r.Tree {
			if got.levels[i] != want[i] {
				t.Fatalf("leaves of %d on %d rails, %d ranks, %+v by %+v: levels carry %v, one by one %v", leaf, rails, ranks, of, p, got.levels, want)
			}
			if _, ok := b.leaving(of, p, ranks); ok {
				left++
			}
			each, groups := b.holds(of, ranks)
			if groups == 0 {
				continue
			}
			held++
			members := map[[2]int]int{} // by block and group
			for e := range ranks {
				members[[2]int{b.number(e), e/(of.Stride*of.Size)*of.Stride + e%of.Stride}]++
			}
			in := map[int]int{} // groups by block
			for k, n := range members {
				in[k[0]]++
				if n != each && each < of.Size { // of whole groups there may be more in one block than in another
					t.Fatalf("leaves of %d on %d rails, %d ranks: block %d of level %d has %d of a group of %+v, not %d", leaf, rails, ranks, k[0], i, n, of, each)
				}
			}
			for block, n := range in {
				if n != groups && each < of.Size {
					t.Fatalf("leaves of %d on %d rails, %d ranks: block %d of level %d has ranks of %d groups of %+v, not %d", leaf, rails, ranks, block, i, n, of, groups)
				}
			}
		}
	}
	if held < 2000 || left < 2000 {
		t.Errorf("only %d blocks and %d patterns were told in closed form", held, left)
	}
}
