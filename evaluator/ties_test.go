package evaluator

import (
	"fmt"
	"testing"

	"toposearch/evaluator/metric"
	"toposearch/internal/racing"
	"toposearch/topology/family/familytest"
)

// A ring of four, a torus and a mesh of 2 x 2, and the square among the hypercubes and HyperX are
// one network: their latencies are equal to the last bit. The means of the classes of links, summed
// up in another order, made some 1e-13 ns better than others, which they then dominated.
func TestEqualLatenciesAreEqual(t *testing.T) {
	racing.Figures(t)
	e := newEvaluator(t, Options{BandwidthGbps: 400})
	for n := 1; n <= 8; n++ {
		want := 0.0
		for _, square := range []string{"ring(n=4,t=%d)", "torus(k1=4,t=%d)", "torus(k1=2,k2=2,t=%d)", "mesh(k1=2,k2=2,t=%d)",
			"hypercube(n=2,t=%d)", "hyperx(s1=2,s2=2,t=%d)"} {
			d := familytest.Parse(t, fmt.Sprintf(square, n))
			got := evaluate(t, e, d, Request{Level: 1}).Metrics[metric.Latency]
			if want == 0 {
				want = got.Value
			}
			if got.Value != want || got.Lo > want || got.Hi < want {
				t.Errorf("%s: latency %+v, want %v ns as of the same network by another name", d, got, want)
			}
		}
	}
}

// A switch alone carries what its endpoints send, under any routing. Without a figure it would miss
// every limit on throughput, which the cheapest network of 64 endpoints does not.
func TestSingleSwitchThroughput(t *testing.T) {
	for _, routing := range []string{"natural", "minimal", "valiant"} {
		e := newEvaluator(t, Options{BandwidthGbps: 400, Routing: routing})
		for _, name := range []string{"crossbar(n=64)", "zcube(n=64,k=1)", "fattree(k=64,l=1)"} {
			d := familytest.Parse(t, name)
			r := evaluate(t, e, d, Request{Keys: []metric.Key{metric.UniformThroughput, metric.UniformThroughputOptimal}})
			for _, k := range []metric.Key{metric.UniformThroughput, metric.UniformThroughputOptimal} {
				if got := r.Metrics[k]; !r.Have[k] || got.Lo != 1 || got.Value != 1 || got.Hi != 1 {
					t.Errorf("%s, %s: %s %+v %q, want 1", name, routing, metric.Keys[k].Name, got, r.Absent[k])
				}
			}
		}
	}
}
