package tomlfile

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
)

// inQuotes is a number as people write it into quotes: digits in groups, with a fraction, a multiplier, a sign of percent.
var inQuotes = regexp.MustCompile(`^([0-9][0-9_,]*(?:\.[0-9]+)?) ?([kKmMgG]?)i?(%?)$`)

// Powers of multipliers: of a thousand and of 1,024, of which lengths of sequences are.
var powers = map[string]int{"": 0, "k": 1, "m": 2, "g": 3}

// instead says what to write where a kind is wanted and the value is of another.
func (v *Value) instead(k Kind) string {
	switch k {
	case String:
		if v.Raw != "" && !strings.Contains(v.Raw, "\n") {
			return "write it in quotes: " + strconv.Quote(v.Raw)
		}
		return "write a text in quotes"
	case Int, Float:
		return v.numberInstead(k)
	case Bool:
		return "write true or false, without quotes"
	case List:
		if v.Raw != "" && !strings.Contains(v.Raw, "\n") {
			return "write a list: [" + v.Raw + "]"
		}
		return "write a list in brackets: [..., ...]"
	case TableKind:
		return "write a table: { key = value }, or [name] on a line of its own and its keys below"
	}
	return ""
}

func (v *Value) numberInstead(k Kind) string {
	m := inQuotes.FindStringSubmatch(strings.TrimSpace(v.Str))
	switch {
	case v.Kind == Float && math.Abs(v.Float) < 1<<53 && v.Float == math.Trunc(v.Float):
		return fmt.Sprintf("write it without a fraction: %.0f", v.Float)
	case v.Kind == Float && math.Abs(v.Float) < 1<<53:
		return fmt.Sprintf("write %.0f or %.0f", math.Floor(v.Float), math.Ceil(v.Float))
	case v.Kind == String && m != nil && (m[3] == "" || k == Float):
		digits := strings.NewReplacer("_", "", ",", "").Replace(m[1])
		x, err := strconv.ParseFloat(digits, 64)
		p := powers[strings.ToLower(m[2])]
		thousands, binary := x*math.Pow(1000, float64(p)), x*math.Pow(1024, float64(p))
		switch {
		case err != nil || binary >= 1<<53 || k == Int && (thousands != math.Trunc(thousands)):
		case m[3] != "":
			return "write it as a fraction, without quotes: " + strconv.FormatFloat(x/100, 'g', -1, 64)
		case p > 0 && binary == math.Trunc(binary):
			return fmt.Sprintf("write all its digits, without quotes: %.0f, or %.0f if %s is of 1,024", thousands, binary, m[2])
		default:
			return "write it without quotes: " + strconv.FormatFloat(thousands, 'f', -1, 64)
		}
	}
	if k == Int {
		return "write digits without quotes, such as 8"
	}
	return "write a number without quotes, such as 0.5"
}
