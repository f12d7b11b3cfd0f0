package routing

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"toposearch/topology"
)

// slowLayers is FixedLayers without its shortcuts: pairs one by one, dependencies in a map, a
// search for a cycle after each pair.
func slowLayers(r *Router) int {
	type dep = [2]topology.ChannelID
	var layers []map[dep]bool
	for _, ascending := range []bool{true, false} {
		for dst := range r.Sets {
			f := r.Field(dst)
			for src := range r.Sets {
				if src == dst || (src < dst) != ascending {
					continue
				}
				at, d := r.Inject(f, src, nil)
				if d == Unreachable {
					continue
				}
				var deps []dep
				var follow func(sw topology.SwitchID, state uint8, last topology.ChannelID)
				follow = func(sw topology.SwitchID, state uint8, last topology.ChannelID) {
					for _, h := range r.Next(f, sw, state, nil) {
						if last >= 0 {
							deps = append(deps, dep{last, h.Channel})
						}
						follow(r.Net.To(h.Channel), h.State, h.Channel)
					}
				}
				for _, i := range at {
					follow(r.Sets[src].Ports[i].Switch, 0, -1)
				}
				for k := 0; ; k++ {
					if k == len(layers) {
						layers = append(layers, map[dep]bool{})
					}
					try := map[dep]bool{}
					for d := range layers[k] {
						try[d] = true
					}
					for _, d := range deps {
						try[d] = true
					}
					after := map[topology.ChannelID][]topology.ChannelID{}
					for d := range try {
						after[d[0]] = append(after[d[0]], d[1])
					}
					state := map[topology.ChannelID]int{}
					var loops func(c topology.ChannelID) bool
					loops = func(c topology.ChannelID) bool {
						state[c] = 1
						for _, d := range after[c] {
							if state[d] == 1 || state[d] == 0 && loops(d) {
								return true
							}
						}
						state[c] = 2
						return false
					}
					cycle := false
					for c := range after {
						cycle = cycle || state[c] == 0 && loops(c)
					}
					if !cycle {
						layers[k] = try
						break
					}
				}
			}
		}
	}
	return max(1, len(layers))
}

// TestLayersTwin: greedy as it is and as it is plainly written, and the two shortcuts never worse.
func TestLayersTwin(t *testing.T) {
	for seed := range uint64(25) {
		rng := rand.New(rand.NewPCG(seed, 7))
		b := topology.NewBuilder([]topology.SwitchClass{{Name: "s"}}, []topology.LinkClass{{Name: "nic"}, {Name: "link"}})
		k := 4 + rng.IntN(7)
		b.Switch(0, k)
		for v := 1; v < k; v++ {
			b.Link(1, topology.SwitchID(v), topology.SwitchID(rng.IntN(v)))
		}
		for range rng.IntN(k) {
			if x, y := rng.IntN(k), rng.IntN(k); x != y {
				b.Link(1, topology.SwitchID(x), topology.SwitchID(y))
			}
		}
		for v := range k {
			b.Endpoints(1, []topology.SwitchID{topology.SwitchID(v)})
		}
		n, err := b.Build(fmt.Sprintf("random %d", seed))
		if err != nil {
			t.Fatal(err)
		}
		r, err := New(n, topology.Minimal())
		if err != nil {
			t.Fatal(err)
		}
		want := slowLayers(r)
		l := newLayering(r)
		got, err := l.greedy(context.Background(), func(s, d int) bool { return s < d }, func(s, d int) bool { return s > d })
		if err != nil || max(1, got) != want {
			t.Errorf("%s: %d layers, %v; plainly %d", n.Design, got, err, want)
		}
		found, least, err := FixedLayers(context.Background(), n, topology.Minimal(), 1<<20)
		if err != nil || found > want || least > found || (found == 1) != (want == 1) || (least == 1) != (want == 1) {
			t.Errorf("%s: found %d, least %d, %v; greedy %d", n.Design, found, least, err, want)
		}
	}
}

func ringOf(t *testing.T, k int) *topology.Network {
	t.Helper()
	b := topology.NewBuilder([]topology.SwitchClass{{Name: "s"}}, []topology.LinkClass{{Name: "nic"}, {Name: "link"}})
	b.Switch(0, k)
	for v := range k {
		b.Link(1, topology.SwitchID(v), topology.SwitchID((v+1)%k))
		b.Endpoints(1, []topology.SwitchID{topology.SwitchID(v)})
	}
	n, err := b.Build(fmt.Sprintf("ring of %d", k))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestLayersKnown: in a ring of up to 3 no route has two hops; from 4 on shortest routes go all
// the way round in each direction, and two layers break it.
func TestLayersKnown(t *testing.T) {
	for k, want := range map[int]int{3: 1, 4: 2, 5: 2, 9: 2} {
		found, least, err := FixedLayers(context.Background(), ringOf(t, k), topology.Minimal(), 0)
		if err != nil || found != want || least != want {
			t.Errorf("ring of %d: found %d, least %d, %v; want %d", k, found, least, err, want)
		}
	}
	// Channels without a partner are refused, not misjudged.
	one := topology.Rule{Name: "round", States: 1, Steps: []topology.Step{{Kind: topology.Kind{Link: 1, From: topology.Any, To: topology.Any}}}}
	b := topology.NewBuilder([]topology.SwitchClass{{Name: "s"}}, []topology.LinkClass{{Name: "nic"}, {Name: "link"}})
	b.Unidirectional()
	b.Switch(0, 4)
	for v := range 4 {
		b.Link(1, topology.SwitchID(v), topology.SwitchID((v+1)%4))
		b.Endpoints(1, []topology.SwitchID{topology.SwitchID(v)})
	}
	n, err := b.Build("one-way ring")
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := FixedLayers(context.Background(), n, one, 0); err == nil || errors.Is(err, ErrLayers) {
		t.Errorf("one-way ring: %v, want an error that says why not", err)
	}
}
