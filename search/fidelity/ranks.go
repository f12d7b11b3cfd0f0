package fidelity

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
)

// Ranks says how alike two fidelities order designs: 1 all pairs alike, -1 all the other way round, 0 by chance.
type Ranks struct {
	N        int     `json:"n"`        // designs with both values
	Kendall  float64 `json:"kendall"`  // tau-b, which takes ties into account
	Spearman float64 `json:"spearman"` // correlation of ranks, ties at their mean rank
}

// RanksOf compares two lists of values of the same designs. Of fewer than two designs, or where all values of a list are equal, there is no
// order: ok is false.
func RanksOf(x, y []float64) (r Ranks, ok bool) {
	r.N = len(x)
	if len(x) < 2 || slices.Min(x) == slices.Max(x) || slices.Min(y) == slices.Max(y) {
		return r, false
	}
	r.Kendall, r.Spearman = kendall(x, y), stat.Correlation(ranked(x), ranked(y), nil)
	return r, true
}

// ranked gives the rank of each value; equal ones share the mean of their ranks.
func ranked(x []float64) []float64 {
	order := make([]int, len(x))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(x[a], x[b]) })
	out := make([]float64, len(x))
	for from := 0; from < len(order); {
		to := from
		for to < len(order) && x[order[to]] == x[order[from]] {
			to++
		}
		for _, i := range order[from:to] {
			out[i] = float64(from+to-1) / 2
		}
		from = to
	}
	return out
}

// kendall is tau-b: concordant pairs less discordant ones, over the geometric mean of the pairs that are not tied in x and in y. (gonum's
// stat.Kendall is tau-a, and takes a tie for a pair that goes up; fast models are full of ties.)
func kendall(x, y []float64) float64 {
	sum, inX, inY := 0, 0, 0
	for i := range x {
		for j := range i {
			a, b := cmp.Compare(x[i], x[j]), cmp.Compare(y[i], y[j])
			sum, inX, inY = sum+a*b, inX+a*a, inY+b*b
		}
	}
	return float64(sum) / math.Sqrt(float64(inX)*float64(inY))
}
