package search

import (
	"context"
	"errors"
)

// chunk is how many evaluations go to the journal at once: few enough that little is lost with a
// crash, and enough that waiting for the disk costs little beside 50 us each.
const chunk = 128

// score gives the scores of a batch in its order. If the budget ends inside it, what it still
// allows is journalled, and nobody is told.
func (d *Driver) score(ctx context.Context, asked []Candidate, counted bool) ([]Score, string, error) {
	scores := make([]Score, len(asked))
	keys := make([]string, len(asked))
	first := make(map[string]int, len(asked)) // of each new key, its first place
	var fresh []int
	for i, c := range asked {
		keys[i] = Key(c.Space, c.V)
		if s, ok := d.memo[keys[i]]; ok {
			scores[i] = s
		} else if _, ok := first[keys[i]]; !ok {
			first[keys[i]] = i
			fresh = append(fresh, i)
		}
	}
	if err := d.scoreCounts(ctx, asked, scores, fresh); err != nil {
		return nil, "", err
	}
	var todo []int
	for _, i := range fresh {
		if scores[i].Constraint == "" {
			todo = append(todo, i)
		}
	}
	stop := ""
	if d.Left >= 0 && int64(len(todo)) > d.Left {
		todo, stop = todo[:d.Left], StopEvaluations
	}
	if err := d.evaluateAll(ctx, asked, scores, todo); err != nil {
		return nil, "", err
	}
	for _, i := range fresh {
		if scores[i].Constraint == "" && !scores[i].Evaluated {
			continue // past the budget
		}
		d.memo[keys[i]] = scores[i]
		if counted {
			d.count(asked[i], &scores[i])
		}
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

// scoreCounts rejects by closed forms.
func (d *Driver) scoreCounts(ctx context.Context, asked []Candidate, scores []Score, fresh []int) error {
	workers := min(d.Workers(), len(fresh))
	for len(d.enclosures) < workers {
		d.enclosures = append(d.enclosures, Enclosure{})
	}
	Each(ctx, workers, len(fresh), func(w, k int) {
		scores[fresh[k]] = d.P.ScoreCounts(asked[fresh[k]], &d.enclosures[w])
	})
	return ctx.Err()
}

// evaluateAll fills the scores at the places todo, in that order in the journal.
func (d *Driver) evaluateAll(ctx context.Context, asked []Candidate, scores []Score, todo []int) error {
	for len(todo) > 0 {
		n := min(chunk, len(todo))
		if err := d.evaluate(ctx, asked, scores, todo[:n]); err != nil {
			return err
		}
		todo = todo[n:]
	}
	return nil
}

// evaluate scores one chunk, which goes to the journal before its scores are told.
func (d *Driver) evaluate(ctx context.Context, asked []Candidate, scores []Score, todo []int) error {
	names := make([]string, len(todo))
	for k, i := range todo {
		names[k] = d.P.Name(asked[i])
	}
	entries, replayed, err := d.replay(names)
	if err != nil {
		return err
	}
	errs := make([]error, len(todo))
	reused := make([]bool, len(todo))
	Each(ctx, d.Workers(), len(todo)-replayed, func(_, k int) {
		k += replayed
		entries[k], reused[k], errs[k] = d.P.entryOf(ctx, asked[todo[k]], names[k], d.Reuse)
	})
	done := replayed // what is finished without a gap is kept, also when cancelled
	for done < len(todo) && entries[done] != nil {
		done++
	}
	if d.J != nil && done > replayed {
		if err := d.J.Write(entries[replayed:done]); err != nil {
			return err
		}
	}
	if done < len(todo) {
		return errors.Join(ctx.Err(), errs[done])
	}
	for k, i := range todo {
		scores[i] = d.P.ScoreEntry(entries[k])
		d.took(asked[i], names[k], &scores[i], k < replayed || reused[k])
	}
	return nil
}

// replay takes the entries of designs from the journal, as far as it goes.
func (d *Driver) replay(names []string) (entries []*Entry, replayed int, err error) {
	entries = make([]*Entry, len(names))
	for k := range names {
		if d.J == nil || !d.J.Replaying() {
			break
		}
		e := new(Entry)
		ok, err := d.J.Next(names[k], e)
		if err != nil {
			return nil, 0, err
		}
		if ok {
			entries[k], replayed = e, k+1
		}
	}
	return entries, replayed, nil
}
