package flow

import (
	"context"
	"fmt"
	"math"
	"reflect"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize/convex/lp"

	"toposearch/internal/stream"
)

// plain is a graph as a list of edges.
type plain struct {
	vertices, forwards int
	edges              []Edge
}

func (p *plain) graph(by Grouping) *Graph { return New(p.vertices, p.forwards, 2, p.edges, by) }

// random is a connected graph with parallel edges and some vertices that do not forward.
func random(seed uint64) *plain {
	rng := stream.New(seed, "random graph")
	p := &plain{forwards: 2 + rng.IntN(3)}
	p.vertices = p.forwards + rng.IntN(3)
	for v := 1; v < p.vertices; v++ {
		p.edges = append(p.edges, Edge{A: int32(v), B: int32(rng.IntN(min(v, p.forwards))), Cap: float64(1 + rng.IntN(3)), Class: int32(v % 2)})
	}
	for range rng.IntN(5) {
		if a, b := rng.IntN(p.vertices), rng.IntN(p.forwards); a != b {
			p.edges = append(p.edges, Edge{A: int32(a), B: int32(b), Cap: float64(1 + rng.IntN(3))})
		}
	}
	return p
}

// linear is the concurrent flow as a linear program, solved by gonum: the largest theta so that each
// source sends theta times its demands, over flows of every source on both directions of every edge. The
// capacity is that of a direction.
func (p *plain) linear(sources []Source) (float64, error) {
	arcs := 2 * len(p.edges)
	columns := len(sources)*arcs + arcs + 1 // flows, spare capacities, theta
	theta := columns - 1
	var rows [][]float64
	var right []float64
	row := func(b float64) []float64 {
		rows, right = append(rows, make([]float64, columns)), append(right, b)
		return rows[len(rows)-1]
	}
	ends := func(a int) (from, to int32) {
		e := p.edges[a/2]
		if a%2 == 1 {
			return e.B, e.A
		}
		return e.A, e.B
	}
	for i, s := range sources {
		demand := make([]float64, p.vertices)
		for _, d := range s.To {
			demand[d.Vertex] += d.Amount * s.Times
		}
		for v := range int32(p.vertices) {
			if v == s.Vertex {
				continue // what the others take determines it
			}
			r := row(0)
			for a := range arcs {
				switch x, y := ends(a); {
				case y == v && (int(x) < p.forwards || x == s.Vertex):
					r[i*arcs+a] = 1
				case x == v && int(v) < p.forwards:
					r[i*arcs+a] = -1
				}
			}
			r[theta] = -demand[v]
		}
	}
	for a := range arcs {
		r := row(p.edges[a/2].Cap)
		for i := range sources {
			r[i*arcs+a] = 1
		}
		r[len(sources)*arcs+a] = 1
	}
	matrix := mat.NewDense(len(rows), columns, nil)
	for i, r := range rows {
		matrix.SetRow(i, r)
	}
	goal := make([]float64, columns)
	goal[theta] = -1
	x, _, err := lp.Simplex(goal, matrix, right, 1e-10, nil)
	return -x, err
}

// TestThroughputTwin: on random graphs the interval holds what a linear program says, and is narrow.
func TestThroughputTwin(t *testing.T) {
	compared := 0
	for seed := range uint64(60) {
		p := random(seed)
		rng := stream.New(seed, "demand")
		at, to := make([]int32, 6), make([]int32, 6)
		for e, d := range rng.Perm(6) {
			at[e], to[e] = int32(rng.IntN(p.vertices)), int32(d)
		}
		for _, c := range []struct {
			name    string
			by      Grouping
			sources []Source
		}{
			{"uniform", EachEdge, Uniform(at, nil)},
			{"uniform, directions apart", EachDirection, Uniform(at, nil)},
			{"permutation", EachDirection, Permutation(at, to)},
		} {
			name := fmt.Sprintf("seed %d, %s", seed, c.name)
			lo, hi, err := p.graph(c.by).Throughput(context.Background(), c.sources)
			if err != nil {
				t.Fatal(err)
			}
			if math.IsInf(lo, 1) {
				continue // all on one vertex
			}
			want, err := p.linear(c.sources)
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			compared++
			if lo > want*(1+1e-7) || hi < want*(1-1e-7) || hi-lo > 0.03*hi {
				t.Errorf("%s: [%.9g, %.9g], linear program %.9g", name, lo, hi, want)
			}
		}
	}
	if compared < 150 {
		t.Errorf("only %d flows were compared", compared)
	}
}

// TestQuickTwin: on random graphs the interval holds what a linear program says, whatever the rounds, its lengths prove
// hi by their distances, and a flow that carries enough ends it.
func TestQuickTwin(t *testing.T) {
	ctx := context.Background()
	for seed := range uint64(30) {
		p := random(seed)
		rng := stream.New(seed, "demand")
		at, to := make([]int32, 6), make([]int32, 6)
		for e, d := range rng.Perm(6) {
			at[e], to[e] = int32(rng.IntN(p.vertices)), int32(d)
		}
		g, sources := p.graph(EachDirection), Permutation(at, to)
		want, err := p.linear(sources)
		if err != nil || len(sources) == 0 {
			continue
		}
		for _, rounds := range []int{1, 5, 200} {
			lo, hi, lengths, err := g.Quick(ctx, sources, math.Inf(1), rounds)
			if err != nil || lo > want*(1+1e-7) || hi < want*(1-1e-7) || rounds == 200 && hi-lo > 0.05*hi {
				t.Errorf("seed %d: [%.9g, %.9g] in %d rounds (%v), linear program %.9g", seed, lo, hi, rounds, err, want)
			}
			volume := 0.0
			for _, s := range sources {
				for _, d := range s.To {
					dist, err := g.Distances(ctx, lengths, []int32{s.Vertex, d.Vertex})
					if err != nil {
						t.Fatal(err)
					}
					volume += d.Amount * dist[1]
				}
			}
			if x := g.Volume(lengths) / volume; math.Abs(x-hi) > 1e-9*hi && lo != hi {
				t.Errorf("seed %d: the lengths prove %.9g, not %.9g", seed, x, hi)
			}
		}
		if lo, _, _, err := g.Quick(ctx, sources, want/3, 200); err != nil || lo < want/3 {
			t.Errorf("seed %d: a flow of %g (%v), %g is enough", seed, lo, err, want/3)
		}
	}
}

// ring is a cycle of vertices that forward.
func ring(n int) *plain {
	p := &plain{vertices: n, forwards: n}
	for v := range n {
		p.edges = append(p.edges, Edge{A: int32(v), B: int32((v + 1) % n), Cap: 1})
	}
	return p
}

// TestThroughputKnown: on a ring of 8 distances add up to 16 from each vertex, over one link each way on
// either side, so that a load of 7/8 uses all of them; opposite partners, 4 links apart, send half. One
// source for all and one length for all links say the same.
func TestThroughputKnown(t *testing.T) {
	at, opposite := make([]int32, 8), make([]int32, 8)
	for v := range int32(8) {
		at[v], opposite[v] = v, (v+4)%8
	}
	for _, c := range []struct {
		by      Grouping
		sources []Source
		want    float64
	}{
		{EachEdge, Uniform(at, nil), 7. / 8}, {EachDirection, Uniform(at, nil), 7. / 8},
		{EachClass, Uniform(at, []Orbit{{Endpoint: 3, Count: 8}}), 7. / 8}, {EachDirection, Permutation(at, opposite), 0.5},
	} {
		lo, hi, err := ring(8).graph(c.by).Throughput(context.Background(), c.sources)
		if err != nil || lo > c.want+1e-9 || hi < c.want-1e-9 || hi-lo > 1e-3 {
			t.Errorf("ring of 8, grouping %d: [%.9g, %.9g] (%v), want %g", c.by, lo, hi, err, c.want)
		}
	}
}

// TestThroughputEnds: demands that no route serves leave nothing, demands within a vertex need nothing,
// and vertices that do not forward cut others off.
func TestThroughputEnds(t *testing.T) {
	apart := &plain{vertices: 4, forwards: 4, edges: []Edge{{A: 0, B: 1, Cap: 1}, {A: 2, B: 3, Cap: 1}}}
	line := &plain{vertices: 3, forwards: 1, edges: []Edge{{A: 0, B: 1, Cap: 1}, {A: 1, B: 2, Cap: 1}}}
	for _, c := range []struct {
		name string
		p    *plain
		at   []int32
		want float64
	}{{"two parts", apart, []int32{0, 3}, 0}, {"one vertex", apart, []int32{2, 2}, math.Inf(1)}, {"behind a vertex that ends routes", line, []int32{0, 2}, 0}} {
		lo, hi, err := c.p.graph(EachEdge).Throughput(context.Background(), Uniform(c.at, nil))
		if err != nil || lo != c.want || hi != c.want {
			t.Errorf("%s: [%g, %g] (%v), want %g", c.name, lo, hi, err, c.want)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, _, err := ring(5).graph(EachEdge).Throughput(ctx, Uniform([]int32{0, 1, 3}, nil)); err != context.Canceled {
		t.Errorf("a context that is done: error %v", err)
	}
}

// TestDemands: four endpoints, two of them on one vertex.
func TestDemands(t *testing.T) {
	at := []int32{0, 2, 2, 1}
	third := []Demand{{0, 1. / 3}, {1, 1. / 3}, {2, 2. / 3}}
	if got, want := Uniform(at, nil), []Source{{0, 1, third}, {1, 1, third}, {2, 2, third}}; !reflect.DeepEqual(got, want) {
		t.Errorf("uniform: %v, want %v", got, want)
	}
	if got, want := Uniform(at, []Orbit{{Endpoint: 1, Count: 4}}), []Source{{2, 4, third}}; !reflect.DeepEqual(got, want) {
		t.Errorf("uniform from one orbit: %v, want %v", got, want)
	}
	shares := []Demand{{5, 0.25}, {6, 0.75}}
	if got, want := Spread(at, shares), []Source{{0, 1, shares}, {1, 1, shares}, {2, 2, shares}}; !reflect.DeepEqual(got, want) {
		t.Errorf("spread: %v, want %v", got, want)
	}
	// 1 and 2 are on one vertex and send to 0 and 3; 0 sends to 1, 3 nothing.
	if got, want := Permutation(at, []int32{1, 0, 3, -1}), []Source{{0, 1, []Demand{{2, 1}}}, {2, 1, []Demand{{0, 1}, {1, 1}}}}; !reflect.DeepEqual(got, want) {
		t.Errorf("permutation: %v, want %v", got, want)
	}
}
