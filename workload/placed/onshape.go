package placed

import "toposearch/workload"

// inOrder tells whether the ranks are on the first endpoints in the order of their numbers.
func (n *Network) inOrder() bool {
	if n.ordered == 0 {
		n.ordered = 1
		for r, e := range n.Endpoint {
			if int(e) != r {
				n.ordered = -1
				break
			}
		}
	}
	return n.ordered > 0
}

// onEndpoints is the groups of ranks as groups of the first endpoints, false if they are none.
func (n *Network) onEndpoints(g workload.Group) (workload.Group, bool) {
	if n.inOrder() || g.Size < 2 {
		return g, g.Size >= 2
	}
	ranks := len(n.Endpoint)
	on := workload.Group{Stride: int(n.Endpoint[g.Stride]) - int(n.Endpoint[0]), Size: g.Size}
	if on.Stride < 1 || ranks%(on.Stride*on.Size) != 0 {
		return on, false
	}
	for r, e := range n.Endpoint { // every rank is elsewhere, so that the first endpoints are all of theirs
		place := r / g.Stride % g.Size
		if int(e) >= ranks || int(e)/on.Stride%on.Size != place || int(e)-place*on.Stride != int(n.Endpoint[r-place*g.Stride]) {
			return on, false
		}
	}
	return on, true
}

// inClosedForm is what the network takes of S in all steps of a pattern that the groups of ranks send by, at an endpoint's rate; false if
// messages have to be counted.
func (n *Network) inClosedForm(g workload.Group, p pattern) (far float64, ok bool) {
	if n.Shape == nil && n.Cuts == nil {
		return 0, false
	}
	on, ok := n.onEndpoints(g)
	if !ok || on.Stride%n.Domain != 0 { // else all of a group are in different domains
		return 0, false
	}
	own, busiest := float64(p.sends(g)), 0.0
	if n.Shape == nil {
		busiest, ok = n.Cuts.closed(on, p, len(n.Endpoint))
		return max(own, busiest), ok
	}
	busiest, ok = n.Shape.closed(on, p)
	if ok && !p.All && n.Detours != nil && busiest > own*(1+rounding) {
		d, closed := n.Shape.(detoured)
		if !closed {
			return 0, false
		}
		x, known := d.divided(on, p.Shift, len(n.Endpoint))
		busiest, ok = min(busiest, x), known
	}
	return unless(own, busiest), ok
}
