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
	// operands of matrix products and the optimiser; 0: these take no time, and Efficiency has to account for them.
	MemoryBytesPerS float64
	Domain          int // ranks; 1: there is none
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

// Part is one communication of a step with its time.
type Part struct {
	Communication
	Algorithm       string
	Exposed, Hidden float64 // seconds
}

// StepTime is a step's time in seconds with its parts, which add up: Compute, the exposed times of Parts,
// Bubble and Optimiser.
type StepTime struct {
	Total     float64
	Matrices  float64 // products of matrices, on the busiest stage
	Elements  float64 // operations on single elements there
	Bubble    float64 // what that stage waits while the pipeline fills and drains
	Optimiser float64
	Parts     []Part
	// ModelFLOPs per step and rank over the time and the peak rate: MFU; HFU counts what is recomputed, too.
	MFU, HFU float64
}

// Time is a step's time on a system. The batch runs through a pipeline whose busiest stage sets the pace:
// microbatches times its time, and the time of the other stages once, a chunk of theirs with interleaving
// (Narayanan et al., section 2.2).
func (t *Training) Time(s System) (*StepTime, error) {
	if err := errors.Join(t.Check(0), s.Check()); err != nil {
		return nil, err
	}
	m := float64(t.Microbatches())
	layer := t.passes(s)
	out := &StepTime{Matrices: m * layer.matrices, Elements: m * layer.elements}
	perMicro, exposed := layer.matrices+layer.elements, 0.0
	for _, c := range t.Communications() {
		one, name, err := s.collective(c)
		if err != nil {
			return nil, err
		}
		p := Part{Communication: c, Algorithm: name}
		p.Exposed, p.Hidden = t.split(layer, c, one)
		out.Parts = append(out.Parts, p)
		exposed += p.Exposed
		if c.Parallelism == "tp" || c.Parallelism == "cp" || c.Parallelism == "ep" {
			perMicro += p.Exposed / m
		}
		if c.Parallelism == "pp" && c.Kind == collective.Exchange {
			out.Bubble += 2 * float64(t.PP-1) * one // the first microbatch on its way down, the last on its way up
		}
	}
	out.Bubble += layer.others * perMicro / float64(t.Interleave)
	out.Optimiser = t.optimiser(s)
	out.Total = out.Matrices + out.Elements + exposed + out.Bubble + out.Optimiser
	model, hardware := t.Model.FLOPs(t.Batch, t.Sequence, t.Recompute)
	peak := s.FLOPS * float64(t.Ranks()) * out.Total
	out.MFU, out.HFU = model/peak, hardware/peak
	return out, nil
}

// split divides the time of a communication, one of its Count, into what is waited for and what runs beside
// other work.
func (t *Training) split(p passTimes, c Communication, one float64) (exposed, hidden float64) {
	all := one * float64(c.Count)
	room := 0.0
	switch m := float64(t.Microbatches()); c.When {
	case BesideCore:
		room = m * p.core
	case BesideWeights:
		room = m * p.weights
	case BesideBackward:
		room = p.backward * float64(min(c.Count, t.Microbatches()))
	case BesideForward:
		room = p.forward * float64(min(c.Count, t.Microbatches()))
	}
	hidden = min(all, room)
	return all - hidden, hidden
}

// collective is the time of one collective and the algorithm that takes least: a ring, halving and doubling, a
// double tree or direct messages at the rate of the level that the group is on; with members in several
// domains the hierarchical one, or one of those at the outer level.
func (s System) collective(c Communication) (seconds float64, algorithm string, err error) {
	inner, outer := s.within(c.Group)
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
	if inner > 1 && outer > 1 {
		try(collective.Hierarchical{Inner: inner, Outer: outer}, s.Link)
	}
	if math.IsInf(seconds, 1) {
		return 0, "", fmt.Errorf("workload: no algorithm does %s", c)
	}
	return seconds, algorithm, nil
}

// within is how many members of a group are in the same domain, and in how many domains it has some.
func (s System) within(g Group) (inner, outer int) {
	inner = 1
	if g.Stride < s.Domain {
		inner = min(s.Domain/g.Stride, g.Size)
	}
	for g.Size%inner != 0 {
		inner-- // domains that cut a group unevenly: equal parts are within one each
	}
	return inner, g.Size / inner
}
