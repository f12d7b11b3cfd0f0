package growth

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"toposearch/catalog"
	"toposearch/topology"
	"toposearch/topology/family"
)

var (
	box   = &catalog.Part{PartNo: "box", Kind: catalog.KindSwitch}
	cable = &catalog.Part{PartNo: "cable"}
)

// plain is the network of a design whose switches are all of one model and whose cables all reach everywhere.
func plain(t *testing.T, name string) *Network {
	t.Helper()
	d, err := topology.ParseDesign(name, family.Known())
	if err != nil {
		t.Fatal(err)
	}
	var size topology.Size
	if err := d.Family.Size(d.V, &size); err != nil {
		t.Fatal(err)
	}
	n := &Network{Design: d, Endpoints: int(size.Endpoints)}
	for i, c := range d.Family.SwitchClasses {
		for j := range int(size.Switch[i].Count) {
			n.Boxes = append(n.Boxes, Box{box, c.Name, j})
		}
	}
	join := func(a, b int) {
		n.Cables = append(n.Cables, Cable{A: int32(a), B: int32(b), LaidM: 1, StockM: 1, Part: cable})
	}
	e := len(n.Boxes)
	d.Family.Attach(d.V, func(count int, ports []topology.SwitchID) {
		for range count {
			for _, s := range ports {
				join(e, int(s))
			}
			e++
		}
	})
	d.Family.Wire(d.V, func(_ int, a, b topology.SwitchID) { join(int(a), int(b)) })
	n.place = make([]Place, n.vertices())
	n.index()
	return n
}

var all = Rules{Switches: true}

// planOf finds a plan and checks that it is one: every cable of either network once, those kept between the same boxes.
func planOf(t *testing.T, old, to *Network) *Plan {
	t.Helper()
	p := Count(old, to, Find(old, to, all), all, nil)
	a, b := make([]int, len(old.Cables)), make([]int, len(to.Cables))
	for _, u := range p.Uses {
		if u.Old >= 0 {
			a[u.Old]++
		}
		if u.New >= 0 {
			b[u.New]++
		}
		if u.How == Keep || u.How == MoveEnd {
			x, y := old.Cables[u.Old], to.Cables[u.New]
			ends := 0
			for _, v := range []int32{p.Match.New[x.A], p.Match.New[x.B]} {
				if v == y.A || v == y.B {
					ends++
				}
			}
			if ends < 1 || u.How == Keep && ends != 2 {
				t.Errorf("%s %v as %v: %d ends stay", u.How, x, y, ends)
			}
		}
	}
	if slices.ContainsFunc(append(a, b...), func(n int) bool { return n != 1 }) {
		t.Errorf("a cable is used twice or never")
	}
	if p.CablesKept > p.MostKept {
		t.Errorf("%d cables are kept, and at most %d can be", p.CablesKept, p.MostKept)
	}
	return p
}

// What stays, by hand.
//
//   - HyperX 4x4 among 5x4 or 4x5: all 48 links and 64 endpoints.
//   - A fat tree of k=4 (l=3) with 2 of 4 pods: 4 links inside a pod and 4 endpoints stay; the 2 cores have two links to each pod, of
//     which one is there when each core joins four pods: 2 x 8 + 2 x 2.
//   - Two levels, 4 leaves of 8: 16 endpoints; the 2 spines have two links to each leaf, of which one is left beside 4 spines: 16 + 8.
//   - Complete graphs (dragonfly with a = 1): 5 groups have 10 links, all in 9 groups; 5 endpoints.
//   - ZCube(4,2) to (8,2): 4 x 4 links of two halves, and 16 endpoints with two ports each: a grid of 4 x 4 in one of 8 x 8.
func TestByHand(t *testing.T) {
	for _, c := range []struct {
		from, to    string
		kept, boxes int
	}{
		{"hyperx(s1=4,s2=4,t=4)", "hyperx(s1=5,s2=4,t=4)", 48 + 64, 16},
		{"hyperx(s1=4,s2=4,t=4)", "hyperx(s1=4,s2=5,t=4)", 48 + 64, 16},
		{"fattree(k=8,l=2,pods=4)", "fattree(k=8,l=2,pods=8)", 24, 0},
		{"fattree(k=4,l=3,pods=2)", "fattree(k=4,l=3)", 20, 0},
		{"dragonfly(p=1,a=1,h=4,g=5)", "dragonfly(p=1,a=1,h=8,g=9)", 10 + 5, 5},
		{"zcube(n=4,k=2)", "zcube(n=8,k=2)", 16 + 32, 8},
	} {
		old, to := plain(t, c.from), plain(t, c.to)
		p := planOf(t, old, to)
		if c.boxes == 0 { // a network inside the other
			c.boxes = len(old.Boxes)
		}
		if p.CablesKept != c.kept || p.BoxesKept != c.boxes {
			t.Errorf("%s to %s keeps %d of %d cables and %d of %d switches (at most %d cables), want %d and %d",
				c.from, c.to, p.CablesKept, len(old.Cables), p.BoxesKept, len(old.Boxes), p.MostKept, c.kept, c.boxes)
		}
	}
}

// A dragonfly of 5 groups of 4 in one of 9: the 5 x 6 links inside groups and the 40 endpoints stay. Of the two links between each two
// of 5 groups there is one among 9, so that 10 of the 20 could stay at most.
func TestDragonfly(t *testing.T) {
	old, to := plain(t, "dragonfly(p=2,a=4,h=2,g=5)"), plain(t, "dragonfly(p=2,a=4,h=2,g=9)")
	if p := planOf(t, old, to); p.CablesKept < 70 || p.CablesKept > 80 {
		t.Errorf("%d of %d cables are kept, want 70 to 80", p.CablesKept, len(old.Cables))
	}
}

// random joins boxes at random.
func random(rng *rand.Rand, boxes, cables int) *Network {
	n := &Network{}
	for i := range boxes {
		n.Boxes = append(n.Boxes, Box{box, "a", i})
	}
	for range cables {
		a := rng.IntN(boxes)
		n.Cables = append(n.Cables, Cable{A: int32(a), B: int32((a + 1 + rng.IntN(boxes-1)) % boxes), LaidM: float64(1 + rng.IntN(2)), StockM: 2, Part: cable})
	}
	n.place = make([]Place, boxes)
	n.index()
	return n
}

// No match keeps more than the bound says, and what is found is mostly the best: all of at most 6 boxes are tried.
func TestAgainstAllMatches(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	found, best, cases := 0, 0, 60
	for range cases {
		old := random(rng, 3+rng.IntN(3), 3+rng.IntN(6))
		to := random(rng, len(old.Boxes)+rng.IntN(2), 4+rng.IntN(8))
		m := &matcher{old: old, to: to, rules: all}
		most := 0
		x := m.none()
		var assign func(u int32)
		assign = func(u int32) {
			if int(u) == len(old.Boxes) {
				most = max(most, Kept(old, to, x, all))
				return
			}
			for v := range int32(len(to.Boxes)) {
				if x.Old[v] < 0 {
					x.pair(u, v)
					assign(u + 1)
					x.New[u], x.Old[v] = -1, -1
				}
			}
		}
		assign(0)
		p := planOf(t, old, to)
		if p.CablesKept > most || p.MostKept < most {
			t.Fatalf("found %d, best %d, bound %d", p.CablesKept, most, p.MostKept)
		}
		found, best = found+p.CablesKept, best+most
	}
	t.Logf("found %d of %d cables that the best matches keep", found, best)
	if found*100 < best*98 { // 264 of 276 without exchanges, 270 with those of the best start alone, 272 of each
		t.Errorf("found %d of %d cables that the best matches keep", found, best)
	}
}

// Numbers of switches carry no meaning: with the new ones renumbered as many cables of a complete graph stay, and twice the same gives the same.
func TestRenumbered(t *testing.T) {
	old, to := plain(t, "hyperx(s1=3,t=2)"), plain(t, "hyperx(s1=6,t=2)")
	p := planOf(t, old, to)
	if again := planOf(t, old, to); !reflect.DeepEqual(p, again) {
		t.Errorf("the same networks give another plan")
	}
	perm := rand.New(rand.NewPCG(3, 4)).Perm(len(to.Boxes))
	for i := range to.Cables {
		c := &to.Cables[i]
		for _, v := range []*int32{&c.A, &c.B} {
			if int(*v) < len(perm) {
				*v = int32(perm[*v])
			}
		}
	}
	to.index()
	if q := planOf(t, old, to); q.CablesKept != p.CablesKept || q.CablesKept != len(old.Cables) {
		t.Errorf("renumbered %d cables are kept, before %d, of %d", q.CablesKept, p.CablesKept, len(old.Cables))
	}
}

// A cage split into two does not serve where one is split into four, though both are cables of 800 Gb/s.
func TestKindOfSplitters(t *testing.T) {
	split := func(ports int) *catalog.Part {
		return &catalog.Part{Kind: catalog.KindCable, RateGbps: 800, Ports: ports, Medium: "dac-passive", Breakouts: []catalog.Breakout{{Count: ports, Gbps: 800 / ports}}}
	}
	if a, b, c := KindOf(split(2), nil), KindOf(split(2), nil), KindOf(split(4), nil); a != b || a == c {
		t.Errorf("2x400 %+v and %+v, 4x200 %+v", a, b, c)
	}
}
