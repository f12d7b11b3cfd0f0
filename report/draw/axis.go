package draw

import (
	"math"

	"toposearch/internal/chart"
	"toposearch/report/number"
)

// Axis maps values to pixels, with ticks at round numbers.
type Axis struct {
	Lo, Hi float64 // of the values
	A, B   float64 // pixels of lo and hi
	Ticks  []float64
}

// NewAxis covers the finite values with a margin, in about n steps. If zero is set it starts at 0.
func NewAxis(values []float64, a, b float64, n int, zero bool) Axis {
	lo, hi := finite(values)
	if zero {
		lo = min(lo, 0)
	}
	if lo == hi {
		pad := max(math.Abs(lo)*0.1, 1e-9)
		lo, hi = lo-pad, hi+pad
	}
	step := chart.RoundUp((hi - lo) / float64(n))
	x := Axis{Lo: math.Floor(lo/step+1e-9) * step, Hi: math.Ceil(hi/step-1e-9) * step, A: a, B: b}
	for i := 0; ; i++ {
		t := x.Lo + float64(i)*step
		if t > x.Hi+step/2 || i > 50 {
			break
		}
		x.Ticks = append(x.Ticks, t)
	}
	return x
}

// finite is the range of the finite values, 0 to 1 if there are none.
func finite(values []float64) (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for _, v := range values {
		if !math.IsNaN(v) && !math.IsInf(v, 0) {
			lo, hi = min(lo, v), max(hi, v)
		}
	}
	if lo > hi {
		return 0, 1
	}
	return lo, hi
}

// At is the pixel of a value.
func (x Axis) At(v float64) float64 { return x.A + (v-x.Lo)/(x.Hi-x.Lo)*(x.B-x.A) }

// TickScale is the scale in which every tick has as many decimals as the finest needs.
func (x Axis) TickScale(unit string) number.Scale {
	s := number.ScaleFor(unit, max(math.Abs(x.Lo), math.Abs(x.Hi)))
	for s.Decimals < 6 {
		same := true
		p := math.Pow10(s.Decimals)
		for _, t := range x.Ticks {
			v := t / s.Div * p
			same = same && math.Abs(v-math.Round(v)) < 1e-6*max(1, math.Abs(v))
		}
		if same {
			break
		}
		s.Decimals++
	}
	return s
}

// SpanAxis covers exactly the finite values.
func SpanAxis(values []float64, a, b float64) Axis {
	lo, hi := finite(values)
	if lo == hi { // the line of equal values stands in the middle
		return Axis{Lo: lo - 1, Hi: lo + 1, A: a, B: b}
	}
	return Axis{Lo: lo, Hi: hi, A: a, B: b}
}
