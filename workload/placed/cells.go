package placed

import (
	"fmt"
	"math"
	"slices"

	"toposearch/workload"
)

// Cells is a DCell of one level over its shortest routes: cells of Size endpoints on a switch, one more of them than that, each endpoint linked to one of another cell: that which has the
// number of the other cell, its own left out. A message goes by way of the link between the two cells, or, where sender and receiver are linked to the same third cell, by way of that,
// which is one hop less. Loads are counted without building it.
type Cells struct {
	Size int
	// Port and Link are what the link of an endpoint to its switch and that to another cell carry each way, in units of what an endpoint sends at Link.BytesPerS.
	Port, Link float64
}

// Geometry is all but what links carry.
func (c *Cells) Geometry() string { return fmt.Sprint("cells ", c.Size) }

func (c *Cells) home(endpoint int) int32 { return int32(endpoint) }

func (c *Cells) under(levels []float64) float64 { return max(levels[0]/c.Port, levels[1]/c.Link) }

func (c *Cells) split([]busiest) float64 { return math.Inf(1) }

// closed is left to count: groups of ranks do not lie alike.
func (c *Cells) closed(workload.Group, pattern) (busiest float64, ok bool) { return 0, false }

// linked is the cell to which an endpoint of a cell is linked.
func (c *Cells) linked(endpoint, cell int) int {
	at := endpoint - cell*c.Size
	if at >= cell {
		at++
	}
	return at
}

// to is the endpoint of a cell that is linked to another.
func (c *Cells) to(cell, other int) int {
	if other > cell {
		other--
	}
	return cell*c.Size + other
}

// cellLoads are by endpoint what it sends to its switch, receives from there, and sends over its link.
type cellLoads struct {
	*Cells
	up, down, link []float64
}

func (c *Cells) loads() shapeLoads {
	n := c.Size * (c.Size + 1)
	return &cellLoads{c, make([]float64, n), make([]float64, n), make([]float64, n)}
}

// pass is a message inside a cell.
func (l *cellLoads) pass(from, to int, share float64) {
	if from != to {
		l.up[from] += share
		l.down[to] += share
	}
}

func (l *cellLoads) add(from, to int, share float64) {
	a, b := from/l.Size, to/l.Size
	if a == b {
		l.pass(from, to, share)
		return
	}
	if third := l.linked(from, a); third == l.linked(to, b) {
		l.link[from] += share
		l.pass(l.to(third, a), l.to(third, b), share)
		l.link[l.to(third, b)] += share
		return
	}
	exit := l.to(a, b)
	l.pass(from, exit, share)
	l.link[exit] += share
	l.pass(l.to(b, a), to, share)
}

func (l *cellLoads) levels() []float64 {
	return []float64{max(slices.Max(l.up), slices.Max(l.down)), slices.Max(l.link)}
}

func (l *cellLoads) ways() []busiest { return nil }

// blocks are parts of cells, cells, and several of them.
func (c *Cells) blocks() (out []Subtree) {
	for s := 1; s <= c.Size; s++ {
		if c.Size%s == 0 { // the switch is on either side
			out = append(out, Subtree{Endpoints: s, Carry: float64(s)*c.Link + float64(min(s, c.Size-s))*c.Port})
		}
	}
	for cells := 2; cells <= c.Size; cells *= 2 {
		if (c.Size+1)%cells == 0 {
			out = append(out, Subtree{Endpoints: cells * c.Size, Carry: float64(cells*(c.Size+1-cells)) * c.Link})
		}
	}
	return out
}
