package flit_test

import (
	"context"
	"fmt"
	"log"

	"toposearch/simcore/flit"
	"toposearch/simcore/route"
	"toposearch/simcore/traffic"
	"toposearch/topology"
	"toposearch/topology/family"
)

// Uniform traffic at a tenth of full load on a small dragonfly over its natural routes.
func ExampleSim_Run() {
	ctx := context.Background()
	d, err := topology.ParseDesign("dragonfly(p=2,a=4,h=2)", family.All())
	if err != nil {
		log.Fatal(err)
	}
	n, err := d.Build()
	if err != nil {
		log.Fatal(err)
	}
	cfg := flit.DefaultConfig()
	cfg.Seed = 1
	r, err := route.ByName(ctx, "natural", n, route.Options{Natural: d.Family.Natural(d.V), VCs: cfg.VCs})
	if err != nil {
		log.Fatal(err)
	}
	pattern, err := traffic.ByName("uniform", traffic.Options{Network: n})
	if err != nil {
		log.Fatal(err)
	}
	sim, err := flit.New(n, r, pattern, cfg)
	if err != nil {
		log.Fatal(err)
	}
	p, err := sim.Run(ctx, 0.1)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("accepted %.2f flits per cycle and endpoint, saturated: %t\n", p.Accepted, p.Saturated)
	fmt.Printf("mean latency %.1f cycles over %.2f hops\n", p.Latency.Mean, p.Hops.Mean)
	// Output:
	// accepted 0.10 flits per cycle and endpoint, saturated: false
	// mean latency 19.0 cycles over 2.34 hops
}
