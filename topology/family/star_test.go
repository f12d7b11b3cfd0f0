package family

import (
	"fmt"
	"math"
	"testing"

	"toposearch/topology"
	"toposearch/topology/topotest"
)

// TestStarProducts holds switches, degree, links and diameter recomputed by an independent program.
func TestStarProducts(t *testing.T) {
	for _, c := range []struct {
		design           string
		switches, degree int
		links            int64 // 0: not published
		diameter         int
	}{
		{"polarstar_iq(q=3,d=3,p=1)", 104, 7, 364, 3},
		{"polarstar_iq(q=4,d=3,p=1)", 168, 8, 0, 3},
		{"polarstar_iq(q=4,d=4,p=1)", 210, 9, 0, 3},
		{"polarstar_paley(q=2,s=5,p=1)", 35, 5, 86, 3},
		{"polarstar_paley(q=3,s=5,p=1)", 65, 6, 193, 3},
		{"polarstar_paley(q=4,s=9,p=1)", 189, 9, 0, 3},
		{"polarstar_paley(q=5,s=13,p=1)", 403, 12, 0, 3},
		{"bundlefly(q=3,s=5,p=1)", 90, 7, 0, 3},
		{"bundlefly(q=4,s=5,p=1)", 160, 8, 0, 3},
		{"bundlefly(q=5,s=5,p=1)", 250, 9, 0, 3},
		{"spectralfly(x=3,q=5,p=1)", 120, 4, 240, 6},
		{"spectralfly(x=11,q=7,p=1)", 168, 12, 1008, 3},
	} {
		n := network(t, c.design)
		degree := 0
		for s := range n.Switches() {
			degree = max(degree, len(n.Neighbors(topology.SwitchID(s))))
		}
		links := int64(n.Channels() / 2)
		got := fmt.Sprint(n.Switches(), degree, topotest.MaxPathLinks(n)-2)
		if want := fmt.Sprint(c.switches, c.degree, c.diameter); got != want || c.links > 0 && links != c.links {
			t.Errorf("%s: switches, degree, diameter = %s with %d links, want %s with %d", c.design, got, links, want, c.links)
		}
	}
	for _, c := range []struct {
		design string
		mean   float64
	}{{"spectralfly(x=3,q=5,p=1)", 3.71429}, {"spectralfly(x=11,q=7,p=1)", 2.38922}} {
		if got := topotest.MeanPathLinks(network(t, c.design)) - 2; math.Abs(got-c.mean) > 5.1e-6 {
			t.Errorf("%s: mean distance %.6f, want %.5f", c.design, got, c.mean)
		}
	}
}

// TestInductiveQuad: orders and links of the paper, and its property R*: links, their images and
// the pairs of a vertex and its image together are the complete graph.
func TestInductiveQuad(t *testing.T) {
	for _, c := range []struct{ d, n, links int }{{3, 8, 12}, {4, 10, 20}, {7, 16, 56}, {8, 18, 72}, {11, 24, 132}} {
		g := inductiveQuad(c.d)
		if g.n != c.n || len(g.links) != c.links {
			t.Errorf("IQ_%d has %d vertices and %d links, want %d and %d", c.d, g.n, len(g.links), c.n, c.links)
		}
		covered := map[[2]int]bool{}
		cover := func(a, b int) { covered[[2]int{min(a, b), max(a, b)}] = true }
		degree := make([]int, g.n)
		for _, l := range g.links {
			cover(l[0], l[1])
			cover(g.f[l[0]], g.f[l[1]])
			degree[l[0]]++
			degree[l[1]]++
		}
		for y := range g.n {
			cover(y, g.f[y])
			if degree[y] != c.d {
				t.Errorf("IQ_%d: vertex %d has degree %d", c.d, y, degree[y])
			}
		}
		if len(covered) != c.n*(c.n-1)/2 {
			t.Errorf("IQ_%d covers %d pairs, want all %d", c.d, len(covered), c.n*(c.n-1)/2)
		}
	}
}
