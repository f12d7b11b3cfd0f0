package search

import (
	"context"
	"fmt"
)

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
// of evaluations. Where a budget of time ends depends on the clock of the first run that comes there; the line
// in the journal that says at which border makes everybody who replays it stop there, too.
func (d *Driver) border(ctx context.Context) (stop string, err error) {
	d.Border++
	d.Used = d.Before
	if d.Opt.Elapsed != nil {
		d.Used += int64(d.Opt.Elapsed())
	}
	up := d.timeIsUp()
	if !up || d.J != nil && d.J.Replaying() {
		d.Reached = max(d.Reached, d.Border+1)
	}
	d.Report()
	if err := ctx.Err(); err != nil {
		return "", err
	}
	if d.J != nil {
		if _, ok, err := d.J.NextNote(fmt.Sprintf(`{"stop":"time","border":%d,`, d.Border)); ok || err != nil {
			return StopTime, err
		}
		if d.J.Replaying() {
			return "", nil
		}
	}
	if up {
		if d.J == nil {
			return StopTime, nil
		}
		return StopTime, d.J.Note(struct {
			Stop      string `json:"stop"`
			Border    int64  `json:"border"`
			Evaluated int64  `json:"evaluated"`
		}{StopTime, d.Border, d.Prog.Evaluated})
	}
	if d.Opt.Stop != nil && d.Opt.Stop() {
		return StopInterrupted, nil
	}
	return "", nil
}

// timeIsUp tells whether the budget of time ends at this border: the clock says so, unless an earlier call went on
// here, or ended here, and its lines in the journal were lost.
func (d *Driver) timeIsUp() bool {
	if d.Ended || d.Border < d.Reached {
		return d.Ended && d.Border == d.Reached
	}
	limit := d.P.Study.Search.Time
	return limit > 0 && d.Opt.Elapsed != nil && d.Used >= int64(limit)
}
