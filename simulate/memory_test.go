package simulate_test

import (
	"runtime"
	"testing"

	"toposearch/internal/racing"
	"toposearch/simcore"
	"toposearch/simcore/cutthrough"
	"toposearch/simcore/flit"
	"toposearch/simulate"
)

// TestBytes: the prediction of a simulation's memory holds what the simulation then takes, and not much
// more, by closed forms and by the network, in both engines.
func TestBytes(t *testing.T) {
	racing.Figures(t)
	for _, name := range []string{"fattree(k=12,l=3)", "dragonfly(p=4,a=8,h=4,g=17)", "bcube(n=9,l=3)", "complete(n=33,t=31)"} {
		d, n := network(t, name)
		c := &simulate.Choice{Routing: "natural", Traffic: "uniform", Want: 4, Seed: 1}
		r, tr, err := c.Build(t.Context(), d, n)
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range []struct {
			name string
			set  func(*flit.Config)
		}{
			{"plain", func(c *flit.Config) {}},
			{"deep", func(c *flit.Config) { c.BufferFlits = 40 }},
			{"speedup", func(c *flit.Config) { c.InternalSpeedup = 2 }},
		} {
			cfg := flit.DefaultConfig()
			x.set(&cfg)
			predicted := flit.Bytes(simcore.CountsOf(n), &cfg)
			before := simulate.HeapInUse()
			s, err := flit.New(n, r, tr, cfg)
			if err != nil {
				t.Fatal(err)
			}
			within(t, name+" flit "+x.name, float64(simulate.HeapInUse()-before), predicted)
			runtime.KeepAlive(s)
		}
		for _, flow := range []string{cutthrough.Credit, cutthrough.PFC} {
			cfg := cutthrough.DefaultConfig()
			cfg.FlowControl = flow
			if _, err := simulate.Wire(t.Context(), d, n, 400, &cfg); err != nil {
				t.Fatal(err)
			}
			cfg.VCs = r.VCs()
			predicted := cutthrough.Bytes(simcore.CountsOf(n), &cfg)
			before := simulate.HeapInUse()
			s, err := cutthrough.New(n, r, tr, cfg)
			if err != nil {
				t.Fatal(err)
			}
			within(t, name+" cut-through "+flow, float64(simulate.HeapInUse()-before), predicted)
			runtime.KeepAlive(s)
		}
		runtime.KeepAlive(n)
	}
}

func within(t *testing.T, name string, got, predicted float64) {
	t.Helper()
	t.Logf("%-45s %.2f MB, predicted %.2f", name, got/1e6, predicted/1e6)
	if predicted < 0.85*got || predicted > 1.4*got {
		t.Errorf("%s: %.0f bytes in use, predicted %.0f", name, got, predicted)
	}
}
