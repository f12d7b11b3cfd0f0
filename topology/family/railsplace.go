package family

import "toposearch/topology"

// paths: endpoints of a leaf group meet at a leaf, others at the top of the smallest subtree
// that holds both. Every level is symmetric, so loads are even, and weights are those of one source.
func (t *rails) paths(p *topology.Paths) bool {
	p.Reset()
	var cross [topology.MaxClasses]int16
	cross[treeNic] = 2
	in := t.together()
	p.Add(in-1, cross)
	for h := 2; h <= t.l; h++ {
		within := t.within(h)
		cross[t.class(h)] = 2
		p.Add(within-in, cross)
		in = within
	}
	return true
}

// within is the number of endpoints of a subtree of h levels, from 2 on.
func (t *rails) within(h int) int64 {
	if h == t.l {
		return t.endpoints()
	}
	n := int64(t.d/t.w) * t.subtreeLeaves(h)
	if t.wide { // pods share their endpoints
		return n
	}
	return n / int64(t.f) // leaves of a subtree share their endpoints with one another
}

// together is the number of endpoints that have a leaf in common with one, itself included.
func (t *rails) together() int64 {
	x := int64(t.mix)
	each := int64(t.d/t.w) / pow(x, t.f-1)
	return each * (pow(x, t.f) - pow(x-1, t.f))
}

func (t *rails) place() topology.Placement {
	p := topology.Placement{Blocks: int(t.leaves() / t.block()), Homes: make([]topology.Home, len(treeSwitches))}
	for i := range p.Homes {
		p.Homes[i] = topology.InBlock
	}
	p.Homes[treeLeaf], p.Homes[treeTop] = topology.WithEndpoints, topology.Central
	return p
}

// cables: in trees of two levels a block is what shares its endpoints, and every leaf is linked to all
// top switches of its plane.
func (t *rails) cables(c int) topology.Cables {
	if c == treeNic {
		if t.l == 2 {
			return topology.Cables{I: treeLeaf, J: -1, Scope: topology.OneBlock, Parts: 1}
		}
		return topology.Cables{I: -1, J: -1}
	}
	if c != treeTop {
		return topology.Cables{I: c - 1, J: c, Scope: topology.OneBlock}
	}
	x := topology.Cables{I: max(t.l-2, 0), J: treeTop}
	if t.l == 2 {
		x.Parts = t.planes
	}
	return x
}

func (t *rails) orbits() topology.Symmetry {
	var s topology.Size
	t.count(&s)
	return classOrbits(treeSwitches, &s)
}

// nonBlocking: the whole tree, or a subtree below the first level that tapers; what shares all its leaves where
// these do.
func (t *rails) nonBlocking() int64 {
	if t.u < t.d && t.l > 1 {
		return int64(t.d/t.w) / pow(int64(t.mix), t.f-1)
	}
	for h := 2; h < t.l; h++ {
		if t.tapered(h) {
			return t.within(h)
		}
	}
	return t.endpoints()
}

// middleCut: pods have as much upwards as their endpoints send, less the taper of each level.
func (t *rails) middleCut() float64 {
	if t.l == 1 {
		return 1
	}
	share := float64(t.u) / float64(t.d)
	for h := 2; h < t.l; h++ {
		share *= float64(t.up[h]) / float64(t.down[h])
	}
	return min(1, share)
}

// blocks are the subtrees below the top whose endpoints hang on one leaf of each plane; none if endpoints hang on several.
func (t *rails) blocks() (out []topology.Subtree) {
	if t.f > 1 || t.mix > 1 {
		return nil
	}
	for h := 1; h < t.l; h++ {
		out = append(out, topology.Subtree{
			Endpoints: t.subtreeLeaves(h) * int64(t.d/t.w),
			Links:     t.own(h) * int64(t.uplinks(h)*t.planes),
			Class:     t.class(h + 1),
		})
	}
	return out
}
