package chart

import (
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
)

// ticksPer are the points of width or height that a labelled tick needs at least.
const (
	ticksPerX = 38
	ticksPerY = 26
	// besideAxis is what the labels of the vertical axis take of the width, about.
	besideAxis = 45
)

// plotOf makes the plot of a panel that is to have a size.
func plotOf(panel *Panel, w, h vg.Length) *plot.Plot {
	x, y := scalesOf(panel, max(2, int(w/ticksPerX)), max(2, int(h/ticksPerY)))
	style := letters(tickSize, text.XCenter, text.YTop)
	x.thin(float64(w-besideAxis), func(s string) float64 { return float64(style.Width(s)) })
	p := plot.New()
	p.BackgroundColor = nil
	dress(&p.X, x, panel.X.Title, text.XCenter, text.YTop)
	dress(&p.Y, y, panel.Y.Title, text.XRight, text.YCenter)
	p.Add(&marks{panel, x, y})
	return p
}

// scalesOf finds the ranges of both axes.
func scalesOf(p *Panel, nx, ny int) (x, y scale) {
	var xs, ys []float64
	for i := range p.Series {
		for j := range p.Series[i].X { // what is drawn, no lone coordinates
			if a, b := p.Series[i].X[j], p.Series[i].Y[j]; finite(a) && finite(b) {
				xs, ys = append(xs, a), append(ys, b)
			}
		}
	}
	for _, r := range p.Rules {
		if r.Vertical {
			xs = append(xs, r.At)
		} else {
			ys = append(ys, r.At)
		}
	}
	if p.Square {
		xs = append(xs, ys...)
		ys = xs
		nx = min(nx, ny)
		ny = nx
	}
	return scaleOf(&p.X, xs, nx), scaleOf(&p.Y, ys, ny)
}

// descentShare is the part of the height of a line of text that is below its baseline.
const descentShare = 0.1

// dress sets an axis.
func dress(a *plot.Axis, s scale, title string, tx text.XAlignment, ty text.YAlignment) {
	a.Min, a.Max = s.place(s.lo), s.place(s.hi)
	ticks := slices.Clone(s.ticks)
	for i := range ticks {
		ticks[i].Value = s.place(ticks[i].Value)
	}
	a.Padding = 0
	a.LineStyle = pen(ink, axisWidth)
	a.Label.Text, a.Label.Padding = title, 2
	a.Label.TextStyle = letters(titleSize, text.XCenter, text.YBottom)
	a.Tick.Label = letters(tickSize, tx, ty)
	if ty == text.YCenter {
		a.Tick.Label.YAlign -= descentShare // the library lifts these labels by their descent
	}
	a.Tick.LineStyle, a.Tick.Length = pen(ink, axisWidth), 3
	a.Tick.Marker = plot.ConstantTicks(ticks)
}
