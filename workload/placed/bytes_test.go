package placed

import (
	"runtime"
	"testing"

	"toposearch/internal/stream"
	"toposearch/topology"
	"toposearch/workload"
)

// TestBytes: what counting patterns leaves in memory is no more than is predicted, and not a small part of it.
func TestBytes(t *testing.T) {
	rng := stream.New(9, "bytes")
	legs := turnedGroups(700, 24, 8, rng.IntN)
	spines := turnedGroups(300, 16, 8, rng.IntN)
	spines.Mids = 16
	for _, c := range []struct {
		name  string
		shape interface {
			Shape
			Bytes(messages float64) float64
		}
		ranks int
	}{
		{"groups with legs", legs, 114_688},
		{"groups with spines", spines, 35_840},
		{"groups", turnedGroups(60, 8, 4, rng.IntN), 1792},
		{"few links", &Grid{Dims: []int{63, 31, 33}, PerSwitch: 1, Carry: []float64{0.1, 0.1, 0.1}}, 57_344},
	} {
		n := &Network{Shape: c.shape, Domain: 1, Detours: new(Detours)}
		for e := range c.ranks {
			n.Endpoint = append(n.Endpoint, topology.EndpointID(e))
		}
		before := inUse()
		for _, of := range []workload.Group{{Stride: 128, Size: 7}, {Stride: 1, Size: 64}, {Stride: 2, Size: 7}} {
			k := key{group: of, pattern: pattern{Shift: 1}}
			if g, ok := c.shape.(*Groups); ok {
				g.byRuns(k.group, k.pattern, c.ranks, true)
			} else {
				n.inRuns(k)
			}
		}
		got, most := inUse()-before, c.shape.Bytes(float64(c.ranks))
		if got > most || got < most/100 {
			t.Errorf("%s: %.0f bytes are in use, %.0f were predicted", c.name, got, most)
		}
		runtime.KeepAlive(n)
	}
	if kept := &legs.spare.(*groupLoads).legs; len(kept.list) < 1<<15 {
		t.Errorf("%d records of legs are kept", len(kept.list))
	}
}

// inUse is what is in use.
func inUse() float64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc)
}
