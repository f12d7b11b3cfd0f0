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

// onEndpoints is the groups of ranks as groups of the first endpoints, false if they are none. Whatever the order in which kinds of parallelism are placed, their groups are some.
func (n *Network) onEndpoints(g workload.Group) (workload.Group, bool) {
	if n.inOrder() || g.Size < 2 {
		return g, g.Size >= 2
	}
	x, known := n.lies[g]
	if !known {
		x.on, x.ok = n.seekOn(g)
		if n.lies == nil {
			n.lies = make(map[workload.Group]lie)
		}
		n.lies[g] = x
	}
	return x.on, x.ok
}

// lying tells whether groups of ranks are groups of the first endpoints, or ranks are these in order.
func (n *Network) lying(g workload.Group) bool {
	_, ok := n.onEndpoints(g)
	return ok || n.inOrder()
}

// onto is a pattern of ranks as one of the endpoints that they are on, as those send that have ranks in order.
func (n *Network) onto(k key) key {
	if n.Shape == nil && n.Cuts == nil {
		return k
	}
	if on, ok := n.onEndpoints(k.group); ok {
		k.group = on
	} else {
		k.scattered = true
	}
	return k
}

// seekOn is onEndpoints of ranks that are not in order.
func (n *Network) seekOn(g workload.Group) (workload.Group, bool) {
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

// inClosedForm is what the network takes of S in all steps of a pattern, at an endpoint's rate; false if messages have to be counted.
func (n *Network) inClosedForm(k key) (far float64, ok bool) {
	if n.Shape == nil && n.Cuts == nil {
		return 0, false
	}
	on, p := k.group, k.pattern
	if k.scattered || on.Size < 2 || on.Stride%n.Domain != 0 { // else all of a group are in different domains
		return 0, false
	}
	own, busiest := float64(p.sends(on)), 0.0
	if n.Shape == nil {
		busiest, ok = n.Cuts.closed(on, p, len(n.Endpoint))
		return max(own, busiest), ok
	}
	if t, isTree := n.Shape.(Tree); isTree && n.Hashes != nil {
		levels, ok := t.leaving(on, p)
		if !ok {
			return 0, false
		}
		return n.carries(&loaded{own: own, levels: levels, share: 1}), true
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

// insideDomains is a pattern of groups of ranks each of which is in one domain, of 1 to each receiver; false: of others.
func (n *Network) insideDomains(k key) (one stage, ok bool) {
	if n.Domain == 1 {
		return one, false
	}
	g, ok := n.onEndpoints(k.group)
	if !ok || n.Domain%(g.Stride*g.Size) != 0 {
		return one, false
	}
	one.inside = float64(k.sends(g))
	if n.Mesh { // over a link each
		one.inside = 1
	}
	return one, true
}

// nearRate is what an endpoint has of its domain over all its links, in bytes a second. In a mesh others pass on what is for one of them.
func (n *Network) nearRate() float64 {
	if n.Mesh {
		return float64(n.Domain-1) * n.Scaleup.BytesPerS
	}
	return n.Scaleup.BytesPerS
}

// near reports whether two ranks of a group are in one domain.
func (n *Network) near(g workload.Group) bool {
	switch {
	case n.Domain == 1 || g.Size < 2:
		return false
	case n.inOrder(): // the first of a group and the next
		return g.Stride < n.Domain
	}
	seen := make(map[[2]int64]bool)
	for r := range n.Endpoint {
		k := [2]int64{int64(r/(g.Stride*g.Size)*g.Stride + r%g.Stride), n.domain(r)}
		if seen[k] {
			return true
		}
		seen[k] = true
	}
	return false
}
