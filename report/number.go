package report

import (
	"math"
	"regexp"
	"strconv"
	"strings"

	"toposearch/evaluator/metric"
)

// Figures are rounded to this many significant digits wherever a person reads them; CSV and JSON
// hold them in full. Four tell designs apart that differ by 0.1 %, finer than any model here.
const digits = 4

// In figures made for a page these stand between groups of digits and before a unit; plain
// replaces them.
const (
	groupSpace = "\u202f" // narrow no-break space
	unitSpace  = "\u00a0" // no-break space
)

var plainer = strings.NewReplacer(groupSpace, ",", unitSpace, " ", "\u2212", "-", "m²", "m2", "µ", "u")

// plain turns a figure made for a page into one for a terminal: "1,024", "12.5 kW".
func plain(s string) string { return plainer.Replace(s) }

var grouped = regexp.MustCompile(`(\d),(\d{3})\b`)

// regroup turns a figure made for a terminal into one for a page, so that both sorts do not stand
// side by side there.
func regroup(s string) string {
	for t := ""; t != s; {
		t, s = s, grouped.ReplaceAllString(s, "$1"+groupSpace+"$2")
	}
	return s
}

// Quantity gives a figure with its unit in the scale that reads best, such as "356.2 kW",
// "11.42 MUSD" or "1,024", for a terminal. Units are those of evaluator.Keys or a currency.
func Quantity(v float64, unit string) string { return plain(quantity(v, unit)) }

// Figure is Quantity without the unit and without scaling: "1,024", "0.9412".
func Figure(v float64) string { return plain(figure(v)) }

// Bounds gives the bounds of a metric, "" if it is exact: "[0.79, 0.83]". They are rounded
// outwards, so that they still enclose what they bound.
func Bounds(m metric.Figure) string { return plain(bounds(m)) }

func quantity(v float64, unit string) string {
	s := scaleFor(unit, math.Abs(v))
	f := figure(v / s.Div)
	if s.Unit == "" {
		return f
	}
	return f + unitSpace + s.Unit
}

func bounds(m metric.Figure) string {
	if m.Lo == m.Hi || math.IsNaN(m.Lo) || math.IsNaN(m.Hi) {
		return ""
	}
	s := scaleFor(m.Unit, math.Abs(m.Value))
	out := "[" + directed(m.Lo/s.Div, math.Floor) + ", " + directed(m.Hi/s.Div, math.Ceil) + "]"
	if s.Unit != "" {
		out += unitSpace + s.Unit
	}
	return out
}

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
	s := scaleFor(unit, most)
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
func (s Scale) Format(v float64) string { return plain(s.format(v)) }

func (s Scale) format(v float64) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return "–"
	}
	return group(strconv.FormatFloat(v/s.Div, 'f', s.Decimals, 64))
}

// scaleFor chooses the prefix for a figure of size a.
func scaleFor(unit string, a float64) Scale {
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

// figure prints a number: whole ones in full, others to four significant digits without trailing
// zeros.
func figure(v float64) string {
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
		return figure(v)
	}
	e := exponent(v)
	if e < -5 || e > 15 {
		return figure(v)
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

// percent prints a fraction as "4.2 %".
func percent(f float64) string {
	p := 100 * f
	switch {
	case math.Abs(p) >= 100:
		return figure(math.Round(p)) + unitSpace + "%"
	case p == 0:
		return "0" + unitSpace + "%"
	case math.Abs(p) < 0.05:
		return "<" + unitSpace + "0.1" + unitSpace + "%"
	}
	return group(trimZeros(strconv.FormatFloat(p, 'f', 1, 64))) + unitSpace + "%"
}

// Title is the name of a metric for people: "Uniform throughput".
func Title(k metric.Key) string {
	if t, ok := titles[k]; ok {
		return t
	}
	s := strings.ReplaceAll(metric.Keys[k].Name, "_", " ")
	return strings.ToUpper(s[:1]) + s[1:]
}

var titles = map[metric.Key]string{
	metric.Endpoints: "Endpoints", metric.TUB: "Throughput upper bound",
	metric.MeanPathLinksFail: "Mean path links, one switch failed",
	metric.VCsMinimal:        "VCs, minimal routing", metric.VCsAdaptive: "VCs, adaptive routing", metric.VCsFixed: "VCs, kept all the way",
	metric.CableMax: "Longest cable", metric.CableTotal: "Cable in all",
	metric.CablesCopper: "Copper cables", metric.CablesOptical: "Optical cables",
	metric.MTBF: "Mean time between failures", metric.AllreduceTime: "All-reduce time",
	metric.AlltoallTime: "All-to-all time", metric.Bisection: "Bisection",
	metric.UniformThroughputOptimal: "Uniform throughput, best routing",
	metric.NonblockingRegion:        "Non-blocking region", metric.MooreEfficiency: "Moore efficiency",
	metric.SimSaturation: "Simulated saturation", metric.SimLatencyHalfLoad: "Simulated latency at half load",
}
