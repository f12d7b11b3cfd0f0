package search

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"time"
)

// A budget of time ends at a border between batches or, where an evaluation would outlast it, in the batch after the border: the
// designs evaluated until then are journalled, and the strategy is not told. Where it ends depends on the clock of the first run
// that comes there; a line in the journal makes everybody who replays it stop there, too.

// The last part of the time is left to what follows simulations (Driver.Finish), before that a part to these (Driver.Keep), before that a part to explain families of which no design was
// found feasible, if there are any, and before that a part to prove how much the front may lack.
const (
	explainShare = 10
	explainMost  = time.Minute
	proveShare   = 20
	proveMost    = time.Second
)

// used is the time that the search has taken in all, ns.
func (d *Driver) used() int64 {
	if d.Opt.Elapsed == nil {
		return d.Before
	}
	return d.Before + int64(d.Opt.Elapsed())
}

// timed tells whether the clock decides at a border, or in the batch before it: there is a budget of time, and no earlier call
// went on there, or ended and its lines in the journal were lost.
func (d *Driver) timed(border int64) bool {
	return d.P.Study.Search.Time > 0 && d.Opt.Elapsed != nil && !d.Ended.Ended && border >= d.Reached
}

// analysed is the part of the budget of time that the simulations of finalists, and what follows them, leave.
func (d *Driver) analysed() time.Duration {
	return time.Duration(d.P.Study.Search.Time) - d.Keep - d.Finish
}

// searchTime is the time that the search may take.
func (d *Driver) searchTime() time.Duration {
	return d.proofTime() - min(d.analysed()/proveShare, proveMost)
}

// ToProve tells whether the proof behind the search goes on after so many batches: as far as it came in an earlier call, or as long as
// there is time.
func (d *Driver) ToProve(batches int64) bool {
	switch {
	case d.Ended.Proof > 0:
		return batches < d.Ended.Proof-1
	case d.Opt.Elapsed == nil || d.Reached > d.Border+1: // or an earlier call came past it
		return true
	}
	return d.used() < int64(d.proofTime())
}

// proofTime is the time that the search and what proves its front may take.
func (d *Driver) proofTime() time.Duration {
	limit := d.analysed()
	for i := range d.PerFam {
		if d.PerFam[i].Feasible == 0 && !d.Met[i] {
			return limit - min(limit/explainShare, explainMost)
		}
	}
	return limit
}

// timeIsUp tells whether the budget of time ends at this border.
func (d *Driver) timeIsUp() bool {
	if d.Ended.Ended {
		return !d.Ended.Inside && d.Border == d.Reached
	}
	return d.timed(d.Border) && d.Used >= int64(d.searchTime())
}

// timeNote is the line that says where the budget of time ended.
type timeNote struct {
	Stop   string `json:"stop"`
	Border int64  `json:"border,omitempty"` // at this one
	Inside int64  `json:"inside,omitempty"` // or in the batch after this one
	Start  int64  `json:"start"`
	Of     []int  `json:"of,omitempty"`
}

// timeLine begins that line.
func (d *Driver) timeLine(inside bool) string {
	where := "border"
	if inside {
		where = "inside"
	}
	return fmt.Sprintf(`{"stop":"time","%s":%d,`, where, d.Border)
}

// timeEnded replays that line.
func (d *Driver) timeEnded(inside bool) (bool, error) {
	if d.J == nil {
		return false, nil
	}
	line, ok, err := d.J.NextNote(d.timeLine(inside))
	if !ok || err != nil {
		return ok, err
	}
	var n timeNote
	err = json.Unmarshal(line, &n)
	d.Ended = TimeEnd{Ended: true, Inside: inside, Start: n.Start, Of: n.Of, Proof: d.Ended.Proof, Simulated: d.Ended.Simulated}
	return true, err
}

// endTime writes it; of are the places in the chunk of what was evaluated, if it ended inside one.
func (d *Driver) endTime(inside bool, of []int) (stop string, err error) {
	d.Ended = TimeEnd{Ended: true, Inside: inside, Start: d.Prog.Evaluated, Of: of, Proof: d.Ended.Proof, Simulated: d.Ended.Simulated}
	if d.J == nil {
		return StopTime, nil
	}
	n := timeNote{Stop: StopTime, Border: d.Border, Start: d.Prog.Evaluated, Of: of}
	if inside {
		n.Border, n.Inside = 0, d.Border
	}
	return StopTime, d.J.Note(n)
}

// endsInside tells whether an earlier call's time ended in the batch after this border.
func (d *Driver) endsInside() bool { return d.Ended.Inside && d.Border == d.Reached }

// endsHere tells whether it did so in the chunk that is about to be evaluated, its lines being lost.
func (d *Driver) endsHere() bool {
	return d.endsInside() && !d.replaying() && d.Prog.Evaluated == d.Ended.Start
}

func (d *Driver) replaying() bool { return d.J != nil && d.J.Replaying() }

// within is the context of evaluations.
func (d *Driver) within(ctx context.Context) (context.Context, context.CancelFunc) {
	if d.Opt.Within == nil {
		return ctx, func() {}
	}
	left := time.Duration(math.MaxInt64)
	if d.timed(d.Border + 1) {
		left = d.searchTime() - time.Duration(d.used())
	}
	return d.Opt.Within(ctx, left)
}

// ToExplain is the context of what follows the search, which ends with its part of the budget of time.
func (d *Driver) ToExplain(ctx context.Context) (context.Context, context.CancelFunc) {
	if d.Opt.Within == nil || d.Opt.Elapsed == nil || d.P.Study.Search.Time == 0 {
		return ctx, func() {}
	}
	return d.Opt.Within(ctx, d.analysed()-time.Duration(d.used()))
}

// AtSimulations is the time that simulations have taken, with those of earlier calls: none before they begin.
func (d *Driver) AtSimulations() time.Duration {
	if d.Prog.Phase != PhaseVerify && d.Prog.Phase != PhaseSimulate {
		return 0
	}
	return d.Simulating + time.Duration(d.used()-d.Used)
}

// ToSimulate is the context of simulations, which ends with their part of the budget of time, unless an earlier call came past them or they were asked for
// without one.
func (d *Driver) ToSimulate(ctx context.Context) (context.Context, context.CancelFunc) {
	if d.Opt.Within == nil {
		return ctx, func() {}
	}
	left := time.Duration(math.MaxInt64)
	if limit := time.Duration(d.P.Study.Search.Time); limit > 0 && d.Opt.Elapsed != nil && !d.Opt.Unbounded && !d.Ended.Simulated {
		left = limit - d.Finish - time.Duration(d.used()) - d.Simulating
	}
	return d.Opt.Within(ctx, left)
}
