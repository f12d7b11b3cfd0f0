package placed

import (
	"context"
	"math"
	"testing"

	"toposearch/routing"
	"toposearch/workload"
	"toposearch/workload/collective"
)

// TestAround by hand: ten switches joined to each other, with eight endpoints each that all send to the next switch. Its link there carries all
// eight on their routes. By way of any each of the links to the eight others carries a tenth of what its switch sends, and a tenth
// of what the switch before sends by way of it, and that to the next two tenths: 1.6; and the busiest link is no port of an endpoint. Of two switches, and within one,
// there is no detour.
func TestAround(t *testing.T) {
	for _, c := range []struct {
		design         string
		stride, size   int
		direct, around float64
	}{
		{"complete(n=10,t=8)", 8, 10, 8, 1.6},
		{"complete(n=10,t=8)", 1, 8, 1, 1},
		{"complete(n=2,t=8)", 8, 2, 8, 8},
	} {
		n := on(t, c.design, 1)
		g := workload.Group{Stride: c.stride, Size: c.size}
		direct, _, _ := shares(t, n, g, collective.Exchange, message{c.size})
		var err error
		if n.Tracer, err = n.Router.NewTracer(context.Background()); err != nil {
			t.Fatal(err)
		}
		for _, tracer := range []*routing.Tracer{nil, n.Tracer} {
			m := n.On(n.Endpoint)
			m.Around = BySwitches(n.Router, tracer, routing.OwnCapacity(n.Router.Net), true, 1)
			around, _, _ := shares(t, m, g, collective.Exchange, message{c.size})
			if math.Abs(direct-c.direct) > 1e-9 || math.Abs(around-c.around) > 1e-9 {
				t.Errorf("%s, groups of %d, %d apart: %g on routes, %g on detours; by hand %g and %g", c.design, c.size, c.stride, direct, around, c.direct, c.around)
			}
		}
	}
}
