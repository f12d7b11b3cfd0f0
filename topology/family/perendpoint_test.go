package family

import (
	"math/rand/v2"
	"testing"

	"toposearch/internal/stream"
	"toposearch/topology"
)

// draw gives values near the small end of each range.
func draw(f *topology.Family, rng *rand.Rand) []int {
	v := make([]int, len(f.Params))
	for i := range f.Params {
		p := &f.Params[i]
		if p.Divides != "" && rng.IntN(4) == 0 {
			v[i] = topology.RatioDraw(v[f.Param(p.Divides)], rng)
			continue
		}
		if p.Divides != "" || p.Default != nil && rng.IntN(2) == 0 {
			v[i] = p.Default(v)
			continue
		}
		v[i] = p.Min + rng.IntN(min(p.Max-p.Min, 12)+1)
	}
	return v
}

// What a family says of a box per endpoint holds for every design in it: counts by Size, crossings
// and mean loads by the closed forms of routes, in brief where there are such, which TestBriefIsWhatPathsAddUpTo holds to those that list.
func TestPerEndpointEncloses(t *testing.T) {
	const below, above = 1 - 1e-9, 1 + 1e-9
	for _, f := range All() {
		if f.PerEndpoint == nil {
			continue
		}
		rng := stream.New(5, "per endpoint "+f.Name)
		found, loads := 0, 0
		var p, short topology.Paths
		for range 60000 {
			v := draw(f, rng)
			var s topology.Size
			if f.Size(v, &s) != nil || s.Endpoints < 2 {
				continue
			}
			found++
			lo, hi := append([]int(nil), v...), append([]int(nil), v...)
			for i := range v {
				if rng.IntN(2) == 0 {
					lo[i] = max(f.Params[i].Min, v[i]-rng.IntN(6))
					hi[i] = min(f.Params[i].Max, v[i]+rng.IntN(6))
				}
			}
			least, most := s.Endpoints-rng.Int64N(s.Endpoints/4+1), s.Endpoints+rng.Int64N(s.Endpoints)
			var b topology.PerEndpoint
			f.BoundPerEndpoint(lo, hi, least, most, &b)
			if !b.Known {
				continue
			}
			n := float64(s.Endpoints)
			if short.Reset(); f.Distances != nil && s.Endpoints < 5000 && f.Distances(v, &short) {
				short.Sum(f)
				for c := range f.LinkClasses {
					if x := float64(short.Sums.Cross[c]) / float64(short.Sums.Pairs); x < b.Cross[c]*below {
						t.Fatalf("%s%v in %v..%v: shortest routes cross %g links of class %d, bound %g", f.Name, v, lo, hi, x, c, b.Cross[c])
					}
				}
			}
			for i := range f.SwitchClasses {
				if x := float64(s.Switch[i].Count) / n; x < b.Switch[i]*below {
					t.Fatalf("%s%v in %v..%v: %g of switch class %d per endpoint, bound %g", f.Name, v, lo, hi, x, i, b.Switch[i])
				}
			}
			if p.Reset(); f.Brief == nil || !f.Brief(v, &p) {
				if !f.Paths(v, &p) {
					continue
				}
				p.Sum(f)
			}
			for c := range f.LinkClasses {
				crossed := float64(p.Sums.Cross[c]) / float64(p.Sums.Pairs)
				if x := float64(s.Link[c]) / n; x < b.Link[c]*below || f.LinkClasses[c].Name != topology.ClassInternal && x > b.LinkMost[c]*above {
					t.Fatalf("%s%v in %v..%v: %g links of class %d per endpoint, bounds %g..%g", f.Name, v, lo, hi, x, c, b.Link[c], b.LinkMost[c])
				}
				if crossed < b.Cross[c]*below {
					t.Fatalf("%s%v in %v..%v: routes cross %g links of class %d, bound %g", f.Name, v, lo, hi, crossed, c, b.Cross[c])
				}
				if crossed < b.Flow[c]*below {
					t.Fatalf("%s%v in %v..%v: natural routes cross %g links of class %d, bound %g", f.Name, v, lo, hi, crossed, c, b.Flow[c])
				}
				// Routes of a dragonflyplus share its links less well than traffic may (TestDragonflyplusShares).
				if b.Uneven > 0 && crossed > 0 && p.Peak[c] > b.Uneven*above && f.Name != "dragonflyplus" {
					t.Fatalf("%s%v in %v..%v: a link of class %d carries %g of the mean, bound %g", f.Name, v, lo, hi, c, p.Peak[c], b.Uneven)
				}
				if b.Load[c] == 0 {
					continue
				}
				loads++
				if x := crossed * n / (2 * float64(s.Link[c])) * p.Peak[c]; !(x >= b.Load[c]*below) {
					t.Fatalf("%s%v in %v..%v: load %g of class %d, bound %g", f.Name, v, lo, hi, x, c, b.Load[c])
				}
			}
		}
		if found < 100 || loads < 100 {
			t.Errorf("%s: %d designs and %d loads test little", f.Name, found, loads)
		}
	}
}

// Next skips no value that begins a design, and gives none below what it is asked for.
func TestNextSkipsNothing(t *testing.T) {
	for _, f := range All() {
		if f.Next == nil {
			continue
		}
		rng := stream.New(6, "next "+f.Name)
		found := 0
		for range 60000 {
			v := draw(f, rng)
			var s topology.Size
			for i := range v {
				if y := f.Next(v, i, v[i]); y < v[i] {
					t.Fatalf("%s%v: next %s is %d", f.Name, v, f.Params[i].Name, y)
				}
			}
			if f.Size(v, &s) != nil {
				continue
			}
			found++
			for i := range v {
				for x := v[i]; x >= f.Params[i].Min && x > v[i]-3; x-- {
					if y := f.Next(fixedBefore(f, v, i), i, x); y > v[i] {
						t.Fatalf("%s%v: next %s from %d is %d", f.Name, v, f.Params[i].Name, x, y)
					}
				}
			}
		}
		if found < 100 {
			t.Errorf("%s: %d designs test little", f.Name, found)
		}
	}
}

// The far ends of links of a HyperX are known where its sizes are, in whatever numbers of links, sizes that are equal among them: without them each shape is laid.
func TestFansOfHyperX(t *testing.T) {
	fans := func(lo, hi [2]int) bool {
		v := func(s [2]int, k int) []int { return []int{s[0], s[1], 4, 4, k, k, k, k, 32} }
		var per topology.PerEndpoint
		hyperx.BoundPerEndpoint(v(lo, 1), v(hi, 9), 1<<15, 1<<16, &per)
		return per.Fan[1].Ends == float64(lo[0]-1) && per.Fan[4].Ends == 3
	}
	if !fans([2]int{8, 8}, [2]int{8, 8}) || !fans([2]int{12, 8}, [2]int{12, 8}) {
		t.Error("far ends of fixed sizes are not known")
	}
	if fans([2]int{8, 8}, [2]int{9, 9}) {
		t.Error("far ends are told of sizes that a canonical order may exchange")
	}
}
