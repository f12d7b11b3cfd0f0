package chart

import (
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// drawLabels writes names beside their points, each where it covers no other name and as few
// points as can be, joined to its point by a thin line where it stands apart. A name for which no
// place is free is left out rather than laid over another; its point keeps its ring.
func drawLabels(c draw.Canvas, labels []Label, tx, ty func(float64) vg.Length, r vg.Length, points []vg.Point) {
	style := letters(labelSize, text.XLeft, text.YBottom)
	var taken []vg.Rectangle
	for _, l := range labels {
		at := vg.Point{X: tx(l.X), Y: ty(l.Y)}
		c.SetLineStyle(pen(ink, 0.7))
		c.Stroke(circle(at, r+2))
		taken = append(taken, around(at, r+2))
	}
	for _, l := range labels {
		at := vg.Point{X: tx(l.X), Y: ty(l.Y)}
		size := vg.Point{X: style.Width(l.Text), Y: style.Font.Size}
		best, ok := freePlace(c.Rectangle, at, size, r, taken, points)
		if !ok {
			continue
		}
		taken = append(taken, best)
		if end := nearestOf(best, at); math.Hypot(float64(end.X-at.X), float64(end.Y-at.Y)) > float64(r+6) {
			from := towards(at, end, r+2)
			c.StrokeLine2(pen(grey, 0.5), from.X, from.Y, end.X, end.Y)
		}
		c.SetColor(color.NRGBA{0xff, 0xff, 0xff, 0xd0})
		c.Fill(best.Path())
		// A line of text stands on its baseline, with the descent below it.
		style.Handler.Draw(c, l.Text, style, vg.Point{X: best.Min.X, Y: best.Min.Y - style.FontExtents().Descent*0.2})
	}
}

// freePlace tries places around a point, the nearest first.
func freePlace(area vg.Rectangle, at, size vg.Point, r vg.Length, taken []vg.Rectangle, points []vg.Point) (vg.Rectangle, bool) {
	var best vg.Rectangle
	least := math.Inf(1)
	for ring := range 5 {
		d := r + 4 + vg.Length(ring)*9
		for dir := range 16 {
			sin, cos := math.Sincos(float64(dir) * math.Pi / 8)
			// The box touches the ring with the side or corner that faces the point.
			x := at.X + d*vg.Length(cos) + size.X*vg.Length((cos-1)/2)
			y := at.Y + d*vg.Length(sin) + size.Y*vg.Length((sin-1)/2)
			box := vg.Rectangle{Min: vg.Point{X: x, Y: y}, Max: vg.Point{X: x + size.X, Y: y + size.Y}}
			if box.Min.X < area.Min.X || box.Max.X > area.Max.X || box.Min.Y < area.Min.Y || box.Max.Y > area.Max.Y || anyOverlap(box, taken) {
				continue
			}
			cost := float64(ring)
			for _, p := range points {
				if overlap(box, around(p, r)) {
					cost += 1.5
				}
			}
			if cost < least {
				best, least = box, cost
			}
		}
	}
	return best, !math.IsInf(least, 1)
}

func around(p vg.Point, r vg.Length) vg.Rectangle {
	return vg.Rectangle{Min: vg.Point{X: p.X - r, Y: p.Y - r}, Max: vg.Point{X: p.X + r, Y: p.Y + r}}
}

func overlap(a, b vg.Rectangle) bool {
	return a.Min.X < b.Max.X && b.Min.X < a.Max.X && a.Min.Y < b.Max.Y && b.Min.Y < a.Max.Y
}

func anyOverlap(a vg.Rectangle, of []vg.Rectangle) bool {
	return slices.ContainsFunc(of, func(b vg.Rectangle) bool { return overlap(a, b) })
}

// nearestOf is the point of a box nearest to p.
func nearestOf(b vg.Rectangle, p vg.Point) vg.Point {
	return vg.Point{X: min(max(p.X, b.Min.X), b.Max.X), Y: min(max(p.Y, b.Min.Y), b.Max.Y)}
}

// towards goes a distance from a to b.
func towards(a, b vg.Point, d vg.Length) vg.Point {
	l := vg.Length(math.Hypot(float64(b.X-a.X), float64(b.Y-a.Y)))
	if l == 0 {
		return a
	}
	return vg.Point{X: a.X + (b.X-a.X)*d/l, Y: a.Y + (b.Y-a.Y)*d/l}
}
