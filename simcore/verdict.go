package simcore

import (
	"math"

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

// Judge decides from the backlog at the borders of the batches of a window, offered but not delivered, in
// the unit in which offered counts what was offered in one batch. What was offered is delivered or in the
// backlog, so that its growth is what is not accepted; unlike what arrives it does not depend on how much
// the sources happened to send, as long as the network keeps up. share is what was accepted of what
// was offered, in the mean.
//
// A backlog grows while queues fill, at full load as the square root of time does, and queues of sources behind
// an overloaded channel block more of the network the longer they are. So a share that rises or falls from one half of the
// window to the other has not settled, and has to stay on its side of 97 % if it goes on changing as it does; one that
// is accepted need not where the backlog does not grow at all. err is the standard error of share.
func Judge(backlog []float64, offered float64) (share, err float64, v Verdict) {
	n := len(backlog) - 1
	if n < 2 || offered <= 0 {
		return 1, 0, Unclear
	}
	shares := make([]float64, n)
	for i := range shares {
		shares[i] = 1 - (backlog[i+1]-backlog[i])/offered
	}
	early, late := stat.Mean(shares[:n/2], nil), stat.Mean(shares[n/2:], nil)
	share = stat.Mean(shares, nil)
	err = ErrOfMean(shares)
	off := sure * err
	// The halves have half the values each, so that their difference has twice the error of the mean; half of
	// that may be chance.
	rises, falls := max(0, late-early-err), max(0, early-late-err)
	switch {
	case share+off < SaturatedBelow && late+looksAhead*rises < SaturatedBelow:
		return share, err, Rejected
	case steady(backlog, offered):
		return share, err, Accepted
	case share-off < SaturatedBelow || late < SaturatedBelow:
		return share, err, Unclear
	case share+off < 1 && late-looksAhead*falls < SaturatedBelow: // it grows
		return share, err, Unclear
	}
	return share, err, Accepted
}

// steady reports whether a backlog clearly does not grow by 3 % of what is offered, nor by anything that shows: from its
// means in the two halves of the window. Where packets are long under way what is in the network goes up and down
// from batch to batch, by more than their growth says, and its mean tells more.
func steady(backlog []float64, offered float64) bool {
	half := len(backlog) / 2
	early, late := backlog[:half], backlog[len(backlog)-half:]
	if half < fewBatches {
		return false
	}
	growth := (stat.Mean(late, nil) - stat.Mean(early, nil)) / float64(len(backlog)-half) / offered
	off := sure * math.Hypot(ErrOfMean(early), ErrOfMean(late)) / float64(len(backlog)-half) / offered
	return growth <= off && growth+off < 1-SaturatedBelow
}
