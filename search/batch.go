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
	if cut, err := d.evaluateAll(ctx, asked, scores, todo); err != nil {
		return nil, "", err
	} else if cut != "" {
		stop = cut
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

// evaluateAll fills the scores at the places todo, in that order in the journal. stop says why it did not do all.
func (d *Driver) evaluateAll(ctx context.Context, asked []Candidate, scores []Score, todo []int) (stop string, err error) {
	for len(todo) > 0 && stop == "" && err == nil {
		n := min(chunk, len(todo))
		stop, err = d.evaluate(ctx, asked, scores, todo[:n])
		todo = todo[n:]
	}
	return stop, err
}

// evaluate scores one chunk, which goes to the journal before its scores are told.
func (d *Driver) evaluate(ctx context.Context, asked []Candidate, scores []Score, todo []int) (stop string, err error) {
	names := make([]string, len(todo))
	for k, i := range todo {
		names[k] = d.P.Name(asked[i])
	}
	answers, replayed, ended, err := d.replay(names)
	if err != nil {
		return "", err
	}
	within, cancel := d.within(ctx)
	defer cancel()
	most := replayed
	if !ended {
		most = d.room(len(todo))
		Each(within, d.Workers(), most-replayed, func(_, k int) {
			k += replayed
			answers[k] = d.P.answer(within, asked[todo[k]], names[k], d.Reuse)
		})
	}
	done := replayed // what is finished without a gap is kept, also when cancelled
	for done < most && answers[done].entry != nil {
		done++
	}
	if d.J != nil && done > replayed {
		var entries []*Entry
		for _, a := range answers[replayed:done] {
			entries = append(entries, a.entry)
		}
		if err := d.J.Write(entries); err != nil {
			return "", err
		}
	}
	for k, i := range todo[:done] {
		scores[i] = d.P.ScoreEntry(answers[k].entry)
		d.took(asked[i], names[k], &scores[i], &answers[k])
	}
	switch {
	case done == len(todo):
		return "", nil
	case ended:
		return StopTime, nil
	case done == most && most < len(todo):
		return d.endTime(true)
	case ctx.Err() == nil && within.Err() != nil:
		return d.cut()
	}
	return "", errors.Join(ctx.Err(), answers[done].err)
}

// replay takes the entries of designs from the journal, as far as it goes. ended: the budget of time ended there.
func (d *Driver) replay(names []string) (answers []answer, replayed int, ended bool, err error) {
	answers = make([]answer, len(names))
	for k := range names {
		if !d.replaying() {
			break
		}
		if ended, err = d.timeEnded(true); ended || err != nil {
			return answers, replayed, ended, err
		}
		e := new(Entry)
		ok, err := d.J.Next(names[k], e)
		if err != nil {
			return nil, 0, false, err
		}
		if ok {
			answers[k], replayed = answer{entry: e, known: true}, k+1
		}
	}
	return answers, replayed, false, nil
}
