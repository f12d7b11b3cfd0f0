package picture

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"toposearch/report/draw"
	"toposearch/topology"
)

// layout is where the vertices of a graph stand.
type layout struct {
	x, y []float64
	w, h float64
	r    float64 // of a switch
	how  string
	// bow bends lines between vertices of one row or column around those between them.
	bow bool
}

// pagePx is the width of a drawing, stepPx the least distance between two vertices that are told apart.
const pagePx, stepPx = 900.0, 13.0

// arrange places the vertices by the structure of the family: grids, levels of trees, blocks on a circle; without any of
// these on one circle in the order of their numbers, as random networks are alike from everywhere.
func (g *graph) arrange(d topology.Design) *layout {
	l := &layout{x: make([]float64, g.n), y: make([]float64, g.n)}
	dims := bare(d.Dims())
	switch {
	case product(dims) == g.net.Switches() && len(dims) > 1 && g.n == g.net.Switches():
		l.grid(dims)
	case g.hasLevels():
		l.levels(g)
	case g.q.blocks > 1 && g.q.blocks < g.net.Switches():
		l.groups(g)
	default:
		l.circle(g)
	}
	return l
}

// bare leaves out dimensions of one.
func bare(dims []int) (out []int) {
	for _, k := range dims {
		if k > 1 {
			out = append(out, k)
		}
	}
	return out
}

func product(dims []int) int {
	n := 1
	for _, k := range dims {
		n *= k
	}
	return n
}

// grid puts dimensions across and down by turns; a later one repeats what those before it make.
func (l *layout) grid(dims []int) {
	unit, gap := [2]float64{1, 1}, 0.8 // pitch of a dimension, and the gap between the parts of the next one
	pitch := make([]float64, len(dims))
	for i, k := range dims {
		pitch[i] = unit[i%2]
		unit[i%2] = unit[i%2]*float64(k) + gap
	}
	scale := min(max(pagePx/unit[0], stepPx), 64)
	for v := range l.x {
		at := v
		for i, k := range dims {
			p := pitch[i] * float64(at%k) * scale
			at /= k
			if i%2 == 0 {
				l.x[v] += p
			} else {
				l.y[v] += p
			}
		}
	}
	l.fit(scale * 0.22)
	l.bow = true
	l.how = fmt.Sprintf("a grid of %s", strings.Trim(strings.Join(strings.Fields(fmt.Sprint(dims)), " × "), "[]"))
}

// hasLevels tells whether all links lead from one level of switches to another one.
func (g *graph) hasLevels() bool {
	some := false
	for i := range g.q.bundles {
		b := &g.q.bundles[i]
		x, y := g.q.nodes[b.a].level, g.q.nodes[b.b].level
		if x == y {
			return false
		}
		some = some || x > 0
	}
	return some || g.n > g.net.Switches()
}

// levels puts the switches of a level side by side, sets of endpoints below all.
func (l *layout) levels(g *graph) {
	var rows [][]int
	for v := range g.n {
		k := g.q.nodes[g.node[v]].level
		for len(rows) <= k {
			rows = append(rows, nil)
		}
		rows[k] = append(rows[k], v)
	}
	most := 0
	for _, row := range rows {
		most = max(most, len(row))
	}
	w := max(min(pagePx, 60*float64(most)), stepPx*float64(min(most, 200)))
	gap := min(max(w/6, 90), 170)
	for k, row := range rows {
		for i, v := range row {
			l.x[v] = w * (float64(i) + 0.5) / float64(len(row))
			l.y[v] = gap * float64(len(rows)-1-k)
		}
	}
	l.fit(min(7, w/float64(max(min(most, 200), 1))*0.42))
	l.how = "one row a level, the endpoints' switches at the bottom"
}

// groups puts the blocks on a circle, the switches of each on a circle of their own, and what is outside all blocks in the
// middle.
func (l *layout) groups(g *graph) {
	net, q := g.net, g.q
	var inBlock [][]int
	var middle []int
	count := make([]int64, len(q.nodes))
	for v := range net.Switches() {
		x := &q.nodes[g.node[v]]
		j := count[g.node[v]]
		count[g.node[v]]++
		if x.central {
			middle = append(middle, v)
			continue
		}
		b := int(j / ceil(x.count, int64(q.blocks)))
		for len(inBlock) <= b {
			inBlock = append(inBlock, nil)
		}
		inBlock[b] = append(inBlock[b], v)
	}
	most := 0
	for _, b := range inBlock {
		most = max(most, len(b))
	}
	small := max(stepPx*1.5*float64(most)/(2*math.Pi), 6)
	big := max((2*small+22)*float64(len(inBlock))/(2*math.Pi), 2.4*small, 130)
	for b, vs := range inBlock {
		a := 2*math.Pi*float64(b)/float64(len(inBlock)) - math.Pi/2
		l.ring(vs, big*math.Cos(a), big*math.Sin(a), small, a)
	}
	l.ring(middle, 0, 0, big*0.45, 0)
	for v := net.Switches(); v < g.n; v++ { // sets of endpoints stand between their switches
		l.between(g, v)
	}
	l.widen()
	l.how = "blocks on a circle"
}

// circle puts all switches on one circle.
func (l *layout) circle(g *graph) {
	all := make([]int, g.net.Switches())
	for v := range all {
		all[v] = v
	}
	l.ring(all, 0, 0, max(stepPx*float64(len(all))/(2*math.Pi), 120), -math.Pi/2)
	for v := g.net.Switches(); v < g.n; v++ {
		l.between(g, v)
	}
	l.widen()
	l.how = "all switches on a circle, in the order of their numbers"
}

// ring puts vertices on a circle, the first at angle from.
func (l *layout) ring(vs []int, cx, cy, r, from float64) {
	if len(vs) == 1 {
		r = 0
	}
	for i, v := range vs {
		a := from + 2*math.Pi*float64(i)/float64(len(vs))
		l.x[v], l.y[v] = cx+r*math.Cos(a), cy+r*math.Sin(a)
	}
}

// between puts a set of endpoints into the middle of its switches.
func (l *layout) between(g *graph, v int) {
	n, x, y := 0.0, 0.0, 0.0
	for _, e := range g.order {
		if int(e[1]) == v {
			l.x[v], l.y[v] = l.x[v]+l.x[e[0]], l.y[v]+l.y[e[0]]
			x, y = l.x[e[0]], l.y[e[0]]
			n++
		}
	}
	l.x[v], l.y[v] = l.x[v]/n, l.y[v]/n
	if dx, dy := l.x[v]-x, l.y[v]-y; dx != 0 || dy != 0 {
		off := stepPx / 2 / math.Hypot(dx, dy) // beside the link that its switches may have, not on it
		l.x[v], l.y[v] = l.x[v]-dy*off, l.y[v]+dx*off
	}
}

// leastRound is the size to which small circles are widened.
const leastRound = 520.0

// widen makes a small round layout larger, up to 2.5 times.
func (l *layout) widen() {
	lo, hi := slices.Min(l.x), slices.Max(l.x)
	k := min(max(leastRound/max(hi-lo, 1), 1), 2.5)
	for v := range l.x {
		l.x[v], l.y[v] = l.x[v]*k, l.y[v]*k
	}
	l.fit(5 * math.Sqrt(k))
}

// fit moves everything to positive coordinates, with room for markers of radius r and for lines around them.
func (l *layout) fit(r float64) {
	l.r = max(min(r, 8), 2)
	x0, y0, x1, y1 := math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	for v := range l.x {
		x0, y0, x1, y1 = min(x0, l.x[v]), min(y0, l.y[v]), max(x1, l.x[v]), max(y1, l.y[v])
	}
	room := l.r + 30
	for v := range l.x {
		l.x[v], l.y[v] = l.x[v]-x0+room, l.y[v]-y0+room
	}
	l.w, l.h = x1-x0+2*room, y1-y0+2*room
}

// line is the path of an edge: straight, or bent where it passes other vertices of its row or column.
func (l *layout) line(a, b int32) string {
	x1, y1, x2, y2 := l.x[a], l.y[a], l.x[b], l.y[b]
	m := "M" + draw.Px(x1) + " " + draw.Px(y1)
	far := math.Hypot(x2-x1, y2-y1)
	if !l.bow || far < l.r/0.22*1.5 {
		return m + "L" + draw.Px(x2) + " " + draw.Px(y2)
	}
	off := min(8+far*0.09, 36)
	cx, cy := (x1+x2)/2+(y2-y1)/far*off*2, (y1+y2)/2-(x2-x1)/far*off*2
	return m + "Q" + draw.Px(cx) + " " + draw.Px(cy) + " " + draw.Px(x2) + " " + draw.Px(y2)
}
