package family

import "toposearch/topology"

// Spreads of hashed flows (topology.Routes.Spread) in closed form. Where every flow that crosses a channel does so with the same probability p, it is 1-p;
// of channels that flows of several kinds cross, the mean over what crosses them.

// noSpread: no flow has a choice.
func noSpread([]int, *[topology.MaxClasses]float64) bool { return true }

// hashSpread: a port in each plane, then any uplink at every level up to the turn; downwards the same channels are as many.
func (t *rails) hashSpread(out *[topology.MaxClasses]float64) bool {
	if t.f > 1 { // which leaves two endpoints share differs from pair to pair
		return false
	}
	p, up := 1/float64(t.planes), t.u
	out[topologyNic] = 1 - 1/float64(t.r)
	for h := 2; h <= t.l; h++ {
		if h > 2 {
			up = int(t.up[h-1])
		}
		p /= float64(up)
		out[t.class(h)] = 1 - p
	}
	return true
}

// spreadMesh: any of the parallel links of each dimension.
func spreadMesh(links []int, out *[topology.MaxClasses]float64) bool {
	for i, k := range links {
		out[i+1] = 1 - 1/float64(k)
	}
	return true
}

// spreadTorus: in a ring of even size, from four on, flows to the opposite switch go either way. They cross k/2 links, all k flows of a switch k^2/4, so that
// they are 2/k of those on a channel, half of each.
func spreadTorus(v []int, out *[topology.MaxClasses]float64) bool {
	for i, k := range v[:torusDims] {
		if k > 2 && k%2 == 0 {
			out[i+1], out[torusDims+1+i] = 1/float64(k), 1/float64(k)
		}
	}
	return true
}

// dragonflySpread: with one link per pair of groups there is one route from switch to switch.
func dragonflySpread(v []int, _ *[topology.MaxClasses]float64) bool {
	x := dragonflyGlobals(v)
	return x.even()
}
