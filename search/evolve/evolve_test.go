package evolve

import (
	"context"
	"slices"
	"testing"

	"toposearch/objectives"
	"toposearch/search"
	"toposearch/search/searchtest"
)

// asked runs a strategy for at most so many batches, with made-up scores, and gives what it asks.
func asked(t *testing.T, s *NSGA2, batches int) (all []string) {
	t.Helper()
	defer s.Close()
	for range batches {
		cs, err := s.Ask(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if cs == nil {
			return all
		}
		scores := make([]search.Score, len(cs))
		for i, c := range cs {
			all = append(all, search.Key(c.Space, c.V))
			scores[i].V = objectives.Vector{float64(c.V[0]), -float64(c.V[1]), float64(c.Space)}
		}
		s.Tell(scores)
	}
	return all
}

// What is asked follows from the problem, and a seed changes it; a search that is closed early leaves
// nothing behind, which TestMain sees.
func TestNSGA2Repeats(t *testing.T) {
	which := []bool{true, true, false, true, true}
	run := func(seed uint64) []string {
		st := searchtest.Small(t, 250, 300)
		st.Seed = seed
		return asked(t, NewNSGA2(searchtest.ProblemOf(t, st, &searchtest.SizeModel{}), which, 0, nil, nil), 5)
	}
	a, b, c := run(1), run(1), run(2)
	if !slices.Equal(a, b) {
		t.Error("two runs ask for different designs")
	}
	if slices.Equal(a, c) {
		t.Error("the seed changes nothing")
	}
}

// A search ends when its space has no new designs: here one family of few tuples.
func TestNSGA2EndsInASmallSpace(t *testing.T) {
	st := searchtest.Only(searchtest.Small(t, 250, 300), "zcube")
	all := asked(t, NewNSGA2(searchtest.ProblemOf(t, st, &searchtest.SizeModel{}), []bool{true}, 0, nil, nil), 1000)
	if len(all) == 0 || len(all) > 64*3 {
		t.Errorf("asked for %d of at most %d designs", len(all), 64*3)
	}
}

// Local search explores a small space to its end without a scout, too.
func TestLocalAlone(t *testing.T) {
	st := searchtest.Only(searchtest.Small(t, 250, 300), "zcube")
	l, batches := NewLocal(searchtest.ProblemOf(t, st, &searchtest.SizeModel{}), []bool{true}, nil, nil), 0
	for {
		cs, err := l.Ask(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if cs == nil {
			break
		}
		scores := make([]search.Score, len(cs))
		for i, c := range cs {
			scores[i].V = objectives.Vector{float64(c.V[0]), -float64(c.V[1])}
		}
		l.Tell(scores)
		batches++
	}
	if batches < 2 {
		t.Errorf("%d batches: nothing was explored", batches)
	}
}

// A search that is closed before it is asked, or after it has ended, asks nothing.
func TestNSGA2Closed(t *testing.T) {
	s := NewNSGA2(searchtest.ProblemOf(t, searchtest.Small(t, 250, 300), &searchtest.SizeModel{}), []bool{true, true, true, true, true}, 0, nil, nil)
	s.Close()
	s.Close()
	if cs, err := s.Ask(context.Background()); cs != nil || err != nil {
		t.Errorf("asked for %d designs, %v", len(cs), err)
	}
}
