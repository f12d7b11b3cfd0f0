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
		d.advance(s)
		scores, stop, err := d.score(ctx, asked, counted)
		if stop != "" || err != nil {
			return stop, err
		}
		s.Tell(scores)
	}
}

// border is between two batches, where a run stops but for budgets that end inside one.
func (d *Driver) border(ctx context.Context) (stop string, err error) {
	stops := !d.replaying() && d.Opt.Stop != nil && d.Opt.Stop()
	if d.Rest != nil && !d.replaying() {
		d.Rest(stops)
	}
	d.Border++
	d.Used = d.used()
	up := d.timeIsUp()
	if !up && !d.endsInside() || d.replaying() {
		d.Reached = max(d.Reached, d.Border+1)
	}
	d.Report()
	if err := ctx.Err(); err != nil {
		return "", err
	}
	if ok, err := d.timeEnded(false); ok || err != nil {
		return StopTime, err
	}
	if d.replaying() {
		return "", nil
	}
	if up {
		return d.endTime(false, nil)
	}
	if stops {
		return StopInterrupted, nil
	}
	return "", nil
}

// advance takes over how far a strategy is, if anybody reads it: by its own work, or by the budget that ends it earlier. To say it an enumeration looks ahead.
func (d *Driver) advance(s Strategy) {
	if d.Opt.Progress == nil && d.Opt.Remote == nil {
		return
	}
	done := 0.0
	if e, ok := s.(progressing); ok {
		visited, fraction := e.Progress()
		d.Prog.Visited, done = visited, fraction
		d.Prog.Proved, d.Prog.Within = e.Proved()
	}
	if e, ok := s.(familywise); ok {
		d.Prog.Done, d.Prog.Families = e.Families()
	}
	if n := d.P.Study.Search.Evaluations; n > 0 && d.Left >= 0 {
		done = max(done, 1-float64(d.Left+d.aside)/float64(n))
	}
	if limit := d.P.Study.Search.Time; limit > 0 && d.Opt.Elapsed != nil {
		done = max(done, min(1, float64(d.Used)/float64(d.searchTime())))
	}
	d.Prog.Fraction = done
}
