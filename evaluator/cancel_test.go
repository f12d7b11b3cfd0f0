package evaluator

import (
	"context"
	"errors"
	"testing"

	"toposearch/topology"
	"toposearch/topology/family/familytest"
)

// An evaluation that is cancelled does not wait for a construction that takes long, which knows no context.
func TestCancelledConstruction(t *testing.T) {
	d := familytest.Parse(t, "slimfly(q=5)")
	f, wire := *d.Family, d.Family.Wire
	ctx, cancel := context.WithCancel(context.Background())
	release := make(chan struct{})
	defer close(release)
	f.WireCost = func([]int) (ns, bytes float64) { return 2 * slowWireNs, 0 }
	f.Wire = func(v []int, emit func(int, topology.SwitchID, topology.SwitchID)) {
		cancel()
		<-release
		wire(v, emit)
	}
	d.Family = &f
	e := newEvaluator(t, Options{BandwidthGbps: 400})
	if _, err := e.Evaluate(ctx, d, Request{Level: 2}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want that of the context", err)
	}
}
