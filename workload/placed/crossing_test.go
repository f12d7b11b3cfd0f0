package placed

import (
	"context"
	"math"
	"slices"
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
		if _, groups := n.inBlocks(c.Group, Subtree{Endpoints: block}); groups > 0 {
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

// TestCuts: what is known in closed form of parts that are blocks, and what is remembered of any parts for all that leads out of them, is what messages
// counted one by one take.
func TestCuts(t *testing.T) {
	rng, compared := stream.New(4, "cuts"), 0
	for range 200 {
		parts, size := 2+rng.IntN(6), 1+rng.IntN(6)
		c := &Cuts{Of: make([]int32, parts*size), Carry: make([]float64, parts), Block: size}
		for p := range c.Carry {
			c.Carry[p] = []float64{0.25, 0.5, 2}[rng.IntN(1+rng.IntN(3))]
		}
		for e := range c.Of {
			c.Of[e] = int32(e / size)
		}
		if rng.IntN(2) == 0 {
			c.Block = 0
			rng.Shuffle(len(c.Of), func(i, j int) { c.Of[i], c.Of[j] = c.Of[j], c.Of[i] })
		}
		ranks := 2 + rng.IntN(parts*size-1)
		n := &Network{Link: collective.Link{BytesPerS: 1}, Domain: 1, Cuts: c, Endpoint: first(ranks), Counts: new(Stages)}
		for again := range 2 {
			for stride := 1; 2*stride <= ranks; stride++ {
				if ranks%stride != 0 {
					continue
				}
				g := workload.Group{Stride: stride, Size: ranks / stride}
				shift := 1 + rng.IntN(g.Size-1)
				leave, enter := make([]float64, parts), make([]float64, parts)
				for r := range ranks {
					place := r / stride % g.Size
					to := r + ((place+shift)%g.Size-place)*stride
					if a, b := c.Of[r], c.Of[to]; a != b {
						leave[a]++
						enter[b]++
					}
				}
				want := 1.0
				for p, x := range c.Carry {
					want = max(want, leave[p]/x, enter[p]/x)
				}
				st := collective.Step{Repeat: 1, Lanes: []collective.Lane{{Perm: collective.Perm{Stride: 1, Size: g.Size, Shift: shift}, Share: 1}}}
				got, err := n.stage(context.Background(), g, g.Size, st, nil)
				if compared++; err != nil || math.Abs(got.far-want) > 1e-8*want {
					t.Fatalf("%+v, %d ranks, groups %+v shifted by %d: %g of S, counted %g (%v)", c, ranks, g, shift, got.far, want, err)
				}
			}
			if again == 0 { // others lead as much out of parts, or more: the counts are the same
				n = n.On(n.Endpoint)
				c = &Cuts{Of: c.Of, Carry: slices.Clone(c.Carry), Block: c.Block}
				for p := range c.Carry {
					c.Carry[p] *= 3
				}
				n.Cuts = c
			}
		}
	}
	if compared < 400 {
		t.Errorf("only %d steps were compared", compared)
	}
}

// TestUnevenRows: what blocks that do not have as many ranks of each group bound a collective by, of those that are alike once, is what it is group by group, to the last digit.
func TestUnevenRows(t *testing.T) {
	rng, repeated := stream.New(3, "uneven"), 0
	for range 3000 {
		g := workload.Group{Stride: 1 + rng.IntN(12), Size: 2 + rng.IntN(7)}
		ranks := g.Stride * g.Size * (1 + rng.IntN(60))
		n := &Network{Endpoint: first(ranks), Domain: 1}
		b := Subtree{Endpoints: 1 + rng.IntN(20), Carry: 0.25 + rng.Float64()}
		if rng.IntN(3) == 0 {
			b.Each = func(block int) float64 { return float64(block%3) * b.Carry }
		}
		carry := make([]float64, (ranks+b.Endpoints-1)/b.Endpoints)
		for i := range carry {
			if carry[i] = b.Carry; b.Each != nil {
				carry[i] = b.Each(i)
			}
		}
		if ranks > 2*period(b.Endpoints, g.Stride*g.Size) {
			repeated++
		}
		for _, kind := range []collective.Kind{collective.AllReduce, collective.ReduceScatter, collective.AllGather, collective.AllToAll, collective.Exchange} {
			c := workload.Communication{Kind: kind, Group: g}
			for _, adds := range []bool{false, true} {
				want := throughParts(c, ranks, carry, adds, func(r int) (part, end int) { return r / b.Endpoints, r + 1 })
				if got := n.throughUneven(c, b, adds); got != want {
					t.Fatalf("%d ranks, %s of %+v, adds %t, blocks of %d: %v, group by group %v", ranks, kind, g, adds, b.Endpoints, got, want)
				}
			}
		}
	}
	if repeated < 1000 {
		t.Errorf("only %d repeat", repeated)
	}
	for _, across := range []int{0, 4} { // all to all as uniform traffic
		c := workload.Communication{Kind: collective.AllToAll, Group: workload.Group{Stride: 1, Size: 64}}
		if got := (&Network{Domain: 1}).throughUneven(c, Subtree{Endpoints: 5, Across: across, Carry: 1}, false); got != 0 {
			t.Errorf("without ranks, across %d: %v, want 0", across, got)
		}
	}
}
