package family

import "toposearch/topology"

// Loads of the traffic that is worst for a channel over natural routes, see topology.WorstLoads. In dimension order a packet on
// a channel of dimension i has the coordinates of its destination below i and those of its source above: so from each place on the
// line of the channel P switches send over it, P being the product of the lower dimensions, and it leads to Q at each place, Q
// that of the higher ones. What can cross is the heaviest matching between places of the line, with P sources and Q
// destinations at each (Towles, Dally, "Worst-case Traffic for Oblivious Routing Functions", SPAA 2002).

// around are P and Q of dimension i, in endpoints, of which t hang on a switch.
func (x *grid) around(i, t int) (from, to float64) {
	from, to = float64(t), float64(t)
	for j, k := range x.size[:x.dims] {
		switch {
		case j < i:
			from *= float64(k)
		case j > i:
			to *= float64(k)
		}
	}
	return from, to
}

// worstMesh: a channel of a full mesh joins two places, links[i] of them alike.
func (x *grid) worstMesh(t int, links []int, w *topology.WorstLoads) bool {
	w.Each = true
	for i, k := range x.size[:x.dims] {
		if k > 1 {
			from, to := x.around(i, t)
			w.Exact(i+1, min(from, to)/float64(links[i]))
		}
	}
	return true
}

// worstCube is worstMesh of n dimensions of two switches.
func worstCube(n, t int, w *topology.WorstLoads) bool {
	w.Each = true
	for i := range n {
		w.Exact(i+1, float64(t)*float64(int64(1)<<min(i, n-1-i)))
	}
	return true
}

// worstLines: a line, or a ring of two, is crossed from all places before a link to all behind it. A ring of k is crossed in one direction
// by pairs up to m = floor((k-1)/2) apart, all places before the link with all behind it if each is m from its
// partner, and by half of what goes between opposite places. By r such pairs, of which h are opposite, the places are
// r^2 <= r m + h apart together at least, so that r - h/2 is at most m, and (m+1)/2 if r = m+1. Where P and Q differ, the
// many of a place have partners left: of the few at most half as much from the opposite place.
func worstLines(v []int, wrap bool, w *topology.WorstLoads) bool {
	x := gridOf(v, torusDims)
	for i, k := range x.size[:x.dims] {
		if k < 2 {
			continue
		}
		from, to := x.around(i, v[torusDims])
		if !wrap || k == 2 {
			most := 0.0
			for a := 1; a < k; a++ {
				most = max(most, min(float64(a)*from, float64(k-a)*to))
			}
			w.Exact(i+1, most)
			continue
		}
		few, m := min(from, to), float64((k-1)/2)
		w.Exact(i+1, few*m)
		if k%2 == 0 && from != to {
			w.Bound[i+1] += few / 2
			w.Found[i+1] += min(few, max(from, to)-few) / 2
		}
		w.Bound[torusDims+1+i], w.Found[torusDims+1+i] = w.Bound[i+1], w.Found[i+1]
	}
	return true
}

// worstOfTwo is for switches of p endpoints each, any two linked or with common neighbours. A route crosses a channel as its first hop, from
// one of the p endpoints before it, or as its second, to one of the p behind it. If those send to these they are alone.
func worstOfTwo(p int, w *topology.WorstLoads) bool {
	w.Bound[1], w.Found[1], w.Each = 2*float64(p), float64(p), true
	return true
}

// worstOfLeaf is for leaves of p endpoints each, some two of which have one route alone, up to a switch without endpoints and down: the p of one
// may send to the p of the other, and over a channel up comes no more than those before it send, down no more than those behind it take.
func worstOfLeaf(p int, w *topology.WorstLoads) bool {
	w.Exact(1, float64(p))
	w.Each = true
	return true
}

// dragonflyWorst: all of a group may send to another over the links between the two, of which one pair has no more than
// every pair has in the mean; a local channel is crossed as a first hop from the p endpoints before it, or as a last one to
// those behind it.
func dragonflyWorst(v []int, w *topology.WorstLoads) bool {
	d, x := dragonflyParams(v), dragonflyGlobals(v)
	p, group := float64(d.p()), float64(d.p()*d.a())
	if d.a() > 1 {
		w.Bound[1], w.Found[1] = 2*p, p
	}
	links := 1 // between some pair of groups
	w.Each = x.even()
	if !x.even() {
		links = x.used() / (d.g() - 1)
	}
	w.Bound[2], w.Found[2] = group, group/float64(max(links, 1))
	return true
}

// worst: the endpoints of a subtree of h levels send all they have out of it over its uplinks, which
// share it evenly, as those of the way down do. No routing does better. Endpoints with several ports use all alike.
func (t *rails) worst(w *topology.WorstLoads) bool {
	if t.f > 1 || t.l == 1 {
		return false
	}
	w.Cut, w.Each = true, true
	if t.r > 1 {
		w.Exact(treeNic, 1/float64(t.r))
	}
	down := float64(t.d) / float64(t.r) // what the endpoints of a subtree send in one plane
	for h := 1; h < t.l; h++ {
		if h > 1 {
			down *= float64(t.down[h])
		}
		w.Exact(t.class(h+1), down/float64(t.own(h+1)))
	}
	return true
}
