package workload

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"toposearch/internal/unit"
)

// ErrMemory is that of a training step that fits into no accelerator.
var ErrMemory = errors.New("does not fit the memory")

// Fits says whether the memory of an accelerator holds a step, and by how much it misses.
func (t *Training) Fits(s System) error {
	need := t.Memory()
	if over := need.Total() - s.Memory; over > 0 {
		return fmt.Errorf("%w: %s with %s needs %s (weights %s, gradients %s, optimiser %s, activations %s), %s more than the %s of an accelerator%s",
			ErrMemory, t.Model.Name, t.Parallelism, bytes(need.Total()), bytes(need.Weights), bytes(need.Gradients), bytes(need.Optimiser), bytes(need.Activations),
			bytes(over), bytes(s.Memory), t.filledUp())
	}
	return nil
}

// filledUp says that chunks are filled up, "" if they are not.
func (t *Training) filledUp() string {
	n, layers := t.chunks(), t.Model.Layers
	if layers%n == 0 || t.endsAsLayers() {
		return ""
	}
	return fmt.Sprintf("; %d chunks of %d layers are filled up, as pp x interleave = %d divides neither the %d layers nor %d, with the embedding and the output matrix for one each",
		n, (layers+n-1)/n, n, layers, layers+2)
}

func bytes(x float64) string { return unit.KindBytes.Format(x) }

// MostMicroBatch bounds the sequences of a microbatch that Best tries: activations grow with it, and matrix
// products are large enough long before.
const MostMicroBatch = 8

// Best is the parallelism with the shortest step on exactly that many accelerators that fits their memory;
// of equal ones the first in the order of tp, cp, pp, ep, microbatch, interleave, ZeRO and recomputation. Numbers of
// wish that are not 0 are kept; SP and ScatterGather are on where tp is more than 1; FusedAttention is the
// wish's. ZeRO is 1 to 3 unless wish.ZeRO is not 0: stage 0 sends as much as 1, but for switches that add, and needs more memory.
func Best(m *Transformer, sequence, batch, accelerators int, s System, wish Parallelism) (*Training, *StepTime, error) {
	if err := s.Check(); err != nil {
		return nil, nil, err
	}
	list, err := fitting(m, sequence, batch, accelerators, s, wish).shortest(m, accelerators, s, s.always, 1)
	if err != nil {
		return nil, nil, err
	}
	x := &list[0].Training
	step, err := x.TimeWithin(s, s, math.Inf(1))
	return x, step, err
}

// Choice is a division of a step, and what the step takes where nothing blocks, in seconds, and each of its communications.
type Choice struct {
	Training
	Seconds float64
	Each    []float64
}

// always is the system as the network of any division.
func (s System) always(*Training) Fabric { return s }

// divisions are what Best takes the best of: those that fit the memory; of those that do not, the one that needs least, and the first fault of what does not divide.
type divisions struct {
	fit   []candidate
	least *Training
	fault error
}

// shortest are at most so many of them, each on a network, at least one; or why there is none.
func (d *divisions) shortest(m *Transformer, accelerators int, s System, on func(*Training) Fabric, most int) ([]*Choice, error) {
	list, err := shortestOf(d.fit, s, on, most)
	switch {
	case err != nil || len(list) > 0:
		return list, err
	case d.least != nil:
		return nil, fmt.Errorf("no parallelism on %d accelerators fits; the least: %w; take more accelerators, more memory, or a smaller model or sequence",
			accelerators, d.least.Fits(s))
	case d.fault != nil:
		return nil, fmt.Errorf("no parallelism divides %s evenly on %d accelerators; the first that was tried: %w", m.Name, accelerators, d.fault)
	default:
		return nil, fmt.Errorf("no product tp x cp x pp x dp with the given numbers is %d accelerators", accelerators)
	}
}

// rounded is by how much a bound of a step's time may be above the time, both some ten sums of some 1e-16 each: where only links take time they are the same.
const rounded = 1 + 1e-9

// candidate is a division that fits, its place in the order of Best, and the least that its step takes.
type candidate struct {
	*Training
	place int
	least float64
}

// fitting are the divisions of a step on exactly that many accelerators.
func fitting(m *Transformer, sequence, batch, accelerators int, s System, wish Parallelism) (d *divisions) {
	d = &divisions{}
	smallest := 0.0
	each(m, sequence, batch, accelerators, wish, func(t *Training) {
		if d.fault != nil && t.Batch%(t.DP*t.MicroBatch) != 0 {
			return // one more whose words are not needed
		}
		if err := t.Check(accelerators); err != nil {
			if d.fault == nil {
				d.fault = err
			}
			return
		}
		need := t.Memory().Total()
		switch {
		case need <= s.Memory:
			d.fit = append(d.fit, candidate{t, len(d.fit), t.least(s)})
		case d.least == nil || need < smallest:
			d.least, smallest = t, need
		}
	})
	return d
}

// shortestOf are at most so many with the shortest steps, each on a network, the shortest first, of equal ones as they are placed. Those that could be shortest are timed first, so that most are not timed at all.
func shortestOf(fit []candidate, s System, on func(*Training) Fabric, most int) ([]*Choice, error) {
	slices.SortFunc(fit, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.least, b.least), cmp.Compare(a.place, b.place))
	})
	type ranked struct {
		*Choice
		place int
	}
	var best []ranked
	for _, c := range fit {
		enough := math.Inf(1)
		if len(best) == most {
			enough = best[most-1].Seconds * rounded
		}
		if c.least > enough {
			break
		}
		x, err := c.TimeWithin(s, on(c.Training), enough)
		if err != nil {
			return nil, err
		}
		if x == nil {
			continue
		}
		one := ranked{&Choice{*c.Training, x.Total, x.each()}, c.place}
		at, _ := slices.BinarySearchFunc(best, one, func(a, b ranked) int {
			return cmp.Or(cmp.Compare(a.Seconds, b.Seconds), cmp.Compare(a.place, b.place))
		})
		best = slices.Insert(best, at, one)
		best = best[:min(len(best), most)]
	}
	var out []*Choice
	for _, r := range best {
		out = append(out, r.Choice)
	}
	return out, nil
}

// each calls f for all that may divide a step over exactly n ranks.
func each(m *Transformer, sequence, batch, n int, wish Parallelism, f func(*Training)) {
	for _, tp := range choices(n, m.Heads, m.Heads, wish.TP) {
		for _, cp := range choices(n/tp, sequence, sequence, wish.CP) {
			for _, pp := range choices(n/tp/cp, 0, m.Layers, wish.PP) {
				dp := n / tp / cp / pp
				if wish.DP != 0 && wish.DP != dp {
					continue
				}
				for _, ep := range experts(m, cp*dp, wish.EP) {
					p := wish
					p.TP, p.CP, p.PP, p.DP, p.EP = tp, cp, pp, dp, ep
					p.SP, p.ScatterGather = tp > 1, tp > 1
					eachSchedule(Training{Model: m, Sequence: sequence, Batch: batch, Parallelism: p}, wish, f)
				}
			}
		}
	}
}

// eachSchedule goes through microbatches, interleaving, ZeRO and recomputation.
func eachSchedule(t Training, wish Parallelism, f func(*Training)) {
	stages, amounts := []int{1, 2, 3}, []Recompute{NoRecompute, Selective, Full}
	if wish.ZeRO != 0 {
		stages = []int{wish.ZeRO}
	}
	if t.FusedAttention {
		amounts = []Recompute{NoRecompute, Full} // selective is what fusing does
	}
	if t.Batch%t.DP != 0 {
		t.MicroBatch, t.Interleave = 1, 1
		f(&t) // whose check says so
		return
	}
	layers := (t.Model.Layers + t.PP - 1) / t.PP
	if t.PP == 1 {
		layers = 1
	}
	for _, micro := range choices(t.Batch/t.DP, 0, MostMicroBatch, wish.MicroBatch) {
		for _, v := range choices(layers, 0, layers, wish.Interleave) {
			for _, z := range stages {
				for _, r := range amounts {
					x := t
					x.MicroBatch, x.Interleave, x.ZeRO, x.Recompute = micro, v, z, r
					if wish.Interleave == 0 && v > 1 && x.Microbatches()%x.PP != 0 {
						continue
					}
					f(&x)
				}
			}
		}
	}
}

// experts are the degrees of expert parallelism among n ranks.
func experts(m *Transformer, n, wish int) []int {
	switch {
	case wish != 0:
		return []int{wish}
	case m.Experts == nil:
		return []int{1}
	default:
		return choices(n, m.Experts.Routed, m.Experts.Routed, 0)
	}
}

// choices are the divisors of n that are at most most and divide m, too (0: of n alone); or what is
// wished, if it divides n.
func choices(n, m, most, wish int) (out []int) {
	if wish != 0 {
		if n%wish == 0 {
			out = append(out, wish)
		}
		return out
	}
	for d := 1; d <= min(n, most); d++ {
		if n%d == 0 && m%d == 0 {
			out = append(out, d)
		}
	}
	return out
}
