package cutthrough_test

import (
	"context"
	"runtime"
	"testing"

	"toposearch/internal/racing"
	"toposearch/routing"
	"toposearch/simcore/cutthrough"
	"toposearch/simcore/route"
)

// Nothing is allocated per packet, event or window once the lists have grown: neither by a network
// under load nor by one that is reset and run again.
func TestNoAllocation(t *testing.T) {
	racing.Figures(t)
	for _, flow := range []string{"credit", "pfc"} {
		s := sim(t, "dragonfly(p=2,a=4,h=2)", "ugal_l+adaptive", "uniform", func(c *cutthrough.Config) { c.FlowControl = flow })
		for seed := range uint64(3) {
			s.Reset(0.6, seed)
			s.Steps(800)
		}
		s.Reset(0.5, 9)
		s.Steps(500)
		if n := testing.AllocsPerRun(5, func() { s.Steps(200) }); n > 0 {
			t.Errorf("%s: %g allocations in 200 windows", flow, n)
		}
	}
}

// What is accepted at full load stays below what the loads of the busiest channel allow, sampling
// aside, and comes near it. (Buffers of 64 MB would not fill in this time, and what does not cross
// the bottleneck would pass at full rate.)
func TestAcceptedBelowLoads(t *testing.T) {
	for i, design := range []string{"fullmesh(d1=4,d2=4)", "dragonfly(p=4,a=4,h=2)", "bcube(n=4,l=2)", "hyperx(s1=4,s2=4,t=6)", "fattree(k=8,l=2,d=6)", "zettafly3(a=4,p=4,h=2)"} {
		if testing.Short() && i > 1 {
			break
		}
		n, rule := build(t, design)
		r, err := route.RouterFor("natural", n, rule)
		if err != nil {
			t.Fatal(err)
		}
		l, err := r.UniformLoads(context.Background(), routing.LoadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		bound := min(1, l.Throughput(n).Throughput)
		for _, queueing := range []string{"voq", "output"}[i&1:][:1] {
			p := run(t, sim(t, design, "natural", "uniform", func(c *cutthrough.Config) {
				c.Queueing, c.WarmupNs, c.MeasureNs, c.BufferBytes = queueing, 40_000, 20_000, 1_500_000
				c.Observe.Detail = true
			}), 1)
			t.Logf("%s %s: accepted %.4f, bound %.4f", design, queueing, p.Accepted, bound)
			if p.Accepted > 1.015*bound || p.Accepted < 0.93*bound {
				t.Errorf("%s %s: accepted %.4f, the busiest channel allows %.4f", design, queueing, p.Accepted, bound)
			}
			for _, u := range p.Detail.Links {
				if u.Max > 1 || u.Mean <= 0 {
					t.Errorf("%s %s: %s links carry %.4f on average, %.4f at most", design, queueing, u.Class, u.Mean, u.Max)
				}
			}
		}
	}
}

// More memory never lowers what is accepted beyond noise under oblivious routing, and little memory
// on long cables costs throughput: a port of B bytes sends at most B per round trip.
func TestBuffersAndRoundTrip(t *testing.T) {
	last := 0.0
	for _, kB := range []int64{8, 16, 64, 512} {
		s := sim(t, "crossbar(n=8)", "minimal", "neighbor", func(c *cutthrough.Config) {
			c.ClassCableNs, c.BufferBytes, c.Arrivals = []float64{500}, kB*1024*8, "constant"
		})
		p := run(t, s, 1)
		// Round trip: cable, pipeline, packet out, cable and control back.
		round := 500 + 400 + 81.92 + 500 + 100.0
		want := min(1, float64(kB*1024/4096)*81.92/round)
		if p.Accepted < want-0.01 || p.Accepted > want+0.01 || p.Accepted < last-0.001 {
			t.Errorf("%d kB: accepted %.4f, want %.4f and no less than %.4f", kB, p.Accepted, want, last)
		}
		last = p.Accepted
	}
}

// Twice the rate of everything, at the same delays, is the same network with packets twice as large:
// in both one packet takes as long to send.
func TestRatesAndSizes(t *testing.T) {
	var got [2]cutthrough.Point
	for i := range got {
		got[i] = run(t, sim(t, "dragonfly(p=2,a=4,h=2)", "natural", "uniform", func(c *cutthrough.Config) {
			c.WarmupNs, c.MeasureNs = 5000, 10_000
			if i == 1 {
				c.BandwidthGbps *= 2
				for k := range c.ClassGbps {
					c.ClassGbps[k] *= 2
				}
				c.MTUBytes *= 2
				c.CellBytes *= 2
				c.BufferBytes *= 2
			}
		}), 0.6)
	}
	a, b := got[0], got[1]
	if a.LatencyUs != b.LatencyUs || a.Accepted != b.Accepted || 2*a.AcceptedGbps != b.AcceptedGbps || 2*a.BufferPeak != b.BufferPeak {
		t.Errorf("doubled rates and sizes: %+v\n%+v", a, b)
	}
}

// The state of a network of switches of radix 64 takes at most 3 KiB per endpoint with buffers of 64 MB,
// packets under way at 30 % load included.
func TestMemory(t *testing.T) {
	n, r, tr := parts(t, "fattree(k=64,l=2)", "natural", "uniform", 0)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	s, err := cutthrough.New(n, r, tr, config(n))
	if err != nil {
		t.Fatal(err)
	}
	s.Reset(0.3, 1)
	s.Steps(60)
	runtime.GC()
	runtime.ReadMemStats(&after)
	per := float64(after.HeapAlloc-before.HeapAlloc) / float64(n.Endpoints())
	t.Logf("%.0f bytes per endpoint", per)
	if per > 3<<10 || per < 200 {
		t.Errorf("%.0f bytes per endpoint, want at most %d", per, 3<<10)
	}
	runtime.KeepAlive(s)
	runtime.KeepAlive(r)
}
