package simcore

import (
	"fmt"
	"math"
	"slices"
)

// Saturation is the result of a search for the saturation load.
type Saturation struct {
	// Load is the largest load that was found accepted to 97 %, Above the smallest that was found not to be
	// (0: load 1 is accepted, or undecided). What was tried between, if anything, was not decided in the longest run
	// allowed, or ended before as it would not have been. Without such a load Above - Load <= Tolerance * Above, unless there is no load above 1/1024 that
	// is accepted.
	Load  float64 `json:"load"`
	Above float64 `json:"above"`
	// Undecided is the number of loads between.
	Undecided int `json:"undecided,omitempty"`
	// Deadlocked reports whether a load above Load deadlocked rather than saturated.
	Deadlocked bool    `json:"deadlocked"`
	Tolerance  float64 `json:"tolerance"`
	// Interrupted: the context ended; Load and Above are what was known then.
	Interrupted bool    `json:"interrupted,omitempty"`
	Points      []Point `json:"points"` // the loads tried, in order, but those of Superseded
}

const (
	// satTolerance is the default of Config.SatTolerance.
	satTolerance = 0.02
	// satFloor is the load below which the search gives up.
	satFloor = 1.0 / 1024
	// satTries is the number of loads after which the search ends with what it knows: bisection from 1 to
	// the floor to 2 % takes 16, and undecided loads are few.
	satTries = 24
	// CloseShare is the share above which the answer is close: a straight line leads there, and queues are like those there.
	CloseShare = 0.9
	// leastSlope: where a tenth of the traffic alone crosses a full channel less would be expected, but
	// two shares with their errors do not tell slopes that small.
	leastSlope = 0.4
	// clearBy is how far from the answer a load is tried in long, in standard errors of a share in short. A run of two windows has
	// some 0.7 of these, and the guess is off by less than one, so that most are decided by then.
	clearBy = 2
	// further is how much further from the guess the load after an undecided one is: a longer step makes the
	// interval wider, a shorter one may cost another run.
	further = 1.5
	// spreadShare is how far from 97 % the shares of runs are that vary alike: beyond, other channels are full.
	spreadShare = 0.03
	// spreadLoads is the same of loads, as a part of themselves.
	spreadLoads = 0.05
	// satScouts is the number of short runs that look for the answer before long ones enclose it.
	satScouts = 8
)

// satSearch is the state of a search: what it reports, and what is known of loads that are not decided.
type satSearch struct {
	Saturation
	scouting   bool
	below, top satPoint  // largest load tried in short of which 97 % seemed to be accepted, and smallest of which less
	guess      float64   // of the answer
	last       satPoint  // tried in short whose share is above CloseShare
	slope      float64   // of the share in the logarithm of the load, as it falls
	unclear    []float64 // loads that the longest run did not decide, or would not have
	step       float64   // of the next attempt, as a part of the load
	half       float64   // how far from the guess a load is expected to be decided in a long run, as a part of it
	up, down   float64   // how far from it the last load beyond undecided ones was
	spread     Spread    // of shares near the answer
	line       bool      // the last load in a bracket was found by a straight line
}

// satPoint is a load and the share of it that was accepted.
type satPoint struct{ load, share float64 }

// SearchSaturation finds the largest load accepted to 97 %. It looks for it in short runs first: load 1; then what was
// accepted there, over 0.97, which is the answer where all sources share the busiest channel; then where a straight line through
// the shares on either side of 97 % passes it. Long runs enclose what was found to a tolerance (0: 2 %): of a load just below
// and one just above, and of others further away as long as these are not decided, or decided the other way. run
// simulates one load, of any model, until its Verdict is clear or it may take no longer: one
// window as it was asked for, or several if long is set; known is what runs near it have told.
func SearchSaturation(tolerance float64, run func(load float64, long bool, known Spread) (Point, error)) (Saturation, error) {
	if tolerance == 0 {
		tolerance = satTolerance
	}
	// Of the tolerance on either side of the guess, with some room.
	x := satSearch{Saturation: Saturation{Tolerance: tolerance, Points: []Point{}}, scouting: true, top: satPoint{math.Inf(1), 0}, step: 0.05, half: 0.45 * tolerance, slope: 1}
	for next := 1.0; next > 0 && len(x.Points) < satTries; next = x.next() {
		known := x.spread.near(next)
		p, err := run(next, !x.scouting, known)
		if err != nil {
			x.Interrupted = true
			return x.Saturation, fmt.Errorf("saturation: %w", err)
		}
		if !p.Deadlocked && p.Measured > 0 && math.Abs(p.Share-SaturatedBelow) < spreadShare {
			x.spread = known.and(&p)
		}
		x.note(next, &p)
	}
	for _, u := range x.unclear {
		if u > x.Load && (u < x.Above || x.Above == 0) {
			x.Undecided++
		}
	}
	x.Points = slices.DeleteFunc(x.Points, func(p Point) bool { return x.Superseded(&p) })
	return x.Saturation, nil
}

// near is what is known of a load, nothing if it is not near those that were run.
func (s Spread) near(load float64) Spread {
	if math.Abs(load-s.load) > spreadLoads*s.load {
		return Spread{}
	}
	return s
}

// and counts a run in that was judged by s.
func (s Spread) and(p *Point) Spread {
	t := float64(p.Measured)
	both := Spread{p.Offered, s.time + t, p.ShareErr * p.ShareErr * t * (s.time + t), !p.Continued && (s.empty || s.time == 0)}
	if p.Continued && s.empty {
		both.time, both.squares = t, both.squares-s.squares
	}
	return both
}

// Superseded reports whether a load was not decided in a short run, and a larger one is accepted in a long one.
func (s *Saturation) Superseded(p *Point) bool { return p.Verdict == Unclear && p.Offered <= s.Load }

// note takes a point into account.
func (x *satSearch) note(load float64, p *Point) {
	x.Points = append(x.Points, *p)
	switch p.Verdict {
	case Accepted:
		x.Load = max(x.Load, load)
	case Rejected:
		x.Above, x.Deadlocked = load, x.Deadlocked || p.Deadlocked
		if !x.scouting { // of a long run
			x.guess = min(x.guess, clampLoad(p.Share*load/SaturatedBelow))
		}
	default:
		if !x.scouting {
			x.unclear = append(x.unclear, load)
		}
	}
	if x.scouting {
		if at := (satPoint{load, p.Share}); p.Verdict != Rejected && p.Share >= SaturatedBelow {
			x.below = at
		} else {
			x.top = at
		}
		x.lean(p)
		x.guess = x.crossing(p)
	}
}

// lean takes the slope from two short runs close to the answer: 1 where all sources share the busiest channel, less
// where others go on.
func (x *satSearch) lean(p *Point) {
	at := satPoint{p.Offered, p.Share}
	if p.Verdict == Rejected && p.Deadlocked || at.share < CloseShare || at.share >= 1 {
		return
	}
	if by := math.Log(at.load / x.last.load); x.last.load > 0 && math.Abs(by) > max(x.Tolerance/4, sure*p.ShareErr) { // or chance alone would show
		x.slope = min(max((x.last.share-at.share)/by, leastSlope), 1)
	}
	x.last = at
}

// crossing is where 97 % seem to be accepted, after a short run.
func (x *satSearch) crossing(p *Point) float64 {
	switch {
	case x.top.load > 1: // of load 1, too
		return 1
	case x.below.load == 0:
		return x.beside(p)
	}
	part := (x.below.share - SaturatedBelow) / (x.below.share - x.top.share)
	return x.below.load + min(max(part, 0.1), 0.9)*(x.top.load-x.below.load)
}

// beside is where 97 % seem to be accepted, from one short run.
func (x *satSearch) beside(p *Point) float64 {
	if p.Share < CloseShare { // the answer itself, where all sources share the busiest channel
		return clampLoad(p.Share * p.Offered / SaturatedBelow)
	}
	return clampLoad(p.Offered * math.Exp((p.Share-SaturatedBelow)/x.slope))
}

// next is the load to try next, 0 if the answer is known.
func (x *satSearch) next() float64 {
	if x.scouting {
		if next := x.scout(); next > 0 {
			return next
		}
		x.scouting, x.step = false, x.Tolerance
		// The last was near the answer and took one window, unless it was overloaded.
		if last := &x.Points[len(x.Points)-1]; last.Verdict != Rejected {
			x.half = max(x.half, clearBy*last.ShareErr/x.slope)
		}
	}
	// From low to least nothing is known to be undecided, and from most to high.
	least, most := x.High(), 0.0
	for _, u := range x.unclear {
		if u > x.Load && (u < x.Above || x.Above == 0) {
			least, most = min(least, u), max(most, u)
		}
	}
	switch {
	case x.High()-x.Load <= x.Tolerance*x.High(), x.Above > 0 && x.Above <= satFloor, least <= satFloor:
		return 0
	case most == 0:
		return x.enclose()
	case least-x.Load > (2*x.half+x.Tolerance/4)*least:
		// Undecided loads: the further from the guess, the clearer it may be.
		x.down = max(further*x.half, further*x.down)
		if next := clampLoad(min(x.guess*(1-x.down), least*(1-x.half/2))); next > x.Load*(1+x.half) {
			return next
		}
		return (x.Load + least) / 2
	case most == 1:
		return 0
	}
	next := x.guess * (1 + x.half)
	if next <= most {
		x.up = max(further*x.half, further*x.up)
		next = max(x.guess*(1+x.up), most*(1+x.half/2))
	}
	switch {
	case next < x.High()*(1-x.Tolerance/4):
		return next
	case x.Above == 0: // nothing is known of load 1
		return 1
	}
	return 0
}

// scout is the next load to try in short, 0 if the answer is roughly known.
func (x *satSearch) scout() float64 {
	last := &x.Points[len(x.Points)-1]
	switch near := x.Tolerance / 2; {
	case x.below.load == 1 || len(x.Points) >= satScouts || x.top.load <= satFloor || x.top.load <= x.below.load*(1+x.Tolerance):
		return 0
	case math.Abs(last.Share-SaturatedBelow) <= near:
		x.guess = x.beside(last)
		return 0
	case x.below.load == 0 && len(x.Points) > 2: // what is accepted falls with the load
		x.guess = clampLoad(min(x.guess, x.top.load*(1-x.step)))
		x.step = min(2*x.step, 0.5)
	}
	return x.guess
}

// enclose is a load to try in long, where none is undecided.
func (x *satSearch) enclose() float64 {
	half := x.half
	lo, hi := x.guess*(1-half), x.guess*(1+half)
	if hi >= 1 && x.Above == 0 {
		lo = 1 - 2*half
	}
	switch high := x.High(); {
	case x.Load < lo*(1-half) && lo < high*(1-half/2):
		return lo
	case hi < 1 && x.Load < hi*(1-half/2) && hi < high*(1-half):
		return hi
	case x.Load == 0 || x.Above == 0:
		step := x.step
		x.step = min(2*x.step, 0.5)
		if x.Load == 0 {
			return clampLoad(high * (1 - step))
		}
		return min(x.Load*(1+step), 1)
	}
	// Halving, and in turns where 97 % would be accepted if the share were a straight line: just above the
	// load from which on a channel is full.
	part := 0.5
	if x.line = !x.line; x.line && x.Above-x.Load > 2*x.Tolerance*x.Above {
		below, above := x.shareAt(x.Load), x.shareAt(x.Above)
		part = min(max((below-SaturatedBelow)/(below-above), 0.1), 0.9)
	}
	return x.Load + part*(x.Above-x.Load)
}

// shareAt is the share that was accepted of a load tried.
func (x *satSearch) shareAt(load float64) float64 {
	for i := range x.Points {
		if x.Points[i].Offered == load {
			return x.Points[i].Share
		}
	}
	return 1
}

// High is the upper end of the interval in which the saturation load lies.
func (s *Saturation) High() float64 {
	if s.Above == 0 {
		return 1
	}
	return s.Above
}

func clampLoad(x float64) float64 { return min(max(x, satFloor), 1) }
