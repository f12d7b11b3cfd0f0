//go:build !race

package topotest

// raceFactor loosens time limits under the race detector.
const raceFactor = 1
