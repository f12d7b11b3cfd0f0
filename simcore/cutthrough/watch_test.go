package cutthrough_test

import (
	"math"
	"reflect"
	"strings"
	"testing"

	"toposearch/internal/racing"
	"toposearch/simcore"
	"toposearch/simcore/cutthrough"
)

// TestWatch: the packets of a watched pair take, in a nearly idle tree, three switches of 400 ns, four cables of 10 ns and 4096 B at 400 Gb/s:
// 1321.92 ns, a few of them more; their number is what their load makes, and they are on top of what the traffic offers; whatever the number of workers.
func TestWatch(t *testing.T) {
	for _, c := range []struct {
		load    float64
		measure int
		workers []int // several where packets meet: in an idle network they would mostly wait for each other
	}{{0.02, racing.Of(20_000_000, 2_000_000), []int{1}}, {0.5, racing.Of(2_000_000, 200_000), []int{1, 3}}} {
		var want *simcore.Watched
		for _, workers := range c.workers {
			s := sim(t, "fattree(k=4,l=2)", "natural", "uniform", func(cfg *cutthrough.Config) {
				for i := range cfg.ClassCableNs {
					cfg.ClassCableNs[i] = 10
				}
				cfg.MeasureNs, cfg.Workers, cfg.Observe.Watch = c.measure, workers, &simcore.Pair{Src: 0, Dst: 7}
			})
			p := run(t, s, c.load)
			w := p.Watched
			if workers == 1 {
				want = w
			} else if !reflect.DeepEqual(w, want) {
				t.Errorf("%d workers: %+v, with one %+v", workers, w, want)
			}
			expect := 0.001 * c.load * 8 * float64(c.measure) / 81.92
			if math.Abs(float64(w.Packets)-expect) > 5*math.Sqrt(expect) || math.Abs(w.Share-0.001) > 1e-9 || math.Abs(p.Accepted/c.load-1) > 0.05 {
				t.Errorf("load %v: %d packets, want about %.0f; share %v, accepted %v", c.load, w.Packets, expect, w.Share, p.Accepted)
			}
			if l := &w.Latency; l.Mean < 1321.9 || c.load < 0.1 && l.Mean > 1330 || c.load > 0.1 && l.Mean < 1330 {
				t.Errorf("load %v: latency %+v", c.load, *l)
			}
		}
	}
	n, r, tr := parts(t, "fattree(k=4,l=2)", "natural", "uniform", 0)
	for _, bad := range []simcore.Pair{{Src: 0, Dst: 8}, {Src: -1, Dst: 3}, {Src: 2, Dst: 2}} {
		cfg := config(n)
		cfg.Observe.Watch = &bad
		if _, err := cutthrough.New(n, r, tr, cfg); err == nil || !strings.Contains(err.Error(), "watched pair") {
			t.Errorf("pair %+v: %v", bad, err)
		}
	}
}

// Sources that are on and off by turns, 1 us each, offer the load, and make packets wait longer than others; on any number of workers alike.
func TestOnOff(t *testing.T) {
	at := func(arrivals string, workers int) cutthrough.Point {
		return run(t, sim(t, "fattree(k=4,l=2)", "natural", "uniform", func(cfg *cutthrough.Config) {
			cfg.MeasureNs, cfg.Workers, cfg.Arrivals = 1_000_000, workers, arrivals
		}), 0.3)
	}
	p, smooth := at("on_off(0.001,0.001)", 1), at("poisson", 1)
	if math.Abs(p.Accepted/0.3-1) > 0.05 || p.Latency.Mean < smooth.Latency.Mean+20 {
		t.Errorf("accepted %v, latency %v, of poisson %v", p.Accepted, p.Latency.Mean, smooth.Latency.Mean)
	}
	if q := at("on_off(0.001,0.001)", 3); q.Accepted != p.Accepted || q.Latency != p.Latency {
		t.Errorf("3 workers: %+v, one %+v", q.Latency, p.Latency)
	}
	n, r, tr := parts(t, "fattree(k=4,l=2)", "natural", "uniform", 0)
	cfg := config(n)
	cfg.Arrivals = "on_off"
	if _, err := cutthrough.New(n, r, tr, cfg); err == nil || !strings.Contains(err.Error(), "on_off(alpha,beta)") {
		t.Errorf("on_off without numbers: %v", err)
	}
}
