package picture

import (
	"math"

	"toposearch/report/draw"
)

// wire is a bundle on paper: its path, and the points of it where its badge may stand, the best first.
type wire struct {
	path string
	at   [][2]float64
}

// diagram draws a plane with its upper left corner at (x, y); class colours a bundle.
func (p *plane) diagram(d *draw.Drawing, x, y float64, class func(bundle int) string) {
	d.Raw(`<g transform="translate(` + draw.Px(x) + ` ` + draw.Px(y) + `)">`)
	if f := p.frame; f[2] > 0 {
		for k := min(p.q.blocks-1, 2); k >= 0; k-- {
			off := 4 * float64(k)
			d.Rect("bk", f[0]+off, f[1]+off, f[2], f[3], "")
		}
		d.Text("tk", f[0]+10, f[1]+18, "start", p.frameText())
	}
	wires := p.wires()
	for i, w := range wires {
		d.Path(class(i), w.path, p.q.bundleTitle(i))
	}
	for i := range p.boxes {
		b := &p.boxes[i]
		d.Rect("bx", b.x, b.y, b.w, b.h, "")
		top := b.y + b.h/2 - boxLine*float64(len(b.lines))/2
		for k, s := range b.lines {
			class := "tk"
			if k == 0 {
				class = "lb"
			}
			d.Text(class, b.x+b.w/2, top+boxLine*(float64(k)+0.75), "middle", s)
		}
	}
	p.badges(d, wires)
	d.Raw(`</g>`)
}

// wires finds the way of every bundle.
func (p *plane) wires() []wire {
	n := len(p.boxes)
	p.around = 0
	top, bottom, left, right := make([]int, n), make([]int, n), make([]int, n), make([]int, len(p.leaving))
	out := make([]wire, len(p.q.bundles))
	for i, b := range p.q.bundles {
		up, low := b.a, b.b
		if p.rank(up) < p.rank(low) {
			up, low = low, up
		}
		switch {
		case b.scope == between:
			out[i] = p.leave(b, right)
		case b.a == b.b:
			out[i] = p.loop(b.a, left)
		case p.rank(up) == p.rank(low):
			out[i] = p.beside(low, up, top)
		default:
			out[i] = p.across(up, low, bottom, top)
		}
	}
	return out
}

// side is the place of the next line on a side of so many.
func side(from, length float64, n int, next *int) float64 {
	*next++
	return from + length*float64(*next)/float64(n+1)
}

// across joins boxes of different rows.
func (p *plane) across(up, low int, bottom, top []int) wire {
	u, l := &p.boxes[up], &p.boxes[low]
	x1, y1 := side(u.x, u.w, u.bottom, &bottom[up]), u.y+u.h
	x2, y2 := side(l.x, l.w, l.top, &top[low]), l.y
	if edge := p.passed(up, low); edge > 0 {
		p.around++
		return curve(x1, y1, x2, y2, edge+8+slot*float64(p.around))
	}
	w := wire{path: "M" + draw.Px(x1) + " " + draw.Px(y1) + "L" + draw.Px(x2) + " " + draw.Px(y2)}
	for _, t := range []float64{.5, .35, .65, .25, .75, .15, .85} {
		w.at = append(w.at, [2]float64{x1 + t*(x2-x1), y1 + t*(y2-y1)})
	}
	return w
}

// passed is the right edge of the boxes in the rows between two others, 0 if there are none.
func (p *plane) passed(up, low int) (edge float64) {
	for k := range p.boxes {
		if r := p.rank(k); r < p.rank(up) && r > p.rank(low) {
			edge = max(edge, p.boxes[k].x+p.boxes[k].w)
		}
	}
	return edge
}

// curve leads from above to below through a point at x in the middle.
func curve(x1, y1, x2, y2, x float64) wire {
	xc := (8*x - x1 - x2) / 6 // the middle of a cubic is an eighth of its ends and three of its control points each
	h := (y2 - y1) / 4
	w := wire{path: "M" + draw.Px(x1) + " " + draw.Px(y1) + "C" + draw.Px(xc) + " " + draw.Px(y1+h) + " " + draw.Px(xc) + " " + draw.Px(y2-h) + " " + draw.Px(x2) + " " + draw.Px(y2)}
	for _, t := range []float64{.5, .4, .6, .3, .7, .2, .8} {
		s := 1 - t
		w.at = append(w.at, [2]float64{s*s*s*x1 + 3*s*t*xc + t*t*t*x2, s*s*s*y1 + 3*s*s*t*(y1+h) + 3*s*t*t*(y2-h) + t*t*t*y2})
	}
	return w
}

// beside joins boxes of one row by an arc above them.
func (p *plane) beside(a, b int, top []int) wire {
	x, y := &p.boxes[a], &p.boxes[b]
	x1, x2 := side(x.x, x.w, x.top, &top[a]), side(y.x, y.w, y.top, &top[b])
	yt := min(x.y, y.y) - 44
	w := wire{path: "M" + draw.Px(x1) + " " + draw.Px(x.y) + "C" + draw.Px(x1) + " " + draw.Px(yt) + " " + draw.Px(x2) + " " + draw.Px(yt) + " " + draw.Px(x2) + " " + draw.Px(y.y)}
	for _, t := range []float64{.5, .4, .6, .3, .7, .2, .8} {
		s := 1 - t
		w.at = append(w.at, [2]float64{s*s*s*x1 + 3*s*s*t*x1 + 3*s*t*t*x2 + t*t*t*x2, s*s*s*x.y + 3*s*t*yt + t*t*t*y.y})
	}
	return w
}

// loop joins boxes of a class, at the left of it.
func (p *plane) loop(i int, left []int) wire {
	b := &p.boxes[i]
	y := side(b.y, b.h, b.left, &left[i])
	x := b.x - 24
	return wire{path: "M" + draw.Px(b.x) + " " + draw.Px(y-6) + "H" + draw.Px(x+6) + "a6 6 0 0 0 0 12H" + draw.Px(b.x), at: [][2]float64{{x - 4, y}}}
}

// leave leads out of a block, at the right of the frame.
func (p *plane) leave(b bundle, right []int) wire {
	end := p.frame[0] + p.frame[2] + 26
	var w wire
	for _, i := range [2]int{b.a, b.b} {
		x := &p.boxes[i]
		r := p.rank(i)
		y := side(x.y, x.h, p.leaving[r], &right[r])
		w.path += "M" + draw.Px(x.x+x.w) + " " + draw.Px(y) + "H" + draw.Px(end)
		w.at = append(w.at, [2]float64{end + badgeR, y})
		if b.a == b.b {
			break
		}
	}
	return w
}

// badges numbers the wires where their numbers cover neither boxes nor one another.
func (p *plane) badges(d *draw.Drawing, wires []wire) {
	var taken [][2]float64
	for i, w := range wires {
		best, most := w.at[0], -1.0
		for _, at := range w.at {
			room := math.Inf(1)
			for _, t := range taken {
				room = min(room, math.Hypot(t[0]-at[0], t[1]-at[1])-2*badgeR)
			}
			for k := range p.boxes {
				b := &p.boxes[k]
				dx, dy := max(b.x-at[0], at[0]-b.x-b.w, 0), max(b.y-at[1], at[1]-b.y-b.h, 0)
				room = min(room, math.Hypot(dx, dy)-badgeR)
			}
			if room >= 1 {
				best = at
				break
			}
			if room > most {
				best, most = at, room
			}
		}
		taken = append(taken, best)
		badge(d, best[0], best[1], i)
	}
}
