package family

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"toposearch/topology"
	"toposearch/topology/topotest"
)

// TestDirectSizes holds published counts of the direct networks and of those of diameter 2.
func TestDirectSizes(t *testing.T) {
	for _, c := range []struct {
		design                     string
		endpoints, switches, links int64
		radix                      int
	}{
		// Hennessy and Patterson, figure F.15: 64 nodes.
		{"ring(n=64)", 64, 64, 64, 3},
		{"mesh(k1=8,k2=8)", 64, 64, 112, 5},
		{"torus(k1=8,k2=8)", 64, 64, 128, 5},
		{"hypercube(n=6)", 64, 64, 192, 7},
		{"complete(n=64)", 64, 64, 2016, 64},
		{"crossbar(n=64)", 64, 1, 0, 64},
		{"torus(k1=16,k2=16,k3=16)", 4096, 4096, 3 * 4096, 7},
		// 16-ary 4-flat and 32-ary 2-flat of the flattened butterfly paper.
		{"flattenedbutterfly(k=16,n=4)", 65536, 4096, 4096 * 45 / 2, 61},
		{"flattenedbutterfly(k=32,n=2)", 1024, 32, 496, 63},
		{"mlfm(h=3)", 36, 18, 36, 6},
		{"oft(k=3)", 42, 21, 42, 6},
		{"oft(k=4)", 104, 39, 104, 8},
		// MMS graphs: 2q^2 switches of degree (3q-delta)/2.
		{"slimfly(q=3,p=1)", 18, 18, 45, 6},
		{"slimfly(q=4,p=1)", 32, 32, 96, 7},
		{"slimfly(q=5,p=4)", 200, 50, 175, 11},
		{"slimfly(q=8,p=6)", 768, 128, 768, 18},
		{"slimfly(q=13,p=1)", 338, 338, 3211, 20},
		{"slimfly(q=19)", 10830, 722, 10469, 44},
		{"slimfly(q=41,p=30)", 100860, 3362, 3362 * 61 / 2, 91},
		{"polarfly(q=3,p=1)", 13, 13, 24, 5},
		{"polarfly(q=5,p=1)", 31, 31, 90, 7},
		{"polarfly(q=7,p=1)", 57, 57, 224, 9},
		{"polarfly(q=23,p=1)", 553, 553, 6624, 25},
		{"dcell(n=4,l=1)", 20, 5, 20 / 2, 4},
		{"dcell(n=4,l=2)", 420, 105, 420, 4},
		{"dcell(n=4,l=3)", 176820, 44205, 3 * 176820 / 2, 4},
		{"dcell(n=6,l=3)", 3263442, 543907, 3 * 3263442 / 2, 6},
		{"jellyfish(n=231,r=10,p=4)", 924, 231, 1155, 14},
	} {
		s := size(t, c.design)
		got := fmt.Sprint(s.Endpoints, s.Switches(), s.SwitchLinks(), s.Radix())
		if want := fmt.Sprint(c.endpoints, c.switches, c.links, c.radix); got != want {
			t.Errorf("%s: endpoints, switches, links, radix = %s, want %s", c.design, got, want)
		}
	}
}

// TestDirectMeans holds mean path_links. With one endpoint per switch it is the mean distance of
// two different switches and two endpoint links.
func TestDirectMeans(t *testing.T) {
	for _, c := range []struct {
		design string
		mean   float64
		most   int
	}{
		// Averages without the pair itself: ring 16.254, mesh 5.333, torus 4.063, cube 3.048.
		{"ring(n=64)", 2 + 1024.0/63, 34},
		{"mesh(k1=8,k2=8)", 2 + 16.0/3, 16},
		{"torus(k1=8,k2=8)", 2 + 4.063492, 10},
		{"torus(k1=5,k2=5)", 2 + 2.5, 6},
		{"hypercube(n=6)", 2 + 192.0/63, 8},
		{"complete(n=64)", 3, 3},
		{"mlfm(h=3)", 3.88571, 4},
		{"oft(k=3)", 3.90244, 4},
		{"slimfly(q=5,p=1)", 2 + 13.0/7, 4},
		{"slimfly(q=13,p=1)", 2 + 1.943620, 4},
		{"slimfly(q=19,p=1)", 2 + 1.959778, 4},
		{"slimfly(q=3,p=1)", 2 + (5+2*12)/17.0, 4},
		{"slimfly(q=4,p=1)", 2 + (6+2*25)/31.0, 4},
		{"slimfly(q=8,p=1)", 2 + (12+2*115)/127.0, 4},
		{"polarfly(q=7,p=1)", 2 + 1.859649, 4},
	} {
		n := network(t, c.design)
		if m := topotest.MaxPathLinks(n); m != c.most {
			t.Errorf("%s: max path links = %d, want %d", c.design, m, c.most)
		}
		for what, got := range map[string]float64{"network": topotest.MeanPathLinks(n), "closed form": meanLinks(t, c.design)} {
			if math.Abs(got-c.mean) > 5.1e-6 {
				t.Errorf("%s: mean path links by %s = %.6f, want %.6f", c.design, what, got, c.mean)
			}
		}
	}
}

// TestBusiestChannel: the load of the busiest channel for one unit between every two switches.
func TestBusiestChannel(t *testing.T) {
	for _, c := range []struct {
		design string
		gamma  float64
	}{
		{"slimfly(q=5,p=1)", 13}, // 1 + 6 + 6: a Moore graph has one path per pair
		{"polarfly(q=7,p=1)", 14},
		{"torus(k1=8,k2=8)", 64}, // k^3/8
		{"torus(k1=5,k2=5)", 15},
		{"mesh(k1=8,k2=8)", 128}, // k^3/4
	} {
		d := design(t, c.design)
		var p topology.Paths
		p.Reset()
		var s topology.Size
		if err := d.Family.Size(d.V, &s); err != nil || !d.Family.Paths(d.V, &p) {
			t.Fatalf("%s: %v", c.design, err)
		}
		var cross, all float64
		for _, pt := range p.Types {
			cross += float64(pt.Weight) * float64(pt.Cross[1])
			all += float64(pt.Weight)
		}
		n := float64(s.Endpoints)
		if got := p.Peak[1] * cross / all * n * (n - 1) / float64(2*s.Link[1]); math.Abs(got-c.gamma) > 1e-9*c.gamma {
			t.Errorf("%s: busiest channel carries %v pairs, want %v", c.design, got, c.gamma)
		}
	}
}

// TestCoincidences: families that are the same graph where their parameters meet, and some that
// are not although their counts agree.
func TestCoincidences(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"dragonfly(p=2,a=1,h=5)", "complete(n=6,t=2)", true},
		{"hyperx(s1=2,s2=2,s3=2,t=2)", "hypercube(n=3,t=2)", true},
		{"hyperx(s1=2,s2=4,t=2)", "hyperx(s1=4,s2=2,t=2)", true},
		{"flattenedbutterfly(k=3,n=3)", "hyperx(s1=3,s2=3,t=3)", true},
		{"mlfm(h=3)", "zettafly3(a=1,p=3,h=3,c=3)", true},
		{"torus(k1=4,k2=4)", "hypercube(n=4)", true},
		{"torus(k1=4,k2=4,k3=4)", "hypercube(n=6)", true},
		{"mesh(k1=2,k2=2,k3=2)", "hypercube(n=3)", true},
		{"dragonflyplus(l=2,m=2,p=2,h=1,g=3)", "fattree(k=4,l=2)", false},
		{"torus(k1=7,t=2)", "ring(n=7,t=2)", true},
		{"ring(n=3)", "complete(n=3)", true},
		{"mesh(k1=2,k2=2)", "ring(n=4)", true},
		{"zcube_rect(n=9,m=3)", "zcube(n=3,k=2)", true},
		{"fullmesh(d1=4,d2=3)", "hyperx(s1=4,s2=3,t=1)", true},
		{"dragonfly(p=1,a=4,h=2)", "dragonfly(p=1,a=4,h=2,arrangement=relative)", true},
		{"dragonfly(p=1,a=4,h=2)", "dragonfly(p=1,a=4,h=2,arrangement=absolute)", false},
		{"dragonfly(p=1,a=4,h=2)", "dragonfly(p=1,a=4,h=2,arrangement=circulant)", false},
		{"torus(k1=8,k2=2)", "torus(k1=4,k2=4)", false},
		{"jellyfish(n=10,r=3,p=1,seed=1)", "jellyfish(n=10,r=3,p=1,seed=2)", false},
		{"polarfly(q=2,p=1)", "polarfly(q=2,p=1)", true},
	} {
		if got := topotest.Isomorphic(network(t, c.a), network(t, c.b)); got != c.want {
			t.Errorf("%s and %s are isomorphic: %v, want %v", c.a, c.b, got, c.want)
		}
	}
}

// TestHoffmanSingleton: 50 switches of degree 7 without triangles or squares are the one Moore
// graph of that size.
func TestHoffmanSingleton(t *testing.T) {
	n := network(t, "slimfly(q=5,p=1)")
	for a := range 50 {
		near := n.Neighbors(topology.SwitchID(a))
		if len(near) != 7 {
			t.Fatalf("switch %d has degree %d, want 7", a, len(near))
		}
		for b := range 50 {
			common := 0
			for _, x := range n.Neighbors(topology.SwitchID(b)) {
				if slices.Contains(near, x) {
					common++
				}
			}
			want := 1
			if a == b {
				want = 7
			} else if slices.Contains(near, topology.SwitchID(b)) {
				want = 0
			}
			if common != want {
				t.Fatalf("switches %d and %d share %d neighbours, want %d", a, b, common, want)
			}
		}
	}
}

// TestJellyfish: every seed gives a simple regular graph, another seed another one.
func TestJellyfish(t *testing.T) {
	seen := map[string]int{}
	for seed := range 20 {
		for _, c := range [][2]int{{4, 3}, {6, 4}, {6, 5}, {8, 3}, {20, 3}, {50, 11}} {
			g := randomRegular(c[0], c[1], uint64(seed))
			rows := make([][]int32, c[0])
			for s := range rows {
				rows[s] = slices.Sorted(slices.Values(g.of(int32(s))))
			}
			g.above()
			for s, near := range rows {
				if higher := slices.DeleteFunc(slices.Clone(near), func(x int32) bool { return x < int32(s) }); !slices.Equal(higher, g.of(int32(s))) {
					t.Fatalf("seed %d, %v: switches above %d are %v of %v", seed, c, s, g.of(int32(s)), near)
				}
				if len(near) != c[1] || slices.Contains(near, int32(s)) || len(slices.Compact(slices.Clone(near))) != c[1] {
					t.Fatalf("seed %d, %v: switch %d has neighbours %v", seed, c, s, near)
				}
			}
			seen[fmt.Sprint(rows)]++
		}
	}
	for rows, k := range seen {
		if c := strings.Count(rows, "["); c == 51 && k != 1 {
			t.Errorf("one graph of 50 switches came from %d seeds of 20", k)
		}
	}
}

// TestDirectInfeasible: the rule that is broken, and the nearest value that keeps it.
func TestDirectInfeasible(t *testing.T) {
	for _, c := range []struct {
		design, param string
		bound         int
	}{
		{"slimfly(q=6,p=1)", "q", 7},
		{"slimfly(q=2,p=1)", "q", 3},
		{"polarfly(q=12,p=1)", "q", 13},
		{"polarfly(q=511,p=1)", "q", 512},
		{"oft(k=7)", "k", 8},
		{"jellyfish(n=6,r=6,p=1)", "r", 5},
		{"jellyfish(n=7,r=8,p=1)", "r", 6},
		{"jellyfish(n=7,r=3,p=1)", "n", 8},
	} {
		d := design(t, c.design)
		var s topology.Size
		bad, ok := d.Family.Size(d.V, &s).(*topology.Infeasible)
		if !ok || bad.Param != c.param || bad.Bound != c.bound {
			t.Errorf("%s: %v; want parameter %s, nearest %d", c.design, bad, c.param, c.bound)
			continue
		}
		d.V[d.Family.Param(c.param)] = bad.Bound
		if err := d.Family.Size(d.V, &s); err != nil {
			t.Errorf("%s: the nearest value fails too: %v", c.design, err)
		}
	}
}

func BenchmarkDirect(b *testing.B) {
	for _, s := range []string{"slimfly(q=41,p=30)", "polarfly(q=64)", "torus(k1=16,k2=16,k3=16,t=16)", "oft(k=32)", "jellyfish(n=4096,r=32,p=16)"} {
		d := design(b, s)
		b.Run("size="+d.Family.Name, func(b *testing.B) {
			var out topology.Size
			for b.Loop() {
				if err := d.Family.Size(d.V, &out); err != nil {
					b.Fatal(err)
				}
			}
		})
		if d.Family.Paths != nil {
			b.Run("paths="+d.Family.Name, func(b *testing.B) {
				var p topology.Paths
				for b.Loop() {
					p.Reset()
					d.Family.Paths(d.V, &p)
				}
			})
		}
		b.Run("build="+d.Family.Name, func(b *testing.B) {
			for b.Loop() {
				if _, err := d.Build(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// TestNearerEven: the tables count what the walk over all pairs of groups counts.
func TestNearerEven(t *testing.T) {
	for arr := range arrangements {
		for _, c := range [][2]int{{1, 1}, {1, 3}, {2, 1}, {3, 2}, {4, 2}, {5, 3}, {8, 4}} {
			a, h := c[0], c[1]
			x := globals{g: a*h + 1, n: a * h, arrangement: arr}
			if !x.even() {
				t.Fatalf("%+v is not even", x)
			}
			for _, groups := range []int{1, x.g} {
				if got, want := x.nearerEven(groups, h), x.nearerByTwo(groups, h); got != want {
					t.Errorf("%+v, h = %d, %d groups: %d pairs are nearer by two global links, want %d", x, h, groups, got, want)
				}
			}
		}
	}
}
