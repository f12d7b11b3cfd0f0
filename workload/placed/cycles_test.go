package placed

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"toposearch/internal/stream"
	"toposearch/workload"
	"toposearch/workload/collective"
)

// TestCycles: rings of grids pass every switch once, from one to a neighbour, and share no link. There are as many as links allow for products of rings
// (Kotzig 1973: all of the degree), of one line (Walecki) and of HyperX whose lines have odd numbers; and on them every piece of an all-reduce arrives.
func TestCycles(t *testing.T) {
	for _, c := range []struct {
		dims, rings []int
		want        int
	}{
		{[]int{7}, []int{7}, 1}, {[]int{5}, []int{0}, 2}, {[]int{8}, []int{0}, 3}, {[]int{9}, []int{0}, 4},
		{[]int{4, 4}, []int{4, 4}, 2}, {[]int{3, 5}, []int{3, 5}, 2}, {[]int{8, 16}, []int{8, 16}, 2}, {[]int{4, 4, 4}, []int{4, 4, 4}, 3}, {[]int{8, 8, 16}, []int{8, 8, 16}, 3},
		{[]int{5, 5}, []int{0, 0}, 4}, {[]int{8, 8}, []int{0, 0}, 6}, {[]int{4, 5}, []int{0, 5}, 2}, {[]int{32, 32}, []int{0, 0}, 30},
		{[]int{2, 2}, []int{0, 0}, 0}, {[]int{1, 1}, []int{0, 0}, 0},
	} {
		g := &Grid{Dims: c.dims, PerSwitch: 1, Carry: []float64{1, 1, 1}, Rings: c.rings, Apart: []int{1, 1, 1}}
		n := 1
		for _, s := range c.dims {
			n *= s
		}
		list := g.Cycles()
		if len(list) != c.want {
			t.Errorf("%v: %d rings, want %d", c, len(list), c.want)
		}
		links := map[[2]int32]bool{}
		for _, ring := range list {
			seen := make([]bool, n)
			for i, x := range ring {
				y := ring[(i+1)%n]
				k := [2]int32{min(x, y), max(x, y)}
				if seen[x] || links[k] || !neighbours(g, int(x), int(y)) {
					t.Fatalf("%v: from %d to %d: passed %t, taken %t", c, x, y, seen[x], links[k])
				}
				seen[x], links[k] = true, true
			}
		}
		if a := (collective.Cycles{N: n, Rings: list}); len(list) > 0 && n <= 64 {
			for _, k := range []collective.Kind{collective.AllReduce, collective.ReduceScatter, collective.AllGather} {
				s, err := a.Schedule(k)
				if err != nil {
					t.Fatal(err)
				}
				cost, err := a.Cost(k)
				if err != nil {
					t.Fatal(err)
				}
				if err, by := s.Check(), s.Cost(); err != nil || by.Steps != cost.Steps || math.Abs(by.Share[0]-cost.Share[0]) > 1e-12 {
					t.Errorf("%v, %s: %v; %v, by the schedule %v", c, k, err, cost, by)
				}
			}
		}
	}
}

// neighbours by coordinates.
func neighbours(g *Grid, x, y int) bool {
	differ, ok := 0, true
	for d, s := range g.Dims {
		if a, b := x%s, y%s; a != b {
			differ++
			if ring, _ := g.ring(d); ring > 0 {
				ok = (a+1)%s == b || (b+1)%s == a
			}
		}
		x, y = x/s, y/s
	}
	return differ == 1 && ok
}

// TestStarRings: on stars rings pass every rank once and from one to the next along a star, and as many of them leave, and enter, every rank by each of its ports: counted one
// by one, all ports carry the same. Every piece of an all-reduce arrives; and on networks of such ports, by the routes, it takes what no algorithm can do without, where a
// ring fills one port and takes as many times as long as there are ports.
func TestStarRings(t *testing.T) {
	for _, dims := range [][]int{{2, 2}, {3, 3}, {4, 4}, {1, 5, 5}, {5, 1, 5}, {32, 32}, {3, 3, 3}, {4, 4, 4}, {3, 3, 3, 3}, {8, 8, 8}} {
		g := &Grid{Dims: dims, PerSwitch: 1, Stars: make([]bool, len(dims)), Carry: make([]float64, len(dims))}
		n, ports := 1, 0
		for d, s := range dims {
			g.Stars[d], n = true, n*s
			if s > 1 {
				ports++
			}
		}
		rings := g.DirectedRings()
		if want := ports * (1 + min(ports-2, 1)); len(rings) != want {
			t.Fatalf("%v: %d rings, want %d", dims, len(rings), want)
		}
		out, in := make([]int, n*len(dims)), make([]int, n*len(dims))
		for _, ring := range rings {
			for i, x := range ring {
				y := int(ring[(i+1)%n])
				if !neighbours(g, int(x), y) {
					t.Fatalf("%v: from %d to %d", dims, x, y)
				}
				for d, step := 0, 1; d < len(dims); d++ {
					if int(x)/step%dims[d] != y/step%dims[d] {
						out[int(x)*len(dims)+d]++
						in[y*len(dims)+d]++
					}
					step *= dims[d]
				}
			}
		}
		for i := range out {
			if want := len(rings) / ports; dims[i%len(dims)] > 1 && (out[i] != want || in[i] != want) {
				t.Fatalf("%v: port %d of rank %d carries %d rings out and %d in, want %d", dims, i%len(dims), i/len(dims), out[i], in[i], want)
			}
		}
		if s, err := (collective.Cycles{N: n, Rings: rings}).Schedule(collective.AllReduce); err != nil || n <= 64 && s.Check() != nil {
			t.Errorf("%v: %v, %v", dims, err, s.Check())
		}
	}
	for _, c := range []struct {
		design string
		ports  float64
	}{{"bcube(n=4,l=2)", 2}, {"bcube(n=2,l=2)", 2}, {"bcube(n=3,l=3)", 3}, {"zcube(n=4,k=2)", 2}, {"zcube(n=2,k=2)", 2}, {"zcube(n=3,k=3)", 3}} {
		n := on(t, c.design, 1)
		n.Link.Alpha, n.Rings = 0, (*Grid).DirectedRings
		side, size := 0, len(n.Endpoint)
		for side = 2; math.Pow(float64(side), c.ports) < float64(size); {
			side++
		}
		cubes := NewCubes(side, side, int(c.ports))
		for i := range cubes.Carry {
			cubes.Carry[i] = 1 / c.ports
		}
		all := workload.Communication{Kind: collective.AllReduce, Group: workload.Group{Stride: 1, Size: size}, Bytes: 1e9, Count: 1}
		ring, _, err := n.Collective(context.Background(), all)
		if err != nil {
			t.Fatal(err)
		}
		n.Lines = cubes.Lines()
		several, name, err := n.Collective(context.Background(), all)
		if err != nil {
			t.Fatal(err)
		}
		ideal := Network{Endpoint: n.Endpoint, Link: n.Link, Domain: 1}
		least, _, err := ideal.Collective(context.Background(), all)
		if err != nil {
			t.Fatal(err)
		}
		if several != least || ring < several*1.5 || !strings.HasPrefix(name, "multi-ring") {
			t.Errorf("%s: %g s by %s, %g s on one port, want %g where nothing blocks", c.design, several, name, ring, least)
		}
	}
}

// TestStarStages: what rings take that are counted in one group is what they take of the messages of all groups.
func TestStarStages(t *testing.T) {
	ctx, counted := context.Background(), 0
	for _, shape := range []Shape{
		&Grid{Dims: []int{6, 6}, PerSwitch: 1, Stars: []bool{true, true}, Carry: []float64{0.5, 0.5}}, &Grid{Dims: []int{4, 4, 4}, PerSwitch: 1, Stars: []bool{true, true, true}, Carry: []float64{0.3, 0.5, 0.2}},
		&Grid{Dims: []int{6, 4, 8}, PerSwitch: 1, Stars: []bool{true, true, true}, Carry: []float64{0.1, 1, 0.2}}, cubesOf(8, 2), cubesOf(4, 3), cubesOf(6, 3), cubesOf(2, 5),
	} {
		lines, isGrid := shape.(*Grid)
		if !isGrid {
			lines = shape.(*Cubes).Lines()
		}
		ranks := product(lines.Dims)
		for _, g := range []workload.Group{{Stride: 1, Size: ranks}, {Stride: 2, Size: ranks / 2}, {Stride: 1, Size: ranks / 2}, {Stride: 1, Size: 8}, {Stride: 3, Size: 4}, {Stride: 4, Size: 4}} {
			one, _, ok := lines.one(g)
			if !ok || ranks%(g.Size*g.Stride) != 0 {
				continue
			}
			a := collective.Cycles{N: g.Size, Rings: one.places(one.DirectedRings())}
			for _, kind := range []collective.Kind{collective.AllReduce, collective.AllGather} {
				s, err := a.Schedule(kind)
				if err != nil {
					continue // no rings
				}
				c := workload.Communication{Kind: kind, Group: g, Bytes: 1e9, Count: 1}
				n := &Network{Shape: shape, Endpoint: first(ranks), Link: collective.Link{BytesPerS: 5e10}, Domain: 1}
				want, err := n.stages(ctx, g, s, c.Bytes)
				if err != nil {
					t.Fatal(err)
				}
				got, err := n.starStages(ctx, one, c, s)
				if err != nil || !slices.Equal(got, want) {
					t.Errorf("%s, %+v, %s: %v, %v, of all groups %v", shape.Geometry(), g, kind, got, err, want)
				}
				counted++
			}
		}
	}
	if counted < 30 {
		t.Errorf("%d cases", counted)
	}
}

func cubesOf(side, levels int) *Cubes {
	c := NewCubes(side, side, levels)
	for i := range c.Carry {
		c.Carry[i] = 1 / float64(levels+i)
	}
	return c
}

// TestChange: by how many cycles a cover grows is told before sides are exchanged, as they are counted after it.
func TestChange(t *testing.T) {
	rng := stream.New(5, "change")
	met := make(map[int]int)
	for _, g := range []*Grid{{Dims: []int{5, 7}}, {Dims: []int{4, 6, 3}, Rings: []int{4, 6, 3}, Apart: []int{1, 1, 1}}, {Dims: []int{4, 6, 2}, Rings: []int{0, 6, 2}, Apart: []int{1, 1, 1}}} {
		c, step := &covers{g: g, n: product(g.Dims)}, 1
		for d, s := range g.Dims {
			for _, line := range g.lineCycles(d) {
				c.cover(step, s, line)
			}
			step *= s
		}
		seen := make([]bool, c.n)
		for range 20_000 {
			f, h, v := rng.IntN(len(c.next)), rng.IntN(len(c.next)), int32(rng.IntN(c.n))
			u, w := c.next[f][v][rng.IntN(2)], c.next[h][v][rng.IntN(2)]
			x := c.opposite(v, u, w)
			if f == h || x < 0 || !c.joined(f, w, x) || !c.joined(h, u, x) {
				continue
			}
			told, before := c.change(f, v, u, w, x), c.count(f, seen)
			c.exchange(f, v, u, w, x)
			c.exchange(h, v, w, u, x)
			if counted := c.count(f, seen) - before; counted != told {
				t.Fatalf("%v: %d cycles more, %d were told", g.Dims, counted, told)
			}
			met[told]++
		}
	}
	if met[-1] < 100 || met[0] < 100 || met[1] < 100 {
		t.Errorf("changes that were met: %v", met)
	}
}
