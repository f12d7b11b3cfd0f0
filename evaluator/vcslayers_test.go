package evaluator

import (
	"math"
	"strings"
	"testing"

	"toposearch/evaluator/metric"
)

// Layers by hand as in routing.TestLayeredKnown: a tree has no cycle of dependencies, a ring from 5 switches on needs two
// layers. Not asked for by name they are absent, and so are those of a design whose tables are too large.
func TestLayers(t *testing.T) {
	both := []metric.Key{metric.VCsLASH, metric.VCsDFSSSP}
	for _, c := range []struct {
		design string
		keys   []metric.Key
		level  int
		want   float64 // 0: absent
		why    string
	}{
		{"ring(n=4)", both, 0, 1, ""}, {"ring(n=8)", both, 0, 2, ""}, {"fattree(k=4,l=3)", both, 0, 1, ""},
		{"ring(n=8)", nil, 2, 0, "not asked for by name"},
		{"fattree(k=64,l=3)", both, 0, 0, "table entries"},
	} {
		r := evaluate(t, newEvaluator(t, Options{}), parse(t, c.design), Request{Keys: c.keys, Level: c.level})
		for _, k := range both {
			f := r.Metrics[k]
			if r.Have[k] != (c.want > 0) || f.Value != c.want || !strings.Contains(r.Absent[k], c.why) {
				t.Errorf("%s: %s is %v, want %v; %s", c.design, metric.Keys[k].Name, f, c.want, r.Absent[k])
			}
		}
	}
}

// Throughput of tables by hand: with two endpoints on each of four leaves and two spines, both endpoints of a leaf
// share one way down under LASH, which 6 others load with 12/7; under DFSSSP each has a spine. Paths are shortest ones,
// so that hops are those of minimal routing.
func TestThroughputOfTables(t *testing.T) {
	keys := []metric.Key{metric.UniformThroughput, metric.MeanHops, metric.Latency}
	d := parse(t, "fattree(k=4,l=2)")
	at := func(name string) *Result {
		return evaluate(t, newEvaluator(t, Options{BandwidthGbps: 400, Routing: name}), d, Request{Keys: keys})
	}
	minimal := at(RoutingMinimal)
	for name, want := range map[string]float64{RoutingLASH: 7.0 / 12, RoutingDFSSSP: 7.0 / 6} {
		r := at(name)
		if x := r.Metrics[metric.UniformThroughput].Value; math.Abs(x-want) > 1e-9 || r.Routing != name {
			t.Errorf("%s: uniform throughput %v by %s, want %v; %s", name, x, r.Routing, want, r.Absent[metric.UniformThroughput])
		}
		for _, k := range keys[1:] {
			if a, b := r.Metrics[k], minimal.Metrics[k]; !r.Have[k] || math.Abs(a.Value-b.Value) > 1e-6*b.Value {
				t.Errorf("%s: %s is %v, of minimal routing %v; %s", name, metric.Keys[k].Name, a.Value, b.Value, r.Absent[k])
			}
		}
	}
}
