package report

import (
	"fmt"
	"math"
	"unicode/utf8"

	"toposearch/report/draw"
	"toposearch/report/number"
)

// The simulated curve is drawn for half the width of a page, which is nearly that of a phone, so
// that its letters are legible on both; the names of the traffics stand above it.
const (
	simW, simH = 440.0, 300.0
	legendH    = 14.0
)

// curve draws the simulated latency over the offered load of each traffic, with what the model
// predicts: the saturation as a vertical line, the zero-load latency as a horizontal one.
func curve(name string, s *Sim) string {
	traffic := make([]Traffic, len(s.Traffic))
	for i, t := range s.Traffic {
		traffic[i] = t
		traffic[i].Curve = rising(t.Curve)
	}
	d := draw.New(simW, simH, "Simulated latency over offered load of "+name+", with the predicted saturation and zero-load latency.")
	var loads, lats []float64
	floor := math.Inf(1)
	for _, t := range traffic {
		for _, p := range t.Curve {
			loads = append(loads, p.Offered)
			floor = min(floor, p.Latency)
		}
		if !math.IsNaN(t.Predicted) {
			loads = append(loads, min(t.Predicted, 1))
		}
	}
	// Latencies past saturation say nothing but that it is saturated: the axis ends where the
	// curves have left the floor behind.
	const tall = 6
	for _, t := range traffic {
		for _, p := range t.Curve {
			lats = append(lats, min(p.Latency, tall*floor))
		}
		if t.PredictedZero > 0 {
			lats = append(lats, t.PredictedZero)
		}
	}
	x := draw.NewAxis(loads, frameL, simW-frameR, 5, true)
	y := draw.NewAxis(lats, simH-frameB, frameT+legendH, 4, true)
	drawAxes(d, x, y, x.TickScale("1"), y.TickScale("1"), "Offered load (fraction of endpoint bandwidth)", "Mean latency, "+s.unit())
	at := frameL
	for i, t := range traffic {
		drawTraffic(d, x, y, i, &t, s.unit())
		if len(t.Curve) > 0 {
			d.Path(fmt.Sprintf("mk f%d", i%colours), draw.Marker(shapeOf(i), at+4, frameT, 4), "")
			d.Text("lb", at+14, frameT+4, "start", t.Name)
			at += 34 + 7*float64(utf8.RuneCountInString(t.Name))
		}
	}
	return d.String()
}

// rising is a curve up to its first saturated load: past it, latencies are those of the packets that
// happened to arrive, and fall. Points without a latency are left out.
func rising(curve []CurvePoint) []CurvePoint {
	var out []CurvePoint
	for _, p := range curve {
		if !(p.Latency > 0) {
			continue
		}
		if p.Saturated {
			if len(out) > 0 {
				p.Latency = max(p.Latency, out[len(out)-1].Latency)
			}
			return append(out, p)
		}
		out = append(out, p)
	}
	return out
}

// drawTraffic draws one curve and its predictions; unit is that of latencies.
func drawTraffic(d *draw.Drawing, x, y draw.Axis, i int, t *Traffic, unit string) {
	class := fmt.Sprintf("f%d", i%colours)
	if p := t.Predicted; !math.IsNaN(p) {
		d.Line("pr "+class, x.At(min(p, x.Hi)), y.A, x.At(min(p, x.Hi)), y.B)
	}
	if z := t.PredictedZero; z > 0 {
		d.Line("pr "+class, x.A, y.At(z), x.B, y.At(z))
	}
	path, pen := "", "M"
	for _, p := range t.Curve {
		if !(p.Latency >= 0) {
			continue
		}
		path += pen + draw.Px(x.At(p.Offered)) + " " + draw.Px(y.At(min(p.Latency, y.Hi)))
		pen = "L"
	}
	if path == "" {
		return
	}
	d.Path("cv "+class, path, "")
	for _, p := range t.Curve {
		c := "mk "
		if p.Saturated {
			c = "mo "
		}
		d.Path(c+class, draw.Marker(shapeOf(i), x.At(p.Offered), y.At(min(p.Latency, y.Hi)), 4),
			number.Plain(fmt.Sprintf("%s: load %s, accepted %s, mean %s %s, 99 %% within %s", t.Name, number.PageFigure(p.Offered), number.PageFigure(p.Accepted), number.PageFigure(p.Latency), unit, number.PageFigure(p.P99))))
	}
}
