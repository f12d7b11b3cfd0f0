package report

import (
	"fmt"
	"strings"

	"toposearch/evaluator"
)

// rackKinds are those of evaluator.Floor that hold something.
var rackKinds = []string{"endpoints", "network", "both"}

// runsFrom is the number of racks from which neighbours of one kind are drawn as one bar, so that
// a hall of ten thousand racks stays a small picture.
const runsFrom = 1500

// floorStyle makes a floor plan readable on its own.
const floorStyle = `<style>text{font:11px system-ui,sans-serif;fill:#444}.lb{font-weight:600;fill:#111}` +
	`.k0{fill:#c9d6e6}.k1{fill:#d55e00}.k2{fill:#7fa6cf}.pn{font-size:9px;fill:#111}.ai{fill:none;stroke:#bbb}.ax{stroke:#666;fill:none}` +
	`@media(prefers-color-scheme:dark){svg{background:#14171a}text{fill:#aab}.lb,.pn{fill:#eee}.k0{fill:#33475e}.k2{fill:#4f7fb3}.ai{stroke:#444}}</style>`

// floorPlan draws the racks seen from above, to scale, in the colours of what stands in them; of
// several buildings one below the other. standalone adds the style that a page has already.
func floorPlan(name string, f *evaluator.Floor, standalone bool) string {
	rows, per, halls := max(f.Rows, 1), max(f.PerRow, 1), max(f.Buildings, 1)
	width, depth := f.WidthM, f.DepthM
	if !(width > 0) || !(depth > 0) {
		width, depth = float64(per)*0.6, float64(rows)*3
	}
	scale := min(600/width, 420/(depth*float64(halls)), 40)
	g := hall{f: f, per: per, w: width * scale, h: depth * scale}
	g.pitch, g.row = g.w/float64(per), g.h/float64(rows)
	g.rackH = min(g.row*0.45, g.pitch*2.2)
	all := float64(halls) * (g.h + hallGap)
	where := count(f.Racks, "rack", "racks") + " in " + count(rows, "row", "rows")
	if halls > 1 {
		where += fmt.Sprintf(" of each of %d buildings", halls)
	}
	d := newDrawing(max(g.w, 360)+40, all+62, fmt.Sprintf("Floor plan of %s: %s, %s by %s metres.",
		name, where, plain(figure(width)), plain(figure(depth))))
	if standalone {
		d.b.WriteString(floorStyle)
	}
	d.text("lb", 20, 16, "start", where)
	for b := range halls {
		g.top, g.first = 28+float64(b)*(g.h+hallGap), b*max(f.PerBuilding, 0)
		d.rect("ai", 20, g.top, g.w, g.h, "")
		for kind := range rackKinds {
			d.racks(&g, kind)
		}
		d.places(&g)
	}
	d.floorLegend(f, scale, g.w, all)
	return d.String()
}

// hallGap is the space between the drawings of two buildings, pixels.
const hallGap = 16

// hall is one building of a drawing: pixels of its outline, rack pitch, row pitch and rack depth.
type hall struct {
	f                 *evaluator.Floor
	per               int
	w, h              float64
	pitch, row, rackH float64
	top               float64
	first             int // number of its first place
}

// racks draws those of one kind as a single path.
func (d *drawing) racks(g *hall, kind int) {
	kinds := g.f.Kind[min(g.first, len(g.f.Kind)):]
	if n := g.f.PerBuilding; n > 0 {
		kinds = kinds[:min(n, len(kinds))]
	}
	var b strings.Builder
	gap := min(1, g.pitch*0.15)
	for r := 0; r < len(kinds); {
		if int(kinds[r]) != kind {
			r++
			continue
		}
		end := r + 1
		if len(g.f.Kind) >= runsFrom {
			for end < len(kinds) && end%g.per != 0 && int(kinds[end]) == kind {
				end++
			}
		}
		x := 20 + float64(r%g.per)*g.pitch
		y := g.top + float64(r/g.per)*g.row + (g.row-g.rackH)/2
		w := float64(end-r)*g.pitch - gap
		b.WriteString("M" + px(x) + " " + px(y) + "h" + px(w) + "v" + px(g.rackH) + "h" + px(-w) + "z")
		r = end
	}
	if b.Len() > 0 {
		d.path(fmt.Sprintf("k%d", kind), b.String(), "")
	}
}

// Names of rows and numbers of places stand where they can be read: rows far enough apart for a
// line of text, racks as wide as two digits, and few enough of both that a page is not all text.
const (
	rowPitchNamed  = 24
	rackPitchNamed = 16
	racksNamed     = 300
)

// places names the rows and racks as cables.csv does: R01-P07 is place 7 of row 1.
func (d *drawing) places(g *hall) {
	kinds := g.f.Kind[min(g.first, len(g.f.Kind)):]
	if n := g.f.PerBuilding; n > 0 {
		kinds = kinds[:min(n, len(kinds))]
	}
	if g.row < rowPitchNamed || len(kinds) == 0 {
		return
	}
	for r := range (len(kinds) + g.per - 1) / g.per {
		d.text("tk", 23, g.top+float64(r)*g.row+(g.row-g.rackH)/2-4, "start", fmt.Sprintf("R%02d", r+1))
	}
	if g.pitch < rackPitchNamed || len(kinds) > racksNamed {
		return
	}
	for r, k := range kinds {
		if k == evaluator.RackNone {
			continue
		}
		x, y := 20+(float64(r%g.per)+0.5)*g.pitch, g.top+(float64(r/g.per)+0.5)*g.row
		d.text("pn", x, y+3.5, "middle", fmt.Sprint(r%g.per+1))
	}
}

// floorLegend draws the counts per kind and a scale bar.
func (d *drawing) floorLegend(f *evaluator.Floor, scale, w, h float64) {
	var n [3]int
	for _, k := range f.Kind {
		if int(k) < len(n) {
			n[k]++
		}
	}
	x, y := 20.0, h+34
	for k, name := range rackKinds {
		if n[k] == 0 {
			continue
		}
		d.rect(fmt.Sprintf("k%d", k), x, y-9, 10, 10, "")
		t := fmt.Sprintf("%s %s", name, plain(figure(float64(n[k]))))
		d.text("tk", x+15, y, "start", t)
		x += 30 + 6.5*float64(len(t))
	}
	bar := niceStep(max(w, 60) / scale / 6)
	d.path("ax", "M20 "+px(h+48)+"v6h"+px(bar*scale)+"v-6", "")
	d.text("tk", 26+bar*scale, h+55, "start", plain(figure(bar))+" m")
}

// count gives a number with its noun.
func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return plain(figure(float64(n))) + " " + many
}
