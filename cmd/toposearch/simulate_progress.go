package main

import (
	"fmt"
	"math"
	"sync"
	"time"

	"toposearch/simcore"
	"toposearch/simulate"
)

// simProgress prints how far simulations are: on a terminal one line, at most five times a second;
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

// newSimProgress is of loads that take a number of cycles each.
func (a *app) newSimProgress(cycles int, loads []float64) *simProgress {
	x := &simProgress{work: make([]float64, len(loads)), share: make([]float64, len(loads)), cycles: float64(cycles)}
	for i, l := range loads {
		x.work[i] = idleShare + l
	}
	if !a.quiet {
		x.p = newProgress(a.err, a.now)
	}
	return x
}

// newSearchProgress is of a search or a closed loop.
func (a *app) newSearchProgress(what string) *simProgress {
	x := a.newSimProgress(0, nil)
	x.what = what
	return x
}

// Load implements simulate.Progress.
func (x *simProgress) Load(i int, now simcore.Cycle) {
	x.mu.Lock()
	defer x.mu.Unlock()
	// A run that goes on beyond what was expected is half done, then three quarters, ...
	f := float64(now) / x.cycles
	if f > 0.9 {
		f = 1 - 0.1*math.Pow(0.5, f-0.9)
	}
	x.share[i] = f
	if x.due() {
		x.showLoads()
	}
}

// LoadDone implements simulate.Progress.
func (x *simProgress) LoadDone(i int) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.share[i] = 1
	x.ready++
}

// Cycle implements simulate.Progress.
func (x *simProgress) Cycle(now simcore.Cycle) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if !x.due() {
		return
	}
	p := x.p
	elapsed := p.last.Sub(p.started).Round(time.Second)
	if p.tty {
		fmt.Fprintf(p.w, "\r\x1b[K%s: cycle %d, %v so far", x.what, int64(now), elapsed)
	} else {
		p.log.Info(x.what, "cycle", int64(now), "elapsed", elapsed)
	}
}

// due says whether it is time to print again; never if the program is to be quiet.
func (x *simProgress) due() bool { return x.p != nil && x.p.due() }

func (x *simProgress) showLoads() {
	p := x.p
	done, all := 0.0, 0.0
	for k, w := range x.work {
		done += w * x.share[k]
		all += w
	}
	f := done / all
	left := "?"
	if f > 0.01 {
		left = time.Duration(float64(p.last.Sub(p.started)) * (1 - f) / f).Round(time.Second).String()
	}
	if p.tty {
		fmt.Fprintf(p.w, "\r\x1b[Ksimulate %3.0f%%  %d of %d loads done  %s left", 100*f, x.ready, len(x.work), left)
	} else {
		p.log.Info("simulate", "done", fmt.Sprintf("%.1f%%", 100*f), "loads", fmt.Sprintf("%d/%d", x.ready, len(x.work)), "left", left)
	}
}

// end ends the line on a terminal.
func (x *simProgress) end() {
	if x.p != nil {
		x.p.clear()
	}
}

// runner runs simulations on the cores that the command may use.
func (a *app) runner(p simulate.Progress) *simulate.Runner {
	return &simulate.Runner{Workers: a.cores(), Now: a.now, Progress: p}
}
