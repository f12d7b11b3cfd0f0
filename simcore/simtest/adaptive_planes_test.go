package simtest_test

import (
	"testing"

	"toposearch/internal/racing"
)

// Planes of a HyperX of three dimensions are no groups: detours may go by way of those of source and destination. By hand, x of load 1, 4 endpoints on each switch, detours of all packets, three
// quarters of which change their plane: by way of any switch they make 2 * 3/4 hops in the third dimension and fill its three channels of a switch at 4x * 3/2 = 3, x = 1/2; past both planes
// each makes 2, and fills those at 4x * 2 = 3, x = 3/8, before any channel of the destination's plane is reached.
func TestAdaptiveByAnyPlane(t *testing.T) {
	if testing.Short() || racing.On {
		t.Skip("simulates HyperX networks of 256 and 500 endpoints to saturation")
	}
	holdToValiant(t, "hyperx(s1=4,s2=4,s3=4,t=4)", map[string]float64{"ugal_l": 0.85, "ugal_g": 0.95, "par": 0.8}) // past both planes 0.67, 0.83 and 0.69
	holdToValiant(t, "hyperx(s1=5,s2=5,s3=5,t=5)", map[string]float64{"ugal_l": 0.89})                             // with the stall of other channels 0.86
	holdToValiant(t, "mesh(k1=5,k2=5,k3=4)", map[string]float64{"ugal_l": 1.4, "par": 1.22})                       // which avoids both planes; by way of any 1.25 and 1.06
}

// holdToValiant holds routings to shares of what Valiant's accepts of the worst permutation of natural routes.
func holdToValiant(t *testing.T, design string, shares map[string]float64) {
	t.Helper()
	n := build(t, design)
	valiant := byDefault(t, n, "valiant", "worst", 1).Accepted
	for name, share := range shares {
		got := byDefault(t, n, name, "worst", 1).Accepted
		t.Logf("%s: %s accepts %.3f, %.3f of Valiant's routing", design, name, got, got/valiant)
		if got < share*valiant {
			t.Errorf("%s: %s accepts %.3f, %.3f of Valiant's routing, which is to be %.3f", design, name, got, got/valiant, share)
		}
	}
}
