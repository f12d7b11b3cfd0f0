package search

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

// chunk is how many evaluations go to the journal at once: few enough that little is lost with a
// crash, and enough that waiting for the disk costs little beside 50 us each.
const chunk = 128

// score gives the scores of a batch in its order. If the budget ends inside it, what it still
// allows is journalled, and nobody is told. With counted, what is asked has not been held against the front yet: it passes
// the gate.
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
	d.Asked += int64(len(fresh))
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
		d.memo[keys[i]] = scores[i]
		if counted {
			d.count(asked[i], &scores[i])
		}
	}
	if counted {
		d.decided(asked, scores, fresh)
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

// evaluateAll fills the scores at the places todo, in that order in the journal. stop says why it did not do all.
func (d *Driver) evaluateAll(ctx context.Context, asked []Candidate, scores []Score, todo []int) (stop string, err error) {
	for len(todo) > 0 && stop == "" && err == nil {
		n := min(chunk, len(todo))
		stop, err = d.evaluateSome(ctx, asked, scores, todo[:n])
		todo = todo[n:]
	}
	return stop, err
}

// evaluateSome scores as much of a chunk as the budget of evaluations still allows.
func (d *Driver) evaluateSome(ctx context.Context, asked []Candidate, scores []Score, todo []int) (stop string, err error) {
	ends := d.Left >= 0 && int64(len(todo)) > d.Left
	if ends {
		todo = todo[:d.Left]
	}
	if len(todo) > 0 {
		stop, err = d.evaluate(ctx, asked, scores, todo)
	}
	if ends && stop == "" {
		stop = StopEvaluations
	}
	return stop, err
}

// evaluate scores one chunk, which goes to the journal before its scores are told.
func (d *Driver) evaluate(ctx context.Context, asked []Candidate, scores []Score, todo []int) (stop string, err error) {
	names := make([]string, len(todo))
	for k, i := range todo {
		names[k] = d.P.Name(asked[i])
	}
	answers := make([]answer, len(todo))
	replayed, ended, err := d.replay(names, answers)
	if err != nil {
		return "", err
	}
	if ended || d.endsHere() {
		return StopTime, d.onlyThese(ctx, asked, scores, todo, names, answers, ended)
	}
	within, cancel := d.within(ctx)
	defer cancel()
	Each(within, d.Workers(), len(todo)-replayed, func(_, k int) {
		k += replayed
		answers[k] = d.P.answer(within, asked[todo[k]], names[k], d.Reuse)
	})
	var done []int // what is finished is kept, also when cancelled: without a gap, or with a line that names the places
	for k := range answers {
		if answers[k].entry != nil {
			done = append(done, k)
		}
	}
	gap := slices.IndexFunc(answers, func(a answer) bool { return a.entry == nil })
	cut := gap >= 0 && ctx.Err() == nil && within.Err() != nil
	switch {
	case cut && !(d.Opt.Stop != nil && d.Opt.Stop()):
		if stop, err = d.endTime(true, done); err != nil {
			return "", err
		}
	case gap >= 0:
		done = done[:gap]
	}
	if err := d.keepAnswers(asked, scores, todo, names, answers, done, replayed); err != nil {
		return "", err
	}
	switch {
	case gap < 0 || stop != "":
		return stop, nil
	case cut:
		return StopInterrupted, nil
	}
	return "", errors.Join(ctx.Err(), answers[gap].err)
}

// keepAnswers journals the answers at some places of a chunk, but for those that were replayed, and takes them.
func (d *Driver) keepAnswers(asked []Candidate, scores []Score, todo []int, names []string, answers []answer, places []int, replayed int) error {
	if d.J != nil {
		var entries []*Entry
		for _, k := range places[min(replayed, len(places)):] {
			entries = append(entries, answers[k].entry)
		}
		if len(entries) > 0 {
			if err := d.J.Write(entries); err != nil {
				return err
			}
		}
	}
	for _, k := range places {
		scores[todo[k]] = d.P.ScoreEntry(answers[k].entry)
		d.took(asked[todo[k]], names[k], &scores[todo[k]], &answers[k])
	}
	return nil
}

// onlyThese does again what a chunk kept in which the budget of time ended: from the journal as far as that goes. noted: the line
// that says so was replayed.
func (d *Driver) onlyThese(ctx context.Context, asked []Candidate, scores []Score, todo []int, names []string, answers []answer, noted bool) error {
	places := d.Ended.Of
	if len(places) > 0 && (places[0] < 0 || places[len(places)-1] >= len(todo)) {
		return fmt.Errorf("search: the line of the journal that says where the time ended names places %v of %d", places, len(todo))
	}
	if !noted {
		if _, err := d.endTime(true, places); err != nil {
			return err
		}
	}
	kept := 0
	for _, k := range places {
		if answers[k].entry == nil && d.replaying() {
			e := new(Entry)
			if _, err := d.J.Next(names[k], e); err != nil {
				return err
			}
			answers[k] = answer{entry: e, known: true}
		}
		if answers[k].entry != nil {
			kept++
		}
	}
	Each(ctx, d.Workers(), len(places)-kept, func(_, i int) {
		k := places[kept+i]
		answers[k] = d.P.answer(ctx, asked[todo[k]], names[k], d.Reuse)
	})
	for _, k := range places[kept:] {
		if answers[k].entry == nil {
			return errors.Join(ctx.Err(), answers[k].err)
		}
	}
	return d.keepAnswers(asked, scores, todo, names, answers, places, kept)
}

// replay takes the entries of designs from the journal, as far as it goes. ended: the budget of time ended there.
func (d *Driver) replay(names []string, answers []answer) (replayed int, ended bool, err error) {
	for k := range names {
		if !d.replaying() {
			break
		}
		if ended, err = d.timeEnded(true); ended || err != nil {
			return replayed, ended, err
		}
		e := new(Entry)
		ok, err := d.J.Next(names[k], e)
		if err != nil {
			return 0, false, err
		}
		if ok {
			answers[k], replayed = answer{entry: e, known: true}, k+1
		}
	}
	return replayed, false, nil
}
