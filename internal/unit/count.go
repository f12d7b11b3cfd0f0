package unit

import "strconv"

// Count gives a number with its noun: "1 switch", "2 switches".
func Count[T ~int | ~int32 | ~int64](n T, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.FormatInt(int64(n), 10) + " " + many
}
