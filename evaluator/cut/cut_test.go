package cut

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"toposearch/internal/stream"
)

// kinds is the number of kinds of random graphs.
const kinds = 5

// links makes the arcs of links, twice each.
func links(arcs []Arc, from, to int, capacity float64) []Arc {
	a, b := int32(from), int32(to)
	return append(arcs, Arc{a, b, capacity}, Arc{b, a, capacity})
}

// random is a connected graph of a few switches, with parallel links, whose endpoints hang on switches
// (kind 0), are vertices with two links (1), or are kept whole in vertices of one or two (2). Of kinds 3 and 4 channels
// lead one way, and endpoints are vertices with one in and one out; on 4 as much leaves a vertex as enters it.
func random(seed uint64, kind int) Spec {
	rng := stream.New(seed, "random graph", uint64(kind))
	k := 2 + rng.IntN(4)
	s := Spec{Class: make([]uint8, k), Weight: make([]int64, k), First: make([]int64, k)}
	for v := k / 2; v < k; v++ {
		s.Class[v] = 1
	}
	if kind < 3 {
		s.Arcs = undirected(k, rng)
	} else {
		s.OneWay = true
		for range k * (2 + rng.IntN(2)) {
			x, y, c := rng.IntN(k), rng.IntN(k), float64(1+rng.IntN(2))
			if x == y {
				continue
			}
			s.Arcs = append(s.Arcs, Arc{int32(x), int32(y), c})
			if z := rng.IntN(k); kind == 4 && z != x && z != y { // as much back, by another way
				s.Arcs = append(s.Arcs, Arc{int32(y), int32(z), c}, Arc{int32(z), int32(x), c})
			} else if kind == 4 {
				s.Arcs = append(s.Arcs, Arc{int32(y), int32(x), c})
			}
		}
	}
	if kind == 0 {
		s.Access = 1
		for v := range s.Weight {
			s.Weight[v] = int64(rng.IntN(3))
		}
		s.Weight[0]++
		s.Weight[k-1]++
		return numbered(s)
	}
	for range 3 + rng.IntN(4) {
		v := len(s.Weight)
		if kind >= 3 {
			s.First, s.Weight = append(s.First, 0), append(s.Weight, 1)
			to, from := rng.IntN(k), rng.IntN(k)
			if kind == 4 {
				from = to
			}
			s.Arcs = append(s.Arcs, Arc{int32(v), int32(to), 1}, Arc{int32(from), int32(v), 1})
			continue
		}
		s.First = append(s.First, 0)
		s.Weight = append(s.Weight, int64(1+(kind-1)*rng.IntN(2)))
		s.Arcs = links(s.Arcs, v, rng.IntN(k), 1)
		s.Arcs = links(s.Arcs, v, rng.IntN(v), 1)
	}
	return numbered(s)
}

// undirected is the links of a random connected graph.
func undirected(k int, rng *rand.Rand) (arcs []Arc) {
	for v := 1; v < k; v++ {
		arcs = links(arcs, v, rng.IntN(v), float64(1+rng.IntN(2)))
	}
	for range rng.IntN(2 * k) {
		if x, y := rng.IntN(k), rng.IntN(k); x != y {
			arcs = links(arcs, x, y, float64(1+rng.IntN(2)))
		}
	}
	return arcs
}

// numbered numbers the endpoints in the order of the vertices.
func numbered(s Spec) Spec {
	next := int64(0)
	for v, w := range s.Weight {
		s.First[v] = next
		next += w
	}
	return s
}

// apart makes a vertex of every endpoint that hangs on a switch.
func apart(s Spec) Spec {
	out := Spec{Weight: append([]int64(nil), s.Weight...), Arcs: append([]Arc(nil), s.Arcs...), OneWay: s.OneWay}
	if s.Access == 0 {
		return out
	}
	for v, w := range s.Weight {
		out.Weight[v] = 0
		for range w {
			out.Arcs = links(out.Arcs, v, len(out.Weight), s.Access)
			out.Weight = append(out.Weight, 1)
		}
	}
	return out
}

// least is the definition: the least capacity between any two sides whose numbers of endpoints differ
// by no more than the imbalance, as a fraction of half of the endpoints.
func least(s Spec, imbalance int64) float64 {
	s = apart(s)
	best, all := math.Inf(1), int64(0)
	for _, w := range s.Weight {
		all += w
	}
	for sides := range 1 << len(s.Weight) {
		diff, sum := all, 0.0
		for v, w := range s.Weight {
			diff -= 2 * w * int64(sides>>v&1)
		}
		if max(diff, -diff) > imbalance {
			continue
		}
		for _, a := range s.Arcs {
			sum += a.Cap * float64(sides>>a.From&1&^(sides>>a.To))
		}
		best = math.Min(best, sum)
	}
	return best / (float64(all-imbalance) / 2)
}

// TestBruteForce: on random graphs the cut by trying all switches is the least one, cuts found are never
// below it and mostly it, and the spectral bound is never above it.
func TestBruteForce(t *testing.T) {
	ctx := context.Background()
	hits, all := 0, 0
	var bounded [kinds]int // graphs with a spectral bound worth the name
	for kind := range kinds {
		for seed := range uint64(60) {
			name := fmt.Sprintf("kind %d, seed %d", kind, seed)
			g := New(random(seed, kind))
			if g.Imbalance() >= g.endpoints {
				continue
			}
			want := least(random(seed, kind), g.Imbalance())
			if x, ok := g.BySides(ctx); !ok || math.Abs(x-math.Min(want, 1)) > 1e-9 {
				t.Errorf("%s: by sides %.9g, %v; by all cuts %.9g", name, x, ok, want)
			}
			if x, ok := g.ByCounts(); ok && math.Abs(x-math.Min(want, 1)) > 1e-9 {
				t.Errorf("%s: by counts %.9g, by all cuts %.9g", name, x, want)
			}
			lo, vec := g.SpectralBound(ctx)
			if lo > want+1e-9 {
				t.Errorf("%s: spectral bound %.9g, least cut %.9g", name, lo, want)
			}
			if lo > 0.1 {
				bounded[kind]++
			}
			blocks := Blocks{Count: 4, Inside: []bool{true, seed%2 == 0}}
			hi := g.Search(ctx, vec, blocks, 27)
			for i := range uint64(4) {
				hi = math.Min(hi, g.mergedCut(ctx, blocks, stream.New(i, "blocks")))
				hi = math.Min(hi, g.multilevelCut(ctx, stream.New(i, "pairs")))
			}
			if hi < math.Min(want, 1)-1e-9 {
				t.Errorf("%s: found a cut of %.9g, the least is %.9g", name, hi, want)
			}
			if all++; hi < want+1e-9 {
				hits++
			}
		}
	}
	// Channels one way: only where as much leaves a vertex as enters it.
	if bounded[1] < 30 || bounded[3] > 10 || bounded[4] < 30 {
		t.Errorf("%v of 60 graphs of each kind have a spectral bound", bounded)
	}
	if all < 250 || hits < all*9/10 {
		t.Errorf("only %d of %d least cuts were found", hits, all)
	}
}

// TestRefineTwin: what a pass says of its sides is what they are worth.
func TestRefineTwin(t *testing.T) {
	for seed := range uint64(40) {
		g := New(random(seed, int(seed%kinds)))
		p := newPartition(g)
		rng := stream.New(seed, "refine")
		for i := range 12 {
			p.seed(i, g.holders(), nil, rng)
			x := p.refine(context.Background())
			if y, ok := g.value(p.side); ok && math.Abs(x-y) > 1e-9 {
				t.Errorf("seed %d, start %d: passes say %g, the sides are worth %g", seed, i, x, y)
			}
		}
	}
}

// TestImbalance: an odd number of hanging endpoints leaves one over; an even number of equal vertices
// halves; other vertices may leave more over.
func TestImbalance(t *testing.T) {
	for _, c := range []struct {
		weight []int64
		access float64
		want   int64
	}{{[]int64{3, 2}, 1, 1}, {[]int64{3, 3}, 1, 0}, {[]int64{4, 4, 4, 4}, 0, 0}, {[]int64{4, 4, 4}, 0, 4}, {[]int64{4, 4, 4, 2}, 0, 2}, {[]int64{2, 9, 2, 6}, 0, 1}, {[]int64{7, 2, 2}, 0, 3}, {[]int64{0, 5}, 0, 5}, {nil, 0, 0}} {
		if got := New(Spec{Weight: c.weight, Access: c.access}).Imbalance(); got != c.want {
			t.Errorf("vertices of %v, access %g: imbalance %d, want %d", c.weight, c.access, got, c.want)
		}
	}
}

// TestRows: parallel links add up, whichever way they are given.
func TestRows(t *testing.T) {
	arcs := links(links(links(nil, 0, 1, 2), 1, 2, 1), 0, 1, 3)
	g := New(Spec{Weight: []int64{1, 1, 1}, Arcs: arcs})
	if g.degree(0) != 5 || g.degree(1) != 6 || g.degree(2) != 1 || len(g.to) != 4 {
		t.Errorf("degrees %g, %g, %g with %d arcs, want 5, 6, 1 with 4", g.degree(0), g.degree(1), g.degree(2), len(g.to))
	}
}

// shuffled renumbers the switches within their classes, and the endpoint vertices.
func shuffled(s Spec, rng *rand.Rand) Spec {
	to := make([]int, len(s.Weight))
	for first := 0; first < len(to); {
		end := first
		class := func(v int) int {
			if v < len(s.Class) {
				return int(s.Class[v])
			}
			return -1
		}
		for end < len(to) && class(end) == class(first) {
			end++
		}
		for i, k := range rng.Perm(end - first) {
			to[first+i] = first + k
		}
		first = end
	}
	out := Spec{Class: s.Class, Access: s.Access, OneWay: s.OneWay, Weight: make([]int64, len(to)), First: make([]int64, len(to))}
	for v := range to {
		out.Weight[to[v]], out.First[to[v]] = s.Weight[v], s.First[v]
	}
	for _, a := range s.Arcs {
		out.Arcs = append(out.Arcs, Arc{int32(to[a.From]), int32(to[a.To]), a.Cap})
	}
	return out
}

// TestRenumbered: the numbers of vertices change no exact cut and no bound.
func TestRenumbered(t *testing.T) {
	ctx := context.Background()
	for seed := range uint64(30) {
		s := random(seed, int(seed%kinds))
		a, b := New(s), New(shuffled(s, stream.New(seed, "shuffled")))
		x, _ := a.BySides(ctx)
		if y, _ := b.BySides(ctx); math.Abs(x-y) > 1e-9 {
			t.Errorf("seed %d: least cut %.12g, renumbered %.12g", seed, x, y)
		}
		x, _ = a.SpectralBound(ctx)
		if y, _ := b.SpectralBound(ctx); math.Abs(x-y) > 1e-6 {
			t.Errorf("seed %d: spectral bound %.9g, renumbered %.9g", seed, x, y)
		}
	}
}
