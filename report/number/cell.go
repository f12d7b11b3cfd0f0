package number

import (
	"math"
	"strconv"
	"strings"

	"toposearch/diag"
)

// Full is the shortest text that reads back as v; "" for what is missing.
func Full(v float64) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return ""
	}
	if v == math.Trunc(v) && math.Abs(v) < 1e15 {
		return strconv.FormatInt(int64(v), 10)
	}
	if a := math.Abs(v); a >= 1e-6 && a < 1e15 { // people read the columns too
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// SafeCell keeps a spreadsheet from taking a text for a formula, and shows what is hidden in it.
func SafeCell(s string) string {
	s = diag.Visible(s)
	if s != "" && strings.ContainsAny(s[:1], "=+-@\t\r") {
		return "'" + s
	}
	return s
}

// AppendCell quotes a text for CSV where it must be.
func AppendCell(b []byte, s string) []byte {
	s = SafeCell(s)
	for i := 0; i < len(s); i++ {
		if c := s[i]; c == '"' || c == ',' || c == '\n' || c == '\r' || c == ' ' && i == 0 {
			b = append(b, '"')
			for j := 0; j < len(s); j++ {
				if s[j] == '"' {
					b = append(b, '"')
				}
				b = append(b, s[j])
			}
			return append(b, '"')
		}
	}
	return append(b, s...)
}
