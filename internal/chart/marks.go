package chart

import (
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Above panels with titles there is room for them.
const (
	titleRoom = 13
	titleGap  = 4
)

// marks draws what stands inside the axes of a panel: a grid, rules, series, then names.
type marks struct {
	panel *Panel
	x, y  scale
}

// Plot draws onto the data area of a panel.
func (m *marks) Plot(c draw.Canvas, p *plot.Plot) {
	px, py := p.Transforms(&c)
	tx := func(v float64) vg.Length { return px(m.x.place(v)) }
	ty := func(v float64) vg.Length { return py(m.y.place(v)) }
	for _, t := range m.x.ticks {
		if t.Label != "" && c.ContainsX(tx(t.Value)) {
			c.StrokeLine2(pen(grid, gridWidth), tx(t.Value), c.Min.Y, tx(t.Value), c.Max.Y)
		}
	}
	for _, t := range m.y.ticks {
		if t.Label != "" && c.ContainsY(ty(t.Value)) {
			c.StrokeLine2(pen(grid, gridWidth), c.Min.X, ty(t.Value), c.Max.X, ty(t.Value))
		}
	}
	if lo, hi := max(m.x.lo, m.y.lo), min(m.x.hi, m.y.hi); m.panel.Diagonal != "" && lo < hi {
		c.StrokeLine2(diagonalPen, tx(lo), ty(lo), tx(hi), ty(hi))
	}
	for i := range m.panel.Rules {
		r := &m.panel.Rules[i]
		if r.Vertical {
			c.StrokeLine2(ruleOf(r), tx(r.At), c.Min.Y, tx(r.At), c.Max.Y)
		} else {
			c.StrokeLine2(ruleOf(r), c.Min.X, ty(r.At), c.Max.X, ty(r.At))
		}
	}
	radius := radiusFor(m.panel)
	above := map[vg.Point]int{} // series with a marker at a place that are still to be drawn
	for i := range m.panel.Series {
		for _, pt := range placesOf(&m.panel.Series[i], tx, ty) {
			above[pt]++
		}
	}
	for i := range m.panel.Series {
		for _, pt := range placesOf(&m.panel.Series[i], tx, ty) {
			above[pt]--
		}
		drawSeries(c, &m.panel.Series[i], tx, ty, radius, above)
	}
	all := make([]vg.Point, 0, len(above))
	for i := range m.panel.Series {
		all = append(all, placesOf(&m.panel.Series[i], tx, ty)...)
	}
	title := letters(titleSize, text.XCenter, text.YBottom)
	title.Handler.Draw(c, m.panel.Title, title, vg.Point{X: c.Center().X, Y: c.Max.Y + titleGap})
	drawLabels(c, m.panel.Labels, tx, ty, radius, all)
}

// radiusFor gives markers of a crowd less room.
func radiusFor(p *Panel) vg.Length {
	n := 0
	for i := range p.Series {
		n += len(p.Series[i].X)
	}
	switch {
	case n > 1000:
		return markRadius * 0.5
	case n > 150:
		return markRadius * 0.75
	}
	return markRadius
}

// placesOf are the places of the markers of a series, each once.
func placesOf(s *Series, tx, ty func(float64) vg.Length) []vg.Point {
	var out []vg.Point
	seen := map[vg.Point]bool{}
	for i := range s.X {
		if s.Bare || !finite(s.X[i]) || !finite(s.Y[i]) {
			continue
		}
		if pt := (vg.Point{X: tx(s.X[i]), Y: ty(s.Y[i])}); !seen[pt] {
			seen[pt] = true
			out = append(out, pt)
		}
	}
	return out
}

// drawSeries draws a series, lines below markers. A marker that others will cover is larger, so
// that its edge stays in sight.
func drawSeries(c draw.Canvas, s *Series, tx, ty func(float64) vg.Length, radius vg.Length, above map[vg.Point]int) {
	var line []vg.Point
	stroke := func() {
		if s.Line && len(line) > 1 {
			c.StrokeLines(penOf(s), line)
		}
		line = nil
	}
	for i := range s.X {
		if finite(s.X[i]) && finite(s.Y[i]) {
			line = append(line, vg.Point{X: tx(s.X[i]), Y: ty(s.Y[i])})
		} else {
			stroke()
		}
	}
	stroke()
	for i := range s.X {
		if s.Bare || !finite(s.X[i]) || !finite(s.Y[i]) {
			continue
		}
		pt := vg.Point{X: tx(s.X[i]), Y: ty(s.Y[i])}
		drawMarker(c, s.Style, pt, radius*(1+0.45*vg.Length(min(above[pt], 3))), s.Hollow != nil && s.Hollow[i])
	}
}

// drawMarker draws a marker with a thin white edge, so that markers upon each other can be told
// apart; a hollow one shows the paper.
func drawMarker(c draw.Canvas, style int, at vg.Point, r vg.Length, hollow bool) {
	path := marker(style, at, r)
	fill, edge := colourOf(style), draw.LineStyle{Color: color.White, Width: 0.35}
	if hollow {
		fill, edge = color.White, draw.LineStyle{Color: colourOf(style), Width: 0.9}
	}
	c.SetColor(fill)
	c.Fill(path)
	c.SetLineStyle(edge)
	c.Stroke(path)
}
