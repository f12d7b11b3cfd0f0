package fidelity

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/stat"

	"toposearch/internal/stream"
	"toposearch/objectives"
)

// Measurements of families with known ratios: the interval of a single design covers 95 % of new ones, families find their own ratio, and one that was
// never measured has that of the others, with a wide interval.
func TestCorrection(t *testing.T) {
	rng := stream.New(1, "test")
	inside, n := 0.0, 0.0
	for range 40 {
		const families = 5
		var factor [families]float64
		for f := range factor {
			factor[f] = math.Log(0.8) + 0.1*rng.NormFloat64()
		}
		draw := func(f int) (Point, float64) {
			p := Point{Family: f, Low: objectives.Vector{1}, X: []float64{rng.NormFloat64(), rng.NormFloat64()}}
			return p, factor[f] + 0.06*p.X[0] + 0.04*rng.NormFloat64()
		}
		var points []Point
		var ys []float64
		for i := range 60 {
			p, y := draw(i % (families - 1))
			points, ys = append(points, p), append(ys, y)
		}
		unseen, _ := draw(families - 1)
		l := newLayout(append(points, unseen), families)
		s := newSums(l)
		for i := range points {
			s.add(l, &points[i], ys[i])
		}
		c := s.fit(l)
		for i := range 200 {
			p, y := draw(i % (families - 1))
			r := c.Of(&p)
			if n++; r.Lo <= math.Exp(y) && math.Exp(y) <= r.Hi {
				inside++
			}
		}
		for f := range families - 1 {
			if r := c.Family(f); r.Value < math.Exp(factor[f])*0.93 || r.Value > math.Exp(factor[f])*1.07 || r.Hi/r.Lo > 1.2 {
				t.Errorf("family %d: %+v, its ratio is %.3f", f, r, math.Exp(factor[f]))
			}
		}
		seen, other := c.Family(0), c.Family(families-1)
		if math.Log(other.Hi/other.Lo) < 2*math.Log(seen.Hi/seen.Lo) || other.Value < 0.55 || other.Value > 1.1 {
			t.Errorf("unseen family: %+v, a measured one %+v", other, seen)
		}
		if x := c.Scatter(); x < 0.025 || x > 0.055 {
			t.Errorf("scatter %.3f, it is 0.04", x)
		}
	}
	if x := inside / n; x < 0.92 || x > 0.985 {
		t.Errorf("%.3f of new designs lie in their 95 %% intervals", x)
	}
}

// Without measurements nothing is corrected, and one measurement does not make an interval of nothing.
func TestFewMeasurements(t *testing.T) {
	points := []Point{{Name: "a", Low: objectives.Vector{2}}, {Name: "b", Low: objectives.Vector{3}, Family: 1}}
	l := New(points, Options{Families: 2, Measured: []bool{true}, Most: 2, Rounds: 1})
	if r := l.Correction(0).Of(&points[0]); r.Value != 1 || r.Lo > 0.6 || r.Hi < 1.7 {
		t.Errorf("nothing measured: %+v", r)
	}
	l.Tell([]int{0}, []objectives.Vector{{1}})
	own, other := l.Correction(0).Of(&points[0]), l.Correction(0).Of(&points[1])
	if own.Value < 0.48 || own.Value > 0.52 || own.Hi/own.Lo < 1.1 || other.Hi/other.Lo < own.Hi/own.Lo || other.Value > 0.7 {
		t.Errorf("one measured at half: its family %+v, the other %+v", own, other)
	}
	if v := l.Value(0); v[0] != 1 {
		t.Errorf("what was measured counts: %v", v)
	}
}

// Ranks without ties are gonum's; ties by hand: of the 6 pairs of 1 1 2 3 and 1 2 2 3 four go the same way, one is tied in each, 4/5. Their ranks,
// .5 .5 2 3 and 0 1.5 1.5 3, have the correlation 3.75/4.5 by hand.
func TestRanks(t *testing.T) {
	rng := stream.New(2, "test")
	var x, y []float64
	for range 50 {
		a := rng.Float64()
		x, y = append(x, a), append(y, a+rng.Float64())
	}
	if r, ok := RanksOf(x, y); !ok || math.Abs(r.Kendall-stat.Kendall(x, y, nil)) > 1e-12 || r.N != 50 {
		t.Errorf("%+v, gonum's tau is %g", r, stat.Kendall(x, y, nil))
	}
	r, ok := RanksOf([]float64{1, 1, 2, 3}, []float64{1, 2, 2, 3})
	if !ok || math.Abs(r.Kendall-0.8) > 1e-12 || math.Abs(r.Spearman-3.75/4.5) > 1e-12 {
		t.Errorf("with ties: %+v, want 0.8 and %.4f", r, 3.75/4.5)
	}
	if _, ok := RanksOf([]float64{1, 1}, []float64{1, 2}); ok {
		t.Error("equal values have an order")
	}
}
