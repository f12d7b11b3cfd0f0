package picture

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"toposearch/report/draw"
	"toposearch/report/number"
)

// ringPx is the side of the square of the circle of blocks.
const ringPx = 360.0

// hasRing tells whether blocks can be drawn one by one.
func (q *quotient) hasRing() bool { return q.pairs != nil }

// ring draws the blocks on a circle with the links between them, the wider the more; links that lead out of all blocks end on
// the box in the middle.
func (q *quotient) ring(d *draw.Drawing, x, y float64) {
	cx, cy, r := x+ringPx/2, y+ringPx/2+10, ringPx/2-26
	at := func(b int) (float64, float64) {
		a := 2*math.Pi*float64(b)/float64(q.blocks) - math.Pi/2
		return cx + r*math.Cos(a), cy + r*math.Sin(a)
	}
	most := max(slices.Max(q.pairs), slices.Max(q.toCentral), 1)
	// Lines of one width are one path, so that forty blocks stay a small picture.
	var paths [6]strings.Builder
	line := func(n int64, x1, y1, x2, y2 float64) {
		paths[int(5*float64(n)/float64(most))].WriteString("M" + draw.Px(x1) + " " + draw.Px(y1) + "L" + draw.Px(x2) + " " + draw.Px(y2))
	}
	central := false
	for a := range q.blocks {
		x1, y1 := at(a)
		for b := a + 1; b < q.blocks; b++ {
			if n := q.pairs[a*q.blocks+b]; n > 0 {
				x2, y2 := at(b)
				line(n, x1, y1, x2, y2)
			}
		}
		if n := q.toCentral[a]; n > 0 {
			central = true
			line(n, x1, y1, cx, cy)
		}
	}
	for k := range paths {
		if paths[k].Len() > 0 {
			d.Path(fmt.Sprintf("ed f0 w%d", k), paths[k].String(), "")
		}
	}
	if central {
		d.Rect("bx", cx-46, cy-13, 92, 26, "")
		d.Text("lb", cx, cy+4, "middle", "central")
	}
	size := min(13, math.Pi*r/float64(q.blocks)-1.5)
	for b := range q.blocks {
		bx, by := at(b)
		d.Path("bx", draw.Marker(0, bx, by, size), fmt.Sprintf("block %d", b+1))
		if size >= 9 {
			d.Text("pn", bx, by+3.2, "middle", fmt.Sprint(b+1))
		}
	}
	for i, s := range q.ringWords() {
		d.Text("tk", x, y+ringPx+16+boxLine*float64(i), "start", s)
	}
}

// ringWords say what the widths of the circle mean.
func (q *quotient) ringWords() (out []string) {
	lo, hi, all, joined := int64(math.MaxInt64), int64(0), int64(0), 0
	for a := range q.blocks {
		for b := a + 1; b < q.blocks; b++ {
			if n := q.pairs[a*q.blocks+b]; n > 0 {
				lo, hi, all, joined = min(lo, n), max(hi, n), all+n, joined+1
			}
		}
	}
	if joined > 0 {
		out = append(out, fmt.Sprintf("%s of blocks joined by %s each, %s in all", number.Count(joined, "pair", "pairs"), linksText(lo, hi), number.Figure(float64(all))))
	}
	if lo, hi = slices.Min(q.toCentral), slices.Max(q.toCentral); hi > 0 {
		out = append(out, fmt.Sprintf("each block has %s to switches outside all blocks", linksText(lo, hi)))
	}
	return out
}

// linksText is a number of links, or a span of it.
func linksText(lo, hi int64) string {
	if hi == 1 && lo == 1 {
		return "1 link"
	}
	return number.Span(lo, hi) + " links"
}
