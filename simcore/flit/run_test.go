package flit

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"toposearch/internal/racing"
	"toposearch/simcore"
	"toposearch/topology"
)

func shortConfig() Config {
	c := DefaultConfig()
	c.Warmup, c.Measure = 500, 3000
	return c
}

// Far from saturation everything offered is accepted, and the mean latency is that of an empty
// network plus a little: mean hops between distinct nodes of a 4x4 mesh are 2.667, so 3 + 4*3.667
// + 2.667 = 20.33 cycles.
func TestRunLowLoad(t *testing.T) {
	s := mustNew(t, newGrid(t, 4, false), uniform{16}, shortConfig())
	p, err := s.Run(t.Context(), 0.05)
	if err != nil {
		t.Fatal(err)
	}
	if p.Saturated || p.Deadlocked || p.Unreachable != 0 {
		t.Errorf("at load 0.05: %+v", p)
	}
	if math.Abs(p.Accepted-0.05) > 4*math.Sqrt(0.05/3000/16) {
		t.Errorf("accepted %.4f of 0.05", p.Accepted)
	}
	if p.Latency.Mean < 20.0 || p.Latency.Mean > 21.5 || p.Network.Mean > p.Latency.Mean {
		t.Errorf("latency %.2f, network latency %.2f, want 20.33 to 21.5", p.Latency.Mean, p.Network.Mean)
	}
	if math.Abs(p.Hops.Mean-2.667) > 0.1 {
		t.Errorf("hops %.3f, want 2.667", p.Hops.Mean)
	}
	if p.Latency.StdErr <= 0 || p.Latency.StdErr > 0.5 || p.Latency.P50 > p.Latency.P95 || p.Latency.P99 > p.Latency.Max {
		t.Errorf("latency %+v", p.Latency)
	}
}

func TestRunSaturated(t *testing.T) {
	racing.Figures(t)
	s := mustNew(t, newGrid(t, 4, false), uniform{16}, shortConfig())
	p, err := s.Run(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	// Bisection of a 4x4 mesh: 8 channels each way for 16 endpoints, half of whose traffic crosses
	// (8 of 15 destinations): 4 flits per cycle to one side over 4 channels; at most 4/(8*8/15).
	if !p.Saturated || p.Deadlocked || p.Accepted > 4/(8*8.0/15) || p.Accepted < 0.5 {
		t.Errorf("at load 1: accepted %.3f, saturated %t", p.Accepted, p.Saturated)
	}
}

// One seed, one result: whatever ran before on the same Sim, and however many workers.
func TestDeterminism(t *testing.T) {
	loads := []float64{0.1, 0.2, 0.3, 0.5, 0.8}
	var want []simcore.Point
	for _, workers := range []int{1, 2, 5} {
		cfg := shortConfig()
		cfg.Workers, cfg.Seed = workers, 42
		s := mustNew(t, newGrid(t, 4, true), uniform{16}, cfg)
		got, err := s.Curve(t.Context(), loads)
		if err != nil {
			t.Fatal(err)
		}
		if want == nil {
			want = got
			again, err := s.Run(t.Context(), loads[2])
			if err != nil || !reflect.DeepEqual(again, got[2]) {
				t.Errorf("a second run of load %g differs: %+v, %+v (%v)", loads[2], again, got[2], err)
			}
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%d workers: %+v, want %+v", workers, got, want)
		}
	}
	cfg := shortConfig()
	cfg.Seed = 43
	p, err := mustNew(t, newGrid(t, 4, true), uniform{16}, cfg).Run(t.Context(), 0.3)
	if err != nil || reflect.DeepEqual(p, want[2]) {
		t.Errorf("another seed gives the same result (%v)", err)
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	p, err := mustNew(t, newGrid(t, 4, false), uniform{16}, shortConfig()).Run(ctx, 0.3)
	if !errors.Is(err, context.Canceled) || !p.Interrupted {
		t.Errorf("cancelled run: %+v, %v", p, err)
	}
}

// The bracket is at most 2 % wide, its ends were tried, and larger buffers do not saturate
// earlier.
func TestSaturationBracket(t *testing.T) {
	if testing.Short() {
		t.Skip("slow")
	}
	var last float64
	for _, buf := range []int{2, 8, 32} {
		cfg := shortConfig()
		cfg.BufferFlits = buf
		r, err := mustNew(t, newGrid(t, 5, false), uniform{25}, cfg).Saturation(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		wide := 0.02
		if r.Undecided > 0 { // loads so close to the answer that the longest run does not decide
			wide = 0.1
		}
		if r.Load <= 0 || r.Above <= r.Load || r.Above-r.Load > wide*r.Above || r.Deadlocked {
			t.Errorf("buffers of %d: bracket %g to %g", buf, r.Load, r.Above)
		}
		for _, p := range r.Points {
			if p.Saturated && p.Offered <= r.Load || !p.Saturated && p.Offered >= r.Above {
				t.Errorf("buffers of %d: load %g has saturated = %t outside the bracket %g to %g", buf, p.Offered, p.Saturated, r.Load, r.Above)
			}
		}
		if r.Load < 0.97*last {
			t.Errorf("buffers of %d saturate at %.3f, smaller ones at %.3f", buf, r.Load, last)
		}
		last = r.Load
	}
}

// The numbers of switches mean nothing: with the same order of ports every figure is the same.
func TestRenumbering(t *testing.T) {
	perm := rand.New(rand.NewPCG(5, 6)).Perm(25)
	var want []simcore.Point
	for i, g := range []*grid{newGrid(t, 5, true), newNumberedGrid(t, 5, true, perm)} {
		got, err := mustNew(t, g, uniform{25}, shortConfig()).Curve(t.Context(), []float64{0.2, 0.6, 1})
		if err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			want = got
		} else if !reflect.DeepEqual(got, want) {
			t.Errorf("renumbered: %+v, want %+v", got, want)
		}
	}
}

// Packets of mixed sizes and on/off sources offer the load that was asked for.
func TestInjectionRates(t *testing.T) {
	racing.Figures(t)
	for _, set := range []func(*Config){
		func(c *Config) { c.Sizes, c.Weights = []int{1, 3, 9}, []int{5, 2, 1} },
		func(c *Config) { c.Injection, c.Alpha, c.Beta = "on_off", 0.05, 0.05 },
		func(c *Config) { c.Injection, c.Alpha, c.Beta, c.PacketFlits = "on_off", 0.2, 0.1, 4 },
		func(c *Config) { c.Injection = "on_off(0.2,0.1)" },
		func(c *Config) { c.Injection, c.PacketFlits = "poisson", 4 },
		func(c *Config) { c.Injection = "mixed(1*poisson,2*bernoulli,1*on_off(0.1,0.1))" },
	} {
		cfg := shortConfig()
		cfg.Measure, cfg.VCs = 20000, 8
		set(&cfg)
		p, err := mustNew(t, newGrid(t, 4, false), uniform{16}, cfg).Run(t.Context(), 0.2)
		if err != nil || p.Saturated || math.Abs(p.Accepted/0.2-1) > 0.03 {
			t.Errorf("%s %v: accepted %.4f of 0.2, saturated %t (%v)", cfg.Injection, cfg.Sizes, p.Accepted, p.Saturated, err)
		}
	}
}

// Silent endpoints offer nothing, and loads are per endpoint that sends.
func TestSilentEndpoints(t *testing.T) {
	to := fixed{1, -1, -1, -1, -1, -1, -1, -1, -1}
	p, err := mustNew(t, newGrid(t, 3, false), to, shortConfig()).Run(t.Context(), 0.5)
	if err != nil || p.Saturated || math.Abs(p.Accepted-0.5) > 0.05 {
		t.Errorf("one sender of nine at load 0.5: accepted %.3f, saturated %t (%v)", p.Accepted, p.Saturated, err)
	}
}

// noDateline routes a torus without changing VCs, which is known to deadlock.
type noDateline struct{ *grid }

func (r noDateline) VCs() int { return 1 }
func (r noDateline) Route(sw topology.SwitchID, p *simcore.Packet, v *simcore.View) simcore.Hop {
	h := r.grid.Route(sw, p, v)
	h.Lo, h.Hi = 0, 0
	return h
}

func TestDeadlockIsFound(t *testing.T) {
	racing.Figures(t)
	g := newGrid(t, 6, true)
	cfg := shortConfig()
	cfg.VCs, cfg.BufferFlits, cfg.PacketFlits, cfg.Measure = 1, 2, 4, 20000
	s, err := New(g.n, noDateline{g}, uniform{36}, cfg)
	if err != nil {
		t.Fatal(err)
	}
	p, err := s.Run(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	if !p.Deadlocked || !p.Saturated || p.Verdict != simcore.Rejected || p.Deadlock == nil || len(p.Deadlock.Cycle) < 3 {
		t.Fatalf("a torus without datelines at load 1: deadlocked %t, %v", p.Deadlocked, p.Deadlock)
	}
	// Each waits for a channel that leads to the switch of the next.
	c := p.Deadlock.Cycle
	for i, w := range c {
		first, _ := g.n.Out(topology.SwitchID(w.Switch))
		next := c[(i+1)%len(c)]
		if to := g.n.To(first + topology.ChannelID(w.OutPort)); int32(to) != next.Switch {
			t.Errorf("%v\nwait %d leads to switch %d, the next stands at %d", p.Deadlock, i, to, next.Switch)
		}
	}
	// With datelines the same load saturates and does not deadlock.
	cfg.VCs = 2
	p, err = mustNew(t, g, uniform{36}, cfg).Run(t.Context(), 1)
	if err != nil || p.Deadlocked {
		t.Errorf("with datelines: %+v (%v)", p.Deadlock, err)
	}
}

// After warm-up nothing is allocated per cycle. Rare growth of a bucket beyond its largest size so
// far is allowed for by running long first and letting less than one in a thousand cycles grow.
func TestNoAllocation(t *testing.T) {
	racing.Figures(t)
	for _, full := range []bool{false, true} {
		cfg := DefaultConfig()
		cfg.forceFull = full
		s := mustNew(t, newGrid(t, 8, true), uniform{64}, cfg)
		s.Reset(0.3, 1)
		s.Step(8000)
		if n := testing.AllocsPerRun(5, func() { s.Step(1000) }); n > 1 {
			t.Errorf("general cycle %t: %.1f allocations in 1000 cycles", full, n)
		}
	}
}

// A window that grew until it told the load is drained for as long as it lasted: close to saturation packets take longer
// than the window that was asked for, and the load is accepted all the same.
func TestDrainAsLongAsMeasured(t *testing.T) {
	racing.Figures(t)
	cfg := DefaultConfig()
	cfg.Warmup, cfg.Measure, cfg.MaxMeasure, cfg.DeadlockCycles, cfg.Precision = 20_000, 100, 51_200, 64, 0.02
	p, err := mustNew(t, newGrid(t, 8, false), uniform{64}, cfg).Run(t.Context(), 0.4)
	if err != nil {
		t.Fatal(err)
	}
	if p.Verdict != simcore.Accepted || p.Latency.Max <= int64(max(cfg.Measure, cfg.DeadlockCycles)) {
		t.Fatalf("accepted share %.3f±%.3f after %d cycles, latencies of up to %d: the test needs a load just below saturation", p.Share, p.ShareErr, p.Measured, p.Latency.Max)
	}
	if p.Saturated {
		t.Errorf("%d cycles measured, latencies of up to %d, share %.3f, and yet saturated", p.Measured, p.Latency.Max, p.Share)
	}
}
