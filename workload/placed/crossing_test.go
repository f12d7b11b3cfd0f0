package placed

import (
	"math"
	"testing"

	"toposearch/internal/stream"
	"toposearch/workload"
	"toposearch/workload/collective"
)

// TestBlocks: what parts of consecutive endpoints send is what counting every rank says, for groups that lie alike and that do not.
func TestBlocks(t *testing.T) {
	rng, alike := stream.New(3, "blocks"), 0
	for range 500 {
		block, parts := 1+rng.IntN(12), 2+rng.IntN(8)
		n := &Network{Endpoint: first(block * parts), Domain: 1, Link: collective.Link{BytesPerS: 1}}
		p := Cuts{Block: block, Of: make([]int32, block*parts)}
		for e := range p.Of {
			p.Of[e] = int32(e / block)
		}
		for range parts {
			p.Carry = append(p.Carry, float64(rng.IntN(5)))
		}
		size, stride := 2+rng.IntN(12), 1+rng.IntN(8)
		if len(p.Of)%(size*stride) != 0 {
			continue
		}
		if rng.IntN(4) == 0 { // elsewhere
			n.Endpoint[0], n.Endpoint[len(p.Of)-1] = n.Endpoint[len(p.Of)-1], n.Endpoint[0]
		}
		c := workload.Communication{Kind: collective.Kind(rng.IntN(5)), Group: workload.Group{Stride: stride, Size: size}, Bytes: 1, Count: 1}
		if _, groups := n.inBlocks(c.Group, block); groups > 0 {
			alike++
		}
		plain := p
		plain.Block = 0
		for _, adds := range []bool{false, true} {
			if got, want := n.through(c, p, adds), n.through(c, plain, adds); math.Abs(got-want) > 1e-12*want {
				t.Errorf("%d blocks of %d with %v, %s among %d by %d: %g, counted %g", parts, block, p.Carry, c.Kind, size, stride, got, want)
			}
		}
	}
	if alike < 20 {
		t.Errorf("only %d lie alike", alike)
	}
}
