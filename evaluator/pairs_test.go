package evaluator

import (
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
		key.within = rapid.Int64Range(0, key.least/2).Draw(r, "within")
		got := s.countPairs(key)
		want, pairs := make([]int64, len(got.counts)), int64(0)
		var parts [][]stretch
		for i := range key.least {
			base, ends := i/key.per*key.racks, key.ends[i%key.per]
			parts = append(parts, stretches(nil, base+int64(ends[0]), base+int64(ends[1]), got.perRow))
		}
		for i := range key.least {
			for j := range i {
				if d := i - j; key.within == 0 || min(d, key.least-d) <= key.within {
					want[s.nearest(parts[i], parts[j], got.perRow)]++
					pairs++
				}
			}
		}
		if got.pairs != pairs || !slices.Equal(got.counts, want) {
			r.Fatalf("%+v: %d pairs %v, one by one %d %v", key, got.pairs, got.counts, pairs, want)
		}
	})
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
				s.countPairs(&key)
			}
		})
	}
}
