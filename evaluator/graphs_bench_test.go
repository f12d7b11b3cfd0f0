package evaluator

import (
	"context"
	"testing"
	"toposearch/evaluator/metric"
)

// BenchmarkGraphs: cuts, concurrent flows and disjoint paths, of levels 2 and 3.
func BenchmarkGraphs(b *testing.B) {
	for _, c := range []struct {
		key    metric.Key
		design string
	}{
		{metric.Bisection, "zcube(n=12,k=2)"}, {metric.Bisection, "meshtree(k=8)"}, {metric.Bisection, "slimfly(q=5)"}, {metric.Bisection, "zcube(n=3,k=3)"},
		{metric.Bisection, "dragonfly(p=4,a=8,h=4)"}, {metric.Bisection, "zettafly4(a=4,p=2,h=1,c=2)"}, {metric.Bisection, "fattree(k=16,l=3)"},
		{metric.UniformThroughputOptimal, "slimfly(q=5)"}, {metric.UniformThroughputOptimal, "dragonfly(p=2,a=4,h=2)"},
		{metric.WorstThroughput, "torus(k1=6,k2=6)"}, {metric.WorstThroughput, "slimfly(q=5)"},
		{metric.DisjointPaths, "dragonfly(p=4,a=8,h=4)"}, {metric.DisjointPaths, "bcube(n=6,l=2)"},
	} {
		e, d := newEvaluator(b, Options{BandwidthGbps: 400}), parse(b, c.design)
		b.Run(metric.Keys[c.key].Name+"/"+c.design, func(b *testing.B) {
			for b.Loop() {
				if _, err := e.Evaluate(context.Background(), d, Request{Keys: []metric.Key{c.key}}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
