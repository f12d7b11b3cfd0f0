package verify

import (
	"toposearch/search"
	"toposearch/topology"
)

// job is a simulation to be done: a design under a traffic, with the routing that was chosen for it.
type job struct {
	design           topology.Design
	name             string // of the design
	traffic, routing string
}

// jobOf is the simulation of a member of a front.
func jobOf(p *search.Problem, m *search.Member, traffic, routing string) job {
	return job{p.Design(m.Space, m.V), m.Name, traffic, routing}
}
