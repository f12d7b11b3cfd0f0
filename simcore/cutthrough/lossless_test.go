package cutthrough_test

import (
	"context"
	"reflect"
	"testing"

	"toposearch/simcore/cutthrough"
	"toposearch/simcore/traffic"
)

// Under incast with little memory flow control works hard, and still nothing is lost: credits hold
// every buffer to its size, pauses come early enough for the headroom. The hot endpoint's link is
// then busy throughout.
func TestLossless(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*cutthrough.Config)
		pauses bool
	}{
		{"credit voq", func(c *cutthrough.Config) { c.BufferBytes = 600_000 }, false},
		{"credit output", func(c *cutthrough.Config) { c.BufferBytes, c.Queueing = 600_000, "output" }, false},
		{"pfc voq", func(c *cutthrough.Config) { c.BufferBytes, c.FlowControl = 2_500_000, "pfc" }, true},
		{"pfc output", func(c *cutthrough.Config) {
			c.BufferBytes, c.FlowControl, c.Queueing = 2_500_000, "pfc", "output"
		}, true},
		{"pfc long cables", func(c *cutthrough.Config) {
			c.BufferBytes, c.FlowControl, c.ClassCableNs = 12_000_000, "pfc", []float64{500, 1000, 5000}
		}, true},
		{"pfc mixed sizes", func(c *cutthrough.Config) {
			c.BufferBytes, c.FlowControl, c.Sizes, c.Weights = 2_500_000, "pfc", []int{64, 1500, 4096}, []int{3, 2, 1}
		}, true},
	} {
		s := sim(t, "dragonfly(p=4,a=4,h=2)", "natural", "hotspot(0.3,0)", func(x *cutthrough.Config) {
			x.WarmupNs, x.MeasureNs, x.ECNBytes = 40_000, 20_000, 20_000
			c.change(x)
		})
		p := run(t, s, 0.8)
		per := int64(s.PerVC())
		if p.Dropped > 0 || p.Deadlocked || c.pauses != (p.Pauses > 0) || per > 0 && p.BufferPeakPort > per || p.BufferPeak > s.Config().BufferBytes {
			t.Errorf("%s: dropped %d, deadlock %v, pauses %d, peak of a port %d of %d, of a switch %d of %d",
				c.name, p.Dropped, p.Deadlock, p.Pauses, p.BufferPeakPort, per, p.BufferPeak, s.Config().BufferBytes)
		}
		if per > 0 && p.BufferPeakPort < per*8/10 {
			t.Errorf("%s: buffers of %d bytes held at most %d; the test does not fill them", c.name, per, p.BufferPeakPort)
		}
		if p.AcceptedMax < 0.97 || p.ECNMarked == 0 {
			t.Errorf("%s: the hot endpoint received %.3f of its rate; %d packets were marked", c.name, p.AcceptedMax, p.ECNMarked)
		}
		t.Logf("%s: accepted %.3f, hot %.3f, pauses %d, marked %.3f, peak %d", c.name, p.Accepted, p.AcceptedMax, p.Pauses, *p.ECNShare, p.BufferPeak)
		if err := s.Settled(); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// One worker and several give the same, to the last bit.
func TestWorkers(t *testing.T) {
	for k, c := range []struct {
		design, routing, traffic string
		blocks                   int
	}{
		{"dragonfly(p=2,a=4,h=2)", "ugal_l+adaptive", "group_adversarial", 9},
		{"zcube(n=8,k=2)", "natural+adaptive", "uniform", 0},
		{"bcube(n=4,l=2)", "natural", "randperm(1)", 0},
		{"fattree(k=8,l=3)", "natural", "hotspot(0.1,3)", 0},
		{"dragonfly(p=2,a=4,h=2)", "par", "uniform", 0},
		{"dragonfly(p=2,a=4,h=2)", "ugal_g", "uniform", 0},
	} {
		for f, flow := range []string{"credit", "pfc"} {
			if k > 0 && k&1 != f { // the first with both, the others in turn
				continue
			}
			var want cutthrough.Point
			for i, workers := range []int{1, 2, 16} {
				if testing.Short() && i > 1 {
					break
				}
				n, r, _ := parts(t, c.design, c.routing, "uniform", 0)
				tr, err := traffic.ByName(c.traffic, traffic.Options{Network: n, Blocks: c.blocks})
				if err != nil {
					t.Fatal(err)
				}
				x := config(n)
				observed(&x)
				x.Workers, x.FlowControl, x.WarmupNs, x.MeasureNs = workers, flow, 2000, 3000
				x.Precision, x.MaxMeasureNs = 0.002, 6500
				x.BufferBytes = 3_000_000
				s, err := cutthrough.New(n, r, tr, x)
				if err != nil {
					t.Fatal(err)
				}
				p, err := s.Run(context.Background(), 0.7)
				if err != nil {
					t.Fatal(err)
				}
				if i == 0 {
					want = p
				} else if !reflect.DeepEqual(p, want) {
					t.Errorf("%s %s %s: %d workers\n%+v\nwant\n%+v", c.design, c.routing, flow, workers, p, want)
				}
			}
			if want.Packets == 0 {
				t.Errorf("%s: nothing was measured", c.design)
			}
		}
	}
}
