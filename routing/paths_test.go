package routing

import (
	"math"
	"slices"
	"testing"

	"toposearch/topology"
)

// pathsOf are the ways of all pairs of a network with one endpoint on a switch, the first hop wherever there are several.
func pathsOf(r *Router) (paths []Path) {
	n := r.Net.Switches()
	for src := range n {
		for dst := range n {
			if src == dst {
				continue
			}
			p := Path{Pair: Pair{Rate: 1 / float64(n-1)}, From: src, To: dst, At: r.Sets[src].Ports[0].Switch}
			f := r.Field(dst)
			for s, state := p.At, uint8(0); s != r.Sets[dst].Ports[0].Switch; {
				h := r.Next(f, s, state, nil)[0]
				p.Hops = append(p.Hops, h)
				s, state = r.Net.To(h.Channel), h.State
			}
			paths = append(paths, p)
		}
	}
	return paths
}

// Where there is one way for each pair, ring of five, turns of paths are those of the rule.
func TestPathTurns(t *testing.T) {
	n := torus(t, true, 5)
	r, err := New(n, topology.Minimal())
	if err != nil {
		t.Fatal(err)
	}
	want, err := r.Turns(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	got, err := r.PathTurns(t.Context(), slices.Values(pathsOf(r)))
	if err != nil {
		t.Fatal(err)
	}
	for i := range want.Rate {
		if math.Abs(got.Rate[i]-want.Rate[i]) > 1e-12 {
			t.Fatalf("turn %d: %g, want %g", i, got.Rate[i], want.Rate[i])
		}
	}
	for c := range n.Channels() {
		a, b := 0.0, 0.0
		for k := range want.Codes {
			a, b = a+got.On[c*got.Codes+k], b+want.On[c*want.Codes+k]
		}
		if math.Abs(a-b) > 1e-12 || math.Abs(b-0.75) > 1e-12 {
			t.Errorf("channel %d: %g and %g, want 0.75", c, a, b)
		}
	}
	if full, _ := got.Full(OwnCapacity(n)); full != 1 {
		t.Errorf("full at %g: endpoints send no more than 1", full)
	}
}

// Of four flows two share a channel, which is full at half of their rate: at load x they get 1/2 each and the others x, 97 % of all up to (1 + 2x)/4x = 0.97.
func TestThinned(t *testing.T) {
	n := torus(t, true, 8)
	r, err := New(n, topology.Minimal())
	if err != nil {
		t.Fatal(err)
	}
	var paths []Path
	for _, p := range pathsOf(r) {
		if p.Rate = 1; p.From == 0 && p.To == 2 || p.From == 1 && p.To == 2 || p.From == 4 && p.To == 5 || p.From == 6 && p.To == 7 {
			paths = append(paths, p)
		}
	}
	if got, want := r.Thinned(paths, OwnCapacity(n), 0.97), 1/(4*0.97-2); len(paths) != 4 || math.Abs(got-want) > 5e-3 {
		t.Errorf("%d flows: %.4f, want %.4f", len(paths), got, want)
	}
}
