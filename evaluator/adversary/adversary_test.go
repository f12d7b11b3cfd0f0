package adversary

import (
	"context"
	"fmt"
	"math"
	"testing"

	"toposearch/evaluator/flow"
	"toposearch/internal/stream"
)

// graph makes a graph of links of one unit each way.
func graph(vertices int, links [][2]int) *flow.Graph {
	var edges []flow.Edge
	for _, l := range links {
		edges = append(edges, flow.Edge{A: int32(l[0]), B: int32(l[1]), Cap: 1})
	}
	return flow.New(vertices, vertices, 0, edges, flow.EachDirection)
}

// spread puts so many endpoints on each vertex.
func spread(vertices, each int) (at []int32) {
	for v := range vertices {
		for range each {
			at = append(at, int32(v))
		}
	}
	return at
}

func complete(n int) (links [][2]int) {
	for a := range n {
		for b := range a {
			links = append(links, [2]int{b, a})
		}
	}
	return links
}

func ring(n int) (links [][2]int) {
	for v := range n {
		links = append(links, [2]int{v, (v + 1) % n})
	}
	return links
}

// TestFindKnown: on an even ring the antipode is worst: 2n links over n routes of n/2. On one of 7, three links one way
// and four the other carry 1/3 and 1/4. On a complete graph with t endpoints a
// vertex it is any shift: one link directly and n-2 ways of two links, n/2t; the longest matching, which does not tell
// links apart, may mix endpoints of a vertex and get more. Two cliques with one link between them send n/2 endpoints
// across it.
func TestFindKnown(t *testing.T) {
	barbell := append(complete(4), [2]int{0, 4})
	for _, l := range complete(4) {
		barbell = append(barbell, [2]int{l[0] + 4, l[1] + 4})
	}
	for _, c := range []struct {
		name     string
		vertices int
		links    [][2]int
		each     int
		want     float64
	}{
		{"ring of 8", 8, ring(8), 1, 0.5}, {"ring of 8, 3 endpoints each", 8, ring(8), 3, 0.5 / 3}, {"ring of 7", 7, ring(7), 1, 7. / 12},
		{"complete graph", 6, complete(6), 4, 6. / 8}, {"complete graph of 9", 9, complete(9), 3, 1.5}, {"barbell", 8, barbell, 2, 1. / 8},
	} {
		w, err := Find(context.Background(), graph(c.vertices, c.links), spread(c.vertices, c.each), 0)
		if err != nil || w.Hi < c.want*(1-1e-9) || w.Hi > c.want*1.005 {
			t.Errorf("%s: the worst traffic found (%s) gets %g (%v), the worst gets %g", c.name, w.Name, w.Hi, err, c.want)
		}
		if at, _ := Find(context.Background(), graph(c.vertices, c.links), spread(c.vertices, c.each), c.want); at.Hi > w.Hi*1.005 || at.Tried > w.Tried {
			t.Errorf("%s: %+v where %g is certain, %+v otherwise", c.name, at, c.want, w)
		}
		again, _ := Find(context.Background(), graph(c.vertices, c.links), spread(c.vertices, c.each), 0)
		if again != w {
			t.Errorf("%s: %+v, and again %+v", c.name, w, again)
		}
	}
}

// TestFindEnds: endpoints at one vertex need no link, those of two parts have no route, and a context ends it.
func TestFindEnds(t *testing.T) {
	g := graph(4, [][2]int{{0, 1}, {2, 3}})
	if w, err := Find(context.Background(), g, []int32{1, 1, 1}, 0); err != nil || !math.IsInf(w.Hi, 1) {
		t.Errorf("one vertex: %+v (%v)", w, err)
	}
	if w, err := Find(context.Background(), g, []int32{0, 3}, 0); err != nil || w.Hi != 0 {
		t.Errorf("two parts: %+v (%v)", w, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Find(ctx, g, []int32{0, 1}, 0); err != context.Canceled {
		t.Errorf("a context that is done: %v", err)
	}
}

// TestPermutations: of no traffic that is tried does a vertex send or take more than its endpoints, on random numbers
// of them in any order.
func TestPermutations(t *testing.T) {
	for seed := range uint64(20) {
		rng := stream.New(seed, "permutations")
		n := 3 + rng.IntN(7)
		var at []int32
		for v := range n {
			for range 1 + rng.IntN(3)*(1+rng.IntN(2)) {
				at = append(at, int32(v))
			}
		}
		if seed%2 == 1 {
			rng.Shuffle(len(at), func(i, j int) { at[i], at[j] = at[j], at[i] })
		}
		h := newHunt(graph(n, ring(n)), at)
		all, err := h.matchings(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		for _, tr := range append(all, h.patterns(100)...) {
			sent, taken := make([]float64, n), make([]float64, n)
			for _, s := range tr.demands {
				for _, d := range s.To {
					sent[s.Vertex] += d.Amount * s.Times
					taken[d.Vertex] += d.Amount * s.Times
				}
			}
			for _, v := range at {
				sent[v]--
				taken[v]--
			}
			for v := range n {
				if sent[v] > 1e-9 || taken[v] > 1e-9 {
					t.Errorf("seed %d, %s: vertex %d sends %g and takes %g more than its endpoints can", seed, tr.name, v, sent[v], taken[v])
				}
			}
		}
	}
}

// TestBitPatterns: the partners of 16 lots, by their definitions.
func TestBitPatterns(t *testing.T) {
	h := newHunt(graph(16, ring(16)), spread(16, 2))
	got := map[string]string{}
	for _, tr := range h.patterns(100) {
		to := make([]int, 16)
		for v := range to {
			to[v] = v
		}
		for _, s := range tr.demands {
			to[s.Vertex] = int(s.To[0].Vertex)
		}
		got[tr.name] = fmt.Sprint(to)
	}
	for name, want := range map[string][]int{
		"mirror image (bit complement)": {15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0},
		"transpose":                     {0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15},
		"bit reversal":                  {0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15},
		"shuffle":                       {0, 2, 4, 6, 8, 10, 12, 14, 1, 3, 5, 7, 9, 11, 13, 15},
		"shift by 6 endpoints":          {3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2},
	} {
		if got[name] != fmt.Sprint(want) {
			t.Errorf("%s: %s, want %v", name, got[name], want)
		}
	}
	if len(got) != 4+8 {
		t.Errorf("%d patterns of 16 lots, want 4 and 8 shifts", len(got))
	}
}
