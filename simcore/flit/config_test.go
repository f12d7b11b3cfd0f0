package flit

import (
	"encoding/json"
	"strings"
	"testing"

	"toposearch/topology"
)

// Every bad setting is named in one report.
func TestValidateReportsAll(t *testing.T) {
	c := DefaultConfig()
	c.VCs, c.BufferFlits, c.RoutingDelay, c.VCAllocDelay = 0, -1, -1, 0
	c.VCAllocator, c.SwAllocator, c.Priority = "isslip", "islip(x)", "random"
	c.InternalSpeedup, c.OutputBuffer, c.PacketFlits = 0.5, 0, 0
	c.Sizes, c.Weights = []int{1, 0}, []int{1}
	c.Injection, c.Measure, c.DeadlockCycles, c.Batches, c.Warmup = "poison", 0, 0, 1, -5
	err := c.Validate()
	if err == nil {
		t.Fatal("no error")
	}
	for _, name := range []string{"VCs = 0", "BufferFlits = -1", "RoutingDelay = -1", "VCAllocDelay = 0", `VCAllocator = "isslip"`,
		`SwAllocator = "islip(x)"`, `Priority = "random"`, "InternalSpeedup = 0.5", "OutputBuffer = 0", "PacketFlits = 0",
		"2 Sizes and 1 Weights", "Sizes[1] = 0", `Injection = "poison": there is no injection process "poison" here, but bernoulli, on_off, poisson and mixed(weight*process,...); did you mean "poisson"?`, "Measure = 0", "DeadlockCycles = 0", "Batches = 1", "Warmup = -5"} {
		if !strings.Contains(err.Error(), name) {
			t.Errorf("the report does not name %s:\n%v", name, err)
		}
	}
	d := DefaultConfig()
	if err := d.Validate(); err != nil {
		t.Errorf("the defaults are refused: %v", err)
	}
}

func TestAllocatorNames(t *testing.T) {
	for _, name := range []string{"separable_input_first", "separable_output_first(matrix)", "islip(4)", "pim", "wavefront", "max_size"} {
		if _, err := parseAllocator(name); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, name := range []string{"", "islip(0)", "islip(2", "wavefront(2)", "separable_input_first(lru)", "piggyback"} {
		if _, err := parseAllocator(name); err == nil {
			t.Errorf("%s is accepted", name)
		}
	}
}

func TestTooFewVCs(t *testing.T) {
	g := newGrid(t, 4, true)
	c := DefaultConfig()
	c.VCs = 1
	if _, err := New(g.n, g, uniform{16}, c); err == nil || !strings.Contains(err.Error(), "needs 2 VCs") {
		t.Errorf("torus routing with one VC: error %v", err)
	}
}

func TestLoadOutOfRange(t *testing.T) {
	s := mustNew(t, newGrid(t, 3, false), uniform{9}, DefaultConfig())
	for _, load := range []float64{0, -1, 1.01} {
		if _, err := s.Run(t.Context(), load); err == nil {
			t.Errorf("load %g is accepted", load)
		}
	}
}

// What a result is made from can be written next to it, whoever computed it and with how many
// workers.
func TestConfigAsJSON(t *testing.T) {
	a, b := DefaultConfig(), DefaultConfig()
	b.Workers = 7
	b.ChannelLatency = func(topology.ChannelID) int { return 3 }
	x, err := json.Marshal(a)
	if err != nil {
		t.Fatal(err)
	}
	y, err := json.Marshal(b)
	if err != nil || string(x) != string(y) || !strings.Contains(string(x), `"vcs":4`) {
		t.Errorf("%s\n%s (%v)", x, y, err)
	}
}
