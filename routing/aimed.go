package routing

import "toposearch/topology"

// aimed is a search with the hops out of each node towards its destination, made when first asked for: many sources share them.
type aimed struct {
	*search
	first []int32 // node: its hops are hops[first-1:until]; 0: not yet
	until []int32
	hops  []Hop
	used  []int32 // nodes with hops
}

func newAimed(r *Router) *aimed {
	nodes := r.Net.Switches() * r.states
	return &aimed{search: newSearch(r), first: make([]int32, nodes), until: make([]int32, nodes)}
}

// aim makes a set the destination of what follows.
func (a *aimed) aim(dst int) {
	for _, x := range a.used {
		a.first[x] = 0
	}
	a.used, a.hops = a.used[:0], a.hops[:0]
	a.run(dst)
}

// hopsOf are the hops out of a node towards the destination.
func (a *aimed) hopsOf(x int32) []Hop {
	if a.first[x] == 0 {
		S := a.r.states
		a.first[x] = int32(len(a.hops)) + 1
		a.hops = a.r.Next(&a.field, topology.SwitchID(int(x)/S), uint8(int(x)%S), a.hops)
		a.until[x] = int32(len(a.hops))
		a.used = append(a.used, x)
	}
	return a.hops[a.first[x]-1 : a.until[x]]
}
