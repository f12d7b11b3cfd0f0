// Package unit reads and prints quantities with their unit, as people write them in studies,
// constraint files and price lists: "400 Gb/s", "2.5 MW", "26 weeks", "12 MUSD". Every kind is a
// struct, so that a decoder cannot take a bare number for one. Money is exact: it never passes
// through a floating-point number.
package unit

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Kind is a physical dimension, or a use of one (times of a search are written differently from
// latencies, but both are times).
type Kind uint8

// The kinds of quantities.
const (
	KindPower Kind = iota
	KindLength
	KindArea
	KindBandwidth
	KindLatency
	KindDuration
	KindLead
	KindBytes
	KindFlops
)

// scale is a unit: its name and how many base units it is.
type scale struct {
	name string
	size float64
}

// dimension describes a kind. The scales are in the order in which String tries them, largest
// first; aliases are read and never printed.
type dimension struct {
	what    string // "power"
	example string // what to write: `"2.5 MW"`
	scales  []scale
	aliases []scale
}

var dimensions = [...]dimension{
	KindPower: {what: "power", example: `"2.5 MW"`,
		scales:  []scale{{"GW", 1e9}, {"MW", 1e6}, {"kW", 1e3}, {"W", 1}},
		aliases: []scale{{"KW", 1e3}, {"watt", 1}, {"watts", 1}, {"mW", 1e-3}}},
	KindLength: {what: "length", example: `"50 m"`,
		scales:  []scale{{"km", 1e3}, {"m", 1}, {"cm", 0.01}},
		aliases: []scale{{"mm", 0.001}, {"ft", 0.3048}, {"in", 0.0254}, {"metre", 1}, {"metres", 1}, {"meter", 1}, {"meters", 1}}},
	KindArea: {what: "area", example: `"800 m2"`,
		scales:  []scale{{"m2", 1}},
		aliases: []scale{{"m²", 1}, {"sqm", 1}, {"ft2", 0.3048 * 0.3048}, {"sqft", 0.3048 * 0.3048}}},
	KindBandwidth: {what: "bandwidth", example: `"400 Gb/s"`,
		scales: []scale{{"Tb/s", 1e3}, {"Gb/s", 1}, {"Mb/s", 1e-3}},
		aliases: []scale{{"Gbit/s", 1}, {"Gbps", 1}, {"Tbit/s", 1e3}, {"Tbps", 1e3}, {"Mbps", 1e-3}, {"Mbit/s", 1e-3},
			{"GB/s", 8}, {"TB/s", 8e3}, {"MB/s", 8e-3}}},
	KindLatency: {what: "time", example: `"400 ns"`,
		scales:  []scale{{"s", 1e9}, {"ms", 1e6}, {"us", 1e3}, {"ns", 1}},
		aliases: []scale{{"µs", 1e3}, {"μs", 1e3}, {"ps", 1e-3}}},
	KindDuration: {what: "duration", example: `"8h"`,
		scales: []scale{{"h", 3600}, {"min", 60}, {"s", 1}, {"ms", 1e-3}},
		aliases: []scale{{"d", 86400}, {"day", 86400}, {"days", 86400}, {"hour", 3600}, {"hours", 3600}, {"m", 60},
			{"minute", 60}, {"minutes", 60}, {"sec", 1}, {"second", 1}, {"seconds", 1}}},
	KindLead: {what: "lead time", example: `"26 weeks"`,
		scales: []scale{{"weeks", 1}},
		aliases: []scale{{"week", 1}, {"w", 1}, {"wk", 1}, {"wks", 1}, {"days", 1.0 / 7}, {"day", 1.0 / 7}, {"d", 1.0 / 7},
			{"months", 365.25 / 12 / 7}, {"month", 365.25 / 12 / 7}}},
	KindBytes: {what: "size in bytes", example: `"64 MB"`,
		scales:  []scale{{"TB", 1e12}, {"GB", 1e9}, {"MB", 1e6}, {"kB", 1e3}, {"B", 1}},
		aliases: []scale{{"KB", 1e3}, {"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"byte", 1}, {"bytes", 1}}},
	KindFlops: {what: "rate of operations", example: `"989 Tflop/s"`,
		scales:  []scale{{"Pflop/s", 1e15}, {"Tflop/s", 1e12}, {"Gflop/s", 1e9}},
		aliases: []scale{{"PFLOP/s", 1e15}, {"TFLOP/s", 1e12}, {"GFLOP/s", 1e9}, {"PFLOPS", 1e15}, {"TFLOPS", 1e12}, {"GFLOPS", 1e9}}},
}

// Error is a text that is not a quantity of the wanted kind; it says what to write instead.
type Error struct {
	Text   string // as written
	Reason string // `MB is a unit of size in bytes, not of power`
	Remedy string // `write a power with its unit, such as "2.5 MW" (GW, MW, kW, W)`
}

func (e *Error) Error() string { return fmt.Sprintf("%q: %s; %s", e.Text, e.Reason, e.Remedy) }

// Of is the kind of quantities that are stated in a unit, and how many base units of the kind that is.
func Of(name string) (k Kind, size float64, ok bool) {
	switch name {
	case "s": // seconds are also a unit of durations, which are written as hours and minutes
		return KindLatency, 1e9, true
	case "h":
		return KindDuration, 3600, true
	}
	for k := range dimensions {
		for _, s := range dimensions[k].scales {
			if s.name == name {
				return Kind(k), s.size, true
			}
		}
	}
	return 0, 0, false
}

// Units are the names of the units of a kind, and how many base units each is.
func (k Kind) Units() map[string]float64 {
	out := map[string]float64{}
	for _, s := range dimensions[k].scales {
		out[s.name] = s.size
	}
	for _, s := range dimensions[k].aliases {
		out[s.name] = s.size
	}
	return out
}

// Example is a quantity of the kind, in quotes.
func (k Kind) Example() string { return dimensions[k].example }

// Remedy says how a quantity of the kind is written.
func (k Kind) Remedy() string {
	d := &dimensions[k]
	names := make([]string, len(d.scales))
	for i, s := range d.scales {
		names[i] = s.name
	}
	return fmt.Sprintf("write a %s with its unit, such as %s (%s)", d.what, d.example, strings.Join(names, ", "))
}

// Parse reads a quantity of the kind into its base unit: W, m, m2, Gb/s, ns, s, weeks, bytes.
// Negative, infinite and unit-less quantities are errors.
func (k Kind) Parse(s string) (float64, error) {
	fail := func(reason string) (float64, error) { return 0, &Error{s, reason, k.Remedy()} }
	num, name := split(s)
	if num == "" {
		return fail("there is no number")
	}
	x, err := strconv.ParseFloat(strings.ReplaceAll(num, "_", ""), 64)
	if err != nil || math.IsInf(x, 0) || math.IsNaN(x) {
		return fail(fmt.Sprintf("%q is not a number", num))
	}
	if x < 0 {
		return fail("it is negative")
	}
	x = max(x, 0) // not the -0 of "-0 W", which would print and divide as a negative number
	if name == "" {
		return fail("the unit is missing")
	}
	size, ok := dimensions[k].size(name)
	if !ok {
		return fail(k.wrongUnit(name))
	}
	if x*size > math.MaxFloat64/1e6 {
		return fail("it is too large")
	}
	return times(x, size), nil
}

// times multiplies by the unit; below one it divides by the inverse if that is whole, so that
// "2 cm" is 0.02, not 0.02 and a bit.
func times(x, size float64) float64 {
	if size < 1 {
		if inv := math.Round(1 / size); math.Abs(inv*size-1) < 1e-12 {
			return x / inv
		}
	}
	return x * size
}

func (d *dimension) size(name string) (float64, bool) {
	for _, list := range [][]scale{d.scales, d.aliases} {
		for _, s := range list {
			if s.name == name {
				return s.size, true
			}
		}
	}
	return 0, false
}

// wrongUnit says what is wrong with a unit: of another kind, or wrong case, or unknown.
func (k Kind) wrongUnit(name string) string {
	d := &dimensions[k]
	for other := range dimensions {
		o := &dimensions[other]
		if _, ok := o.size(name); ok && o.what != d.what {
			return fmt.Sprintf("%s is a unit of %s, not of %s", name, o.what, d.what)
		}
	}
	for _, s := range d.scales {
		if strings.EqualFold(s.name, name) {
			return fmt.Sprintf("there is no unit %q; did you mean %q?", name, s.name)
		}
	}
	return fmt.Sprintf("there is no unit of %s called %q", d.what, name)
}

// split takes a text apart into a number and what follows it.
func split(s string) (num, name string) {
	s = strings.TrimSpace(s)
	i := 0
	for i < len(s) {
		c := s[i]
		exp := (c == 'e' || c == 'E') && i+1 < len(s) && i > 0 && (s[i+1] >= '0' && s[i+1] <= '9' || (s[i+1] == '-' || s[i+1] == '+') && i+2 < len(s) && s[i+2] >= '0' && s[i+2] <= '9')
		sign := (c == '+' || c == '-') && (i == 0 || s[i-1] == 'e' || s[i-1] == 'E')
		if c >= '0' && c <= '9' || c == '.' || c == '_' || exp || sign {
			i++
			continue
		}
		break
	}
	return s[:i], strings.TrimSpace(s[i:])
}

// Format prints x base units in the largest unit of which there is at least one.
func (k Kind) Format(x float64) string {
	scales := dimensions[k].scales
	for _, s := range scales {
		if math.Abs(x) >= s.size*(1-1e-12) {
			return number(x/s.size) + " " + s.name
		}
	}
	last := scales[len(scales)-1]
	return number(times(x, 1/last.size)) + " " + last.name
}

// Number prints up to six significant digits of a number without a unit; whole numbers exactly.
func Number(x float64) string { return number(x) }

// Percent prints a part that somebody has written, such as a tolerance, as it was: "0.05 %".
func Percent(part float64) string { return number(100*part) + " %" }

// number prints up to six significant digits, without an exponent for what people write.
func number(x float64) string {
	if a := math.Abs(x); a != 0 && (a >= 1e15 || a < 1e-6) {
		return strconv.FormatFloat(x, 'g', 6, 64)
	}
	r, err := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 6, 64), 64)
	if err != nil || math.Abs(x) >= 1e6 {
		r = x
	}
	return strconv.FormatFloat(r, 'f', -1, 64)
}
