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
	leadFirst = 1e8  // ns, as they are modelled
	leadTimes = 8    // with 64, of a million endpoints nothing was evaluated between 20 and 1,600 CPU s, and the front lacked up to 16 %
	leadLeast = 3e9  // ns that the evaluations of a round are modelled to take,
	leadShare = 4    // or so many times what the tree has taken, if that is more: of a million endpoints 90 evaluations would be a round,
	leadMost  = 1000 // and no more evaluations than these, which spaces that end soon need,
	leadPace  = 2e7  // and one for so many ns of the tree: where it takes minutes, rounds take about as long as it does
	leadApart = 2e10 // ns of the tree from which on families are searched one by one, too,
	leadAlone = 4    // each with this part of leadMost: bounds of a dragonfly of a million endpoints take 60 ms
	leadPart  = 4    // a round takes no more than this part of the evaluations that a budget leaves: with a tenth 1,000 did not complete the front of three families at 128 to 200 endpoints, of which 641 do now
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
	d.Uncounted = true
	defer func() { d.Uncounted = false }()
	all := leads(e, which, e.Spent())
	left := d.Left / leadPart / int64(max(len(all), 1))
	for _, l := range all {
		n := l.most
		if d.Left >= 0 {
			n = min(n, left)
		}
		if n < int64(d.P.Batch()/2) { // the half of it would be drawn at random, and would find nothing
			continue
		}
		s := evolve.NewNSGA2(d.P, l.which, round, d.Front.Ordered(), evolve.NewScout(d.P))
		stop, err = d.Allow(n, func() (string, error) { return d.Search(ctx, leading{s, e}, true) })
		if s.Close(); stop != "" || err != nil {
			break
		}
	}
	return stop, err
}

// pauseOf is the work, ns as it is modelled, after which an enumeration pauses for a round.
func pauseOf(round int) float64 { return leadFirst * math.Pow(leadTimes, float64(round)) }

// led is one search of a round: the spaces that it draws from, and how many evaluations it may take.
type led struct {
	which []bool
	most  int64
}

// leads lists the searches of a round when the tree has spent so many ns: one of all families together, and where the tree lasts as many others of each by itself.
// Of a million endpoints Dragonfly+ crowds out all others that are searched with it, though dragonflies are up to 7 % better.
func leads(e *branch.Enumeration, which []bool, spent float64) []led {
	each, n := 0.0, 0.0
	for i, w := range which {
		if w {
			each, n = each+e.Each[i], n+1
		}
	}
	if n == 0 {
		return nil
	}
	ns, most := max(leadLeast, leadShare*spent), leadMost+spent/leadPace
	out := []led{{which, int64(min(most, ns/(each/n)))}}
	for i, w := range which {
		if w && n > 1 && spent >= leadApart {
			one := make([]bool, len(which))
			one[i] = true
			out = append(out, led{one, int64(min(leadMost/leadAlone, ns/n/e.Each[i]))})
		}
	}
	return out
}

// mostOf is how many evaluations searches may take in all.
func mostOf(all []led) (n int64) {
	for _, l := range all {
		n += l.most
	}
	return n
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
