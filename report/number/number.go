// Package number prints numbers for people and for files: rounded to four significant digits with a unit in
// the scale that reads best, in columns that align, and exactly for money and for CSV. Page... functions
// print for an HTML page, with thin spaces between groups of digits; the others for a terminal.
package number

import (
	"math"
	"regexp"
	"strconv"
	"strings"

	"toposearch/internal/unit"
)

// digits are the significant digits of a figure wherever a person reads it; CSV and JSON hold it in
// full. Four show the difference between designs that differ by 0.1 %, finer than any model here.
const digits = 4

// On a page these stand between groups of digits and before a unit; Plain replaces them.
const (
	groupSpace = "\u202f" // narrow no-break space
	// UnitSpace is a no-break space.
	UnitSpace = "\u00a0"
)

var plainer = strings.NewReplacer(groupSpace, ",", UnitSpace, " ", "\u2212", "-", "m²", "m2", "µ", "u")

// Plain turns a figure made for a page into one for a terminal: "1,024", "12.5 kW".
func Plain(s string) string { return plainer.Replace(s) }

var grouped = regexp.MustCompile(`(\d),(\d{3})\b`)

// Regroup turns a figure made for a terminal into one for a page, so that a page has one form
// only.
func Regroup(s string) string {
	for t := ""; t != s; {
		t, s = s, grouped.ReplaceAllString(s, "$1"+groupSpace+"$2")
	}
	return s
}

// Figure prints a number for a terminal, without scaling: "1,024", "0.9412".
func Figure(v float64) string { return Plain(PageFigure(v)) }

// PageFigure prints a number: whole ones in full, others to four significant digits without trailing
// zeros.
func PageFigure(v float64) string {
	switch {
	case math.IsNaN(v):
		return "–"
	case math.IsInf(v, 1):
		return "∞"
	case math.IsInf(v, -1):
		return "\u2212∞"
	case v == math.Trunc(v) && math.Abs(v) < 1<<53:
		return group(strconv.FormatFloat(v, 'f', 0, 64))
	}
	e := exponent(v)
	if e < -5 || e > 15 {
		return strconv.FormatFloat(v, 'g', digits, 64)
	}
	return group(trimZeros(strconv.FormatFloat(v, 'f', max(digits-1-e, 0), 64)))
}

// directed is figure with the rounding given, math.Floor or math.Ceil.
func directed(v float64, round func(float64) float64) string {
	if v == 0 || math.IsInf(v, 0) || v == math.Trunc(v) && math.Abs(v) < 1<<53 {
		return PageFigure(v)
	}
	e := exponent(v)
	if e < -5 || e > 15 {
		return PageFigure(v)
	}
	d := max(digits-1-e, 0)
	p := math.Pow10(d)
	r := round(v * p)
	// A value that is its own rounding must not move because v*p is not exact.
	if near := math.Round(v * p); math.Abs(v*p-near) <= 1e-9*math.Abs(near) {
		r = near
	}
	return group(trimZeros(strconv.FormatFloat(r/p, 'f', d, 64)))
}

// exponent is the decimal exponent of v after rounding to four significant digits.
func exponent(v float64) int {
	s := strconv.FormatFloat(v, 'e', digits-1, 64)
	e, err := strconv.Atoi(s[strings.IndexByte(s, 'e')+1:])
	if err != nil {
		return 0 // NaN and infinities, which no caller passes
	}
	return e
}

func trimZeros(s string) string {
	if !strings.Contains(s, ".") {
		return s
	}
	return strings.TrimSuffix(strings.TrimRight(s, "0"), ".")
}

// group puts a narrow space between groups of three digits from 1000 on.
func group(s string) string {
	sign := ""
	if strings.HasPrefix(s, "-") {
		sign, s = "\u2212", s[1:]
	}
	whole, frac, dot := strings.Cut(s, ".")
	var b strings.Builder
	b.WriteString(sign)
	for i, r := range whole {
		if i > 0 && (len(whole)-i)%3 == 0 {
			b.WriteString(groupSpace)
		}
		b.WriteRune(r)
	}
	if dot {
		b.WriteByte('.')
		b.WriteString(frac)
	}
	return b.String()
}

// Tolerance prints what a study says, "0.05 %", where Percent would round it.
func Tolerance(part float64) string { return strings.Replace(unit.Percent(part), " ", UnitSpace, 1) }

// Percent prints a fraction as "4.2 %".
func Percent(f float64) string {
	p := 100 * f
	switch {
	case math.Abs(p) >= 100:
		return PageFigure(math.Round(p)) + UnitSpace + "%"
	case p == 0:
		return "0" + UnitSpace + "%"
	case math.Abs(p) < 0.05:
		return "<" + UnitSpace + "0.1" + UnitSpace + "%"
	}
	return group(trimZeros(strconv.FormatFloat(p, 'f', 1, 64))) + UnitSpace + "%"
}
