package evaluator

import (
	"math"
	"strings"
	"testing"

	"toposearch/catalog"
	"toposearch/evaluator/cluster"
	"toposearch/evaluator/metric"
	"toposearch/internal/racing"
	"toposearch/internal/stream"
	"toposearch/topology/topotest"
)

// TestWhatIsBoughtFails: where all parts are taken to stop a job, as counts do, as many of them fail as are on the bill, those of which some links are idle included, whatever
// classes of links share them.
func TestWhatIsBoughtFails(t *testing.T) {
	racing.Figures(t)
	compared, shared := 0, 0
	for i := range few(24) {
		rng := stream.New(3, "what is bought fails", uint64(i))
		o := someOptions(rng)
		o.CountNICs, o.Scaleup = true, false
		o.Cluster = cluster.Options{CPUsPerServer: -1, AFR: map[string]float64{catalog.KindAccelerator: 0, catalog.KindCPU: 0, catalog.KindRack: 0}}
		e := newEvaluator(t, o)
		for _, f := range families() {
			for _, d := range topotest.Sample(f, rng, 1, 500) {
				r := evaluate(t, e, d, Request{Level: 1})
				m := r.Metrics[metric.MTBF]
				if r.Plan == nil || !r.Have[metric.MTBF] || !strings.HasPrefix(m.Method, "by counts") || len(f.Media) > 0 || r.Size.Spares() > 0 {
					continue
				}
				perYear, several := 0.0, false
				for _, l := range r.Plan.BOM {
					rate := l.Part.AFR
					if !l.Part.HasAFR {
						rate = catalog.UsualFailures(l.Part.Kind, l.Part.Medium)
					}
					perYear += rate * float64(l.Quantity)
					several = several || l.Part.Ports > 1 && (l.Part.Kind == catalog.KindTransceiver || l.Part.Kind == catalog.KindCable || l.Part.Kind == catalog.KindFibre)
				}
				compared++
				if several {
					shared++
				}
				if want := cluster.HoursOfYear / perYear; math.Abs(m.Value-want) > 1e-9*want {
					t.Errorf("options %d, %s: MTBF %.12g h, of what is bought %.12g", i, d, m.Value, want)
				}
			}
		}
	}
	if compared < few(80) || shared < few(20) {
		t.Errorf("%d designs compared, %d of them with parts for several links: too few to tell", compared, shared)
	}
	t.Logf("%d designs compared, %d of them with parts for several links", compared, shared)
}
