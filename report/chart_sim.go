package report

import (
	"fmt"
	"math"
	"unicode/utf8"
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
	d := newDrawing(simW, simH, "Simulated latency over offered load of "+name+", with the predicted saturation and zero-load latency.")
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
	x := newAxis(loads, frameL, simW-frameR, 5, true)
	y := newAxis(lats, simH-frameB, frameT+legendH, 4, true)
	d.axes(x, y, x.tickScale("1"), y.tickScale("1"), "Offered load, flits per cycle per endpoint", "Mean latency, cycles")
	at := frameL
	for i, t := range traffic {
		d.traffic(x, y, i, &t)
		if len(t.Curve) > 0 {
			d.path(fmt.Sprintf("mk f%d", i%colours), marker(shapeOf(i), at+4, frameT, 4), "")
			d.text("lb", at+14, frameT+4, "start", t.Name)
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

// traffic draws one curve and its predictions.
func (d *drawing) traffic(x, y axis, i int, t *Traffic) {
	class := fmt.Sprintf("f%d", i%colours)
	if p := t.Predicted; !math.IsNaN(p) {
		d.line("pr "+class, x.at(min(p, x.hi)), y.a, x.at(min(p, x.hi)), y.b)
	}
	if z := t.PredictedZero; z > 0 {
		d.line("pr "+class, x.a, y.at(z), x.b, y.at(z))
	}
	path, pen := "", "M"
	for _, p := range t.Curve {
		if !(p.Latency >= 0) {
			continue
		}
		path += pen + px(x.at(p.Offered)) + " " + px(y.at(min(p.Latency, y.hi)))
		pen = "L"
	}
	if path == "" {
		return
	}
	d.path("cv "+class, path, "")
	for _, p := range t.Curve {
		c := "mk "
		if p.Saturated {
			c = "mo "
		}
		d.path(c+class, marker(shapeOf(i), x.at(p.Offered), y.at(min(p.Latency, y.hi)), 4),
			plain(fmt.Sprintf("%s: load %s, accepted %s, mean %s cycles, 99 %% within %s", t.Name, figure(p.Offered), figure(p.Accepted), figure(p.Latency), figure(p.P99))))
	}
}
