package queue_test

import (
	"context"
	"math"
	"testing"

	"toposearch/routing"
	"toposearch/simcore/flit"
	"toposearch/simcore/queue"
	"toposearch/simcore/route"
	"toposearch/simcore/traffic"
	"toposearch/topology"
	"toposearch/topology/family/familytest"
)

func network(t *testing.T, name string) (*topology.Network, topology.Rule) {
	t.Helper()
	return familytest.Network(t, name)
}

func saturation(t *testing.T, m *queue.Model) float64 {
	t.Helper()
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := m.Saturation(ended); err == nil {
		t.Error("a cancelled context does not end it")
	}
	x, err := m.Saturation(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func turnsOf(t *testing.T, n *topology.Network, rule topology.Rule) *routing.Turns {
	t.Helper()
	r, err := routing.New(n, rule)
	if err != nil {
		t.Fatal(err)
	}
	turns, err := r.Turns(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return turns
}

// switchOf is the flit engine's default switch, see verify.
func switchOf(vcs int, packet, buffer float64) queue.Switch {
	return queue.Switch{VCs: vcs, Buffer: buffer, Packet: packet, Speedup: 2, Trip: 5, Turn: 1}
}

// TestUsable on a ring of ten with 2 + 2 VCs: packets that may take either class even both out, unless one alone has more than half of the traffic.
func TestUsable(t *testing.T) {
	n, rule := network(t, "ring(n=10)")
	turns := turnsOf(t, n, rule)
	got := queue.Usable(turns, 4, 2)
	even := 0
	for c := range got {
		on := turns.On[c*turns.Codes : (c+1)*turns.Codes]
		lower, either, upper := on[0], on[1], on[2]+on[3]
		want := 4.0
		if most := max(lower, upper); most > lower+either+upper-most {
			want = 2 * (lower + either + upper) / most
		} else {
			even++
		}
		if math.Abs(got[c]-want) > 1e-12 || got[c] < 2 || got[c] > 4 {
			t.Errorf("channel %d: %g VCs of 4, want %g", c, got[c], want)
		}
	}
	if even == 0 || even == len(got) {
		t.Errorf("both classes are as full on %d of %d channels: too few or too many to tell", even, len(got))
	}
	if n, rule = network(t, "hypercube(n=3)"); queue.Usable(turnsOf(t, n, rule), 4, 1)[0] != 4 {
		t.Error("one class has all VCs")
	}
}

// TestHeldUp: switches of which nearly all waits for room behind one channel lose nothing, however few VCs there are, where packets leave at the end of the way: of
// dcell(n=8,l=1) a channel is full at 1/18 under its worst permutation, and as much is simulated over one VC a hop. Around a ring they wait for each other.
func TestHeldUp(t *testing.T) {
	n, rule := network(t, "dcell(n=8,l=1)")
	r, err := routing.New(n, rule)
	if err != nil {
		t.Fatal(err)
	}
	worst, err := traffic.ByName("worst", traffic.Options{Network: n, Context: context.Background(), Router: r})
	if err != nil {
		t.Fatal(err)
	}
	turns, err := r.Turns(context.Background(), r.Flows(worst.Permutation()))
	if err != nil {
		t.Fatal(err)
	}
	turns.Single = true
	if got := saturation(t, queue.New(turns, switchOf(5, 4, 11), queue.Usable(turns, 5, 5))); got < 0.95/18 {
		t.Errorf("dcell(n=8,l=1), worst permutation: %.4f, a channel is full at %.4f", got, 1./18)
	}
	n, rule = network(t, "ring(n=16)")
	turns = turnsOf(t, n, rule)
	if got, full := saturation(t, queue.New(turns, switchOf(2, 4, 11), queue.Usable(turns, 2, rule.VCs()))), 15./32; got > 0.9*full {
		t.Errorf("ring(n=16) over two VCs: %.4f, a channel is full at %.4f", got, full)
	}
}

// TestRelations: more VCs and more room never lower the load, which stays below what fills a channel
// and comes near to it with much of all.
func TestRelations(t *testing.T) {
	for _, name := range []string{"torus(k1=8)", "dragonfly(p=2,a=4,h=2)", "mesh(k1=4,k2=4)", "bcube(n=4,l=1)"} {
		n, rule := network(t, name)
		turns := turnsOf(t, n, rule)
		r, err := routing.New(n, rule)
		if err != nil {
			t.Fatal(err)
		}
		l, err := r.UniformLoads(context.Background(), routing.LoadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		full := min(l.Throughput(n).Throughput, 1)
		at := func(vcs int, packet, buffer float64) float64 {
			return saturation(t, queue.New(turns, switchOf(vcs, packet, buffer), queue.Usable(turns, vcs, rule.VCs())))
		}
		base := at(4, 4, 11)
		if more := at(8, 4, 11); more < base {
			t.Errorf("%s: 8 VCs carry %.4f, 4 %.4f", name, more, base)
		}
		if more := at(4, 4, 44); more < base {
			t.Errorf("%s: 44 flits carry %.4f, 11 %.4f", name, more, base)
		}
		if most := at(32, 1, 1e4); most > full+1e-9 || most < 0.97*full || base > full {
			t.Errorf("%s: %.4f with much of all, %.4f with little, a channel is full at %.4f", name, most, base, full)
		}
	}
}

// TestAgainstSimulation: within a tenth of the simulated saturation load, over VCs, buffers and packets.
func TestAgainstSimulation(t *testing.T) {
	for i, c := range []struct {
		name                string
		vcs, packet, buffer int
	}{{"ring(n=16)", 4, 4, 8}, {"crossbar(n=16)", 2, 4, 11}, {"mesh(k1=6,k2=6)", 2, 4, 11},
		{"dragonfly(p=2,a=4,h=2)", 2, 4, 11}, {"crossbar(n=16)", 8, 16, 32}} {
		if testing.Short() && i > 0 {
			break
		}
		n, rule := network(t, c.name)
		r, err := route.ByName(context.Background(), "natural", n, route.Options{Natural: rule, VCs: c.vcs})
		if err != nil {
			t.Fatal(err)
		}
		uniform, err := traffic.ByName("uniform", traffic.Options{Network: n})
		if err != nil {
			t.Fatal(err)
		}
		cfg := flit.SwitchConfig()
		cfg.VCs, cfg.PacketFlits, cfg.BufferFlits, cfg.Warmup, cfg.Measure, cfg.SatTolerance = c.vcs, c.packet, c.buffer, 500, 2000, 0.04
		s, err := flit.New(n, r, uniform, cfg)
		if err != nil {
			t.Fatal(err)
		}
		sat, err := s.Saturation(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		turns := turnsOf(t, n, rule)
		got := saturation(t, queue.New(turns, switchOf(c.vcs, float64(c.packet), float64(c.buffer)), queue.Usable(turns, c.vcs, r.VCs())))
		if got < 0.9*sat.Load || got > 1.1*sat.High() {
			t.Errorf("%s, %d VCs of %d flits, packets of %d: expected %.4f, simulated between %.4f and %.4f", c.name, c.vcs, c.buffer, c.packet, got, sat.Load, sat.High())
		}
	}
}
