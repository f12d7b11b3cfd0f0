package run

import (
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"toposearch/search"
	"toposearch/topology"
)

// ErrComplete tells that a larger budget would find nothing more.
var ErrComplete = errors.New("everything was searched: a larger budget finds nothing more")

// ErrBudget: what was asked for is no larger budget.
var ErrBudget = errors.New("not a larger budget")

// firstEvaluations is the least budget of a run that had none and ended by itself.
const firstEvaluations = 1000

// Extend gives the run in a directory a larger budget, to be continued by Resume: b in all, or twice what it had
// where b is zero. The search begins again, since how a budget is divided depends on its size, and is the one
// that a run begun with this budget makes, but that time used up stays used; what is in the journals of before (journal-1.jsonl and so on) is
// not evaluated again. ErrComplete if nothing is left to find. families are as in study.Load.
func Extend(path string, b Budget, families ...*topology.Family) (was, now Budget, err error) {
	dir, err := Open(path)
	if err != nil {
		return was, now, err
	}
	defer dir.Close()
	st, err := dir.Manifest.load(path, families)
	if err != nil {
		return was, now, err
	}
	cp, err := readCheckpoint(path)
	if err != nil {
		return was, now, err
	}
	if cp.State == StateFinished && cp.Complete && cp.Unsimulated == 0 {
		return was, now, fmt.Errorf("%s: %w", path, ErrComplete)
	}
	was = Budget{st.Search.Time, st.Search.Evaluations}
	if now, err = was.larger(b, cp); err != nil {
		return was, now, fmt.Errorf("%s: %w: %w", path, ErrBudget, err)
	}
	// After each step, resuming is possible and at worst ends where it ended before.
	cp.State, cp.Exit, cp.Reason, cp.Border, cp.TimeEnd = StateStopped, 0, "", 0, search.TimeEnd{}
	cp.SimulatedNs, cp.Unsimulated = 0, 0 // simulations that were made are not made again
	if err := cp.save(path); err != nil {
		return was, now, fmt.Errorf("cannot write the checkpoint: %w", err)
	}
	if _, err := setAside(path); err != nil {
		return was, now, err
	}
	dir.Manifest.Budget = &now
	return was, now, writeSigned(filepath.Join(path, manifestName), &dir.Manifest)
}

// larger is the budget b, or twice this one if b is zero; it must be more than a run has used.
func (was Budget) larger(b Budget, cp *checkpoint) (Budget, error) {
	used, elapsed := cp.Progress.Evaluated, time.Duration(cp.ElapsedNs)
	if b == (Budget{}) {
		b = Budget{2 * was.Time, 2 * was.Evaluations}
		if was.Time > 0 { // its last batch may have taken longer than all of it
			b.Time = max(b.Time, 2*elapsed)
		}
	}
	if b == (Budget{}) {
		b.Evaluations = max(2*used, firstEvaluations)
	}
	switch {
	case b.Evaluations > 0 && b.Evaluations <= used:
		return b, fmt.Errorf("%d evaluations are used; %d are not more", used, b.Evaluations)
	case b.Time > 0 && b.Time <= elapsed:
		return b, fmt.Errorf("%s are used; %s is not more", elapsed.Round(time.Second), b.Time)
	}
	return b, nil
}
