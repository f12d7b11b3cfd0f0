package floor

import (
	"fmt"
	"strings"

	"toposearch/internal/unit"
	"toposearch/topology"
)

// Summary is the rectangle of racks: rack r stands in row r/PerRow at place r%PerRow. Several
// buildings have a rectangle each, of PerBuilding places: rack r is number r%PerBuilding of
// building r/PerBuilding.
type Summary struct {
	Racks, Rows, PerRow    int
	Buildings, PerBuilding int
	WidthM, DepthM         float64 // of one building
	Kind                   []uint8 // per rack: RackEndpoints, RackNetwork, RackBoth or RackNone
	Note                   string  // what the plan departs from, "" if nothing
	Split                  string  // that servers are divided between racks, "" if they are not
}

// What stands in a rack.
const (
	RackEndpoints uint8 = iota // endpoints, and the switches that stand with them
	RackNetwork                // switches only
	RackBoth                   // endpoints and the network switches of their blocks
	RackNone                   // an empty place
)

// Summary says what the plan looks like.
func (p *Plan) Summary() Summary {
	s := Summary{Racks: int(p.Racks()), Rows: int(p.rows), PerRow: int(p.perRow), Buildings: int(p.buildings), PerBuilding: int(p.hall()),
		WidthM: float64(p.perRow) * p.site.RackPitchM, DepthM: float64(p.rows) * p.site.RowPitchM, Kind: p.kinds()}
	if p.crowded {
		s.Note = "switches that belong with endpoints do not fit into their racks and stand in network racks"
	}
	switch {
	case p.own:
		spares := p.size.Spares() / p.blocks
		s.Note = fmt.Sprintf("racks as the construction has them: %s and %s in each", unit.Count(p.perBlock, "endpoint", "endpoints"), unit.Count(p.inBlock(topology.WithEndpoints)-spares, "switch", "switches"))
		if spares > 0 {
			s.Note += fmt.Sprintf(", and %d spare", spares)
		}
	case p.divided != "":
		limit := map[string]string{"rack_servers": fmt.Sprint(p.site.RackServers), "rack_switches": fmt.Sprint(p.site.RackSwitches),
			"rack_power": fmt.Sprintf("%g kW", p.site.RackPowerW/1000)}[p.divided]
		s.Note = strings.TrimPrefix(fmt.Sprintf("%s; the racks of the construction are divided: the site has %s = %s", s.Note, p.divided, limit), "; ")
	}
	if p.splitsServers() {
		s.Split = fmt.Sprintf("blocks of %s are not whole servers of %d: the plan divides some servers between two racks, as racks.csv shows; in the hall each stands in one, and some of its cables run to the next rack", unit.Count(p.perBlock, "endpoint", "endpoints"), p.perServer)
	}
	return s
}

// FarthestM bounds the laid length of any cable inside a building: from one corner of the hall to the other.
func (p *Plan) FarthestM() float64 {
	return max(p.site.InRackM, p.site.LengthM(p.perRow-1, p.rows-1, false))
}

// SwitchesM is the laid length of a cable between two switches of class i.
func (p *Plan) SwitchesM(i int, a, b int64) float64 {
	a, _ = p.sharing[i].Box(a)
	b, _ = p.sharing[i].Box(b)
	x, y := p.spot(p.positionOfSwitch(i, a)), p.spot(p.positionOfSwitch(i, b))
	dx, dy := int64(x.x-y.x), int64(x.y-y.y)
	return p.site.LengthM(max(dx, -dx), max(dy, -dy), x.building != y.building)
}

// kinds tells what stands in each rack, by number.
func (p *Plan) kinds() []uint8 {
	k := make([]uint8, p.buildings*p.hall())
	for i := range k {
		k[i] = RackNone
	}
	for s := range p.sections {
		for r := range p.endRacks {
			kind := RackEndpoints
			if p.both {
				kind = RackBoth
			}
			k[p.rack(p.spot(p.end(s, r)))] = kind
		}
	}
	for i := range p.size.Family.SwitchClasses {
		if p.home[i] != topology.Central && (p.home[i] != topology.InBlock || p.both) {
			continue
		}
		p.eachRun(i, func(_, position int64) { k[p.rack(p.spot(position))] = RackNetwork })
	}
	p.eachCircuit(func(_, position int64) { k[p.rack(p.spot(position))] = RackNetwork })
	return k
}
