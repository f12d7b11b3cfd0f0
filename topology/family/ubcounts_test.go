package family

import (
	"slices"
	"testing"

	"toposearch/internal/stream"
	"toposearch/topology"
)

// TestUBBounds: the counts of designs lie within those of boxes around them, wide ones in some parameters, with pods and spares: lanes and HRSs are bounded
// by rules that contracts of all families seldom come to.
func TestUBBounds(t *testing.T) {
	rng := stream.New(1, "ubmesh bounds")
	var s, bl, bh topology.Size
	for n := 0; n < 30_000; {
		v := []int{1 + rng.IntN(12), 1 + rng.IntN(12), 1 + rng.IntN(5), 1 + rng.IntN(5), 1 + rng.IntN(1+rng.IntN(8)), 1 + rng.IntN(12), 1 + rng.IntN(12), 0, 0, rng.IntN(4), rng.IntN(2)}
		r := ubRackOf(v)
		v[7], v[8] = r.planes*r.perPlane*(1+rng.IntN(4)), r.planes*r.perPlane*(1+rng.IntN(4))
		if v[7] > 1024 || v[8] > 1024 || ubmesh.Size(v, &s) != nil {
			continue
		}
		n++
		lo, hi := slices.Clone(v), slices.Clone(v)
		for i := range v {
			if rng.IntN(2) == 0 {
				lo[i] = max(ubmesh.Params[i].Min, v[i]-rng.IntN(1+rng.IntN(8)))
				hi[i] = min(ubmesh.Params[i].Max, v[i]+rng.IntN(1+rng.IntN(20)))
			}
		}
		ubmesh.SizeBounds(lo, hi, &bl, &bh)
		within := bl.Endpoints <= s.Endpoints && s.Endpoints <= bh.Endpoints && bl.EndpointPorts <= s.EndpointPorts && s.EndpointPorts <= bh.EndpointPorts &&
			bl.EndpointLanes <= s.EndpointLanes && s.EndpointLanes <= bh.EndpointLanes
		for c := range ubmesh.LinkClasses {
			within = within && bl.Link[c] <= s.Link[c] && s.Link[c] <= bh.Link[c] && (s.Link[c] == 0 || bl.Lanes[c] <= s.Lanes[c] && s.Lanes[c] <= bh.Lanes[c])
		}
		for k := range ubmesh.SwitchClasses {
			l, x, h := &bl.Switch[k], &s.Switch[k], &bh.Switch[k]
			within = within && l.Count <= x.Count && x.Count <= h.Count
			for c := range ubmesh.LinkClasses {
				within = within && (x.Count == 0 || l.Ports[c] <= x.Ports[c] && x.Ports[c] <= h.Ports[c])
			}
		}
		if !within {
			t.Fatalf("%v in %v to %v: counts %+v, bounds %+v to %+v", v, lo, hi, s, bl, bh)
		}
	}
}
