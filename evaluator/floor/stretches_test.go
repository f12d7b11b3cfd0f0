package floor

import (
	"math"
	"testing"

	"toposearch/evaluator/market"
	"toposearch/internal/stream"
)

// Cables between all blocks are those of any two of them, added up pair by pair.
func TestEverywhere(t *testing.T) {
	site := Site{}
	m := marketOf(t, &site)
	rings := RingsAround(&site)
	rng := stream.New(21, "everywhere")
	var speeds []*market.Speed
	for i := range m.Speeds() {
		if len(m.SpeedAt(i).Steps) > 0 {
			speeds = append(speeds, m.SpeedAt(i))
		}
	}
	stretched, around := 0, 0
	for range few(3000) {
		racks, net := 1+rng.Int64N(9), rng.Int64N(3)*rng.Int64N(2)
		turning := Turning{blocks: 2 + rng.Int64N(90), racks: racks, net: net, central: rng.Int64N(5) * rng.Int64N(2), perRow: 1 + rng.Int64N(60)}
		turning.half = (turning.blocks + 1) / 2
		speed := speeds[rng.IntN(len(speeds))]
		x := turning.Turned(&site, speed, rings)
		span := func() spanned {
			first := rng.Int64N(racks)
			return spanned{int32(first), int32(first + rng.Int64N(racks-first))}
		}
		a, b := span(), span()
		if rng.IntN(4) == 0 {
			b = a
		}
		position := func(rack int32) int64 {
			if r := int64(rack); r < (racks+1)/2 {
				return r
			}
			return int64(rack) + net
		}
		var want leastSum
		beside := cableOf(speed, site.BesideM())
		for i := range turning.blocks {
			for j := range turning.blocks {
				from, to := x.ring.of(i, position(a.first), position(a.last)), x.ring.of(j, position(b.first), position(b.last))
				if from.y0 != from.y1 {
					around++
				}
				if i == j {
					continue
				}
				c := beside
				if dx, dy := from.placesTo(&to), from.rowsTo(&to); dx > 0 || dy > 0 {
					c = cableOf(speed, site.LengthM(dx, dy, false))
				}
				want.addOf(1, &c)
			}
		}
		got := x.everywhere(a, b)
		near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-12*math.Abs(b) }
		if !near(got.m, want.m) || !near(got.price, want.price) || !near(got.watts, want.watts) || got.longestM != want.longestM {
			t.Errorf("%+v, racks %v to %v: %v m, %v, %v W, the longest %v m; pair by pair %v m, %v, %v W, %v m", turning, a, b,
				got.m, got.price, got.watts, got.longestM, want.m, want.price, want.watts, want.longestM)
		}
		for _, s := range x.ring.stretches([2]int64{position(a.first), position(a.last)}, [2]int64{position(b.first), position(b.last)}) {
			if s.blocks > 2 {
				stretched++
			}
		}
	}
	if stretched < 1000 || around < 1000 {
		t.Errorf("%d stretches of several blocks and %d around the end of a row test little", stretched, around)
	}
}
