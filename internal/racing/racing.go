// Package racing tells tests whether the race detector watches. It slows code about tenfold, so tests
// of many figures, which find no races that a few of them would not find, look at a part of them then;
// .ci/run runs those packages once more without it.
package racing

// Factor loosens time limits: 1, or 20 under the race detector.
const Factor = factor

// On tells that the race detector watches.
const On = factor > 1
