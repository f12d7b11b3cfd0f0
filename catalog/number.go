package catalog

import (
	"errors"
	"fmt"
	"strings"
)

// decimalMark is how a price list writes fractions.
type decimalMark byte

const (
	markUnknown decimalMark = 0   // no cell proves it; "1,234" and, where ';' separates, "1.234" are refused
	markPoint   decimalMark = '.' // 1,234.50
	markComma   decimalMark = ',' // 1.234,50
)

// squeeze removes what groups digits without doubt: blanks, no-break blanks, apostrophes and
// underscores between digits.
func squeeze(s string) string {
	r := []rune(strings.TrimSpace(s))
	var b strings.Builder
	for i, c := range r {
		switch c {
		case ' ', '\u00a0', '\u202f', '\u2009', '\'', '\u2019', '_':
			if i > 0 && i+1 < len(r) && isDigit(r[i-1]) && isDigit(r[i+1]) {
				continue
			}
		}
		b.WriteRune(c)
	}
	return b.String()
}

func isDigit(r rune) bool { return r >= '0' && r <= '9' }

// numberPart is the leading run of digits and separators of a cell, sign included.
func numberPart(s string) string {
	s = strings.TrimLeft(squeeze(s), "$€£¥ ")
	i := 0
	for i < len(s) && (s[i] >= '0' && s[i] <= '9' || s[i] == '.' || s[i] == ',' || i == 0 && (s[i] == '-' || s[i] == '+')) {
		i++
	}
	return s[:i]
}

// evidence is the decimal mark that a number proves: "1,234.50", "12.5" and "1,234,567" the point;
// "1.234,50", "12,5" and "1.234.567" the comma; "1,234" and "1.234" nothing.
func evidence(s string) decimalMark {
	s = strings.TrimLeft(numberPart(s), "+-")
	p, c := strings.LastIndexByte(s, '.'), strings.LastIndexByte(s, ',')
	switch {
	case p >= 0 && c >= 0 && p > c:
		return markPoint
	case p >= 0 && c >= 0:
		return markComma
	case p >= 0:
		return single(s, '.', markPoint, markComma)
	case c >= 0:
		return single(s, ',', markComma, markPoint)
	}
	return markUnknown
}

// single judges a number with one kind of separator: several groups of three digits make it a
// thousands separator, anything but exactly three digits behind one makes it the decimal mark.
func single(s string, sep byte, asDecimal, asThousands decimalMark) decimalMark {
	parts := strings.Split(s, string(sep))
	if len(parts) > 2 {
		return asThousands
	}
	if len(parts[1]) != 3 || len(parts[0]) == 0 || len(parts[0]) > 3 || parts[0] == "0" {
		return asDecimal
	}
	return markUnknown
}

// plainNumber rewrites a number with a point and without thousands separators. What stands around
// the number (a currency, a unit) is kept. mark is that of the file; where it is unknown the
// number itself must prove it, and with pointDefault a lone point is the decimal mark.
func plainNumber(s string, mark decimalMark, pointDefault bool) (string, error) {
	t := squeeze(s)
	num := numberPart(t)
	if !strings.ContainsAny(num, ".,") {
		return t, nil
	}
	e := evidence(num)
	switch {
	case mark == markUnknown && e != markUnknown:
		mark = e
	case mark == markUnknown && pointDefault && !strings.Contains(num, ","):
		mark = markPoint
	case mark == markUnknown:
		return "", fmt.Errorf("%q may be a fraction or thousands: nothing in the file tells which", s)
	case e != markUnknown && e != mark:
		return "", fmt.Errorf("%q is written with %s as decimal mark, the rest of the file with %s", s, e.words(), mark.words())
	}
	thousands := ","
	if mark == markComma {
		thousands = "."
	}
	if err := checkGroups(num, thousands, string(mark)); err != nil {
		return "", fmt.Errorf("%q %w", s, err)
	}
	plain := strings.ReplaceAll(strings.ReplaceAll(num, thousands, ""), ",", ".")
	return strings.Replace(t, num, plain, 1), nil
}

func (m decimalMark) words() string {
	if m == markComma {
		return "the comma"
	}
	return "the point"
}

// checkGroups refuses thousands separators that do not stand between groups of three, and two
// decimal marks.
func checkGroups(num, thousands, mark string) error {
	whole, frac, _ := strings.Cut(strings.TrimLeft(num, "+-"), mark)
	if strings.ContainsAny(frac, ".,") {
		return errors.New("is not a number: it has two decimal marks")
	}
	parts := strings.Split(whole, thousands)
	for i, p := range parts {
		if len(parts) > 1 && (i > 0 && len(p) != 3 || i == 0 && (p == "" || len(p) > 3)) {
			return errors.New("is not a number: its thousands are not in groups of three")
		}
	}
	return nil
}
