package flit

import (
	"math"
	"reflect"
	"strings"
	"testing"

	"toposearch/internal/racing"
	"toposearch/simcore"
)

// TestWatch: the packets of a watched pair take, in a nearly idle mesh, the zero-load latency of 7 switches and 6 links, 3 + 4 * 7 + 6 = 37
// cycles; their number is what their load makes, which a source that sends nothing else has too; whatever the parts of the network.
func TestWatch(t *testing.T) {
	for _, c := range []struct {
		load    float64
		measure int
		parts   []int
	}{{0.005, racing.Of(300_000, 30_000), []int{1}}, {0.4, racing.Of(30_000, 3_000), []int{1, 3}}} {
		var want *simcore.Watched
		load := c.load
		for _, parts := range c.parts {
			cfg := shortConfig()
			cfg.Measure, cfg.VCs = c.measure, 8
			cfg.Observe.Watch = &simcore.Pair{Src: 0, Dst: 15}
			s := mustNew(t, newGrid(t, 4, false), uniform{16}, cfg)
			if got := s.split(parts); got != parts {
				t.Fatalf("%d parts made of %d", parts, got)
			}
			p, err := s.Run(t.Context(), load)
			if err != nil {
				t.Fatal(err)
			}
			w := p.Watched
			if parts == 1 {
				want = w
			} else if !reflect.DeepEqual(w, want) {
				t.Errorf("%d parts: %+v, on one %+v", parts, w, want)
			}
			expect := 0.001 * load * 16 * float64(cfg.Measure) // packets of a flit
			if math.Abs(float64(w.Packets)-expect) > 5*math.Sqrt(expect) || math.Abs(w.Share-0.001) > 1e-9 || math.Abs(p.Accepted/load-1) > 0.05 {
				t.Errorf("load %v: %d packets, want about %.0f; share %v, accepted %v", load, w.Packets, expect, w.Share, p.Accepted)
			}
			if load < 0.1 && (w.Latency.P50 != 37 || w.Latency.Mean < 37 || w.Latency.Mean > 38) || load > 0.1 && w.Latency.Mean < 38 {
				t.Errorf("load %v: latency %+v", load, w.Latency)
			}
		}
	}
	// The rest of its source sends nothing, so that nothing delays the pair.
	to := make(fixed, 16)
	for e := range to {
		to[e] = -1
	}
	to[5] = 6
	cfg := shortConfig()
	cfg.Measure, cfg.Observe.Watch = 20_000, &simcore.Pair{Src: 0, Dst: 3}
	p, err := mustNew(t, newGrid(t, 4, false), to, cfg).Run(t.Context(), 0.5)
	if err != nil || p.Watched.Latency.Mean != 3+4*4+3 || p.Watched.Latency.Max != 22 {
		t.Errorf("%+v (%v)", p.Watched, err)
	}
	for _, bad := range []simcore.Pair{{Src: 0, Dst: 16}, {Src: -1, Dst: 3}, {Src: 2, Dst: 2}} {
		cfg.Observe.Watch = &bad
		g := newGrid(t, 4, false)
		if _, err := New(g.n, g, to, cfg); err == nil || !strings.Contains(err.Error(), "of the watched pair") && !strings.Contains(err.Error(), "the watched pair is endpoint") {
			t.Errorf("%+v: %v", bad, err)
		}
	}
}
