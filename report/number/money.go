package number

import (
	"fmt"
	"math"
	"strconv"

	"toposearch/internal/unit"
)

// MinorDigits of a currency; two where it is not known.
func MinorDigits(currency string) int {
	if n, ok := unit.MinorDigits(currency); ok {
		return n
	}
	return 2
}

// ExactMoney prints minor units as a decimal number with all its digits: "1234.50".
func ExactMoney(minor int64, decimals int) string {
	sign := ""
	u := uint64(minor)
	if minor < 0 {
		sign, u = "-", -u
	}
	s := strconv.FormatUint(u, 10)
	if decimals == 0 {
		return sign + s
	}
	for len(s) <= decimals {
		s = "0" + s
	}
	return sign + s[:len(s)-decimals] + "." + s[len(s)-decimals:]
}

// Money prints minor units of a currency exactly: "1 234.50".
func Money(minor int64, decimals int) string {
	p := int64(math.Pow10(decimals))
	if decimals == 0 || minor%p == 0 {
		return group(strconv.FormatInt(minor/p, 10))
	}
	sign := ""
	if minor < 0 {
		sign, minor = "-", -minor
	}
	return group(fmt.Sprintf("%s%d.%0*d", sign, minor/p, decimals, minor%p))
}
