package evaluator

import (
	"math"
	"testing"

	"toposearch/evaluator/metric"
	"toposearch/internal/racing"
)

// A complete graph of switches is a HyperX of one dimension, a flattened butterfly of two and a dragonfly of groups of one switch. A study that takes
// what each family is run with says the same of all.
func TestCompleteGraphs(t *testing.T) {
	racing.Figures(t)
	keys := []metric.Key{metric.UniformThroughput, metric.WorstThroughput, metric.Bisection, metric.NonblockingRegion, metric.MeanHops, metric.Latency, metric.Cost,
		metric.UniformThroughputFail, metric.VCsMinimal, metric.VCsAdaptive, metric.TableEntries}
	e := newEvaluator(t, Options{BandwidthGbps: 400, Algorithms: []string{RoutingDeployed}})
	for _, names := range [][]string{
		{"complete(n=32,t=8)", "hyperx(s1=32,t=8)", "dragonfly(p=8,a=1,h=31)"},
		{"complete(n=8,t=8)", "hyperx(s1=8,t=8)", "dragonfly(p=8,a=1,h=7)", "flattenedbutterfly(k=8,n=2)"},
		{"complete(n=5,t=2)", "hyperx(s1=5,t=2)", "dragonfly(p=2,a=1,h=4)"},
	} {
		first := evaluate(t, e, parse(t, names[0]), Request{Keys: keys})
		for _, name := range names[1:] {
			r := evaluate(t, e, parse(t, name), Request{Keys: keys})
			for _, k := range keys {
				a, b := first.Metrics[k], r.Metrics[k]
				if !first.Have[k] || !r.Have[k] || !near(a.Value, b.Value, 1e-9) || !near(a.Lo, b.Lo, 1e-9) || !near(a.Hi, b.Hi, 1e-9) {
					t.Errorf("%s: %s = %v [%v, %v], of %s %v [%v, %v] (%s%s)", metric.Keys[k].Name, names[0], a.Value, a.Lo, a.Hi, name, b.Value, b.Lo, b.Hi, first.Absent[k], r.Absent[k])
				}
			}
		}
	}
}

// near tells whether two figures differ by no more than sums in another order do.
func near(a, b, part float64) bool { return math.Abs(a-b) <= part*math.Max(math.Abs(a), math.Abs(b)) }
