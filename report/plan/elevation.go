package plan

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"toposearch/evaluator/floor"
	"toposearch/report/draw"
	"toposearch/report/number"
)

// elevations collects racks that hold the same, from the bottom up.
type elevations struct {
	n     *namer
	kinds map[string]int
	list  []elevation
}

// elevation is one kind of rack.
type elevation struct {
	boxes []string // what stands at each position, from the bottom up
	racks []int    // their numbers, ascending
}

func newElevations(n *namer) *elevations { return &elevations{n: n, kinds: map[string]int{}} }

func (e *elevations) rack(r *floor.Rack) {
	var boxes []string
	for i := range r.Boxes {
		x := &r.Boxes[i]
		switch {
		case x.Switch < 0:
			boxes = append(boxes, "server, "+number.Count(int(x.End-x.First), "endpoint", "endpoints"))
		case x.Shared && len(boxes) > 0:
			boxes[len(boxes)-1] += " + " + x.Class
		case x.Part != nil:
			boxes = append(boxes, x.Class+", "+x.Part.PartNo)
		default:
			boxes = append(boxes, x.Class)
		}
	}
	id := strings.Join(boxes, "\n")
	k, ok := e.kinds[id]
	if !ok {
		k = len(e.list)
		e.kinds[id] = k
		e.list = append(e.list, elevation{boxes: boxes})
	}
	e.list[k].racks = append(e.list[k].racks, r.Number)
}

// Sizes of a drawing of elevations, pixels.
const (
	elevationW, elevationGap = 250.0, 26.0
	boxH                     = 17.0
	elevationsPerLine        = 4
	elevationHead            = 52.0 // above a rack: how many, and where
	// mostElevations are drawn, those of most racks first; the others are counted.
	mostElevations = 24
	// runsNamed are named of the places of a kind of rack.
	runsNamed = 2
)

// Elevations draws what stands in each kind of rack.
func Elevations(name string, f *floor.Summary, s *floor.Schedule, standalone bool) string {
	e := newElevations(&namer{floor: f})
	s.EachRack(func(r floor.Rack) bool {
		e.rack(&r)
		return true
	})
	return e.draw(name, standalone)
}

// draw draws each kind of rack once, with how many there are and where they stand.
func (e *elevations) draw(name string, standalone bool) string {
	kinds := slices.Clone(e.list)
	slices.SortStableFunc(kinds, func(a, b elevation) int {
		return cmp.Or(cmp.Compare(len(b.racks), len(a.racks)), cmp.Compare(a.racks[0], b.racks[0]))
	})
	shown := kinds[:min(len(kinds), mostElevations)]
	racks := 0
	for i := range kinds {
		racks += len(kinds[i].racks)
	}
	title := fmt.Sprintf("%s of %s", number.Count(racks, "rack", "racks"), number.Count(len(kinds), "kind", "kinds"))
	about := "Positions count boxes from the bottom, as in racks.csv; price lists do not say how high they are."
	if n := len(kinds) - len(shown); n > 0 {
		about += fmt.Sprintf(" Not drawn: %s, in racks.csv.", number.Count(n, "kind of the fewest racks", "kinds of the fewest racks"))
	}
	cols := min(max(len(shown), 1), elevationsPerLine)
	width := max(20+float64(cols)*(elevationW+elevationGap), draw.Width(about)+20, draw.Width(name)+20)
	height, tops := 48.0, make([]float64, 0, len(shown))
	for line := range slices.Chunk(shown, elevationsPerLine) {
		most := 0
		for i := range line {
			most = max(most, len(line[i].boxes))
		}
		height += elevationHead + float64(most)*boxH + 24
		for range line {
			tops = append(tops, height-24)
		}
	}
	d := draw.New(width, height, "Elevations of the racks of "+name+": "+title)
	if standalone {
		d.Raw(draw.Style)
	}
	d.Text("lb", 8, 16, "start", name+": "+title)
	d.Text("tk", 8, 34, "start", about)
	for i := range shown {
		x, bottom := 10+float64(i%elevationsPerLine)*(elevationW+elevationGap), tops[i]
		k := &shown[i]
		top := bottom - float64(len(k.boxes))*boxH
		d.Text("lb", x, top-22, "start", number.Count(len(k.racks), "rack", "racks"))
		d.Text("tk", x, top-7, "start", draw.Clip(e.places(k.racks), elevationW+elevationGap-8))
		for p, what := range k.boxes {
			y := bottom - float64(p+1)*boxH
			class := "bd"
			if strings.HasPrefix(what, "server, ") {
				class = "bk"
			}
			d.Rect(class, x+22, y, elevationW-22, boxH, what)
			d.Text("pn", x+17, y+boxH-5, "end", fmt.Sprint(p+1))
			d.Text("tk", x+28, y+boxH-5, "start", draw.Clip(what, elevationW-36))
		}
	}
	return d.String()
}

// places names racks by runs of neighbours in a row: R01-P01 to P16, R02-P01, and 12 more.
func (e *elevations) places(racks []int) string {
	per := max(e.n.floor.PerRow, 1)
	var out []string
	named := 0
	for i := 0; i < len(racks) && len(out) < runsNamed; {
		j := i
		for j+1 < len(racks) && racks[j+1] == racks[j]+1 && racks[j+1]%per != 0 {
			j++
		}
		text := string(e.n.rack(nil, racks[i]))
		if j > i {
			last := string(e.n.rack(nil, racks[j]))
			text += " to " + last[strings.LastIndexByte(last, '-')+1:]
		}
		out = append(out, text)
		named, i = j+1, j+1
	}
	if n := len(racks) - named; n > 0 {
		out = append(out, fmt.Sprintf("%s more", number.Figure(float64(n))))
	}
	return strings.Join(out, ", ")
}
