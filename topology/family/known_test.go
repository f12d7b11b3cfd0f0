package family

import (
	"fmt"
	"math"
	"testing"

	"toposearch/topology"
	"toposearch/topology/topotest"
)

func size(t testing.TB, s string) *topology.Size {
	t.Helper()
	d := design(t, s)
	var out topology.Size
	if err := d.Family.Size(d.V, &out); err != nil {
		t.Fatalf("%s: %v", s, err)
	}
	return &out
}

// meanLinks is the mean path_links of a family's closed form of shortest paths.
func meanLinks(t *testing.T, s string) float64 {
	t.Helper()
	d := design(t, s)
	f := d.Family.Paths
	if d.Family.Distances != nil {
		f = d.Family.Distances
	}
	var p topology.Paths
	p.Reset()
	if f == nil || !f(d.V, &p) || !p.Shortest {
		t.Fatalf("%s has no closed form of its shortest paths", s)
	}
	first := 0
	if d.Family.LinkClasses[0].Name == topology.ClassInternal {
		first = 1
	}
	var sum, all float64
	for _, pt := range p.Types {
		for _, c := range pt.Cross[first:] {
			sum += float64(pt.Weight) * float64(c)
		}
		all += float64(pt.Weight)
	}
	return sum / all
}

// TestKnownSizes holds counts that the literature prints, or that follow from its formulas.
func TestKnownSizes(t *testing.T) {
	for _, c := range []struct {
		design                          string
		endpoints, switches, links, nic int64
		radix                           int
	}{
		// ZCube: N = n^k, k*n^(k-1) switches, (k-1)*n^k links; ATOP table 7 for the large ones.
		{"zcube(n=2,k=3)", 8, 12, 16, 24, 6},
		{"zcube(n=3,k=3)", 27, 27, 54, 81, 9},
		{"zcube(n=4,k=2)", 16, 8, 16, 32, 8},
		{"zcube(n=8,k=2)", 64, 16, 64, 128, 16},
		{"zcube(n=32,k=2)", 1024, 64, 1024, 2048, 64},
		{"zcube(n=64,k=2)", 4096, 128, 4096, 8192, 128},
		{"zcube(n=128,k=2)", 16384, 256, 16384, 32768, 256},
		{"zcube(n=42,k=4)", 3111696, 296352, 9335088, 12446784, 126},
		{"zcube_partial(n=4)", 64, 40, 128, 128, 12},
		{"zcube_partial(n=16)", 4096, 640, 8192, 8192, 48},
		// The survey's Zettafly figures at 64 ports; local radix is 63 in Zettafly-3.
		{"zettafly3(a=4,p=2,h=2)", 96, 60, 72 + 96, 96, 8},
		{"zettafly3(a=32,p=16,h=16)", 278528, 17408 + 4352, 269824 + 278528, 278528, 64},
		{"zettafly4(a=6,p=3,h=3)", 108, 90, 216, 108, 6},
		{"zettafly4(a=4,p=2,h=2)", 24, 30, 48, 24, 4},
		{"zettafly4(a=64,p=32,h=32)", 1081344, 84480, 2 * 1081344, 1081344, 64},
		// Dragonfly; ATOP table 7 at 1056, 5256 and 16512 endpoints.
		{"dragonfly(p=2,a=4,h=2)", 72, 36, 54 + 36, 72, 7},
		{"dragonfly(p=4,a=8,h=4)", 1056, 264, 1980 - 1056 + 528, 1056, 15},
		{"dragonfly(p=6,a=12,h=6)", 5256, 876, 10074 - 5256 + 2628, 5256, 23},
		{"dragonfly(p=8,a=16,h=8)", 16512, 2064, 31992 - 16512 + 8256, 16512, 31},
		{"dragonfly(p=16,a=32,h=16)", 262656, 16416, 254448 + 131328, 262656, 63},
		{"dragonflyplus(l=2,m=2,p=2,h=2)", 20, 20, 30, 20, 4},
		{"dragonflyplus(l=32,m=32,p=32,h=32)", 1049600, 65600, 1049600 + 1025*1024/2, 1049600, 64},
		{"hyperx(s1=2,s2=2,s3=2,t=2)", 16, 8, 12, 16, 5},
		{"hyperx(s1=16,s2=16,s3=16,t=16)", 65536, 4096, 4096 * 45 / 2, 65536, 61},
		{"fullmesh(d1=8,d2=8)", 64, 0, 448, 0, 0},
		{"fullmesh(d1=8,d2=8,d3=4,d4=4)", 1024, 0, 10240, 0, 0},
	} {
		s := size(t, c.design)
		got := fmt.Sprint(s.Endpoints, s.Switches(), s.SwitchLinks(), s.EndpointLinks(), s.Radix())
		if want := fmt.Sprint(c.endpoints, c.switches, c.links, c.nic, c.radix); got != want {
			t.Errorf("%s: endpoints, switches, links, nic links, radix = %s, want %s", c.design, got, want)
		}
	}
}

// TestKnownMeans holds mean path_links to the printed digits: ATOP table 3 and recomputations of
// the constructions by an independent program.
func TestKnownMeans(t *testing.T) {
	for _, c := range []struct {
		design string
		mean   float64
		most   int // 0: not checked on the network, which is large
	}{
		{"zcube(n=2,k=3)", 2.64286, 4},
		{"zcube(n=3,k=3)", 3.02564, 4},
		{"zcube(n=4,k=2)", 2.6, 3},
		{"zcube(n=8,k=2)", 2.77778, 3},
		{"zcube(n=32,k=2)", 2.93939, 0},
		{"zcube(n=64,k=2)", 2.96923, 0},
		{"zcube(n=128,k=2)", 2.98450, 0},
		{"zcube_partial(n=4)", 4.04762, 5},
		{"zcube_partial(n=16)", 4.75092, 0},
		{"zcube_rect(n=64,m=8)", 2.77778, 3},
		{"zettafly3(a=4,p=2,h=2,c=4)", 4.61053, 5},
		{"zettafly4(a=6,p=3,h=3,c=3)", 5.81308, 6},
		{"zettafly4(a=4,p=2,h=2,c=2)", 5.65217, 6},
		{"dragonfly(p=2,a=4,h=2)", 4.30986, 5},
		{"dragonfly(p=2,a=4,h=2,arrangement=relative)", 4.30986, 5},
		{"dragonfly(p=2,a=4,h=2,arrangement=absolute)", 4.31925, 5},
		{"dragonfly(p=2,a=4,h=2,arrangement=circulant)", 4.29577, 5},
		{"dragonfly(p=4,a=8,h=4)", 4.67867, 5},
		{"dragonfly(p=4,a=8,h=4,arrangement=relative)", 4.67867, 5},
		{"dragonfly(p=4,a=8,h=4,arrangement=absolute)", 4.68608, 5},
		{"dragonfly(p=4,a=8,h=4,arrangement=circulant)", 4.66919, 5},
		{"hyperx(s1=2,s2=2,s3=2,t=2)", 3.6, 5},
		{"fullmesh(d1=8,d2=8)", 1.777778, 2},
		{"fullmesh(d1=4,d2=4,d3=4)", 2.285714, 3},
		{"fullmesh(d1=8,d2=8,d3=4,d4=4)", 3.253177, 0},
	} {
		d := design(t, c.design)
		got := 0.0
		if c.most > 0 {
			n := network(t, c.design)
			got = topotest.MeanPathLinks(n)
			if m := topotest.MaxPathLinks(n); m != c.most {
				t.Errorf("%s: max path links = %d, want %d", c.design, m, c.most)
			}
		} else {
			got = meanLinks(t, c.design)
		}
		if math.Abs(got-c.mean) > 5.1e-6 {
			t.Errorf("%s: mean path links = %.6f, want %.5f", d, got, c.mean)
		}
	}
}

// TestKnownMiddle: survey table 3 and dimension cuts.
func TestKnownMiddle(t *testing.T) {
	for _, c := range []struct {
		design string
		middle float64
		block  int64
	}{
		{"zcube(n=64,k=2)", 1, 4096},
		{"zettafly3(a=32,p=16,h=16)", 17.0 / 32, 64 * 64 * 64 / 16},
		{"zettafly4(a=64,p=32,h=32)", 33.0 / 64, 64 * 64 * 64 / 8},
		// floor(513^2/4) = 65792 of 131328 links' worth
		{"dragonfly(p=16,a=32,h=16)", 65792.0 / 131328, 64 * 64 / 8},
		{"dragonflyplus(l=32,m=32,p=32,h=32)", float64(1025*1025/4) / 524800, 64 * 64 / 4},
		{"hyperx(s1=16,s2=16,s3=16,t=16)", 0.5, 16},
		{"fullmesh(d1=8,d2=8,d3=4,d4=4)", 1024.0 / (512 * 20), 1},
		// Where groups are free and the cut between halves of them carries all, the whole network is the block: a dragonfly of groups of one
		// switch is the complete graph.
		{"dragonfly(p=2,a=1,h=4)", 1, 10},
		{"complete(n=5,t=2)", 1, 10},
		{"dragonfly(p=8,a=1,h=15)", 1, 128},
		{"complete(n=16,t=8)", 1, 128},
		{"dragonfly(p=9,a=1,h=15)", 64.0 / 72, 9},
		{"complete(n=16,t=9)", 64.0 / 72, 9},
		{"dragonfly(p=1,a=4,h=4,g=9)", 1, 36},
		{"dragonfly(p=3,a=4,h=9,g=3)", 1, 3}, // the cut of a group's mesh carries 4 of 6
		{"dragonflyplus(l=2,m=2,p=2,h=4,g=5)", 1, 20},
		{"zettafly3(a=4,p=2,h=8,s=5,c=2)", 1, 80},
		{"zettafly3(a=4,p=2,h=4,s=3,c=2)", 1, 48},
		{"zettafly4(a=4,p=2,h=8,s=5,c=2)", 1, 40},
	} {
		d := design(t, c.design)
		if got := d.Family.Middle(d.V); math.Abs(got-c.middle) > 1e-12 {
			t.Errorf("%s: middle cut %v, want %v", c.design, got, c.middle)
		}
		if got := d.Family.NonBlocking(d.V); got != c.block {
			t.Errorf("%s: non-blocking region %d, want %d", c.design, got, c.block)
		}
	}
}

// TestKnownDependencies: which routings need their VCs, or their order.
func TestKnownDependencies(t *testing.T) {
	flat := func(r topology.Rule) topology.Rule { // everything on one VC
		steps := append([]topology.Step(nil), r.Steps...)
		for i := range steps {
			steps[i].VC = 0
		}
		r.Steps, r.HopVCs = steps, false
		return r
	}
	for _, c := range []struct {
		design string
		own    bool // the natural rule, else all shortest paths
		want   bool // acyclic with one VC
	}{
		{"zcube(n=4,k=2)", false, true},
		{"zcube(n=3,k=3)", false, false},
		{"zcube(n=2,k=4)", false, false},
		{"zcube(n=3,k=3)", true, true},
		{"zettafly3(a=4,p=2,h=2)", false, false},
		{"zettafly3(a=4,p=2,h=2)", true, true},
		{"zettafly4(a=4,p=2,h=2)", false, true},
		{"dragonfly(p=2,a=4,h=2)", true, false},
		{"dragonflyplus(l=2,m=2,p=2,h=2)", false, true},
		{"hyperx(s1=3,s2=3,t=1)", false, false},
		{"hyperx(s1=3,s2=3,t=1)", true, true},
	} {
		d := design(t, c.design)
		rule := topology.Minimal()
		if c.own {
			rule = d.Family.Natural(d.V)
		}
		if got := topotest.Acyclic(network(t, c.design), flat(rule)); got != c.want {
			t.Errorf("%s: %s on one VC acyclic = %v, want %v", c.design, rule.Name, got, c.want)
		}
	}
}

// TestInfeasible: the rule that is broken, and the nearest value that keeps it.
func TestInfeasible(t *testing.T) {
	for _, c := range []struct {
		design, param string
		bound         int
	}{
		{"dragonfly(p=4,a=8,h=4,g=40)", "g", 33},
		{"dragonflyplus(l=2,m=2,p=2,h=2,g=9)", "g", 5},
		{"zcube_partial(n=5)", "n", 6},
		{"zcube_rect(n=10,m=4)", "n", 12},
		{"zettafly4(a=5,p=2,h=2)", "a", 6},
		{"zettafly3(a=4,p=2,h=2,s=9)", "s", 3},
		{"zettafly3(a=4,p=2,h=6,s=6)", "s", 4},
		{"zcube(n=1,k=2)", "n", 2},
		{"zcube(n=1000,k=5)", "n", 73},
	} {
		d := design(t, c.design)
		var s topology.Size
		err := d.Family.Size(d.V, &s)
		bad, ok := err.(*topology.Infeasible)
		if !ok {
			t.Errorf("%s: error %v, want Infeasible", c.design, err)
			continue
		}
		if bad.Param != c.param || bad.Bound != c.bound {
			t.Errorf("%s: %v; want parameter %s, nearest %d", c.design, err, c.param, c.bound)
		}
	}
}

// TestGlobals: whatever the number of groups, every global port is linked to a port that is
// linked back, pairs of groups differ by one link at most, and only an odd rest is left empty.
func TestGlobals(t *testing.T) {
	for arr := range arrangements {
		for n := 1; n <= 12; n++ {
			for g := 2; g <= n+1; g++ {
				for h := range n + 1 {
					testGlobals(t, globals{g, n, arr, h})
				}
			}
		}
	}
}

func testGlobals(t *testing.T, x globals) {
	t.Helper()
	g, n := x.g, x.n
	pair := make([]int, g*g)
	for i := range g {
		for q := range x.used() {
			j, to := x.peer(i, q)
			if i2, q2 := x.peer(j, to); j == i || to >= n || i2 != i || q2 != q {
				t.Fatalf("%+v: port %d of group %d leads to %d of %d, that to %d of %d", x, q, i, to, j, q2, i2)
			}
			pair[i*g+j]++
		}
		lo, hi := n, 0
		for j := range g {
			if j != i {
				lo, hi = min(lo, pair[i*g+j]), max(hi, pair[i*g+j])
			}
		}
		if lo < 1 || hi-lo > 1 {
			t.Fatalf("%+v: pairs of groups have %d to %d links", x, lo, hi)
		}
	}
	if empty := n - x.used(); empty != n*g%2 && empty != 0 || empty > 1 {
		t.Fatalf("%+v: %d of %d ports of a group are empty", x, empty, n)
	}
}

// TestAcross: where a switch has several links to a group, they lead to as many of its switches: with 2 groups to h, if there are h.
func TestAcross(t *testing.T) {
	for _, c := range []struct{ a, h, g, most int }{{32, 12, 2, 1}, {8, 3, 2, 1}, {8, 8, 2, 1}, {16, 8, 3, 1}, {8, 4, 3, 1}, {3, 8, 2, 3}, {8, 8, 8, 2}, {8, 9, 5, 2}} {
		for arr := range arrangements {
			x := globals{c.g, c.a * c.h, arr, c.h}
			links := map[[4]int]int{}
			for i := range c.g {
				for q := range x.used() {
					j, to := x.peer(i, q)
					links[[4]int{i, q / c.h, j, to / c.h}]++
				}
			}
			for at, n := range links {
				if n > c.most {
					t.Errorf("%+v, %s: %d links from switch %d of group %d to switch %d of group %d, want %d at most", c, arrangements[arr], n, at[1], at[0], at[3], at[2], c.most)
				}
			}
		}
	}
}

func BenchmarkSize(b *testing.B) {
	for _, s := range []string{"zcube(n=64,k=2)", "zcube_partial(n=16)", "zcube_rect(n=4096,m=64)", "zettafly3(a=32,p=16,h=16)",
		"zettafly4(a=64,p=32,h=32)", "dragonfly(p=8,a=16,h=8)", "dragonflyplus(l=32,m=32,p=32,h=32)",
		"fullmesh(d1=8,d2=8,d3=4,d4=4)", "hyperx(s1=16,s2=16,s3=16,t=16)"} {
		d := design(b, s)
		b.Run("design="+d.Family.Name, func(b *testing.B) {
			b.ReportAllocs()
			var out topology.Size
			for b.Loop() {
				if err := d.Family.Size(d.V, &out); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkPaths(b *testing.B) {
	for _, s := range []string{"zcube(n=64,k=2)", "zcube(n=12,k=4)", "zcube_rect(n=4096,m=64)", "zettafly4(a=64,p=32,h=32)",
		"dragonfly(p=8,a=16,h=8)", "dragonfly(p=8,a=32,h=8,g=200)", "dragonflyplus(l=16,m=16,p=16,h=16,g=200)", "hyperx(s1=16,s2=16,s3=16,t=16)"} {
		d := design(b, s)
		b.Run("design="+d.Family.Name, func(b *testing.B) {
			b.ReportAllocs()
			var p topology.Paths
			for b.Loop() {
				p.Reset()
				if !d.Family.Paths(d.V, &p) {
					b.Fatal("no closed form")
				}
			}
		})
	}
}

func BenchmarkDistances(b *testing.B) {
	for _, s := range []string{"dragonfly(p=8,a=16,h=8)", "dragonfly(p=8,a=32,h=8,g=200)", "dragonfly(p=16,a=32,h=16,g=128,arrangement=circulant)",
		"dragonfly(p=8,a=16,h=8,arrangement=absolute)"} {
		d := design(b, s)
		b.Run("design="+s, func(b *testing.B) {
			var p topology.Paths
			for b.Loop() {
				p.Reset()
				if !d.Family.Distances(d.V, &p) {
					b.Fatal("no closed form")
				}
			}
		})
	}
}

// BenchmarkBuild wires 1,081,344 endpoints and 84,480 switches.
func BenchmarkBuild(b *testing.B) {
	d := design(b, "zettafly4(a=64,p=32,h=32)")
	b.Run("switches=84480", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := d.Build(); err != nil {
				b.Fatal(err)
			}
		}
	})
}
