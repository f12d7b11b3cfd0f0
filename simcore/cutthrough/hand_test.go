package cutthrough

import (
	"context"
	"math"
	"testing"

	"toposearch/simcore"
	"toposearch/simcore/route"
	"toposearch/topology"
)

// shot is a packet that is created some ns after the start; no two in the same ns.
type shot struct {
	at, src, dst int
	size         uint8
}

// fire sends packets through an idle network and gives their latencies, ns.
func fire(t *testing.T, s *Sim, shots ...shot) []float64 {
	t.Helper()
	s.Reset(0, 1)
	s.recFrom, s.recTo, s.batch.length = 0, never, 1000 // a batch for each ns
	traffic := s.traffic
	for _, x := range shots {
		w, src := s.homeOf(int32(x.src)), &s.src[x.src]
		w.now, w.until, w.sw = 0, 0, -1
		s.traffic, src.next = only(x.dst), int64(x.at)*1000
		src.pend = w.draw(int32(x.src), src)
		s.at(src.pend).size = x.size
		s.load, src.next = 1, never
		w.createAt(int32(x.src), src, never)
	}
	s.load, s.traffic = 0, traffic
	for range 2000 {
		s.step()
	}
	out := make([]float64, len(shots))
	for i, x := range shots {
		for k := range s.workers {
			out[i] += float64(s.workers[k].stat.batchSum[x.at]) / 1000
		}
	}
	if err := s.Settled(); err != nil {
		t.Error(err)
	}
	return out
}

func want(t *testing.T, name string, got []float64, want ...float64) {
	t.Helper()
	for i := range want {
		if math.Abs(got[i]-want[i]) > 0.002 {
			t.Errorf("%s: packet %d takes %.3f ns, want %.3f", name, i, got[i], want[i])
		}
	}
}

// chainNetwork is two switches with a link between them and four endpoints at each, and its routing.
func chainNetwork(t *testing.T) (*topology.Network, *route.Native) {
	t.Helper()
	b := topology.NewBuilder([]topology.SwitchClass{{Name: "switch"}}, []topology.LinkClass{{Name: topology.ClassNic}, {Name: "local"}})
	b.Switch(0, 2)
	b.Link(1, 0, 1)
	b.Endpoints(4, []topology.SwitchID{0})
	b.Endpoints(4, []topology.SwitchID{1})
	n, err := b.Build("chain")
	if err != nil {
		t.Fatal(err)
	}
	r, err := route.ByName(t.Context(), "minimal", n, route.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return n, r
}

// chain has two switches, a trunk between them of a rate of its own, and four endpoints at each:
// 0 to 3 and 4 to 7. Cables of endpoints take 10 ns, the trunk 20 ns.
func chain(t *testing.T, trunkGbps float64, change func(*Config)) *Sim {
	t.Helper()
	n, r := chainNetwork(t)
	c := DefaultConfig()
	c.ClassGbps, c.ClassCableNs, c.BandwidthGbps = []float64{400, trunkGbps}, []float64{10, 20}, 400
	if change != nil {
		change(&c)
	}
	s, err := New(n, r, only(0), c)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// d is the time of 4096 B at 400 Gb/s, ns.
const d = 81.92

// A slow trunk serialises once, and spreads packets out; a packet behind another waits for the trunk
// alone, wherever it came from; a fast trunk waits for no tail. NICs' own latency is added once.
func TestRatesByHand(t *testing.T) {
	const heads = 10 + 400 + 20 + 400 + 10
	s := chain(t, 100, nil)
	// The third, from another NIC, passes the pipeline at 412, where the trunk is busy until 410 + 4 d;
	// the second starts at its NIC at d only, and comes after it.
	want(t, "slow trunk", fire(t, s, shot{0, 0, 4, 0}, shot{1, 0, 5, 0}, shot{2, 1, 6, 0}),
		heads+4*d, heads+12*d-1, heads+8*d-2)
	want(t, "fast trunk", fire(t, chain(t, 1600, nil), shot{0, 0, 4, 0}, shot{1, 0, 5, 0}), heads+d, heads+2*d-1)
	// From two NICs at a time, the trunk is four times as fast as they are: a quarter of d behind.
	want(t, "fast trunk, two senders", fire(t, chain(t, 1600, nil), shot{0, 0, 4, 0}, shot{1, 1, 5, 0}), heads+d, heads+d+d/4-1)
	for _, mtu := range []int{64, 1500, 9000} {
		x := chain(t, 200, func(c *Config) { c.MTUBytes, c.SwitchNs, c.NICNs = mtu, 250, 70 })
		want(t, "MTU", fire(t, x, shot{0, 0, 4, 0}), 10+250+20+250+10+70+float64(mtu)*8/200)
	}
	mixed := chain(t, 400, func(c *Config) { c.Sizes, c.Weights = []int{4096, 1000}, []int{1, 1} })
	want(t, "sizes", fire(t, mixed, shot{0, 0, 4, 1}, shot{1, 0, 5, 0}), heads+20, heads+20+d-1)
}

// Where queues stand: endpoint 0 sends one packet to 3, whose port endpoint 1 has just taken, and
// one to 2 behind it. With output queues neither holds the other up. With virtual output queues the
// second overtakes the first; while the crossbar reads it, the first has to wait for its input, for
// as long as the crossbar's speedup makes it.
func TestQueueingByHand(t *testing.T) {
	const lone = 10 + 400 + 10 + d
	shots := []shot{{0, 1, 3, 0}, {10, 0, 3, 0}, {11, 0, 2, 0}}
	// Heads are there at 410, 420 and 420 + d; port 3 is free again at 410 + d, 10 before the last.
	for _, c := range []struct {
		queueing string
		speedup  float64
		second   float64
	}{{Output, 1, lone + d - 10}, {VOQ, 2, lone + d - 10}} {
		s := chain(t, 400, func(x *Config) { x.Queueing, x.Speedup = c.queueing, c.speedup })
		// The third finds its input being read since 410 + d where the crossbar has to: until 410 + d + d/2.
		third := lone + 10 + d - 11
		if c.queueing == VOQ {
			third += d/c.speedup - 10
		}
		want(t, c.queueing, fire(t, s, shots...), lone, c.second, third)
	}
	// Port 3 is taken for twice as long: the third, to an idle port, goes first, and the second follows
	// when port 3 is free at 410 + 2 d and its input has been read, at 420 + d + d/speedup.
	shots = []shot{{0, 1, 3, 0}, {1, 4, 3, 0}, {10, 0, 3, 0}, {11, 0, 2, 0}}
	for _, speedup := range []float64{1, 1.6, 2} {
		s := chain(t, 400, func(x *Config) { x.Speedup = speedup })
		// The one from endpoint 4 comes later by a trunk and a switch: it is behind the third packet of port 3.
		got := fire(t, s, shots...)
		want(t, "input of its own", got[3:], lone+10+d-11+math.Max(0, d/speedup-10))
	}
}

// Marks: of six packets that meet at a port in the same instant the first leaves at once. With a
// threshold of 10,000 B the two at its end, with which 12,288 and 16,384 B wait, are marked.
func TestMarksByHand(t *testing.T) {
	for _, c := range []struct{ threshold, marked int64 }{{10_000, 2}, {4095, 4}, {4096, 3}, {16_384, 0}, {0, 0}} {
		s := chain(t, 400, func(x *Config) { x.ECNBytes = int(c.threshold) })
		s.Reset(0, 1)
		var shots []shot
		for i := range 5 {
			shots = append(shots, shot{0, []int{0, 1, 2, 3, 0}[i], 4, 0})
		}
		// Four come over a trunk of the same rate, one after the other: no queue at the last port, but at the trunk.
		fire(t, s, shots[:4]...)
		// 0 to 3 at once want the trunk: the first goes, with the others 4096, 8192 and 12,288 B wait.
		marked := int64(0)
		for _, waits := range []int64{4096, 4096, 8192, 12_288} { // the first waits for no time
			if c.threshold > 0 && waits > c.threshold {
				marked++
			}
		}
		if got := s.total().marked; got != marked {
			t.Errorf("threshold %d: %d packets are marked, want %d", c.threshold, got, marked)
		}
	}
}

// What is between two switches of an endpoint that relays: its own latency, and nothing of it at the
// two ends; bought switches in the same network keep theirs.
func TestRelaysByHand(t *testing.T) {
	c := DefaultConfig()
	c.RelayNs, c.SwitchNs = 700, 350
	s := twinSim(t, "fullmesh(d1=3,d2=3)", c)
	// Of 400 Gb/s over four links: 100 each, 4 d. Cables take 13.371 ns times the number of the class.
	cable := func(class int) float64 { return math.Round(13371*float64(class+1)) / 1000 }
	class := func(a, b int) int {
		first, end := s.net.Out(topology.SwitchID(a))
		for ch := first; ch < end; ch++ {
			if int(s.net.To(ch)) == b {
				return s.net.LinkClass(ch)
			}
		}
		return -1
	}
	want(t, "one link", fire(t, s, shot{0, 0, 1, 0}), cable(class(0, 1))+4*d)
	got := fire(t, s, shot{0, 0, 4, 0}) // over 1 or 3
	ends := []float64{cable(class(0, 1)) + cable(class(1, 4)) + 700 + 4*d, cable(class(0, 3)) + cable(class(3, 4)) + 700 + 4*d}
	if math.Abs(got[0]-ends[0]) > 0.01 && math.Abs(got[0]-ends[1]) > 0.01 {
		t.Errorf("over a relay: %.3f ns, want %.3f or %.3f", got[0], ends[0], ends[1])
	}
	// A HammingMesh board's accelerators reach others of their row over a bought switch: 350, not 700.
	s = twinSim(t, "hammingmesh(a=1,b=1,x=4,y=4,k=8)", c)
	if got := s.Lone(0, 1, 1); math.Abs(got-(2*cable(s.net.LinkClass(0))+350+float64(s.ser[s.net.LinkClass(0)][0])/1000)) > 0.01 {
		t.Errorf("over a switch: %.3f ns", got)
	}
}

// A port of B bytes of credit sends at most B per round trip: cable, pipeline, packet out, cable
// and control back; a longer control costs what it should.
func TestControlByHand(t *testing.T) {
	for _, control := range []float64{50, 100, 1000} {
		s := chain(t, 400, func(c *Config) {
			c.ControlNs, c.BufferBytes, c.Arrivals = control, 2*4096*5, "constant" // two packets for each of 5 inputs
		})
		s.traffic = neighbors{}
		p, err := s.Run(context.Background(), 1)
		if err != nil {
			t.Fatal(err)
		}
		if want := min(1, 2*d/(10+400+d+10+control)); math.Abs(p.Accepted-want) > 0.01 {
			t.Errorf("control %g ns: accepted %.4f, want %.4f", control, p.Accepted, want)
		}
	}
}

// neighbors sends to the next endpoint of the same switch of a chain.
type neighbors struct{}

func (neighbors) Name() string { return "neighbors" }

func (neighbors) Dest(e topology.EndpointID, _ *simcore.Rand) topology.EndpointID {
	return e&^3 | (e+1)&3
}

// victim sends from 0 to 4 and from 5, 6 and 7 to 4 as well, and from 1 to 5: what 1 sends only
// shares the trunk with what waits for 4.
type victim struct{ incast bool }

func (victim) Name() string { return "victim" }

func (v victim) Dest(e topology.EndpointID, _ *simcore.Rand) topology.EndpointID {
	switch {
	case e == 1:
		return 5
	case v.incast && (e == 0 || e >= 5):
		return 4
	}
	return -1
}

// Pauses hold up what goes elsewhere: the memory of the second switch fills with packets for a hot
// port, the trunk is paused, and endpoint 1, whose way is free otherwise, loses what it got alone.
func TestPausesBlockOthers(t *testing.T) {
	got := func(flow string, incast bool) float64 {
		s := chain(t, 400, func(c *Config) {
			c.FlowControl, c.Queueing, c.BufferBytes, c.WarmupNs, c.MeasureNs = flow, Output, 1_000_000, 30_000, 40_000
		})
		s.traffic = victim{incast}
		p, err := s.Run(context.Background(), 0.6)
		if err != nil || p.Dropped > 0 || p.Deadlocked {
			t.Fatalf("%v: %+v", err, p)
		}
		if (p.Pauses > 0) != (flow == PFC && incast) {
			t.Errorf("%s, incast %v: %d pauses", flow, incast, p.Pauses)
		}
		got := int64(0)
		for k := range s.nic {
			if s.nic[k].endpoint == 5 {
				got = s.accept[k]
			}
		}
		return float64(got) / (400.0 / 8 * 40_000)
	}
	alone, hot := got(PFC, false), got(PFC, true)
	if math.Abs(alone-0.6) > 0.05 || hot > 0.7*alone || hot < 0.05 {
		t.Errorf("the victim gets %.3f alone and %.3f beside a hot port", alone, hot)
	}
	t.Logf("alone %.3f, beside a hot port %.3f", alone, hot)
}
