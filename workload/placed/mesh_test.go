package placed

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"toposearch/topology"
	"toposearch/workload"
	"toposearch/workload/collective"
)

// TestOverAllLinks by hand: in a mesh of eight with 10 B/s a link, 80 bytes. An eighth on each link is 1 s, a quarter 2 s; a step takes 0.1 s, one between domains 0.5 s at 1 B/s. Of sixteen in two domains
// an eighth, 10 bytes, goes around between two ranks, 5 each way, or 40 of what each has for others.
func TestOverAllLinks(t *testing.T) {
	one, group, two := workload.Group{Stride: 1, Size: 8}, workload.Group{Stride: 2, Size: 4}, workload.Group{Stride: 1, Size: 16}
	for _, x := range []struct {
		g    workload.Group
		kind collective.Kind
		want float64
		name string
	}{
		{one, collective.AllReduce, 2 + 2*0.1, "direct over all links"},
		{one, collective.ReduceScatter, 1 + 0.1, "direct over all links"},
		{one, collective.AllGather, 1 + 0.1, "direct over all links"},
		{one, collective.AllToAll, 1 + 0.1, "direct over all links"},
		{group, collective.AllReduce, 2 * (2 + 0.1), "direct over all links"},
		{group, collective.AllToAll, 2 + 0.1, "direct over all links"},
		{one, collective.Exchange, 40, "message"},
		{two, collective.AllReduce, 2 + 2*0.1 + 10 + 2*0.5, "hierarchical, inside over all links"},
		{two, collective.AllGather, 1 + 0.1 + 5 + 0.5, "hierarchical, inside over all links"},
		{two, collective.AllToAll, 1 + 0.1 + 40 + 0.5, "hierarchical, inside over all links"},
	} {
		n := &Network{Link: collective.Link{Alpha: 0.5, BytesPerS: 1}, Domain: 8, Scaleup: collective.Link{Alpha: 0.1, BytesPerS: 10}, Mesh: true, Endpoint: first(16)}
		c := workload.Communication{Kind: x.kind, Group: x.g, Bytes: 80, Count: 1}
		if x.kind == collective.Exchange { // all but the last of a group stay inside
			x.want = 8 + 0.1
		}
		got, name, err := n.Collective(context.Background(), c)
		if err != nil || math.Abs(got-x.want) > 1e-9 || name != x.name {
			t.Errorf("%s: %g s by %s, want %g by %s (%v)", c, got, name, x.want, x.name, err)
		}
		ideal, by, err := workload.System{Domain: 8, Mesh: true, Link: [collective.Levels]collective.Link{n.Scaleup, n.Link}}.Collective(c)
		if x.kind != collective.Exchange && (err != nil || math.Abs(ideal-x.want) > 1e-9 || by != x.name) {
			t.Errorf("%s ideally: %g s by %s, want %g by %s (%v)", c, ideal, by, x.want, x.name, err)
		}
	}
}

// linksOf is what the busiest link of a mesh, or endpoint of other domains, takes of S by one step, message by message over the links that they take, and the most that an endpoint sends out.
func linksOf(n *Network, g workload.Group, places int, st collective.Step) (inside, out float64) {
	links, sent := make(map[[2]int]float64), make(map[int]float64)
	for _, l := range st.Lanes {
		times := 1
		if l.Grow != 0 {
			times = st.Repeat
		}
		for k := range times {
			l.Each(places, k, func(from, to int) {
				for start := range firsts(g, len(n.Endpoint)) {
					a, b := int(n.Endpoint[start+from*g.Stride]), int(n.Endpoint[start+to*g.Stride])
					link := [2]int{a, b}
					switch {
					case a/n.Domain != b/n.Domain:
						sent[a] += l.Share
						out = max(out, sent[a])
						continue
					case !n.Mesh:
						link[1] = 0
					}
					links[link] += l.Share
					inside = max(inside, links[link])
				}
			})
		}
	}
	return inside, out
}

// TestMeshLinks: what stages of all algorithms take inside domains is what the links there carry, counted one by one, wherever ranks are; over the network at least what ranks send. No time is below the bound, and none of a mesh is
// above that over one link of an endpoint.
func TestMeshLinks(t *testing.T) {
	rng := rand.New(rand.NewPCG(14, 1))
	named := make(map[string]int)
	for _, design := range []string{"torus(k1=4,k2=6)", "fattree(k=8,l=2)", "dragonfly(p=2,a=4,h=2)", "fattree(k=16,l=2,d=12,pods=4)", ""} {
		for range 60 {
			n := &Network{Link: collective.Link{}, Endpoint: first(48)}
			if design != "" {
				n = on(t, design, 1)
			}
			ranks := len(n.Endpoint)
			n.Domain, n.Mesh = []int{2, 3, 4, 6, 8, 12}[rng.IntN(6)], rng.IntN(4) > 0
			n.Link = collective.Link{Alpha: rng.Float64(), BytesPerS: 1 + 100*rng.Float64()}
			n.Scaleup = collective.Link{Alpha: rng.Float64(), BytesPerS: 1 + 100*rng.Float64()}
			size := 2 + rng.IntN(ranks-1)
			for ranks%size != 0 {
				size--
			}
			if size < 2 {
				continue
			}
			g := workload.Group{Stride: 1, Size: size}
			for g.Stride = 1 + rng.IntN(ranks/size); (ranks/size)%g.Stride != 0; g.Stride-- {
			}
			switch rng.IntN(3) {
			case 0:
				rng.Shuffle(ranks, func(i, j int) { n.Endpoint[i], n.Endpoint[j] = n.Endpoint[j], n.Endpoint[i] })
			case 1: // as orders of parallelism place them
				for i := range n.Endpoint {
					n.Endpoint[i] = topology.EndpointID(i%size*(ranks/size) + i/size)
				}
			}
			for _, k := range []collective.Kind{collective.AllReduce, collective.ReduceScatter, collective.AllGather, collective.AllToAll, collective.Exchange} {
				c := workload.Communication{Kind: k, Group: g, Bytes: math.Exp(20 * rng.Float64()), Count: 1}
				what := fmt.Sprintf("%q, domains of %d (mesh: %t), %s", design, n.Domain, n.Mesh, c)
				for _, a := range n.algorithms(c) {
					s, err := a.Schedule(k)
					if err != nil {
						continue
					}
					stages, err := n.stages(context.Background(), g, s, 1)
					if err != nil {
						t.Fatal(err)
					}
					for i, st := range s.Steps {
						times := 1.0
						if st.Lanes[0].Grow == 0 {
							times = float64(st.Repeat)
						}
						inside, out := linksOf(n, g, s.Ranks, st)
						steps := st.Repeat
						if out == 0 && st.AtOnce {
							steps = 1
						}
						if x := stages[i]; math.Abs(x.inside-inside*times) > 1e-9 || x.far < out*times*(1-1e-9) || out == 0 && x.far > 0 || x.steps != steps {
							t.Errorf("%s by %s, step %d: %+v, by links %g inside, %g sent, %d steps", what, a.Name(), i, x, inside*times, out*times, steps)
						}
					}
				}
				got, by, err := n.Collective(context.Background(), c)
				if err != nil {
					t.Fatal(err)
				}
				named[by]++
				if lo := n.LowerBound(c); got < lo*(1-1e-9) {
					t.Errorf("%s takes %g s by %s, less than the bound %g", what, got, by, lo)
				}
				switched := n.On(n.Endpoint)
				switched.Mesh = false
				if one, as, err := switched.Collective(context.Background(), c); n.Mesh && (err != nil || got > one*(1+1e-9)) {
					t.Errorf("%s takes %g s by %s, over one link at a time %g by %s (%v)", what, got, by, one, as, err)
				}
			}
		}
	}
	if named["direct over all links"] < 30 || named["hierarchical, inside over all links"] < 50 {
		t.Errorf("algorithms taken: %v", named)
	}
}
