package workload

import (
	"errors"
	"fmt"
	"math"

	"toposearch/workload/collective"
)

// System is accelerators and an ideal network, on which collectives do not share links: a scale-up domain of
// Domain consecutive ranks with Link[0], and Link[1] between domains.
type System struct {
	FLOPS      float64 // operations per second of an accelerator's matrix unit at peak
	Efficiency float64 // of that, what matrix products reach, in (0, 1]
	Memory     float64 // bytes
	// MemoryBytesPerS is what the memory gives operations on single elements (norms, dropout, softmax), the
	// operands of matrix products, which are moved before and after a product and not meanwhile, and the
	// optimiser; 0: these take no time, and Efficiency has to account for them.
	MemoryBytesPerS float64
	Domain          int  // ranks; 1: there is none
	Mesh            bool // domains are full meshes, and Link[0] is each link's
	Link            [collective.Levels]collective.Link
}

// Check says what is out of range.
func (s System) Check() error {
	var bad []error
	positive := func(name string, x float64, zero bool) {
		if !(x > 0 || zero && x == 0) || math.IsInf(x, 0) {
			bad = append(bad, fmt.Errorf("workload: %s = %g is not a positive number", name, x))
		}
	}
	positive("FLOPS", s.FLOPS, false)
	positive("Memory", s.Memory, false)
	positive("MemoryBytesPerS", s.MemoryBytesPerS, true)
	if !(s.Efficiency > 0 && s.Efficiency <= 1) {
		bad = append(bad, fmt.Errorf("workload: Efficiency = %g is not in (0, 1]", s.Efficiency))
	}
	if s.Domain < 1 {
		bad = append(bad, fmt.Errorf("workload: Domain = %d; 1 if there is no scale-up domain", s.Domain))
	}
	for i, l := range s.Link {
		positive(fmt.Sprintf("Link[%d].BytesPerS", i), l.BytesPerS, false)
		positive(fmt.Sprintf("Link[%d].Alpha", i), l.Alpha, true)
	}
	return errors.Join(bad...)
}

// Collective is the time of one collective and the algorithm that takes least, without other groups in its way: a ring, halving and doubling, a
// double tree or direct messages at the rate of the level that the group is on; with members in several
// domains the hierarchical one, or one of those at the outer level. In a mesh over all links of a rank at once.
func (s System) Collective(c Communication) (seconds float64, algorithm string, err error) {
	inner, outer := c.Within(s.Domain)
	n := inner * outer
	level := 0
	if outer > 1 {
		level = 1
	}
	flat := [collective.Levels]collective.Link{s.Link[level]}
	if c.Kind == collective.Exchange {
		l := flat[0]
		return l.Alpha + c.Bytes/l.BytesPerS, "message", nil
	}
	tree := collective.DoubleTree{N: n}
	tree.Segments = tree.BestSegments(flat[0], c.Bytes)
	seconds = math.Inf(1)
	try := func(a collective.Algorithm, links [collective.Levels]collective.Link) {
		cost, cerr := a.Cost(c.Kind)
		if cerr != nil {
			return // there are kinds that an algorithm does not do
		}
		if x := cost.Time(links, c.Bytes); x < seconds {
			seconds, algorithm = x, a.Name()
		}
	}
	for _, a := range []collective.Algorithm{collective.Ring{N: n}, collective.HalvingDoubling{N: n}, tree, collective.Direct{N: n}} {
		try(a, flat)
	}
	if inner > 1 && (outer > 1 || s.Mesh) {
		try(collective.Hierarchical{Inner: inner, Outer: outer, Mesh: s.Mesh}, s.Link)
	}
	if math.IsInf(seconds, 1) {
		return 0, "", fmt.Errorf("workload: no algorithm does %s", c)
	}
	return seconds, algorithm, nil
}
