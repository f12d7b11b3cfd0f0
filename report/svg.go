package report

import (
	"html"
	"math"
	"strconv"
	"strings"
)

// drawing writes SVG. Its colours are CSS classes, which the page defines for light, dark and
// paper; standalone files carry a style of their own.
type drawing struct {
	b    strings.Builder
	w, h float64
}

// newDrawing starts a picture of w x h pixels; label says in a sentence what it shows.
func newDrawing(w, h float64, label string) *drawing {
	d := &drawing{w: w, h: h}
	d.b.WriteString(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ` + px(w) + ` ` + px(h) +
		`" width="` + px(w) + `" height="` + px(h) + `" role="img" aria-label="` + html.EscapeString(clean(label)) + `">`)
	return d
}

// px prints a coordinate to a tenth of a pixel.
func px(x float64) string {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return "0"
	}
	s := strconv.FormatFloat(math.Round(x*10)/10, 'f', -1, 64)
	if s == "-0" {
		return "0"
	}
	return s
}

// clean drops what XML cannot hold.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		if r < 0x20 && r != '\t' || r == 0xfffe || r == 0xffff || r == 0xfffd {
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, ""))
}

func (d *drawing) line(class string, x1, y1, x2, y2 float64) {
	d.b.WriteString(`<path class="` + class + `" d="M` + px(x1) + ` ` + px(y1) + `L` + px(x2) + ` ` + px(y2) + `"/>`)
}

func (d *drawing) rect(class string, x, y, w, h float64, title string) {
	d.b.WriteString(`<rect class="` + class + `" x="` + px(x) + `" y="` + px(y) + `" width="` + px(w) + `" height="` + px(h) + `"`)
	d.end("rect", title)
}

// path draws a path with its own coordinates; a title is shown by the pointer.
func (d *drawing) path(class, path, title string) {
	d.b.WriteString(`<path class="` + class + `" d="` + path + `"`)
	d.end("path", title)
}

func (d *drawing) end(tag, title string) {
	if title == "" {
		d.b.WriteString(`/>`)
		return
	}
	d.b.WriteString(`><title>` + html.EscapeString(clean(title)) + `</title></` + tag + `>`)
}

// text anchors at "start", "middle" or "end".
func (d *drawing) text(class string, x, y float64, anchor, s string) {
	d.b.WriteString(`<text class="` + class + `" x="` + px(x) + `" y="` + px(y) + `"`)
	if anchor != "start" {
		d.b.WriteString(` text-anchor="` + anchor + `"`)
	}
	d.b.WriteString(`>` + html.EscapeString(clean(s)) + `</text>`)
}

func (d *drawing) String() string { return d.b.String() + `</svg>` }

// shapes of markers, by family besides the colour, as ECharts and marker draw them.
var shapes = []string{"circle", "rect", "triangle", "diamond", "down", "plus", "hexagon", "star"}

// marker is the path of a marker of radius r about (x, y).
func marker(shape int, x, y, r float64) string {
	switch shapes[shape%len(shapes)] {
	case "circle":
		return "M" + px(x-r) + " " + px(y) + "a" + px(r) + " " + px(r) + " 0 1 0 " + px(2*r) + " 0a" + px(r) + " " + px(r) + " 0 1 0 " + px(-2*r) + " 0z"
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
		b.WriteString(px(x+r*at[i]) + " " + px(y+r*at[i+1]))
	}
	return b.String() + "z"
}

// axis maps values to pixels, with ticks at round numbers.
type axis struct {
	lo, hi float64 // of the values
	a, b   float64 // pixels of lo and hi
	ticks  []float64
}

// newAxis covers the finite values with a margin, in about n steps. If zero is set it starts at 0.
func newAxis(values []float64, a, b float64, n int, zero bool) axis {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, v := range values {
		if !math.IsNaN(v) && !math.IsInf(v, 0) {
			lo, hi = min(lo, v), max(hi, v)
		}
	}
	if lo > hi {
		lo, hi = 0, 1
	}
	if zero {
		lo = min(lo, 0)
	}
	if lo == hi {
		pad := max(math.Abs(lo)*0.1, 1e-9)
		lo, hi = lo-pad, hi+pad
	}
	step := niceStep((hi - lo) / float64(n))
	x := axis{lo: math.Floor(lo/step+1e-9) * step, hi: math.Ceil(hi/step-1e-9) * step, a: a, b: b}
	for i := 0; ; i++ {
		t := x.lo + float64(i)*step
		if t > x.hi+step/2 || i > 50 {
			break
		}
		x.ticks = append(x.ticks, t)
	}
	return x
}

// niceStep rounds up to 1, 2, 2.5 or 5 times a power of ten.
func niceStep(x float64) float64 {
	p := math.Pow(10, math.Floor(math.Log10(x)))
	for _, m := range []float64{1, 2, 2.5, 5} {
		if x <= p*m*(1+1e-9) {
			return p * m
		}
	}
	return p * 10
}

func (x axis) at(v float64) float64 { return x.a + (v-x.lo)/(x.hi-x.lo)*(x.b-x.a) }

// tickScale prints the ticks alike.
func (x axis) tickScale(unit string) Scale {
	s := scaleFor(unit, max(math.Abs(x.lo), math.Abs(x.hi)))
	for s.Decimals < 6 {
		same := true
		p := math.Pow10(s.Decimals)
		for _, t := range x.ticks {
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
