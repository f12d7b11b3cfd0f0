package verify

import (
	"context"
	"errors"

	"toposearch/internal/memory"
	"toposearch/search"
	"toposearch/simcore/flit"
)

const (
	// deeperBy times the 11 flits of the default are 20 credit round trips and more: bcube(n=5,l=3) by ugal_g, worst, accepts 0.72 of what is expected with 11 flits, 0.93 with 176 and 0.97 with 704.
	deeperBy = 16
	widerBy  = 4
	// triedTimes are windows, after a warm-up of half of one: what more buffers hold comes and goes more slowly. Three runs of as many
	// take less than the search for saturation and the curve did.
	triedTimes = 2
)

// try simulates other switches at the load that was expected where the simulation saturates before.
func (l *Result) try(ctx context.Context, p *search.Problem, sim Simulator) error {
	s, ok := sim.(*flit.Sim)
	if !ok || l.Deadlocked || l.Expected == 0 || l.upper() >= l.Expected*Near {
		return nil
	}
	study, problem := *p.Study, *p
	problem.Study = &study
	accepted := func(vcs, buffer int) (float64, error) {
		of := *l
		of.buffer, of.Cycles, of.Precision = buffer, triedTimes*l.Cycles, 0
		study.Verify.VCs, study.Verify.Cycles = vcs, of.Cycles
		sim, err := l.again(&problem, &of)
		if need := (*memory.Error)(nil); errors.As(err, &need) {
			return 0, nil
		}
		if err != nil {
			return 0, err
		}
		x, err := sim.Run(ctx, l.Expected)
		l.FlitHops += sim.Spent()
		return x.Accepted / l.Expected, err
	}
	has := s.Config().BufferFlits
	t := &Tried{Cycles: triedTimes * l.Cycles, Buffer: min(deeperBy*has, flit.MaxBuffer), VCs: min(widerBy*l.VCs, flit.MaxVCs)}
	var err error
	if t.AsIs, err = accepted(l.VCs, has); err != nil {
		return err
	}
	if t.Buffer > has {
		if t.Deeper, err = accepted(l.VCs, t.Buffer); err != nil {
			return err
		}
	}
	if t.VCs > l.VCs {
		if t.Wider, err = accepted(t.VCs, has); err != nil {
			return err
		}
	}
	l.Tried = t
	return nil
}
