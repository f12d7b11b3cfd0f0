package report

import (
	"fmt"
	"math"
	"strings"

	"toposearch/evaluator/metric"
	"toposearch/report/draw"
	"toposearch/report/number"
)

// frame is the plot area of a chart.
const (
	chartW, chartH = 640.0, 380.0
	frameL, frameR = 64.0, 16.0
	frameT, frameB = 16.0, 48.0
)

// head gives the name of a quantity with its unit: "Cost, MUSD".
func head(k metric.Key, s number.Scale) string {
	if s.Unit == "" {
		return Title(k)
	}
	return Title(k) + ", " + s.Unit
}

// drawAxes draws frame, grid, ticks and titles.
func drawAxes(d *draw.Drawing, x, y draw.Axis, xs, ys number.Scale, xTitle, yTitle string) {
	for _, t := range x.Ticks {
		d.Line("gr", x.At(t), y.A, x.At(t), y.B)
		d.Text("tk", x.At(t), y.A+16, "middle", xs.PageFormat(t))
	}
	for _, t := range y.Ticks {
		d.Line("gr", x.A, y.At(t), x.B, y.At(t))
		d.Text("tk", x.A-8, y.At(t)+4, "end", ys.PageFormat(t))
	}
	d.Line("ax", x.A, y.A, x.B, y.A)
	d.Line("ax", x.A, y.A, x.A, y.B)
	d.Text("at", (x.A+x.B)/2, y.A+36, "middle", xTitle)
	d.Raw(`<text class="at" text-anchor="middle" transform="translate(14 ` + draw.Px((y.A+y.B)/2) + `) rotate(-90)">`)
	d.Raw(strings.NewReplacer("&", "&amp;", "<", "&lt;").Replace(draw.Clean(yTitle)) + `</text>`)
}

// scatter draws two metrics of the front against each other, picks named.
func scatter(data *Data, st styles, picks []Pick, kx, ky metric.Key) string {
	xs, ys := column(data.Points, kx), column(data.Points, ky)
	d := draw.New(chartW, chartH, fmt.Sprintf("Scatter chart of the front: %s against %s, %s.",
		Title(ky), Title(kx), number.Count(len(data.Points), "design", "designs")))
	more := data.drawn(kx, ky)
	x := draw.NewAxis(columnWith(data.Points, kx, more), frameL, chartW-frameR, 6, false)
	y := draw.NewAxis(columnWith(data.Points, ky, more), chartH-frameB, frameT, 5, false)
	sx, sy := x.TickScale(data.unitOf(kx)), y.TickScale(data.unitOf(ky))
	drawAxes(d, x, y, sx, sy, head(kx, sx), head(ky, sy))
	r := 5.0
	if len(xs) > 200 {
		r = 3.2
	}
	for _, i := range picksLast(len(data.Points), picks) {
		if math.IsNaN(xs[i]) || math.IsNaN(ys[i]) {
			continue
		}
		f := st.of(data.Points[i].Family)
		title := ""
		if len(xs) <= 200 {
			title = data.Points[i].Name
		}
		d.Path(fmt.Sprintf("mk f%d", f%colours), draw.Marker(shapeOf(f), x.At(xs[i]), y.At(ys[i]), r), title)
	}
	drawCallouts(d, data, picks, x, y, xs, ys, r)
	for _, b := range more {
		cx, cy := x.At(b.Point.Value(kx)), y.At(b.Point.Value(ky))
		d.Path("beside", draw.Marker(diamond, cx, cy, r+2), b.title()+": "+b.Point.Name)
		anchor, off := "start", r+7
		if cx > (frameL+chartW-frameR)/2 {
			anchor, off = "end", -r-7
		}
		d.Text("lb it", cx+off, cy+4, anchor, b.title())
	}
	return d.String()
}

// diamond is the shape of incumbents, see draw.Shapes.
const diamond = 3

// picksLast is the order in which points are drawn: picks lie on top of designs with the same figures.
func picksLast(n int, picks []Pick) []int {
	order := make([]int, 0, n)
	var last []int
	for i := range n {
		if len(picksOf(picks, i)) > 0 {
			last = append(last, i)
		} else {
			order = append(order, i)
		}
	}
	return append(order, last...)
}

// drawCallouts names the picks beside their markers, where the text covers no other name or ring, and
// as few points as can be.
func drawCallouts(d *draw.Drawing, data *Data, picks []Pick, x, y draw.Axis, xs, ys []float64, r float64) {
	type box struct{ x0, y0, x1, y1 float64 }
	var taken []box
	seen := map[int]bool{}
	for _, p := range picks {
		if i := p.Point; !math.IsNaN(xs[i]) && !math.IsNaN(ys[i]) {
			cx, cy := x.At(xs[i]), y.At(ys[i])
			taken = append(taken, box{cx - r - 4, cy - r - 4, cx + r + 4, cy + r + 4})
		}
	}
	for _, p := range picks {
		i := p.Point
		if seen[i] || math.IsNaN(xs[i]) || math.IsNaN(ys[i]) {
			continue
		}
		seen[i] = true
		text := strings.Join(picksOf(picks, i), ", ")
		cx, cy, w, off := x.At(xs[i]), y.At(ys[i]), 7*float64(len(text)), r+8
		d.Path("ring", draw.Marker(0, cx, cy, r+4), "")
		at := []box{{cx + off, cy - 7, cx + off + w, cy + 7}, {cx - off - w, cy - 7, cx - off, cy + 7},
			{cx - w/2, cy - off - 13, cx + w/2, cy - off + 1}, {cx - w/2, cy + off - 1, cx + w/2, cy + off + 13},
			{cx + off, cy - off - 20, cx + off + w, cy - off - 6}, {cx + off, cy + off + 6, cx + off + w, cy + off + 20}}
		best, fewest := at[0], math.MaxInt
		for _, b := range at {
			free := b.x0 >= x.A && b.x1 <= x.B+frameR && b.y0 >= 0 && b.y1 <= y.A
			for _, t := range taken {
				free = free && (b.x1 <= t.x0 || b.x0 >= t.x1 || b.y1 <= t.y0 || b.y0 >= t.y1)
			}
			under := 0
			for j := range xs {
				if px, py := x.At(xs[j]), y.At(ys[j]); px > b.x0-r && px < b.x1+r && py > b.y0-r && py < b.y1+r {
					under++
				}
			}
			if free && under < fewest {
				best, fewest = b, under
			}
		}
		taken = append(taken, best)
		d.Rect("back", best.x0-2, best.y0, w+4, 14, "")
		d.Text("lb", (best.x0+best.x1)/2, best.y1-3, "middle", text)
	}
}

// colours of families; the shape tells apart those that share one.
const colours = 8

// styles numbers the families, those on the front first, so that as few as can be share a colour:
// colour and shape of a family follow from its number.
type styles []string

func newStyles(d *Data) styles {
	on := map[string]bool{}
	for i := range d.Points {
		on[d.Points[i].Family] = true
	}
	var out styles
	for _, want := range []bool{true, false} {
		for _, f := range d.Families {
			if on[f] == want {
				out = append(out, f)
			}
		}
	}
	return out
}

// of is the number of a family; all that were not searched share the last.
func (s styles) of(family string) int {
	for i, f := range s {
		if f == family {
			return i
		}
	}
	return len(s)
}

// shapeOf differs from family to family, also where colours repeat.
func shapeOf(style int) int { return (style + style/colours) % len(draw.Shapes) }

// parallel draws a line per design over vertical axes, one per metric, better always up.
func parallel(data *Data, st styles, keys []metric.Key) string {
	const h, top, bottom = 340.0, 68.0, 30.0
	d := draw.New(chartW, h, fmt.Sprintf("Parallel coordinates of the front: %s over %d metrics, better is up.",
		number.Count(len(data.Points), "design", "designs"), len(keys)))
	more := data.drawn(keys...)
	axes := make([]draw.Axis, len(keys))
	for j, k := range keys {
		a, b := h-bottom, top
		if metric.Keys[k].Better == metric.Lower {
			a, b = b, a
		}
		axes[j] = draw.SpanAxis(columnWith(data.Points, k, more), a, b)
	}
	at := func(j int) float64 {
		if len(keys) == 1 {
			return chartW / 2
		}
		return 60 + float64(j)*(chartW-120)/float64(len(keys)-1)
	}
	line := func(p *Point) string {
		var b strings.Builder
		pen := "M"
		for j, k := range keys {
			v := p.Value(k)
			if math.IsNaN(v) {
				pen = "M"
				continue
			}
			b.WriteString(pen + draw.Px(at(j)) + " " + draw.Px(axes[j].At(v)))
			pen = "L"
		}
		return b.String()
	}
	for i := range data.Points {
		d.Path(fmt.Sprintf("pl f%d", st.of(data.Points[i].Family)%colours), line(&data.Points[i]), "")
	}
	for _, x := range more {
		d.Path("plb", line(&x.Point), x.title())
	}
	for j, k := range keys {
		d.Line("ax", at(j), h-bottom, at(j), top)
		s := number.ScaleOf(data.unitOf(k), column(data.Points, k))
		lines := append(wrap(Title(k), 12), s.Unit)
		for n, l := range lines {
			class := "at"
			if n == len(lines)-1 {
				class = "tk"
			}
			d.Text(class, at(j), 12+13*float64(n), "middle", l)
		}
		up, down := axes[j].Hi, axes[j].Lo
		if axes[j].At(up) > axes[j].At(down) {
			up, down = down, up
		}
		d.Text("tk", at(j), top-6, "middle", s.PageFormat(up))
		d.Text("tk", at(j), h-bottom+16, "middle", s.PageFormat(down))
	}
	return d.String()
}

// legendMarker is the marker of a family in a 16 x 16 box.
func legendMarker(style int) string { return draw.Marker(shapeOf(style), 8, 8, 5.5) }
