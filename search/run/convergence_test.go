package run

import (
	"math"
	"strings"
	"testing"

	"toposearch/objectives"
	"toposearch/search"
	"toposearch/study"
)

// TestConvergence: by hand, of a front of two points in two objectives whose first moment had one of them, and of a run against its journal.
func TestConvergence(t *testing.T) {
	all := []Grown{{Evaluated: 10, Size: 1, vectors: []objectives.Vector{{0, 4}}}, {Evaluated: 20, Size: 2, vectors: []objectives.Vector{{0, 4}, {2, 0}}}}
	ms := momentsOf(all, 2)
	// Scaled, (0, 1) of (0, 1) and (1, 0), measured from (1.1, 1.1): 0.11 of 0.21; the other is missed by 1 in the second objective alone.
	if len(ms) != 2 || math.Abs(ms[0].Hypervolume-0.11/0.21) > 1e-12 || ms[0].IGDPlus != 0.5 || ms[0].Epsilon != 1 {
		t.Errorf("%+v", ms)
	}
	if last := ms[len(ms)-1]; last.Hypervolume != 1 || last.IGDPlus != 0 || last.Epsilon != 0 {
		t.Errorf("the last front beside itself: %+v", last)
	}
	var many Grown
	for i := range 1100 {
		many.vectors = append(many.vectors, objectives.Vector{float64(i), float64(-i)})
	}
	if ms := momentsOf([]Grown{all[0], many}, 2); ms != nil {
		t.Errorf("%d moments beside a front that is too large to be compared with itself", len(ms))
	}
	var g gains
	var front search.Archive
	for i, v := range all[1].vectors {
		front.Add(search.Member{Candidate: search.Candidate{V: []int{i}}, Vector: v, Name: string(rune('a' + i))})
		g.look(int64(10*(i+1)), &front, 2)
	}
	ref := objectives.Reference(all[1].vectors)
	if want := 1 - objectives.Hypervolume(all[0].vectors, ref)/objectives.Hypervolume(all[1].vectors, ref); g.in != 10 || math.Abs(g.gain-want) > 1e-12 || !(want > 0) {
		t.Errorf("gained %g in %d, want %g", g.gain, g.in, want)
	}
}

// The space is wide enough for a front that grows more than once.
func TestConvergenceOfARun(t *testing.T) {
	if testing.Short() {
		t.Skip("a run")
	}
	st, faults := study.LoadFrom("study.toml", func(string) ([]byte, error) {
		wide := strings.NewReplacer("max = 72", "max = 600", `"fattree"`, `"fattree", "torus", "dragonfly", "multirail"`).Replace(watched) + "[[objective]]\nmetric = \"uniform_throughput\"\n"
		return []byte(wide + "[search]\nstrategy = \"nsga2\"\nbudget = { evaluations = 600 }\n"), nil
	})
	if st == nil {
		t.Fatal(faults.Err())
	}
	st.Verify.Finalists = 0
	d := create(t, st)
	out, err := Run(t.Context(), st, d, search.Options{})
	if err != nil {
		t.Fatal(err)
	}
	ms, err := Convergence(d.Path)
	if err != nil || len(ms) < 3 || ms[len(ms)-1].Evaluated != out.Front.Counts.Evaluated {
		t.Fatalf("%d moments, %v", len(ms), err)
	}
	for i := 1; i < len(ms); i++ {
		if ms[i].Hypervolume < ms[i-1].Hypervolume-1e-9 || ms[i].IGDPlus > ms[i-1].IGDPlus+1e-9 {
			t.Errorf("a front fell behind that before it: %+v, %+v", ms[i-1], ms[i])
		}
	}
	if last := ms[len(ms)-1]; last.Hypervolume != 1 || last.Epsilon != 0 {
		t.Errorf("the last: %+v", last)
	}
}
