package family

import "toposearch/topology"

// zettafly4Worst: a leaf spreads everything that leaves it over all a spines, and so does what comes to it. A group sends
// all that it has to another sub-network over the u parallel global switches at each of its spines; what goes to groups of its own
// sub-network has all h, which is less on each.
func zettafly4Worst(v []int, w *topology.WorstLoads) bool {
	d := zettaflyParams(v)
	w.Each = true
	w.Exact(1, float64(d.p())/float64(d.a()/2))
	w.Exact(2, float64(d.p())/float64(d.h()/(d.s()-1)))
	return true
}

// zettafly3Worst: a local channel is crossed from the p endpoints before it to the switches of the index behind it. A channel up
// from the switch of index t is crossed from the a*p endpoints of its group: to the c*p of index t in the sub-network to which
// the channel leads, over one of u parallels, and by those that are left to the (c-1)*p of index t in other groups of their own,
// over one of all h. The channel down carries what the p endpoints behind it take, of which no more than 1/u
// comes by it.
func zettafly3Worst(v []int, w *topology.WorstLoads) bool {
	d := zettaflyParams(v)
	a, p, c := d.a(), float64(d.p()), d.c()
	if a > 1 {
		w.Exact(1, p)
	}
	own := min(max(a-c, 0), c-1)
	w.Exact(2, p*(float64(min(a, c))/float64(d.h()/(d.s()-1))+float64(own)/float64(d.h())))
	return true
}
