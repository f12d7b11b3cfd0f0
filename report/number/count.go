package number

import "math/big"

// Count gives a number with its noun.
func Count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return Figure(float64(n)) + " " + many
}

// BigCount prints a count for a page; a dash for one that is not known.
func BigCount(n *big.Int) string {
	if n == nil {
		return "–"
	}
	return group(n.String())
}

// Span gives two counts for a terminal: "1,024 to 2,048", or the one that both are.
func Span(lo, hi int64) string {
	if lo == hi {
		return Figure(float64(lo))
	}
	return Figure(float64(lo)) + " to " + Figure(float64(hi))
}
