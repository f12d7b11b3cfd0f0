package simulate_test

import (
	"context"
	"fmt"
	"log"

	"toposearch/simcore/flit"
	"toposearch/simulate"
	"toposearch/topology"
	"toposearch/topology/family"
)

// A design at one load of uniform traffic, with the routing that its family gives it.
func Example() {
	ctx := context.Background()
	d, err := topology.ParseDesign("dragonfly(p=2,a=4,h=2)", family.All())
	if err != nil {
		log.Fatal(err)
	}
	n, err := d.Build()
	if err != nil {
		log.Fatal(err)
	}
	choice := &simulate.Choice{Routing: "natural", Traffic: "uniform", Want: 4, Seed: 1}
	routing, traffic, err := choice.Build(ctx, d, n)
	if err != nil {
		log.Fatal(err)
	}
	cfg := flit.DefaultConfig()
	cfg.VCs = 4
	sim, err := flit.New(n, routing, traffic, cfg)
	if err != nil {
		log.Fatal(err)
	}
	r := &simulate.Runner{Workers: 2}
	points, err := r.Loads(ctx, sim, []float64{0.3})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("accepted %.2f, saturated: %v\n", points[0].Accepted, points[0].Saturated)
	// Output: accepted 0.30, saturated: false
}
