package flit

import (
	"math"

	"toposearch/simcore"
)

// geometric turns a uniform number u into the failures before a success, log(1-u)/log(1-p) cut
// off, without a logarithm where a table knows the answer: for each 1/256 of the range of u the
// number, if it is the same all over. At high loads, where most draws are made, it mostly is.
type geometric struct {
	logq  float64   // log(1 - p)
	known [256]int8 // -1: it has to be computed
}

// apart is how far from an integer both ends of a range have to be, so that no rounding of a
// logarithm within it can matter: a million times the error of the quotient below 128.
const apart = 1e-8

func (g *geometric) set(logq float64) {
	g.logq = logq
	for i := range g.known {
		g.known[i] = -1
		lo, hi := g.value(float64(i)/256), g.value(float64(i+1)/256)
		if k := math.Floor(lo); hi < math.MaxInt8 && hi < k+1-apart && (lo > k+apart || i == 0) {
			g.known[i] = int8(k)
		}
	}
}

func (g *geometric) value(u float64) float64 { return math.Log(1-u) / g.logq }

// draw gives the number for u in [0, 1).
func (g *geometric) draw(u float64) int64 {
	if k := g.known[uint8(u*256)]; k >= 0 {
		return int64(k)
	}
	return simcore.Drawn(g.value(u))
}
