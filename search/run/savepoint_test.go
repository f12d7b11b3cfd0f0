package run

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"toposearch/evaluator/metric"
	"toposearch/internal/disk"
	"toposearch/internal/racing"
	"toposearch/search"
	"toposearch/search/searchtest"
	"toposearch/study"
)

// often has savepoints written wherever they can be.
func often(t *testing.T) {
	share := savepointShare
	savepointShare = 0
	t.Cleanup(func() { savepointShare = share })
}

// ticking is a clock by which everything takes a while.
func ticking() func() time.Duration {
	now := time.Duration(0)
	return func() time.Duration { now += time.Millisecond; return now }
}

// interrupted runs a problem so that each call is stopped after some batches, and gives what is left at the end, with the number of calls that went on
// from a savepoint.
func interrupted(t *testing.T, p *search.Problem, dir *RunDir, batches int, between func(call int)) (journal, front string, went int) {
	for call := 0; ; call++ {
		n, first := 0, true
		opt := search.Options{Workers: 1 + call%3, Shown: ticking(), Savepoints: 1, Tell: func(text string) { t.Errorf("call %d: %s", call, text) }}
		begun := false // searching, behind what is replayed
		opt.Progress = func(pr search.Progress) {
			if first && pr.Phase == search.PhaseSearch && pr.Stage != "" {
				first = false
				if pr.Evaluated > 0 || pr.Decided > 0 || pr.Visited > 0 {
					went++
				}
			}
			begun = true
		}
		opt.Stop = func() bool {
			if begun {
				n++
			}
			return n > batches*(1+call*call/4) // a round that is not saved begins again
		}
		out, journal, front := runIn(t, p, dir, opt)
		if out.Front.Stopped != search.StopInterrupted {
			return journal, front, went
		}
		if call > 10_000 {
			t.Fatal("it never ends")
		}
		if between != nil {
			between(call)
		}
	}
}

// A run that is stopped again and again goes on from its savepoints, and leaves the bytes of one that nobody disturbed: by every strategy, also by
// one behind another.
func TestSavepoints(t *testing.T) {
	often(t)
	strategies := append([]string{study.Auto}, tested...)
	// Workers share the batches of a search and the loading of what it left whatever the strategy and however often it is stopped: the race detector
	// sees an enumeration, alone and abandoned for NSGA-II, stopped a few times.
	for _, s := range strategies[:racing.Of(len(strategies), 2)] {
		st := searchtest.Small(t, 100, 20_000, searchtest.LimitOn(metric.Radix, true, 60))
		st.Search.Strategy = s
		switch s {
		case study.Auto: // enumerations are abandoned
			st.Search.Time = 80 * time.Millisecond
			st.Search.Evaluations = 300
		case study.Enumerate:
			st = searchtest.Small(t, 10, int64(racing.Of(200_000, 20_000)))
		default:
			st.Search.Evaluations = 300
		}
		p := searchtest.ProblemOf(t, st, &searchtest.SizeModel{})
		out, journal, front := runIn(t, p, create(t, st), search.Options{Workers: 2, Shown: ticking(), Savepoints: 1})
		dir := create(t, st)
		path := filepath.Join(dir.Path, savepointName)
		var old []byte
		j, f, went := interrupted(t, p, dir, racing.Of(3, 12), func(call int) {
			switch call % 4 {
			case 1:
				old, _ = os.ReadFile(path)
			case 3: // as if the process had been killed later than the last savepoint
				if old != nil {
					searchtest.Must(t, os.WriteFile(path, old, 0o644))
				}
			}
		})
		if j != journal || f != front {
			t.Errorf("%s: journal equal %v, front equal %v", s, j == journal, f == front)
		}
		if went == 0 {
			t.Errorf("%s: no call went on from a savepoint", s)
		}
		t.Logf("%s: %s, %d went on, %d designs", s, out.Front.Strategy, went, strings.Count(journal, "\n"))
		if _, err := os.Stat(path); !os.IsNotExist(err) {
			t.Errorf("%s: a run that has ended keeps its savepoint: %v", s, err)
		}
	}
}

// A savepoint that is not as it was written, or that another study or program wrote, is not used, which is told, and costs nothing but time.
func TestForeignSavepoint(t *testing.T) {
	often(t)
	stopped := func(seed uint64) (*RunDir, *search.Problem) {
		st := studyOf(t, study.Random)
		st.Seed = seed
		p, dir := searchtest.ProblemOf(t, st, &searchtest.SizeModel{}), create(t, st)
		asked := 0
		out, _, _ := runIn(t, p, dir, search.Options{Shown: ticking(), Savepoints: 1, Stop: func() bool { asked++; return asked > 4 }})
		if out.Front.Stopped != search.StopInterrupted {
			t.Fatal("it was not stopped")
		}
		return dir, p
	}
	st := studyOf(t, study.Random)
	_, journal, front := runIn(t, searchtest.ProblemOf(t, st, &searchtest.SizeModel{}), create(t, st), search.Options{})
	for name, harm := range map[string]func(b []byte) []byte{
		"of another study": func([]byte) []byte {
			dir, _ := stopped(8)
			return []byte(read(t, filepath.Join(dir.Path, savepointName)))
		},
		"changed": func(b []byte) []byte { b[len(b)/2] ^= 1; return b },
		"cut":     func(b []byte) []byte { return b[:len(b)/2] },
		"empty":   func([]byte) []byte { return nil },
	} {
		dir, p := stopped(7)
		path := filepath.Join(dir.Path, savepointName)
		searchtest.Must(t, os.WriteFile(path, harm([]byte(read(t, path))), 0o644))
		var told []string
		_, j, f := runIn(t, p, dir, search.Options{Shown: ticking(), Savepoints: 1, Tell: func(text string) { told = append(told, text) }})
		if j != journal || f != front {
			t.Errorf("%s: journal equal %v, front equal %v", name, j == journal, f == front)
		}
		if len(told) != 1 || !strings.Contains(told[0], savepointName+" cannot be used") {
			t.Errorf("%s: told %q", name, told)
		}
	}
	// One whose journal has lost its end.
	dir, p := stopped(7)
	path := filepath.Join(dir.Path, journalName)
	lines := strings.SplitAfter(read(t, path), "\n")
	searchtest.Must(t, os.WriteFile(path, []byte(strings.Join(lines[:len(lines)/2], "")), 0o644))
	if _, j, f := runIn(t, p, dir, search.Options{Shown: ticking(), Savepoints: 1}); j != journal || f != front {
		t.Errorf("a journal without its end: journal equal %v, front equal %v", j == journal, f == front)
	}
}

// noSavepoint is a file system on which no savepoint can be put in its place.
type noSavepoint struct{ disk.System }

func (noSavepoint) Rename(from, to string) error {
	if filepath.Base(to) == savepointName {
		return &os.PathError{Op: "rename", Path: to, Err: syscall.ENOSPC}
	}
	return os.Rename(from, to)
}

// Where no savepoint can be written the run goes on, and says so once.
func TestNoSavepoint(t *testing.T) {
	often(t)
	st := studyOf(t, study.Random)
	p := searchtest.ProblemOf(t, st, &searchtest.SizeModel{})
	_, journal, front := runIn(t, p, create(t, st), search.Options{})
	dir := create(t, st)
	defer disk.Replace(noSavepoint{disk.OperatingSystem()})()
	var told []string
	_, j, f := runIn(t, p, dir, search.Options{Shown: ticking(), Savepoints: 1, Tell: func(text string) { told = append(told, text) }})
	if j != journal || f != front || len(told) != 1 || !strings.Contains(told[0], "no space left") {
		t.Errorf("journal equal %v, front equal %v, told %q", j == journal, f == front, told)
	}
}
