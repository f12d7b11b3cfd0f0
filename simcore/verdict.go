package simcore

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
)

// SaturatedBelow is the share of the offered load that has to be accepted (STYLE.md: saturation
// load).
const SaturatedBelow = 0.97

// Verdict says whether a network accepts a load.
type Verdict uint8

const (
	Unclear  Verdict = iota // what was simulated does not tell
	Accepted                // to 97 %, and no sign says that a longer run accepts less
	Rejected                // less than 97 % are accepted
)

// sure is the number of standard errors by which a share has to be on one side of 97 %. A search makes some
// ten decisions, and each may be looked at several times: two would be wrong in one search of four.
const sure = 3

// looksAhead is the number of times that a change is continued. Between the halves of a window the run becomes
// twice as old; ten times as old is 3.3 such steps, of which none should be larger than the one before.
const looksAhead = 3.3

// Border is what is known at the border of two batches of a window: what has been offered since the start, and
// what of it has not been delivered.
type Border struct{ Offered, Backlog float64 }

// Merge leaves every second of an odd number of borders, so that two batches become one.
func Merge(b []Border) []Border {
	for k := range len(b)/2 + 1 {
		b[k] = b[2*k]
	}
	return b[:len(b)/2+1]
}

// Judge decides from what is known at the borders of the batches of a window, in the unit of offered, which is
// what the load offers in one batch on average. What was offered is delivered or in the
// backlog, so that its growth is what is not accepted. share is what was accepted of what
// was offered, in the mean.
//
// How much the sources happened to send does not show in the growth as long as the network keeps up; behind
// a full channel all of it does. Its mean is known, so that it serves as a control variate (Law, Simulation
// Modeling and Analysis, 5th ed., 11.4): see settled.
//
// A backlog grows while queues fill, at full load as the square root of time does, and queues of sources behind
// an overloaded channel block more of the network the longer they are. So a share that rises or falls from one half of the
// window to the other has not settled, and has to stay on its side of 97 % if it goes on changing as it does; one that
// is accepted need not where the backlog does not grow at all. err is the standard error of share.
func Judge(borders []Border, offered float64) (share, err float64, v Verdict) {
	return Spread{}.Judge(borders, offered, 0)
}

// Spread is how far shares near 97 % vary by chance, as the runs of a search have shown.
//
// The error that a window shows of itself is a rough one: of 20 batches it is off by half, and too small above all where the share is
// too large by chance, as the backlog stood still for a while. So the variance of the runs before is counted in, each by its length.
//
// What that and DecideLoad do was measured on 19 networks of 6 to 72 endpoints (tori, dragonflies, fat trees, HyperX, SlimFly, full meshes, ZCubes, BCube,
// Jellyfish; uniform and worst traffic; natural and adaptive routings), whose answers are known to 0.1 % from runs of 9 million
// flit-hops at each of five loads. Runs in steady state of up to four windows of 100,000 flit-hops, of 1,000 how many were decided wrongly, windows in the mean:
//
//	                            1.5 % below      at the answer           1.5 % above
//	by its own error            4 rejected, 2.8  107 acc., 12 rej., 3.7  20 accepted, 3.6
//	two runs before counted in  3 rejected, 2.1   67 acc., 28 rej., 1.7   8 accepted, 2.3
//	the same, 800,000 flit-hops, 95 runs:
//	by its own error            0 rejected, 1.9   11 acc.,  0 rej., 4.0   0 accepted, 2.7
//	two runs before counted in  0 rejected, 1.6    0 acc.,  0 rej., 1.6   0 accepted, 2.0
//
// Whole searches in windows of 50,000 flit-hops missed the answer 27 times in 380, 12 times by more than half a percent, in 15.3 windows
// each (41, 23 and 18.7 by its own error); in windows of 300,000 once in 152, by 0.6 %, in 12.1 (never, in 14.9).
type Spread struct {
	load    float64 // of the last of them
	time    float64 // that was measured in all
	squares float64 // variance of a share in a unit of time, times time
	empty   bool    // all of them began with an empty network, and vary more, as it fills
}

// steadySure is the number of standard errors by which the share has to be above 97 % where the backlog is steady as well.
const steadySure = 2

// Judge is Judge with what is known before, of a window of some length.
func (s Spread) Judge(borders []Border, offered, time float64) (share, err float64, v Verdict) {
	n := len(borders) - 1
	if n < 2 || offered <= 0 {
		return 1, 0, Unclear
	}
	shares, err := settled(borders, offered)
	early, late := stat.Mean(shares[:n/2], nil), stat.Mean(shares[n/2:], nil)
	share = stat.Mean(shares, nil)
	known := s.time > 0
	if known {
		err = math.Sqrt((s.squares + err*time*err*time) / (s.time + time) / time)
	}
	off := sure * err
	// The halves have half the values each, so that their difference has twice the error of the mean; half of
	// that may be chance.
	rises, falls := max(0, late-early-err), max(0, early-late-err)
	switch {
	case share+off < SaturatedBelow && late+looksAhead*rises < SaturatedBelow:
		return share, err, Rejected
	case (!known || share-steadySure*err >= SaturatedBelow) && steady(borders, offered):
		return share, err, Accepted
	case share-off < SaturatedBelow || late < SaturatedBelow:
		return share, err, Unclear
	case share+off < 1 && late-looksAhead*falls < SaturatedBelow: // it grows
		return share, err, Unclear
	}
	return share, err, Accepted
}

// settled are the shares accepted in the batches, without that part of what sources sent by chance for which their mean
// has the least standard error, and this error. The part is 1 where all of it waits behind a full channel, 0 where
// all is delivered in the end; a regression on single batches would not tell, as much of a batch is delivered
// in the next anyway.
func settled(borders []Border, offered float64) (shares []float64, err float64) {
	const steps = 4 // finer ones gain nothing: the error has a flat minimum
	n := len(borders) - 1
	err = math.Inf(1)
	x := make([]float64, n)
	for k := range steps + 1 {
		for i := range x {
			chance := (borders[i+1].Offered-borders[i].Offered)/offered - 1
			x[i] = 1 - (borders[i+1].Backlog-borders[i].Backlog)/offered + float64(k)/steps*chance
		}
		if e := ErrOfMean(x); e < err {
			shares, err = slices.Clone(x), e
		}
		if n < fewBatches { // too few to compare
			break
		}
	}
	return shares, err
}

// steady reports whether a backlog clearly does not grow by 3 % of what is offered, nor by anything that shows: from its
// means in the two halves of the window. Where packets are long under way what is in the network goes up and down
// from batch to batch, by more than their growth says, and its mean tells more.
func steady(borders []Border, offered float64) bool {
	backlog := make([]float64, len(borders))
	for i := range borders {
		backlog[i] = borders[i].Backlog
	}
	half := len(backlog) / 2
	early, late := backlog[:half], backlog[len(backlog)-half:]
	if half < fewBatches {
		return false
	}
	growth := (stat.Mean(late, nil) - stat.Mean(early, nil)) / float64(len(backlog)-half) / offered
	off := sure * math.Hypot(ErrOfMean(early), ErrOfMean(late)) / float64(len(backlog)-half) / offered
	return growth <= off && growth+off < 1-SaturatedBelow
}
