package workload

import (
	"errors"
	"math"

	"toposearch/workload/collective"
)

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
	// MFU is the model's operations over the time and the peak rate of all ranks; HFU counts what Recompute says
	// is computed again, too. Both count attention without the causal mask (see FLOPs), so that with long
	// sequences and fused attention, which skips what is masked, they may exceed 1.
	MFU, HFU float64
}

// each is what one of each communication takes.
func (s *StepTime) each() []float64 {
	out := make([]float64, len(s.Parts))
	for i, p := range s.Parts {
		out[i] = (p.Exposed + p.Hidden) / float64(p.Count)
	}
	return out
}

// Fabric is a network by what a communication takes on it.
type Fabric interface {
	// Collective is the time of one of the collectives of c, all its groups at once, in seconds, and the
	// algorithm with which it is reached.
	Collective(c Communication) (seconds float64, algorithm string, err error)
}

// Time is a step's time on a system with its ideal network.
func (t *Training) Time(s System) (*StepTime, error) { return t.TimeOn(s, s) }

// least is no more than a step takes on a system, whatever the network: without the latency of messages, with what ranks send at the rate of all their links together, and of that only what
// nothing hides.
func (t *Training) least(s System) float64 {
	layer := t.passes(s)
	one := layer.matrices + layer.elements
	bytes := 0.0
	t.communicate(func(c Communication) {
		if c.When == Exposed {
			bytes += c.Wire()
		}
	})
	rate := s.Link[1].BytesPerS
	switch {
	case s.Domain > 1 && s.Mesh:
		rate += float64(s.Domain-1) * s.Link[0].BytesPerS
	case s.Domain > 1:
		rate += s.Link[0].BytesPerS
	}
	return float64(t.Microbatches())*one + layer.others*one/float64(t.Interleave) + t.optimiser(s) + bytes/rate
}

// TimeOn is a step's time on a system with the network f instead of its own. The batch runs through a pipeline whose busiest stage sets the pace:
// microbatches times its time, and the time of the other stages once, a chunk of theirs with interleaving
// (Narayanan et al., section 2.2).
func (t *Training) TimeOn(s System, f Fabric) (*StepTime, error) {
	if err := errors.Join(t.Check(0), s.Check()); err != nil {
		return nil, err
	}
	return t.TimeWithin(s, f, math.Inf(1))
}

// TimeWithin is TimeOn of what was checked already, nil if a step takes more than so many seconds: what is left to add when that is seen is at least 0.
func (t *Training) TimeWithin(s System, f Fabric, most float64) (*StepTime, error) {
	m := float64(t.Microbatches())
	layer := t.passes(s)
	out := &StepTime{Matrices: m * layer.matrices, Elements: m * layer.elements}
	perMicro, exposed := layer.matrices+layer.elements, 0.0
	room := layer.room(m)
	for _, c := range t.Communications() {
		one, name, err := f.Collective(c)
		if err != nil {
			return nil, err
		}
		p := Part{Communication: c, Algorithm: name}
		p.Hidden = min(one*float64(c.Count), room[c.When])
		p.Exposed = one*float64(c.Count) - p.Hidden
		room[c.When] -= p.Hidden
		out.Parts = append(out.Parts, p)
		exposed += p.Exposed
		if c.Parallelism == "tp" || c.Parallelism == "cp" || c.Parallelism == "ep" {
			perMicro += p.Exposed / m
		}
		if c.Parallelism == "pp" && c.Kind == collective.Exchange {
			out.Bubble += 2 * float64(t.PP-1) * one // the first microbatch on its way down, the last on its way up
		}
		if out.Matrices+out.Elements+exposed+out.Bubble+layer.others*perMicro/float64(t.Interleave) > most {
			return nil, nil
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
