// Package racing says whether the race detector is on. It slows code about tenfold, so tests that compare
// many figures, of which a few would find the same races, compare only a part of them then; .ci/run
// runs every test without it.
package racing

// Factor loosens time limits: 1, or 20 under the race detector.
const Factor = factor

// On reports whether the race detector is on.
const On = factor > 1
