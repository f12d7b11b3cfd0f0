// Package racing says whether the race detector is on. It slows code about tenfold, so tests that compare
// many figures, of which a few would find the same races, compare only a part of them then, or none; .ci/run
// runs every test without it.
package racing

import "testing"

// Factor loosens time limits: 1, or 20 under the race detector.
const Factor = factor

// On reports whether the race detector is on.
const On = factor > 1

// Figures skips a test under the race detector that is about figures alone: what runs in several goroutines
// to compute them, other tests watch for races.
func Figures(t testing.TB) {
	t.Helper()
	if On {
		t.Skip("finds no races that others would not find")
	}
}

// Of is all, or some under the race detector: how often a test does what finds the same races every time.
func Of(all, some int) int {
	if On {
		return some
	}
	return all
}
