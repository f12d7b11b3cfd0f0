package search

import "context"

// score gives the scores of a batch in its order. If the budget ends inside it, what it still
// allows is journalled, and nobody is told. With counted, what is asked has not been held against the front yet: it passes
// the gate.
func (d *Driver) score(ctx context.Context, asked []Candidate, counted bool) ([]Score, string, error) {
	scores := make([]Score, len(asked))
	keys := make([]string, len(asked))
	first := make(map[string]int, len(asked)) // of each key that is not remembered, its first place
	var fresh []int
	again := make([]bool, len(asked)) // was asked for before, and forgotten
	for i, c := range asked {
		keys[i] = Key(c.Space, c.V)
		if s, ok := d.recall.score(keys[i]); ok {
			scores[i] = s
		} else if _, ok := first[keys[i]]; !ok {
			first[keys[i]] = i
			fresh = append(fresh, i)
			if again[i] = d.recall.asked(hashOf(keys[i])); !again[i] {
				d.Asked++
			}
		}
	}
	if counted && d.Left == 0 && len(fresh) > 0 {
		return nil, StopEvaluations, nil
	}
	if err := d.scoreCounts(ctx, asked, scores, fresh, counted); err != nil {
		return nil, "", err
	}
	var todo []int
	for _, i := range fresh {
		if scores[i].Constraint == "" {
			todo = append(todo, i)
		}
	}
	evaluate := d.evaluateAll
	if counted && len(todo) > 0 {
		evaluate = d.evaluateGated
	}
	stop, err := evaluate(ctx, asked, scores, todo)
	if err != nil {
		return nil, "", err
	}
	for _, i := range fresh {
		if scores[i].Constraint == "" && !scores[i].Evaluated {
			continue // past the budget
		}
		d.recall.put(keys[i], scores[i])
		if counted && !d.Uncounted && !again[i] {
			d.count(asked[i], &scores[i])
		}
	}
	if counted {
		d.decided(asked, scores, fresh, again)
	}
	if stop != "" {
		return nil, stop, nil
	}
	for i := range asked {
		if j, ok := first[keys[i]]; ok && j != i {
			scores[i] = scores[j]
		}
	}
	return scores, "", nil
}

func (d *Driver) count(c Candidate, s *Score) {
	what := s.Constraint
	if s.Feasible() {
		what = Feasible
	}
	d.Tally[c.Space].Add(what, len(c.V)-1, 1)
}

// scoreCounts rejects by closed forms, and with gated by the gate.
func (d *Driver) scoreCounts(ctx context.Context, asked []Candidate, scores []Score, fresh []int, gated bool) error {
	workers := min(d.Workers(), len(fresh))
	for len(d.enclosures) < workers {
		d.enclosures = append(d.enclosures, Enclosure{})
	}
	d.Front.Tree.Prepare(max(d.P.ThroughputAt, 0))
	Each(ctx, workers, len(fresh), func(w, k int) {
		s := &scores[fresh[k]]
		if *s = d.P.ScoreCounts(asked[fresh[k]], &d.enclosures[w]); gated && s.Constraint == "" {
			*s = d.P.Gate(&d.enclosures[w], &d.Front)
		}
	})
	return ctx.Err()
}
