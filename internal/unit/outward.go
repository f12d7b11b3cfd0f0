package unit

import (
	"math"
	"strconv"
)

// Outward rounds to so many significant digits, up or down: a bound that is printed so still admits what it is the bound of.
func Outward(x float64, digits int, up bool) float64 {
	short := func(x float64) float64 {
		r, err := strconv.ParseFloat(strconv.FormatFloat(x, 'e', digits-1, 64), 64)
		if err != nil { // beyond the largest number
			return x
		}
		return r
	}
	r := short(x)
	if r == x || r > x == up {
		return r
	}
	step := math.Pow10(int(math.Floor(math.Log10(math.Abs(x)))) - digits + 1)
	if !up {
		step = -step
	}
	return short(r + step)
}
