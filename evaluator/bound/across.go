package bound

import (
	"math"

	"toposearch/evaluator/market"
	"toposearch/topology"
)

// city is the least mean distance between two points of a region of unit area, along streets of two directions: no region of any shape has less (C. Bender,
// M. Bender, E. Demaine, S. Fekete, "What is the optimal shape of a city?", J. Phys. A 37, 2004, 0.650 245 952 951).
const city = 0.65024595

// skips tells of a kind that its links have no length wherever they lead: boards and servers may stand in several racks.
func skips(kind market.Kind) bool { return kind == market.Board || kind == market.Scaleup }

// acrossM bounds the mean length of all cables on the way from one endpoint to another, m as laid: together they lead from rack to rack, along rows and across
// them. Racks that are full of endpoints fill a region of so much area, however they stand; between those of one row, or one place in theirs, the distance is less by a third
// of a pitch on average than between points spread over the racks. It holds of the sum over classes of mean lengths times links crossed, as
// latency counts it, where all links of a class carry alike, and otherwise of as many times that as the busiest carries more than the mean. 0 says nothing.
func (m *Model) acrossM(f *topology.Family, endpoints int64, uneven float64) float64 {
	s := m.site
	if uneven <= 0 || f.OwnRacks || s.Buildings > 1 {
		return 0
	}
	racks := float64(endpoints) / float64(m.rackServers*int64(m.opt.PerServer))
	mean := city*math.Sqrt(racks*s.RackPitchM*s.RowPitchM) - (s.RackPitchM+s.RowPitchM)/3
	return max(0, mean*(1+s.Slack)/uneven)
}
