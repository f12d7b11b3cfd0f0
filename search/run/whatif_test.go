package run

import (
	"context"
	"errors"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"toposearch/catalog"
	"toposearch/constraints"
	"toposearch/evaluator"
	"toposearch/evaluator/metric"
	"toposearch/search"
	"toposearch/search/searchtest"
	"toposearch/study"
)

// whatIfLoad is the example of README.md without simulations, and a text behind it.
func whatIfLoad(t *testing.T, behind string) *study.Study {
	t.Helper()
	st, faults := study.LoadFrom("../../docs/example/study.toml", func(name string) ([]byte, error) {
		b, err := os.ReadFile(name)
		if strings.HasSuffix(name, "study.toml") {
			b = append([]byte(strings.Replace(string(b), "finalists = 3", "finalists = 0", 1)), behind...)
		}
		return b, err
	})
	searchtest.Must(t, faults.Err())
	return st
}

func runStudy(t *testing.T, st *study.Study) (*RunDir, *search.Front) {
	t.Helper()
	m, err := evaluator.New(st.Options)
	searchtest.Must(t, err)
	dir := create(t, st)
	out, _, _ := runIn(t, searchtest.ProblemOf(t, st, m), dir, search.Options{})
	return dir, out.Front
}

// One run is asked all.
func TestWhatIf(t *testing.T) {
	dir, front := runStudy(t, whatIfLoad(t, ""))
	t.Run("fresh", func(t *testing.T) { testFresh(t, dir, front) })
	t.Run("bounded", func(t *testing.T) { testBounded(t, dir) })
	t.Run("written", func(t *testing.T) { testWritten(t, dir) })
	t.Run("curves", func(t *testing.T) { testCurves(t, dir) })
}

// What a changed study finds, by the journal of the run before the change, is what a fresh run of it finds: the same designs with the same
// values to the last bit, whether a limit is tighter, looser or lifted, changes what is bought, or prices move.
func testFresh(t *testing.T, dir *RunDir, before *search.Front) {
	if len(before.Front) < 5 {
		t.Fatalf("%d designs on the front", len(before.Front))
	}
	moved := 0
	for i, c := range []struct {
		behind string
		anew   bool // designs are evaluated that the journal does not answer whole
	}{
		{"[what_if.limits]\nbuilding.power = \"710 kW\"\n", false},
		{"[what_if.limits]\nlimits.uniform_throughput = \"none\"\nbuilding.power = \"none\"\nbuilding.racks = \"none\"\n", true},
		{"[what_if.limits]\nswitch.ports = 48\n", true},
		{"[what_if.prices]\ntransceiver = \"-60 %\"\nD400-2 = \"+900 %\"\n[what_if.limits]\nprocurement.cost = \"1 MEUR\"\n", true},
	} {
		if testing.Short() && i%2 == 0 {
			continue
		}
		_, want := runStudy(t, whatIfLoad(t, c.behind))
		got, err := AskWhatIf(context.Background(), dir.Path, c.behind, nil, Effort{1 << 20, 1 << 30, false}, 2)
		searchtest.Must(t, err)
		if !got.Complete || !want.Complete {
			t.Fatalf("%s: complete %v, the run %v", c.behind, got.Complete, want.Complete)
		}
		points, _, _ := got.Points()
		same := len(got.Front) == len(want.Front) && points == want.Points()
		for _, k := range got.Front {
			r := want.Find(k.Design)
			same = same && r != nil && maps.Equal(r.Objectives, k.Objectives)
		}
		if !same {
			t.Errorf("%s: %+v, a fresh run has %d", c.behind, got.Front, len(want.Front))
		}
		for _, g := range got.Gone {
			if want.Find(g.Design) != nil || before.Find(g.Design) == nil || g.Why == "" || len(g.Misses) == 0 && want.Find(g.DominatedBy) == nil {
				t.Errorf("%s: %+v is said to go", c.behind, g)
			}
			moved++
		}
		for _, k := range got.Front {
			if old := before.Find(k.Design); (old == nil) != (k.Before == nil) || old == nil && k.Why == "" {
				t.Errorf("%s: %+v", c.behind, k)
			}
		}
		if n := got.Evaluated + got.Repriced; !c.anew && got.Answered == 0 && len(got.Front) > 0 || c.anew != (n > 0) && c.anew {
			t.Errorf("%s: %d answered, %d evaluated", c.behind, got.Answered, n)
		}
		t.Logf("%q: %d on the front, %d gone, %d answered, %d evaluated", c.behind, len(got.Front), len(got.Gone), got.Answered, got.Evaluated+got.Repriced)
	}
	if moved < 8 && !testing.Short() {
		t.Errorf("only %d designs went: nothing is compared", moved)
	}
}

// An answer that its effort does not complete says so, and what it states as the best of what is open encloses what a fresh run finds.
func testBounded(t *testing.T, dir *RunDir) {
	behind := "[what_if.limits]\nlimits.uniform_throughput = \"none\"\nbuilding.racks = \"none\"\n"
	_, want := runStudy(t, whatIfLoad(t, behind))
	open := false
	for _, most := range []Effort{{0, 1, false}, {2, 1 << 30, false}} {
		got, err := AskWhatIf(context.Background(), dir.Path, behind, nil, most, 1)
		searchtest.Must(t, err)
		open = open || !got.Complete
		if got.Complete {
			continue
		}
		if got.Open == 0 || got.Evaluated > most.Evaluations {
			t.Errorf("%+v: %d open, %d evaluated", most, got.Open, got.Evaluated)
		}
		if len(got.Cut) == 0 {
			t.Errorf("nothing that the run rejected for the limits is told: %v", got.Cut)
		}
		for _, key := range []string{"cost", "latency"} {
			truth, known := math.Inf(1), got.Least[key]
			for _, r := range want.Front {
				truth = min(truth, r.Objectives[key])
			}
			for _, k := range got.Front {
				known = min(known, k.Objectives[key])
			}
			if known > truth {
				t.Errorf("%+v: the least %s is said to be %v at best, a fresh run has %v", most, key, known, truth)
			}
		}
	}
	if !open {
		t.Error("every answer was complete")
	}
}

// A changed study that is written gives the study that was asked about; a change that cannot be read is told with its place, and a folder is
// not written over.
func testWritten(t *testing.T, dir *RunDir) {
	out := filepath.Join(t.TempDir(), "changed")
	behind := "[what_if.limits]\nbuilding.power = \"12 kW\"\n"
	path, err := WriteWhatIf(dir.Path, behind, out)
	searchtest.Must(t, err)
	st, faults := study.Load(path)
	searchtest.Must(t, faults.Err())
	if !slices.ContainsFunc(st.Constraints.Settings, func(o constraints.Origin) bool { return o.Name == "cable.reach" }) {
		t.Error("the constraint file is not beside it")
	}
	a, err := newJournalHead(st)
	searchtest.Must(t, err)
	b, err := newJournalHead(whatIfLoad(t, behind))
	searchtest.Must(t, err)
	if a != b {
		t.Error("another study was written")
	}
	// What was written can be asked again, as often as one likes: the last change stands, and prices change from what they are.
	written, err := os.ReadFile(path)
	searchtest.Must(t, err)
	again := study.Changed(study.Changed(written, "\n[what_if.limits]\nbuilding.power = \"9 kW\"\n[what_if.prices]\nswitch = \"-50 %\"\n"), "[what_if.prices]\nswitch = \"-50 %\"\n")
	searchtest.Must(t, os.WriteFile(path, again, 0o666))
	twice, faults := study.Load(path)
	searchtest.Must(t, faults.Err())
	if i := slices.IndexFunc(twice.Constraints.Limits, func(l constraints.Limit) bool { return l.Key == metric.BuildingPower }); twice.Constraints.Limits[i].Bound != 9e3 {
		t.Errorf("building power is limited to %g W", twice.Constraints.Limits[i].Bound)
	}
	quarter := 0
	for i := range st.Catalogue.Parts {
		if was, is := st.Catalogue.Parts[i], twice.Catalogue.Parts[i]; was.Kind == catalog.KindSwitch && was.Priced {
			if quarter++; max(was.UnitPrice-4*is.UnitPrice, 4*is.UnitPrice-was.UnitPrice) > 4 { // halves are rounded to cents
				t.Errorf("%s: %d, halved twice %d", was.PartNo, was.UnitPrice, is.UnitPrice)
			}
		}
	}
	if quarter == 0 {
		t.Error("no switch has a price")
	}
	if _, err := WriteWhatIf(dir.Path, behind, out); !errors.Is(err, ErrExists) {
		t.Errorf("%v", err)
	}
	if _, err := WriteWhatIf(dir.Path, "[what_if.limits]\nbuilding.powr = 1\n", out+"2"); !errors.Is(err, ErrChange) || !strings.Contains(err.Error(), "powr") {
		t.Errorf("%v", err)
	}
	if _, err := os.Stat(out + "2"); err == nil {
		t.Error("a folder was made for what cannot be read")
	}
}
