package objectives

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
)

// TestNear holds the grid to a plain search of all points shown, also for zeros, negative values and what is not known.
func TestNear(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	odd := []float64{0, math.Copysign(0, -1), math.NaN(), math.Inf(1), math.Inf(-1), -1, 1, 1.02, 1 / 0.98, 0.98, 1e-300, math.MaxFloat64}
	left := 0
	for range 400 {
		n, dims, ratio := rng.IntN(80), 1+rng.IntN(5), []float64{0.02, 0.3, 0.64}[rng.IntN(3)]
		points, keep := make([][]float64, n), make([]bool, n)
		for i := range points {
			keep[i] = rng.IntN(10) == 0
			for range dims {
				x := math.Exp(rng.Float64() * ratio * float64(rng.IntN(6)))
				if rng.IntN(12) == 0 {
					x = odd[rng.IntN(len(odd))]
				} else if rng.IntN(8) == 0 {
					x = -x
				}
				points[i] = append(points[i], x)
			}
		}
		var shown []int
		want := make([]int, n)
		for i := range points {
			if keep[i] {
				want[i] = i
				shown = append(shown, i)
			}
		}
		for i := range points {
			if keep[i] {
				continue
			}
			want[i] = i
			if at := slices.IndexFunc(shown, func(j int) bool { return near(points[i], points[j], ratio) }); at >= 0 {
				want[i] = shown[at]
				left++
				continue
			}
			shown = append(shown, i)
		}
		if got := Near(points, keep, ratio); !slices.Equal(got, want) {
			t.Fatalf("%v, ratio %v: %v, want %v", points, ratio, got, want)
		}
	}
	if left < 1000 {
		t.Errorf("only %d points were left out", left)
	}
}

// BenchmarkNear thins fronts of six objectives.
func BenchmarkNear(b *testing.B) {
	for _, n := range []int{1000, 100_000} {
		rng := rand.New(rand.NewPCG(1, 2))
		points := make([][]float64, n)
		for i := range points {
			for range 6 {
				points[i] = append(points[i], 1+9*rng.Float64())
			}
		}
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			for b.Loop() {
				Near(points, make([]bool, n), 0.02)
			}
		})
	}
}
