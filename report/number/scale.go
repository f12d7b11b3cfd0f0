package number

import (
	"math"
	"strconv"
)

// Scale is how a column of figures is printed: divided by Div, with Unit in its head.
type Scale struct {
	Div      float64
	Unit     string // "" for plain numbers
	Decimals int    // after the point, the same in the whole column
}

// ScaleOf chooses the scale of a column in which figures align: the prefix that suits its
// largest value, and as many decimals as the smallest needs for four significant digits, at most four.
func ScaleOf(unit string, values []float64) Scale {
	most, least, whole := 0.0, math.Inf(1), true
	for _, v := range values {
		a := math.Abs(v)
		if math.IsNaN(v) || math.IsInf(v, 0) || a == 0 {
			continue
		}
		most, least = max(most, a), min(least, a)
		whole = whole && v == math.Trunc(v)
	}
	s := ScaleFor(unit, most)
	if most == 0 || whole && s.Div == 1 {
		return s
	}
	// The largest alone decides where the range is so wide that the smallest would give it
	// useless digits.
	s.Decimals = max(digits-1-exponent(most/s.Div), 0)
	s.Decimals = max(s.Decimals, min(digits-1-exponent(least/s.Div), digits))
	return s
}

// Format prints a value of the column for a terminal.
func (s Scale) Format(v float64) string { return Plain(s.PageFormat(v)) }

// PageFormat is Format for a page.
func (s Scale) PageFormat(v float64) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return "–"
	}
	return group(strconv.FormatFloat(v/s.Div, 'f', s.Decimals, 64))
}

// ScaleFor chooses the prefix for a figure of size a.
func ScaleFor(unit string, a float64) Scale {
	switch unit {
	case "1", "":
		return Scale{Div: 1}
	case "m2":
		return Scale{Div: 1, Unit: "m²"}
	case "m":
		if a >= 1e4 {
			return Scale{Div: 1e3, Unit: "km"}
		}
	case "W":
		return prefixed(a, unit, 1e4, "k", 1e6, "M", 1e9, "G")
	case "ns":
		if a >= 1e5 {
			return Scale{Div: 1e3, Unit: "µs"}
		}
	case "s":
		switch {
		case a > 0 && a < 1e-3:
			return Scale{Div: 1e-6, Unit: "µs"}
		case a > 0 && a < 1:
			return Scale{Div: 1e-3, Unit: "ms"}
		}
	case "h", "weeks", "cycles", "Gb/s", "Gb/s per W", "%":
	default: // a currency
		return prefixed(a, unit, 1e5, "k", 1e6, "M", 1e9, "G")
	}
	return Scale{Div: 1, Unit: unit}
}

// prefixed takes k from `from` on, the other prefixes from their own size on.
func prefixed(a float64, unit string, from float64, k string, m float64, mega string, g float64, giga string) Scale {
	switch {
	case a >= g:
		return Scale{Div: g, Unit: giga + unit}
	case a >= m:
		return Scale{Div: m, Unit: mega + unit}
	case a >= from:
		return Scale{Div: 1e3, Unit: k + unit}
	}
	return Scale{Div: 1, Unit: unit}
}
