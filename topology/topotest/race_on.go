//go:build race

package topotest

// raceFactor loosens time limits under the race detector, which slows code about tenfold.
const raceFactor = 20
