package main

import (
	"testing"

	"toposearch/internal/racing"
	"toposearch/simulate"
)

// eval and simulate --saturation measure the same switch at the same rates in the same unit. Two ports of 200 Gb/s serve the
// 300 asked, so that load 1 is three quarters of what the endpoint could send.
func TestOneSaturation(t *testing.T) {
	racing.Figures(t)
	const design = "bcube(n=3,l=2)"
	var eval evalDoc
	decode(t, "toposearch.eval/1", &eval, "eval", design, "--bandwidth", "300 Gb/s", "--metrics", "sim_saturation,uniform_throughput")
	var sim simulate.Document
	decode(t, "toposearch.simulate/1", &sim, "simulate", design, "--bandwidth", "300 Gb/s", "--load", "0.1", "--saturation")
	m, s := eval.Designs[0].Metrics["sim_saturation"], sim.Saturation
	if s.Load > m.Hi || s.High() < m.Lo {
		t.Errorf("eval says [%g, %g], simulate [%g, %g]", m.Lo, m.Hi, s.Load, s.High())
	}
	if sim.Config["bandwidth_gbps"] != 300.0 || sim.Config["internal_speedup"] != 2.0 || sim.Config["link_gbps"].(map[string]any)["nic"] != 200.0 {
		t.Errorf("configuration %v", sim.Config)
	}
	// Of 9 servers 4 share each switch with one, over two of its links, and 4 are two such hops away; what fills a
	// nic link at uniform_throughput is what saturates.
	if u := eval.Designs[0].Metrics["uniform_throughput"].Value; m.Hi < 0.9*min(u, 1) || m.Lo > min(u, 1)/0.97 {
		t.Errorf("simulated [%g, %g], uniform_throughput %g", m.Lo, m.Hi, u)
	}
}
