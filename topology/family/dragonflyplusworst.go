package family

import "toposearch/topology"

// dragonflyplusWorst: whatever crosses a channel from a leaf to a spine comes from the p endpoints of the leaf, each of which
// puts there of what it sends the share that the spine has of the routes to the group it sends to. All of them may send to the
// group of which that is largest, which has as many endpoints at least: the load is exact, as is that of the way down, with
// what arrives at a spine from a group. A global link carries a share of what one group sends to one other, and all of the
// group may send to it.
//
// Detours put on a channel twice what uniform traffic does, less what endpoints would send to themselves.
func dragonflyplusWorst(v []int, w *topology.WorstLoads) bool {
	d, x := dragonflyplusParams(v), dragonflyplusGlobals(v)
	l, m, p := float64(d.l()), float64(d.m()), float64(d.p())
	var s spineShares
	s.walk(x, d.h())
	within := 0.0 // share of a spine of what goes to another leaf of the group
	if d.l() > 1 {
		within = 1 / m
	}
	for t := range d.m() {
		for _, c := range [...]spineShare{s.up[t], s.down[t]} {
			found := p * max(c.most, within)
			w.Bound[1] = max(w.Bound[1], found)
			w.Split[1] = max(w.Split[1], min(found, 2*p/float64(d.g())*(c.sum+(l-1)/(l*m))))
		}
	}
	w.Exact(1, w.Bound[1])
	w.Exact(2, l*p*s.port)
	w.Split[2] = 2 / float64(d.g()) * w.Bound[2]
	return true
}

// spineShare is what crosses from a leaf to a spine, or down from it, of what the leaf has with another group: the sum over
// all groups and the most of any.
type spineShare struct{ sum, most float64 }

// spineShares are those of the spines of a group, and the largest share of a global port. Turning the groups round maps all groups
// onto one another, so that what arrives in a group from the one before it is what arrives in the next from this one.
type spineShares struct {
	up, down [dragonflyplusMost]spineShare
	port     float64
}

// walk follows the ports group by group, in m*h steps.
func (s *spineShares) walk(x globals, h int) {
	w := spineLoads{x: x, h: h}
	full := x.rounds() * (x.g - 1)
	var up, down [dragonflyplusMost]float64 // of one group; what was touched is cleared
	for rank := range x.g - 1 {
		extra := w.extra(rank)
		each := func(do func(q int)) {
			for q := rank; q < full; q += x.g - 1 {
				do(q)
			}
			if extra >= 0 {
				do(extra)
			}
		}
		spines := 0
		each(func(q int) {
			if up[q/h]++; up[q/h] == 1 {
				spines++
			}
		})
		each(func(q int) {
			share := 1 / float64(spines) / up[q/h]
			s.port = max(s.port, share)
			_, to := x.peer(0, q)
			down[to/h] += share
		})
		each(func(q int) {
			_, to := x.peer(0, q)
			s.up[q/h].add(&up[q/h], 1/float64(spines))
			s.down[to/h].add(&down[to/h], down[to/h])
		})
	}
}

// add counts a share once, and clears what says that it has not been counted.
func (c *spineShare) add(pending *float64, share float64) {
	if *pending == 0 {
		return
	}
	*pending, c.sum, c.most = 0, c.sum+share, max(c.most, share)
}
