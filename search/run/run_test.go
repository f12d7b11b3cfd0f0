package run

import (
	"bytes"
	"context"
	"errors"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"toposearch/constraints"
	"toposearch/evaluator"
	"toposearch/evaluator/metric"
	"toposearch/internal/racing"
	"toposearch/search"
	"toposearch/search/branch"
	"toposearch/search/searchtest"
	"toposearch/study"
)

// strategies under test; an evaluation budget ends those that have no end of their own.
func studyOf(t testing.TB, strategy string) *study.Study {
	st := searchtest.Small(t, 250, 300, searchtest.LimitOn(metric.Power, true, 40_000), searchtest.LimitOn(metric.Radix, true, 60))
	st.Search.Strategy = strategy
	if strategy != study.Enumerate {
		st.Search.Evaluations = 100
	}
	return st
}

var tested = []string{study.Enumerate, study.NSGA2, study.Local, study.Random}

// One worker and eight leave the same bytes, and the front accounts for every tuple.
func TestWorkersDoNotMatter(t *testing.T) {
	for _, s := range tested {
		st := studyOf(t, s)
		p := searchtest.ProblemOf(t, st, &searchtest.SizeModel{})
		_, j1, f1 := runIn(t, p, create(t, st), search.Options{Workers: 1})
		_, j8, f8 := runIn(t, p, create(t, st), search.Options{Workers: 8})
		if j1 != j8 {
			t.Errorf("%s: journals of 1 and 8 workers differ", s)
		}
		if f1 != f8 {
			t.Errorf("%s: fronts of 1 and 8 workers differ:\n%s\n%s", s, f1, f8)
		}
		if !strings.Contains(f1, `"design"`) {
			t.Errorf("%s: empty front", s)
		}
	}
}

// A journal cut at any line end, or inside any line, is continued to the same bytes.
func TestResumeAtEveryCut(t *testing.T) {
	for _, s := range tested {
		st := studyOf(t, s)
		p := searchtest.ProblemOf(t, st, &searchtest.SizeModel{})
		_, journal, front := runIn(t, p, create(t, st), search.Options{Workers: 2})
		var cuts []int
		for i, line := 0, 0; i < len(journal); line++ {
			n := strings.IndexByte(journal[i:], '\n') + 1
			cuts = append(cuts, i, i+n/2)
			i += n
		}
		step := 11 // odd: line ends and middles in turn
		if testing.Short() || s != study.Enumerate {
			step = 151
		}
		d := create(t, st)
		for i := 0; i < len(cuts); i += step {
			searchtest.Must(t, os.WriteFile(filepath.Join(d.Path, "journal.jsonl"), []byte(journal[:cuts[i]]), 0o644))
			os.Remove(filepath.Join(d.Path, "checkpoint.json"))
			os.Remove(filepath.Join(d.Path, "front.json"))
			_, j, f := runIn(t, p, d, search.Options{Workers: 1 + i%3})
			if j != journal || f != front {
				t.Fatalf("%s: cut after %d of %d bytes: journal equal %v, front equal %v", s, cuts[i], len(journal), j == journal, f == front)
			}
		}
	}
}

// childEnv makes the test binary play the process that is killed.
const childEnv = "TOPOSEARCH_TEST_RUN"

// TestChildRun is that process: it runs slowly in the directory it is given.
func TestChildRun(t *testing.T) {
	path := os.Getenv(childEnv)
	if path == "" {
		t.Skip("only as a child of TestKilled")
	}
	d, err := Open(path)
	searchtest.Must(t, err)
	defer d.Close()
	p := searchtest.ProblemOf(t, studyOf(t, study.Enumerate), &searchtest.SizeModel{Hook: func(int64) { time.Sleep(2 * time.Millisecond) }})
	_, err = run(context.Background(), p, d, search.Options{Workers: 2})
	searchtest.Must(t, err)
}

// A process killed with SIGKILL while it works, again and again, leaves what resumes to the same
// bytes as a run that nobody disturbed.
func TestKilled(t *testing.T) {
	st := studyOf(t, study.Enumerate)
	p := searchtest.ProblemOf(t, st, &searchtest.SizeModel{})
	_, journal, front := runIn(t, p, create(t, st), search.Options{})
	d := create(t, st)
	searchtest.Must(t, d.Close())
	killed := 0
	for i := range 4 {
		cmd := exec.Command(os.Args[0], "-test.run=^TestChildRun$")
		cmd.Env = append(os.Environ(), childEnv+"="+d.Path)
		searchtest.Must(t, cmd.Start())
		time.Sleep(time.Duration(60+50*i) * time.Millisecond)
		_ = cmd.Process.Kill()
		if cmd.Wait() != nil {
			killed++
		}
		if b, err := os.ReadFile(filepath.Join(d.Path, "journal.jsonl")); err == nil && !strings.HasPrefix(journal, string(b[:bytes.LastIndexByte(b, '\n')+1])) {
			t.Fatalf("the journal after kill %d is not the beginning of an undisturbed one", i)
		}
	}
	if killed == 0 {
		t.Error("no child was killed before it had finished")
	}
	d, err := Open(d.Path) // the lock went with the process
	searchtest.Must(t, err)
	defer d.Close()
	_, j, f := runIn(t, p, d, search.Options{Workers: 8})
	if j != journal || f != front {
		t.Errorf("after kills: journal equal %v, front equal %v", j == journal, f == front)
	}
}

// Stop ends between batches, resumably; cancelling loses nothing journalled.
func TestStopAndCancel(t *testing.T) {
	st := studyOf(t, study.Enumerate)
	p := searchtest.ProblemOf(t, st, &searchtest.SizeModel{})
	_, journal, front := runIn(t, p, create(t, st), search.Options{})

	d := create(t, st)
	n := 0
	out, j, _ := runIn(t, p, d, search.Options{Stop: func() bool { n++; return n > 2 }})
	if out.Status != search.Interrupted || j == journal || !strings.HasPrefix(journal, j) {
		t.Errorf("stopped: status %d, journal %d of %d bytes", out.Status, len(j), len(journal))
	}
	if out.Front.Complete || out.Front.Stopped != search.StopInterrupted {
		t.Errorf("a stopped run says complete = %v, stopped = %q", out.Front.Complete, out.Front.Stopped)
	}
	if s, err := ReadStatus(d.Path); err != nil || s.Progress.Fraction >= 1 {
		t.Errorf("a stopped run is %g done (%v)", s.Progress.Fraction, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	pc := searchtest.ProblemOf(t, st, &searchtest.SizeModel{Hook: func(n int64) {
		if n == 5 {
			cancel()
		}
	}})
	if _, err := run(ctx, pc, d, search.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	_, j, f := runIn(t, p, d, search.Options{})
	if j != journal || f != front {
		t.Errorf("after stop and cancel: journal equal %v, front equal %v", j == journal, f == front)
	}
	m := &searchtest.SizeModel{}
	out, _, _ = runIn(t, searchtest.ProblemOf(t, st, m), d, search.Options{})
	if out.Status != search.Done || m.Evaluations.Load() != 0 {
		t.Errorf("a finished run: status %d after %d evaluations", out.Status, m.Evaluations.Load())
	}
}

// The run directory: locked while open, refused when inputs or version differ, numbered.
func TestRunDir(t *testing.T) {
	st := studyOf(t, study.Enumerate)
	root := t.TempDir()
	for _, want := range []string{"small-one-001", "small-one-002"} {
		d, err := Create(st, root, "", Origin{})
		searchtest.Must(t, err)
		if filepath.Base(d.Path) != want {
			t.Errorf("made %s, want %s", d.Path, want)
		}
		if _, err := Open(d.Path); !errors.Is(err, ErrInUse) {
			t.Errorf("opened a directory in use: %v", err)
		}
		if s, err := ReadStatus(d.Path); err != nil || s.State != StateRunning {
			t.Errorf("status of a run in use: %v, %v", s, err)
		}
		searchtest.Must(t, d.Close())
	}
	path := filepath.Join(root, "small-one-001")
	if s, err := ReadStatus(path); err != nil || s.State != StateStopped {
		t.Errorf("status of a run not in use: %v, %v", s, err)
	}
	if _, err := Create(st, root, path, Origin{}); !errors.Is(err, ErrExists) {
		t.Errorf("made a run over another: %v", err)
	}
	left, _ := filepath.Glob(filepath.Join(root, ".new-run-*"))
	if len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	searchtest.Must(t, os.WriteFile(filepath.Join(path, "inputs", "study.toml"), []byte("changed"), 0o644))
	if _, err := Open(path); !errors.Is(err, search.ErrInputsChanged) {
		t.Errorf("opened a run with changed inputs: %v", err)
	}
}

// A journal of other inputs or of another version is refused by name and left as it is.
func TestForeignJournal(t *testing.T) {
	st := studyOf(t, study.Enumerate)
	p := searchtest.ProblemOf(t, st, &searchtest.SizeModel{})
	_, journal, _ := runIn(t, p, create(t, st), search.Options{})
	for _, c := range []struct {
		name, text string
		want       error
	}{
		{"version", strings.Replace(journal, `"evaluator":"`+evaluator.Version, `"evaluator":"0`, 1), ErrVersion},
		{"options", strings.Replace(journal, `"options":"`, `"options":"f`, 1), search.ErrInputsChanged},
		{"design", strings.Replace(journal, `"d":"`, `"d":"x`, 1), search.ErrInputsChanged},
		{"garbage", strings.Replace(journal, `"m":{`, `"m":[`, 1), search.ErrLine},
		{"longer", journal + strings.SplitAfter(journal, "\n")[1], search.ErrInputsChanged},
		{"former form", strings.Replace(searchtest.Bare(journal), JournalSchema, "toposearch.journal/1", 1), ErrVersion},
		{"later form", strings.Replace(journal, JournalSchema, "toposearch.journal/3", 1), ErrVersion},
	} {
		d := create(t, st)
		file := filepath.Join(d.Path, "journal.jsonl")
		if c.name != "former form" { // its lines had no checksums
			c.text = searchtest.Resealed(c.text)
		}
		searchtest.Must(t, os.WriteFile(file, []byte(c.text), 0o644))
		_, err := run(context.Background(), p, d, search.Options{})
		if !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
		if got := read(t, file); got != c.text {
			t.Errorf("%s: the journal was changed", c.name)
		}
	}
}

// A folder that cannot be written and a disk without room are named, and the journal stays whole.
func TestDiskTrouble(t *testing.T) {
	st := studyOf(t, study.Enumerate)
	p := searchtest.ProblemOf(t, st, &searchtest.SizeModel{})
	_, text, _ := runIn(t, p, create(t, st), search.Options{})
	head, err := newJournalHead(st)
	searchtest.Must(t, err)
	if _, err := openJournal("/dev/full", head); !errors.Is(err, ErrJournal) {
		t.Errorf("a full disk: %v", err)
	}
	path := filepath.Join(t.TempDir(), "journal.jsonl")
	searchtest.Must(t, os.WriteFile(path, []byte(text), 0o444))
	f, err := os.Open(path) // read-only, as a folder that turned read-only leaves it
	searchtest.Must(t, err)
	j := &journal{f: f, path: path, size: int64(len(text))}
	if err := j.append([]byte("x\n"), 0); !errors.Is(err, ErrJournal) {
		t.Errorf("append to a read-only file: %v", err)
	}
	if read(t, path) != text {
		t.Error("the journal was changed")
	}
}

// A changed limit filters what an earlier run has journalled instead of computing it again.
func TestReuse(t *testing.T) {
	st := studyOf(t, study.Enumerate)
	d := create(t, st)
	_, before, _ := runIn(t, searchtest.ProblemOf(t, st, &searchtest.SizeModel{}), d, search.Options{})
	changed := searchtest.Small(t, 250, 300, searchtest.LimitOn(metric.Power, true, 35_000), searchtest.LimitOn(metric.Radix, true, 60))
	m := &searchtest.SizeModel{}
	_, j, f := runIn(t, searchtest.ProblemOf(t, changed, m), create(t, changed), search.Options{Reuse: []string{d.Path}})
	m2 := &searchtest.SizeModel{}
	out, j2, f2 := runIn(t, searchtest.ProblemOf(t, changed, m2), create(t, changed), search.Options{})
	if j != j2 || f != f2 {
		t.Error("reuse changes the result")
	}
	// What stands in both journals is not computed again.
	known, both, again := journalled(before), int64(0), int64(0)
	for name := range journalled(j2) {
		if known[name] {
			both++
			if out.Front.Find(name) != nil {
				again++ // for its metrics
			}
		}
	}
	if both < 20 || len(out.Front.Front) == 0 {
		t.Fatalf("%d designs in both runs test little", both)
	}
	if got, want := m.Evaluations.Load(), m2.Evaluations.Load()-both+again; got != want {
		t.Errorf("%d evaluations with reuse, %d without, of which %d were journalled, %d on the front: want %d", got, m2.Evaluations.Load(), both, again, want)
	}
}

// journalled gives the designs of a journal.
func journalled(text string) map[string]bool {
	names := map[string]bool{}
	for line := range strings.Lines(text) {
		if _, rest, ok := strings.Cut(line, `,"d":"`); ok {
			name, _, _ := strings.Cut(rest, `"`)
			names[name] = true
		}
	}
	return names
}

// Without a feasible design the run says which change of one limit admits one, and it does.
func TestNoFeasible(t *testing.T) {
	racing.Figures(t)
	st := searchtest.Small(t, 250, 300, searchtest.LimitOn(metric.Power, true, 40_000), searchtest.LimitOn(metric.Radix, true, 60), searchtest.LimitOn(metric.Cost, true, 100))
	p := searchtest.ProblemOf(t, st, &searchtest.SizeModel{})
	out, _, _ := runIn(t, p, create(t, st), search.Options{})
	if out.Status != search.NoFeasible || len(out.Front.Closest) != len(st.Space) {
		t.Fatalf("status %d, %d families explained of %d", out.Status, len(out.Front.Closest), len(st.Space))
	}
	for _, c := range out.Front.Closest {
		want := nearestByHand(t, p, c.Family)
		if !c.Exhausted || want < c.Violation*(1-1e-12) {
			t.Errorf("%s: closest %s misses by %g (exhausted %v), by hand %g", c.Family, c.Design, c.Violation, c.Exhausted, want)
		}
		for _, r := range c.Relaxation {
			relaxed := searchtest.Only(searchtest.Small(t, 250, 300), c.Family)
			for _, l := range st.Constraints.Limits {
				if l.Name == r.Constraint {
					l.Bound = r.Needed
				}
				relaxed.Constraints.Limits = append(relaxed.Constraints.Limits, l)
			}
			if r.Constraint == constraints.Window {
				relaxed.MinEndpoints = min(relaxed.MinEndpoints, int64(r.Needed))
				relaxed.MaxEndpoints = max(relaxed.MaxEndpoints, int64(r.Needed))
			}
			got, _ := enumerated(t, searchtest.ProblemOf(t, relaxed, &searchtest.SizeModel{}))
			if !slices.Contains(got, r.Design) {
				t.Errorf("%s: with %s = %g the front is %v, promised %s", c.Family, r.Constraint, r.Needed, got, r.Design)
			}
		}
	}
}

// nearestByHand is the plain twin: the smallest violation among all designs of a family.
func nearestByHand(t *testing.T, p *search.Problem, name string) float64 {
	t.Helper()
	best := math.Inf(1)
	for i, sp := range p.Spaces {
		if sp.Fam.Name != name {
			continue
		}
		searchtest.EachDesign(sp, func(canon []int) {
			s, err := branch.JudgeDesign(context.Background(), p, p.Design(i, canon))
			searchtest.Must(t, err)
			best = min(best, searchtest.Violation(s.Misses))
		})
	}
	return best
}
