package flit

import (
	"unsafe"

	"toposearch/simcore"
)

// What the list twin (listtwin_test.go), which lives outside the package because it reads
// configurations of package booksim, has to see.

// Insides are what a simulation was made from.
func (s *Sim) Insides() (*Plant, PortRouting, simcore.Traffic, Config) {
	return s.plant, s.routing, s.traffic, s.cfg
}

// Facts are what the engine keeps of a packet for itself.
func Facts(p *simcore.Packet) (created, size int, seq uint32) {
	q := ofEngine(p)
	return int(q.created), int(q.size), q.seq
}

// ofEngine is the engine's packet of which a routing is shown the first field.
func ofEngine(p *simcore.Packet) *packet { return (*packet)(unsafe.Pointer(p)) }

// simOf is the simulation whose field view a routing is shown.
func simOf(v *simcore.View) *Sim {
	return (*Sim)(unsafe.Add(unsafe.Pointer(v), -int(unsafe.Offsetof(Sim{}.view))))
}

// FakeView is a View of queues that a test keeps.
type FakeView struct {
	simcore.View
	used [][]int
}

// NewFakeView has so many output ports at each switch.
func NewFakeView(ports []int) *FakeView {
	f := &FakeView{}
	for _, n := range ports {
		f.used = append(f.used, make([]int, n))
	}
	f.View = simcore.NewView(nil, nil, f)
	return f
}

// UsedPort is what a routing sees.
func (f *FakeView) UsedPort(sw, port int32) int { return f.used[sw][port] }

// Add changes what UsedPort says of a port.
func (f *FakeView) Add(sw, port, by int) { f.used[sw][port] += by }

// General makes a configuration run in the general cycle.
func (c *Config) General() { c.forceFull = true }
