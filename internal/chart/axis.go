package chart

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
)

// span is the range of finite values; lo > hi if there are none.
type span struct{ lo, hi float64 }

func spanOf(values []float64) span {
	s := span{math.Inf(1), math.Inf(-1)}
	for _, v := range values {
		if finite(v) {
			s.lo, s.hi = min(s.lo, v), max(s.hi, v)
		}
	}
	return s
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// Wide reports whether values are positive and span more than a decade, so that an axis should be logarithmic.
func Wide(values ...float64) bool {
	s := spanOf(values)
	return s.lo > 0 && s.hi > 10*s.lo
}

// scale is an axis with its range and ticks.
type scale struct {
	span
	log   bool
	ticks []plot.Tick
}

// place is where a value stands on the axis, in units that are even along it. The library has
// logarithmic axes of its own, but leaves room for their titles as though they were linear.
func (s *scale) place(v float64) float64 {
	if s.log {
		return math.Log10(v)
	}
	return v
}

// scaleOf covers the values with about n labelled ticks.
func scaleOf(a *Axis, values []float64, n int) scale {
	s := spanOf(append(values, a.Cover...))
	if s.lo > s.hi {
		s = span{0, 1}
	}
	switch {
	case len(a.Names) > 0:
		return named(a.Names)
	case a.Log && s.lo > 0:
		return logarithmic(s)
	}
	if a.Zero {
		s.lo = min(s.lo, 0)
	}
	return linear(s, n)
}

// named has a tick for each name and half a step of room at the ends.
func named(names []string) scale {
	s := scale{span: span{-0.6, float64(len(names)) - 0.4}}
	for i, n := range names {
		s.ticks = append(s.ticks, plot.Tick{Value: float64(i), Label: n})
	}
	return s
}

// linear begins and ends at round numbers.
func linear(s span, n int) scale {
	if s.lo == s.hi {
		pad := max(math.Abs(s.lo)*0.1, 1e-9)
		s = span{s.lo - pad, s.hi + pad}
	}
	step := RoundUp((s.hi - s.lo) / float64(n))
	first, last := math.Floor(s.lo/step+1e-9), math.Ceil(s.hi/step-1e-9)
	out := scale{span: span{first * step, last * step}}
	decimals := 0
	for decimals < 9 && math.Abs(step*math.Pow10(decimals)-math.Round(step*math.Pow10(decimals))) > 1e-6 {
		decimals++
	}
	for i := first; i <= last; i++ {
		out.ticks = append(out.ticks, plot.Tick{Value: i * step, Label: numeral(i*step, decimals)})
	}
	return out
}

// RoundUp goes up to 1, 2, 2.5 or 5 times a power of ten.
func RoundUp(x float64) float64 {
	p := math.Pow(10, math.Floor(math.Log10(x)))
	for _, m := range []float64{1, 2, 2.5, 5} {
		if x <= p*m*(1+1e-9) {
			return p * m
		}
	}
	return p * 10
}

// logarithmic has a tick at each whole multiple of a power of ten. Few decades have labels at 1, 2
// and 5, more only at powers of ten, and of many not at all.
func logarithmic(s span) scale {
	pad := math.Pow(s.hi/s.lo, 0.06)
	if s.lo == s.hi {
		pad = 1.5
	}
	out := scale{span: span{s.lo / pad, s.hi * pad}, log: true}
	decades := math.Log10(out.hi / out.lo)
	every := int(math.Ceil(decades / 6)) // powers of ten from one label to the next
	for e := math.Floor(math.Log10(out.lo)); e <= math.Log10(out.hi); e++ {
		for m := 1.0; m < 10; m++ {
			v := m * math.Pow(10, e)
			if v < out.lo || v > out.hi {
				continue
			}
			label := ""
			if m == 1 && int(e)%every == 0 || decades < 2.2 && (m == 2 || m == 5) {
				label = numeral(v, max(0, -int(e)))
			}
			out.ticks = append(out.ticks, plot.Tick{Value: v, Label: label})
		}
	}
	return out
}

// thin takes labels from ticks until those that are left stand apart on an axis of a width, where
// widths are those of labels: on a logarithmic axis first what is no power of ten, then every other.
func (s *scale) thin(width float64, widthOf func(string) float64) {
	for !s.apart(width, widthOf) {
		powers := !s.log || !slices.ContainsFunc(s.ticks, func(t plot.Tick) bool { return t.Label != "" && !powerOfTen(t.Value) })
		keep := false
		for i := range s.ticks {
			switch t := &s.ticks[i]; {
			case t.Label == "" || !powers && powerOfTen(t.Value):
			case powers && !keep:
				keep = true
			default:
				t.Label, keep = "", false
			}
		}
	}
}

func powerOfTen(v float64) bool {
	e := math.Log10(v)
	return math.Abs(e-math.Round(e)) < 1e-9
}

// apart reports whether no label reaches into the gap before the next one.
func (s *scale) apart(width float64, widthOf func(string) float64) bool {
	const gap = 3
	lo, hi := s.place(s.lo), s.place(s.hi)
	at := func(v float64) float64 { return (s.place(v) - lo) / (hi - lo) * width }
	end := math.Inf(-1)
	for _, t := range s.ticks {
		if t.Label == "" {
			continue
		}
		half := widthOf(t.Label) / 2
		if at(t.Value)-half < end {
			return false
		}
		end = at(t.Value) + half + gap
	}
	return true
}

// numeral is a number with decimals, thousands parted by commas, and powers from a million up.
func numeral(v float64, decimals int) string {
	if math.Abs(v) >= 1e6 || v != 0 && decimals > 5 {
		return strings.NewReplacer("e+0", "e", "e+", "e", "e-0", "e-").Replace(strconv.FormatFloat(v, 'g', 4, 64))
	}
	s := strconv.FormatFloat(v, 'f', decimals, 64)
	if strings.Trim(s, "-0.") == "" {
		s = strings.TrimPrefix(s, "-")
	}
	if math.Abs(v) < 1e4 {
		return s
	}
	whole, rest, dot := strings.Cut(s, ".")
	whole = whole[:len(whole)-3] + "," + whole[len(whole)-3:]
	if dot {
		return whole + "." + rest
	}
	return whole
}
