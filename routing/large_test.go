package routing

import (
	"context"
	"errors"
	"strings"
	"testing"

	"toposearch/topology"
)

// Above MaxCheckedSwitches kinds prove what they can, and a walk of feasible size the rest.
func TestLargeNetworks(t *testing.T) {
	ctx := context.Background()
	df := dragonfly(t, 1, 16, 8)
	rep, err := CheckDeadlock(ctx, df, lgl(), 0)
	if err != nil || !rep.Proven || !rep.Acyclic || rep.VCs != 2 || rep.ClassVCs[1] != 2 || rep.ClassVCs[2] != 1 {
		t.Errorf("dragonfly: %+v, %v", rep, err)
	}
	// A local channel is taken before the global one on VC 0 and after it on VC 1.
	if want := "local switch>switch VC 0 < global switch>switch VC 0 < local switch>switch VC 1"; !strings.Contains(rep.Words(df), want) {
		t.Errorf("dragonfly: %q, want %q in it", rep.Words(df), want)
	}
	if testing.Short() {
		t.Skip("walks a network of 2,116 switches")
	}
	mesh := torus(t, false, 46, 46)
	rep, err = CheckDeadlock(ctx, mesh, torusDOR(2), 0)
	if err != nil || !rep.Proven || !rep.Acyclic || rep.Dependencies == 0 {
		t.Errorf("mesh: %+v, %v", rep, err)
	}
}

// What takes long ends when its context does.
func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	n := dragonfly(t, 2, 4, 2)
	for name, f := range map[string]func() error{
		"loads":    func() error { _, err := UniformLoads(ctx, n, lgl(), LoadOptions{Workers: 2}); return err },
		"check":    func() error { _, err := CheckDeadlock(ctx, n, lgl(), 0); return err },
		"minimal":  func() error { _, _, err := MinimalVCs(ctx, n, lgl()); return err },
		"matching": func() error { _, err := LongestMatching(ctx, n); return err },
		"worst":    func() error { _, _, err := WorstLoads(ctx, n, lgl(), LoadOptions{}); return err },
	} {
		if err := f(); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: error = %v, want %v", name, err, context.Canceled)
		}
	}
}

// Caller's faults are errors, not panics.
func TestBadRequests(t *testing.T) {
	ctx := context.Background()
	n := dragonfly(t, 2, 4, 2)
	r, err := New(n, lgl())
	if err != nil {
		t.Fatal(err)
	}
	b := topology.NewBuilder(oneSwitch, twoLinks)
	b.Switch(0, 1)
	b.Endpoints(1, []topology.SwitchID{0})
	alone := built(t, b, "alone")
	for name, f := range map[string]func() error{
		"flow to nowhere":  func() error { _, err := r.FlowLoads(ctx, []Flow{{0, 36, 1}}, LoadOptions{}); return err },
		"flow from a hole": func() error { _, err := r.FlowLoads(ctx, []Flow{{-1, 0, 1}}, LoadOptions{}); return err },
		"flows by orbits":  func() error { _, err := r.FlowLoads(ctx, nil, LoadOptions{Sample: 2}); return err },
		"negative sample":  func() error { _, err := r.UniformLoads(ctx, LoadOptions{Sample: -1}); return err },
		"one endpoint":     func() error { _, err := UniformLoads(ctx, alone, topology.Minimal(), LoadOptions{}); return err },
		"nobody to match":  func() error { _, err := LongestMatching(ctx, alone); return err },
	} {
		if f() == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
