package placed

import (
	"testing"

	"toposearch/internal/stream"
	"toposearch/workload"
)

// TestNets: what is counted group by group of sub-networks is what messages load one by one, of leaves that are joined and of others, of all ranks and of some.
func TestNets(t *testing.T) {
	rng, compared := stream.New(13, "nets"), 0
	for trial := range 1500 {
		leaf, leaves := 1+rng.IntN(7), 1+rng.IntN(6)
		x := &Nets{Leaf: Subtree{Endpoints: leaf, Carry: 1}, Group: Subtree{Endpoints: leaf * leaves, Carry: 1}, Groups: 1 + rng.IntN(6), Count: 2 + rng.IntN(6), Joined: trial%2 == 0}
		ends := x.Count * x.Groups * x.Group.Endpoints
		of := workload.Group{Stride: 1 + rng.IntN(1+rng.IntN(ends)), Size: 2 + rng.IntN(10)}
		block := of.Stride * of.Size
		if block > ends {
			continue
		}
		p := pattern{Shift: 1 + rng.IntN(of.Size-1), All: rng.IntN(4) == 0}
		ranks := ends / block * block
		if rng.IntN(3) == 0 {
			ranks = block * (1 + rng.IntN(ends/block))
		}
		got, l := x.byRuns(of, p, ranks, false).levels, x.loads()
		for r := range ranks {
			p.each(of, func(shift int) {
				place := r / of.Stride % of.Size
				l.add(r, r+((place+shift)%of.Size-place)*of.Stride, 1)
			})
		}
		for i, want := range l.levels() {
			if got[i] != want {
				t.Fatalf("%+v, %d ranks, %+v by %+v: levels carry %v, one by one %v", x, ranks, of, p, got, l.levels())
			}
		}
		compared++
	}
	if compared < 600 {
		t.Errorf("only %d compared", compared)
	}
}
