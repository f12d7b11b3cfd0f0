package flit_test

import (
	"context"
	"encoding/json"
	"math"
	"testing"

	"toposearch/internal/racing"
	"toposearch/simcore"
	"toposearch/simcore/flit"
	"toposearch/simcore/route"
	"toposearch/simcore/simtest"
	"toposearch/simcore/traffic"
	"toposearch/topology"
	"toposearch/topology/family/familytest"
)

// failingNet builds a design with its rule.
func failingNet(tb testing.TB, design string) (*topology.Network, topology.Rule) {
	tb.Helper()
	return familytest.Network(tb, design)
}

// failing makes a simulation whose network fails.
func failing(tb testing.TB, design, name string, tr simcore.Traffic, repair int64, list func(*topology.Network) []route.Outage, change func(*flit.Config)) *flit.Sim {
	tb.Helper()
	n, rule := failingNet(tb, design)
	cfg := flit.SwitchConfig()
	cfg.PacketFlits = 4
	if change != nil {
		change(&cfg)
	}
	cfg.Failures = simtest.Failing(tb, n, rule, name, cfg.VCs, repair, list(n))
	if tr == nil {
		var err error
		if tr, err = traffic.ByName("uniform", traffic.Options{Network: n}); err != nil {
			tb.Fatal(err)
		}
	}
	s, err := flit.New(n, cfg.Failures[0].Routing, tr, cfg)
	if err != nil {
		tb.Fatalf("%s: %v", design, err)
	}
	return s
}

func runFailing(tb testing.TB, s *flit.Sim, load float64) simcore.Point {
	tb.Helper()
	p, err := s.Run(context.Background(), load)
	if err != nil {
		tb.Fatal(err)
	}
	return p
}

// A stream of packets of a flit at full load puts one on the link in every cycle. So a link that is down for 400 cycles
// swallows 400, of which as many as its line is long, and one that is being sent, are on it as it fails. Between the two
// switches alone there is no other way.
func TestStreamLosesWhatIsCounted(t *testing.T) {
	for _, latency := range []int{1, 7} {
		s := failing(t, "ring(n=3)", "natural", simtest.Stream{Src: 0, Dst: 1}, route.Never, func(n *topology.Network) []route.Outage {
			return []route.Outage{simtest.During(simtest.Link(n, 0, 1), 1000, 1400)}
		}, func(c *flit.Config) {
			c.Measure, c.Warmup, c.LinkLatency, c.BufferFlits, c.VCs, c.PacketFlits = 3000, 500, latency, 64, 2, 1
		})
		p := runFailing(t, s, 1)
		f := p.Failures
		if n := len(f.Phases); n != 3 {
			t.Fatalf("%d phases", n)
		}
		line := int64(latency) + 1
		if l := f.Lost; l != (simcore.Losses{OnLink: line, AtPort: 400 - line, Packets: 400, Flits: 400}) || f.Phases[1].Lost != l {
			t.Errorf("latency %d: lost %+v, want 400, %d of them on the link", latency, l, line)
		}
		// What has passed the link arrives some cycles later: routing, two allocations, the crossbar and the last line.
		for i, want := range []float64{1, 0, 1} {
			length := f.Phases[i].To - f.Phases[i].From
			if got := f.Phases[i].Accepted; math.Abs(got-want)*length > float64(latency+6) {
				t.Errorf("latency %d: phase %d accepts %.4f, want %.4f", latency, i, got, want)
			}
		}
		if err := s.Settled(); err != nil {
			t.Error(err)
		}
	}
}

// failingCases have every kind of part fail, under every kind of switch and change of tables.
var failingCases = []struct {
	design, routing string
	list            func(*topology.Network) []route.Outage
	change          func(*flit.Config)
}{
	{"fattree(k=4,l=3)", "natural", func(*topology.Network) []route.Outage {
		return []route.Outage{simtest.During(simtest.Down(9), 300, 900), simtest.During(simtest.Down(0), 500, 1200)}
	}, nil},
	{"fattree(k=4,l=3)", "natural+adaptive", func(*topology.Network) []route.Outage {
		return []route.Outage{simtest.During(simtest.Down(17), 300, route.Never)}
	}, func(c *flit.Config) { c.InternalSpeedup, c.SharedFlits = 1, 8 }},
	{"torus(k1=4,k2=4)", "minimal", func(n *topology.Network) []route.Outage {
		return []route.Outage{simtest.During(simtest.Link(n, 0, 1), 300, 900), simtest.During(simtest.Down(6), 350, 700)}
	}, func(c *flit.Config) { c.VCs, c.LinkLatency = 12, 5 }},
	{"torus(k1=4,k2=4)", "updown", func(n *topology.Network) []route.Outage {
		return []route.Outage{simtest.During(simtest.Link(n, 0, 1), 300, 900)}
	}, func(c *flit.Config) { c.HoldSwitch, c.PacketFlits, c.BufferFlits = true, 20, 8 }},
	{"torus(k1=4,k2=4)", "natural", func(n *topology.Network) []route.Outage { // back before what was on the link would have arrived
		return []route.Outage{simtest.During(simtest.Link(n, 0, 1), 300, 303), simtest.During(simtest.Down(5), 600, 602)}
	}, func(c *flit.Config) { c.LinkLatency, c.PacketFlits, c.Speculative = 9, 7, true }},
	{"dragonfly(p=2,a=4,h=2)", "ugal_l", func(n *topology.Network) []route.Outage {
		return []route.Outage{simtest.During(simtest.Link(n, 0, 1), 300, 900)}
	}, func(c *flit.Config) { c.VCs = 8 }}, // one for each hop of the shortest paths round a link that its own routes cannot avoid
	{"dragonfly(p=2,a=4,h=2)", "adaptive_escape", func(n *topology.Network) []route.Outage {
		return []route.Outage{simtest.During(simtest.Link(n, 0, 1), 300, 900), simtest.During(simtest.Down(6), 350, 700)}
	}, nil},
	{"multirail(k=4,l=2,r=2)", "natural", func(n *topology.Network) []route.Outage {
		return []route.Outage{simtest.During(simtest.Port(n, 3), 300, 900), simtest.During(simtest.Down(1), 400, 800)}
	}, nil},
	{"bcube(n=3,l=2)", "natural", func(*topology.Network) []route.Outage {
		return []route.Outage{simtest.During(simtest.Down(2), 300, 900)}
	}, nil},
}

// Every packet that was made is delivered, lost or there, with all credits where they belong; nothing hangs, and a run
// does not depend on the one before, nor on how many cores it is offered.
func TestFailuresConserve(t *testing.T) {
	for _, c := range failingCases {
		s := failing(t, c.design, c.routing, nil, 200, c.list, func(cfg *flit.Config) {
			cfg.Measure, cfg.Warmup, cfg.VCs = 1500, 300, 4
			if c.change != nil {
				c.change(cfg)
			}
		})
		var first string
		// Tables of routes are made by several workers, all else is of one: a network that fails has one part.
		for i, load := range []float64{0.5, 0.2, 0.5}[:racing.Of(3, 1)] {
			if i == 2 {
				s.Split(4)
			}
			p := runFailing(t, s, load)
			f := p.Failures
			if under := s.Whole(); f.UnderWay != under || f.Lost.Packets == 0 || p.Deadlocked {
				t.Errorf("%s %s: %d generated, %d delivered, %d lost, %d under way; %d are. Deadlock: %v", c.design, c.routing, f.Generated, f.Delivered, f.Lost.Packets, f.UnderWay, under, p.Deadlock)
			}
			text, err := json.Marshal(p)
			if err != nil {
				t.Fatal(err)
			}
			if i == 0 {
				first = string(text)
			} else if i == 2 && first != string(text) {
				t.Errorf("%s: results differ:\n%s\n%s", c.design, first, text)
			}
		}
		if err := s.Settled(); err != nil {
			t.Errorf("%s %s: %v", c.design, c.routing, err)
		}
		if _, err := s.Clone(); err != nil {
			t.Errorf("%s %s: a copy, for another load: %v", c.design, c.routing, err)
		}
	}
}

// A network in which nothing fails in the window is simulated as one without a plan, to the cycle.
func TestPlanOfNothing(t *testing.T) {
	none := func(*topology.Network) []route.Outage { return nil }
	change := func(c *flit.Config) { c.Measure, c.Warmup = 1000, 300 }
	s := failing(t, "dragonfly(p=2,a=4,h=2)", "natural", nil, 100, none, change)
	got := runFailing(t, s, 0.4)
	n, rule := failingNet(t, "dragonfly(p=2,a=4,h=2)")
	cfg := s.Config()
	cfg.Failures = nil
	r, err := route.ByName(context.Background(), "natural", n, route.Options{Natural: rule, VCs: cfg.VCs})
	if err != nil {
		t.Fatal(err)
	}
	tr, err := traffic.ByName("uniform", traffic.Options{Network: n})
	if err != nil {
		t.Fatal(err)
	}
	plain, err := flit.New(n, r, tr, cfg)
	if err != nil {
		t.Fatal(err)
	}
	want := runFailing(t, plain, 0.4)
	got.Failures = nil
	a, _ := json.Marshal(got)
	b, _ := json.Marshal(want)
	if string(a) != string(b) {
		t.Errorf("%s\nwithout a plan: %s", a, b)
	}
}

// Faults of a configuration that does not go with failures are reported together.
func TestFailuresRefused(t *testing.T) {
	cfg := flit.SwitchConfig()
	cfg.Failures = simcore.FailurePlan{{}}
	cfg.Precision, cfg.RoutingDelay, cfg.BatchStages, cfg.Priority = 0.1, 0, true, "network_age"
	if err := cfg.Validate(); err == nil || len(err.(interface{ Unwrap() []error }).Unwrap()) < 4 {
		t.Errorf("%v", err)
	}
	s := failing(t, "ring(n=3)", "natural", nil, 10, func(*topology.Network) []route.Outage {
		return []route.Outage{simtest.During(simtest.Down(1), 5, 10)}
	}, nil)
	if _, err := s.RunWorkload(context.Background(), simcore.Workload{Kind: simcore.LoopAllToAll, Message: 4}); err == nil {
		t.Error("a workload is taken")
	}
	if _, err := s.Saturation(context.Background()); err == nil {
		t.Error("a search for saturation is taken")
	}
}
