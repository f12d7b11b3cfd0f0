package run

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"
	"toposearch/topology"
)

// Budget is what a search may use in all; 0 is no limit of that kind.
type Budget struct {
	Time        time.Duration `json:"time_ns,omitempty"`
	Evaluations int64         `json:"evaluations,omitempty"`
}

// String is the budget in words.
func (b Budget) String() string {
	n := fmt.Sprintf("%d evaluations", b.Evaluations)
	switch {
	case b.Time > 0 && b.Evaluations > 0:
		return fmt.Sprintf("%s or %s", b.Time, n)
	case b.Time > 0:
		return b.Time.String()
	case b.Evaluations > 0:
		return n
	}
	return "no limit"
}

// ErrComplete tells that a larger budget would find nothing more.
var ErrComplete = errors.New("everything was searched: a larger budget finds nothing more")

// ErrBudget: what was asked for is no larger budget.
var ErrBudget = errors.New("not a larger budget")

// firstEvaluations is the least budget of a run that had none and ended by itself.
const firstEvaluations = 1000

// Extend gives the run in a directory a larger budget, to be continued by Resume: b in all, or twice what it had
// where b is zero. The search begins again, since how a budget is divided depends on its size, and is the one
// that a run begun with this budget makes; what is in the journals of before (journal-1.jsonl and so on) is
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
	if cp.State == StateFinished && cp.Complete {
		return was, now, fmt.Errorf("%s: %w", path, ErrComplete)
	}
	was = Budget{st.Search.Time, st.Search.Evaluations}
	if now, err = was.larger(b, cp); err != nil {
		return was, now, fmt.Errorf("%s: %w: %w", path, ErrBudget, err)
	}
	// After each step, resuming is possible and at worst ends where it ended before.
	cp.State, cp.Exit, cp.Reason, cp.ElapsedNs = StateStopped, 0, "", 0
	if err := cp.save(path); err != nil {
		return was, now, fmt.Errorf("cannot write the checkpoint: %w", err)
	}
	if err := setAside(path); err != nil {
		return was, now, err
	}
	dir.Manifest.Budget = &now
	text, err := encodeJSON(&dir.Manifest)
	if err != nil {
		return was, now, err
	}
	return was, now, replaceFile(filepath.Join(path, "manifest.json"), text)
}

// larger is the budget b, or twice this one if b is zero; it must be more than a run has used.
func (was Budget) larger(b Budget, cp *checkpoint) (Budget, error) {
	used := cp.Progress.Evaluated
	if b == (Budget{}) {
		b = Budget{2 * was.Time, 2 * was.Evaluations}
	}
	if b == (Budget{}) {
		b.Evaluations = max(2*used, firstEvaluations)
	}
	switch {
	case b.Evaluations > 0 && b.Evaluations <= used:
		return b, fmt.Errorf("%d evaluations are used; %d are not more", used, b.Evaluations)
	case b.Time > 0 && b.Evaluations == 0 && b.Time <= time.Duration(cp.ElapsedNs):
		return b, fmt.Errorf("%s are used; %s is not more", time.Duration(cp.ElapsedNs).Round(time.Second), b.Time)
	}
	return b, nil
}

// setAside renames the journal of a run to the first free journal-N.jsonl.
func setAside(path string) error {
	for n := 1; ; n++ {
		to := filepath.Join(path, fmt.Sprintf("journal-%d.jsonl", n))
		if _, err := os.Lstat(to); err == nil {
			continue
		}
		err := os.Rename(filepath.Join(path, "journal.jsonl"), to)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return fmt.Errorf("%w: %w", ErrJournal, err)
		}
		syncDir(path)
		return nil
	}
}

// asides are the journals of a run that were set aside.
func asides(path string) []string {
	files, _ := filepath.Glob(filepath.Join(globQuoted(path), "journal-*.jsonl")) // the pattern is well-formed
	return files
}

// globQuoted keeps characters of a path from being read as a pattern.
func globQuoted(path string) string {
	var b []rune
	for _, r := range path {
		switch r {
		case '*', '?', '[', '\\':
			if os.PathSeparator == '/' {
				b = append(b, '\\')
			}
		}
		b = append(b, r)
	}
	return string(b)
}
