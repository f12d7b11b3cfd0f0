package route

import (
	"testing"

	"toposearch/routing"
	"toposearch/simcore"
	"toposearch/topology"
)

// still is a network in which nothing moves but what a test moves.
type still struct {
	used, sent, waiting map[topology.ChannelID]int
	now                 simcore.Cycle
	told                []simcore.Note
	hop                 int
	after               []simcore.Cycle
}

const stillLag = 7

func (s *still) Used(c topology.ChannelID) int             { return s.used[c] }
func (s *still) UsedVC(c topology.ChannelID, vc uint8) int { return s.used[c] / 4 }
func (s *still) Waiting(c topology.ChannelID) int          { return s.waiting[c] }
func (s *still) Line(topology.ChannelID) simcore.Line {
	return simcore.Line{Trip: 16, Buffer: 20, Packet: 4, Hop: s.hop}
}
func (s *still) UsedEntry(e topology.EndpointID, port int) int { return 0 }
func (s *still) Now() simcore.Cycle                            { return s.now }
func (s *still) Lag(topology.ChannelID) simcore.Cycle          { return stillLag }
func (*still) EntryLag(topology.EndpointID) simcore.Cycle      { return 1 }
func (s *still) Sent(c topology.ChannelID) int                 { return s.sent[c] }
func (s *still) Tell(n simcore.Note, after simcore.Cycle) {
	s.told, s.after = append(s.told, n), append(s.after, after)
}

// atRest makes a routing with its state on a Dragonfly with four switches in a group and two channels of each to other groups.
func atRest(t *testing.T, name string, tune Tuning) (*Native, *still, *simcore.View, *simcore.State) {
	t.Helper()
	n, opt := built(t, "dragonfly(p=2,a=4,h=2)")
	opt.Tuning = tune
	r := native(t, name, n, opt)
	s := &still{used: map[topology.ChannelID]int{}, sent: map[topology.ChannelID]int{}, waiting: map[topology.ChannelID]int{}}
	v := simcore.NewView(n, s, nil).WithState(nil, s)
	state, err := r.NewState(&v)
	if err != nil {
		t.Fatal(err)
	}
	if state.Reset != nil {
		state.Reset()
	}
	v = v.WithState(state.Of, s)
	return r, s, &v, state
}

// packetAway is a packet from the first endpoint of switch 0, in group 0, to one of another group that is reached by another
// switch of group 0; channel is that by which it leaves the group.
func packetAway(t *testing.T, r *Native, v *simcore.View) (p simcore.Packet, channel topology.ChannelID) {
	t.Helper()
	for dst := range topology.EndpointID(72) {
		p = simcore.Packet{Dst: dst, Mid: -1, Rand: simcore.NewRand(1, 2)}
		to := int(r.setOf[dst])
		h, ok := choose(r.t, to, r.t.Node(0, 0), random, &p, nil)
		if !ok || r.blockOfSet(r.setOf[dst]) == 0 || r.blockOf[v.Network().To(h.Channel)] != 0 {
			continue
		}
		c, away, ok := r.exit(&p, v, way{r.t.Node(0, 0), to, h, 3})
		if !ok || away != stillLag {
			t.Fatalf("the way to %d leaves the group by channel %d, %v, of which is known after %d cycles", dst, c, ok, away)
		}
		return p, c
	}
	t.Fatal("no such destination")
	return
}

// A channel with 30 flits, the other one of its switch with none: the limit is the larger of five packets and 1.5 times the mean
// of 15, 22. The other switches of the group know it when it has travelled to them, and forget it as late.
func TestPiggyBackTravels(t *testing.T) {
	r, s, v, state := atRest(t, "pb", Tuning{})
	p, c := packetAway(t, r, v)
	dst := int(r.setOf[p.Dst])
	h, _ := choose(r.t, dst, r.t.Node(0, 0), random, &p, nil)
	for s.now = 0; s.now < 40; s.now++ {
		s.used[c], s.waiting[c] = 18, 4 // 22 of a mean of 11: the limit is then that of five packets, 20
		if s.now < 12 {
			s.used[c] = 26
		}
		if s.now%state.Period == 0 {
			for sw := range topology.SwitchID(36) {
				state.Tick(sw, v)
			}
		}
		want := s.now >= stillLag
		if got := r.congestedAhead(&p, v, way{r.t.Node(0, 0), dst, h, 3}); got != want {
			t.Errorf("cycle %d: congested = %v, want %v", s.now, got, want)
		}
	}
	s.used[c], s.waiting[c] = 16, 4 // five packets
	for ; s.now < 80; s.now++ {
		if s.now%state.Period == 0 {
			for sw := range topology.SwitchID(36) {
				state.Tick(sw, v)
			}
		}
		want := s.now < 40+stillLag // 40 is a multiple of the period
		if got := r.congestedAhead(&p, v, way{r.t.Node(0, 0), dst, h, 3}); got != want {
			t.Errorf("cycle %d: congested = %v, want %v", s.now, got, want)
		}
	}
}

// A queue that is all in flight is none; one with as much more than the others as three packets is one.
func TestPhantomCongestion(t *testing.T) {
	r, s, v, _ := atRest(t, "par_ph", Tuning{})
	p, _ := packetAway(t, r, v)
	dst := int(r.setOf[p.Dst])
	h, _ := choose(r.t, dst, r.t.Node(0, 0), random, &p, nil)
	s.used[h.Channel], s.sent[h.Channel] = 60, 60
	if mid, _ := r.byRealQueues(0, &p, v, dst); mid >= 0 {
		t.Error("a detour around flits in flight")
	}
	// 3 hops of 12 are more than 5 or 6 of a packet, 20 or 24.
	s.now, s.sent[h.Channel] = 100, 48
	if mid, _ := r.byRealQueues(0, &p, v, dst); mid < 0 {
		t.Error("no detour around a queue of three packets")
	}
	first, end := v.Network().Out(0)
	for c := first; c < end; c++ {
		s.used[c], s.sent[c] = 60, 48
	}
	s.now = 200
	if mid, _ := r.byRealQueues(0, &p, v, dst); mid >= 0 {
		t.Error("a detour though all queues of the switch are as long")
	}
}

// Counters go up when heads come and down when tails leave, do not count what came in the same cycle, and are added up over the group
// when they have travelled.
func TestContentionCounters(t *testing.T) {
	one := 3
	r, s, v, state := atRest(t, "ectn", Tuning{Contention: Contention{Local: &one, Combined: &one, Every: &one}})
	m := state.Of.(*contention)
	p, _ := packetAway(t, r, v)
	dst := int(r.setOf[p.Dst])
	h, _ := choose(r.t, dst, r.t.Node(0, 0), random, &p, nil)
	s.now = 5
	marks := []int32{state.Enter(0, &p, v), state.Enter(0, &p, v), state.Enter(0, &p, v)}
	if got := m.heads(h.Channel, v); got != 0 {
		t.Errorf("%d heads in the cycle in which they came", got)
	}
	if s.now++; m.heads(h.Channel, v) != 3 || detourOf(r.byContention(0, &p, v, dst)) < 0 {
		t.Errorf("%d heads a cycle later, want 3 and a detour", m.heads(h.Channel, v))
	}
	state.Leave(0, marks[0])
	state.Leave(0, marks[1])
	if got := m.heads(h.Channel, v); got != 1 || detourOf(r.byContention(0, &p, v, dst)) >= 0 {
		t.Errorf("%d heads after two have left, want 1 and no detour", got)
	}
	state.Enter(1, &p, v) // two switches of the group with one and two heads
	state.Enter(1, &p, v)
	to := r.blockOfSet(r.setOf[p.Dst])
	for s.now = 0; s.now < 3*m.step; s.now += m.step {
		for sw := range topology.SwitchID(36) {
			state.Tick(sw, v)
		}
		if got, want := m.contended(2, to), s.now >= stillLag; got != want {
			t.Errorf("cycle %d: contended = %v, want %v", s.now, got, want)
		}
	}
}

// What switches of a group add up has travelled between them: over a channel of a Dragonfly's group, and by way of a global switch
// between the local switches of an MLFM, which are not linked.
func TestAcrossBlock(t *testing.T) {
	for design, hops := range map[string]simcore.Cycle{"dragonfly(p=2,a=4,h=2)": 1, "mlfm(h=3)": 2} {
		n, opt := built(t, design)
		v := simcore.NewView(n, &still{}, nil).WithState(nil, &still{})
		if got, want := native(t, "ectn", n, opt).acrossBlock(&v), hops*stillLag; got != want {
			t.Errorf("%s: %d cycles across a group, want %d", design, got, want)
		}
	}
}

// An estimate goes a fifth of the way down and a twenty-fifth up; a report comes back over the channel that was taken.
func TestEstimatesAreLearnt(t *testing.T) {
	r, s, v, state := atRest(t, "q_adaptive", Tuning{})
	m := state.Of.(*learner)
	p, _ := packetAway(t, r, v)
	first, _ := v.Network().Out(0)
	row := m.rowOf(&p)
	at := func() float32 { return m.row(0, row)[0] }
	before := at()
	if before != 2*stillLag && before != 3*stillLag && before != stillLag {
		t.Errorf("an idle way of %g cycles over channels of %d", before, stillLag)
	}
	state.Hear(simcore.Note{To: 0, Channel: first, Row: int32(row), Value: int32(before) + 100})
	if got, want := at(), before+0.04*100; got != want {
		t.Errorf("estimate %g after a report of 100 more, want %g", got, want)
	}
	up := at()
	state.Hear(simcore.Note{To: 0, Channel: first, Row: int32(row), Value: int32(up) - 10})
	if got, want := at(), up+float32(0.2)*(float32(int32(up)-10)-up); got != want {
		t.Errorf("estimate %g after a lower report, want %g", got, want)
	}
	s.now = 10
	h := r.Route(0, &p, v)
	sw := v.Network().To(h.Channel)
	p.Hops, s.now = 1, 30
	rest := m.row(sw, row)
	least := rest[0]
	for _, x := range rest {
		least = min(least, x)
	}
	state.Enter(sw, &p, v)
	if want := (simcore.Note{To: 0, Channel: h.Channel, Row: int32(row), Value: 20 + int32(least)}); len(s.told) != 1 || s.told[0] != want || s.after[0] != stillLag {
		t.Errorf("told %+v after %v, want %+v after %d", s.told, s.after, want, stillLag)
	}
}

// A bias goes a quarter of the difference of the mean latencies, unless the direct way has room and a trial goes further.
func TestBiasFollowsLatencies(t *testing.T) {
	_, _, _, state := atRest(t, "dgb", Tuning{})
	m := state.Of.(*gradient)
	x, y := m.at(0, 20, 1), &m.dst[20]
	fill := func() {
		x.sum, x.n = 60, 2
		y.last, y.n = [history]int32{10, 20}, 2
	}
	d := decision{dst: 20, channel: 1, hops: 3, by: 6, fullest: 80, extra: 40, luck: 0.9, room: 0.5}
	for _, c := range []struct {
		luck float32
		want float32
	}{
		{0.9, 0.25 * (30 - 15)}, // no luck
		{0.4, 0.5 * 0.25 * 40},  // a trial of 5, more than 3.75
		{0.9, 80 * 3. / 6},      // bounded, see below
	} {
		fill()
		x.bias = 0
		if d.luck = c.luck; c.want == 40 {
			x.bias = 39
		}
		m.adjust(0, &d, 100)
		if x.bias != c.want || x.n != 0 || x.last != 100 {
			t.Errorf("luck %g: bias %g with %d latencies left, adjusted in cycle %d, want %g", c.luck, x.bias, x.n, x.last, c.want)
		}
	}
	// One latency of the direct way, that of the detour estimated lower: towards the detour, after an epoch and not before.
	y.n, x.bias, d.near, d.far, d.luck = 1, 0, 30, 10, 0.9
	if m.adjust(0, &d, 149); x.bias != 0 {
		t.Errorf("bias %g before the end of an epoch", x.bias)
	}
	if m.adjust(0, &d, 150); x.bias != -5 {
		t.Errorf("bias %g, want -5", x.bias)
	}
}

func detourOf(mid int32, _ routing.Hop) int32 { return mid }
