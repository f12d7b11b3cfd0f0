package evaluator

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// countPairs agrees with looking at each pair of blocks, whatever their sections and rows.
func TestCountPairs(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		s := &Site{RackPitchM: 0.6, RowPitchM: rapid.Float64Range(0.1, 3).Draw(r, "row pitch"), Rows: rapid.IntRange(0, 7).Draw(r, "rows")}
		key := &sectionsKey{
			racks: rapid.Int64Range(1, 9).Draw(r, "racks"), per: rapid.Int64Range(1, 3).Draw(r, "per"),
			least: rapid.Int64Range(2, 90).Draw(r, "blocks"),
		}
		for at := range key.per {
			a := rapid.Int64Range(0, key.racks-1).Draw(r, "first")
			b := rapid.Int64Range(a, key.racks-1).Draw(r, "last")
			key.ends[at] = [2]uint8{uint8(a), uint8(b)}
		}
		got := s.countPairs(key)
		want := make([]int64, len(got.counts))
		var parts [][]stretch
		for i := range key.least {
			parts = append(parts, key.parts(i, got.perRow))
		}
		for i := range key.least {
			for j := range i {
				want[s.nearest(parts[i], parts[j], got.perRow)]++
			}
		}
		if !slices.Equal(got.counts, want) {
			r.Fatalf("%+v: pairs %v, one by one %v", key, got.counts, want)
		}
	})
}

// layNear agrees with the mean over each pair of blocks that are near around the ring.
func TestLayNear(t *testing.T) {
	e := newEvaluator(t, Options{BandwidthGbps: 400})
	p := e.speedOf(400)
	for _, key := range []sectionsKey{
		{racks: 5, per: 1, ends: blockEnds{{1, 3}}, least: 41, most: 41},
		{racks: 4, per: 2, ends: blockEnds{{0, 1}, {2, 3}}, least: 60, most: 60},
	} {
		near := e.layNear(&key, p)
		a := e.opt.Site.countPairs(&key)
		for within := int64(1); within <= key.least/2; within++ {
			var want cableMeans
			n := 0.0
			for i := range key.least {
				for j := range i {
					if d := i - j; min(d, key.least-d) > within {
						continue
					}
					at := e.opt.Site.nearest(key.parts(i, a.perRow), key.parts(j, a.perRow), a.perRow)
					x := e.costOf(e.apartM(at%a.perRow, at/a.perRow), p, false)
					want.add(1, &x)
					n++
				}
			}
			want.scale(1 / n)
			got := near[within-1]
			for _, x := range [3][2]float64{{got.m, want.m}, {got.price, want.price}, {got.watts, want.watts}} {
				if math.Abs(x[0]-x[1]) > 1e-9*x[1] {
					t.Errorf("%d blocks, at most %d apart: %+v, one by one %+v", key.least, within, got, want)
				}
			}
		}
		if all := near[len(near)-1]; math.Abs(all.m-e.layPairs(&key, p).m) > 1e-9*all.m {
			t.Errorf("%d blocks: all pairs %g and %g m", key.least, all.m, e.layPairs(&key, p).m)
		}
	}
}

func BenchmarkCountPairs(b *testing.B) {
	s := &Site{RackPitchM: 0.6, RowPitchM: 1.8}
	for _, key := range []sectionsKey{
		{racks: 9, per: 1, ends: blockEnds{{3, 5}}, least: 164},
		{racks: 5, per: 1, ends: blockEnds{{3, 4}}, least: 1000},
		{racks: 8, per: 2, ends: blockEnds{{1, 4}, {4, 7}}, least: 1200},
	} {
		b.Run("", func(b *testing.B) {
			for b.Loop() {
				s.countPairs(&key).free()
			}
		})
	}
}
