package cutthrough_test

import (
	"context"
	"math"
	"testing"

	"toposearch/simcore"
	"toposearch/simcore/cutthrough"
	"toposearch/simcore/flit"
	"toposearch/simcore/route"
	"toposearch/simcore/traffic"
)

const (
	cycle = 5.12 // ns: a cell of 256 B at 400 Gb/s

	// Cycles measured: short ones at high load; long ones at low load, for as many packets.
	short, long = 4000, 100_000
)

// The two models agree where they model the same: packets of 16 flits, each a cell of 256 B, one
// flit per cycle on a link; links of 40 cycles, so that zero-load latencies are like those of real
// switches; a crossbar twice as fast as its ports; many VCs and deep buffers in the flit engine, so
// that its first-in first-out VCs hardly block. The latency of the cut-through switch is set so that
// lone packets take the same. Then, for uniform traffic, what is accepted at full load agrees within
// 2 %, and the latency at half load within 5 %. Of it, waiting is longer in the flit engine, by up to
// a half: packets on different VCs share a link flit by flit and finish late together, where here
// one goes after the other (M/D/1: half as long first in first out as with shared service).
func TestAgreesWithFlits(t *testing.T) {
	if testing.Short() {
		t.Skip("simulates three networks in two models")
	}
	for _, design := range []string{"crossbar(n=16)", "hyperx(s1=3,s2=3,t=2)", "fattree(k=4,l=3)"} {
		at := func(load float64, cycles int) simcore.Point {
			p, err := flitSim(t, design, cycles).Run(context.Background(), load)
			if err != nil {
				t.Fatal(err)
			}
			return p
		}
		low, half, full := at(0.005, long), at(0.5, short), at(1, short)
		zero := low.Latency.Mean * cycle
		c0 := run(t, cutTwin(t, design, 10, long), 0.005)
		pass := 10 + (zero-c0.Latency.Mean)/c0.Hops.Switches
		c0 = run(t, cutTwin(t, design, pass, long), 0.005)
		cut := cutTwin(t, design, pass, short)
		cHalf, cFull := run(t, cut, 0.5), run(t, cut, 1)
		a, b := half.Latency.Mean*cycle, cHalf.Latency.Mean
		waitA, waitB := a-zero, b-c0.Latency.Mean
		t.Logf("%s: accepted %.3f and %.3f; at half load %.1f and %.1f ns, of it waiting %.1f and %.1f", design, full.Accepted, cFull.Accepted, a, b, waitA, waitB)
		if math.Abs(zero-c0.Latency.Mean) > 0.01*zero {
			t.Errorf("%s: lone packets take %.1f ns, %.1f of flits", design, c0.Latency.Mean, zero)
		}
		if math.Abs(full.Accepted-cFull.Accepted) > 0.02*full.Accepted {
			t.Errorf("%s: at full load %.4f is accepted, of flits %.4f", design, cFull.Accepted, full.Accepted)
		}
		if math.Abs(a-b) > 0.05*a {
			t.Errorf("%s: at half load packets take %.1f ns, of flits %.1f", design, b, a)
		}
		if waitB > 1.03*waitA || waitA > 1.5*waitB {
			t.Errorf("%s: at half load packets wait %.1f ns, of flits %.1f; want somewhat less", design, waitB, waitA)
		}
	}
}

func flitSim(t *testing.T, design string, cycles int) *flit.Sim {
	n, rule := build(t, design)
	tr, err := traffic.ByName("uniform", traffic.Options{Network: n})
	if err != nil {
		t.Fatal(err)
	}
	r, err := route.ByName(context.Background(), "natural", n, route.Options{Natural: rule, VCs: 16})
	if err != nil {
		t.Fatal(err)
	}
	f := flit.DefaultConfig()
	f.VCs, f.BufferFlits, f.PacketFlits, f.InternalSpeedup, f.LinkLatency = 16, 256, 16, 2, 40
	f.Warmup, f.Measure = 4000, cycles
	s, err := flit.New(n, r, tr, f)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func cutTwin(t *testing.T, design string, switchNs float64, cycles int) *cutthrough.Sim {
	return sim(t, design, "natural", "uniform", func(c *cutthrough.Config) {
		c.SwitchNs, c.ControlNs = switchNs, 4*cycle
		for i := range c.ClassCableNs {
			c.ClassCableNs[i] = 40 * cycle
		}
		c.WarmupNs, c.MeasureNs = int(4000*cycle), int(float64(cycles)*cycle)
	})
}
