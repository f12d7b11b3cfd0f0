package multicast

import (
	"context"
	"math"
	"strings"
	"testing"
)

// simulation makes a simulation of a tree.
func simulation(t testing.TB, x *Tree, cfg Config) *Sim {
	t.Helper()
	s, err := NewSim(x.Fabric, x, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func group(t testing.TB, x *Tree, creator int, others ...int) *Group {
	t.Helper()
	g, err := NewGroup(x.Fabric, x, ID{Creator: creator}, others)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// TestExactlyOnce: messages of random groups reach every other member once and nobody else, by every method,
// with a background that is there and one that is not.
func TestExactlyOnce(t *testing.T) {
	x := small(t)
	for _, m := range Methods {
		for i, members := range []int{2, 3, 7, 16, 40, 64} {
			for _, load := range []float64{0, 0.2} {
				cfg := DefaultConfig()
				cfg.Load, cfg.Seed, cfg.SoftwareCycles = load, uint64(i), 3*(i%2)
				e := Experiment{Fabric: x.Fabric, Routing: x, Method: m, Members: members, Groups: 2, Messages: 3, Gap: 10, Config: cfg}
				for _, order := range []Order{nil, x} {
					e.Order = order
					o, err := e.Run(context.Background())
					if err != nil || !o.Delivered {
						t.Errorf("%v, %d members, load %g, rooted %v: delivered %v, %v", m, members, load, order != nil, o.Delivered, err)
					}
				}
			}
		}
	}
}

// TestLatencyByHand: alone, a table packet takes as long as a unicast packet to the member farthest away:
// 2 cycles to the first switch, 5 for each of up to 5 switches, 7 more flits. Packets of one queue follow each
// other in 11 cycles, as the next is routed (3) when the one before has left (8): of 3 unicast packets the last comes 22 later. Of a multi-head packet with 3 heads across the top each switch waits until it has
// read the heads that it gets: 3 at those that the three routes share, and the packet is shorter by the heads that went elsewhere.
func TestLatencyByHand(t *testing.T) {
	x := small(t)
	for _, c := range []struct {
		m    Method
		to   []int
		want int64
	}{
		{Table, []int{1}, 2 + 5 + 7},
		{Table, []int{63, 1}, 2 + 5*5 + 7},
		{Unicast, []int{63}, 34}, {Unicast, []int{62, 63, 61}, 34 + 22},
		// To 60, 61, 62, on one leaf: 5 switches; 4 of them are reached by 3 heads, and the last one, too: each
		// waits 2 cycles more. The last switch sends one head and 7 more flits to each.
		{MultiHead, []int{61, 62, 63}, 34 + 2*5},
		// The sender to the first and 11 cycles later to the second, while the first sends to the third, over one switch.
		{Binomial, []int{61, 62, 63}, 34 + 14},
	} {
		s := simulation(t, x, DefaultConfig())
		g := group(t, x, 0, c.to...)
		if c.m == Table {
			s.Create(g)
			if !s.Run(1000) {
				t.Fatal("not created")
			}
		}
		n, err := s.Send(c.m, g, 0, 8, nil)
		if err != nil || !s.Run(1000) {
			t.Fatal("not delivered", err)
		}
		if got := s.messages[n].last - s.messages[n].sent; got != c.want {
			t.Errorf("%v to %v: %d cycles, want %d", c.m, c.to, got, c.want)
		}
	}
}

// TestCounts: the source's table against what a simulation counts. Groups with the creator alone on its leaf and
// m = 4 members on each of the others.
func TestCounts(t *testing.T) {
	x := small(t)
	const packets = 3
	for _, leaves := range []int{1, 3, 7} {
		var others []int
		for l := 1; l <= leaves; l++ {
			others = append(others, 4*l, 4*l+1, 4*l+2, 4*l+3)
		}
		n := len(others) + 1
		for m, want := range map[Method]Counts{
			Table: CountTable(n, packets, 4), MultiHead: CountMultiHeadAll(n, packets), Unicast: CountMultiHeadAll(n, packets),
		} {
			s, g := simulation(t, x, DefaultConfig()), group(t, x, 0, others...)
			if m == Table {
				s.Create(g)
				s.Run(1000)
			}
			if _, err := s.Exchange(m, g, packets); err != nil {
				t.Fatal(err)
			}
			if got := s.Counts(); got != want {
				t.Errorf("%v, %d members: %v, want %v", m, n, got, want)
			}
		}
		// One sender fewer, and every one of N-1 sends N-1 heads: the paper's figure.
		if got, want := CountMultiHead(n, packets).Heads, CountMultiHeadAll(n, packets).Heads-float64(packets*(n-1)); got != want {
			t.Errorf("the paper's count %v, without a sender %v", got, want)
		}
	}
}

// TestTraffic: alone, a table message crosses each link of its tree once, a unicast one every link of
// every route.
func TestTraffic(t *testing.T) {
	x := small(t)
	e := Experiment{Fabric: x.Fabric, Routing: x, Members: 16, Groups: 4, Messages: 5, Gap: 0, Config: DefaultConfig()}
	e.Method = Table
	o, err := e.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if got, want := float64(o.Flits)/20, 8*o.Links; math.Abs(got-want) > 1e-9 {
		t.Errorf("%v flits over links per message, want %v", got, want)
	}
	e.Method = Unicast
	u, err := e.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if u.Flits <= o.Flits || u.Last <= o.Last {
		t.Errorf("unicast: %d flits and %v cycles; table %d and %v", u.Flits, u.Last, o.Flits, o.Last)
	}
}

// TestProtocol: a member cannot send before it is notified; ageing and deleting let all switches forget; a packet
// then is lost and counted; creating again mends it.
func TestProtocol(t *testing.T) {
	x, cfg := small(t), DefaultConfig()
	cfg.Age = 500
	s, g := simulation(t, x, cfg), group(t, x, 0, 5, 20, 40, 41)
	if _, err := s.Send(Table, g, 5, 8, nil); err == nil || !strings.Contains(err.Error(), "has not been notified") {
		t.Errorf("sent before notification: %v", err)
	}
	known := func() (n int) {
		for sw := range x.Switches() {
			n += s.Entries(sw)
		}
		return n
	}
	s.Create(g)
	if !s.Run(1000) || known() != len(g.Lists) || s.Count.Notified != 4 {
		t.Fatalf("created: %d entries of %d, %d notified", known(), len(g.Lists), s.Count.Notified)
	}
	sends := func(from int) bool {
		if _, err := s.Send(Table, g, from, 8, nil); err != nil {
			t.Fatal(err)
		}
		return s.Run(400)
	}
	for range 4 { // use keeps it young: 4 x 200 cycles
		if !sends(20) {
			t.Fatal("not delivered")
		}
		for range 200 {
			s.Step()
		}
	}
	for range 2 * deadlockCycles { // so long that an idle network could be taken for one that is stuck
		s.Step()
	}
	if known() != 0 || s.Count.Aged != int64(len(g.Lists)) {
		t.Errorf("%d entries, %d aged, want 0 and %d", known(), s.Count.Aged, len(g.Lists))
	}
	if sends(41) || s.Count.Missed != 1 {
		t.Errorf("after ageing: %d missed, want 1", s.Count.Missed)
	}
	s.open = 0 // the lost message
	s.Create(g)
	if !s.Run(400) || !sends(41) {
		t.Error("created again: not delivered")
	}
	s.Delete(g)
	if !s.Run(400) || known() != 0 || len(s.notes) != 0 {
		t.Errorf("deleted: %d entries, %d members think they may send", known(), len(s.notes))
	}
	if s.Count.Duplicates+s.Count.Strangers != 0 {
		t.Errorf("%+v", s.Count)
	}
}

// TestJam: groups whose trees have a cycle of dependencies do stop each other, those without never; rooted
// groups have none, even beside unicast packets.
func TestJam(t *testing.T) {
	x := tree(t, []Level{{2, 2, 1}, {4, 0, 0}})
	cfg := DefaultConfig()
	cfg.BufferFlits = cfg.Flits
	j := Jam{Fabric: x.Fabric, Routing: x, Groups: 4, Members: 4, Messages: 40, Config: cfg}
	cycles, jams := 0, 0
	for seed := range uint64(12) {
		cycle, stuck, err := j.Run(context.Background(), seed)
		if err != nil {
			t.Fatal(err)
		}
		if cycle != nil {
			cycles++
		}
		if stuck {
			jams++
		}
		if stuck && cycle == nil {
			t.Errorf("seed %d: a deadlock without a cycle of dependencies", seed)
		}
		rooted := j
		rooted.Order, rooted.Config.Load = x, 0.1
		if cycle, stuck, err := rooted.Run(context.Background(), seed); err != nil || stuck || cycle != nil {
			t.Errorf("seed %d, rooted: cycle %v, stuck %v, %v", seed, cycle, stuck, err)
		}
	}
	if cycles == 0 || cycles == 12 || jams == 0 {
		t.Errorf("%d of 12 have a cycle, %d are stuck: both kinds are wanted", cycles, jams)
	}
}

// TestCollectives: a barrier of two is a flit there and one back: 2 + 5*switches each; without software. A broadcast of packets takes 11 cycles for each
// packet more (TestLatencyByHand).
func TestCollectives(t *testing.T) {
	x := small(t)
	for _, m := range Methods {
		s, g := simulation(t, x, DefaultConfig()), group(t, x, 0, 63)
		s.Create(g)
		s.Run(1000)
		// Each way 2 + 25 cycles; the answer leaves in the cycle of the arrival.
		if got, err := s.Barrier(m, g); err != nil || got != 2*27 {
			t.Errorf("%v: barrier of two %d cycles, %v, want %d", m, got, err, 2*27)
		}
		one, err := s.Broadcast(m, g, 0, 1)
		if err != nil || one != 34 {
			t.Errorf("%v: a packet takes %d cycles, %v, want 27 to its head and 7 more", m, one, err)
		}
		if ten, err := s.Broadcast(m, g, 0, 10); err != nil || ten-one != 99 {
			t.Errorf("%v: 10 packets take %d cycles, 1 takes %d, %v", m, ten, one, err)
		}
	}
	s := simulation(t, x, DefaultConfig())
	if _, err := s.Barrier(Table, group(t, x, 0, 1)); err == nil {
		t.Error("a barrier of a group that was not created")
	}
}

// TestDeterminism: the same seed gives the same outcome, another another.
func TestDeterminism(t *testing.T) {
	x := small(t)
	cfg := DefaultConfig()
	cfg.Load = 0.3
	e := Experiment{Fabric: x.Fabric, Routing: x, Method: Table, Members: 9, Groups: 3, Messages: 4, Gap: 50, Config: cfg}
	a, err := e.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	b, _ := e.Run(context.Background())
	e.Config.Seed++
	c, _ := e.Run(context.Background())
	if a != b || a == c {
		t.Errorf("outcomes %v, %v and, of another seed, %v", a, b, c)
	}
}

// TestBadConfig: all bad settings are named.
func TestBadConfig(t *testing.T) {
	_, err := NewSim(small(t).Fabric, small(t), Config{Flits: 8, BufferFlits: 4, Load: 2, Age: -1})
	for _, want := range []string{"BufferFlits = 4", "RouteCycles = 0", "Load = 2", "Age = -1"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: no %q", err, want)
		}
	}
}
