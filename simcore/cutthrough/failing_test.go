package cutthrough_test

import (
	"context"
	"encoding/json"
	"math"
	"testing"

	"toposearch/simcore"
	"toposearch/simcore/cutthrough"
	"toposearch/simcore/route"
	"toposearch/simcore/simtest"
	"toposearch/simcore/traffic"
	"toposearch/topology"
)

// failing makes a simulation whose network fails.
func failing(tb testing.TB, design, name string, tr simcore.Traffic, repair int64, list func(*topology.Network) []route.Outage, change func(*cutthrough.Config)) *cutthrough.Sim {
	tb.Helper()
	n, rule := build(tb, design)
	plan := simtest.Failing(tb, n, rule, name, 0, repair, list(n))
	c := config(n)
	c.Failures = plan
	if change != nil {
		change(&c)
	}
	if tr == nil {
		var err error
		if tr, err = traffic.ByName("uniform", traffic.Options{Network: n}); err != nil {
			tb.Fatal(err)
		}
	}
	s, err := cutthrough.New(n, plan[0].Routing, tr, c)
	if err != nil {
		tb.Fatalf("%s: %v", design, err)
	}
	return s
}

// A stream over one link between two switches loses exactly the packets that are on the link as it fails and all
// that come to the port until it is back. A packet of 4096 B takes 81.92 ns at 400 Gb/s; at full load one follows the other. Tables
// are not repaired.
func TestStreamLosesWhatIsCounted(t *testing.T) {
	const from, until, gap = 10_000, 20_000, 81.92
	n := net(t, "ring(n=5)")
	cables := config(n).ClassCableNs
	for _, c := range []struct {
		name  string
		what  topology.Failures
		cable float64
	}{
		{"link", simtest.Link(n, 0, 1), cables[1]},
		{"port of the source", simtest.Port(n, 0), cables[0]},
		{"port of the destination", simtest.Port(n, 2), cables[0]},
	} {
		s := failing(t, "ring(n=5)", "natural", simtest.Stream{Src: 0, Dst: 2}, route.Never, func(*topology.Network) []route.Outage {
			return []route.Outage{simtest.During(c.what, from, until)}
		}, func(c *cutthrough.Config) {
			c.Arrivals, c.MeasureNs, c.WarmupNs = "constant", 40_000, 5000
		})
		f := run(t, s, 1).Failures
		if len(f.Phases) != 3 {
			t.Fatalf("%s: phases %+v", c.name, f.Phases)
		}
		// It is down for this long, and the packets on it are those whose last byte has still to come: they began to leave
		// within the time that one takes, and the cable.
		down := f.Phases[1].To - f.Phases[1].From
		if math.Abs(down-(until-from)) > 600 {
			t.Errorf("%s: down for %.0f ns", c.name, down)
		}
		if l := f.Lost; l.OnLink < 1 || l.OnLink > 2 || math.Abs(float64(l.AtPort)-down/gap) > 1 || math.Abs(float64(l.Packets)-(down+gap+c.cable)/gap) > 1 || l.NoRoute+l.Discarded+l.InSwitch != 0 {
			t.Errorf("%s: lost %+v, want %.2f at the port and %.2f in all", c.name, l, down/gap, (down+gap+c.cable)/gap)
		}
		if l := f.Phases[1].Lost; l != f.Lost {
			t.Errorf("%s: lost in the phase %+v, in all %+v", c.name, l, f.Lost)
		}
		for i, want := range []float64{1, 0, 1} {
			length := f.Phases[i].To - f.Phases[i].From
			// What is on its way as the phase begins, less than 2 us long, arrives in it.
			if got := f.Phases[i].Accepted; math.Abs(got-want) > 2000/length {
				t.Errorf("%s: phase %d accepts %.4f, want %.4f", c.name, i, got, want)
			}
		}
		if err := s.Settled(); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// A switch that fails takes with it what is in its pipeline of 400 ns: packets whose last byte has come, 81.92 ns after the
// first, and whose head has not passed.
func TestSwitchLosesItsPipeline(t *testing.T) {
	s := failing(t, "ring(n=5)", "natural", simtest.Stream{Src: 0, Dst: 2}, route.Never, func(*topology.Network) []route.Outage {
		return []route.Outage{simtest.During(simtest.Down(1), 10_000, 10_300)} // back before what it held would have left
	}, func(c *cutthrough.Config) {
		c.Arrivals, c.MeasureNs, c.WarmupNs = "constant", 40_000, 5000
	})
	f := run(t, s, 1).Failures
	down := f.Phases[1].To - f.Phases[1].From
	if l, want := f.Lost, (400-81.92)/81.92; math.Abs(float64(l.InSwitch)-want) > 1 || math.Abs(float64(l.AtPort)-down/81.92) > 1 {
		t.Errorf("lost %+v in %.0f ns, want %.2f in the switch and %.2f at the port", l, down, want, down/81.92)
	}
	if err := s.Settled(); err != nil {
		t.Error(err)
	}
}

// Every packet that was made is delivered, lost or there, with all credits where they belong, whatever fails: links,
// switches with and without endpoints, and ports of endpoints, in every kind of switch and flow control. Results do not
// depend on the number of workers, nor on what was simulated before.
func TestFailuresConserve(t *testing.T) {
	for _, c := range []struct {
		design, routing string
		list            func(*topology.Network) []route.Outage
		change          func(*cutthrough.Config)
	}{
		{"fattree(k=4,l=3)", "natural", func(n *topology.Network) []route.Outage {
			return []route.Outage{simtest.During(simtest.Down(9), 3000, 9000), simtest.During(simtest.Down(0), 5000, 12000)}
		}, nil},
		{"fattree(k=4,l=3)", "natural+adaptive", func(n *topology.Network) []route.Outage {
			return []route.Outage{simtest.During(simtest.Down(17), 3000, route.Never)}
		}, func(c *cutthrough.Config) { c.FlowControl = cutthrough.PFC }},
		{"torus(k1=4,k2=4)", "minimal", func(n *topology.Network) []route.Outage {
			return []route.Outage{simtest.During(simtest.Link(n, 0, 1), 3000, 9000), simtest.During(simtest.Down(6), 3500, 7000)}
		}, func(c *cutthrough.Config) { c.Queueing = cutthrough.Output }},
		{"torus(k1=4,k2=4)", "updown", func(n *topology.Network) []route.Outage {
			return []route.Outage{simtest.During(simtest.Link(n, 0, 1), 3000, 9000)}
		}, nil},
		{"dragonfly(p=2,a=4,h=2)", "ugal_l", func(n *topology.Network) []route.Outage {
			return []route.Outage{simtest.During(simtest.Link(n, 0, 1), 3000, 9000)}
		}, func(c *cutthrough.Config) { c.BufferBytes = 1 << 20 }},
		{"multirail(k=4,l=2,r=2)", "natural", func(n *topology.Network) []route.Outage {
			return []route.Outage{simtest.During(simtest.Port(n, 3), 3000, 9000), simtest.During(simtest.Down(1), 4000, 8000)}
		}, nil},
		{"bcube(n=3,l=2)", "natural", func(n *topology.Network) []route.Outage {
			return []route.Outage{simtest.During(simtest.Down(2), 3000, 9000)}
		}, nil},
	} {
		n, _ := build(t, c.design)
		if c.design == "bcube(n=3,l=2)" && n.LinkClasses[0].Name != topology.ClassInternal {
			t.Fatal("bcube has no embedded switches")
		}
		var first string
		for _, workers := range []int{1, 3} {
			s := failing(t, c.design, c.routing, nil, 2000, c.list, func(cfg *cutthrough.Config) {
				cfg.MeasureNs, cfg.WarmupNs, cfg.Workers = 15000, 3000, workers
				if c.change != nil {
					c.change(cfg)
				}
			})
			for _, load := range []float64{0.7, 0.3, 0.7} {
				p := run(t, s, load)
				f := p.Failures
				if under := s.UnderWay(); f.UnderWay != under || f.Lost.Packets == 0 {
					t.Errorf("%s: %d generated, %d delivered, %d lost, %d under way; %d are", c.design, f.Generated, f.Delivered, f.Lost.Packets, f.UnderWay, under)
				}
				if load != 0.7 {
					continue
				}
				text, err := json.Marshal(p)
				if err != nil {
					t.Fatal(err)
				}
				if first == "" {
					first = string(text)
				} else if first != string(text) {
					t.Errorf("%s with %d workers: results differ:\n%s\n%s", c.design, workers, first, text)
				}
			}
			if err := s.Settled(); err != nil {
				t.Errorf("%s: %v", c.design, err)
			}
		}
	}
}

// A fat tree of two levels with two spines, of which one fails, carries half of what crosses leaves once its tables
// know, while buffers of 64 MB hold nobody else up. Of uniform traffic on 8 endpoints, two a leaf, 6 of 7 packets cross. Before,
// the half that is sent to the dead spine is lost.
func TestFatTreeLosesASpine(t *testing.T) {
	const load = 0.9
	s := failing(t, "fattree(k=4,l=2)", "natural", nil, 10_000, func(n *topology.Network) []route.Outage {
		return []route.Outage{simtest.During(simtest.Down(4), 20_000, 140_000)}
	}, func(c *cutthrough.Config) {
		c.MeasureNs, c.WarmupNs = 200_000, 10_000
	})
	f := run(t, s, load).Failures
	if len(f.Phases) != 5 {
		t.Fatalf("phases %+v", f.Phases)
	}
	leaf := 1.0 / 7
	for i, want := range []float64{load, load * (leaf + (1-leaf)/2), load*leaf + 0.5} {
		if got := f.Phases[i]; math.Abs(got.Accepted-want) > 0.03 {
			t.Errorf("phase %d accepts %.4f +- %.4f, want %.4f", i, got.Accepted, got.AcceptedCI95, want)
		}
	}
	// All that is lost goes to the dead spine, which is a packet in two of those that cross.
	stale := f.Phases[1]
	want := load * 8 * (1 - leaf) / 2 * (stale.To - stale.From) / 81.92
	if got := float64(stale.Lost.Packets); math.Abs(got-want) > 4*math.Sqrt(want) {
		t.Errorf("lost %.0f, want %.0f", got, want)
	}
	if after := f.Phases[2].Lost.Packets; after != 0 {
		t.Errorf("%d packets are lost after the repair", after)
	}
	if last := f.Phases[4]; last.Lost.Packets != 0 || last.UnreachablePairs != 0 {
		t.Errorf("whole again: %+v", last)
	}
}

// A ring of 6 that loses a link is a path once its tables know: 7/3 hops on the average instead of 9/5, each 410 ns with
// these cables more or less.
func TestRingLosesALink(t *testing.T) {
	s := failing(t, "ring(n=6)", "minimal", nil, 5000, func(n *topology.Network) []route.Outage {
		return []route.Outage{simtest.During(simtest.Link(n, 0, 1), 50_000, route.Never)}
	}, func(c *cutthrough.Config) {
		c.MeasureNs, c.WarmupNs, c.BandwidthGbps = 1_000_000, 10_000, 400
	})
	f := run(t, s, 0.02).Failures
	n := net(t, "ring(n=6)")
	cfg := config(n)
	hop := cfg.SwitchNs + cfg.ClassCableNs[1]
	for c := range topology.ChannelID(n.Channels()) { // ring and wrap have cables of their own
		if n.LinkClass(c) == 2 {
			hop += (cfg.ClassCableNs[2] - cfg.ClassCableNs[1]) / float64(n.Channels())
		}
	}
	lone := func(hops float64) float64 { return hops*hop + cfg.SwitchNs + 2*cfg.ClassCableNs[0] + 81.92 }
	for i, hops := range map[int]float64{0: 9.0 / 5, 2: 7.0 / 3} {
		if got, want := f.Phases[i].Latency.Mean, lone(hops); math.Abs(got-want) > 0.03*want {
			t.Errorf("phase %d: latency %.0f ns, want %.0f of %.2f hops", i, got, want, hops)
		}
	}
	if f.Phases[2].UnreachablePairs != 0 || f.Phases[2].Lost.Packets > 1 {
		t.Errorf("%+v", f.Phases[2])
	}
}

func TestFailuresRefused(t *testing.T) {
	n, rule := build(t, "ring(n=3)")
	c := config(n)
	c.Failures = simtest.Failing(t, n, rule, "natural", 0, 100, []route.Outage{simtest.During(simtest.Down(1), 5, 10)})
	c.Precision = 0.1
	tr, err := traffic.ByName("uniform", traffic.Options{Network: n})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := cutthrough.New(n, c.Failures[0].Routing, tr, c); err == nil {
		t.Error("a precision is taken")
	}
	c.Precision = 0
	s, err := cutthrough.New(n, c.Failures[0].Routing, tr, c)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.RunWorkload(context.Background(), cutthrough.Workload{Kind: simcore.LoopAllToAll, Message: 4096}); err == nil {
		t.Error("a workload is taken")
	}
}

func net(tb testing.TB, design string) *topology.Network {
	n, _ := build(tb, design)
	return n
}
