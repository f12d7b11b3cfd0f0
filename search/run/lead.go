package run

import (
	"context"
	"math"
	"slices"

	"toposearch/internal/pack"
	"toposearch/search"
	"toposearch/search/branch"
	"toposearch/search/evolve"
)

// A tree cuts boxes by the designs that it has met, and the bounds of boxes are loose: where many boxes have to be looked at, most are before the designs that
// exclude them are known. NSGA-II finds such designs in a tenth of the time, so an enumeration that outlasts leadFirst pauses for a round of it, and again each time
// when it has taken leadTimes as long. On 16,384 endpoints (six families, cost, latency, throughput) it then judges two thirds as many boxes and takes
// three quarters of the time; of 65,536 it has proved 82 % of the front when it had proved 38. With later first pauses the gain is less: all boxes below the costs of the first designs
// have been opened.
const (
	leadFirst = 1e8 // ns, as they are modelled
	leadTimes = 64
	leadLeast = 3e9  // ns that the evaluations of a round are modelled to take,
	leadShare = 4    // or so many times what the tree has taken, if that is more and it goes on for up to 64 times: of a million endpoints 90 evaluations would be a round,
	leadMost  = 1000 // and no more evaluations than these,
	leadPart  = 4    // nor more than this part of those that a budget leaves: with a tenth 1,000 did not complete the front of three families at 128 to 200 endpoints, of which 641 do now
	mostLeads = 16   // a tree of so many rounds would have taken longer than the universe
)

// enumerate runs an enumeration of the marked spaces to its end, with rounds of NSGA-II in its pauses. state is what it saved at a savepoint of itself;
// nil: it begins.
func enumerate(ctx context.Context, d *search.Driver, e *branch.Enumeration, which []bool, sv *savepoints, state *pack.Reader) (stop string, err error) {
	round := 0
	if state != nil {
		round = int(state.Within(0, mostLeads))
	}
	for ; ; round++ {
		e.Pause = pauseOf(round)
		d.Rest = func(stops bool) { sv.may(func(w *pack.Writer) { w.Int(int64(round)) }, stops) }
		if stop, err = d.Search(ctx, e, false); stop != "" || err != nil || !e.Paused() {
			return stop, err
		}
		d.Rest = nil
		if stop, err = lead(ctx, d, e, which, round); stop != "" || err != nil {
			return stop, err
		}
		e.Know(&d.Front)
	}
}

// lead runs a round of NSGA-II for an enumeration, which comes to all designs of its spaces and counts them then.
func lead(ctx context.Context, d *search.Driver, e *branch.Enumeration, which []bool, round int) (stop string, err error) {
	which = slices.Clone(which)
	for i, left := range e.Abandoned { // to others, which search it in their turn
		which[i] = which[i] && !left
	}
	n := leads(e, which, e.Spent())
	if d.Left >= 0 {
		n = min(n, d.Left/leadPart)
	}
	if n < int64(d.P.Batch()/2) { // the half of it would be drawn at random, and would find nothing
		return "", nil
	}
	s := evolve.NewNSGA2(d.P, which, round, d.Front.Ordered(), evolve.NewScout(d.P))
	defer s.Close()
	d.Uncounted = true
	defer func() { d.Uncounted = false }()
	return d.Allow(n, func() (string, error) { return d.Search(ctx, leading{s, e}, true) })
}

// pauseOf is the work, ns as it is modelled, after which an enumeration pauses for a round.
func pauseOf(round int) float64 { return leadFirst * math.Pow(leadTimes, float64(round)) }

// leads is how many evaluations a round may take when the tree has spent so many ns.
func leads(e *branch.Enumeration, which []bool, spent float64) int64 {
	each, n := 0.0, 0.0
	for i, w := range which {
		if w {
			each, n = each+e.Each[i], n+1
		}
	}
	if n == 0 {
		return 0
	}
	return int64(min(leadMost, max(leadLeast, leadShare*spent)/(each/n)))
}

// leading is NSGA-II for an enumeration, whose progress is told.
type leading struct {
	search.Strategy
	*branch.Enumeration
}

// Ask and Tell are those of NSGA-II.
func (l leading) Ask(ctx context.Context) ([]search.Candidate, error) { return l.Strategy.Ask(ctx) }

// Tell is described at Ask.
func (l leading) Tell(scores []search.Score) { l.Strategy.Tell(scores) }
