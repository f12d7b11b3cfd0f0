package plan

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"toposearch/evaluator/floor"
	"toposearch/internal/chart"
	"toposearch/report/draw"
	"toposearch/report/number"
)

// rackKinds are those of floor.Summary that hold something.
var rackKinds = []string{"endpoints", "network", "both"}

// runsFrom is the number of racks from which the page draws neighbours of one kind as one bar, so
// that a hall of ten thousand racks stays a small picture. The file has them one by one.
const runsFrom = 1500

// floorStyle makes a floor plan readable on its own.
const floorStyle = `<style>text{font:11px system-ui,sans-serif;fill:#444}.lb{font-weight:600;fill:#111}` +
	`.k0{fill:#c9d6e6}.k1{fill:#d55e00}.k2{fill:#7fa6cf}.pn{font-size:9px;fill:#111}.ai{fill:none;stroke:#bbb}.ax{stroke:#666;fill:none}` +
	`@media(prefers-color-scheme:dark){svg{background:#14171a}text{fill:#aab}.lb,.pn{fill:#eee}.k0{fill:#33475e}.k2{fill:#4f7fb3}.ai{stroke:#444}}</style>`

// Sizes of a drawing, pixels. A page is 1,150 wide; in a file of its own a rack is as wide as its
// number is, unless that made a hall wider than most viewers draw.
const (
	pageFloorW, pageFloorH = 1080.0, 430.0
	filePitch              = 19.0
	fileFloorMost          = 8000.0
	floorLeft, floorTop    = 44.0, 64.0 // room for the names of rows, and for titles and numbers of places
	hallGap                = 56.0       // between two halls: names of rows, or a title and numbers of places
)

// hall is one building of a drawing: pixels of its outline, rack pitch, row pitch and rack depth.
type hall struct {
	f                 *floor.Summary
	per               int
	w, h              float64
	pitch, row, rackH float64
	left, top         float64
	building          int
	first             int // number of its first place
	runs              bool
	shown             []uint8 // kinds of its places, as drawn
}

// sheet is what a drawing of the floor shows beside racks and places.
type sheet struct {
	file   bool   // of its own: as large as the numbers of racks need
	style  string // of a file
	about  string // a second line of the title
	foot   float64
	least  float64 // width
	desc   string
	hall   func(d *draw.Drawing, g *hall)                      // over the racks of a hall
	legend func(d *draw.Drawing, scale, width, bottom float64) // under all halls, foot high
}

// FloorPlan draws the racks seen from above, to scale, in the colours of what stands in them; the
// buildings in a grid. standalone is a file of its own: larger, with a style and the numbers of all
// racks, by which a crew finds its way.
func FloorPlan(name string, f *floor.Summary, standalone bool) string {
	s := sheet{file: standalone, foot: 62}
	if standalone {
		s.style = floorStyle
	}
	return s.draw(name, f)
}

func (s *sheet) draw(name string, f *floor.Summary) string {
	rows, per, halls := max(f.Rows, 1), max(f.PerRow, 1), max(f.Buildings, 1)
	width, depth := f.WidthM, f.DepthM
	if !(width > 0) || !(depth > 0) {
		width, depth = float64(per)*0.6, float64(rows)*3
	}
	cols, scale := hallGrid(width, depth, halls)
	if s.file {
		scale = min(filePitch*float64(per)/width, fileFloorMost/(width*float64(cols)))
	}
	g := hall{f: f, per: per, w: width * scale, h: depth * scale, runs: !s.file && len(f.Kind) >= runsFrom}
	g.pitch, g.row = g.w/float64(per), g.h/float64(rows)
	g.rackH = min(g.row*0.45, g.pitch*2.2)
	lines := (halls + cols - 1) / cols
	all := floorTop + float64(lines)*(g.h+hallGap) - hallGap
	where, size := floorTitle(f, rows, width, depth)
	title := where + ", " + number.Plain(size)
	least := max(420, s.least) // the width of the title
	if s.style != "" {
		least = max(least, 640, draw.Width(name)+20, draw.Width(s.about)+20)
	}
	d := draw.New(max(floorLeft+float64(cols)*(g.w+hallGap)-hallGap+20, least), all+s.foot,
		fmt.Sprintf("Floor plan of %s: %s. %s", name, title, s.desc))
	d.Raw(s.style)
	if s.style != "" {
		d.Text("lb", 8, 16, "start", name)
		d.Text("tk", 8, 32, "start", title+". Names as in cables.csv: "+exampleRack(halls))
	} else {
		d.Text("lb", 8, 16, "start", title)
	}
	for b := range halls {
		g.left, g.top = floorLeft+float64(b%cols)*(g.w+hallGap), floorTop+float64(b/cols)*(g.h+hallGap)
		g.building, g.first = b, b*max(f.PerBuilding, 0)
		if halls > 1 {
			d.Text("lb", g.left, g.top-18, "start", fmt.Sprintf("B%d", b+1))
		}
		g.shown = g.kinds()
		if g.runs {
			g.shown = smooth(g.shown, per)
		}
		d.Rect("ai", g.left, g.top, g.w, g.h, "")
		for kind := range rackKinds {
			drawRacks(d, &g, kind)
		}
		if s.hall != nil {
			s.hall(d, &g)
		}
		drawPlaces(d, &g, s.file)
	}
	drawLegend(d, f, scale, g.w, all)
	if s.legend != nil {
		s.legend(d, scale, g.w, all)
	}
	return d.String()
}

// hallGrid finds in how many columns the halls are drawn largest on a page, and their pixels per metre.
func hallGrid(width, depth float64, halls int) (cols int, scale float64) {
	for c := 1; c <= halls; c++ {
		lines := (halls + c - 1) / c
		w := (pageFloorW - float64(c-1)*hallGap) / (float64(c) * width)
		h := (pageFloorH - float64(lines-1)*hallGap) / (float64(lines) * depth)
		// More than ten halls leave no room beside the gaps: the drawing then grows.
		if s := max(min(w, h, 40), 60/(width+depth)); s > scale*(1+1e-9) {
			cols, scale = c, s
		}
	}
	return cols, scale
}

func floorTitle(f *floor.Summary, rows int, width, depth float64) (where, size string) {
	where = number.Count(f.Racks, "rack", "racks") + " in " + number.Count(rows, "row", "rows")
	size = number.PageFigure(width) + " by " + number.PageFigure(depth) + number.UnitSpace + "m"
	if f.Buildings > 1 {
		where = fmt.Sprintf("%s in %d buildings of %s", number.Count(f.Racks, "rack", "racks"), f.Buildings, number.Count(rows, "row", "rows"))
		size += " each"
	}
	return where, size
}

func exampleRack(halls int) string {
	if halls > 1 {
		return "B2-R01-P03 is place 3 of row 1 in building 2"
	}
	return "R01-P03 is place 3 of row 1"
}

// kinds are those of the places of the hall.
func (g *hall) kinds() []uint8 {
	kinds := g.f.Kind[min(g.first, len(g.f.Kind)):]
	if n := g.f.PerBuilding; n > 0 {
		kinds = kinds[:min(n, len(kinds))]
	}
	return kinds
}

// mostRuns bounds the bars of a hall on a page: 4,000 are some 100 kB.
const mostRuns = 4000

// smooth gives places, of rows of per, the kind that is most frequent among their neighbours where they change from place to place more
// often than can be drawn small.
func smooth(kinds []uint8, per int) []uint8 {
	runs := 1
	for r := 1; r < len(kinds); r++ {
		if r%per == 0 || kinds[r] != kinds[r-1] {
			runs++
		}
	}
	if runs <= mostRuns {
		return kinds
	}
	rows := (len(kinds) + per - 1) / per
	cell := max(1, (per*rows+mostRuns-1)/mostRuns)
	out := slices.Clone(kinds)
	for first := 0; first < len(kinds); first += per {
		row := out[first:min(first+per, len(out))]
		for x := 0; x < len(row); x += cell {
			part := row[x:min(x+cell, len(row))]
			var n [256]int
			most := part[0]
			for _, k := range part {
				if n[k]++; n[k] > n[most] {
					most = k
				}
			}
			for i := range part {
				part[i] = most
			}
		}
	}
	return out
}

// drawRacks draws those of one kind as a single path.
func drawRacks(d *draw.Drawing, g *hall, kind int) {
	kinds := g.shown
	var b strings.Builder
	gap := min(1, g.pitch*0.15)
	for r := 0; r < len(kinds); {
		if int(kinds[r]) != kind {
			r++
			continue
		}
		end := r + 1
		for g.runs && end < len(kinds) && end%g.per != 0 && int(kinds[end]) == kind {
			end++
		}
		x := g.left + float64(r%g.per)*g.pitch
		y := g.top + float64(r/g.per)*g.row + (g.row-g.rackH)/2
		w := float64(end-r)*g.pitch - gap
		b.WriteString("M" + draw.Px(x) + " " + draw.Px(y) + "h" + draw.Px(w) + "v" + draw.Px(g.rackH) + "h" + draw.Px(-w) + "z")
		r = end
	}
	if b.Len() > 0 {
		d.Path(fmt.Sprintf("k%d", kind), b.String(), "")
	}
}

// Names of rows and numbers of places stand where they can be read. These are the pixels that a line of text,
// two digits in a rack and a number above the hall need, and the racks from which a page has no numbers in them.
const (
	rowPitchNamed  = 12
	rackPitchNamed = 16
	placePitch     = 26
	racksNamed     = 300
)

// drawPlaces names rows and racks as cables.csv does: rows at the left, places above the hall, and the
// number in every rack where there is room.
func drawPlaces(d *draw.Drawing, g *hall, standalone bool) {
	kinds := g.kinds()
	rows := (len(kinds) + g.per - 1) / g.per
	every := every(rowPitchNamed, g.row)
	for r := 0; r < rows; r += every {
		d.Text("tk", g.left-5, g.top+(float64(r)+0.5)*g.row+4, "end", fmt.Sprintf("R%02d", r+1))
	}
	each := g.pitch >= rackPitchNamed && (standalone || len(kinds) <= racksNamed)
	if !each {
		for p, step := 1, everyTick(g.pitch); p <= g.per; p += step {
			d.Text("pn", g.left+(float64(p)-0.5)*g.pitch, g.top-4, "middle", fmt.Sprint(p))
			if p == 1 && step > 1 {
				p = 0 // 1, 5, 10, ...
			}
		}
		return
	}
	for r, k := range kinds {
		if k == floor.RackNone {
			continue
		}
		x, y := g.left+(float64(r%g.per)+0.5)*g.pitch, g.top+(float64(r/g.per)+0.5)*g.row
		d.Text("pn", x, y+3.5, "middle", fmt.Sprint(r%g.per+1))
	}
}

// every is the number of pitches that a text takes, whose width is in pixels.
func every(text, pitch float64) int { return max(1, int(math.Ceil(text/max(pitch, 1e-3)))) }

// everyTick is the round number of places between two numbers above a hall.
func everyTick(pitch float64) int {
	n := every(placePitch, pitch)
	if n == 1 {
		return 1
	}
	return max(5, int(math.Ceil(chart.RoundUp(float64(n)))))
}

// drawLegend draws the counts per kind and a scale bar.
func drawLegend(d *draw.Drawing, f *floor.Summary, scale, w, h float64) {
	var n [3]int
	for _, k := range f.Kind {
		if int(k) < len(n) {
			n[k]++
		}
	}
	x, y := floorLeft, h+26
	for k, name := range rackKinds {
		if n[k] == 0 {
			continue
		}
		d.Rect(fmt.Sprintf("k%d", k), x, y-9, 10, 10, "")
		t := fmt.Sprintf("%s %s", name, number.Figure(float64(n[k])))
		d.Text("tk", x+15, y, "start", t)
		x += 30 + 6.5*float64(len(t))
	}
	bar := chart.RoundUp(max(w, 60) / scale / 6)
	d.Path("ax", "M"+draw.Px(floorLeft)+" "+draw.Px(h+40)+"v6h"+draw.Px(bar*scale)+"v-6", "")
	d.Text("tk", floorLeft+6+bar*scale, h+47, "start", number.Figure(bar)+" m")
}
