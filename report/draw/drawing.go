// Package draw writes SVG: shapes with classes, markers, axes with round ticks.
package draw

import (
	"html"
	"math"
	"strconv"
	"strings"

	"toposearch/diag"
)

// Drawing writes SVG. Its colours are CSS classes, which the page defines for light, dark and
// paper; standalone files carry a style of their own.
type Drawing struct {
	b    strings.Builder
	w, h float64
}

// New starts a picture of w x h pixels; label says in a sentence what it shows.
func New(w, h float64, label string) *Drawing {
	d := &Drawing{w: w, h: h}
	d.b.WriteString(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ` + Px(w) + ` ` + Px(h) +
		`" width="` + Px(w) + `" height="` + Px(h) + `" role="img" aria-label="` + html.EscapeString(Clean(label)) + `">`)
	return d
}

// Describe adds title and description for those who do not see the picture; it comes first.
func (d *Drawing) Describe(title, desc string) {
	d.b.WriteString(`<title>` + html.EscapeString(Clean(title)) + `</title><desc>` + html.EscapeString(Clean(desc)) + `</desc>`)
}

// Px prints a coordinate to a tenth of a pixel.
func Px(x float64) string {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return "0"
	}
	s := strconv.FormatFloat(math.Round(x*10)/10, 'f', -1, 64)
	if s == "-0" {
		return "0"
	}
	return s
}

// Clean drops what XML cannot hold and shows what is hidden (diag.Visible).
func Clean(s string) string {
	return diag.Visible(strings.Map(func(r rune) rune {
		if r < 0x20 && r != '\t' || r == 0xfffe || r == 0xffff || r == 0xfffd {
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, "")))
}

// Raw appends elements as they are.
func (d *Drawing) Raw(svg string) { d.b.WriteString(svg) }

// Line draws a straight line.
func (d *Drawing) Line(class string, x1, y1, x2, y2 float64) {
	d.b.WriteString(`<path class="` + class + `" d="M` + Px(x1) + ` ` + Px(y1) + `L` + Px(x2) + ` ` + Px(y2) + `"/>`)
}

// Rect draws a rectangle; a title is shown by the pointer.
func (d *Drawing) Rect(class string, x, y, w, h float64, title string) {
	d.b.WriteString(`<rect class="` + class + `" x="` + Px(x) + `" y="` + Px(y) + `" width="` + Px(w) + `" height="` + Px(h) + `"`)
	d.end("rect", title)
}

// Path draws a path with its own coordinates; a title is shown by the pointer.
func (d *Drawing) Path(class, path, title string) {
	d.b.WriteString(`<path class="` + class + `" d="` + path + `"`)
	d.end("path", title)
}

func (d *Drawing) end(tag, title string) {
	if title == "" {
		d.b.WriteString(`/>`)
		return
	}
	d.b.WriteString(`><title>` + html.EscapeString(Clean(title)) + `</title></` + tag + `>`)
}

// Titled draws a group, whose title is shown by the pointer.
func (d *Drawing) Titled(title string, draw func()) {
	d.b.WriteString(`<g><title>` + html.EscapeString(Clean(title)) + `</title>`)
	draw()
	d.b.WriteString(`</g>`)
}

// Text anchors at "start", "middle" or "end".
func (d *Drawing) Text(class string, x, y float64, anchor, s string) {
	d.b.WriteString(`<text class="` + class + `" x="` + Px(x) + `" y="` + Px(y) + `"`)
	if anchor != "start" {
		d.b.WriteString(` text-anchor="` + anchor + `"`)
	}
	d.b.WriteString(`>` + html.EscapeString(Clean(s)) + `</text>`)
}

// String ends the picture and gives its bytes.
func (d *Drawing) String() string { return d.b.String() + `</svg>` }

// Shapes of markers, by family besides the colour, as ECharts and marker draw them.
var Shapes = []string{"circle", "rect", "triangle", "diamond", "down", "plus", "hexagon", "star"}

// Marker is the path of a marker of radius r about (x, y).
func Marker(shape int, x, y, r float64) string {
	switch Shapes[shape%len(Shapes)] {
	case "circle":
		return "M" + Px(x-r) + " " + Px(y) + "a" + Px(r) + " " + Px(r) + " 0 1 0 " + Px(2*r) + " 0a" + Px(r) + " " + Px(r) + " 0 1 0 " + Px(-2*r) + " 0z"
	case "rect":
		return poly(x, y, r*0.9, -1, -1, 1, -1, 1, 1, -1, 1)
	case "triangle":
		return poly(x, y, r*1.15, 0, -1, 0.95, 0.75, -0.95, 0.75)
	case "diamond":
		return poly(x, y, r*1.2, 0, -1, 1, 0, 0, 1, -1, 0)
	case "down":
		return poly(x, y, r*1.15, 0, 1, 0.95, -0.75, -0.95, -0.75)
	case "plus":
		return poly(x, y, r*1.1, -.35, -1, .35, -1, .35, -.35, 1, -.35, 1, .35, .35, .35, .35, 1, -.35, 1, -.35, .35, -1, .35, -1, -.35, -.35, -.35)
	case "hexagon":
		return poly(x, y, r*1.1, -1, 0, -.5, -.87, .5, -.87, 1, 0, .5, .87, -.5, .87)
	}
	return poly(x, y, r*1.25, 0, -1, .26, -.33, .95, -.31, .4, .12, .59, .81, 0, .42, -.59, .81, -.4, .12, -.95, -.31, -.26, -.33)
}

func poly(x, y, r float64, at ...float64) string {
	var b strings.Builder
	for i := 0; i < len(at); i += 2 {
		b.WriteString("ML"[min(i, 1) : min(i, 1)+1])
		b.WriteString(Px(x+r*at[i]) + " " + Px(y+r*at[i+1]))
	}
	return b.String() + "z"
}
