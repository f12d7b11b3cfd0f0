package picture

import (
	"toposearch/report/draw"
	"toposearch/report/number"
)

// rowPx is the height of a line of a table.
const rowPx = 19.0

// column is one column of a table under a picture.
type column struct {
	head  string
	right bool
	cells []string
}

// table writes columns with their upper left corner at (x, y), a badge before each row, and gives its size.
func table(d *draw.Drawing, x, y float64, cols []column, class func(row int) string) (w, h float64) {
	rows, at := 0, x+2*badgeR+8
	for _, c := range cols {
		wide := draw.Width(c.head)
		rows = max(rows, len(c.cells))
		for _, s := range c.cells {
			wide = max(wide, min(draw.Width(s), mostCell))
		}
		left, anchor := at, "start"
		if c.right {
			left, anchor = at+wide, "end"
		}
		d.Text("lb", left, y+12, anchor, c.head)
		for r, s := range c.cells {
			d.Text("at", left, y+rowPx*float64(r+1)+14, anchor, draw.Clip(s, mostCell))
		}
		at += wide + 22
	}
	for r := range rows {
		top := y + rowPx*float64(r+1) + 10
		d.Path(class(r), "M"+draw.Px(x-14)+" "+draw.Px(top)+"h14", "")
		badge(d, x+badgeR, top, r)
	}
	return at - x, rowPx*float64(rows+1) + 8
}

// columns are those of every picture of bundles.
func (q *quotient) columns(gbps []float64) []column {
	cols := []column{{head: "Links"}, {head: "Between"}, {head: ""}, {head: "Number", right: true}}
	rates := column{head: "Gb/s", right: true}
	for i := range q.bundles {
		b := &q.bundles[i]
		for k, s := range []string{q.size.Family.LinkClasses[b.class].Name, q.ends(b), q.where(b), number.Figure(float64(b.links))} {
			cols[k].cells = append(cols[k].cells, s)
		}
		if b.class < len(gbps) && gbps[b.class] > 0 {
			rates.cells = append(rates.cells, number.Figure(gbps[b.class]))
		} else {
			rates.cells = append(rates.cells, "–")
		}
	}
	if gbps != nil {
		cols = append(cols, rates)
	}
	return cols
}
