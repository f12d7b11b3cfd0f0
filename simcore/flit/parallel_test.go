package flit

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"toposearch/simcore"
	"toposearch/topology"
)

// Local: dimension order reads nothing of the View.
func (g *grid) Local() bool { return true }

// Blind: nor what waits.
func (g *grid) Blind() bool { return true }

// nosy routes on a mesh in x-y or y-x order, by the congestion of channels anywhere in the
// network, with VCs of its own for each order, of which a switch picks one by the congestion at
// the destination.
type nosy struct{ *grid }

func (n nosy) Local() bool { return false }
func (n nosy) VCs() int    { return 4 }

func (n nosy) anywhere(p *simcore.Packet) topology.ChannelID {
	return topology.ChannelID(p.Rand.IntN(n.n.Channels()))
}

func (n nosy) Inject(p *simcore.Packet, v *simcore.View) simcore.Entry {
	if c, _ := n.n.Out(n.switchOf(p.Dst)); v.Used(c) > v.Used(n.anywhere(p)) {
		p.Phase = 1
	}
	return simcore.Entry{Lo: 0, Hi: 3}
}

func (n nosy) Route(sw topology.SwitchID, p *simcore.Packet, v *simcore.View) simcore.Hop {
	at, to := n.at[sw], n.at[n.switchOf(p.Dst)]
	dx, dy := to%n.k-at%n.k, to/n.k-at/n.k
	if dx == 0 && dy == 0 {
		return simcore.Hop{Channel: simcore.Eject, Lo: 0, Hi: 3}
	}
	dir := 0
	if dx < 0 {
		dir = 1
	}
	if dx == 0 || p.Phase == 1 && dy != 0 {
		dir = 2
		if dy < 0 {
			dir = 3
		}
	}
	vc := 2 * p.Phase
	if c, _ := n.n.Out(n.switchOf(p.Dst)); v.Used(c) > v.Used(n.anywhere(p)) {
		vc++
	}
	return simcore.Hop{Channel: n.chan_[sw][dir], Lo: vc, Hi: vc}
}

// switchOf is the switch of an endpoint: the grid has one each, in order of position.
func (g *grid) switchOf(e topology.EndpointID) topology.SwitchID {
	_, _, ports := g.n.Group(g.n.GroupOf(e))
	return ports[0]
}

// same compares all that two simulations hold and have counted, packet numbers aside.
func same(t *testing.T, name string, a, b *Sim) {
	t.Helper()
	if a.live != b.live || a.inNet != b.inNet || a.moved != b.moved || a.now != b.now {
		t.Fatalf("%s: cycle %d and %d: packets %d and %d, flits %d and %d, moved %d and %d", name, a.now, b.now,
			a.live, b.live, a.inNet, b.inNet, a.moved, b.moved)
	}
	if !reflect.DeepEqual(a.stat, b.stat) {
		t.Fatalf("%s: cycle %d: counters differ: flit hops %d and %d, latencies %g and %g", name, a.now,
			a.stat.flitHops, b.stat.flitHops, a.stat.plat.Mean(), b.stat.plat.Mean())
	}
	for i := range a.out {
		x, y := a.out[i], b.out[i]
		if x.inUse != y.inUse || x.full != y.full || a.used(int32(i)) != b.used(int32(i)) || x.saPtr != y.saPtr {
			t.Fatalf("%s: cycle %d: output %d: %+v and %+v", name, a.now, i, x, y)
		}
	}
	for i := range a.in {
		x, y := a.in[i], b.in[i]
		if x.saPtr != y.saPtr || x.off != y.off || x.ready != y.ready {
			t.Fatalf("%s: cycle %d: input %d: %+v and %+v", name, a.now, i, x, y)
		}
	}
	if !reflect.DeepEqual(a.readyW, b.readyW) || !reflect.DeepEqual(a.waitW, b.waitW) {
		t.Fatalf("%s: cycle %d: ready %x and %x, waiting %x and %x", name, a.now, a.readyW, b.readyW, a.waitW, b.waitW)
	}
	ageA, flitsA := a.Ages()
	if ageB, flitsB := b.Ages(); ageA != ageB || flitsA != flitsB {
		t.Fatalf("%s: cycle %d: %d flits of age %d, and %d of age %d", name, a.now, flitsA, ageA, flitsB, ageB)
	}
}

// agree runs a network on one part and on several, in Steps of all lengths.
func agree(t *testing.T, name string, mk func() *Sim, load float64, parts ...int) {
	t.Helper()
	one := mk()
	for _, n := range parts {
		many := mk()
		if got := many.split(n); got != min(n, many.switches) {
			t.Fatalf("%s: %d parts made of %d", name, got, n)
		}
		one.Reset(load, 7)
		many.Reset(load, 7)
		for _, s := range []*Sim{one, many} {
			s.Record(0, 0, Forever, false)
		}
		for i := range 20 {
			one.Step(i % 13)
			many.Step(i % 13)
			same(t, name, one, many)
			if err := many.check(); err != nil {
				t.Fatalf("%s: cycle %d: %v", name, many.now, err)
			}
			if i == 12 {
				one.Restart()
				many.Restart()
			}
		}
		one.StopInjection()
		many.StopInjection()
		one.Step(60)
		many.Step(60)
		same(t, name, one, many)
		if one.stat.accFlits < 40 { // a slow switch in a 3x3 mesh lets some 60 pass
			t.Errorf("%s: only %d flits arrived", name, one.stat.accFlits)
		}
	}
}

// One network on any number of parts gives what it gives on one, cycle by cycle: plain and
// general cycle, local and distant routing, look-ahead, long lines, second choices.
func TestPartsAgree(t *testing.T) {
	mesh, torus := newGrid(t, 6, false), newGrid(t, 5, true)
	for _, c := range []struct {
		name string
		load float64
		set  func(*Config)
	}{
		{"plain", 0.4, func(c *Config) {}},
		{"general", 0.4, func(c *Config) { c.forceFull = true }},
		{"lookahead", 0.5, func(c *Config) { c.RoutingDelay = 0 }},
		{"long", 0.5, func(c *Config) { c.LinkLatency, c.BufferFlits, c.PacketFlits = 17, 40, 3 }},
		{"tailcredit", 0.9, func(c *Config) { c.WaitForTailCredit, c.BufferFlits = true, 3 }},
		{"speculative", 0.3, func(c *Config) { c.Speculative, c.HoldSwitch, c.PacketFlits = true, true, 4 }},
		{"onoff", 0.3, func(c *Config) { c.Injection, c.Alpha, c.Beta = "on_off", 0.1, 0.2 }},
		{"poisson", 0.6, func(c *Config) { c.Injection = "mixed(2*poisson,1*bernoulli)" }},
	} {
		cfg := DefaultConfig()
		c.set(&cfg)
		agree(t, c.name+" mesh", func() *Sim { return mustNew(t, mesh, uniform{36}, cfg) }, c.load, 2)
		agree(t, c.name+" torus", func() *Sim { return mustNew(t, torus, uniform{25}, cfg) }, c.load, 3)
		agree(t, c.name+" nosy", func() *Sim {
			s, err := New(mesh.n, nosy{mesh}, uniform{36}, cfg)
			if err != nil {
				t.Fatal(err)
			}
			return s
		}, c.load, 3)
	}
}

// Stages that take what waits all at once, and flits timed one by one, on parts; a routing that reads
// distant queues would see those of parts that are already at work, so that it gets one part only.
func TestPartsAgreeInBatches(t *testing.T) {
	mesh := newGrid(t, 6, false)
	cfg := DefaultConfig()
	cfg.BatchStages, cfg.RoutingDelay, cfg.StPrepare, cfg.PacketFlits, cfg.Priority = true, 2, 1, 3, "network_age"
	for _, parts := range []int{2, 3} {
		agree(t, "batches", func() *Sim { return mustNew(t, mesh, uniform{36}, cfg) }, 0.5, parts)
	}
	far, err := New(mesh.n, nosy{mesh}, uniform{36}, cfg)
	if err != nil {
		t.Fatal(err)
	}
	if parts := far.split(3); parts != 1 {
		t.Errorf("%d parts with a routing that reads distant queues", parts)
	}
}

// Random configurations on random numbers of parts.
func TestPartsAgreeRandom(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	n := 12
	if testing.Short() {
		n = 5
	}
	for range n {
		g := newGrid(t, 3+rng.IntN(3), rng.IntN(2) == 0)
		cfg := randomConfig(rng)
		mk := func() *Sim { return mustNew(t, g, uniform{g.k * g.k}, cfg) }
		parts := 2 + rng.IntN(6)
		if s := mk(); s.split(parts) == 1 {
			continue // pim
		}
		agree(t, "random", mk, 0.1+0.9*rng.Float64(), parts)
	}
}

// Whole runs agree, and a Sim that was split can be joined again.
func TestSplitAndJoin(t *testing.T) {
	cfg := DefaultConfig()
	cfg.Warmup, cfg.Measure, cfg.Observe = 100, 500, simcore.Observe{Detail: true, Series: 100}
	s := mustNew(t, newGrid(t, 6, true), uniform{36}, cfg)
	var points []simcore.Point
	for _, parts := range []int{1, 2, 1, 9} {
		s.split(parts)
		p, err := s.Run(t.Context(), 0.3)
		if err != nil {
			t.Fatal(err)
		}
		if points = append(points, p); !reflect.DeepEqual(p, points[0]) {
			t.Errorf("%d parts: %+v, one: %+v", parts, p, points[0])
		}
	}
}

// Pages of packets that a run has allocated and not used belong to no part when it is split: two would hand
// out the same memory, and packets of one change those of the other.
func TestSplitLeavesPagesToNobody(t *testing.T) {
	cfg := DefaultConfig()
	cfg.Warmup, cfg.Measure = 100, 300
	run := func(parts int) simcore.Point {
		s := mustNew(t, newGrid(t, 16, true), uniform{256}, cfg)
		var p simcore.Point
		for _, load := range []float64{0.2, 0.9} { // more packets than the pages that the first load uses
			var err error
			if p, err = s.Run(t.Context(), load); err != nil {
				t.Fatal(err)
			}
			s.split(parts)
		}
		at := map[*packetPage]int{}
		for k, page := range s.pages {
			if page == nil {
				continue
			}
			if j, ok := at[page]; ok {
				t.Fatalf("%d parts: one page stands in the table as %d and as %d", parts, j, k)
			}
			at[page] = k
		}
		return p
	}
	want := run(1)
	for _, parts := range []int{2, 3, 4} {
		if got := run(parts); !reflect.DeepEqual(got, want) {
			t.Errorf("%d parts: %+v, one: %+v", parts, got, want)
		}
	}
}

// Packets return to the part that made them: traffic in one direction does not make the pool
// grow. A pool that is too small is a panic, as an index beyond the table.
func TestOneWayTraffic(t *testing.T) {
	cfg := DefaultConfig()
	s := mustNew(t, newGrid(t, 6, false), upward{36}, cfg)
	s.split(2)
	s.Reset(0.3, 1)
	s.Step(500)
	before := s.pool.used.Load()
	s.Step(1500) // some 5 packets a cycle: without their return, 15 pages
	if after := s.pool.used.Load(); after > before+1 {
		t.Errorf("%d pages after 500 cycles, %d after 2000", before, after)
	}
}

// upward sends from the lower half of the endpoints to the upper.
type upward struct{ n int }

func (upward) Name() string { return "upward" }
func (u upward) Dest(src topology.EndpointID, r *simcore.Rand) topology.EndpointID {
	if int(src) >= u.n/2 {
		return -1
	}
	return topology.EndpointID(u.n/2 + r.IntN(u.n/2))
}

func TestNoAllocationInParts(t *testing.T) {
	s := mustNew(t, newGrid(t, 8, true), uniform{64}, DefaultConfig())
	s.split(2)
	s.Reset(0.3, 1)
	s.Step(1500)
	if n := testing.AllocsPerRun(2, func() { s.Step(300) }); n > 2 {
		t.Errorf("%.1f allocations in 300 cycles", n)
	}
}

// Whatever a part counts is moved to the whole: every counter of a tally.
func TestAbsorbIsComplete(t *testing.T) {
	var a, b tally
	a.init(1, 2)
	b.init(1, 2)
	a.reset()
	b.reset()
	b.retire(&packet{Packet: simcore.Packet{Hops: 2}, rec: true, size: 3}, 10)
	settings := map[string]bool{"recNow": true, "recFrom": true, "recTo": true, "since": true, "batchFrom": true, "batchLength": true}
	v := reflect.ValueOf(&b).Elem()
	for i := range v.NumField() {
		if f := v.Field(i); f.Kind() == reflect.Int64 && !settings[v.Type().Field(i).Name] {
			*(*int64)(f.Addr().UnsafePointer()) = int64(i + 1)
		}
	}
	a.absorb(&b)
	x, y := reflect.ValueOf(a), reflect.ValueOf(b)
	for i := range x.NumField() {
		name := x.Type().Field(i).Name
		if x.Field(i).Kind() == reflect.Int64 && !settings[name] && (x.Field(i).Int() != int64(i+1) || y.Field(i).Int() != 0) {
			t.Errorf("%s: %d of %d arrived, %d is left", name, x.Field(i).Int(), i+1, y.Field(i).Int())
		}
	}
	if a.plat.N() != 1 || b.plat.N() != 0 {
		t.Errorf("%d packets arrived, %d are left", a.plat.N(), b.plat.N())
	}
}

// Parts get equal work and little to tell each other: whole layers and groups are dealt out.
func TestPartsAreBalanced(t *testing.T) {
	s := mustNew(t, newGrid(t, 16, true), uniform{256}, DefaultConfig())
	for _, parts := range []int{2, 4} {
		of := s.partition(parts)
		ports, cut := make([]int32, parts), 0
		for sw, p := range of {
			ports[p] += s.inStart[sw+1] - s.inStart[sw]
		}
		s.split(parts)
		for op := range s.out {
			if s.farOut[op] != 0 {
				cut++
			}
		}
		for p, n := range ports {
			if want := s.nIn / int32(parts); n < want-5 || n > want+5 {
				t.Errorf("%d parts: part %d has %d ports, want about %d", parts, p, n, want)
			}
		}
		// Slabs of rows: a channel each way up and down between neighbours.
		if want := 2 * 16 * parts; cut != want {
			t.Errorf("%d parts: %d channels between them, want %d", parts, cut, want)
		}
	}
}
