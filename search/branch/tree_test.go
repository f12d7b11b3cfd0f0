package branch

import (
	"testing"
	"toposearch/objectives"
	"toposearch/search"
	"toposearch/search/searchtest"
)

// Enumerating the real families by closed forms, the evaluations apart: tuples decided, and
// boxes and tuples looked at, per second on one core.
func BenchmarkTree(b *testing.B) {
	for _, name := range []string{"zettafly3", "dragonflyplus", "fullmesh", "multirail", "hyperx"} {
		b.Run(name, func(b *testing.B) {
			st := searchtest.Pods(b, name)
			st.MinEndpoints, st.MaxEndpoints = 1024, 1152
			p := searchtest.RealModel(b, st)
			w := newTask(p)
			w.counting = true
			all, _ := root(p, 0)
			stack := []node{{box: all}}
			for w.visits < int64(b.N) {
				if stack = w.run(stack, int64(b.N)-w.visits, 1); len(stack) == 0 {
					stack = []node{{box: all}}
				}
			}
			decided := 0.0
			for _, n := range w.tally[0].Tuples(p.Spaces[0]) {
				x, _ := n.Float64()
				decided += x
			}
			b.ReportMetric(float64(w.visits)/b.Elapsed().Seconds(), "looks/s")
			b.ReportMetric(decided/b.Elapsed().Seconds(), "tuples/s")
		})
	}
}

// Size and limits of one tuple, with the intervals of level 0 of every metric between them: what
// enumeration pays for a tuple that only an evaluation can exclude.
func BenchmarkJudge(b *testing.B) {
	for _, name := range []string{"zcube", "zettafly3", "zettafly4", "dragonfly", "dragonflyplus", "fullmesh", "multirail", "hyperx", "fattree"} {
		st := searchtest.Pods(b, name)
		st.MinEndpoints, st.MaxEndpoints = 1024, 1152
		p := searchtest.RealModel(b, st)
		s, ok := Sample(p, 0, 0)
		if !ok {
			b.Fatalf("%s: no sample", name)
		}
		b.Run("design="+p.Name(s.Candidate), func(b *testing.B) {
			b.ReportAllocs()
			w := newTask(p)
			for b.Loop() {
				if why := w.judge(p.Spaces[0], s.V); why != "" {
					b.Fatal(why)
				}
			}
		})
	}
}

// Judging a tuple or a box allocates nothing.
func TestTreeDoesNotAllocate(t *testing.T) {
	p := searchtest.RealModel(t, searchtest.Pods(t, "zcube", "fullmesh", "zettafly3"))
	for i, sp := range p.Spaces {
		w := newTask(p)
		s, ok := Sample(p, i, 0)
		if !ok {
			t.Fatalf("%s: no sample", sp.Fam.Name)
		}
		w.front.Add(search.Member{Candidate: s.Candidate, Vector: make(objectives.Vector, len(p.Objectives))})
		all, _ := root(p, i)
		w.judge(sp, s.V) // the first time may fill what a family keeps
		w.cut(sp, &all)
		if n := testing.AllocsPerRun(100, func() { w.judge(sp, s.V); w.cut(sp, &all) }); n != 0 {
			t.Errorf("%s: %g allocations a tuple and box", sp.Fam.Name, n)
		}
	}
}
