package evaluator

import (
	"flag"
	"fmt"
	"testing"

	"toposearch/evaluator/metric"
	"toposearch/internal/racing"
	"toposearch/internal/stream"
	"toposearch/topology/topotest"
)

// For long samples: go test -run RefuteBounds ./evaluator -refute 100
var (
	refute     = flag.Int("refute", 0, "rounds of TestRefuteBounds with random designs, 0 for as many as a quick test takes")
	refuteSeed = flag.Uint64("refute-seed", 11, "what they are drawn with")
	only       = flag.String("refute-family", "", "the only family; all without")
)

// graphKeys are metrics above level 1 that enclosures bound by what holds of any network.
var graphKeys = []metric.Key{metric.Bisection, metric.TUB, metric.WorstThroughput, metric.UniformThroughput, metric.UniformThroughputOptimal,
	metric.GraphDiameter, metric.MeanHops, metric.MaxHops, metric.MeanPathLinks, metric.Latency, metric.VCsMinimal, metric.VCsAdaptive}

// TestRefuteBounds looks for a design whose metrics, those of built networks included, lie outside what is said of it or of
// a box around it, in all families.
func TestRefuteBounds(t *testing.T) {
	racing.Figures(t)
	options := []Options{{BandwidthGbps: 400}, {BandwidthGbps: 800, Routing: "minimal"}, {BandwidthGbps: 100, Routing: "valiant"},
		{BandwidthGbps: 400, Algorithms: []string{"ugal_l", "natural"}, MaxVCs: 4}, {BandwidthGbps: 200, Algorithms: []string{RoutingDeployed}},
		{BandwidthGbps: 400, Algorithms: []string{"natural+hash"}}, {}}
	rounds, each, most, compared := 1, 1, int64(30), 0
	if *refute > 0 {
		rounds, each, most = *refute, 2, 40
	}
	for _, f := range families() {
		if *only != "" && f.Name != *only {
			continue
		}
		rng := stream.New(*refuteSeed, "refute "+f.Name)
		for i := range rounds {
			o := rng.IntN(len(options))
			options[o].BoundGraph = true
			e, name := newEvaluator(t, options[o]), fmt.Sprintf("round %d, options %d", i, o)
			size := most
			if i%4 == 3 {
				size = 300
			}
			for _, d := range topotest.Sample(f, rng, each, size) {
				req := Request{Level: 1, Keys: graphKeys}
				compared += stepsHold(t, e, d, req, rng, name)
				_, n := boxEncloses(t, e, d, req, rng, name)
				compared += n
			}
		}
	}
	if compared < 500 && !racing.On && *only == "" {
		t.Errorf("only %d figures were compared", compared)
	}
	t.Logf("%d figures", compared)
}
