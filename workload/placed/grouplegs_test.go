package placed

import (
	"math"
	"testing"

	"toposearch/internal/stream"
	"toposearch/routing"
	"toposearch/workload"
)

// turnedGroups are groups whose links are drawn for the first and turned for the others; each link has a way back.
func turnedGroups(count, each, per int, draw func(n int) int) *Groups {
	type link struct{ from, far, to int }
	var links []link
	for far := 1; far <= count/2; far++ {
		for range 1 + draw(3) {
			a, b := draw(each), draw(each)
			links = append(links, link{a, far, b}, link{b, count - far, a})
		}
	}
	return &Groups{Count: count, Each: each, PerSwitch: per, Local: 0.5 + float64(draw(3)), Global: 1 + float64(draw(2)), Turned: true,
		Links: func(group int, emit func(from, to int)) {
			for _, l := range links {
				emit(group*each+l.from, (group+l.far)%count*each+l.to)
			}
		}}
}

// TestGroupLegs: what groups that send alike load, counted once, with legs that are kept and added by kinds of groups, is what messages load one by one, with legs added group by
// group, of one pattern after the other on the same groups, and of those on which groups differ in more ways than are kept.
func TestGroupLegs(t *testing.T) {
	rng, kinds, full := stream.New(6, "groups"), map[int]int{}, 0
	for trial := range 300 {
		g := turnedGroups(3+rng.IntN(10+trial%2*40), 1+rng.IntN(6), 1+rng.IntN(6), rng.IntN)
		if trial%4 == 3 { // links are of spines
			g.Mids = g.Each
		}
		if trial%3 == 0 { // little room for what is recorded
			l := g.loads().(*groupLoads)
			l.legs.room = 1 + trial%100
			g.spare = l
		}
		for range 6 {
			of := workload.Group{Stride: 1 << rng.IntN(5), Size: 2 + rng.IntN(4)}
			block := of.Stride * of.Size
			ranks := g.Count * g.Each * g.PerSwitch
			if rng.IntN(2) == 0 {
				ranks -= rng.IntN(ranks)
			}
			if ranks -= ranks % block; ranks == 0 {
				continue
			}
			p := pattern{Shift: 1 + rng.IntN(of.Size-1)}
			if rng.IntN(4) == 0 {
				p = pattern{All: true}
			}
			got := g.byRuns(of, p, ranks, true)
			plain := *g
			l := plain.loads().(*groupLoads)
			for r := range ranks {
				p.each(of, func(shift int) {
					place := r / of.Stride % of.Size
					l.add(r, r+((place+shift)%of.Size-place)*of.Stride, 1)
				})
			}
			for i, runs := 0, g.spare.(*groupLoads); i < g.Count; i++ {
				a, b := runs.carried(i, nil), l.carried(i, nil)
				for at, x := range append(a.local, a.global...) {
					if y := append(b.local, b.global...)[at]; math.Abs(x-y) > 1e-9*y {
						t.Fatalf("%+v, %d ranks, %+v %+v: link %d of group %d carries %g, one by one %g", g, ranks, of, p, at, i, x, y)
					}
				}
			}
			levels := l.levels()
			for i, x := range levels {
				if math.Abs(x-got.levels[i]) > 1e-9*x {
					t.Fatalf("%+v, %d ranks, %+v %+v: levels %v, one by one %v", g, ranks, of, p, got.levels, levels)
				}
			}
			if got.ways == nil {
				continue
			}
			var direct, detours []float64
			k := keptLegs{g: &plain, out: g.sides(l.out), in: g.sides(l.in)}
			switches := float64(g.Count*g.Each - 2)
			for i := range g.Count {
				legs, x := plain.least(i), l.carried(i, nil)
				k.raise(i, legs)
				g.unlinked(legs)
				add := func(list, legs []float64, carry float64) {
					for i, x := range list {
						if !math.IsInf(legs[i], -1) {
							direct, detours = append(direct, x/carry), append(detours, (legs[i]-2*x)/carry/switches)
						}
					}
				}
				add(x.local, legs.local, g.Local)
				add(x.global, legs.global, g.Global)
			}
			kept := &g.spare.(*groupLoads).legs
			if room := kept.room; room > 0 && len(kept.list) > room {
				t.Fatalf("%+v: %d are recorded, with room for %d", g, len(kept.list), room)
			} else if room > 0 && room-len(kept.list) < 10 {
				full++
			}
			kinds[min(kept.kinds, mostKinds)]++
			// Where detours leave no link busier than an endpoint it does not matter by how much.
			want, split := min(routing.BestSplit(direct, detours).Throughput, 1/got.own), min(1/g.split(got.ways), 1/got.own)
			if math.Abs(split-want) > 1e-9*want {
				t.Fatalf("%+v, %d ranks, %+v %+v: %g with detours, one by one %g", g, ranks, of, p, split, want)
			}
		}
	}
	if kinds[1] < 20 || kinds[2]+kinds[3] < 20 || full < 20 {
		t.Errorf("patterns by the kinds of groups: %v; with no room %d", kinds, full)
	}
}

// TestLegsInTurns: legs of groups of kinds that take turns, but for some, of one kind but for a few, and of more kinds than are kept, are what is added group by group.
func TestLegsInTurns(t *testing.T) {
	rng, turned, many, odd := stream.New(9, "turns"), 0, 0, 0
	for trial := range 400 {
		g := turnedGroups(3+rng.IntN(60), 1+rng.IntN(4), 1, rng.IntN)
		kinds, turns := 1+rng.IntN(3*mostKinds), 1+rng.IntN(3*mostKinds)
		if trial%4 == 0 {
			turns = 1
		}
		values, of := make([]float64, 2*kinds*g.Each), make([]int, turns)
		for i := range values {
			values[i] = float64(rng.IntN(5))
		}
		for i := range of {
			of[i] = rng.IntN(kinds)
		}
		var out, in []float64
		for i := range g.Count {
			kind := of[i%turns]
			if rng.IntN(20) == 0 {
				kind = rng.IntN(kinds)
			}
			out = append(out, values[kind*g.Each:][:g.Each]...)
			in = append(in, values[(kinds+kind)*g.Each:][:g.Each]...)
		}
		k := keptLegs{room: trial % 3 * 100}
		k.begin(g, out, in)
		switch {
		case k.kind == nil:
			many++
		case k.turns > 1 && len(k.bounds) < g.Count/2:
			turned++
		}
		if k.odd != nil && len(k.odd.groups) > 0 {
			odd++
		}
		plain := keptLegs{g: g, out: g.sides(out), in: g.sides(in)}
		for i := range g.Count {
			want, got := g.least(i), g.least(i)
			plain.raise(i, want)
			k.raise(i, got)
			for at, x := range want.local {
				if y := got.local[at]; x != y && math.Abs(x-y) > 1e-9*max(math.Abs(x), 1) {
					t.Fatalf("trial %d: group %d of %d: link %d inside has %g of legs, group by group %g", trial, i, g.Count, at, y, x)
				}
			}
			for at, x := range want.global {
				if y := got.global[at]; x != y && math.Abs(x-y) > 1e-9*max(math.Abs(x), 1) {
					t.Fatalf("trial %d: group %d of %d: link %d to others has %g of legs, group by group %g", trial, i, g.Count, at, y, x)
				}
			}
		}
	}
	if turned < 50 || many < 10 || odd < 20 {
		t.Errorf("kinds take turns %d times, are too many %d times, and all but a few groups are of one %d times", turned, many, odd)
	}
}
