package search

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"toposearch/evaluator/metric"
	"toposearch/objectives"
)

// entries makes records of the size that real ones have: some 40 metrics, a third with bounds.
func entries(n int) []*entry {
	rng := rand.New(rand.NewPCG(1, 2))
	es := make([]*entry, n)
	for i := range es {
		e := &entry{design: fmt.Sprintf("dragonflyplus(l=%d,m=%d,p=%d,h=%d,g=%d)", i%97, i%89, i%83, i%79, i)}
		for k := range e.values {
			e.values[k], e.lo[k], e.hi[k] = math.NaN(), math.NaN(), math.NaN()
			if k >= 40 {
				continue
			}
			x := float64(rng.IntN(1 << 20))
			if k%3 == 0 {
				x = rng.Float64() * 1e7
			}
			e.values[k], e.lo[k], e.hi[k] = x, x, x
			if k%9 == 0 {
				e.lo[k], e.hi[k] = 0.9*x, math.Inf(1)
			}
		}
		es[i] = e
	}
	return es
}

// What is written is read back bit by bit, rejections, infinities and odd names included.
func TestEntryRoundTrip(t *testing.T) {
	es := entries(50)
	es[0].reject = metric.Reject{Constraint: "cable.reach", Got: 120.5, Bound: 50}
	es[1].design = "file:a \"b\"\\ü\n"
	es[2].values[3], es[2].lo[3], es[2].hi[3] = math.Copysign(0, -1), math.Inf(-1), 1e300
	for _, e := range es {
		line := appendEntry(nil, "0123456789abcdef", e)
		var got entry
		key, err := parseEntry(line[:len(line)-1], &got)
		if err != nil || key != "0123456789abcdef" {
			t.Fatalf("%s: key %q, %v", line, key, err)
		}
		if fmt.Sprint(got) != fmt.Sprint(*e) {
			t.Errorf("read %v, wrote %v", got, *e)
		}
	}
}

// No text panics the reader of journal lines, and what it accepts it writes again the same way.
func FuzzParseEntry(f *testing.F) {
	for _, e := range entries(3) {
		f.Add(string(appendEntry(nil, "k", e)))
	}
	f.Add(`{"k":"","d":"x","r":["y",1,"inf"],"m":{"cost":[1,null,2e5]}}`)
	f.Add(`{"k":"a","d":"\u12"`)
	f.Fuzz(func(t *testing.T, line string) {
		var e, again entry
		key, err := parseEntry([]byte(line), &e)
		if err != nil {
			return
		}
		b := appendEntry(nil, key, &e)
		key2, err := parseEntry(b[:len(b)-1], &again)
		if err != nil || key2 != key || fmt.Sprint(e) != fmt.Sprint(again) {
			t.Errorf("%q is read as %v and written as %s: %v", line, e, b, err)
		}
	})
}

func BenchmarkJournalAppend(b *testing.B) {
	es := entries(1000)
	j, err := openJournal(filepath.Join(b.TempDir(), "journal.jsonl"), journalHead{Schema: JournalSchema})
	if err != nil {
		b.Fatal(err)
	}
	defer j.close()
	b.ResetTimer()
	for range (b.N + len(es) - 1) / len(es) {
		if err := j.Write(es); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "records/s")
}

func BenchmarkJournalReopen(b *testing.B) {
	path := filepath.Join(b.TempDir(), "journal.jsonl")
	head := journalHead{Schema: JournalSchema}
	j, err := openJournal(path, head)
	if err != nil {
		b.Fatal(err)
	}
	es := entries(1000)
	for i := 0; i < b.N; i += len(es) {
		if err := j.Write(es); err != nil {
			b.Fatal(err)
		}
	}
	j.close()
	b.ResetTimer()
	if j, err = openJournal(path, head); err != nil {
		b.Fatal(err)
	}
	defer j.close()
	var e entry
	for i := range b.N {
		if ok, err := j.Next(es[i%len(es)].design, &e); !ok || err != nil {
			b.Fatal(i, err)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "records/s")
}

// Enumerating the real families by closed forms, the evaluations apart: tuples decided, and
// boxes and tuples looked at, per second on one core.
func BenchmarkTree(b *testing.B) {
	for _, name := range []string{"zettafly3", "dragonflyplus", "fullmesh", "multirail", "hyperx"} {
		b.Run(name, func(b *testing.B) {
			st := pods(b, name)
			st.MinEndpoints, st.MaxEndpoints = 1024, 1152
			p := realModel(b, st)
			w := newWalker(p)
			w.counting = true
			root, _ := p.root(0)
			stack := []node{root}
			for w.visits < int64(b.N) {
				if stack = w.run(stack, int64(b.N)-w.visits, 1); len(stack) == 0 {
					stack = []node{root}
				}
			}
			decided := 0.0
			for _, n := range w.tally[0].tuples(p.spaces[0]) {
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
		st := pods(b, name)
		st.MinEndpoints, st.MaxEndpoints = 1024, 1152
		p := realModel(b, st)
		s, ok := p.sample(0, 0)
		if !ok {
			b.Fatalf("%s: no sample", name)
		}
		b.Run("design="+p.name(s.Candidate), func(b *testing.B) {
			b.ReportAllocs()
			w := newWalker(p)
			for b.Loop() {
				if why := w.judge(p.spaces[0], s.V); why != "" {
					b.Fatal(why)
				}
			}
		})
	}
}

// Judging a tuple or a box allocates nothing.
func TestTreeDoesNotAllocate(t *testing.T) {
	p := realModel(t, pods(t, "zcube", "fullmesh", "zettafly3"))
	for i, sp := range p.spaces {
		w := newWalker(p)
		s, ok := p.sample(i, 0)
		if !ok {
			t.Fatalf("%s: no sample", sp.fam.Name)
		}
		w.front.add(member{Candidate: s.Candidate, v: make(objectives.Vector, len(p.objectives))})
		root, _ := p.root(i)
		w.judge(sp, s.V) // the first look may fill what a family keeps
		w.cut(sp, &root)
		if n := testing.AllocsPerRun(100, func() { w.judge(sp, s.V); w.cut(sp, &root) }); n != 0 {
			t.Errorf("%s: %g allocations a tuple and box", sp.fam.Name, n)
		}
	}
}

// A space that costs more than it may is left to evolution, and the run says that it is not
// complete; the same with any number of workers.
func TestAttempt(t *testing.T) {
	var runs []string
	for _, workers := range []int{1, 8} {
		st := small(t, 500, 600)
		p := problem(t, st, &sizeModel{})
		d := newDriver(p, nil, Options{Workers: workers})
		complete := make([]bool, len(p.spaces))
		all := func() []bool { return []bool{true, true, true, true, true} }
		limits := []float64{0, 1, 0, 1, 0}
		if stop, err := d.stage(context.Background(), stage{"enumerate", all(), limits}, complete); stop != "" || err != nil {
			t.Fatal(stop, err)
		}
		if fmt.Sprint(complete) != "[true false true false true]" {
			t.Errorf("complete %v", complete)
		}
		next := stage{"nsga2", all(), nil}
		if !next.undone(complete) {
			t.Fatal("nothing left to evolve")
		}
		before := d.perFam[1].Evaluated + d.perFam[3].Evaluated
		if stop, err := d.stage(context.Background(), next, complete); stop != "" || err != nil {
			t.Fatal(stop, err)
		}
		if d.perFam[1].Evaluated+d.perFam[3].Evaluated <= before {
			t.Error("evolution evaluated nothing of the families left to it")
		}
		var names string
		for _, m := range d.front.ordered() {
			names += m.name + " "
		}
		runs = append(runs, fmt.Sprint(names, d.prog.Evaluated))
	}
	if runs[0] != runs[1] {
		t.Errorf("1 worker: %s\n8 workers: %s", runs[0], runs[1])
	}
}
