package evaluator

import (
	"slices"
	"testing"

	"toposearch/internal/stream"
	"toposearch/topology"
	"toposearch/topology/family"
)

// Cables counted in bulk stand where those counted one by one do, with one building or several.
func TestBundlesLieAsWired(t *testing.T) {
	for _, site := range []Site{{}, {Buildings: 3, RackSwitches: 3}, {RackServers: 1, RackPowerW: 14e3, EndpointPowerW: 1000}} {
		e := newEvaluator(t, Options{BandwidthGbps: 400, Site: site})
		for _, f := range family.All() {
			if f.Bundles == nil {
				continue
			}
			found := 0
			for _, d := range sample(f, stream.New(4, "lay "+f.Name), few(40), 4000) {
				var s topology.Size
				if err := f.Size(d.V, &s); err != nil {
					t.Fatal(err)
				}
				place := f.Place(d.V)
				var r rates
				e.rate(&s, boardSet(place.Boards), &r)
				var powerW [topology.MaxClasses]float64
				p, rej := planFloor(&e.opt.Site, &s, &place, e.opt.PerServer, 8000, &powerW)
				if rej.Constraint != "" {
					continue
				}
				found++
				bulk := newLayout(p)
				bulk.stream(d, &r)
				plain := *f
				plain.Bundles = nil
				single := newLayout(p)
				single.stream(topology.Design{Family: &plain, V: d.V}, &r)
				if !slices.Equal(bulk.counts, single.counts) {
					t.Errorf("%s: bundles lie %v, links %v", d, bulk.counts, single.counts)
				}
				bulk.free()
				single.free()
			}
			if found == 0 {
				t.Errorf("%s: nothing to compare", f.Name)
			}
		}
	}
}
