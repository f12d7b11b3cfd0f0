package evaluator

import (
	"context"
	"math"
	"testing"

	"toposearch/evaluator/metric"
	"toposearch/topology"
	"toposearch/topology/family/familytest"
)

// TestClassLoads: loads in closed form are those of every channel of the built network, the worst ones lie in each other's bounds, and the
// busiest class is what limits uniform_throughput.
func TestClassLoads(t *testing.T) {
	ctx := context.Background()
	closed, built := newEvaluator(t, Options{BandwidthGbps: 400}), newEvaluator(t, Options{BandwidthGbps: 400, built: true})
	for _, name := range []string{"dragonfly(p=2,a=4,h=2)", "fattree(k=8,l=3)", "torus(k1=4,k2=4)", "hyperx(s1=4,s2=4,t=4)", "zcube(n=4,k=2)", "slimfly(q=5)"} {
		d := familytest.Parse(t, name)
		x, how, err := closed.ClassLoads(ctx, d, 1e9)
		if err != nil {
			t.Fatal(name, err)
		}
		y, _, err := built.ClassLoads(ctx, d, 1e9)
		if err != nil {
			t.Fatal(name, err)
		}
		most, worst := 0.0, 0.0
		for c := range x {
			if math.IsNaN(x[c].Uniform) != math.IsNaN(y[c].Uniform) || math.Abs(x[c].Uniform-y[c].Uniform) > 1e-9 {
				t.Errorf("%s class %d: uniform load %g in closed form, %g on the network (%s)", name, c, x[c].Uniform, y[c].Uniform, how)
			}
			a, b := x[c].Worst, y[c].Worst
			if a.Lo > b.Hi*(1+1e-9) || b.Lo > a.Hi*(1+1e-9) || a.Lo > a.Hi*(1+1e-9) || b.Lo > b.Hi*(1+1e-9) {
				t.Errorf("%s class %d: worst load %g to %g in closed form, %g to %g on the network", name, c, a.Lo, a.Hi, b.Lo, b.Hi)
			}
			if !math.IsNaN(y[c].Uniform) && (c > 0 || worksOnPorts(d)) {
				most, worst = max(most, y[c].Uniform), max(worst, y[c].Worst.Hi)
			}
		}
		r, err := closed.Evaluate(ctx, d, Request{Keys: []metric.Key{metric.UniformThroughput}})
		if err != nil {
			t.Fatal(err)
		}
		if u := r.Metrics[metric.UniformThroughput].Value; math.Abs(1/most-u) > 1e-9 {
			t.Errorf("%s: the busiest class carries %g, uniform_throughput is %g", name, 1/most, u)
		}
	}
}

func worksOnPorts(d topology.Design) bool {
	var s topology.Size
	return d.Family.Size(d.V, &s) == nil && s.EndpointPorts > 1
}
