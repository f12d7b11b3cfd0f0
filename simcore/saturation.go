package simcore

import "fmt"

// Saturation is the result of a search for the saturation load.
type Saturation struct {
	// Load is the largest load that was found accepted to 97 %, Above the smallest that was found not to be
	// (0: load 1 is accepted, or undecided). What was tried between, if anything, was not decided in the longest run
	// allowed. Without such a load Above - Load <= Tolerance * Above, unless there is no load above 1/1024 that
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
	Points      []Point `json:"points"` // every load tried, in order
}

const (
	// satTolerance is the default of Config.SatTolerance.
	satTolerance = 0.02
	// satFloor is the load below which the search gives up.
	satFloor = 1.0 / 1024
	// satTries is the number of loads after which the search ends with what it knows: bisection from 1 to
	// the floor to 2 % takes 16, and undecided loads are few.
	satTries = 24
)

// satSearch is the state of a search: what it reports, and the loads tried that were not decided.
type satSearch struct {
	Saturation
	unclear []float64
	guess   float64 // of the answer, from the last load that was not accepted; 0: none
	line    bool    // the last load in a bracket was found by a straight line
	below   int     // how often a load just below a guess was tried
	up      float64 // how far above undecided loads one was tried last, as a part of them
	step    float64 // of the next attempt to enclose it, as a part of the load
}

// SearchSaturation finds the largest load accepted to 97 %: load 1 first; then around what was accepted there, over
// 0.97, which is the answer where all sources share the busiest channel; from there in growing steps until the
// answer is enclosed to a tolerance (0: 2 %), by bisection in the end. run simulates one load from an empty network, of any
// model, until its Verdict is clear or it may take no longer.
func SearchSaturation(tolerance float64, run func(load float64) (Point, error)) (Saturation, error) {
	if tolerance == 0 {
		tolerance = satTolerance
	}
	x := satSearch{Saturation: Saturation{Tolerance: tolerance}, step: 0.05}
	for next := 1.0; next > 0 && len(x.Points) < satTries; next = x.next() {
		p, err := run(next)
		if err != nil {
			x.Interrupted = true
			return x.Saturation, fmt.Errorf("saturation: %w", err)
		}
		x.note(next, &p)
	}
	for _, u := range x.unclear {
		if u > x.Load && (u < x.Above || x.Above == 0) {
			x.Undecided++
		}
	}
	return x.Saturation, nil
}

// note takes a point into account.
func (x *satSearch) note(load float64, p *Point) {
	x.Points = append(x.Points, *p)
	if p.Verdict != Accepted {
		x.guess = clampLoad(p.Accepted / SaturatedBelow)
	}
	switch p.Verdict {
	case Accepted:
		x.Load = load
	case Rejected:
		x.Above, x.Deadlocked = load, x.Deadlocked || p.Deadlocked
	default:
		x.unclear = append(x.unclear, load)
	}
}

// next is the load to try next, 0 if the answer is known.
func (x *satSearch) next() float64 {
	// From low to least nothing is known to be undecided, and from most to high.
	least, most := x.Above, 0.0
	for _, u := range x.unclear {
		if u > x.Load && (u < x.Above || x.Above == 0) {
			if most = max(most, u); least == 0 || u < least {
				least = u
			}
		}
	}
	switch {
	case least == 0 || x.Above > 0 && x.Above <= satFloor || least <= satFloor:
		return 0
	case least-x.Load > x.Tolerance*least:
		return x.between(least)
	case most == 0 || x.Above == 0 || x.Above-most <= (x.up+x.Tolerance/4)*most:
		return 0
	}
	// Undecided loads: of what is above them it may be clearer that it is not accepted, the more the further.
	x.up = max(x.Tolerance, 2*x.up)
	if next := most * (1 + x.up); next < x.Above*(1-x.Tolerance/4) {
		return next
	}
	return 0
}

// between is a load above x.Load and below the smallest that is not known to be accepted.
func (x *satSearch) between(least float64) float64 {
	half := 0.45 * x.Tolerance // of the tolerance on either side of the guess, with some room
	lo, hi := x.guess*(1-half), x.guess*(1+half)
	switch {
	case x.Load == 0:
		next := clampLoad(min(lo, least*(1-x.step)))
		x.step = min(2*x.step, 0.5)
		return next
	case x.Load < lo && lo < least*(1-half/2) && x.below < 2: // or guesses may sink by a hair each
		x.below++
		return lo
	case x.Load < hi && hi < least*(1-half/2):
		return hi
	case least > x.Load*(1+2*x.step):
		next := x.Load * (1 + x.step)
		x.step = min(2*x.step, 0.5)
		return next
	}
	// Halving, and in turns where 97 % would be accepted if the share were a straight line: just above the
	// load from which on a channel is full.
	part := 0.5
	if x.line = !x.line; x.line && least-x.Load > 2*x.Tolerance*least {
		below, above := x.shareAt(x.Load), x.shareAt(least)
		part = min(max((below-SaturatedBelow)/(below-above), 0.1), 0.9)
	}
	return x.Load + part*(least-x.Load)
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
