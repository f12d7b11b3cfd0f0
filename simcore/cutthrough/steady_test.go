package cutthrough_test

import (
	"context"
	"math"
	"reflect"
	"testing"

	"toposearch/simcore"
	"toposearch/simcore/cutthrough"
)

// observed asks for everything.
func observed(c *cutthrough.Config) {
	c.Observe = simcore.Observe{Detail: true, Channels: true, Series: 500}
	c.WarmupRule, c.WarmupNs, c.MeasureNs = simcore.WarmupMSER5, 4000, 8000
}

// A window that has become longer twice measures what one of that length from the same time does:
// every figure, to the last bit.
func TestLongerWindow(t *testing.T) {
	const design = "dragonfly(p=2,a=4,h=2)"
	for _, flow := range []string{"credit", "pfc"} {
		change := func(c *cutthrough.Config) {
			observed(c)
			c.FlowControl, c.BufferBytes, c.NICNs, c.ECNBytes = flow, 4_000_000, 300, 8000
			c.Precision, c.MaxMeasureNs = 1e-6, 40_000 // never reached: a budget of two doublings
		}
		a := run(t, sim(t, design, "natural", "uniform", change), 0.6)
		if a.Stop != simcore.StopBudget || a.Measured < 4*8000 || a.Warmup.Rule != simcore.WarmupMSER5 || !a.Warmup.Settled {
			t.Fatalf("%s: %s after %d ns, warm-up %+v", flow, a.Stop, a.Measured, a.Warmup)
		}
		b := run(t, sim(t, design, "natural", "uniform", func(c *cutthrough.Config) {
			change(c)
			c.MeasureNs, c.MaxMeasureNs, c.DrainNs = 4*8000, 4*8000, 8000
			// Both windows are whole numbers of batches of whole windows of events.
			c.MeasureNs = int(a.Measured)
			c.MaxMeasureNs = c.MeasureNs
		}), 0.6)
		if a.Measured != b.Measured {
			t.Fatalf("%s: windows of %d and %d ns", flow, a.Measured, b.Measured)
		}
		for _, p := range []*cutthrough.Point{&a, &b} { // which depend on how many batches there were before
			p.AcceptedErr, p.AcceptedCI95, p.Latency.StdErr, p.Latency.CI95, p.Latency.Lag1, p.LatencyUs.StdErr, p.LatencyUs.CI95 = 0, 0, 0, 0, 0, 0, 0
		}
		if !reflect.DeepEqual(a, b) {
			t.Errorf("%s: the window that grew measured\n%+v\n%+v\nnot\n%+v\n%+v", flow, a, *a.Detail, b, *b.Detail)
		}
	}
}

// What is measured inside the network hangs together: the parts of a latency add up to it; by
// Little's law the bytes that wait in switches are what arrives times the mean wait there; links
// carry what is accepted, and the series sums up to it.
func TestDetail(t *testing.T) {
	for _, c := range []struct {
		design, flow, queueing string
		load                   float64
	}{{"crossbar(n=16)", "credit", "output", 0.7}, {"dragonfly(p=2,a=4,h=2)", "credit", "voq", 0.6}, {"fullmesh(d1=4,d2=4)", "pfc", "voq", 0.5}, {"hpn(k=16,g=4,segments=2)", "pfc", "output", 0.6}} {
		s := sim(t, c.design, "natural", "uniform", func(x *cutthrough.Config) {
			observed(x)
			x.FlowControl, x.Queueing, x.MeasureNs, x.NICNs = c.flow, c.queueing, 40_000, 250
		})
		p := run(t, s, c.load)
		d, sum := p.Detail, 0.0
		waits := map[string]float64{}
		for _, w := range d.Waits {
			sum += w.Cycles
			waits[w.Where] = w.Cycles
			if w.Cycles < 0 {
				t.Errorf("%s: %+v", c.design, w)
			}
		}
		if math.Abs(sum-p.Latency.Mean) > 1e-6 || waits["behind_other_packet"] <= 0 || waits["source_queue"] <= 0 || c.queueing == "output" && waits["crossbar"] != 0 {
			t.Errorf("%s: the parts of %.3f ns are %v", c.design, p.Latency.Mean, waits)
		}
		inSwitches := waits["behind_other_packet"] + waits["crossbar"] + waits["credit_stall"] + waits["paused"]
		held, endpoints := 0.0, float64(s.Endpoints())
		for _, b := range d.Buffers {
			held += b.MeanBytes * float64(b.Switches)
			if b.MaxBytes > p.BufferPeak || b.MaxVCBytes > p.BufferPeakPort || b.MaxVCBytes > b.VCBytes || b.Fill <= 0 || b.Fill >= 1 {
				t.Errorf("%s: buffers %+v, peaks %d and %d", c.design, b, p.BufferPeak, p.BufferPeakPort)
			}
		}
		// Packets that arrive while the window begins and ends blur it.
		if want := p.AcceptedGbps / 8 * endpoints * inSwitches; math.Abs(held-want) > 0.05*want {
			t.Errorf("%s: switches hold %.0f bytes, %.0f arrive and wait", c.design, held, want)
		}
		for _, l := range d.Links {
			if (l.From == "endpoint" || l.To == "endpoint") && l.Class == "nic" && len(d.Links) == 2 && math.Abs(l.Mean-p.Accepted) > 0.02*p.Accepted || l.Max > 1 || l.Min > l.Mean {
				t.Errorf("%s: accepted %.4f, links %+v", c.design, p.Accepted, l)
			}
		}
		series(t, c.design, &p)
	}
}

func series(t *testing.T, name string, p *cutthrough.Point) {
	t.Helper()
	acc, latency, n := 0.0, 0.0, 0
	for i, x := range p.Series {
		if x.Cycle != int64(i+1)*500 || x.InFlight < 0 {
			t.Errorf("%s: sample %d: %+v", name, i, x)
		}
		if x.Window {
			acc, latency, n = acc+x.Accepted, latency+x.Latency, n+1
		}
	}
	if n < int(p.Measured/500)-1 || math.Abs(acc/float64(n)-p.Accepted) > 0.02*p.Accepted || math.Abs(latency/float64(n)-p.Latency.Mean) > 0.05*p.Latency.Mean {
		t.Errorf("%s: %d samples of the window have %.4f accepted and %.1f ns; the window %.4f and %.1f", name, n, acc/float64(n), latency/float64(n), p.Accepted, p.Latency.Mean)
	}
}

// The precision asked for is reached, or the point says that it is not; a network that saturates is
// not measured for longer; the warm-up of a network that settles at once is short, that of one
// that fills its buffers is not.
func TestPrecision(t *testing.T) {
	s := sim(t, "dragonfly(p=2,a=4,h=2)", "natural", "uniform", func(c *cutthrough.Config) { observed(c); c.Precision = 0.015 })
	p := run(t, s, 0.4)
	if p.Stop != simcore.StopPrecision || p.Latency.CI95 > 0.015*p.Latency.Mean || p.AcceptedCI95 > 0.015*p.Accepted || p.Latency.CI95 <= 0 || p.Saturated {
		t.Errorf("%s: %.3f +- %.3f ns, %.4f +- %.4f", p.Stop, p.Latency.Mean, p.Latency.CI95, p.Accepted, p.AcceptedCI95)
	}
	if p.Warmup.Cycles > 3*4000 || p.Warmup.Looks < 1 || p.Warmup.Cycles < 4000 {
		t.Errorf("warm-up %+v", p.Warmup)
	}
	n, r, tr := parts(t, "dragonfly(p=2,a=4,h=2)", "natural", "tornado", 0)
	c := config(n)
	observed(&c)
	c.Precision = 0.01
	full, err := cutthrough.New(n, r, tr, c)
	if err != nil {
		t.Fatal(err)
	}
	if p := run(t, full, 1); p.Stop != simcore.StopSaturated || !p.Saturated || p.Warmup.Settled {
		t.Errorf("at full load: %s, saturated %v, warm-up %+v", p.Stop, p.Saturated, p.Warmup)
	}
	if r, err := s.Saturation(context.Background(), 0.1); err != nil || r.Load < 0.5 {
		t.Errorf("saturation %g (%v)", r.Load, err)
	}
	if s.Config().Precision != 0.015 {
		t.Error("the search for saturation has changed the precision")
	}
}

// When the context ends, what has been measured comes back: from complete batches, with the time it took.
func TestInterrupted(t *testing.T) {
	for _, at := range []int64{2000, 30_000} {
		ctx, cancel := context.WithCancel(t.Context())
		s := sim(t, "dragonfly(p=2,a=4,h=2)", "natural", "uniform", func(c *cutthrough.Config) { observed(c); c.MeasureNs = 100_000 })
		s.OnProgress(func(ns int64) {
			if ns > at {
				cancel()
			}
		})
		p, err := s.Run(ctx, 0.4)
		if err == nil || !p.Interrupted || p.Stop != simcore.StopInterrupted {
			t.Fatalf("%v: %s", err, p.Stop)
		}
		if at < 4000 && p.Measured != 0 || at > 4000 && (p.Measured < 10_000 || p.Measured > 60_000 || math.Abs(p.Accepted-0.4) > 0.02 || p.Latency.CI95 <= 0 || p.AcceptedErr <= 0 || p.AcceptedErr > 0.02 || p.Detail == nil || len(p.Detail.Waits) == 0) {
			t.Errorf("interrupted at %d: measured %d ns: %+v", at, p.Measured, p)
		}
	}
}
