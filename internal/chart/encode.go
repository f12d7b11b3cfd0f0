package chart

import (
	"bytes"
	"fmt"
	"strings"
	"sync"
	"time"

	"codeberg.org/go-pdf/fpdf"
	"golang.org/x/text/encoding/charmap"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgpdf"
	"gonum.org/v1/plot/vg/vgsvg"
)

// Formats are the forms of a figure, by the ending of its file.
var Formats = []string{"svg", "pdf", "png"}

// dpi of PNG: what journals ask of pictures at their printed size.
const dpi = 300

// Encode draws a figure in a format of Formats. Equal figures give equal bytes.
func Encode(f *Figure, format string) ([]byte, error) {
	pg := layOut(f)
	var b bytes.Buffer
	switch format {
	case "svg":
		c := vgsvg.New(pg.w, pg.h)
		pg.draw(c)
		if _, err := c.WriteTo(&b); err != nil {
			return nil, fmt.Errorf("chart: %w", err)
		}
		// Fonts of the same widths stand in where the first is not installed.
		return bytes.ReplaceAll(b.Bytes(), []byte("font-family:Liberation Sans;"),
			[]byte("font-family:Liberation Sans,Arial,Helvetica,sans-serif;")), nil
	case "png":
		c := vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(pg.w, pg.h), vgimg.UseDPI(dpi))}
		pg.draw(c)
		if _, err := c.WriteTo(&b); err != nil {
			return nil, fmt.Errorf("chart: %w", err)
		}
		return b.Bytes(), nil
	case "pdf":
		timeless()
		c := latin{vgpdf.New(pg.w, pg.h)}
		pg.draw(c)
		if _, err := c.WriteTo(&b); err != nil {
			return nil, fmt.Errorf("chart: %w", err)
		}
		return b.Bytes(), nil
	}
	return nil, fmt.Errorf("chart: there is no format %q: svg, pdf or png", format)
}

// timeless keeps the clock and the order of maps out of PDF files: the writer can only be told so
// for all documents at once.
var timeless = sync.OnceFunc(func() {
	fpdf.SetDefaultCreationDate(time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC))
	fpdf.SetDefaultModificationDate(time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC))
	fpdf.SetDefaultCatalogSort(true)
})

// latin gives PDF its texts in the code page of its fonts, Windows 1252, which vgpdf takes for
// granted; a letter that is not in it becomes a question mark.
type latin struct{ *vgpdf.Canvas }

// FillString is that of vg.Canvas.
func (c latin) FillString(face font.Face, at vg.Point, s string) {
	var b strings.Builder
	for _, r := range s {
		x, ok := charmap.Windows1252.EncodeRune(r)
		if !ok {
			x = '?'
		}
		b.WriteByte(x)
	}
	c.Canvas.FillString(face, at, b.String())
}
