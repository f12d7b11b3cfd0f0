package flow

import (
	"context"
	"math"
	"testing"

	"toposearch/internal/stream"
)

// randomLinks is a graph of a few vertices with parallel links, some of them one way if asked, and
// perhaps a vertex that does not forward.
func randomLinks(seed uint64, oneWay bool) (stops []bool, links []Link) {
	rng := stream.New(seed, "random links")
	stops = make([]bool, 3+rng.IntN(5))
	if oneWay {
		stops[rng.IntN(len(stops))] = true
	}
	for range 1 + rng.IntN(3*len(stops)) {
		if a, b := rng.IntN(len(stops)), rng.IntN(len(stops)); a != b {
			links = append(links, Link{A: int32(a), B: int32(b), OneWay: oneWay && rng.IntN(2) == 0})
		}
	}
	return stops, links
}

// leastCut is the definition by Menger: the fewest links that lead from the side of all of from to that
// of to, where at each port at most its count of paths may begin or end. A vertex that stops is two:
// paths end at the one and begin at the other.
func leastCut(stops []bool, links []Link, from, to []Port) int {
	k := len(stops)
	leave, reach := make([]int, k), make([]int, k) // vertex that links leave, and that they reach
	all := k
	for v := range k {
		if leave[v], reach[v] = v, v; stops[v] {
			reach[v] = all
			all++
		}
	}
	best := 1 << 30
	for side := range 1 << all { // 1: with from
		cut := 0
		for _, p := range from {
			cut += int(p.Count) * (1 - side>>leave[p.Vertex]&1)
		}
		for _, p := range to {
			cut += int(p.Count) * (side >> reach[p.Vertex] & 1)
		}
		for _, l := range links {
			cut += side >> leave[l.A] & 1 &^ (side >> reach[l.B])
			if !l.OneWay {
				cut += side >> leave[l.B] & 1 &^ (side >> reach[l.A])
			}
		}
		best = min(best, cut)
	}
	return best
}

// TestPathsTwin: numbers of link-disjoint paths are least cuts, between single vertices and between
// several, one flow after the other on the same graph.
func TestPathsTwin(t *testing.T) {
	several := 0
	for seed := range uint64(200) {
		stops, links := randomLinks(seed, seed%2 == 1)
		u := NewUnit(stops, links)
		rng := stream.New(seed, "ports")
		k := len(stops)
		for range 6 {
			order := rng.Perm(k)
			split := 1 + rng.IntN(k-1)
			var from, to []Port
			for i, v := range order {
				if p := (Port{int32(v), int32(1 + rng.IntN(3))}); i < split {
					from = append(from, p)
				} else {
					to = append(to, p)
				}
			}
			if rng.IntN(2) == 0 {
				from, to = []Port{{from[0].Vertex, 100}}, []Port{{to[0].Vertex, 100}}
			}
			want := leastCut(stops, links, from, to)
			if want > 1 {
				several++
			}
			if got := u.Paths(from, to, 1000); got != want {
				t.Errorf("seed %d, %v to %v: %d paths, least cut %d", seed, from, to, got, want)
			}
			if got := u.Paths(from, to, 2); got != min(want, 2) {
				t.Errorf("seed %d, %v to %v: %d paths of at most 2, least cut %d", seed, from, to, got, want)
			}
		}
	}
	if several < 100 {
		t.Errorf("only %d pairs with several paths", several)
	}
}

// TestSumPairs: a flow for each terminal gives what a flow for each pair gives.
func TestSumPairs(t *testing.T) {
	for seed := range uint64(200) {
		stops, links := randomLinks(seed, false)
		u := NewUnit(stops, links)
		rng := stream.New(seed, "terminals")
		var terminals []Terminal
		for _, v := range rng.Perm(len(stops))[:2+rng.IntN(len(stops)-1)] {
			terminals = append(terminals, Terminal{int32(v), int64(1 + rng.IntN(3))})
		}
		want := int64(0)
		for _, a := range terminals {
			for _, b := range terminals {
				if a.Vertex != b.Vertex {
					want += a.Endpoints * b.Endpoints * int64(u.Paths([]Port{{a.Vertex, 100}}, []Port{{b.Vertex, 100}}, 100))
				}
			}
		}
		if got, err := u.SumPairs(context.Background(), terminals); err != nil || got != want {
			t.Errorf("seed %d: %d paths in sum (%v), want %d", seed, got, err, want)
		}
	}
}

// TestReached: links one way count in their direction only, and vertices that stop lead nowhere.
func TestReached(t *testing.T) {
	u := NewUnit([]bool{false, false, true, false}, []Link{{A: 0, B: 1, OneWay: true}, {A: 1, B: 2}, {A: 2, B: 3}})
	for v, want := range []int{3, 2, 3, 2} {
		if got := u.Reached(int32(v)); got != want {
			t.Errorf("from %d: %d vertices, want %d", v, got, want)
		}
	}
	if a, b := u.Leaving(1), u.Entering(1); a != 1 || b != 2 {
		t.Errorf("vertex 1: %d links to leave by, %d to reach it by, want 1 and 2", a, b)
	}
}

// TestPathsLinear: the largest flow of a linear program between two vertices is the number of their paths.
func TestPathsLinear(t *testing.T) {
	for seed := range uint64(60) {
		p := random(seed)
		stops, links := make([]bool, p.vertices), make([]Link, len(p.edges))
		for v := p.forwards; v < p.vertices; v++ {
			stops[v] = true
		}
		for i := range links {
			p.edges[i].Cap = 1
			links[i] = Link{A: p.edges[i].A, B: p.edges[i].B}
		}
		last := int32(p.vertices - 1)
		want, err := p.linear([]Source{{0, 1, []Demand{{last, 1}}}})
		if err != nil {
			t.Errorf("seed %d: %v", seed, err)
			continue
		}
		if got := NewUnit(stops, links).Paths([]Port{{0, 100}}, []Port{{last, 100}}, 100); math.Abs(float64(got)-want) > 1e-9 {
			t.Errorf("seed %d: %d paths, linear program %g", seed, got, want)
		}
	}
}
