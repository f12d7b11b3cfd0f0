package evaluator

import (
	"math"
	"slices"
	"strings"
	"testing"

	"toposearch/evaluator/metric"
)

// Of several routings a design takes the one with the best uniform throughput, the first of equals, in whatever order they are named and whatever is asked for but worst_throughput,
// which then decides.
func TestBestOfRoutings(t *testing.T) {
	one := func(design string, names []string, req Request) *Result {
		return evaluate(t, newEvaluator(t, Options{BandwidthGbps: 400, Algorithms: names}), parse(t, design), req)
	}
	uniform := Request{Keys: []metric.Key{metric.UniformThroughput}}
	for _, design := range []string{"fattree(k=8,l=2)", "multirail(k=8,l=2,r=2)", "dragonfly(p=2,a=4,h=2)", "dragonfly(p=2,a=4,h=2,g=5)", "hyperx(s1=3,s2=3,k1=2,k2=2,t=4)", "zcube(n=5,k=2)", "jellyfish(n=12,r=5,p=4)"} {
		for _, text := range []string{"natural+hash dfsssp", "dfsssp natural", "dfsssp natural+hash", "natural natural+hash", "natural+hash natural", "natural+hash lash dfsssp", "dfsssp natural valiant"} {
			names := strings.Fields(text)
			best, most := "", 0.0
			for _, name := range names {
				r := one(design, []string{name}, uniform)
				if x := r.Metrics[metric.UniformThroughput].Value; r.Have[metric.UniformThroughput] && x > most*(1+same) {
					best, most = name, x
				}
			}
			for i, req := range []Request{uniform, {Level: 1}, {Level: 2}, {Keys: []metric.Key{metric.Latency}}} {
				r := one(design, names, req)
				x := r.Metrics[metric.UniformThroughput].Value
				if r.Routing != best || r.Have[metric.UniformThroughput] && math.Abs(x/most-1) > 1e-9 || slices.Contains(req.Keys, metric.UniformThroughput) && !r.Have[metric.UniformThroughput] {
					t.Errorf("%s, %s, request %d: takes %s with %.4f, the best is %s with %.4f", design, text, i, r.Routing, x, best, most)
				}
			}
		}
	}
}
