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
		if _, asked := n.model.known[k]; !asked {
			n.model.known[k] = stage{}
			n.model.Ns += n.foldedNs(g, l.Folded)
		}
		return stage{1, l.Share, 0}, true, nil
	}
	far, ok := n.known[k]
	if !ok && n.Known != nil {
		if x, found := n.Known.of.Load(n.shared(k)); found {
			far, ok = x.(stage), true
		}
	}
	if !ok {
		far = stage{1, n.carries(n.countFolded(g, l.Folded)), 0}
		if err := ctx.Err(); err != nil {
			return one, false, err
		}
		if n.known == nil {
			n.known = make(map[key]stage)
		}
		n.known[k] = far
		if n.Known != nil {
			n.Known.of.Store(n.shared(k), far)
		}
	}
	return stage{1, far.far * l.Share, 0}, true, nil
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
		t.shape = n.Shape.loads()
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
