package number

import (
	"math"

	"toposearch/evaluator/metric"
	"toposearch/internal/unit"
)

// Quantity gives a figure with its unit in the scale that reads best, such as "356.2 kW",
// "11.42 MUSD" or "1,024", for a terminal. Units are those of metric.Keys or a currency.
func Quantity(v float64, unit string) string { return Plain(PageQuantity(v, unit)) }

// PageQuantity is Quantity for a page.
func PageQuantity(v float64, unit string) string {
	s := ScaleFor(unit, math.Abs(v))
	f := PageFigure(v / s.Div)
	if s.Unit == "" {
		return f
	}
	return f + UnitSpace + s.Unit
}

// PageLimit prints a limit that admits v: a largest value is rounded up, a least one down.
func PageLimit(v float64, of string, largest bool) string {
	if x := v / ScaleFor(of, math.Abs(v)).Div; x != math.Trunc(x) { // whole ones are printed in full
		v = unit.Outward(v, digits, largest)
	}
	return PageQuantity(v, of)
}

// Bounds gives the bounds of a metric, "" if it is exact: "[0.79, 0.83]". They are rounded
// outwards, so that they still enclose what they bound.
func Bounds(m metric.Figure) string { return Plain(PageBounds(m)) }

// PageBounds is Bounds for a page.
func PageBounds(m metric.Figure) string {
	if m.Lo == m.Hi || math.IsNaN(m.Lo) || math.IsNaN(m.Hi) {
		return ""
	}
	s := ScaleFor(m.Unit, math.Abs(m.Value))
	out := "[" + directed(m.Lo/s.Div, math.Floor) + ", " + directed(m.Hi/s.Div, math.Ceil) + "]"
	if s.Unit != "" {
		out += UnitSpace + s.Unit
	}
	return out
}
