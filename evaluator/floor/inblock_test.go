package floor

import (
	"math"
	"testing"

	"toposearch/evaluator/market"
	"toposearch/internal/stream"
	"toposearch/topology"
	"toposearch/topology/family"
)

// Designs that share what their cables inside blocks depend on have the same least cables, one by one.
func TestCablesInsideBlocksAreShared(t *testing.T) {
	site := Site{}
	m := marketOf(t, &site)
	rings := RingsAround(&site)
	f, _ := family.ByName("dragonflyplus")
	rng := stream.New(11, "in blocks")
	seen, shared := map[InBlocks]Least{}, 0
	for range few(400) {
		l, p, g := 2+rng.IntN(12), 20+rng.IntN(60), 2+rng.IntN(30)
		for _, mid := range []int{1, 2, 3, 5, 8, 9, 12, 30} {
			v := []int{l, mid, p, 1 + g, g}
			var s topology.Size
			if f.Size(v, &s) != nil {
				continue
			}
			place := f.Place(v)
			var r market.Rates
			m.Rate(&s, market.BoardSet(place.Boards), &r)
			var plan Plan
			if rej := plan.Place(&site, 8, &s, &place, &market.Purchase{}); rej.Constraint != "" {
				t.Fatal(rej)
			}
			for c := range 2 {
				known := f.Cables(v, c)
				key, ok := plan.InBlocks(c, &known, r.Speed[c].Rank)
				if !ok {
					continue
				}
				var mem Distances
				least, ok := plan.LeastCables(c, &known, r.Speed[c], rings, &mem)
				if !ok {
					t.Fatalf("%v: class %d has no bound", v, c)
				}
				n := float64(s.Link[c])
				least.Price, least.Watts = least.Price/n, least.Watts/n
				first, ok := seen[key]
				if !ok {
					seen[key] = least
					continue
				}
				shared++
				near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-9*math.Abs(b) }
				if !near(first.Price, least.Price) || !near(first.Watts, least.Watts) || !near(first.MeanM, least.MeanM) || first.LongestM != least.LongestM {
					t.Errorf("%v: class %d has %+v, another design of the same floor %+v", v, c, least, first)
				}
			}
		}
	}
	if shared < 100 {
		t.Errorf("%d designs share something: too few to tell", shared)
	}
}

// Sections that lie alike in the rows add as much as each of them visited by itself.
func TestSectionsThatLieAlike(t *testing.T) {
	site := Site{}
	m := marketOf(t, &site)
	rings := RingsAround(&site)
	rng := stream.New(12, "sections")
	around := 0
	for k := range few(2000) {
		f, _ := family.ByName([]string{"dragonfly", "dragonflyplus"}[k%2])
		v := []int{1 + rng.IntN(40), 2 + rng.IntN(20), 1 + rng.IntN(40), 2 + rng.IntN(60), 0}
		if k%2 == 1 {
			v[3], v[4] = 1+rng.IntN(40), v[3]
		}
		var s topology.Size
		if f.Size(v, &s) != nil {
			continue
		}
		place := f.Place(v)
		var r market.Rates
		m.Rate(&s, market.BoardSet(place.Boards), &r)
		var p Plan
		if rej := p.Place(&site, 8, &s, &place, &market.Purchase{}); rej.Constraint != "" || p.perSection > 1 || p.both {
			continue
		}
		visits := []func(in *leastSum, section int64){func(in *leastSum, section int64) { in.inTurn(&p, 0, section) }}
		keys := []lyingKey{{switches: p.share(0), each: int64(s.Switch[0].Ports[0]), perRack: p.perRack}}
		if k%2 == 0 {
			keys = append(keys, lyingKey{switches: p.share(0), each: int64(s.Switch[0].Ports[1])})
			visits = append(visits, func(in *leastSum, section int64) { in.mesh(&p, 1, 0, section) })
		} else {
			visits = append(visits, func(in *leastSum, section int64) { in.toAllNet(&p, 1, 0, 1, section) })
		}
		for c, visit := range visits {
			want := leastSum{speed: r.Speed[c], site: &site, rings: rings.rings, near: rings.near(r.Speed[c]), lyings: &rings.lyings}
			got := want
			got.inSections(&p, visit)
			again := want // as sections of designs before have left it
			if c < len(keys) {
				visit = again.kept(&p, keys[c], visit)
			}
			again.inSections(&p, visit)
			for section := range p.sections {
				in := want
				in.count, in.m, in.price, in.watts = 0, 0, 0, 0
				visit(&in, section)
				want.join(&in)
				if first := p.base(section); first/p.perRow != (first+p.endRacks+p.netRacks-1)/p.perRow {
					around++
				}
			}
			for _, got := range [...]leastSum{got, again} {
				if got.count != want.count || got.m != want.m || got.price != want.price || got.watts != want.watts || got.longestM != want.longestM {
					t.Errorf("%s%v: class %d takes %+v, section by section %+v", f.Name, v, c, got, want)
				}
			}
		}
	}
	if around < 100 {
		t.Errorf("only %d sections were around the end of a row", around)
	}
}

// Links between all switches of a block, counted by how far racks are apart, are those of any two racks.
func TestMeshOfBlock(t *testing.T) {
	site := Site{}
	m := marketOf(t, &site)
	rings := RingsAround(&site)
	rng := stream.New(14, "mesh")
	f, _ := family.ByName("dragonfly")
	turned, wide := 0, 0
	for range few(600) {
		v := []int{1 + rng.IntN(60), 2 + rng.IntN(100), 1 + rng.IntN(20), 2 + rng.IntN(40), 0}
		var s topology.Size
		if f.Size(v, &s) != nil {
			continue
		}
		place := f.Place(v)
		var r market.Rates
		m.Rate(&s, market.BoardSet(place.Boards), &r)
		var p Plan
		if rej := p.Place(&site, 8, &s, &place, &market.Purchase{}); rej.Constraint != "" || p.perSection > 1 {
			continue
		}
		for section := range p.sections {
			got := leastSum{speed: r.Speed[1], site: &site, rings: rings.rings, near: rings.near(r.Speed[1])}
			want := got
			got.mesh(&p, 1, 0, section)
			rackOf := func(j int64) spot { return p.spot(p.endFrom(p.base(section), j*p.endRacks/p.share(0))) }
			for j := range p.share(0) {
				for k := range j {
					want.apart(1, rackOf(j), rackOf(k))
				}
			}
			near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-12*math.Abs(b) }
			if got.count != want.count || !near(got.m, want.m) || !near(got.price, want.price) || !near(got.watts, want.watts) || got.longestM != want.longestM {
				t.Fatalf("%s%v: section %d takes %+v, switch by switch %+v", f.Name, v, section, got, want)
			}
			if p.endRacks > p.perRow {
				wide++
			} else if p.base(section)%p.perRow+p.endRacks > p.perRow {
				turned++
			}
		}
	}
	if turned < 100 || wide < 10 {
		t.Errorf("%d sections around the end of a row and %d wider than one test little", turned, wide)
	}
}
