package placed

import (
	"context"

	"toposearch/workload"
	"toposearch/workload/collective"
)

// strided is shapeLoads that add several messages at once.
type strided interface {
	// strided are messages of 1 from so many endpoints, so far from one to the next, to as many.
	strided(from, step, to, toStep, n int)
}

// folded is a step of halving and doubling among ranks that are no power of two, in order, where loads are counted without the network and without domains; false: of others. The two halves of an
// all-reduce send by the same permutations, so that each is counted once for both.
func (n *Network) folded(ctx context.Context, g workload.Group, st collective.Step) (one stage, ok bool, err error) {
	l := &st.Lanes[0]
	if l.Folded.Ranks == 0 || n.Router != nil || n.Shape == nil && n.Cuts == nil || n.Domain > 1 || !n.inOrder() {
		return one, false, nil
	}
	k := key{group: g, pattern: pattern{Shift: l.Folded.Distance, Folded: true}}
	if n.model != nil {
		far, asked := n.model.known[k]
		if !asked {
			far = stage{1, n.foldedThroughBlocks(g, l.Folded), 0}
			n.model.known[k] = far
			n.model.Ns += n.foldedNs()
		}
		return stage{1, far.far * l.Share, 0}, true, nil
	}
	far, ok := n.recall(k)
	if !ok {
		far = stage{1, n.carries(n.countFolded(g, l.Folded)), 0}
		if err := ctx.Err(); err != nil {
			return one, false, err
		}
		n.keep(k, far)
	}
	return stage{1, far.far * l.Share, 0}, true, nil
}

// mostOfBlock bounds the endpoints of blocks whose messages are counted for a model.
const mostOfBlock = 1 << 14

// foldedThroughBlocks is what a permutation takes at least, by what leaves the first block of each size, and by what the first group of Groups sends to each other one, over the links between the two.
func (n *Network) foldedThroughBlocks(g workload.Group, x collective.Folded) (far float64) {
	far = 1
	if n.Shape == nil {
		return far
	}
	for _, b := range n.Shape.blocks() {
		if b.Across > 0 || b.Endpoints > mostOfBlock {
			continue
		}
		leave, groups := 0, make(map[int]int)
		for r := range min(b.Endpoints, len(n.Endpoint)) {
			place := r / g.Stride % g.Size
			to := (collective.Perm{Folded: x}).Of(place, 0)
			if to < 0 {
				continue
			}
			if block := (r + (to-place)*g.Stride) / b.Endpoints; block > 0 {
				leave++
				groups[block]++
			}
		}
		far = max(far, float64(leave)/b.Carry)
		if s, ok := n.Shape.(*Groups); ok && n.Detours == nil && b.Endpoints == s.Each*s.PerSwitch {
			for group, sent := range groups {
				links := int32(0)
				for _, some := range s.of(0)[group].links {
					links += some
				}
				if links > 0 {
					far = max(far, float64(sent)/(float64(links)*s.Global))
				}
			}
		}
	}
	return far
}

// countFolded is what messages of 1 load: each rank sends one at most, and receives one.
func (n *Network) countFolded(g workload.Group, x collective.Folded) *loaded {
	t := &traffic{n: n, group: g}
	add := func(from, step, to, toStep, count int) {
		for i := range count {
			t.cross(from+i*step, to+i*toStep, 1)
		}
	}
	if n.Shape != nil {
		if grid, ok := n.Shape.(*Grid); ok { // of which few links may be loaded
			l := grid.loadsOf(len(n.Endpoint))
			defer grid.again(l)
			t.shape = l
		} else {
			t.shape = n.Shape.loads()
		}
		if s, ok := t.shape.(strided); ok {
			add = s.strided
		}
	} else {
		t.leave, t.enter = make([]float64, len(n.Cuts.Carry)), make([]float64, len(n.Cuts.Carry))
	}
	for first := range firsts(g, len(n.Endpoint)) {
		x.Runs(func(from, step, to, toStep, count int) {
			add(first+from*g.Stride, step*g.Stride, first+to*g.Stride, toStep*g.Stride, count)
		})
	}
	t.out, t.inside, t.in = []float64{1}, []float64{0}, 1
	return t.loaded()
}
