package simcore

// What the list twin (listtwin_test.go), which lives outside the package because it reads
// configurations of package booksim, has to see.

// Insides are what a simulation was made from.
func (s *Sim) Insides() (*Plant, PortRouting, Traffic, Config) {
	return s.plant, s.routing, s.traffic, s.cfg
}

// Facts are what the engine keeps of a packet for itself.
func (p *Packet) Facts() (created, size int, seq uint32) {
	return int(p.created), int(p.size), p.seq
}

// FakeView is a View of queues that a test keeps.
type FakeView struct {
	View
	sim Sim
}

// NewFakeView has so many output ports at each switch.
func NewFakeView(ports []int) *FakeView {
	f := &FakeView{}
	total := int32(0)
	for _, n := range ports {
		f.sim.outStart = append(f.sim.outStart, total)
		total += int32(n)
	}
	f.sim.ov = make([]ovState, total) // of one VC each
	f.View.s = &f.sim
	return f
}

// Add changes what UsedPort says of a port.
func (f *FakeView) Add(sw, port, by int) { f.sim.ov[int(f.sim.outStart[sw])+port].occ += int32(by) }

// General makes a configuration run in the general cycle.
func (c *Config) General() { c.forceFull = true }
