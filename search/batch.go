package search

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

// evaluateAll fills the scores at the places todo, in that order in the journal, to which a batch goes at once: few enough that little is
// lost with a crash, and enough that waiting for the disk costs little beside 50 us each. stop says why it did not do all.
func (d *Driver) evaluateAll(ctx context.Context, asked []Candidate, scores []Score, todo []int) (stop string, err error) {
	for len(todo) > 0 && stop == "" && err == nil {
		n := min(d.P.Batch(), len(todo))
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
	if err := d.elsewhere(within, names[replayed:], answers[replayed:]); err != nil && within.Err() == nil {
		return "", err
	}
	Each(within, d.Workers(), len(todo)-replayed, func(_, k int) {
		if k += replayed; answers[k].entry == nil {
			answers[k] = d.P.answer(within, asked[todo[k]], names[k], d.Reuse)
		}
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

// elsewhere has designs evaluated on other machines, but for those of which something is known here already.
func (d *Driver) elsewhere(ctx context.Context, names []string, answers []answer) error {
	if d.Opt.Remote == nil || d.Opt.Remote.AtOnce() == 0 {
		return nil
	}
	var ask []string
	var places []int
	for k, name := range names {
		if d.Reuse != nil {
			if whole, network := d.Reuse(name); whole != nil || network != nil {
				continue
			}
		}
		ask, places = append(ask, name), append(places, k)
	}
	entries, err := d.Opt.Remote.Evaluate(ctx, ask, &d.P.Request)
	for i, e := range entries {
		if e != nil {
			answers[places[i]] = answer{entry: e}
		}
	}
	return err
}
