package evaluator

import "toposearch/evaluator/route"

// phases is the number of times that uniform traffic crosses the network; ok is false where it does so by way of random switches, whose legs are not uniform
// traffic.
func (w *work) phases(a *Algorithm) (times float64, ok bool) {
	if a.Always {
		return route.Crossings(w.size)
	}
	return 1, true
}
