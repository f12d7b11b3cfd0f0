package topology

// WorstLoads encloses what the busiest channels of a network carry over natural routes of the traffic that is worst for
// them, out of all in which no endpoint sends or takes more than its bandwidth, whose unit it is.
type WorstLoads struct {
	// Bound[c] is no less than what any channel of class c carries, of any traffic; of class 0 of a port of an endpoint
	// that has several. 0: there are no such channels.
	Bound [MaxClasses]float64
	// Found[c] is what some traffic puts on a channel of class c: at most Bound, 0 if
	// none is known.
	Found [MaxClasses]float64
	// Split[c] is what is left on some channel of class c by any split of some traffic into direct routes and detours by way of any
	// endpoint: the lesser of what either of the two puts there. 0 if the family does not say.
	Split [MaxClasses]float64
	// Each says that there is such a traffic for every channel that has a Found.
	Each bool
	// Cut says that Found leaves or enters a set of endpoints by channels that share it evenly, all there are, whatever
	// the routing is.
	Cut bool
}

// Exact records what is known exactly of a class.
func (w *WorstLoads) Exact(c int, load float64) { w.Bound[c], w.Found[c] = load, load }
