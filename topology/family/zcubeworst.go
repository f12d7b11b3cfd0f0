package family

import "toposearch/topology"

// zcubeWorst encloses what crosses a channel from level l down to l-1, named by k digits c (zcube_paths.go); upwards is the same with
// sources and destinations exchanged. Routes from level s to t < l <= s cross it from the n^(s-l+1) sources that have c in
// the digits s-l to s-1 and above s, to the n^(l-t) destinations that have it from l on and, below t, what the sources have
// before. No more crosses than all these sources send, or these destinations take, each times the largest share that such
// a route has of a pair. Where t is 0 there is a route of fewer hops if the digit s of the source or l-1 of the destination is
// c's, so that one value fewer is left.
//
// Found is what takes the longest routes: c is 0 below l and 1 from there on, sources have no free digit 1 and
// destinations none 0. Then no shorter route exists, and the one upwards takes the other half. With three levels
// a channel between the upper two carries all of what goes from level 2 to 1: no source has c's top digit, no destination c's lowest one
// in digit 1.
//
// Endpoints that share one of their switches and no other use the one port that leads there: it carries all that they send.
func zcubeWorst(v []int, w *topology.WorstLoads) bool {
	d := zcubeParams(v)
	n, k := d.n(), d.k()
	if k == 1 {
		return true // all on one switch
	}
	w.Exact(0, 1)
	share := zcubeTables[k]().share
	for l := 1; l < k; l++ {
		sources, sinks := 0.0, 0.0
		for s := l; s < k; s++ {
			zero, more := share[s][0], int64(0) // to level 0, and to others, from where all sources count
			for t := 1; t < l; t++ {
				more = max(more, share[s][t])
			}
			free := float64(ipow(n, s-l))
			sources += free * (float64(max(zero, more))*float64(n-1) + float64(more))
		}
		for t := range l {
			most := int64(0)
			for s := l; s < k; s++ {
				most = max(most, share[s][t])
			}
			values := n
			if t == 0 {
				values--
			}
			sinks += float64(most) * float64(values) * float64(ipow(n, l-t-1))
		}
		w.Bound[l] = min(sources, sinks) / zcubeShare
		w.Found[l] = float64(min(ipow(n-1, k-l), ipow(n-1, l))) / 2
	}
	if k == 3 {
		w.Found[2] = float64(n - 1)
	}
	w.Each = k == 2
	return true
}
