package run

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"toposearch/evaluator"
	"toposearch/search"
	"toposearch/study"
)

// watched is a study of seconds with simulations.
const watched = `name = "watched"
[endpoints]
count = { min = 60, max = 72 }
bandwidth = "100 Gb/s"
[space]
families = ["hyperx", "fattree"]
[[objective]]
metric = "cost"
[[objective]]
metric = "latency"
[verify]
finalists = 2
cycles = 200
loads = 1
`

// A run that is watched line by line ends with the front, the counts and the simulations that it wrote; what was read in one go is
// the same; and nothing is written by watching.
func TestWatch(t *testing.T) {
	file := filepath.Join(t.TempDir(), "study.toml")
	if err := os.WriteFile(file, []byte(watched), 0o644); err != nil {
		t.Fatal(err)
	}
	st, faults := study.Load(file)
	if err := faults.Err(); err != nil {
		t.Fatal(err)
	}
	dir := create(t, st)
	ev, err := evaluator.New(st.Options)
	if err != nil {
		t.Fatal(err)
	}
	p, err := search.NewProblem(st, ev)
	if err != nil {
		t.Fatal(err)
	}
	out, journal, _ := runIn(t, p, dir, search.Options{})
	var names []string
	for _, r := range out.Front.Front {
		names = append(names, r.Design)
	}

	path := filepath.Join(dir.Path, journalName)
	w, err := NewWatch(dir.Path)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(journal, "\n")
	sizes := 0
	for n := range lines { // the last without its end, as when it is being written
		text := strings.Join(lines[:n], "")
		if n < len(lines)-1 {
			text += lines[n][:len(lines[n])/2]
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Poll(); err != nil {
			t.Fatalf("after %d lines: %v", n, err)
		}
		f, err := w.Front()
		if err != nil {
			t.Fatal(err)
		}
		sizes = max(sizes, len(f.Front))
	}
	whole, err := NewWatch(dir.Path)
	if err != nil {
		t.Fatal(err)
	}
	if changed, err := whole.Poll(); !changed || err != nil {
		t.Fatal(changed, err)
	}
	for _, w := range []*Watch{w, whole} {
		f, err := w.Front()
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		sims := 0
		for i := range f.Front {
			r, want := &f.Front[i], &out.Front.Front[i]
			got = append(got, r.Design)
			for key, m := range r.Metrics {
				if x := want.Metrics[key]; x.Value != m.Value || x.Lo != m.Lo || x.Hi != m.Hi {
					t.Errorf("%s: %s is %v, front.json has %v", r.Design, key, m, x)
				}
			}
			if (r.Verified == nil) != (want.Verified == nil) {
				t.Errorf("%s: simulated %v, in front.json %v", r.Design, r.Verified != nil, want.Verified != nil)
			} else if r.Verified != nil {
				if sims++; r.Verified.Saturation["uniform"] != want.Verified.Saturation["uniform"] {
					t.Errorf("%s saturates at %v, in front.json at %v", r.Design, r.Verified.Saturation, want.Verified.Saturation)
				}
			}
		}
		if !slices.Equal(got, names) || sims == 0 || f.Counts.Evaluated != out.Front.Counts.Evaluated || f.Counts.Feasible != out.Front.Counts.Feasible {
			t.Errorf("watched: %v, %d simulated, %d evaluated, %d feasible; the run: %v, %d, %d", got, sims, f.Counts.Evaluated, f.Counts.Feasible, names, out.Front.Counts.Evaluated, out.Front.Counts.Feasible)
		}
		for i, c := range f.Counts.Families {
			if want := out.Front.Counts.Families[i]; c.Family != want.Family || c.Evaluated != want.Evaluated || c.Feasible != want.Feasible || c.OnFront != want.OnFront {
				t.Errorf("%+v, in front.json %+v", c, want)
			}
		}
		v := w.Hypervolumes()
		if len(v) == 0 || v[len(v)-1] != 1 || !slices.IsSorted(v) {
			t.Errorf("hypervolumes %v, want rising to 1", v)
		}
	}

	// A journal that was begun anew, and a line that is not as it was written.
	if err := os.WriteFile(path+".new", []byte(strings.Join(lines[:3], "")), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(path+".new", path); err != nil {
		t.Fatal(err)
	}
	if changed, err := w.Poll(); !changed || err != nil {
		t.Fatal(changed, err)
	}
	if f, _ := w.Front(); f.Counts.Evaluated > 2 {
		t.Errorf("begun anew it has %d designs, of two lines", f.Counts.Evaluated)
	}
	bad := strings.Replace(lines[3], `"d":"`, `"d":"x`, 1)
	if err := os.WriteFile(path, []byte(strings.Join(lines[:3], "")+bad), 0o644); err != nil {
		t.Fatal(err)
	}
	var damaged *Damaged
	if _, err := w.Poll(); !errors.As(err, &damaged) || !strings.Contains(err.Error(), "line 4") {
		t.Errorf("a changed line: %v", err)
	}
}
