package routing

import (
	"math"
	"testing"

	"toposearch/topology"
)

// Where endpoints hang on several switches that nothing joins and every pair keeps to one port, the busiest port of an endpoint carries the pairs that do not
// divide evenly, too.
func TestLayeredPorts(t *testing.T) {
	for _, c := range []struct {
		endpoints, ports int
		most             float64 // that a port carries of what an endpoint sends
	}{{2, 4, 1}, {3, 4, 1. / 2}, {4, 4, 1. / 3}, {8, 4, 2. / 7}, {9, 4, 3. / 8}} {
		b := topology.NewBuilder(oneSwitch, twoLinks)
		b.Switch(0, c.ports)
		var on []topology.SwitchID
		for s := range c.ports {
			on = append(on, topology.SwitchID(s))
		}
		b.Endpoints(c.endpoints, on)
		for name, table := range tablesOf(t, built(t, b, "planes")) {
			l, err := table.UniformLoads(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			most := 0.0
			for _, x := range l.In {
				most = max(most, x)
			}
			if math.Abs(most-c.most) > 1e-12 {
				t.Errorf("%+v by %s: a port carries %g", c, name, most)
			}
		}
	}
}
