package search_test

import (
	"context"
	"reflect"
	"testing"

	"toposearch/evaluator/metric"
	"toposearch/search"
	"toposearch/search/searchtest"
)

// once asks for some candidates in one batch.
type once struct {
	asked []search.Candidate
	got   []search.Score
}

func (o *once) Ask(context.Context) ([]search.Candidate, error) {
	if o.got != nil {
		return nil, nil
	}
	return o.asked, nil
}

func (o *once) Tell(scores []search.Score) { o.got = scores }

// TestScoreIsWhatTheDriverTells: each candidate alone scores as it does in a batch, and as an evaluation of
// it says: what the first half rejects is not feasible.
func TestScoreIsWhatTheDriverTells(t *testing.T) {
	ctx := context.Background()
	p := searchtest.ProblemOf(t, searchtest.Only(searchtest.Small(t, 60, 70, searchtest.LimitOn(metric.Radix, true, 12)), "dragonfly"), &searchtest.SizeModel{})
	var o once
	searchtest.EachTuple(p.Spaces[0], func(v []int) {
		if len(o.asked) < 20_000 {
			o.asked = append(o.asked, p.Canonical(0, v))
		}
	})
	d := search.NewDriver(p, nil, search.Options{})
	if _, err := d.Search(ctx, &o, true); err != nil {
		t.Fatal(err)
	}
	var e search.Enclosure
	feasible, early, dominated := 0, 0, 0
	for i, c := range o.asked {
		if o.got[i].Constraint == search.Dominated {
			dominated++
			entry, err := p.Measure(ctx, p.Design(0, c.V))
			searchtest.Must(t, err)
			if v := p.ScoreEntry(entry).V; !d.Front.Covers(v) {
				t.Errorf("%s passes for dominated, and has %v", p.Name(c), v)
			}
			continue
		}
		s, err := p.Score(ctx, c, &e, new(search.Archive), nil)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(s, o.got[i]) {
			t.Fatalf("%s scores %+v alone and %+v in a batch", p.Name(c), s, o.got[i])
		}
		if s.Feasible() {
			feasible++
		}
		entry, err := p.Measure(ctx, p.Design(0, c.V))
		if err != nil || s.Evaluated {
			continue
		}
		early++
		if n := int64(entry.Values[metric.Endpoints]); n >= p.Min && n <= p.Max {
			if whole := p.ScoreEntry(entry); whole.Feasible() {
				t.Errorf("%s is rejected as %s, and its evaluation is feasible", p.Name(c), s.Constraint)
			}
		}
	}
	if feasible < 10 || early < 1000 || dominated < 10 {
		t.Errorf("%d feasible, %d rejected early, %d dominated: too few to compare", feasible, early, dominated)
	}
}
