package report

import (
	"fmt"
	"math"
	"strings"

	"toposearch/evaluator"
)

// Kinds of racks of evaluator.Floor.
var rackKinds = []string{"endpoints", "network", "both"}

// runsFrom is the number of racks from which neighbours of one kind are drawn as one bar, so that
// a hall of ten thousand racks stays a small picture.
const runsFrom = 1500

// floorStyle makes a floor plan readable on its own.
const floorStyle = `<style>text{font:11px system-ui,sans-serif;fill:#444}.lb{font-weight:600;fill:#111}` +
	`.k0{fill:#c9d6e6}.k1{fill:#d55e00}.k2{fill:#7fa6cf}.ai{fill:none;stroke:#bbb}.ax{stroke:#666;fill:none}` +
	`@media(prefers-color-scheme:dark){svg{background:#14171a}text{fill:#aab}.lb{fill:#eee}.k0{fill:#33475e}.k2{fill:#4f7fb3}.ai{stroke:#444}}</style>`

// floorPlan draws the racks seen from above, endpoints, network and mixed racks in three colours,
// to scale. standalone adds the style that a page has already.
func floorPlan(name string, f *evaluator.Floor, standalone bool) string {
	rows, per := max(f.Rows, 1), max(f.PerRow, 1)
	width, depth := f.WidthM, f.DepthM
	if !(width > 0) || !(depth > 0) {
		width, depth = float64(per)*0.6, float64(rows)*3
	}
	scale := min(600/width, 420/depth, 40)
	w, h := width*scale, depth*scale
	d := newDrawing(max(w, 360)+40, h+78, fmt.Sprintf("Floor plan of %s: %d racks in %d rows, %s by %s metres.",
		name, f.Racks, rows, plain(figure(width)), plain(figure(depth))))
	if standalone {
		d.b.WriteString(floorStyle)
	}
	d.text("lb", 20, 16, "start", fmt.Sprintf("%s racks in %s", plain(figure(float64(f.Racks))), count(rows, "row", "rows")))
	d.rect("ai", 20, 28, w, h, "")
	pitch, row := w/float64(per), h/float64(rows)
	rackH := min(row*0.45, pitch*2.2)
	for kind := range rackKinds {
		d.racks(f, kind, per, pitch, row, rackH)
	}
	d.floorLegend(f, scale, w, h)
	return d.String()
}

// racks draws those of one kind as a single path.
func (d *drawing) racks(f *evaluator.Floor, kind, per int, pitch, row, rackH float64) {
	var b strings.Builder
	n := min(f.Racks, len(f.Kind))
	gap := min(1, pitch*0.15)
	for r := 0; r < n; {
		if int(f.Kind[r]) != kind {
			r++
			continue
		}
		end := r + 1
		if f.Racks >= runsFrom {
			for end < n && end%per != 0 && int(f.Kind[end]) == kind {
				end++
			}
		}
		x := 20 + float64(r%per)*pitch
		y := 28 + float64(r/per)*row + (row-rackH)/2
		w := float64(end-r)*pitch - gap
		b.WriteString("M" + px(x) + " " + px(y) + "h" + px(w) + "v" + px(rackH) + "h" + px(-w) + "z")
		r = end
	}
	if b.Len() > 0 {
		d.path(fmt.Sprintf("k%d", kind), b.String(), "")
	}
}

// floorLegend draws the counts per kind and a scale bar.
func (d *drawing) floorLegend(f *evaluator.Floor, scale, w, h float64) {
	var n [3]int
	for _, k := range f.Kind {
		n[min(int(k), 2)]++
	}
	x, y := 20.0, h+50
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
	d.path("ax", "M20 "+px(h+64)+"v6h"+px(bar*scale)+"v-6", "")
	d.text("tk", 26+bar*scale, h+71, "start", plain(figure(bar))+" m")
}

// count gives a number with its noun.
func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return plain(figure(float64(n))) + " " + many
}

// finite replaces what is not a number.
func finite(v, other float64) float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return other
	}
	return v
}
