package floor

import (
	"errors"
	"fmt"

	"toposearch/catalog"
	"toposearch/evaluator/market"
	"toposearch/internal/memory"
	"toposearch/topology"
)

// ErrNoPlan says that a design cannot be laid out: it has no placement, or there is no part for
// it.
var ErrNoPlan = errors.New("no floor plan")

// Schedule holds where every box of a design stands and which cables join them.
type Schedule struct {
	market  *market.Market
	site    *Site
	d       topology.Design
	size    topology.Size
	rates   market.Rates
	floor   Plan
	buys    market.Purchase
	spots   []spot                // by switch
	pos     []int32               // of a switch in its rack
	holder  []topology.EndpointID // endpoint of an embedded switch, -1 otherwise
	rackPos []int32               // boxes so far, by rack
	chosen  []market.Run          // which cables are bought, where that depends on how many,
	shares  *market.Shares        // where they may serve several links,
	whole   []market.Whole        // which of these do,
	over    []Cages               // where they do not fit,
	open    float64               // and how much less others cost at most, minor units
}

// Cages are the physical ports of the switch of a class on which most are filled, where these are more than it has: a plug for several links fills as many as
// are split into so many, also where it serves fewer links there.
type Cages struct {
	Class       string
	Filled, Has int64
}

// stands is NewSchedule before cables are chosen.
func stands(m *market.Market, site *Site, perServer int, d topology.Design) (*Schedule, error) {
	s := &Schedule{market: m, site: site, d: d}
	f := d.Family
	if err := f.Size(d.V, &s.size); err != nil {
		return nil, fmt.Errorf("%s: %w", d, err)
	}
	if f.Place == nil {
		return nil, fmt.Errorf("%s: %w: the family has no placement", d, ErrNoPlan)
	}
	place := f.Place(d.V)
	m.Rate(&s.size, market.BoardSet(place.Boards), &s.rates)
	rej := s.rates.Reject
	if rej.Constraint == "" {
		rej = m.Buy(&s.size, &s.rates, &s.buys)
	}
	if rej.Constraint == "" {
		rej = s.floor.Place(site, perServer, &s.size, &place, &s.buys)
	}
	if rej.Constraint != "" {
		return nil, fmt.Errorf("%s: %w: %s", d, ErrNoPlan, rej.Words())
	}
	if err := memory.Require("the cabling schedule of "+d.String(), s.bytes()); err != nil {
		return nil, err
	}
	s.stand()
	return s, nil
}

// bytes predicts the memory of the schedule while its cables and racks are streamed: where all switches stand,
// which of their ports and sockets are taken, and what is in each rack.
func (s *Schedule) bytes() float64 {
	switches, servers := float64(s.size.AllSwitches()), float64(s.size.Endpoints)/float64(s.floor.perServer)
	rates := float64(len(s.size.Family.LinkClasses)) // at most
	bytes := (29+8*rates)*switches + 3*72*(switches+servers) + 28*float64(s.floor.buildings)*float64(s.floor.hall())
	_, wire := s.d.WireTakes()
	return bytes + wire
}

// eachServer streams the servers in order: endpoints [first, end) and their spot.
func (s *Schedule) eachServer(f func(first, end int64, at spot)) {
	for e := int64(0); e < s.size.Endpoints; {
		position, rackEnd := s.floor.positionOf(e)
		at := s.floor.spot(position)
		for rackEnd = min(rackEnd, s.size.Endpoints); e < rackEnd; {
			end := min(e-e%s.floor.perServer+s.floor.perServer, rackEnd)
			f(e, end, at)
			e = end
		}
	}
}

// stand gives every box its position: servers at the bottom, switches above them in order.
func (s *Schedule) stand() {
	k := int(s.size.AllSwitches() + s.floor.circuits.boxes)
	s.spots, s.pos, s.holder = make([]spot, k), make([]int32, k), make([]topology.EndpointID, k)
	s.rackPos = make([]int32, s.floor.buildings*s.floor.hall())
	s.eachServer(func(_, _ int64, at spot) { s.rackPos[s.floor.rack(at)]++ })
	id := 0
	for i := range s.size.Family.SwitchClasses {
		for j := range s.size.Switch[i].Count {
			s.holder[id] = -1
			if s.floor.home[i] != topology.Inside {
				box, before := s.floor.sharing[i].Box(j)
				s.spots[id] = s.floor.spot(s.floor.positionOfSwitch(i, box))
				r := s.floor.rack(s.spots[id])
				if before == 0 {
					s.rackPos[r]++
				}
				s.pos[id] = s.rackPos[r]
			}
			id++
		}
	}
	s.floor.eachCircuit(func(_, position int64) {
		s.holder[id], s.spots[id] = -1, s.floor.spot(position)
		r := s.floor.rack(s.spots[id])
		s.rackPos[r]++
		s.pos[id] = s.rackPos[r]
		id++
	})
	if s.size.Family.LinkClasses[0].Name == topology.ClassInternal {
		s.eachEndpoint(func(e topology.EndpointID, _ int, sw topology.SwitchID, at spot, pos int) bool {
			s.holder[sw], s.spots[sw], s.pos[sw] = e, at, int32(pos)
			return true
		})
	}
}

// eachEndpoint streams the ports of endpoints with their rack and the position of their server.
func (s *Schedule) eachEndpoint(f func(e topology.EndpointID, port int, sw topology.SwitchID, at spot, pos int) bool) {
	var e, rackEnd, rackFirst int64
	var at spot
	going := true
	s.d.Family.Attach(s.d.V, func(count int, ports []topology.SwitchID) {
		for range count {
			if e >= rackEnd {
				var position int64
				position, rackEnd = s.floor.positionOf(e)
				at, rackFirst = s.floor.spot(position), e
			}
			pos := int(e/s.floor.perServer-rackFirst/s.floor.perServer) + 1
			for k, sw := range ports {
				going = going && f(topology.EndpointID(e), k, sw, at, pos)
			}
			e++
		}
	})
}

// EachRack streams the racks that hold something, by number; f returns false to stop.
func (s *Schedule) EachRack(f func(Rack) bool) {
	boxes := make([][]Box, len(s.rackPos))
	s.eachServer(func(first, end int64, at spot) {
		r := s.floor.rack(at)
		boxes[r] = append(boxes[r], Box{Pos: len(boxes[r]) + 1, Switch: -1, First: topology.EndpointID(first), End: topology.EndpointID(end), Rest: first%s.floor.perServer != 0})
	})
	id := topology.SwitchID(0)
	for i, c := range s.size.Family.SwitchClasses {
		for j := range s.size.Switch[i].Count {
			if s.floor.home[i] != topology.Inside {
				r := s.floor.rack(s.spots[id])
				_, before := s.floor.sharing[i].Box(j)
				boxes[r] = append(boxes[r], Box{Pos: int(s.pos[id]), Switch: id, Shared: before > 0, Class: c.Name, Part: s.buys.Switches[i].Part})
			}
			id++
		}
	}
	s.floor.eachCircuit(func(j, _ int64) {
		r := s.floor.rack(s.spots[id])
		boxes[r] = append(boxes[r], Box{Pos: int(s.pos[id]), Switch: id, Class: catalog.KindOCS, Part: s.floor.circuits.part(j)})
		id++
	})
	kinds := s.floor.kinds()
	hall := int(s.floor.hall())
	for r, b := range boxes {
		if len(b) == 0 {
			continue
		}
		in := r % hall
		if !f(Rack{Number: r, Building: r / hall, Row: in / int(s.floor.perRow), Place: in % int(s.floor.perRow), Kind: kinds[r], Boxes: b}) {
			return
		}
	}
}
