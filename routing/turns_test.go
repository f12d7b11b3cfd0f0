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
			}
		}
	}
}

// checkDetoured: a quarter directly, the rest by detours. Loads are a quarter of those of uniform traffic and three quarters of twice
// as much; what arrives is unchanged.
func checkDetoured(t *testing.T, name string, n *topology.Network, l *routing.Loads, u *routing.Turns) {
	in, out := sums(u.Detoured(u, 0.25))
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
