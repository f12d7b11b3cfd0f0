package flit

import (
	"math/rand/v2"
	"testing"

	"toposearch/internal/racing"
	"toposearch/topology"
)

// Flits and credits are conserved, buffers never overflow, masks agree with states: checked after
// every cycle of random configurations on mesh and torus, plain and general.
func TestConservation(t *testing.T) {
	racing.Figures(t)
	rng := rand.New(rand.NewPCG(1, 2))
	n := 40
	if testing.Short() {
		n = 8
	}
	for i := range n {
		g := newGrid(t, 3+rng.IntN(3), rng.IntN(2) == 0)
		cfg := randomConfig(rng)
		s := mustNew(t, g, uniform{g.k * g.k}, cfg)
		s.Reset(0.05+0.95*rng.Float64(), uint64(i))
		for range 300 {
			s.Step(1)
			if err := s.check(); err != nil {
				t.Fatalf("case %d, cycle %d: %v\n%+v", i, s.now, err, cfg)
			}
		}
		// Without new packets the network empties, if its routing is free of deadlock.
		s.StopInjection()
		for range 60000 {
			if s.Step(1); s.live == 0 {
				break
			}
		}
		if s.live != 0 || s.inNet != 0 {
			t.Errorf("case %d: %d packets and %d flits never arrived\n%+v", i, s.live, s.inNet, cfg)
		}
		for range s.longest + 8 {
			s.Step(1)
		}
		for op := range s.out {
			if s.used(int32(op)) != 0 || s.out[op].inUse != 0 {
				t.Fatalf("case %d: port %d of an empty network: %+v\n%+v", i, op, s.out[op], cfg)
			}
		}
	}
}

func randomConfig(rng *rand.Rand) Config {
	c := DefaultConfig()
	pick := func(s ...string) string { return s[rng.IntN(len(s))] }
	coin := func() bool { return rng.IntN(3) == 0 }
	c.VCs, c.BufferFlits = 2+rng.IntN(5), 1+rng.IntN(9)
	if rng.IntN(3) == 0 {
		c.SharedFlits = 1 + rng.IntN(12)
	}
	c.RoutingDelay, c.VCAllocDelay, c.SwAllocDelay = rng.IntN(3), 1+rng.IntN(2), 1+rng.IntN(2)
	c.StPrepare, c.StFinal, c.CreditDelay, c.LinkLatency = rng.IntN(2), 1+rng.IntN(2), rng.IntN(4), 1+rng.IntN(5)
	c.PacketFlits = 1 + rng.IntN(6)
	c.WaitForTailCredit, c.VCBusyWhenFull = coin(), coin()
	if coin() { // the lean cycle
		c.SharedFlits, c.RoutingDelay, c.VCAllocDelay = 0, 1, 1
		c.WaitForTailCredit, c.VCBusyWhenFull = false, false
		c.lanes = rng.IntN(5)
		if c.InternalSpeedup = []float64{1, 1.5, 2}[rng.IntN(3)]; c.InternalSpeedup > 1 {
			c.SwAllocDelay, c.StPrepare, c.StFinal = 1, 0, 1
		}
		return c
	}
	if coin() {
		return c
	}
	c.VCAllocator = pick("separable_input_first", "separable_output_first(matrix)", "islip(2)", "pim", "wavefront", "rr_wavefront", "max_size")
	c.SwAllocator = pick("separable_input_first(matrix)", "separable_output_first", "islip", "pim(2)", "wavefront", "max_size")
	c.InputSpeedup, c.OutputSpeedup = 1+rng.IntN(2), 1+rng.IntN(2)
	c.InternalSpeedup = []float64{1, 1.5, 2}[rng.IntN(3)]
	c.OutputBuffer = []int{-1, 1, 4}[rng.IntN(3)]
	c.HoldSwitch, c.VCPrioritizeEmpty, c.VCShuffleRequests = coin(), coin(), coin()
	c.Priority = pick("none", "age", "local_age", "queue_length", "hop_count", "network_age", "sequence")
	if coin() {
		c.Speculative, c.VCAllocDelay, c.SwAllocDelay = true, 1, 1
		c.SpecSwAllocator = pick("prio", "separable_input_first")
		c.SpecMaskByReqs, c.SpecCheckElig = coin(), !coin()
	}
	return c
}

// A switch of more than 64 ports needs masks of several words.
func TestConservationWideSwitch(t *testing.T) {
	racing.Figures(t)
	b := topology.NewBuilder([]topology.SwitchClass{{Name: "switch"}}, []topology.LinkClass{{Name: topology.ClassNic}})
	b.Switch(0, 1)
	const n = 150
	b.Endpoints(n, []topology.SwitchID{0})
	net, err := b.Build("star")
	if err != nil {
		t.Fatal(err)
	}
	for _, full := range []bool{false, true} {
		cfg := DefaultConfig()
		cfg.PacketFlits, cfg.forceFull = 3, full
		s, err := New(net, direct{net}, uniform{n}, cfg)
		if err != nil {
			t.Fatal(err)
		}
		s.Reset(0.6, 5)
		by := make([]int64, n)
		for range 1500 {
			s.Step(1)
			if err := s.check(); err != nil {
				t.Fatalf("general cycle %t, cycle %d: %v", full, s.now, err)
			}
		}
		copy(by, s.stat.acc)
		for e, a := range by {
			if a < 600 || a > 1150 {
				t.Errorf("general cycle %t: endpoint %d has received %d flits in 1500 cycles at load 0.6", full, e, a)
			}
		}
	}
}
