package plan

import (
	"strconv"

	"toposearch/evaluator/floor"
	"toposearch/report/number"
	"toposearch/topology"
)

// namer names devices and racks.
type namer struct {
	size  topology.Size
	first [topology.MaxClasses + 1]int64 // first SwitchID of each class
	floor *floor.Summary
}

func newNamer(x *Export) (*namer, error) {
	n := &namer{floor: &x.Plan.Floor}
	if err := x.Design.Family.Size(x.Design.V, &n.size); err != nil {
		return nil, err
	}
	for i := range n.size.Family.SwitchClasses {
		n.first[i+1] = n.first[i] + n.size.Switch[i].Count
	}
	return n, nil
}

// rack is its place on the floor, counted from 1.
func (n *namer) rack(b []byte, r int) []byte {
	f := n.floor
	if f.Buildings > 1 && f.PerBuilding > 0 {
		b = strconv.AppendInt(append(b, 'B'), int64(r/f.PerBuilding+1), 10)
		b = append(b, '-')
		r %= f.PerBuilding
	}
	per := max(f.PerRow, 1)
	b = appendTwo(append(b, 'R'), r/per+1)
	return appendTwo(append(b, '-', 'P'), r%per+1)
}

// device is the class of a switch with its number in the class, behind them those of optical circuit switches;
// without a switch, the endpoint.
func (n *namer) device(b []byte, s topology.SwitchID, e topology.EndpointID) []byte {
	if s < 0 {
		return strconv.AppendInt(append(b, "endpoint-"...), int64(e), 10)
	}
	classes := n.size.Family.SwitchClasses
	for i := range classes {
		if int64(s) < n.first[i+1] {
			b = append(number.AppendCell(b, classes[i].Name), '-')
			return strconv.AppendInt(b, int64(s)-n.first[i], 10)
		}
	}
	return strconv.AppendInt(append(b, "ocs-"...), int64(s)-n.first[len(classes)], 10)
}

func appendTwo(b []byte, x int) []byte {
	if x < 10 {
		b = append(b, '0')
	}
	return strconv.AppendInt(b, int64(x), 10)
}

// scope is how far a cable goes.
type scope uint8

const (
	inRack scope = iota
	inRow
	betweenRows
	betweenBuildings
)

// Steps of an installation: first the racks and what stands in them, then cables, the longest ways first, so that those
// that fill the trays do not lie on what is already connected.
const (
	stepRacks    = 1
	stepSwitches = 2
	stepServers  = 3
	stepCables   = 4
)

// step is the step in which cables of a scope are laid.
func (s scope) step() int { return stepCables + int(betweenBuildings-s) }

// way is where a cable is laid, as its length assumes: up to the tray, along the row of the rack with the lower number, across the
// rows at the place of the other, and down; to another building at that place.
type way struct {
	scope      scope
	a, b       int // racks, the lower number first
	row, place [2]int
	building   [2]int
}

func (n *namer) way(c *floor.Cable) way {
	w := way{a: min(c.FromRack, c.ToRack), b: max(c.FromRack, c.ToRack)}
	hall, per := n.floor.PerBuilding, max(n.floor.PerRow, 1)
	for i, r := range []int{w.a, w.b} {
		if n.floor.Buildings > 1 && hall > 0 {
			w.building[i] = r / hall
			r %= hall
		}
		w.row[i], w.place[i] = r/per, r%per
	}
	switch {
	case w.a == w.b:
	case w.building[0] != w.building[1]:
		w.scope = betweenBuildings
	case w.row[0] != w.row[1]:
		w.scope = betweenRows
	default:
		w.scope = inRow
	}
	return w
}

// tray writes R01/P02-P07 for the tray along row 1 from place 2 to 7, P07/R01-R03 for that across the rows at place 7, B1-B2.
func (n *namer) tray(b []byte, w *way) []byte {
	start := len(b)
	part := func(along byte, at int, across byte, from, to int) {
		if from == to {
			return
		}
		if len(b) > start {
			b = append(b, ' ')
		}
		if n.floor.Buildings > 1 {
			b = append(strconv.AppendInt(append(b, 'B'), int64(w.building[0]+1), 10), '-')
		}
		b = append(appendTwo(append(b, along), at+1), '/')
		b = appendTwo(append(b, across), from+1)
		b = appendTwo(append(b, '-', across), to+1)
	}
	part('R', w.row[0], 'P', w.place[0], w.place[1])
	part('P', w.place[1], 'R', w.row[0], w.row[1])
	if w.building[0] != w.building[1] {
		if len(b) > start {
			b = append(b, ' ')
		}
		b = strconv.AppendInt(append(b, 'B'), int64(w.building[0]+1), 10)
		b = strconv.AppendInt(append(b, '-', 'B'), int64(w.building[1]+1), 10)
	}
	return b
}
