package plan

import (
	"fmt"
	"slices"
	"strings"

	"toposearch/evaluator/floor"
	"toposearch/report/draw"
	"toposearch/report/number"
)

// levels is how many widths trays are drawn in, see draw.Rules.
const levels = 6

// mostSegments bounds the pieces of trays of a drawing, of some 20 bytes each: neighbours are drawn as one beyond it.
const mostSegments = 8_000

// bundlesNamed is how many of the largest bundles are listed under a drawing.
const bundlesNamed = 8

// CablePlan draws the trays over the racks, as wide as what lies in them, with what there is of cables under them.
func CablePlan(name string, f *floor.Summary, t *Trays, standalone bool) string {
	most := max(slices.Max(t.Along), slices.Max(t.Across))
	lines := t.lines()
	s := sheet{foot: 108 + 16*float64(len(lines)), desc: strings.Join(lines, ". "), about: lines[0],
		hall:   func(d *draw.Drawing, g *hall) { t.draw(d, g, most) },
		legend: func(d *draw.Drawing, _, _, bottom float64) { t.legend(d, bottom+72, most, lines) }}
	if standalone {
		s.style = draw.Style
	}
	s.least = 20
	for _, l := range lines {
		s.least = max(s.least, draw.Width(l)+floorLeft+20)
	}
	return s.draw(name, f)
}

// level is how wide a tray of n cables is drawn: sixths of the fullest.
func level(n, most int64) int { return int((n*levels - 1) / most) }

// draw draws the trays of a hall: beside the racks of each row, and across at each place. Pieces of one level are one path.
func (t *Trays) draw(d *draw.Drawing, g *hall, most int64) {
	if most == 0 {
		return
	}
	var paths [levels]strings.Builder
	step := (2*t.Rows*t.PerRow*t.Buildings + mostSegments - 1) / mostSegments
	base := g.building * t.Rows * t.PerRow
	cells := make([]int64, max((t.PerRow+step-1)/step, t.Rows))
	at := func(y int) string { // above the racks of the row, so that their numbers can be read
		return draw.Px(g.top + (float64(y)+0.5)*g.row - g.rackH/2 - min(7, g.row*0.15))
	}
	for y := range t.Rows {
		row, py := t.Along[base+y*t.PerRow:][:t.PerRow], at(y)
		n := 0
		for part := range slices.Chunk(row, step) {
			cells[n] = slices.Max(part)
			n++
		}
		pieces(cells[:n], most, func(from, to, level int) {
			end := min(to*step, t.PerRow-1)
			paths[level].WriteString("M" + draw.Px(g.left+(float64(from*step)+0.5)*g.pitch) + " " + py + "H" + draw.Px(g.left+(float64(end)+0.5)*g.pitch))
		})
	}
	for x := 0; x < t.PerRow; x += step {
		end := min(x+step, t.PerRow)
		px := draw.Px(g.left + float64(x+end)/2*g.pitch)
		for y := range t.Rows {
			cells[y] = slices.Max(t.Across[base+y*t.PerRow:][x:end])
		}
		pieces(cells[:t.Rows], most, func(from, to, level int) {
			paths[level].WriteString("M" + px + " " + at(from) + "V" + at(to))
		})
	}
	for k := range paths {
		if paths[k].Len() > 0 {
			d.Path(fmt.Sprintf("tr h%d", k), paths[k].String(), "")
		}
	}
}

// pieces gives the runs of cells [from, to) of one level; those without cables are left out.
func pieces(cells []int64, most int64, emit func(from, to, level int)) {
	for from := 0; from < len(cells); {
		to := from + 1
		for to < len(cells) && (cells[to] > 0) == (cells[from] > 0) && level(cells[to], most) == level(cells[from], most) {
			to++
		}
		if cells[from] > 0 {
			emit(from, to, level(cells[from], most))
		}
		from = to
	}
}

// legend says what the widths mean, and what there is of cables.
func (t *Trays) legend(d *draw.Drawing, y float64, most int64, lines []string) {
	x := floorLeft
	from := int64(1)
	for k := range levels {
		to := most * int64(k+1) / levels
		if to < from {
			continue
		}
		text := number.Span(from, to)
		if k == 0 || from == 1 {
			text += " in a tray"
		}
		d.Path(fmt.Sprintf("tr h%d", k), "M"+draw.Px(x)+" "+draw.Px(y-4)+"h18", "")
		d.Text("tk", x+26, y, "start", text)
		x += 26 + draw.Width(text) + 16
		from = to + 1
	}
	for i, l := range lines {
		d.Text("tk", floorLeft, y+22+16*float64(i), "start", l)
	}
}

// lines are the sums of the trays in words.
func (t *Trays) lines() (out []string) {
	metres := func(m float64) string { return number.Figure(float64(int64(m*10+0.5)) / 10) }
	sum := func(what string, n, in, between int64, laid, bought float64) string {
		s := fmt.Sprintf("%s: %s, %s of them inside a rack", what, number.Count(int(n), "cable", "cables"), number.Figure(float64(in)))
		if t.Buildings > 1 {
			s += fmt.Sprintf(", %s between buildings", number.Figure(float64(between)))
		}
		return s + fmt.Sprintf("; %s m laid, %s m bought", metres(laid), metres(bought))
	}
	out = append(out, sum("All", t.Cables, t.InRack, t.Between, t.LaidM, t.BoughtM))
	for i := range t.Links {
		l := &t.Links[i]
		out = append(out, sum(draw.Clip(l.Link, 200), l.Cables, l.InRack, l.Between, l.LaidM, l.BoughtM))
	}
	of := "two racks"
	if t.ByRows {
		of = "rows"
	}
	var large []string
	for i := range t.Bundles[:min(bundlesNamed, len(t.Bundles))] {
		b := &t.Bundles[i]
		large = append(large, fmt.Sprintf("%s to %s %s", t.place(b.A), t.place(b.B), number.Figure(float64(b.Cables))))
	}
	if len(large) > 0 {
		out = append(out, fmt.Sprintf("%s of cables between the same %s, of at most %s cables", number.Count(len(t.Bundles), "bundle", "bundles"), of, number.Figure(float64(t.Bundles[0].Cables))),
			"Largest: "+strings.Join(large[:min(4, len(large))], ", "))
		if len(large) > 4 {
			out = append(out, strings.Join(large[4:], ", "))
		}
	}
	return out
}

// place names a rack, or a row of a building, as cables.csv does.
func (t *Trays) place(n int) string {
	name, hall := "", t.Rows*t.PerRow
	if t.ByRows {
		hall = t.Rows
	}
	if t.Buildings > 1 {
		name = fmt.Sprintf("B%d-", n/hall+1)
	}
	if n %= hall; t.ByRows {
		return fmt.Sprintf("%sR%02d", name, n+1)
	}
	return fmt.Sprintf("%sR%02d-P%02d", name, n/t.PerRow+1, n%t.PerRow+1)
}
