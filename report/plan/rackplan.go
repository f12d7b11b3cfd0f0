package plan

import (
	"fmt"
	"slices"
	"strings"

	"toposearch/evaluator/floor"
	"toposearch/report/draw"
	"toposearch/report/number"
)

// switchesInRacks counts the switches of each class by rack number.
type switchesInRacks struct {
	classes []string
	count   [][]int64 // by class, then rack
}

func countSwitches(racks int, s *floor.Schedule) *switchesInRacks {
	c := &switchesInRacks{}
	s.EachRack(func(r floor.Rack) bool {
		for i := range r.Boxes {
			x := &r.Boxes[i]
			if x.Switch < 0 {
				continue
			}
			k := slices.Index(c.classes, x.Class)
			if k < 0 {
				k = len(c.classes)
				c.classes, c.count = append(c.classes, x.Class), append(c.count, make([]int64, racks))
			}
			c.count[k][r.Number]++
		}
		return true
	})
	return c
}

// in is the number of switches in a rack, and a text that names them.
func (c *switchesInRacks) in(rack int) (n int64, text string) {
	var parts []string
	for k, name := range c.classes {
		if x := c.count[k][rack]; x > 0 {
			n += x
			parts = append(parts, fmt.Sprintf("%s %s", number.Figure(float64(x)), name))
		}
	}
	return n, strings.Join(parts, ", ")
}

// lines sum the switches of each class.
func (c *switchesInRacks) lines() (out []string) {
	for k, name := range c.classes {
		all, racks, most := int64(0), 0, int64(0)
		for _, n := range c.count[k] {
			if n > 0 {
				all, racks, most = all+n, racks+1, max(most, n)
			}
		}
		out = append(out, fmt.Sprintf("%s: %s in %s, at most %s in one", draw.Clip(name, 200), number.Count(int(all), "switch", "switches"), number.Count(racks, "rack", "racks"), number.Figure(float64(most))))
	}
	return out
}

// rowPitchCounted is the pitch of rows from which the number of switches fits under a rack.
const rowPitchCounted = 40

// RackPlan is FloorPlan with the switches of every rack: their number under it where there is room, and their sums by class. Large halls are
// drawn as on a page.
func RackPlan(name string, f *floor.Summary, schedule *floor.Schedule) string {
	c := countSwitches(max(f.Buildings, 1)*max(f.Rows, 1)*max(f.PerRow, 1), schedule)
	lines := c.lines()
	about := ""
	if len(f.Kind) < runsFrom {
		about = "The number under a rack is that of its switches."
	}
	s := sheet{file: len(f.Kind) < runsFrom, style: draw.Style, foot: 84 + 16*float64(len(lines)+1), desc: strings.Join(lines, ". ")}
	s.hall = func(d *draw.Drawing, g *hall) {
		if g.pitch < rackPitchNamed || g.row < rowPitchCounted {
			return
		}
		for r := range g.kinds() {
			if n, text := c.in(g.first + r); n > 0 {
				x, y := g.left+(float64(r%g.per)+0.5)*g.pitch, g.top+(float64(r/g.per)+0.5)*g.row+g.rackH/2
				d.Titled(text, func() { d.Text("pn", x, y+10, "middle", fmt.Sprint(n)) })
			}
		}
	}
	s.legend = func(d *draw.Drawing, _, _, bottom float64) {
		for i, l := range append(lines, about) {
			if l != "" {
				d.Text("tk", floorLeft, bottom+72+16*float64(i), "start", l)
			}
		}
	}
	return s.draw(name, f)
}
