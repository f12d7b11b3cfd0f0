package evaluator

import "toposearch/evaluator/route"

// phases is the number of times that uniform traffic crosses the network; ok is false where it does so by way of random switches, whose legs are not uniform
// traffic.
func (w *work) phases(a *Algorithm) (times float64, ok bool) {
	switch {
	case !a.Always:
		return 1, true
	case w.e.scaled(w.d.Family): // endpoints relay, so that each is a switch of its own
		return route.CrossingsBy(float64(w.size.Endpoints)), true
	}
	return route.Crossings(w.size)
}
