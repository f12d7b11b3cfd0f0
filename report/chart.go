package report

import (
	"fmt"
	"math"
	"strings"

	"toposearch/evaluator/metric"
)

// frame is the plot area of a chart.
const (
	chartW, chartH = 640.0, 380.0
	frameL, frameR = 64.0, 16.0
	frameT, frameB = 16.0, 48.0
)

// head gives the name of a quantity with its unit: "Cost, MUSD".
func head(k metric.Key, s Scale) string {
	if s.Unit == "" {
		return Title(k)
	}
	return Title(k) + ", " + s.Unit
}

// axes draws frame, grid, ticks and titles.
func (d *drawing) axes(x, y axis, xs, ys Scale, xTitle, yTitle string) {
	for _, t := range x.ticks {
		d.line("gr", x.at(t), y.a, x.at(t), y.b)
		d.text("tk", x.at(t), y.a+16, "middle", xs.format(t))
	}
	for _, t := range y.ticks {
		d.line("gr", x.a, y.at(t), x.b, y.at(t))
		d.text("tk", x.a-8, y.at(t)+4, "end", ys.format(t))
	}
	d.line("ax", x.a, y.a, x.b, y.a)
	d.line("ax", x.a, y.a, x.a, y.b)
	d.text("at", (x.a+x.b)/2, y.a+36, "middle", xTitle)
	d.b.WriteString(`<text class="at" text-anchor="middle" transform="translate(14 ` + px((y.a+y.b)/2) + `) rotate(-90)">`)
	d.b.WriteString(strings.NewReplacer("&", "&amp;", "<", "&lt;").Replace(clean(yTitle)) + `</text>`)
}

// scatter draws two metrics of the front against each other, picks named.
func scatter(data *Data, st styles, picks []Pick, kx, ky metric.Key) string {
	xs, ys := column(data.Points, kx), column(data.Points, ky)
	d := newDrawing(chartW, chartH, fmt.Sprintf("Scatter chart of the front: %s against %s, %d designs.",
		Title(ky), Title(kx), len(data.Points)))
	x := newAxis(xs, frameL, chartW-frameR, 6, false)
	y := newAxis(ys, chartH-frameB, frameT, 5, false)
	sx, sy := x.tickScale(data.unitOf(kx)), y.tickScale(data.unitOf(ky))
	d.axes(x, y, sx, sy, head(kx, sx), head(ky, sy))
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
		d.path(fmt.Sprintf("mk f%d", f%colours), marker(shapeOf(f), x.at(xs[i]), y.at(ys[i]), r), title)
	}
	d.callouts(data, picks, x, y, xs, ys, r)
	return d.String()
}

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

// callouts names the picks beside their markers, where the text covers no other name or ring, and
// as few points as can be.
func (d *drawing) callouts(data *Data, picks []Pick, x, y axis, xs, ys []float64, r float64) {
	type box struct{ x0, y0, x1, y1 float64 }
	var taken []box
	seen := map[int]bool{}
	for _, p := range picks {
		if i := p.Point; !math.IsNaN(xs[i]) && !math.IsNaN(ys[i]) {
			cx, cy := x.at(xs[i]), y.at(ys[i])
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
		cx, cy, w, off := x.at(xs[i]), y.at(ys[i]), 7*float64(len(text)), r+8
		d.path("ring", marker(0, cx, cy, r+4), "")
		at := []box{{cx + off, cy - 7, cx + off + w, cy + 7}, {cx - off - w, cy - 7, cx - off, cy + 7},
			{cx - w/2, cy - off - 13, cx + w/2, cy - off + 1}, {cx - w/2, cy + off - 1, cx + w/2, cy + off + 13},
			{cx + off, cy - off - 20, cx + off + w, cy - off - 6}, {cx + off, cy + off + 6, cx + off + w, cy + off + 20}}
		best, fewest := at[0], math.MaxInt
		for _, b := range at {
			free := b.x0 >= x.a && b.x1 <= x.b+frameR && b.y0 >= 0 && b.y1 <= y.a
			for _, t := range taken {
				free = free && (b.x1 <= t.x0 || b.x0 >= t.x1 || b.y1 <= t.y0 || b.y0 >= t.y1)
			}
			under := 0
			for j := range xs {
				if px, py := x.at(xs[j]), y.at(ys[j]); px > b.x0-r && px < b.x1+r && py > b.y0-r && py < b.y1+r {
					under++
				}
			}
			if free && under < fewest {
				best, fewest = b, under
			}
		}
		taken = append(taken, best)
		d.rect("back", best.x0-2, best.y0, w+4, 14, "")
		d.text("lb", (best.x0+best.x1)/2, best.y1-3, "middle", text)
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
func shapeOf(style int) int { return (style + style/colours) % len(shapes) }

// parallel draws a line per design over vertical axes, one per metric, better always up.
func parallel(data *Data, st styles, keys []metric.Key) string {
	const h, top, bottom = 340.0, 68.0, 30.0
	d := newDrawing(chartW, h, fmt.Sprintf("Parallel coordinates of the front: %d designs over %d metrics, better is up.",
		len(data.Points), len(keys)))
	axes := make([]axis, len(keys))
	for j, k := range keys {
		a, b := h-bottom, top
		if metric.Keys[k].Better == metric.Lower {
			a, b = b, a
		}
		axes[j] = spanAxis(column(data.Points, k), a, b)
	}
	at := func(j int) float64 {
		if len(keys) == 1 {
			return chartW / 2
		}
		return 60 + float64(j)*(chartW-120)/float64(len(keys)-1)
	}
	for i := range data.Points {
		var b strings.Builder
		pen := "M"
		for j, k := range keys {
			v := data.Points[i].Value(k)
			if math.IsNaN(v) {
				pen = "M"
				continue
			}
			b.WriteString(pen + px(at(j)) + " " + px(axes[j].at(v)))
			pen = "L"
		}
		d.path(fmt.Sprintf("pl f%d", st.of(data.Points[i].Family)%colours), b.String(), "")
	}
	for j, k := range keys {
		d.line("ax", at(j), h-bottom, at(j), top)
		s := ScaleOf(data.unitOf(k), column(data.Points, k))
		lines := append(wrap(Title(k), 12), s.Unit)
		for n, l := range lines {
			class := "at"
			if n == len(lines)-1 {
				class = "tk"
			}
			d.text(class, at(j), 12+13*float64(n), "middle", l)
		}
		up, down := axes[j].hi, axes[j].lo
		if axes[j].at(up) > axes[j].at(down) {
			up, down = down, up
		}
		d.text("tk", at(j), top-6, "middle", s.format(up))
		d.text("tk", at(j), h-bottom+16, "middle", s.format(down))
	}
	return d.String()
}

// spanAxis covers exactly the finite values.
func spanAxis(values []float64, a, b float64) axis {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, v := range values {
		if !math.IsNaN(v) && !math.IsInf(v, 0) {
			lo, hi = min(lo, v), max(hi, v)
		}
	}
	if lo > hi {
		lo, hi = 0, 1
	}
	if lo == hi { // the line of equal values stands in the middle
		return axis{lo: lo - 1, hi: lo + 1, a: a, b: b}
	}
	return axis{lo: lo, hi: hi, a: a, b: b}
}

// legendMarker is the marker of a family in a 16 x 16 box.
func legendMarker(style int) string { return marker(shapeOf(style), 8, 8, 5.5) }
