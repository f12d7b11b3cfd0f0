package chart

import (
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// entry of the legend: a sample of a series, a rule or the diagonal.
type entry struct {
	name   string
	series *Series
	line   *draw.LineStyle // instead of a series
	hollow bool
}

const (
	sampleWidth = 16 // of a legend's sample, points
	entryGap    = 10
	rowHeight   = 11
)

// entriesOf lists what has a name, each name once, in the order of the panels.
func entriesOf(f *Figure) []entry {
	var out []entry
	seen := map[string]bool{"": true}
	add := func(e entry) {
		if !seen[e.name] {
			seen[e.name] = true
			out = append(out, e)
		}
	}
	for i := range f.Panels {
		p := &f.Panels[i]
		for j := range p.Series {
			add(entry{name: p.Series[j].Name, series: &p.Series[j]})
		}
	}
	for i := range f.Panels {
		p := &f.Panels[i]
		for j := range p.Rules {
			line := ruleOf(&p.Rules[j])
			add(entry{name: p.Rules[j].Name, line: &line})
		}
		line := pen(grey, lineWidth*0.8)
		add(entry{name: p.Diagonal, line: &line})
	}
	return out
}

// rowsOf breaks entries into rows of a width.
func rowsOf(entries []entry, width vg.Length) [][]entry {
	style := letters(labelSize, text.XLeft, text.YCenter)
	var rows [][]entry
	x := width + 1
	for _, e := range entries {
		w := sampleWidth + 3 + style.Width(e.name)
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
			drawSample(c, e, x, y)
			x += sampleWidth + 3
			style.Handler.Draw(c, e.name, style, vg.Point{X: x, Y: y - style.Font.Size*0.5})
			x += style.Width(e.name) + entryGap
		}
	}
}

func drawSample(c draw.Canvas, e entry, x, y vg.Length) {
	switch {
	case e.line != nil:
		c.StrokeLine2(*e.line, x, y, x+sampleWidth, y)
		return
	case e.series.Line:
		c.StrokeLine2(penOf(e.series), x, y, x+sampleWidth, y)
	}
	if !e.series.Bare {
		drawMarker(c, e.series.Style, vg.Point{X: x + sampleWidth/2, Y: y}, markRadius, len(e.series.X) > 0 && e.allHollow())
	}
}

// allHollow tells that a series has hollow markers alone.
func (e entry) allHollow() bool {
	for i := range e.series.X {
		if e.series.Hollow == nil || !e.series.Hollow[i] {
			return false
		}
	}
	return true
}
