package main

import (
	"os"
	"strings"
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

// eval simulates a design as a run of the study does: with its seed, windows, packets, VCs and model.
func TestSaturationOfStudy(t *testing.T) {
	racing.Figures(t)
	for _, test := range []struct{ name, objectives, verify string }{
		{"flits", "[[objective]]\nmetric = \"sim_latency_half_load\"\n", "cycles = 2000\npacket = 2\nvcs = 3\nloads = 3\n"},
		{"cut-through", "", "model = \"cut_through\"\ncycles = 20_000\nloads = 2\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			text := `name = "t"
seed = 7
[endpoints]
count = 12
bandwidth = "400 Gb/s"
[space]
families = ["ring"]
[space.ring]
n = 6
t = 2
[[objective]]
metric = "sim_saturation"
` + test.objectives + "[verify]\ntraffic = [\"uniform\"]\n" + test.verify
			if err := os.WriteFile("study.toml", []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
			if status, _, errw := command(t, "run", "study.toml", "--out", "run", "--quiet"); status != 0 {
				t.Fatalf("exit %d: %s", status, errw)
			}
			var front struct{ Front []evalDesign }
			decode(t, "toposearch.front/1", &front, "show", "run")
			var ev evalDoc
			decode(t, "toposearch.eval/1", &ev, "eval", front.Front[0].Design, "--study", "study.toml", "--metrics", "sim_saturation,sim_latency_half_load")
			for _, name := range []string{"sim_saturation", "sim_latency_half_load"} {
				x, y := ev.Designs[0].Metrics[name], front.Front[0].Metrics[name]
				if x.Value != y.Value || x.Lo != y.Lo || x.Hi != y.Hi || x.Value == 0 && (name == "sim_saturation" || test.objectives != "") {
					t.Errorf("%s: eval %+v, on the front %+v", name, x, y)
				}
			}
			if why := ev.Designs[0].Absent["sim_latency_half_load"]; test.objectives == "" && !strings.Contains(why, "cut_through") {
				t.Errorf("latency in cycles is absent, as %q", why)
			}
		})
	}
}
