package cutthrough_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"toposearch/internal/racing"
	"toposearch/simcore"
	"toposearch/simcore/cutthrough"
	"toposearch/topology"
)

// oneVC is a routing that says that a single VC will do.
type oneVC struct{ simcore.Routing }

func (oneVC) VCs() int { return 1 }

func (r oneVC) Route(sw topology.SwitchID, p *simcore.Packet, v *simcore.View) simcore.Hop {
	h := r.Routing.Route(sw, p, v)
	h.Lo, h.Hi = 0, 0
	return h
}

// halfTornado sends from even endpoints three switches on, from odd ones to their neighbour.
type halfTornado struct{}

func (halfTornado) Name() string { return "half tornado" }

func (halfTornado) Dest(e topology.EndpointID, _ *simcore.Rand) topology.EndpointID {
	if e%2 == 1 {
		return e - 1
	}
	return (e + 6) % 16
}

// A ring in which everyone sends three switches on with one VC and little memory deadlocks, and the
// packets that wait for each other are named, all the way round, also if half of the traffic goes on. With the VCs that the routing
// needs nothing of the kind happens.
func TestDeadlock(t *testing.T) {
	racing.Figures(t)
	for i, flow := range []string{"credit", "pfc", "credit"} {
		design := "ring(n=8)"
		if i == 2 {
			design = "ring(n=8,t=2)"
		}
		n, r, tr := parts(t, design, "natural", "tornado", 0)
		if i == 2 {
			tr = halfTornado{}
		}
		c := config(n)
		c.FlowControl, c.BufferBytes, c.WarmupNs, c.MeasureNs, c.Queueing = flow, 60_000, 200_000, 800_000, "output"
		if flow == "pfc" {
			c.BufferBytes, c.MTUBytes = 700_000, 2048
		}
		s, err := cutthrough.New(n, oneVC{r}, tr, c)
		if err != nil {
			t.Fatal(err)
		}
		p := run(t, s, 1)
		if i == 2 && p.Accepted < 0.19 { // three packets of buffer in a round trip of 600 ns: 0.41 of half the endpoints
			t.Errorf("%s: the half that stays at home should go on: accepted %.3f", flow, p.Accepted)
		}
		if !p.Deadlocked || !p.Saturated || p.Verdict != simcore.Rejected || p.Deadlock == nil || len(p.Deadlock.Cycle) < 3 {
			t.Fatalf("%s: no deadlock with one VC: accepted %.3f, %+v", flow, p.Accepted, p.Deadlock)
		}
		loop := p.Deadlock.Cycle
		for i, w := range loop {
			first, _ := n.Out(topology.SwitchID(w.Switch))
			if to, next := n.To(first+topology.ChannelID(w.OutPort)), loop[(i+1)%len(loop)]; int32(to) != next.Switch {
				t.Errorf("%s: %+v waits for switch %d, but the next in the circle stands at %d", flow, w, to, next.Switch)
			}
		}
		if text := p.Deadlock.String(); !strings.Contains(text, "no packet has moved") || strings.Count(text, "\n") != len(loop) {
			t.Errorf("%s: %s", flow, text)
		}
		c.BufferBytes *= 3 // for three times the VCs at most
		if s, err = cutthrough.New(n, r, tr, c); err != nil {
			t.Fatal(err)
		}
		if p := run(t, s, 1); p.Deadlocked || p.Dropped > 0 {
			t.Errorf("%s: deadlock %v with %d VCs, %d dropped", flow, p.Deadlock, s.Config().VCs, p.Dropped)
		}
	}
}

// Everything that is wrong with a configuration is said at once.
func TestConfigErrors(t *testing.T) {
	n, r, tr := parts(t, "dragonfly(p=2,a=4,h=2)", "natural", "uniform", 0)
	c := config(n)
	c.SwitchNs, c.ControlNs, c.Speedup, c.BufferBytes, c.MTUBytes, c.MeasureNs, c.Arrivals = 0, -1, 0.5, 0, 70_000, 0, "bursts"
	c.ClassGbps[1], c.BandwidthGbps, c.Sizes, c.Queueing, c.FlowControl, c.PFCAlpha = 0, 0, []int{1}, "x", "y", 2
	_, err := cutthrough.New(n, r, tr, c)
	for _, want := range []string{"SwitchNs = 0", "ControlNs = -1", "Speedup = 0.5", "BufferBytes = 0", "MTUBytes = 70000", "MeasureNs = 0",
		`Arrivals = "bursts": there is no injection process "bursts" here, but constant, on_off, poisson`, "ClassGbps[1] of local", "BandwidthGbps = 0", "1 Sizes and 0 Weights", `Queueing = "x"`, `FlowControl = "y"`, "PFCAlpha = 2"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not in %v", want, err)
		}
	}
	c = config(n)
	c.VCs = 1
	if _, err := cutthrough.New(n, r, tr, c); err == nil || !strings.Contains(err.Error(), "needs 2 VCs") {
		t.Errorf("with one VC: %v", err)
	}
	c = config(n)
	c.SwitchNs, c.ControlNs, c.ClassCableNs = 1, 1, []float64{0, 0, 1e7}
	if _, err := cutthrough.New(n, r, tr, c); err == nil || !strings.Contains(err.Error(), "times the shortest") {
		t.Errorf("with cables of 2,000 km: %v", err)
	}
	s := sim(t, "crossbar(n=4)", "minimal", "uniform", nil)
	for _, load := range []float64{0, -1, 1.1} {
		if _, err := s.Run(context.Background(), load); err == nil {
			t.Errorf("load %g: no error", load)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if p, err := s.Run(ctx, 0.5); !errors.Is(err, context.Canceled) || !p.Interrupted {
		t.Errorf("cancelled: %v, %+v", err, p)
	}
}
