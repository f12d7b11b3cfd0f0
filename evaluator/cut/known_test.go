package cut

import (
	"context"
	"math"
	"testing"

	"toposearch/internal/stream"
)

// direct is a graph of switches with the same number of endpoints each.
func direct(switches int, endpoints int64, linked func(a, b int) bool) Spec {
	s := Spec{Class: make([]uint8, switches), Weight: make([]int64, switches), First: make([]int64, switches), Access: 1}
	for v := range switches {
		s.Weight[v], s.First[v] = endpoints, int64(v)*endpoints
		for u := range v {
			if linked(v, u) {
				s.Arcs = links(s.Arcs, v, u, 1)
			}
		}
	}
	return s
}

// bipartite has a leaf and a spine for each of some numbers, a link from every leaf to every spine, and
// endpoints on the leaves.
func bipartite(leaves, spines int, endpoints int64, capacity float64) Spec {
	s := Spec{Access: 1, Weight: make([]int64, leaves+spines), First: make([]int64, leaves+spines), Class: make([]uint8, leaves+spines)}
	for a := range leaves {
		s.Weight[a], s.First[a] = endpoints, int64(a)*endpoints
		for b := range spines {
			s.Class[leaves+b] = 1
			s.Arcs = links(s.Arcs, a, leaves+b, capacity)
		}
	}
	return s
}

// product has two levels of n switches and an endpoint with a link to one of each for every pair.
func product(n int) Spec {
	s := Spec{Class: make([]uint8, 2*n), Weight: make([]int64, 2*n), First: make([]int64, 2*n)}
	for v := range n {
		s.Class[n+v] = 1
	}
	for a := range n {
		for b := range n {
			v := len(s.Weight)
			s.Weight, s.First = append(s.Weight, 1), append(s.First, int64(a*n+b))
			s.Arcs = links(links(s.Arcs, v, a, 0.5), v, n+b, 0.5)
		}
	}
	return s
}

func neighbours(a, b, n int) bool { return (a-b+n)%n == 1 || (b-a+n)%n == 1 }

// hoffmanSingleton is linked as pentagons and pentagrams: vertex j of pentagon h is next to j+1 and j-1
// of it, vertex j of pentagram i next to j+2 and j-2, and to vertex h*i+j of pentagram i.
func hoffmanSingleton(a, b int) bool {
	if b > a {
		a, b = b, a
	}
	switch {
	case a < 25:
		return a/5 == b/5 && neighbours(a%5, b%5, 5)
	case b >= 25:
		return a/5 == b/5 && !neighbours(a%5, b%5, 5)
	}
	i, h := a/5-5, b/5
	return (h*i+b%5)%5 == a%5
}

// TestSpectralKnown: the bound is tight on hypercubes and Hamming graphs (their cut across a dimension),
// and 62.5 of 65 links on the Hoffman-Singleton graph.
func TestSpectralKnown(t *testing.T) {
	for _, c := range []struct {
		name string
		spec Spec
		want float64
	}{
		{"6-cube", direct(64, 1, func(a, b int) bool { return (a^b)&(a^b-1) == 0 }), 1},
		{"8x8 Hamming graph", direct(64, 8, func(a, b int) bool { return a/8 == b/8 || a%8 == b%8 }), 0.5},
		{"Hoffman-Singleton graph", direct(50, 4, hoffmanSingleton), 0.625},
		{"8x8 torus", direct(64, 1, func(a, b int) bool {
			return a/8 == b/8 && neighbours(a%8, b%8, 8) || a%8 == b%8 && neighbours(a/8, b/8, 8)
		}), (1 - math.Sqrt2/2)},
	} {
		if got, _ := New(c.spec).SpectralBound(context.Background()); got > c.want+1e-6 || got < 0.97*c.want {
			t.Errorf("%s: spectral bound %.6f, want %.6f", c.name, got, c.want)
		}
	}
}

// TestByCountsTwin: graphs of interchangeable switches, small enough to try every cut; others are refused.
func TestByCountsTwin(t *testing.T) {
	cycle := func(n int) func(a, b int) bool { return func(a, b int) bool { return neighbours(a, b, n) } }
	all := func(a, b int) bool { return true }
	missing := product(3)
	missing.Weight, missing.First, missing.Arcs = missing.Weight[:14], missing.First[:14], missing.Arcs[:32]
	for _, c := range []struct {
		name string
		spec Spec
		form bool
	}{
		{"2x2 product", product(2), true}, {"3x3 product", product(3), true}, {"3x3 product without an endpoint", missing, false},
		{"complete graph", direct(5, 2, all), true}, {"one switch", direct(1, 7, all), true}, {"triangle", direct(3, 3, cycle(3)), true},
		{"pentagon", direct(5, 2, cycle(5)), false}, {"leaves and spines", bipartite(4, 2, 3, 1), true}, {"tapered", bipartite(3, 2, 4, 0.5), true},
		{"tree", direct(4, 1, func(a, b int) bool { return b == 0 }), false},
	} {
		g := New(c.spec)
		got, ok := g.ByCounts()
		if ok != c.form {
			t.Errorf("%s: interchangeable %v, want %v", c.name, ok, c.form)
		}
		if !ok {
			continue
		}
		if want := math.Min(least(c.spec, g.Imbalance()), 1); math.Abs(got-want) > 1e-12 {
			t.Errorf("%s: least cut %.12g, by all cuts %.12g", c.name, got, want)
		}
	}
}

// groupGrid is a grid of k x k groups of two switches each, with a switch for each row and column that
// links to all of its groups.
func groupGrid(k int) (Spec, Blocks) {
	n := 2 * k * k
	s := Spec{Access: 1, Weight: make([]int64, n+2*k), First: make([]int64, n+2*k), Class: make([]uint8, n+2*k)}
	for v := range n {
		s.Weight[v], s.First[v] = 4, int64(4*v)
		group := v / 2
		if v%2 == 1 {
			s.Arcs = links(s.Arcs, v, v-1, 8)
		}
		s.Arcs = links(s.Arcs, v, n+group/k, 0.5)
		s.Arcs = links(s.Arcs, v, n+k+group%k, 0.5)
	}
	for v := n; v < n+2*k; v++ {
		s.Class[v] = 1
	}
	return s, Blocks{Count: k * k, Inside: []bool{true, false}}
}

// TestGridCorner: of a grid of k x k groups a corner is cheaper to cut off than half of the columns. A row
// or column of which j groups are cut off costs min(j, k-j): for k = 8, six columns of five or six groups
// cost 28 where four whole columns cost 32, and for k = 12 a corner of 8 x 9 costs 60 of 72.
func TestGridCorner(t *testing.T) {
	for _, c := range []struct {
		k    int
		most float64
	}{{8, 28}, {12, 60}} {
		s, blocks := groupGrid(c.k)
		g := New(s)
		if x := g.mergedCut(context.Background(), blocks, stream.New(1, "blocks")) * g.full(); x > c.most+1e-9 {
			t.Errorf("%d x %d groups: least cut found %v, a corner cuts %v", c.k, c.k, x, c.most)
		}
	}
}

// fabricOf is the fabric of a Spec whose endpoints hang on switches; all its switches are tried as tops.
func fabricOf(s Spec) *Fabric {
	f := &Fabric{Start: make([]int32, len(s.Class)+1), Class: s.Class, Tops: []uint8{0, 1}, Port: s.Access}
	for v := range s.Class {
		for _, a := range s.Arcs {
			if int(a.From) == v {
				f.To, f.Cap = append(f.To, a.To), append(f.Cap, a.Cap)
			}
		}
		f.Start[v+1] = int32(len(f.To))
		if s.Weight[v] > 0 {
			f.Groups = append(f.Groups, Group{Endpoints: s.Weight[v], Ports: []int32{int32(v)}})
		}
	}
	return f
}

// TestHoseThroughput: leaves and spines carry the capacity of a leaf's uplinks over its endpoints; where
// some spine is missing at one leaf, or switches with endpoints form a ring, nothing is certified.
func TestHoseThroughput(t *testing.T) {
	for _, c := range []struct {
		leaves, spines int
		endpoints      int64
		capacity       float64
	}{{4, 2, 4, 2}, {4, 3, 6, 1}, {8, 4, 4, 1}, {2, 1, 3, 1}} {
		s := bipartite(c.leaves, c.spines, c.endpoints, c.capacity)
		want := float64(c.spines) * c.capacity / float64(c.endpoints)
		if x, ok := fabricOf(s).HoseThroughput(); !ok || math.Abs(x-want) > 1e-12 {
			t.Errorf("%+v: any permutation at %g (%v), want %g", c, x, ok, want)
		}
		s.Arcs = s.Arcs[2:]
		if x, ok := fabricOf(s).HoseThroughput(); ok && c.spines > 1 {
			t.Errorf("%+v without a link: any permutation at %g", c, x)
		}
	}
	ring := direct(6, 1, func(a, b int) bool { return neighbours(a, b, 6) })
	if x, ok := fabricOf(ring).HoseThroughput(); ok {
		t.Errorf("a ring of 6: any permutation at %g", x)
	}
}
