package chart

import (
	"slices"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// entry of the legend: a sample of a line, of a marker, or of both.
type entry struct {
	name   string
	line   draw.LineStyle // of width 0 for none
	style  int
	marker bool
	hollow bool
}

const (
	lineSample = 16 // width of a sample with a line, points
	markSample = 6  // and of a lone marker
	sampleGap  = 3
	entryGap   = 10
	rowHeight  = 11
)

// width of an entry with its text.
func (e *entry) width(style text.Style) vg.Length {
	return e.sample() + sampleGap + style.Width(e.name)
}

func (e *entry) sample() vg.Length {
	if e.line.Width > 0 {
		return lineSample
	}
	return markSample
}

// entriesOf lists what has a name, each name once: series, then rules and diagonals.
func entriesOf(f *Figure) []entry {
	var out []entry
	at := map[string]int{}
	add := func(e entry) {
		i, seen := at[e.name]
		switch {
		case e.name == "":
		case !seen:
			at[e.name] = len(out)
			out = append(out, e)
		case out[i].style != e.style:
			out[i].style, out[i].line.Color = Grey, colourOf(Grey)
		}
	}
	for i := range f.Panels {
		for j := range f.Panels[i].Series {
			s := &f.Panels[i].Series[j]
			e := entry{name: s.Name, style: s.Style, marker: !s.Bare, hollow: len(s.X) > 0 && s.Hollow != nil && !slices.Contains(s.Hollow, false)}
			if s.Line {
				e.line = penOf(s)
			}
			add(e)
		}
	}
	for i := range f.Panels {
		for j := range f.Panels[i].Rules {
			r := &f.Panels[i].Rules[j]
			add(entry{name: r.Name, style: r.Style, line: ruleOf(r)})
		}
		add(entry{name: f.Panels[i].Diagonal, style: Grey, line: diagonalPen})
	}
	return out
}

// rowsOf breaks entries into rows of a width.
func rowsOf(entries []entry, width vg.Length) [][]entry {
	style := letters(labelSize, text.XLeft, text.YCenter)
	var rows [][]entry
	x := width + 1
	for _, e := range entries {
		w := e.width(style)
		if x+w > width {
			rows, x = append(rows, nil), 0
		}
		rows[len(rows)-1] = append(rows[len(rows)-1], e)
		x += w + entryGap
	}
	return rows
}

// drawLegend sets the rows from the top of an area down.
func drawLegend(c draw.Canvas, rows [][]entry) {
	style := letters(labelSize, text.XLeft, text.YBottom)
	for i, row := range rows {
		x, y := c.Min.X, c.Max.Y-rowHeight*(vg.Length(i)+0.5)
		for _, e := range row {
			drawSample(c, &e, x, y)
			style.Handler.Draw(c, e.name, style, vg.Point{X: x + e.sample() + sampleGap, Y: y - style.Font.Size*0.5})
			x += e.width(style) + entryGap
		}
	}
}

func drawSample(c draw.Canvas, e *entry, x, y vg.Length) {
	w := e.sample()
	if e.line.Width > 0 {
		c.StrokeLine2(e.line, x, y, x+w, y)
	}
	if e.marker {
		drawMarker(c, e.style, vg.Point{X: x + w/2, Y: y}, markRadius, e.hollow)
	}
}
