package flit

import (
	"math/rand/v2"
	"strings"
	"testing"

	"toposearch/internal/racing"
	"toposearch/simcore"
	"toposearch/topology"
)

// gossip routes on a mesh in dimension order, on a VC that follows from all that its switch has heard, has read on
// the boards of others and has sent. Its switches tell each other every packet, and check when they hear it.
type gossip struct {
	*grid
	t *testing.T
}

// rumours is its state: sum depends on the order of what a switch hears.
type rumours struct {
	sum   []int32
	heard [][]simcore.Note // by switch: of this cycle
	open  [][]int32        // by switch: packets that entered and have not left
	board *simcore.Board
}

func (g gossip) VCs() int { return 2 }

func (g gossip) KeepsState() bool { return true }

func (g gossip) NewState(v *simcore.View) (*simcore.State, error) {
	n := g.n.Switches()
	m := &rumours{make([]int32, n), make([][]simcore.Note, n), make([][]int32, n), simcore.NewBoard(n, 2, 3, v.Lag(0))}
	return &simcore.State{Of: m, CountSent: true, Period: 3,
		Reset: func() {
			clear(m.sum)
			for i := range n {
				m.heard[i], m.open[i] = nil, nil
			}
			m.board.Reset()
		},
		Tick: func(sw topology.SwitchID, v *simcore.View) { g.tick(m, sw, v) },
		Enter: func(sw topology.SwitchID, p *simcore.Packet, v *simcore.View) int32 {
			first, end := g.n.Out(sw)
			c := first + topology.ChannelID(int(p.Src+p.Dst)%int(end-first))
			v.Tell(simcore.Note{To: g.n.To(c), Channel: c, Row: int32(p.Src) % 2, Value: int32(v.Now())}, v.Lag(c))
			m.open[sw] = append(m.open[sw], int32(p.Src))
			return int32(p.Src)
		},
		Leave: func(sw topology.SwitchID, mark int32) {
			for i, x := range m.open[sw] {
				if x == mark {
					m.open[sw] = append(m.open[sw][:i], m.open[sw][i+1:]...)
					return
				}
			}
			g.t.Errorf("a packet of %d leaves switch %d, which it has not entered", mark, sw)
		},
		Hear: func(n simcore.Note) {
			m.sum[n.To] = m.sum[n.To]*31 + n.Value + 7*n.Row + 3*int32(n.Channel)
			m.heard[n.To] = append(m.heard[n.To], n)
		},
	}, nil
}

// tick puts up what the switch has heard, and reads what its neighbour put up a channel ago.
func (g gossip) tick(m *rumours, sw topology.SwitchID, v *simcore.View) {
	for _, n := range m.heard[sw] {
		if at := simcore.Cycle(n.Value) + v.Lag(n.Channel); at > v.Now() || at <= v.Now()-3 {
			g.t.Errorf("cycle %d: switch %d has heard %+v since the last tick, which was to arrive in cycle %d", v.Now(), sw, n, at)
		}
	}
	m.heard[sw] = m.heard[sw][:0]
	row := m.board.Row(sw, v.Now())
	row[0], row[1] = int32(v.Now()), m.sum[sw]
	first, end := g.n.Out(sw)
	for c := first; c < end; c++ {
		at := v.Now() - v.Lag(c)
		if row := m.board.Row(g.n.To(c), at); row != nil {
			if row[0] != int32(at-at%3) {
				g.t.Errorf("cycle %d: the board of cycle %d is of cycle %d", v.Now(), at, row[0])
			}
			m.sum[sw] ^= row[1]
		}
		// Behind a head flits pass through a switch in less than its pipeline, which a round trip has once.
		if v.Sent(c) > v.Used(c)+3 {
			g.t.Errorf("cycle %d: %d flits sent on channel %d in a round trip, and %d for which there is no credit", v.Now(), v.Sent(c), c, v.Used(c))
		}
	}
}

func (g gossip) Route(sw topology.SwitchID, p *simcore.Packet, v *simcore.View) simcore.Hop {
	h := g.grid.Route(sw, p, v)
	vc := v.State().(*rumours).sum[sw] >> 4 // the lowest bits do not depend on the order of what was heard
	if h.Channel != simcore.Eject {
		vc += int32(v.Sent(h.Channel))
	}
	h.Lo, h.Hi = uint8(vc&1), uint8(vc&1)
	return h
}

// What switches remember and tell one another, and when it arrives, is the same on any number of parts, in
// the plain cycle and in the general one.
func TestStateOnParts(t *testing.T) {
	mesh := newGrid(t, 6, false)
	for _, set := range []func(*Config){
		func(c *Config) {},
		func(c *Config) { c.lanes = 3 },
		func(c *Config) { c.LinkLatency, c.BufferFlits, c.PacketFlits = 17, 40, 3 },
		func(c *Config) { c.InternalSpeedup, c.PacketFlits = 1.5, 4 },
		func(c *Config) { c.WaitForTailCredit = true },
	} {
		cfg := DefaultConfig()
		cfg.VCs = 2
		set(&cfg)
		for parts := 2; parts <= 4; parts++ {
			agree(t, "gossip", func() *Sim {
				s, err := New(mesh.n, gossip{mesh, t}, uniform{36}, cfg)
				if err != nil {
					t.Fatal(err)
				}
				return s
			}, 0.4, parts)
		}
	}
}

// A crossbar with speedup sends the flits that the general cycle sends, when it sends them: gossip routes by how many.
func TestSentBehindCrossbar(t *testing.T) {
	racing.Figures(t)
	mesh := newGrid(t, 5, false)
	for _, speedup := range []float64{1.5, 2} {
		var hops [2]int64
		for i := range hops {
			cfg := DefaultConfig()
			cfg.VCs, cfg.PacketFlits, cfg.BufferFlits, cfg.InternalSpeedup, cfg.forceFull = 2, 4, 20, speedup, i == 1
			s, err := New(mesh.n, gossip{mesh, t}, uniform{25}, cfg)
			if err != nil {
				t.Fatal(err)
			}
			s.Reset(0.8, 5)
			s.Step(3000)
			hops[i] = s.stat.flitHops
		}
		if hops[0] != hops[1] {
			t.Errorf("speedup %g: %d flit-hops, %d in the general cycle", speedup, hops[0], hops[1])
		}
	}
}

// Packets that have entered a switch and not left it are those at the front of its input VCs.
func TestPacketsEnterAndLeave(t *testing.T) {
	mesh := newGrid(t, 5, false)
	for _, full := range []bool{false, true} {
		cfg := DefaultConfig()
		cfg.VCs, cfg.PacketFlits, cfg.forceFull = 2, 4, full
		s, err := New(mesh.n, gossip{mesh, t}, uniform{25}, cfg)
		if err != nil {
			t.Fatal(err)
		}
		s.Reset(0.5, 3)
		s.Step(400)
		fronts := make([]int, mesh.n.Switches())
		for iv := range s.vc {
			if ip := int32(iv) >> s.vs; ip < s.nIn && s.vc[iv].state != vcIdle && s.vc[iv].state != vcRouting {
				fronts[s.in[ip].sw]++
			}
		}
		for sw, open := range s.kept.Of.(*rumours).open {
			if len(open) != fronts[sw] {
				t.Errorf("general %v: %d packets are in switch %d, %d at the front of a VC", full, len(open), sw, fronts[sw])
			}
		}
	}
}

// A routing with state decides at the switch whose state it is.
func TestStateRefusesLookAhead(t *testing.T) {
	mesh := newGrid(t, 3, false)
	cfg := DefaultConfig()
	cfg.VCs, cfg.RoutingDelay = 2, 0
	if _, err := New(mesh.n, gossip{mesh, t}, uniform{9}, cfg); err == nil || !strings.Contains(err.Error(), "routing_delay = 0") {
		t.Errorf("error = %v, want a refusal of routing_delay = 0", err)
	}
}

// The log of flits sent against a list of them.
func TestSentLog(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, window := range []int{1, 7, 63, 64, 65, 203} {
		l := newSentLog(2, window)
		var sent [2][]int
		for now := 0; now < 1500; now++ {
			for op := range int32(3) { // the last one is a source's
				if now/300%2 == 0 && rng.IntN(3) == 0 {
					l.note(op, simcore.Cycle(now))
					if op < 2 {
						sent[op] = append(sent[op], now)
					}
				}
			}
			for op := range int32(2) {
				want := 0
				for _, at := range sent[op] {
					if at >= now-window && at < now {
						want++
					}
				}
				if got := l.within(op, simcore.Cycle(now), simcore.Cycle(window)); got != want {
					t.Fatalf("window of %d at %d: %d flits, want %d", window, now, got, want)
				}
			}
		}
	}
}
