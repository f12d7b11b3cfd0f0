package wire

import (
	"math"
	"math/rand/v2"

	"toposearch/evaluator/floor"
)

// hall is where switches may stand: racks in rows, filled to and fro, as the floor plan of the file has them. Switches stand beside
// their hosts, spread evenly over the racks of these; where that is more than a rack takes, in racks of their own in the middle of them.
type hall struct {
	site    *floor.Site
	rack    []int32 // by position
	perRow  int
	lengths []float64 // laid, by how many places and rows two racks are apart
	rows    int
}

func newHall(site *floor.Site, switches, hosts int) *hall {
	const perServer = 8 // as a study has it where it says nothing
	perRack, boxes := max(site.RackServers*perServer, 1), max(site.RackSwitches, 1)
	ends := max((hosts+perRack-1)/perRack, 1)
	first, over, racks := 0, ends, ends // racks with switches follow the first ones
	if switches > ends*boxes {
		first, over = (ends+1)/2, (switches+boxes-1)/boxes
		racks += over
	}
	h := &hall{site: site, rack: make([]int32, switches)}
	for p := range h.rack {
		h.rack[p] = int32(first + p*over/switches)
	}
	rows, perRow := site.Hall(int64(racks))
	h.rows, h.perRow = int(rows), int(perRow)
	h.lengths = make([]float64, h.rows*h.perRow)
	for y := range h.rows {
		for x := range h.perRow {
			h.lengths[y*h.perRow+x] = site.LengthM(int64(x), int64(y), false)
		}
	}
	return h
}

// length is that of a cable between the switches at two positions, m.
func (h *hall) length(p, q int32) float64 {
	a, b := int(h.rack[p]), int(h.rack[q])
	ya, yb := a/h.perRow, b/h.perRow
	xa, xb := a%h.perRow, b%h.perRow
	if ya%2 == 1 {
		xa = h.perRow - 1 - xa
	}
	if yb%2 == 1 {
		xb = h.perRow - 1 - xb
	}
	return h.lengths[max(ya-yb, yb-ya)*h.perRow+max(xa-xb, xb-xa)]
}

// natural stands the switches of one turn side by side, turn after turn.
func natural(g *Graph) []int32 {
	at := make([]int32, g.Switches())
	for o := range g.Orbits {
		for r := range g.Turns {
			at[o*g.Turns+r] = int32(r*g.Orbits + o)
		}
	}
	return at
}

// total is the length of all cables, m.
func (h *hall) total(g *Graph, at []int32) (m float64) {
	g.Each(func(a, b int) { m += h.length(at[a], at[b]) })
	return m
}

// place anneals which switch stands where; distances in links stay. It ends after so many exchanges.
func (h *hall) place(g *Graph, at []int32, rng *rand.Rand, exchanges int64) {
	near := make([][]int32, g.Switches())
	g.Each(func(a, b int) {
		near[a], near[b] = append(near[a], int32(b)), append(near[b], int32(a))
	})
	around := func(s int, x int32) (m float64) { // of the links of s if it stood at x
		for _, t := range near[s] {
			m += h.length(x, at[t])
		}
		return m
	}
	// From the difference that a row makes to a hundredth of a place.
	hot, cold := h.site.RowPitchM+h.site.RackPitchM, h.site.RackPitchM/100
	for i := range exchanges {
		t := hot * math.Pow(cold/hot, float64(i)/float64(exchanges))
		a, b := rng.IntN(len(at)), rng.IntN(len(at))
		if a == b || g.hosts[a/g.Turns] != g.hosts[b/g.Turns] {
			continue // a rack would hold more hosts
		}
		before := around(a, at[a]) + around(b, at[b])
		at[a], at[b] = at[b], at[a]
		if more := around(a, at[a]) + around(b, at[b]) - before; more > 0 && rng.Float64() >= math.Exp(-more/t) {
			at[a], at[b] = at[b], at[a]
		}
	}
}
