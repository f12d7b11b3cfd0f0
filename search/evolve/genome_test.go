package evolve

import (
	"testing"

	"toposearch/search"
	"toposearch/search/searchtest"
	"toposearch/study"
	"toposearch/topology"
)

// The derived parameter is the first that reaches the endpoints asked for, wherever the search for it
// begins.
func TestDeriveIsTheFirstThatReaches(t *testing.T) {
	p := searchtest.ProblemOf(t, searchtest.Small(t, 250, 300), &searchtest.SizeModel{})
	b := newBreeder(p, []bool{true, true, true, true, true})
	rng := newRand(3, "test.derive", 0)
	moved := 0
	for i := range 2000 {
		g := b.random(i%5, rng.Float64)
		sp := p.Spaces[g.space]
		d := sp.Fam.Derived
		if d < 0 {
			continue
		}
		for j := range g.v {
			g.v[j] = int32(rng.Intn(sp.Dims[j].N))
		}
		before := g.v[d]
		b.derive(int(g.space), g.v)
		v, want := b.values(int(g.space), g.v), 0
		for ; want < sp.Dims[d].N-1; want++ {
			v[d] = sp.Dims[d].At(want)
			b.size.Reset(sp.Fam)
			if sp.Fam.Count(v, &b.size); b.size.Endpoints >= p.Min {
				break
			}
		}
		if int(g.v[d]) != want {
			t.Fatalf("%s %v: from %d derived %d, want %d", sp.Fam.Name, g.v, before, g.v[d], want)
		}
		if before != g.v[d] {
			moved++
		}
	}
	if moved < 100 {
		t.Errorf("%d moves test little", moved)
	}
}

// Repairing twice changes nothing, wherever the derived parameter is in between; so a child that
// differs from a repaired parent in no other parameter may take over its repair.
func TestRepairIsIdempotent(t *testing.T) {
	p := searchtest.ProblemOf(t, searchtest.Small(t, 250, 300), &searchtest.SizeModel{})
	b := newBreeder(p, []bool{true, true, true, true, true})
	rng := newRand(4, "test.repair", 0)
	sound, moved := 0, 0
	for i := range 5000 {
		g := b.random(i%5, rng.Float64)
		for j := range g.v {
			g.v[j] = int32(rng.Intn(p.Spaces[g.space].Dims[j].N))
		}
		g.repaired()
		if !g.sound {
			continue
		}
		sound++
		h := g.clone()
		if d := p.Spaces[g.space].Fam.Derived; d >= 0 {
			h.v[d] = int32(rng.Intn(p.Spaces[g.space].Dims[d].N))
			if h.v[d] != g.v[d] {
				moved++
			}
		}
		h.repaired()
		if string(h.key(nil)) != string(g.key(nil)) {
			t.Fatalf("%s: %v is repaired to %v", p.Spaces[g.space].Fam.Name, g.v, h.v)
		}
	}
	if sound < 1000 || moved < 500 {
		t.Errorf("%d repaired genomes, %d of them moved, test little", sound, moved)
	}
}

// Crossover and mutation of copies leave the parents alone and give children whose parameters lie in
// their domains, repaired.
func TestOperatorsKeepParents(t *testing.T) {
	p := searchtest.ProblemOf(t, searchtest.Small(t, 250, 300), &searchtest.SizeModel{})
	b := newBreeder(p, []bool{true, true, true, true, true})
	rng := newRand(5, "test.vary", 0)
	changed := 0
	for i := range 5000 {
		x, y := b.random(i%5, rng.Float64), b.random(i%5, rng.Float64)
		kx, ky := string(x.key(nil)), string(y.key(nil))
		c, d := x.clone(), y.clone()
		c.Crossover(d, rng)
		c.Mutate(rng)
		d.Mutate(rng)
		if string(x.key(nil)) != kx || string(y.key(nil)) != ky {
			t.Fatalf("parents %v and %v have changed", x.v, y.v)
		}
		for _, g := range []*genome{c, d} {
			for j, k := range g.v {
				if k < 0 || int(k) >= p.Spaces[g.space].Dims[j].N {
					t.Fatalf("%s: parameter %d has index %d of %d", p.Spaces[g.space].Fam.Name, j, k, p.Spaces[g.space].Dims[j].N)
				}
			}
			again := g.clone()
			if again.repaired(); string(again.key(nil)) != string(g.key(nil)) && g.sound {
				t.Fatalf("%s: child %v is repaired to %v", p.Spaces[g.space].Fam.Name, g.v, again.v)
			}
		}
		if k := string(c.key(nil)); k != kx && k != ky {
			changed++
		}
	}
	if changed < 2500 {
		t.Errorf("%d of 5000 children are new", changed)
	}
}

// A ratio moves to one that divides what it is of, other than its own, and near ones most often.
func TestRatiosDivide(t *testing.T) {
	text := `name = "tapers"
[endpoints]
count = { min = 900, max = 1200 }
bandwidth = "400 Gb/s"
[space]
families = ["fattree"]
[space.fattree]
k = [32, 48]
taper2 = { min = "1:1", max = "31:1" }
[[objective]]
metric = "cost"
`
	st, list := study.LoadFrom("study.toml", func(string) ([]byte, error) { return []byte(text), nil })
	if list.HasErrors() {
		t.Fatal(list)
	}
	p := searchtest.ProblemOf(t, st, &searchtest.SizeModel{})
	b, rng := newBreeder(p, []bool{true}), newRand(1, "test.ratios", 0)
	sp := p.Spaces[0]
	k, taper := sp.Fam.Param("k"), sp.Fam.Param("taper2")
	made, near := 0, 0
	for range 400 {
		g := b.random(0, rng.Float64)
		if !g.sound {
			continue
		}
		whole, before := sp.Dims[k].At(int(g.v[k])), sp.Dims[taper].At(int(g.v[taper]))
		at, ok := g.shifted(taper, k, rng)
		if !ok {
			continue
		}
		x := sp.Dims[taper].At(int(at))
		if made++; !topology.RatioDivides(x, whole) || x == before {
			t.Fatalf("%d divided %d: it moved from there to %d", before, whole, x)
		}
		if d := topology.RatioPart(x, whole) - topology.RatioPart(before, whole); d*d == 1 {
			near++
		}
	}
	if made < 50 || 3*near < made {
		t.Errorf("%d moves, %d of them by one part", made, near)
	}
}

// railProblem is a study of networks of rails for 1,000 to 1,200 endpoints.
func railProblem(t *testing.T) *search.Problem {
	text := `name = "rails"
[endpoints]
count = { min = 1000, max = 1200 }
bandwidth = "400 Gb/s"
[space]
families = ["multirail"]
[[objective]]
metric = "cost"
`
	st, list := study.LoadFrom("study.toml", func(string) ([]byte, error) { return []byte(text), nil })
	if list.HasErrors() {
		t.Fatal(list)
	}
	return searchtest.ProblemOf(t, st, &searchtest.SizeModel{})
}

// A network of a single stage has no pods to make it larger: endpoints of the switch are, and its ports with them. So every
// plane of four has one switch of 1,000 ports, which mutation alone would have to hit in two parameters at once.
func TestRepairLiftsWhatHasNoPods(t *testing.T) {
	p := railProblem(t)
	b, sp := newBreeder(p, []bool{true}), p.Spaces[0]
	g := b.blank(0)
	for name, x := range map[string]int{"k": 64, "l": 1, "r": 4, "f": 1, "planes": 4, "pods": 300, "d": 7, "mix": 1} {
		i := sp.Fam.Param(name)
		k, ok := sp.Dims[i].Index(x)
		if !ok {
			t.Fatalf("%s has no value %d", name, x)
		}
		g.v[i] = int32(k)
	}
	g.repaired()
	v := b.values(0, g.v)
	var s topology.Size
	if err := sp.Fam.Size(v, &s); !g.sound || err != nil || s.Endpoints != 1000 || v[sp.Fam.Param("d")] != 1000 || v[sp.Fam.Param("k")] != 1000 {
		t.Errorf("%v with %d endpoints (%v), want one switch of 1,000 ports a plane", v, s.Endpoints, err)
	}
}

// An exchange leaves the size in the window: one pod more, and as many endpoints a leaf as are needed then.
func TestExchangeKeepsTheSize(t *testing.T) {
	p := railProblem(t)
	b, sp, rng := newBreeder(p, []bool{true}), p.Spaces[0], newRand(6, "test.exchange", 0)
	d, pods := sp.Fam.Param("d"), sp.Fam.Derived
	made, both := 0, 0
	for range 10000 {
		g := b.random(0, rng.Float64)
		if !g.sound || !b.inside(0, g.v) {
			continue
		}
		h := g.clone()
		if !h.exchanged(sp, rng) {
			if string(h.key(nil)) != string(g.key(nil)) {
				t.Fatalf("%v became %v though nothing was exchanged", g.v, h.v)
			}
			continue
		}
		if made++; !h.sound || !b.inside(0, h.v) {
			t.Errorf("%v became %v of %d endpoints", g.v, h.v, b.endpoints(0, h.v))
		}
		if h.v[d] != g.v[d] && h.v[pods] != g.v[pods] {
			both++
		}
	}
	if made < 50 || both < 20 {
		t.Errorf("%d exchanges, %d of them between pods and endpoints of a leaf", made, both)
	}
}
