package family

import "toposearch/internal/gf"

// nearestPower is the prime power up to most that is nearest to q.
func nearestPower(q, most int) int {
	return gf.Nearest(q, func(x int) bool { return x <= most })
}

// field makes GF(q) for a q that Check has passed.
func field(q int) *gf.Field {
	f, err := gf.New(q)
	if err != nil {
		panic("topology: " + err.Error())
	}
	return f
}

// planeCost is what links of points of a plane of order q take (Family.WireCost): the list of points, and
// divisions in the field, 60 ns a link.
func planeCost(q, links float64) (ns, bytes float64) { return 60 * links, 24 * (q*q + q + 1) }
