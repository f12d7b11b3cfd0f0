package evaluator

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"testing"

	"toposearch/evaluator/metric"
	"toposearch/topology/family"
)

// TestWorstWidths prints how wide the intervals of worst_throughput are that studies compare designs by. Run it with -models.
func TestWorstWidths(t *testing.T) {
	if !*modelsFlag {
		t.Skip("a table: -models")
	}
	for _, names := range [][]string{{RoutingDeployed}, nil} {
		e := newEvaluator(t, Options{BandwidthGbps: 400, MaxVCs: 8, Algorithms: names, ByWorst: names != nil, EncloseWorst: true})
		for _, f := range family.All() {
			if *modelsFamily != "" && f.Name != *modelsFamily {
				continue
			}
			for _, d := range nearest(f, rand.New(rand.NewPCG(1, 2)), []float64{64, 256, 1024, 16384}) {
				r, err := e.Evaluate(context.Background(), d, Request{Level: 1, Keys: []metric.Key{metric.WorstThroughput}})
				if err != nil {
					t.Fatal(err)
				}
				m := r.Metrics[metric.WorstThroughput]
				if !r.Have[metric.WorstThroughput] {
					fmt.Fprintf(os.Stdout, "WORST\t%v\t%s\t%d\t-\t-\t-\t%s\n", names, d, r.Size.Endpoints, r.Absent[metric.WorstThroughput])
					continue
				}
				fmt.Fprintf(os.Stdout, "WORST\t%v\t%s\t%d\t%.4g\t%.4g\t%.3g\t%s\n", names, d, r.Size.Endpoints, m.Lo, m.Hi, m.Hi/m.Lo, m.Method)
			}
		}
	}
}
