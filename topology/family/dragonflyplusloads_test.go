package family

import (
	"slices"
	"testing"

	"toposearch/internal/stream"
	"toposearch/topology"
)

// The walk along spines adds up what the one along ports does, in the same order: to the last bit.
func TestSpineLoads(t *testing.T) {
	rng := stream.New(8, "spine loads")
	tried, shared := 0, 0
	for tried < 4000 {
		m, h := 1+rng.IntN(12), 1+rng.IntN(12)
		if tried%8 == 0 {
			h = 1 + rng.IntN(120)
		}
		g := 2 + rng.IntN(m*h)
		if rng.IntN(2) == 0 {
			g = 2 + rng.IntN(min(m*h, h)) // a spine has several links to a group
		}
		tried++
		x := globals{g: g, n: m * h, arrangement: palmtree}
		a, b := spineLoads{x: x, h: h}, spineLoads{x: x, h: h}
		a.walk()
		b.plain()
		if a != b {
			t.Fatalf("m=%d h=%d g=%d: loads %v %v, busiest %g; want %v %v, %g", m, h, g, a.up[:m], a.down[:m], a.most, b.up[:m], b.down[:m], b.most)
		}
		for rank := range g - 1 {
			if e := a.extra(rank); e >= 0 && e/h == (rank+(x.rounds()-1)*(g-1))/h {
				shared++
				break
			}
		}
	}
	if shared < 100 {
		t.Errorf("%d networks with a spare link on the spine of another test little", shared)
	}
}

// The bound of the busiest channel between leaf and spine holds over numbers of groups, and is close for one.
func TestDragonflyplusBusiest(t *testing.T) {
	rng := stream.New(9, "busiest spines")
	known, close := 0, 0.0
	for range 4000 {
		v := []int{1 + rng.IntN(30), 1 + rng.IntN(60), 1 + rng.IntN(3), 1 + rng.IntN(40), 2 + rng.IntN(300)}
		if v[4] > v[1]*v[3]+1 {
			continue
		}
		l, m, p := float64(v[0]), float64(v[1]), float64(v[2])
		busiest := (dragonflyplusPeaks(v)[0]*l*p*p + (l-1)*p*p/m) / (l*p*float64(v[4]) - 1)
		g := int64(v[4])
		for _, groups := range [][2]int64{{g, g}, {max(2, g-3), g}, {g, g + 2}} {
			least := dragonflyplusBusiest(v, groups)
			if least > busiest*(1+1e-9) {
				t.Fatalf("%v, %v groups: at least %g, but is %g", v, groups, least, busiest)
			}
			if groups[0] == groups[1] && least > 0 {
				known, close = known+1, close+least/busiest
			}
		}
	}
	if known < 1000 || close/float64(known) < 0.98 {
		t.Errorf("%d bounds, on average %g of the load", known, close/float64(known))
	}
}

// plain is the plain twin of walk: port by port.
func (w *spineLoads) plain() {
	x, h, g := w.x, w.h, w.x.g
	full := x.rounds() * (g - 1)
	for rank := range g - 1 {
		extra := w.extra(rank)
		spines := 0
		dragonflyplusPorts(rank, g-1, full, extra, h, func(first, ports int) { spines++ })
		if spines == 0 {
			continue
		}
		dragonflyplusPorts(rank, g-1, full, extra, h, func(first, ports int) {
			load := 1 / float64(spines) / float64(ports)
			w.most = max(w.most, load)
			// A leaf sends its share of the load to the spine, and gets its share at the far end.
			for k := range ports {
				q := first + k*(g-1)
				if q >= full {
					q = extra
				}
				_, to := x.peer(0, q)
				w.up[q/h] += load
				w.down[to/h] += load
			}
		})
	}
}

// dragonflyplusPorts visits the ports first, first+step, ... below full and then extra, unless it is
// negative, spine by spine: those of a spine, of which each has h, follow one another.
func dragonflyplusPorts(first, step, full, extra, h int, spine func(first, ports int)) {
	from, n := first, 0
	for q := first; ; q += step {
		at := q
		if q >= full {
			at = extra
		}
		if n > 0 && (at < 0 || at/h != from/h) {
			spine(from, n)
			n = 0
		}
		if at < 0 {
			return
		}
		if n == 0 {
			from = q
		}
		n++
		if q >= full {
			spine(from, n)
			return
		}
	}
}

func BenchmarkDragonflyPlusPeaks(b *testing.B) {
	x := spineLoads{x: globals{g: 23, n: 144, arrangement: palmtree}, h: 72}
	b.Run("plain", func(b *testing.B) {
		for b.Loop() {
			w := x
			w.plain()
		}
	})
	b.Run("walk", func(b *testing.B) {
		for b.Loop() {
			w := x
			w.walk()
		}
	})
}

// Where what two groups send each other is split evenly over their links, none carries more of the mean of its class than a box around the design says.
func TestDragonflyplusShares(t *testing.T) {
	const above = 1 + 1e-9
	rng := stream.New(31, "shares of a dragonflyplus")
	worst, found := 1.0, 0
	for range 20000 {
		v := []int{1 + rng.IntN(4), 1 + rng.IntN(6), 1 + rng.IntN(3), 1 + rng.IntN(9), 2 + rng.IntN(12)}
		var s topology.Size
		if dragonflyplus.Size(v, &s) != nil {
			continue
		}
		l, m, p, g := v[0], v[1], v[2], v[4]
		links := make(map[[2]int]int) // between two groups, by spine of the first
		of := make(map[[2]int]int)    // by groups
		all := 0
		dragonflyplus.Wire(v, func(class int, a, b topology.SwitchID) {
			if class != 2 {
				return
			}
			x, y := int(a)-g*l, int(b)-g*l
			links[[2]int{x, y / m}]++
			links[[2]int{y, x / m}]++
			of[[2]int{x / m, y / m}]++
			of[[2]int{y / m, x / m}]++
			all += 2
		})
		global, spine, mean := 0.0, make([]float64, g*m), 0.0
		for pair, n := range of {
			global = max(global, 1/float64(n))
			mean += 1 / float64(all)
			for x := pair[0] * m; x < (pair[0]+1)*m; x++ {
				spine[x] += float64(links[[2]int{x, pair[1]}]) / float64(n)
			}
		}
		uneven := max(global/mean, slices.Max(spine)/(float64(g-1)/float64(m)))
		lo, hi := slices.Clone(v), slices.Clone(v)
		for i := range v {
			if rng.IntN(3) == 0 {
				lo[i] = max(dragonflyplus.Params[i].Min, v[i]-rng.IntN(4))
				hi[i] = v[i] + rng.IntN(4)
			}
		}
		var b topology.PerEndpoint
		dragonflyplus.BoundPerEndpoint(lo, hi, int64(l*p*g), int64(l*p*g), &b)
		if found++; b.Uneven <= 0 || uneven > b.Uneven*above {
			t.Fatalf("%v in %v..%v: a link carries %g of the mean, bound %g", v, lo, hi, uneven, b.Uneven)
		}
		worst = max(worst, uneven)
	}
	if found < 1000 || worst < 1.5 {
		t.Errorf("%d designs, at most %g of the mean, test little", found, worst)
	}
}
