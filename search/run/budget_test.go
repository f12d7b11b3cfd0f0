package run

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"toposearch/internal/racing"
	"toposearch/search"
	"toposearch/search/searchtest"
	"toposearch/study"
)

// A time budget ends at a border that the journal remembers, so that a replay ends there too.
func TestTimeBudget(t *testing.T) {
	st := studyOf(t, study.Enumerate)
	st.Search.Time = 3 * time.Second
	p := searchtest.ProblemOf(t, st, &searchtest.SizeModel{})
	ticks := time.Duration(0)
	d := create(t, st)
	out, journal, front := runIn(t, p, d, search.Options{Elapsed: func() time.Duration { ticks += time.Second / 2; return ticks }})
	if out.Front.Complete || out.Front.Stopped != search.StopTime || !strings.Contains(journal, `"stop":"time"`) {
		t.Fatalf("complete %v, stopped %q", out.Front.Complete, out.Front.Stopped)
	}
	searchtest.Must(t, os.Remove(filepath.Join(d.Path, "checkpoint.json")))
	_, j, f := runIn(t, p, d, search.Options{Elapsed: func() time.Duration { return 0 }})
	if j != journal || f != front {
		t.Error("a replayed time budget ends elsewhere")
	}
}

// Where a budget of time has ended is known from the checkpoint when its line is lost, alone or with others.
func TestMendedTimeBudget(t *testing.T) {
	st := studyOf(t, study.Enumerate)
	st.Search.Time = 3 * time.Second
	p := searchtest.ProblemOf(t, st, &searchtest.SizeModel{})
	ticks := time.Duration(0)
	d := create(t, st)
	_, journal, front := runIn(t, p, d, search.Options{Elapsed: func() time.Duration { ticks += time.Second / 2; return ticks }})
	lines := strings.SplitAfter(journal, "\n")
	for name, text := range map[string]string{
		"the stop changed":      strings.Replace(journal, `"stop"`, `"stpo"`, 1),
		"the stop removed":      strings.Join(lines[:len(lines)-2], ""),
		"a design before it":    strings.Replace(journal, `"cost":`, `"cost":1`, 1),
		"all but the head gone": lines[0],
	} {
		searchtest.Must(t, os.WriteFile(filepath.Join(d.Path, journalName), []byte(text), 0o644))
		searchtest.Must(t, os.Remove(filepath.Join(d.Path, frontName)))
		_, j, f := runIn(t, p, d, search.Options{Elapsed: func() time.Duration { return time.Hour }})
		if j != journal || f != front {
			t.Errorf("%s: journal equal %v, front equal %v", name, j == journal, f == front)
		}
	}
}

// A budget of time ends for everybody who replays the journal at the border that its line names, also where nothing was
// evaluated between that and the borders before: there the counts of the front tell.
func TestTimeBudgetAtEveryBorder(t *testing.T) {
	racing.Figures(t)
	for _, strategy := range tested {
		st := studyOf(t, strategy)
		st.Search.Time = time.Hour
		p := searchtest.ProblemOf(t, st, &searchtest.SizeModel{})
		idle := 0 // borders with the same evaluations behind them as the one before
		last := int64(-1)
		for border := 1; border <= 12; border++ {
			d := create(t, st)
			asked := 0
			out, journal, front := runIn(t, p, d, search.Options{Elapsed: func() time.Duration {
				if asked++; asked >= border {
					return time.Hour
				}
				return 0
			}})
			if out.Front.Stopped != search.StopTime {
				break // it had ended before
			}
			if out.Front.Counts.Evaluated == last {
				idle++
			}
			last = out.Front.Counts.Evaluated
			searchtest.Must(t, errors.Join(os.Remove(filepath.Join(d.Path, checkpointName)), os.Remove(filepath.Join(d.Path, frontName))))
			_, j, f := runIn(t, p, d, search.Options{Elapsed: func() time.Duration { return 0 }})
			if j != journal || f != front {
				t.Errorf("%s, border %d: journal equal %v, front equal %v", strategy, border, j == journal, f == front)
			}
		}
		t.Logf("%s: %d borders without evaluations", strategy, idle)
	}
}

// A budget of time counts what was used before a kill.
func TestTimeUsedBeforeAKill(t *testing.T) {
	st := studyOf(t, study.NSGA2)
	st.Search.Time = 10 * time.Second
	p := searchtest.ProblemOf(t, st, &searchtest.SizeModel{})
	d := create(t, st)
	clock := time.Duration(0)
	ctx, cancel := context.WithCancel(context.Background())
	asked := 0
	_, err := run(ctx, p, d, search.Options{Elapsed: func() time.Duration {
		if asked++; asked == 4 {
			cancel() // at 8 s of 10
		}
		clock += 2 * time.Second
		return clock
	}})
	if !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	borders := 0
	out, _, _ := runIn(t, p, d, search.Options{Elapsed: func() time.Duration {
		if borders++; borders <= 4 { // replaying takes no time
			return 0
		}
		return 2 * time.Second
	}})
	if out.Front.Stopped != search.StopTime || borders != 6 { // once more before the proof
		t.Errorf("stopped %q after %d looks at the clock, want %q at the fifth", out.Front.Stopped, borders, search.StopTime)
	}
}

// Mending takes time, too, and does not end a budget where it had not ended: a finished run gets its bytes again, one
// that was killed comes as far as it had come.
func TestMendingIsNotTheBudget(t *testing.T) {
	racing.Figures(t)
	for _, strategy := range tested {
		st := studyOf(t, strategy)
		st.Search.Time = time.Hour
		p := searchtest.ProblemOf(t, st, &searchtest.SizeModel{})
		d := create(t, st)
		file := filepath.Join(d.Path, journalName)
		early := search.Options{Elapsed: func() time.Duration { return 0 }}
		late := search.Options{Elapsed: func() time.Duration { return 2 * time.Hour }}
		_, journal, front := runIn(t, p, d, early)
		damaged := strings.Replace(journal, `"cost":`, `"cost":1`, 1)
		searchtest.Must(t, os.WriteFile(file, []byte(damaged), 0o644))
		if _, j, f := runIn(t, p, d, late); j != journal || f != front {
			t.Errorf("%s, finished: journal equal %v, front equal %v", strategy, j == journal, f == front)
		}
		d = create(t, st)
		file = filepath.Join(d.Path, journalName)
		ctx, cancel := context.WithCancel(context.Background())
		killed := searchtest.ProblemOf(t, st, &searchtest.SizeModel{Hook: func(n int64) {
			if n == 40 {
				cancel()
			}
		}})
		if _, err := run(ctx, killed, d, early); !errors.Is(err, context.Canceled) {
			t.Fatal(strategy, err)
		}
		before := read(t, file)
		searchtest.Must(t, os.WriteFile(file, []byte(strings.Replace(before, `"cost":`, `"cost":1`, 1)), 0o644))
		if _, j, _ := runIn(t, p, d, late); !strings.HasPrefix(j, before) || !strings.Contains(j, `"stop":"time"`) {
			t.Errorf("%s, killed: %d of %d bytes are journalled again", strategy, len(j), len(before))
		}
	}
}

// A larger budget is more than the search has used, of time as of evaluations.
func TestLargerBudget(t *testing.T) {
	cp := &checkpoint{ElapsedNs: int64(4 * time.Second), Progress: search.Progress{Evaluated: 10}}
	for _, c := range []struct {
		was, asked, want Budget // want zero: refused
	}{
		{Budget{Time: 3 * time.Second}, Budget{}, Budget{Time: 8 * time.Second}},
		{Budget{Time: 5 * time.Second}, Budget{}, Budget{Time: 10 * time.Second}},
		{Budget{}, Budget{}, Budget{Evaluations: firstEvaluations}},
		{Budget{Evaluations: 10}, Budget{}, Budget{Evaluations: 20}},
		{Budget{}, Budget{Time: 4 * time.Second}, Budget{}},
		{Budget{}, Budget{Time: 4 * time.Second, Evaluations: 100}, Budget{}}, // its time is used up
		{Budget{}, Budget{Time: 5 * time.Second, Evaluations: 10}, Budget{}},
		{Budget{}, Budget{Time: 5 * time.Second, Evaluations: 11}, Budget{Time: 5 * time.Second, Evaluations: 11}},
	} {
		got, err := c.was.larger(c.asked, cp)
		if (err != nil) != (c.want == Budget{}) || err == nil && got != c.want {
			t.Errorf("%v of %v: %v (%v), want %v", c.asked, c.was, got, err, c.want)
		}
	}
}

// cutAfter is a model and options under which the budget of time ends, or with stop the user ends the run, within an
// evaluation: the one after some others.
func cutAfter(evaluations int64, stop bool) (*searchtest.SizeModel, search.Options) {
	ended := make(chan struct{})
	m := &searchtest.SizeModel{Hook: func(n int64) {
		if n == evaluations+1 {
			close(ended)
		}
	}}
	over := func() bool {
		select {
		case <-ended:
			return true
		default:
			return false
		}
	}
	opt := search.Options{Workers: 1, Elapsed: func() time.Duration {
		if over() && !stop {
			return time.Hour
		}
		return 0
	}, Within: func(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
		ctx, cancel := context.WithCancel(ctx)
		if !stop && d > time.Hour {
			panic("evaluations have more time than the budget")
		}
		if d <= 0 || over() {
			cancel()
		}
		m.Hook = func(n int64) {
			if n == evaluations+1 {
				close(ended)
				cancel()
			}
		}
		return ctx, cancel
	}}
	if stop {
		opt.Stop = over
	}
	return m, opt
}

// A budget of time that ends within an evaluation leaves the designs before it: a replay, with all its lines or after some were
// lost, and however long it takes, gives the same bytes.
func TestTimeBudgetInsideABatch(t *testing.T) {
	racing.Figures(t)
	for _, strategy := range tested {
		for _, after := range []int64{0, 1, 5, 33} {
			st := studyOf(t, strategy)
			st.Search.Time = time.Hour
			m, opt := cutAfter(after, false)
			d := create(t, st)
			out, journal, front := runIn(t, searchtest.ProblemOf(t, st, m), d, opt)
			if out.Front.Stopped == "" && strategy == study.Enumerate {
				continue // complete before
			}
			if out.Front.Stopped != search.StopTime || out.Front.Counts.Evaluated != after || !strings.Contains(journal, `{"stop":"time","inside":`) {
				t.Errorf("%s: stopped by %q after %d evaluations, want %d", strategy, out.Front.Stopped, out.Front.Counts.Evaluated, after)
			}
			slow := search.Options{Workers: 3, Elapsed: func() time.Duration { return 2 * time.Hour }}
			searchtest.Must(t, os.Remove(filepath.Join(d.Path, frontName)))
			lines := strings.SplitAfter(journal, "\n")
			for name, text := range map[string]string{
				"as it was": journal, "the last line changed": strings.Replace(journal, `"stop"`, `"stpo"`, 1), "all but the head gone": lines[0],
			} {
				searchtest.Must(t, os.WriteFile(filepath.Join(d.Path, journalName), []byte(text), 0o644))
				_, j, f := runIn(t, searchtest.ProblemOf(t, st, &searchtest.SizeModel{}), d, slow)
				if (j != journal || f != front) && !strings.Contains(journal, closestLine) {
					t.Errorf("%s after %d, %s: journal equal %v, front equal %v", strategy, after, name, j == journal, f == front)
				}
				searchtest.Must(t, os.Remove(filepath.Join(d.Path, frontName)))
			}
			searchtest.Must(t, errors.Join(os.WriteFile(filepath.Join(d.Path, journalName), []byte(journal), 0o644), os.Remove(filepath.Join(d.Path, checkpointName))))
			if _, j, f := runIn(t, searchtest.ProblemOf(t, st, &searchtest.SizeModel{}), d, slow); j != journal || f != front {
				t.Errorf("%s after %d, without a checkpoint: journal equal %v, front equal %v", strategy, after, j == journal, f == front)
			}
		}
	}
}

// What follows the search has a part of the budget of time: no evaluation and no simulation is given the rest of it, and what is kept is
// what the report of the front is modelled to take.
func TestFinishingIsPartOfTheBudget(t *testing.T) {
	st := studyOf(t, study.Enumerate)
	st.Search.Time = time.Hour
	p := searchtest.ProblemOf(t, st, &searchtest.SizeModel{})
	most := time.Duration(0)
	out, _, _ := runIn(t, p, create(t, st), search.Options{Elapsed: func() time.Duration { return 0 },
		Within: func(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
			most = max(most, d)
			return context.WithCancel(ctx)
		}})
	if least := finishing(p, len(out.Front.Front), 0); most > st.Search.Time-least || least < st.Search.Time/sameShare {
		t.Errorf("given %v of %v, where %v are kept", most, st.Search.Time, least)
	}
	of := func(front int, shown float64, budget time.Duration) time.Duration {
		st.Search.Time = budget
		return finishing(p, front, shown)
	}
	if a, b, c := of(10, 0.1, time.Hour), of(100, 0.1, time.Hour), of(100, 1, time.Hour); a >= b || b >= c {
		t.Errorf("kept %v for 10 designs, %v for 100, %v where these are large", a, b, c)
	}
	if x := of(1000, 60, time.Minute); x != 15*time.Second {
		t.Errorf("kept %v of a minute for a report of many minutes", x)
	}
}

// An evaluation that outlasts the budget does not take with it those behind it that were finished.
func TestSlowEvaluation(t *testing.T) {
	for _, strategy := range tested {
		st := studyOf(t, strategy)
		st.Search.Time = time.Hour
		var cancel context.CancelFunc
		first := make(chan struct{})
		m := &searchtest.SizeModel{Hook: func(n int64) {
			switch n {
			case 1: // until the time is up
				<-first
			case 12:
				cancel()
				close(first)
			}
		}}
		opt := search.Options{Workers: 2, Elapsed: func() time.Duration { return 0 }, Within: func(ctx context.Context, _ time.Duration) (context.Context, context.CancelFunc) {
			ctx, cancel = context.WithCancel(ctx)
			return ctx, cancel
		}}
		d := create(t, st)
		out, journal, front := runIn(t, searchtest.ProblemOf(t, st, m), d, opt)
		if n := out.Front.Counts.Evaluated; out.Front.Stopped != search.StopTime || n != 10 || len(out.Front.Front) == 0 {
			t.Errorf("%s: stopped by %q after %d evaluations with %d on the front, want 10", strategy, out.Front.Stopped, n, len(out.Front.Front))
		}
		lines := strings.SplitAfter(journal, "\n")
		for _, text := range []string{journal, lines[0] + lines[1], lines[0] + lines[1] + lines[2] + lines[3], lines[0]}[:racing.Of(4, 2)] {
			searchtest.Must(t, errors.Join(os.WriteFile(filepath.Join(d.Path, journalName), []byte(text), 0o644), os.Remove(filepath.Join(d.Path, frontName))))
			if _, j, f := runIn(t, searchtest.ProblemOf(t, st, &searchtest.SizeModel{}), d, search.Options{Workers: 3}); j != journal || f != front {
				t.Errorf("%s, from %d lines: journal equal %v, front equal %v", strategy, strings.Count(text, "\n"), j == journal, f == front)
			}
		}
	}
}

// A run that is to stop does not wait for the evaluation under way, shows what it has, and goes on as if it had not stopped.
func TestStopInsideABatch(t *testing.T) {
	for _, strategy := range tested {
		st := studyOf(t, strategy)
		_, journal, front := runIn(t, searchtest.ProblemOf(t, st, &searchtest.SizeModel{}), create(t, st), search.Options{})
		for _, after := range []int64{7, 0, 45}[:racing.Of(3, 1)] {
			m, opt := cutAfter(after, true)
			d := create(t, st)
			out, _, _ := runIn(t, searchtest.ProblemOf(t, st, m), d, opt)
			if out.Front.Stopped != search.StopInterrupted || out.Front.Counts.Evaluated != after {
				t.Errorf("%s: stopped by %q after %d evaluations, want %d", strategy, out.Front.Stopped, out.Front.Counts.Evaluated, after)
			}
			if _, j, f := runIn(t, searchtest.ProblemOf(t, st, &searchtest.SizeModel{}), d, search.Options{Workers: 2}); j != journal || f != front {
				t.Errorf("%s after %d: journal equal %v, front equal %v", strategy, after, j == journal, f == front)
			}
		}
	}
}
