package evaluator

import (
	"testing"

	"toposearch/evaluator/floor"
	"toposearch/evaluator/metric"
	"toposearch/internal/racing"
	"toposearch/internal/stream"
	"toposearch/topology/topotest"
)

// In a hall where each endpoint has a rack to itself, far from others, latency is mostly the way between racks: what bounds say of it by how far endpoints are apart on
// average, whatever joins them, holds in all families.
func TestLatencyOfEndpointsApart(t *testing.T) {
	racing.Figures(t)
	e := newEvaluator(t, Options{BandwidthGbps: 400, PerServer: 1, Site: floor.Site{RackPitchM: 5, RowPitchM: 15, RackServers: 1}})
	compared := 0
	for _, f := range families() {
		rng := stream.New(29, "apart "+f.Name)
		designs := topotest.Sample(f, rng, 12, 400)
		switch f.Name { // of parts of an endpoint a leaf; a board of several racks
		case "multirail":
			designs = append(designs, parse(t, "multirail(k=4,l=3,r=6,f=2,d=3)"))
		case "hammingmesh":
			designs = append(designs, parse(t, "hammingmesh(a=4,b=4,x=1,y=1,k=2)"))
		}
		for _, d := range designs {
			req := Request{Level: 1, Keys: []metric.Key{metric.Latency}}
			compared += stepsHold(t, e, d, req, rng, d.String())
			_, n := boxEncloses(t, e, d, req, rng, d.String())
			compared += n
		}
	}
	if compared < 500 {
		t.Errorf("only %d figures were compared", compared)
	}
	t.Logf("%d figures", compared)
}
