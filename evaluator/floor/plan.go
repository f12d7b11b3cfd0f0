// Package floor is the ground: where the racks of a design stand, what stands in them, how long its cables are, and
// which sockets they join.
//
// A Plan places racks by arithmetic on the canonical placement of a family (plan.go, racks.go, runs.go). A Layout
// counts the cables of a design on it by length (layout.go, stream.go, ring.go); Plan.LeastCables bounds them without
// laying any (least.go, leastsum.go, distances.go). A Schedule streams every cable and every rack (schedule.go, cable.go,
// sockets.go) and counts parts that several links share (shared.go).
package floor

import (
	"math"

	"toposearch/evaluator/market"
	"toposearch/evaluator/metric"
	"toposearch/topology"
)

// Plan is where racks stand and what stands in them, by arithmetic on the canonical
// placement. Consecutive blocks form sections: as many small blocks as share one endpoint rack,
// or one block on as many racks as it needs. A section has its endpoint racks with its network
// racks in their middle; central racks stand in the middle of each building; sections fill the
// rows to and fro, so that neighbours in that order are neighbours on the floor. Racks in that
// order have a position; a rack's number is its place on the floor.
type Plan struct {
	site    *Site
	size    *topology.Size
	home    [topology.MaxClasses]topology.Home
	count   [topology.MaxClasses]int64 // boxes of each class
	sharing [topology.MaxClasses]market.Sharing

	blocks, perBlock     int64 // blocks, endpoints of one
	perSection, sections int64 // blocks of a section
	perServer, perRack   int64 // endpoints of a server, of an endpoint rack
	endRacks, netRacks   int64 // of a section
	both                 bool  // network switches of a section stand in its one endpoint rack
	boxes                int64 // switches that a network rack holds
	central              int64 // central racks of a building
	perBuilding          int64 // racks of a building
	sectionsIn           int64 // sections of a building
	half                 int64 // sections before the central racks
	buildings            int64
	rows, perRow         int64
	crowded              bool       // switches that belong with endpoints did not fit there
	circuits             circuitSet // optical circuit switches
	own                  bool       // sections are racks of the construction
	divided              string     // the key of the limit by which they are not; "" if none, or if the construction has none
}

// Place fills p with the plan of a design whose switches and network cards are bought, in servers of perServer
// endpoints, with which their scale-up switches stand. The rejection is a server or a switch that draws more than a rack may. The size must stay as
// it is while the plan is in use. It does not allocate.
func (p *Plan) Place(site *Site, perServer int, s *topology.Size, place *topology.Placement, b *market.Purchase) metric.Reject {
	serverW := site.ServerW(perServer, (b.NICW+b.ScaleupW)/float64(s.Endpoints))
	*p = Plan{site: site, size: s, perServer: int64(perServer), buildings: int64(max(site.Buildings, 1))}
	for i := range s.Family.SwitchClasses {
		p.home[i] = topology.Central
		if i < len(place.Homes) {
			p.home[i] = place.Homes[i]
		}
		if c := &s.Family.SwitchClasses[i]; c.Embedded && !c.StandsIn {
			p.home[i] = topology.Inside
		}
	}
	p.circuits.bring(s.Family, b)
	p.blocks = max(int64(place.Blocks), 1)
	p.countBoxes(b)
	p.perBlock = (s.Endpoints + p.blocks - 1) / p.blocks
	if rej := p.limits(serverW, b); rej.Constraint != "" {
		return rej
	}
	p.formSections(serverW, b)
	p.arrange()
	return metric.Reject{}
}

// countBoxes counts the boxes of each class. Those that switches of several blocks share stand in the middle.
func (p *Plan) countBoxes(b *market.Purchase) {
	for i := range p.size.Family.SwitchClasses {
		how := b.Sharing[i]
		p.sharing[i], p.count[i] = how, b.Boxes(p.size, i)
		if how.Per > 1 && p.size.Switch[i].Count/how.Together%p.blocks != 0 {
			p.home[i] = topology.Central
		}
	}
}

// limits finds how much a rack holds under the power limit of a rack.
func (p *Plan) limits(serverW float64, b *market.Purchase) metric.Reject {
	servers, boxes := int64(max(p.site.RackServers, 1)), int64(max(p.site.RackSwitches, 1))
	if limit := p.site.RackPowerW; limit > 0 {
		most := 0.0
		for i := range p.size.Family.SwitchClasses {
			if p.count[i] > 0 && p.home[i] != topology.Inside {
				most = math.Max(most, b.PowerW(i))
			}
		}
		for j := range p.circuits.boxes {
			most = math.Max(most, p.circuits.watts(j))
		}
		if need := math.Max(most, serverW); need > limit {
			return metric.Reject{Constraint: metric.RejectRack, Got: need, Bound: limit}
		}
		if most > 0 {
			boxes = min(boxes, int64(limit/most))
		}
	}
	if p.size.Family.OwnRacks {
		if p.divided = p.dividesRacks(serverW, b); p.divided == "" {
			p.own = true
			p.perRack, p.boxes = (p.perBlock+p.perServer-1)/p.perServer*p.perServer, boxes
			return metric.Reject{}
		}
	}
	if limit := p.site.RackPowerW; limit > 0 {
		servers = p.serversWithin(limit, serverW, servers, b)
		if servers == 0 {
			// Not even one server beside its share of switches: they go to racks of their own.
			p.crowd()
			servers = max(1, min(int64(p.site.RackServers), int64(limit/math.Max(serverW, 1))))
		}
	}
	p.perRack, p.boxes = servers*p.perServer, boxes
	return metric.Reject{}
}

// dividesRacks gives the key of the limit of the site that the racks of the construction are beyond, "" if none.
func (p *Plan) dividesRacks(serverW float64, b *market.Purchase) string {
	s := p.site
	spares := (p.size.Spares() + p.blocks - 1) / p.blocks
	servers, boxes, watts := (p.perBlock+spares+p.perServer-1)/p.perServer, -spares, 0.0
	for i := range p.size.Family.SwitchClasses {
		if p.home[i] == topology.WithEndpoints {
			boxes += p.share(i)
			watts += float64(p.share(i)) * b.PowerW(i)
		}
	}
	watts += float64(p.perBlock+spares) / float64(p.perServer) * serverW
	switch {
	case servers > int64(s.RackServers) && !s.usualServers:
		return "rack_servers"
	case boxes > int64(s.RackSwitches) && !s.usualSwitches:
		return "rack_switches"
	case s.RackPowerW > 0 && watts > s.RackPowerW*(1+1e-12):
		return "rack_power"
	}
	return ""
}

// serversWithin is the largest number of servers that stand in a rack with their share of
// switches; 0 if none.
func (p *Plan) serversWithin(limit, serverW float64, most int64, b *market.Purchase) int64 {
	share := 0.0 // switch power with endpoints, per endpoint
	for i := range p.size.Family.SwitchClasses {
		if p.home[i] == topology.WithEndpoints {
			share += float64(p.count[i]) * b.PowerW(i) / float64(p.size.Endpoints)
		}
	}
	n := most
	for n > 0 && float64(n)*(serverW+share*float64(p.perServer)) > limit {
		n--
	}
	return n
}

// crowd moves the switches that belong with endpoints into network racks.
func (p *Plan) crowd() {
	p.crowded = true
	for i := range p.home {
		if p.home[i] == topology.WithEndpoints {
			p.home[i] = topology.InBlock
		}
	}
}

// inBlock counts the switches of a block at a home.
func (p *Plan) inBlock(h topology.Home) (n int64) {
	for i := range p.size.Family.SwitchClasses {
		if p.home[i] == h {
			n += p.share(i)
		}
	}
	return n
}

// share is the number of switches of class i in a block.
func (p *Plan) share(i int) int64 {
	return (p.count[i] + p.blocks - 1) / p.blocks
}

// together is how many blocks are one section where there are enough of them; with is the number of switches of a
// block that stand with its endpoints, in that of its others.
func (p *Plan) together(with, in int64) int64 {
	if p.perBlock == 0 || 2*p.perBlock > p.perRack {
		return 1
	}
	n := p.perRack / p.perBlock
	if with > 0 {
		n = min(n, max(1, p.boxes/with))
	}
	if in > 0 && p.boxes/(with+in) > 0 {
		// Rather fewer blocks in a rack than a second rack for their switches.
		n = min(n, p.boxes/(with+in))
	}
	return max(1, n)
}

// formSections joins small blocks and counts the racks of a section. Switches stand beside servers where
// the fullest rack has room and power for both.
func (p *Plan) formSections(serverW float64, b *market.Purchase) {
	with, in := p.inBlock(topology.WithEndpoints), p.inBlock(topology.InBlock)
	p.perSection = min(p.together(with, in), p.blocks)
	if p.own {
		p.perSection = 1
	}
	p.sections = (p.blocks + p.perSection - 1) / p.perSection
	ends := p.perSection * p.perBlock
	p.endRacks = max(1, (ends+p.perRack-1)/p.perRack)
	fullest, watts := p.besideServers(topology.WithEndpoints, b)
	servers := float64(min(ends, p.perRack)) / float64(p.perServer)
	limit := p.site.RackPowerW * (1 + 1e-12) // sums of the same watts in another order
	if !p.own && (fullest > p.boxes || fullest > 0 && limit > 0 && servers*serverW+watts > limit) {
		p.crowd()
		watts = 0
		with, in = 0, with+in
	}
	in *= p.perSection
	_, more := p.besideServers(topology.InBlock, b)
	p.both = p.endRacks == 1 && in > 0 && in+p.perSection*with <= p.boxes && (limit == 0 || servers*serverW+watts+more <= limit)
	if !p.both {
		p.netRacks = (in + p.boxes - 1) / p.boxes
	}
}

// besideServers counts the switches of a home that would stand in the fullest endpoint rack of a section,
// and their draw: classes are spread one by one.
func (p *Plan) besideServers(home topology.Home, b *market.Purchase) (n int64, watts float64) {
	for i := range p.size.Family.SwitchClasses {
		if p.home[i] == home {
			k := (p.perSection*p.share(i) + p.endRacks - 1) / p.endRacks
			n += k
			watts += float64(k) * b.PowerW(i)
		}
	}
	return n, watts
}

// arrange shares the racks among buildings and makes each a rectangle as square as the pitches
// allow, unless the rows are given.
func (p *Plan) arrange() {
	central := p.centralSwitches()
	p.buildings = max(1, min(p.buildings, p.sections))
	p.central = ((central+p.buildings-1)/p.buildings + p.boxes - 1) / p.boxes
	p.sectionsIn = (p.sections + p.buildings - 1) / p.buildings
	p.buildings = (p.sections + p.sectionsIn - 1) / p.sectionsIn
	p.central = ((central+p.buildings-1)/p.buildings + p.boxes - 1) / p.boxes
	p.half = (p.sectionsIn + 1) / 2
	p.perBuilding = p.sectionsIn*(p.endRacks+p.netRacks) + p.central
	p.rows, p.perRow = p.site.Hall(p.perBuilding)
}

// centralSwitches counts those of all buildings, circuit switches included.
func (p *Plan) centralSwitches() (all int64) {
	for i := range p.size.Family.SwitchClasses {
		if p.home[i] == topology.Central {
			all += p.count[i]
		}
	}
	return all + p.circuits.boxes
}

// splitsServers tells whether a section ends within a server, whose other endpoints then stand in the
// next: racks inside a section hold whole servers.
func (p *Plan) splitsServers() bool {
	return p.sections > 1 && p.perSection*p.perBlock%p.perServer != 0
}

// hall is the number of rack places of a building, empty ones included.
func (p *Plan) hall() int64 { return p.rows * p.perRow }

// AreaM2 is that of all halls.
func (p *Plan) AreaM2() float64 {
	return float64(p.perRow) * p.site.RackPitchM * (float64(p.rows) * p.site.RowPitchM) * float64(p.buildings)
}
