package chart

import (
	"image/color"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// page is a figure with the sizes of its parts, ready to be drawn.
type page struct {
	figure     *Figure
	legend     [][]entry
	w, h       vg.Length
	rows, cols int
	above      vg.Length // room above each panel
}

const (
	margin    = 4 // at the edges, points
	legendGap = 4
	between   = 9 // panels
)

// layOut finds the size of a page.
func layOut(f *Figure) *page {
	width, height := f.Width, f.Height
	if width == 0 {
		width = Column
	}
	if height == 0 {
		height = 2.3
	}
	pg := &page{figure: f, cols: max(1, f.Across), w: vg.Length(width) * vg.Inch}
	pg.rows = (len(f.Panels) + pg.cols - 1) / pg.cols
	if slices.ContainsFunc(f.Panels, func(p Panel) bool { return p.Title != "" }) {
		pg.above = titleRoom
	}
	pg.legend = rowsOf(entriesOf(f), pg.w-2*margin)
	pg.h = vg.Length(height)*vg.Inch*vg.Length(pg.rows) + rowHeight*vg.Length(len(pg.legend)) + 2*margin + legendGap
	return pg
}

// draw fills a canvas of the page's size.
func (pg *page) draw(to vg.Canvas) {
	c := draw.NewCanvas(to, pg.w, pg.h)
	c.SetColor(color.White)
	c.Fill(c.Rectangle.Path())
	c = draw.Crop(c, margin, -margin, margin, -margin)
	drawLegend(c, pg.legend)
	// The room at the right is for the half of the last label that hangs over its axis.
	c = draw.Crop(c, 0, -8, 0, -rowHeight*vg.Length(len(pg.legend))-legendGap-pg.above)
	tiles := draw.Tiles{Cols: pg.cols, Rows: pg.rows, PadX: between + 6, PadY: between + pg.above}
	plots := make([][]*plot.Plot, pg.rows)
	for r := range plots {
		plots[r] = make([]*plot.Plot, pg.cols)
		for k := range plots[r] {
			if i := r*pg.cols + k; i < len(pg.figure.Panels) {
				tile := tiles.At(c, k, r)
				plots[r][k] = plotOf(&pg.figure.Panels[i], tile.Size().X, tile.Size().Y)
			}
		}
	}
	for r, row := range plot.Align(plots, tiles, c) {
		for k, at := range row {
			if plots[r][k] != nil {
				plots[r][k].Draw(at)
			}
		}
	}
}
