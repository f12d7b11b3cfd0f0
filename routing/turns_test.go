package routing_test

import (
	"context"
	"errors"
	"math"
	"testing"

	"toposearch/routing"
	"toposearch/topology"
	"toposearch/topology/family/familytest"
)

func turned(t *testing.T, name string) (*topology.Network, topology.Rule) {
	t.Helper()
	return familytest.Network(t, name)
}

// sums are what comes into each switch by a port, and what leaves by one.
func sums(t *routing.Turns) (in, out []float64) {
	in, out = make([]float64, len(t.Row)), make([]float64, len(t.Row))
	for i := range t.Row {
		t.Each(i, func(o int, x float64) {
			in[i] += x
			out[o] += x
		})
	}
	return in, out
}

// TestTurns: what leaves by a channel is its load, comes in at its end, and is what its VCs carry together; detours load
// channels as the formula for loads says, and every detour ends.
func TestTurns(t *testing.T) {
	for _, name := range []string{"ring(n=9)", "torus(k1=5,k2=4)", "dragonfly(p=2,a=4,h=2)", "fattree(k=4,l=3)", "bcube(n=3,l=2)", "dcell(n=3,l=1)", "slimfly(q=3)"} {
		n, rule := turned(t, name)
		r, err := routing.New(n, rule)
		if err != nil {
			t.Fatal(err)
		}
		ctx := context.Background()
		l, err := r.UniformLoads(ctx, routing.LoadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		u, err := r.Turns(ctx, nil)
		if err != nil {
			t.Fatal(err)
		}
		checkTurns(t, name, n, l, u)
		checkDetoured(t, name, n, l, u)
	}
}

func checkTurns(t *testing.T, name string, n *topology.Network, l *routing.Loads, u *routing.Turns) {
	t.Helper()
	in, out := sums(u)
	for c := range n.Channels() {
		on := 0.0
		for _, x := range u.On[c*u.Codes : (c+1)*u.Codes] {
			on += x
		}
		if want := l.Channel[c]; math.Abs(in[c]-want) > 1e-9 || math.Abs(out[c]-want) > 1e-9 || math.Abs(on-want) > 1e-9 {
			t.Fatalf("%s, channel %d: in %g, out %g, on VCs %g, load %g", name, c, in[c], out[c], on, want)
		}
	}
	total := 0.0
	for p := n.Channels(); p < len(out); p++ {
		total += out[p]
	}
	if want := float64(n.Endpoints()); math.Abs(total-want) > 1e-9*want {
		t.Errorf("%s: %g arrive, want %g", name, total, want)
	}
}

// Turns of tables with layers are their loads, and those of a permutation, too.
func TestLayeredTurns(t *testing.T) {
	for _, name := range []string{"ring(n=9)", "torus(k1=5,k2=4)", "dragonfly(p=2,a=4,h=2)", "bcube(n=3,l=2)", "slimfly(q=3)"} {
		n, _ := turned(t, name)
		ctx := context.Background()
		m, err := routing.LongestMatching(ctx, n)
		if err != nil {
			t.Fatal(err)
		}
		for _, make := range []func(context.Context, *topology.Network) (*routing.Layered, error){routing.LASH, routing.DFSSSP} {
			tables, err := make(ctx, n)
			if err != nil {
				t.Fatal(err)
			}
			flows := tables.Router.Flows(m.To)
			for _, of := range []struct {
				flows []routing.Flow
				loads func() (*routing.Loads, error)
			}{{nil, func() (*routing.Loads, error) { return tables.UniformLoads(ctx) }}, {flows, func() (*routing.Loads, error) { return tables.FlowLoads(ctx, flows) }}} {
				l, err := of.loads()
				if err != nil {
					t.Fatal(err)
				}
				u, err := tables.Turns(ctx, of.flows)
				if err != nil || u.Codes != 2*tables.Layers {
					t.Fatalf("%s: %v, %d codes of %d layers", name, err, u.Codes, tables.Layers)
				}
				checkTurns(t, name, n, l, u)
				if of.flows == nil && !routing.SeveralPorts(n) { // the same, path by path
					if u, err = tables.PathTurns(ctx, nil); err != nil {
						t.Fatal(err)
					}
					checkTurns(t, name, n, l, u)
				}
			}
		}
	}
}

// checkDetoured: a quarter directly, the rest by detours. Loads are a quarter of those of uniform traffic and three quarters of twice
// as much; what arrives is unchanged.
func checkDetoured(t *testing.T, name string, n *topology.Network, l *routing.Loads, u *routing.Turns) {
	in, out := sums(u.Detoured(u, u, 0.25))
	for c := range n.Channels() {
		if want := 1.75 * l.Channel[c]; math.Abs(in[c]-want) > 1e-9 || math.Abs(out[c]-want) > 1e-9 {
			t.Fatalf("%s, channel %d with detours: in %g, out %g, want %g", name, c, in[c], out[c], want)
		}
	}
	total := 0.0
	for p := n.Channels(); p < len(out); p++ {
		total += out[p]
	}
	if want := float64(n.Endpoints()); math.Abs(total-want) > 1e-9*want {
		t.Errorf("%s: %g arrive with detours, want %g", name, total, want)
	}
}

// TestTooManyTurns: the error names what is too much, and no number that is not. The 4 * 260 * 260 channels of the torus have 64
// codes each if VCs follow hops; turns are 5 for each of 5 * 260 * 260 ports into switches, few enough.
func TestTooManyTurns(t *testing.T) {
	n, _ := turned(t, "torus(k1=260,k2=260)")
	r, err := routing.New(n, topology.Minimal())
	if err != nil {
		t.Fatal(err)
	}
	_, err = r.Turns(context.Background(), nil)
	const want = "routing: 17305600 VCs of channels and choices of them are more than the 16777216 that are followed"
	if much := (routing.TooManyTurns{}); !errors.As(err, &much) || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// TestValiant: every packet by way of each set, directly where that is its own or its destination's, walked one by one: first legs from the nearest ports, second ones from where the
// first ended. The worst permutation of zcube(n=4,k=2) sends much of a row to one column, by way of what shares a switch with the source.
func TestValiant(t *testing.T) {
	for _, name := range []string{"ring(n=7)", "complete(n=5,t=2)", "torus(k1=4,k2=3)", "zcube(n=4,k=2)", "bcube(n=3,l=1)", "dcell(n=3,l=1)"} {
		n, rule := turned(t, name)
		ctx := context.Background()
		r, err := routing.New(n, rule)
		if err != nil {
			t.Fatal(err)
		}
		m, err := routing.LongestMatching(ctx, n)
		if err != nil {
			t.Fatal(err)
		}
		for _, flows := range [][]routing.Flow{nil, r.Flows(m.To)} {
			got, err := r.Valiant(ctx, flows)
			if err != nil || got == nil {
				t.Fatalf("%s: %v %v", name, got, err)
			}
			w := walker{r: r, load: make([]float64, n.Channels())}
			for i := range r.Sets {
				w.fields = append(w.fields, r.Field(i))
			}
			total, all := 0.0, flows
			if flows == nil {
				for src := range r.Sets {
					for dst := range r.Sets {
						pairs := float64(r.Sets[src].Endpoints * r.Sets[dst].Endpoints)
						if src == dst {
							pairs -= float64(r.Sets[dst].Endpoints)
						}
						all = append(all, routing.Flow{Src: src, Dst: dst, Rate: pairs / float64(n.Endpoints()-1)})
					}
				}
			}
			for _, f := range all {
				total += f.Rate
				for mid := range r.Sets {
					rate := f.Rate / float64(len(r.Sets))
					switch {
					case r.Share(f.Src, f.Dst):
						continue
					case mid == f.Src || mid == f.Dst:
						w.leg(w.begin(f.Src, f.Dst), f.Dst, rate)
						continue
					}
					for at, part := range w.leg(w.begin(f.Src, mid), mid, rate) {
						w.leg(map[topology.SwitchID]float64{at: 1}, f.Dst, part)
					}
				}
			}
			in, out := sums(got)
			for c := range n.Channels() {
				if math.Abs(in[c]-w.load[c]) > 1e-9 || math.Abs(out[c]-w.load[c]) > 1e-9 {
					t.Fatalf("%s, channel %d: in %g, out %g, want %g", name, c, in[c], out[c], w.load[c])
				}
			}
			for _, x := range out[n.Channels():] {
				total -= x
			}
			if math.Abs(total) > 1e-9 {
				t.Errorf("%s: %g do not arrive", name, total)
			}
			for c, x := range got.Relative(func(int) float64 { return 0.5 })[:n.Channels()] {
				if n.LinkClasses[n.LinkClass(topology.ChannelID(c))].Name != topology.ClassInternal && math.Abs(x-2*w.load[c]) > 1e-9 {
					t.Fatalf("%s, channel %d: %g of half a bandwidth, want %g", name, c, x, 2*w.load[c])
				}
			}
		}
	}
}

// walker adds up what single packets load channels with.
type walker struct {
	r      *routing.Router
	fields []*routing.Field
	load   []float64
}

// begin is by which of its switches a set sends to another.
func (w *walker) begin(src, dst int) map[topology.SwitchID]float64 {
	at, _ := w.r.Inject(w.fields[dst], src, nil)
	out := map[topology.SwitchID]float64{}
	for _, i := range at {
		out[w.r.Sets[src].Ports[i].Switch] += 1 / float64(len(at))
	}
	return out
}

// leg is where so much ends that goes from switches to a set.
func (w *walker) leg(from map[topology.SwitchID]float64, dst int, rate float64) map[topology.SwitchID]float64 {
	out := map[topology.SwitchID]float64{}
	var walk func(s topology.SwitchID, state uint8, rate float64)
	walk = func(s topology.SwitchID, state uint8, rate float64) {
		if w.fields[dst].Dist[int(s)*w.r.States()+int(state)] == 0 {
			out[s] += rate
			return
		}
		hops := w.r.Next(w.fields[dst], s, state, nil)
		for _, h := range hops {
			w.load[h.Channel] += rate / float64(len(hops))
			walk(w.r.Net.To(h.Channel), h.State, rate/float64(len(hops)))
		}
	}
	for s, x := range from {
		walk(s, 0, rate*x)
	}
	return out
}
