package verify

import (
	"context"
	"errors"
	"fmt"

	"toposearch/internal/memory"
	"toposearch/search"
	"toposearch/simcore"
	"toposearch/simcore/flit"
	"toposearch/study"
)

// Tried is what is accepted, flit by flit, of the load that was expected to saturate: by the simulated switch, and by switches of which one thing differs. What makes it accept that load is what its
// simulation lacks, and so what the expectation leaves out.
type Tried struct {
	Cycles int     `json:"cycles,omitempty"` // it was measured for: what deeper buffers hold up may show later
	AsIs   float64 `json:"as_is"`
	Buffer int     `json:"buffer_flits"` // of a VC, far more than it has,
	Deeper float64 `json:"deeper"`       // with which so much is accepted; 0: not simulated
	VCs    int     `json:"vcs"`          // the same
	Wider  float64 `json:"wider"`
}

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

// helps says whether what was tried makes up half of what is missing of a load that is accepted.
func (t *Tried) helps(accepted float64) bool {
	return accepted-t.AsIs >= (simcore.SaturatedBelow-t.AsIs)/2
}

// text tells what was tried at a load.
func (t *Tried) text(load float64) string {
	text := fmt.Sprintf("of load %.3f it accepts %.1f %% as it is", load, 100*t.AsIs)
	if t.Deeper > 0 {
		text += fmt.Sprintf(", %.1f %% with buffers of %d flits", 100*t.Deeper, t.Buffer)
	}
	if t.Wider > 0 {
		text += fmt.Sprintf(", %.1f %% with %d VCs", 100*t.Wider, t.VCs)
	}
	if t.Cycles > 0 {
		text += fmt.Sprintf(", each over %d cycles", t.Cycles)
	}
	return text
}

// missingTried names what the expectation leaves out by what was tried; "" if nothing was, or none of it helps.
func (l *Result) missingTried() string {
	t := l.Tried
	switch {
	case t == nil:
		return ""
	case t.helps(t.Deeper) && t.Deeper >= t.Wider:
		return "is what buffers hold up that are full: " + t.text(l.Expected)
	case t.helps(t.Wider):
		return "is what packets hold up that wait in a VC before others: " + t.text(l.Expected)
	}
	return ""
}

// tried says what none of what was tried explains.
func (l *Result) tried() string {
	switch {
	case l.Tried != nil:
		return ", as neither buffers nor VCs make up half of it: " + l.Tried.text(l.Expected)
	case l.Model == study.CutThrough:
		return ", as buffers hold more than queues need"
	}
	return ""
}
