package compare

import (
	"math/big"
	"slices"
)

// Shift is a part of all endpoint pairs whose routes are longer or shorter in one design than in another.
type Shift struct {
	Links int     `json:"links"` // more than in the design compared with; negative: fewer
	Share float64 `json:"share"` // of all pairs, in (0, 1]

	exact *big.Rat
}

// shifts compares two counts of ordered pairs by links. Endpoints of two designs do not correspond, so the pairs of each are taken in order of
// their length and the same quantiles are compared: the k-th shortest percent of the one with that of the other. No other way to pair them
// changes less in all. Shares are exact and add up to 1; they come from the fewest links more to the most.
func shifts(a, b []int64) []Shift {
	na, nb := sum(a), sum(b)
	if na == 0 || nb == 0 {
		return nil
	}
	total := new(big.Int).Mul(big.NewInt(na), big.NewInt(nb))
	by := map[int]*big.Int{}
	i, j := 0, 0
	var left, right big.Int // of a[i] and b[j], in parts of na x nb
	load := func(x []int64, at *int, n int64, into *big.Int) bool {
		for into.Sign() == 0 && *at < len(x) {
			if into.Mul(big.NewInt(x[*at]), big.NewInt(n)); into.Sign() == 0 {
				*at++
			}
		}
		return into.Sign() > 0
	}
	for load(a, &i, nb, &left) && load(b, &j, na, &right) {
		step := new(big.Int).Set(&left)
		if right.Cmp(step) < 0 {
			step.Set(&right)
		}
		if by[j-i] == nil {
			by[j-i] = new(big.Int)
		}
		by[j-i].Add(by[j-i], step)
		if left.Sub(&left, step); left.Sign() == 0 {
			i++
		}
		if right.Sub(&right, step); right.Sign() == 0 {
			j++
		}
	}
	var out []Shift
	for d, n := range by {
		s := Shift{Links: d, exact: new(big.Rat).SetFrac(n, total)}
		s.Share, _ = s.exact.Float64()
		out = append(out, s)
	}
	slices.SortFunc(out, func(x, y Shift) int { return x.Links - y.Links })
	return out
}

func sum(x []int64) (n int64) {
	for _, k := range x {
		n += k
	}
	return n
}
