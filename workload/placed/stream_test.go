package placed

import (
	"testing"

	"toposearch/workload/collective"
)

// TestStreamPorts by hand: a rank has two messages of 1 s at its port to take in, one that left first and takes 10 s and one that takes 2: the near one
// is there after 3 s and what waits for it after 6, whatever is still under way from afar, which is there after 11.
func TestStreamPorts(t *testing.T) {
	flows := []collective.Flow{{From: 0, To: 2, Count: 1}, {From: 1, To: 2, Count: 1}, {From: 2, To: 3, Count: 1, After: []collective.Need{{Flow: 1, Lead: 1}}}}
	latency := []float64{10, 2, 2}
	p := newStream(flows, func(i int) (float64, float64, float64) { return latency[i], 1, 1 }, 4)
	if end := p.run(); end != 11 || p.last[1] != 3 || p.last[2] != 6 {
		t.Errorf("arrivals after %g s, the last after %g", p.last, end)
	}
}
