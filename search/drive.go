package search

import "context"

// Search runs a strategy to its end, a budget's or the user's. stop is "" if it has nothing left
// to ask. With counted, tuples are tallied here and not by the strategy.
func (d *Driver) Search(ctx context.Context, s Strategy, counted bool) (stop string, err error) {
	for {
		if stop, err := d.border(ctx); stop != "" || err != nil {
			return stop, err
		}
		asked, err := s.Ask(ctx)
		if err != nil || asked == nil {
			return "", err
		}
		if e, ok := s.(progressing); ok {
			d.Prog.Visited, d.Prog.Fraction = e.Progress()
		}
		scores, stop, err := d.score(ctx, asked, counted)
		if stop != "" || err != nil {
			return stop, err
		}
		s.Tell(scores)
	}
}

// border is between two batches: the only place where a run stops, apart from the end of a budget
// of evaluations.
func (d *Driver) border(ctx context.Context) (stop string, err error) {
	d.Report()
	if err := ctx.Err(); err != nil {
		return "", err
	}
	if d.J != nil {
		if _, ok, err := d.J.NextNote(`{"stop":"time"`); ok || err != nil {
			return StopTime, err
		}
		if d.J.Replaying() {
			return "", nil
		}
	}
	if limit := d.P.Study.Search.Time; limit > 0 && d.Opt.Elapsed != nil &&
		d.Before+int64(d.Opt.Elapsed()) >= int64(limit) {
		if d.J == nil {
			return StopTime, nil
		}
		return StopTime, d.J.Note(struct {
			Stop      string `json:"stop"`
			Evaluated int64  `json:"evaluated"`
		}{StopTime, d.Prog.Evaluated})
	}
	if d.Opt.Stop != nil && d.Opt.Stop() {
		return StopInterrupted, nil
	}
	return "", nil
}
