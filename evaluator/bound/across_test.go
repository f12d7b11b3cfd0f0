package bound

import (
	"math"
	"testing"

	"toposearch/evaluator/floor"
	"toposearch/evaluator/market"
	"toposearch/topology"
)

// Endpoints are as far apart on average as acrossM says at least, in halls and in the shapes that the least distance has: a square, a disc and what lies between. The best of
// these is no more than some percent farther, so that a larger constant would be found out.
func TestAcross(t *testing.T) {
	for _, c := range []struct {
		racks         int64
		along, across float64 // pitches, m
		close         float64
	}{{1, 0.6, 3, 0}, {2, 0.6, 3, 0}, {7, 1, 1, 0}, {100, 0.6, 3, 0.85}, {400, 1, 1, 0.94}, {1024, 0.6, 3, 0.95}, {2500, 2, 2, 0.97}} {
		m := newModel(t, floor.Site{RackServers: 2, RackPitchM: c.along, RowPitchM: c.across}, market.Options{BandwidthGbps: 400})
		bound := m.acrossM(&topology.Family{}, c.racks*2*int64(m.opt.PerServer), 1)
		least := math.Inf(1)
		rows, perRow := m.site.Hall(c.racks)
		for _, power := range []float64{1, 1.5, 1.8, 2, 2.5, 4, 100} { // of the norm of which the region is a ball: a diamond, a disc, a square
			var at [][2]float64
			for size := math.Sqrt(float64(c.racks)) / 2; len(at) < int(c.racks); size *= 1.01 {
				at = at[:0]
				most := int(3*size) + 1
				for x := -most; x <= most && len(at) < int(c.racks); x++ {
					for y := -most; y <= most && len(at) < int(c.racks); y++ {
						u, v := float64(x)*c.along, float64(y)*c.across
						if math.Pow(math.Abs(u), power)+math.Pow(math.Abs(v), power) <= math.Pow(size*math.Sqrt(c.along*c.across), power) {
							at = append(at, [2]float64{u, v})
						}
					}
				}
			}
			least = min(least, meanDistance(at))
		}
		var hall [][2]float64
		for i := range c.racks {
			hall = append(hall, [2]float64{float64(i%perRow) * c.along, float64(i/perRow) * c.across})
		}
		least = min(least, meanDistance(hall)) * (1 + m.site.Slack)
		if rows*perRow < c.racks || !(bound <= least && bound >= c.close*least) {
			t.Errorf("%+v: endpoints are %g m apart, bound %g", c, least, bound)
		}
	}
}

// meanDistance is the mean distance of two racks, themselves included, along streets.
func meanDistance(at [][2]float64) float64 {
	sum := 0.0
	for _, a := range at {
		for _, b := range at {
			sum += math.Abs(a[0]-b[0]) + math.Abs(a[1]-b[1])
		}
	}
	return sum / float64(len(at)*len(at))
}
