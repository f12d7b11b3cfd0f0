package flit

import (
	"math"
	"reflect"
	"testing"

	"toposearch/internal/racing"
	"toposearch/simcore"
)

// What is observed changes nothing of the run, and a run repeats with what it observed.
func TestObserveChangesNothing(t *testing.T) {
	racing.Figures(t)
	for _, full := range []bool{false, true} {
		cfg := shortConfig()
		cfg.forceFull = full
		plain, err := mustNew(t, newGrid(t, 4, true), uniform{16}, cfg).Run(t.Context(), 0.4)
		if err != nil {
			t.Fatal(err)
		}
		cfg.Observe = simcore.Observe{Detail: true, Channels: true, Series: 37}
		s := mustNew(t, newGrid(t, 4, true), uniform{16}, cfg)
		got, err := s.Run(t.Context(), 0.4)
		if err != nil {
			t.Fatal(err)
		}
		again, _ := s.Run(t.Context(), 0.4)
		if !reflect.DeepEqual(got, again) {
			t.Errorf("full %t: a second run observed something else", full)
		}
		if got.Detail == nil || len(got.Series) == 0 {
			t.Fatalf("full %t: nothing observed", full)
		}
		got.Detail, got.Series = nil, nil
		if !reflect.DeepEqual(got, plain) {
			t.Errorf("full %t: observed %+v, else %+v", full, got, plain)
		}
	}
}

// With internal speedup flits are counted on the lines on which they leave in the window, though the lean cycle
// knows when they do as soon as they are granted.
func TestDetailOfSteps(t *testing.T) {
	for name, g := range map[string]*grid{"torus": newGrid(t, 4, true), "slow lines": newSlowGrid(t, 4)} {
		var got [2]simcore.Point
		for i := range got {
			cfg := shortConfig()
			cfg.forceFull, cfg.PacketFlits, cfg.InternalSpeedup, cfg.Measure = i == 1, 4, 2, 300
			cfg.Observe = simcore.Observe{Detail: true, Channels: true}
			s := mustNew(t, g, uniform{16}, cfg)
			if s.lean == (i == 1) {
				t.Fatalf("%s: the lean cycle is taken: %t", name, s.lean)
			}
			var err error
			if got[i], err = s.Run(t.Context(), 0.55); err != nil {
				t.Fatal(err)
			}
			if name == "slow lines" {
				// What waits in the crossbar's queue is no longer there, for all that place knows.
				got[i].Detail.Waits = nil
			}
		}
		if !reflect.DeepEqual(got[0], got[1]) {
			t.Errorf("%s: in the lean cycle\n%+v\nin the general one\n%+v", name, got[0].Detail, got[1].Detail)
		}
	}
}

// One flow from endpoint 0 to 2 of a 4x4 mesh goes over switches 0, 1, 2 and nothing else: those
// two channels carry its load, and all others nothing.
func TestDetailOneFlow(t *testing.T) {
	to := make(fixed, 16)
	for i := range to {
		to[i] = -1
	}
	to[0] = 2
	cfg := shortConfig()
	cfg.Observe = simcore.Observe{Detail: true, Channels: true}
	g := newGrid(t, 4, false)
	p, err := mustNew(t, g, to, cfg).Run(t.Context(), 0.5)
	if err != nil {
		t.Fatal(err)
	}
	d := p.Detail
	busy := 0
	for _, c := range d.Channels {
		on := c.FromID == 0 && c.ToID == 1 || c.FromID == 1 && c.ToID == 2
		if on != (c.Flits > 0) {
			t.Errorf("%s to %s carried %d flits", c.From, c.To, c.Flits)
		}
		if on {
			busy++
			if math.Abs(c.Utilisation-0.5) > 4*math.Sqrt(0.25/3000) {
				t.Errorf("%s to %s: utilisation %.3f, want 0.5", c.From, c.To, c.Utilisation)
			}
		}
	}
	if busy != 2 || len(d.Channels) != g.n.Channels() || d.Worst == nil || d.Worst.Utilisation < 0.45 {
		t.Errorf("%d busy channels of %d, worst %+v", busy, len(d.Channels), d.Worst)
	}
	if d.Worst.From != "switch[0]" || d.Worst.To != "switch[1]" {
		t.Errorf("worst link from %q to %q", d.Worst.From, d.Worst.To)
	}
	// One sender: fair among senders; one receiver of sixteen.
	if f := p.Fairness; f.Sent.Jain != 1 || math.Abs(f.Received.Jain-1.0/16) > 1e-12 || f.Received.Min != 0 {
		t.Errorf("fairness %+v", f)
	}
}

// At a low load a head takes one cycle each for routing, VC allocation, switch allocation and
// crossbar at each of its h+1 switches; of the zero-load latency 3 + 4(h+1) + h + s - 1 the rest,
// 3 + h, is on links, but for the s - 1 flits behind it. The parts add up to the mean latency.
func TestWaitsLowLoad(t *testing.T) {
	racing.Figures(t)
	for _, full := range []bool{false, true} {
		cfg := shortConfig()
		cfg.forceFull, cfg.PacketFlits, cfg.Measure, cfg.Observe.Detail = full, 4, 60000, true
		p, err := mustNew(t, newGrid(t, 4, false), uniform{16}, cfg).Run(t.Context(), 0.02)
		if err != nil {
			t.Fatal(err)
		}
		sum := 0.0
		at := map[string]float64{}
		for _, w := range p.Detail.Waits {
			sum += w.Cycles
			at[w.Where] = w.Cycles
		}
		if math.Abs(sum-p.Latency.Mean) > 1e-9*sum {
			t.Errorf("the parts add up to %.4f of %.4f", sum, p.Latency.Mean)
		}
		sw := p.Hops.Mean + 1
		want := map[string]float64{"routing": sw, "vc_allocation": sw, "switch_allocation": sw, "rest_of_packet": 3,
			"link_and_crossbar": 3 + sw + p.Hops.Mean, "credit_stall": 0}
		for k, w := range want {
			// 4000 packets looked at, each at one place; allow noise of counting, and some queueing.
			if math.Abs(at[k]-w) > 0.08*w+0.1 {
				t.Errorf("full %t: %s %.3f cycles, want %.3f", full, k, at[k], w)
			}
		}
	}
}

// Little's law: the heads seen in the network are the rate of packets times the time that their
// heads take, so that no place is forgotten.
func TestLittle(t *testing.T) {
	racing.Figures(t)
	for _, full := range []bool{false, true} {
		cfg := shortConfig()
		cfg.forceFull, cfg.PacketFlits, cfg.Observe.Detail, cfg.RoutingDelay = full, 3, true, 2
		s := mustNew(t, newGrid(t, 4, true), uniform{16}, cfg)
		s.Reset(0.45, 1)
		s.Step(2000)
		s.stat.restart()
		s.stat.all = true
		x := newObserver(s)
		x.open()
		for range 10000 / 64 {
			x.step(s, 64)
		}
		seen := int64(0)
		for _, k := range x.heads {
			seen += k
		}
		mean := float64(seen) / float64(x.snapshots)
		n := float64(s.stat.plat.N())
		head := s.stat.nlat.Mean() - float64(s.stat.frag+s.stat.bodies)/n
		if want := n / (10000 / 64 * 64) * head; math.Abs(mean-want) > 0.04*want {
			t.Errorf("full %t: %.2f heads in the network at a time, want %.2f", full, mean, want)
		}
	}
}

// The series covers the run, and what it says of the window is what the point says.
func TestSeries(t *testing.T) {
	racing.Figures(t)
	cfg := shortConfig()
	cfg.Observe.Series = 250 // divides both 500 and 3000
	p, err := mustNew(t, newGrid(t, 4, false), uniform{16}, cfg).Run(t.Context(), 0.3)
	if err != nil {
		t.Fatal(err)
	}
	sum, n := 0.0, 0
	for i, x := range p.Series {
		if x.Cycle != int64(250*(i+1)) {
			t.Fatalf("sample %d ends at %d", i, x.Cycle)
		}
		if x.Window {
			sum += x.Accepted
			n++
		}
	}
	if n != 12 || math.Abs(sum/12-p.Accepted) > 1e-9 {
		t.Errorf("%d samples in the window accept %.6f, the point %.6f", n, sum/float64(n), p.Accepted)
	}
	// A series that straddles the window's begin loses no flit.
	cfg.Observe.Series = 300
	q, _ := mustNew(t, newGrid(t, 4, false), uniform{16}, cfg).Run(t.Context(), 0.3)
	for _, x := range q.Series {
		if x.Cycle > 300 && (x.Accepted < 0.2 || x.Accepted > 0.4) {
			t.Errorf("sample at %d accepts %.3f of 0.3", x.Cycle, x.Accepted)
		}
	}
}

// All-to-all on a mesh: flits on channels are flits delivered times hops.
func TestLinkUseIsHops(t *testing.T) {
	cfg := shortConfig()
	cfg.Measure, cfg.Observe.Detail, cfg.Observe.Channels = 10000, true, true
	g := newGrid(t, 4, false)
	p, err := mustNew(t, g, uniform{16}, cfg).Run(t.Context(), 0.3)
	if err != nil {
		t.Fatal(err)
	}
	sum := 0.0
	for _, c := range p.Detail.Channels {
		sum += c.Utilisation
	}
	if want := p.Accepted * 16 * p.Hops.Mean; math.Abs(sum-want) > 0.01*want {
		t.Errorf("channels carry %.4f flits per cycle, want %.4f", sum, want)
	}
	for _, l := range p.Detail.Links {
		if l.From == "endpoint" && (math.Abs(l.Mean-p.Accepted) > 0.01 || l.Channels != 16) {
			t.Errorf("%+v, accepted %.4f", l, p.Accepted)
		}
	}
	if p.Detail.Worst.Utilisation < p.Detail.Links[0].Mean {
		t.Errorf("worst %+v below the mean", p.Detail.Worst)
	}
}

// BenchmarkObserve compares a run without and with observation.
func BenchmarkObserve(b *testing.B) {
	for _, detail := range []bool{false, true} {
		name := map[bool]string{false: "off", true: "detail"}[detail]
		b.Run(name, func(b *testing.B) {
			cfg := shortConfig()
			cfg.Observe.Detail = detail
			s := mustNew(b, newGrid(b, 16, true), uniform{256}, cfg)
			for b.Loop() {
				if _, err := s.Run(b.Context(), 0.3); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
