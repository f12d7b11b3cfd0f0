package main

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"toposearch/simcore"
	"toposearch/simcore/flit"
)

// readShare reads "1%", "1 %" or "0.01".
func readShare(text string) (float64, error) {
	t, percent := strings.CutSuffix(strings.TrimSpace(text), "%")
	x, err := strconv.ParseFloat(strings.TrimSpace(t), 64)
	if percent {
		x /= 100
	}
	return x, err
}

// parseShare reads a part above 0 and below 1.
func parseShare(flag, text string) (float64, error) {
	x, err := readShare(text)
	if err != nil || !(x > 0 && x < 1) {
		return 0, usagef("--%s %q: write a part above 0 and below 1, such as 1%% or 0.01", flag, text)
	}
	return x, nil
}

// steady sets what decides when a measurement begins and ends.
func (f *simFlags) steady(cfg *flit.Config) error {
	var faults [4]error
	if f.warmup == "auto" {
		cfg.WarmupRule = simcore.WarmupMSER5
	} else if n, err := strconv.Atoi(f.warmup); err != nil {
		faults[0] = usagef("--warmup %q: write a number of cycles (%s: of ns), or auto", f.warmup, modelCut)
	} else {
		cfg.Warmup = n
	}
	if f.precision != "" {
		cfg.Precision, faults[1] = parseShare("precision", f.precision)
		cfg.MaxMeasure = f.maxCycles
	} else if f.maxCycles != 0 {
		faults[2] = usagef("--max-cycles bounds a run with --precision; without it --cycles is the length")
	}
	cfg.SatTolerance, faults[3] = parseShare("tolerance", f.tolerance)
	return joinUsage(faults[:]...)
}

// runLoads simulates every load, as many at a time as there are workers, and each on several
// cores if there are more of those; the answer does not depend on their number. Points that were
// not reached have no cycles.
func (a *app) runLoads(ctx context.Context, sim *flit.Sim, loads []float64) ([]simPoint, error) {
	workers := a.cores()
	points := make([]simPoint, len(loads))
	prog := a.newSimProgress(sim.Config(), loads)
	defer prog.end()
	sims := make([]*flit.Sim, min(workers, len(loads)))
	for w := range sims { // before any runs: a clone reads what a run changes
		s, err := sim, error(nil)
		if w > 0 {
			s, err = sim.Clone()
		}
		if err != nil {
			return nil, err
		}
		sims[w] = s
	}
	var g errgroup.Group
	for w, s := range sims {
		g.Go(func() error {
			s.Split(workers / len(loads))
			for i := w; i < len(loads); i += workers {
				s.OnProgress(func(now simcore.Cycle) { prog.at(i, now) })
				begun := a.now()
				p, err := s.Run(ctx, loads[i])
				points[i] = simPoint{p, a.now().Sub(begun).Seconds()}
				if err != nil {
					return err
				}
				prog.done(i)
			}
			return nil
		})
	}
	err := g.Wait()
	return points, err
}

// runSaturation searches for the saturation load; interrupted, it gives the bracket so far.
func (a *app) runSaturation(ctx context.Context, sim *flit.Sim) (*simcore.Saturation, error) {
	prog := a.newSimProgress(sim.Config(), nil)
	prog.what = "saturation"
	defer prog.end()
	sim.OnProgress(func(now simcore.Cycle) { prog.at(-1, now) })
	sim.Split(a.cores())
	s, err := sim.Saturation(ctx)
	if len(s.Points) == 0 {
		return nil, err
	}
	return &s, err
}

// simProgress tells where simulations stand: on a terminal one line, at most five times a second;
// elsewhere a log line a minute.
type simProgress struct {
	mu     sync.Mutex
	p      *progress // nil: quiet
	work   []float64 // of each load, in arbitrary units
	share  []float64 // done of it
	ready  int
	what   string  // of a search, whose end is not known
	cycles float64 // expected of one load
}

// idleShare is what a cycle without any traffic costs, in units of a cycle at load 1: time is
// about proportional to traffic.
const idleShare = 0.05

func (a *app) newSimProgress(c flit.Config, loads []float64) *simProgress {
	x := &simProgress{work: make([]float64, len(loads)), share: make([]float64, len(loads)), cycles: float64(c.Warmup + c.Measure)}
	for i, l := range loads {
		x.work[i] = idleShare + l
	}
	if !a.quiet {
		x.p = newProgress(a.err, a.now)
	}
	return x
}

// at notes that load i has reached a cycle; i < 0: of a search, whose end is not known.
func (x *simProgress) at(i int, now simcore.Cycle) {
	if x.p == nil {
		return
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if i >= 0 {
		// A run that goes on beyond what was expected is half done, then three quarters, ...
		f := float64(now) / x.cycles
		if f > 0.9 {
			f = 1 - 0.1*math.Pow(0.5, f-0.9)
		}
		x.share[i] = f
	}
	x.show(i, now)
}

func (x *simProgress) done(i int) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.share[i] = 1
	x.ready++
}

func (x *simProgress) end() {
	if x.p != nil {
		x.p.clear()
	}
}

func (x *simProgress) show(i int, now simcore.Cycle) {
	p := x.p
	t := p.now()
	every := logEvery
	if p.tty {
		every = ttyEvery
	}
	if t.Sub(p.last) < every {
		return
	}
	p.last = t
	if i < 0 {
		if p.tty {
			fmt.Fprintf(p.w, "\r\x1b[K%s: cycle %d, %v so far", x.what, int64(now), t.Sub(p.started).Round(time.Second))
		} else {
			p.log.Info(x.what, "cycle", int64(now), "elapsed", t.Sub(p.started).Round(time.Second))
		}
		return
	}
	done, all := 0.0, 0.0
	for k, w := range x.work {
		done += w * x.share[k]
		all += w
	}
	f := done / all
	left := "?"
	if f > 0.01 {
		left = time.Duration(float64(t.Sub(p.started)) * (1 - f) / f).Round(time.Second).String()
	}
	if p.tty {
		fmt.Fprintf(p.w, "\r\x1b[Ksimulate %3.0f%%  %d of %d loads done  %s left", 100*f, x.ready, len(x.work), left)
	} else {
		p.log.Info("simulate", "done", fmt.Sprintf("%.1f%%", 100*f), "loads", fmt.Sprintf("%d/%d", x.ready, len(x.work)), "left", left)
	}
}
