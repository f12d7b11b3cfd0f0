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
		{Bisection, "zcube(n=12,k=2)"}, {Bisection, "meshtree(k=8)"}, {Bisection, "slimfly(q=5)"}, {Bisection, "zcube(n=3,k=3)"},
		{Bisection, "dragonfly(p=4,a=8,h=4)"}, {Bisection, "zettafly4(a=4,p=2,h=1,c=2)"}, {Bisection, "fattree(k=16,l=3)"},
		{UniformThroughputOptimal, "slimfly(q=5)"}, {UniformThroughputOptimal, "dragonfly(p=2,a=4,h=2)"},
		{WorstThroughput, "torus(k1=6,k2=6)"}, {WorstThroughput, "slimfly(q=5)"},
		{DisjointPaths, "dragonfly(p=4,a=8,h=4)"}, {DisjointPaths, "bcube(n=6,l=2)"},
	} {
		e, d := newEvaluator(b, Options{BandwidthGbps: 400}), parse(b, c.design)
		b.Run(Keys[c.key].Name+"/"+c.design, func(b *testing.B) {
			for b.Loop() {
				if _, err := e.Evaluate(context.Background(), d, Request{Keys: []Key{c.key}}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
