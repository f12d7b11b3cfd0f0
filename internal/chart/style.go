package chart

import (
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Sizes in points: what journals ask of letters in a figure at its printed size.
const (
	titleSize  = 8
	tickSize   = 7
	labelSize  = 7
	markRadius = 2.6
	lineWidth  = 1.1
	axisWidth  = 0.6
	gridWidth  = 0.4
)

// The palette of Okabe and Ito (Color Universal Design, 2008) without its yellow, which white paper
// swallows.
var palette = []color.NRGBA{
	{0x00, 0x72, 0xb2, 0xff}, // blue
	{0xd5, 0x5e, 0x00, 0xff}, // vermilion
	{0x00, 0x9e, 0x73, 0xff}, // bluish green
	{0xcc, 0x79, 0xa7, 0xff}, // reddish purple
	{0xe6, 0x9f, 0x00, 0xff}, // orange
	{0x56, 0xb4, 0xe9, 0xff}, // sky blue
	{0x00, 0x00, 0x00, 0xff}, // black
}

var (
	ink  = color.NRGBA{0x20, 0x20, 0x20, 0xff}
	grey = color.NRGBA{0x80, 0x80, 0x80, 0xff}
	grid = color.NRGBA{0xe2, 0xe2, 0xe2, 0xff}
)

// colourOf a style.
func colourOf(style int) color.Color {
	if style < 0 {
		return grey
	}
	return palette[style%len(palette)]
}

// letters are a text style of a size.
func letters(size vg.Length, x text.XAlignment, y text.YAlignment) text.Style {
	return text.Style{Color: ink, Font: font.From(font.Font{Typeface: "Liberation", Variant: "Sans"}, size),
		XAlign: x, YAlign: y, Handler: plot.DefaultTextHandler}
}

func pen(c color.Color, width vg.Length, dashes ...vg.Length) draw.LineStyle {
	return draw.LineStyle{Color: c, Width: width, Dashes: dashes}
}

// diagonalPen draws y = x.
var diagonalPen = pen(grey, lineWidth*0.8)

// penOf the line of a series; ruleOf that of a rule.
func penOf(s *Series) draw.LineStyle {
	if s.Dashed {
		return pen(colourOf(s.Style), lineWidth, 3.5, 2)
	}
	return pen(colourOf(s.Style), lineWidth)
}

func ruleOf(r *Rule) draw.LineStyle {
	if r.Dotted {
		return pen(colourOf(r.Style), lineWidth*0.9, 1, 1.6)
	}
	return pen(colourOf(r.Style), lineWidth*0.5)
}

// outlines are the markers about (0, 0), as corners in units of their radius; the circle has none.
var outlines = [][]float64{
	{}, // circle
	{-.88, -.88, .88, -.88, .88, .88, -.88, .88},
	{0, 1.15, 1.05, -.8, -1.05, -.8},
	{0, 1.25, 1.1, 0, 0, -1.25, -1.1, 0},
	{0, -1.15, 1.05, .8, -1.05, .8},
	{-.4, 1.15, .4, 1.15, .4, .4, 1.15, .4, 1.15, -.4, .4, -.4, .4, -1.15, -.4, -1.15, -.4, -.4, -1.15, -.4, -1.15, .4, -.4, .4},
	{-1.1, 0, -.55, .95, .55, .95, 1.1, 0, .55, -.95, -.55, -.95},
	{0, 1.35, .3, .4, 1.28, .42, .5, -.16, .79, -1.09, 0, -.53, -.79, -1.09, -.5, -.16, -1.28, .42, -.3, .4},
}

// marker is the outline of a style's marker. Where colours come again, markers differ.
func marker(style int, at vg.Point, r vg.Length) vg.Path {
	shape := 0
	if style > 0 {
		shape = (style + style/len(palette)) % len(outlines)
	}
	corners := outlines[shape]
	var p vg.Path
	if len(corners) == 0 {
		return circle(at, r)
	}
	for i := 0; i < len(corners); i += 2 {
		pt := vg.Point{X: at.X + r*vg.Length(corners[i]), Y: at.Y + r*vg.Length(corners[i+1])}
		if i == 0 {
			p.Move(pt)
		} else {
			p.Line(pt)
		}
	}
	p.Close()
	return p
}

// circle is made of four cubic curves, which every format draws alike.
func circle(at vg.Point, r vg.Length) vg.Path {
	k := r * vg.Length(4*(math.Sqrt2-1)/3)
	pt := func(x, y vg.Length) vg.Point { return vg.Point{X: at.X + x, Y: at.Y + y} }
	var p vg.Path
	p.Move(pt(r, 0))
	p.CubeTo(pt(r, k), pt(k, r), pt(0, r))
	p.CubeTo(pt(-k, r), pt(-r, k), pt(-r, 0))
	p.CubeTo(pt(-r, -k), pt(-k, -r), pt(0, -r))
	p.CubeTo(pt(k, -r), pt(r, -k), pt(r, 0))
	p.Close()
	return p
}
