package evaluator_test

import (
	"context"
	"fmt"
	"log"

	"toposearch/evaluator"
	"toposearch/evaluator/metric"
	"toposearch/topology"
	"toposearch/topology/family"
)

// A dragonfly built of parts of the built-in price list: what it costs, in USD, and how it performs.
func ExampleEvaluator_Evaluate() {
	d, err := topology.ParseDesign("dragonfly(p=4,a=8,h=4)", family.All())
	if err != nil {
		log.Fatal(err)
	}
	ev, err := evaluator.New(evaluator.Options{BandwidthGbps: 400})
	if err != nil {
		log.Fatal(err)
	}
	keys := []metric.Key{metric.Endpoints, metric.Switches, metric.MaxHops, metric.UniformThroughput, metric.Cost}
	res, err := ev.Evaluate(context.Background(), d, evaluator.Request{Keys: keys})
	if err != nil {
		log.Fatal(err)
	}
	for _, k := range keys {
		if res.Have[k] {
			fmt.Printf("%s: %.7g\n", metric.Keys[k].Name, res.Metrics[k].Value)
		} else {
			fmt.Printf("%s: %s\n", metric.Keys[k].Name, res.Absent[k])
		}
	}
	// Output:
	// endpoints: 1056
	// switches: 264
	// max_hops: 3
	// uniform_throughput: 1.014423
	// cost: 5734738
}
