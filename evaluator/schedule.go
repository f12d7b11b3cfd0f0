package evaluator

import (
	"errors"
	"fmt"

	"toposearch/catalog"
	"toposearch/topology"
)

// ErrNoPlan says that a design cannot be laid out: it has no placement, or there is no part for
// it.
var ErrNoPlan = errors.New("no floor plan")

// Rack is one rack with what stands in it, from the bottom up.
type Rack struct {
	Number   int // as in Floor: counted along the rows
	Building int // from 0
	Row      int // from 0
	Place    int // in its row, from 0
	Kind     uint8
	Boxes    []Box
}

// Box is a server or a switch in a rack.
type Box struct {
	Pos    int                 // from 1 at the bottom
	Switch topology.SwitchID   // -1 for a server
	Class  string              // of the switch
	First  topology.EndpointID // endpoints [First, End) of a server
	End    topology.EndpointID
	Part   *catalog.Part // of the switch
}

// scheduler holds where every box stands and which ports are taken.
type scheduler struct {
	e       *Evaluator
	d       topology.Design
	size    topology.Size
	rates   rates
	floor   *floorPlan
	buys    [topology.MaxClasses]catalog.SwitchChoice
	spots   []spot                // by switch
	pos     []int32               // of a switch in its rack
	holder  []topology.EndpointID // endpoint of an embedded switch, -1 otherwise
	rackPos []int32               // boxes so far, by rack
	next    []int32               // next port towards switches, by switch
	ends    []int32               // next port towards endpoints, by switch
	sockets sockets
	chosen  []runs // which cables are bought, where that depends on how many
}

// schedule places every box of a design.
func (e *Evaluator) schedule(d topology.Design) (*scheduler, error) {
	s := &scheduler{e: e, d: d}
	f := d.Family
	if err := f.Size(d.V, &s.size); err != nil {
		return nil, fmt.Errorf("%s: %w", d, err)
	}
	if f.Place == nil {
		return nil, fmt.Errorf("%s: %w: the family has no placement", d, ErrNoPlan)
	}
	place := f.Place(d.V)
	e.rate(&s.size, boardSet(place.Boards), &s.rates)
	rej := s.rates.reject
	if rej.Constraint == "" {
		s.buys, rej = e.switches(&s.size, &s.rates)
	}
	if rej.Constraint == "" {
		var b purchase
		b.switches = s.buys
		e.chooseNICs(&s.size, &s.rates, &b)
		var powerW [topology.MaxClasses]float64
		for i := range powerW {
			if p := s.buys[i].Part; p != nil {
				powerW[i] = p.PowerW
			}
		}
		s.floor, rej = planFloor(&e.opt.Site, &s.size, &place, e.opt.PerServer, e.serverW(&s.size, &b), &powerW)
	}
	if rej.Constraint != "" {
		return nil, fmt.Errorf("%s: %w: %s", d, ErrNoPlan, rej.Words())
	}
	s.stand()
	if e.wireBreaks {
		lay := newLayout(s.floor)
		defer lay.free()
		lay.stream(d, &s.rates)
		if s.chosen, rej = lay.gather(e, &s.rates); rej.Constraint != "" {
			return nil, fmt.Errorf("%s: %w: %s", d, ErrNoPlan, rej.Words())
		}
		e.chooseCables(f, &s.rates, s.chosen)
	}
	return s, nil
}

// eachServer streams the servers in order: endpoints [first, end) and their spot.
func (s *scheduler) eachServer(f func(first, end int64, at spot)) {
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
func (s *scheduler) stand() {
	k := int(s.size.AllSwitches())
	s.spots, s.pos, s.holder = make([]spot, k), make([]int32, k), make([]topology.EndpointID, k)
	s.next, s.ends = make([]int32, k), make([]int32, k)
	s.rackPos = make([]int32, s.floor.buildings*s.floor.hall())
	s.eachServer(func(_, _ int64, at spot) { s.rackPos[s.floor.rack(at)]++ })
	id := 0
	for i := range s.size.Family.SwitchClasses {
		for j := range s.size.Switch[i].Count {
			s.holder[id] = -1
			if s.floor.home[i] != topology.Inside {
				s.spots[id] = s.floor.spot(s.floor.positionOfSwitch(i, j))
				r := s.floor.rack(s.spots[id])
				s.rackPos[r]++
				s.pos[id] = s.rackPos[r]
			}
			id++
		}
	}
	if s.size.Family.LinkClasses[0].Name == topology.ClassInternal {
		s.eachEndpoint(func(e topology.EndpointID, _ int, sw topology.SwitchID, at spot, pos int) bool {
			s.holder[sw], s.spots[sw], s.pos[sw] = e, at, int32(pos)
			return true
		})
	}
}

// eachEndpoint streams the ports of endpoints with their rack and the position of their server.
func (s *scheduler) eachEndpoint(f func(e topology.EndpointID, port int, sw topology.SwitchID, at spot, pos int) bool) {
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

// EachCable streams the cable schedule of a design, as bought: links of endpoints in order of
// the endpoints, then the others in order of the wiring; f returns false to stop. Ports of a
// switch towards switches come first, then those towards endpoints, each in the order of the
// schedule; ports of an endpoint count from 0. The error wraps ErrNoPlan if it cannot be laid
// out, and topology.ErrInfeasible if there is no such network.
func (e *Evaluator) EachCable(d topology.Design, f func(Cable) bool) error {
	return e.eachCable(d, true, f)
}

// eachCable leaves the sockets of cables out where a search only counts them.
func (e *Evaluator) eachCable(d topology.Design, sockets bool, f func(Cable) bool) error {
	s, err := e.schedule(d)
	if err != nil {
		return err
	}
	if sockets {
		s.sockets.learn(s)
	}
	s.countPorts()
	id, going := 0, true
	emit := func(c Cable, class int) bool {
		if !going || err != nil {
			return false
		}
		if s.rates.kind[class] != linkBought {
			return true
		}
		id++
		c.ID = id
		if err = s.choose(&c, class); err == nil {
			going = f(c)
		}
		return going && err == nil
	}
	if s.rates.kind[0] == linkBought {
		s.eachEndpoint(func(ep topology.EndpointID, port int, sw topology.SwitchID, at spot, pos int) bool {
			c := Cable{FromSwitch: -1, Endpoint: ep, FromPort: port, FromRack: s.floor.rack(at), FromPos: pos, From: s.unitOf(ep, port)}
			s.take(&c, sw, 0, s.ends, s.sockets.ends)
			s.length(&c, at, s.spots[sw])
			return emit(c, 0)
		})
	}
	if d.Family.Wire != nil {
		d.Family.Wire(d.V, func(class int, a, b topology.SwitchID) {
			if s.rates.kind[class] != linkBought || !going || err != nil {
				return
			}
			c := Cable{FromSwitch: a, FromPort: int(s.next[a]), FromRack: s.floor.rack(s.spots[a]), FromPos: int(s.pos[a])}
			s.next[a]++
			if h := s.holder[a]; h >= 0 {
				c.FromSwitch, c.Endpoint, c.From = -1, h, s.unitOf(h, c.FromPort)
			} else {
				c.From = s.sockets.take(class, a, s.sockets.next)
			}
			s.take(&c, b, class, s.next, s.sockets.next)
			s.length(&c, s.spots[a], s.spots[b])
			emit(c, class)
		})
	}
	return err
}

// take gives the far end of a cable of a class the next port of switch b.
func (s *scheduler) take(c *Cable, b topology.SwitchID, class int, ports []int32, sockets [][]int32) {
	c.ToSwitch, c.ToPort = b, int(ports[b])
	ports[b]++
	c.ToRack, c.ToPos = s.floor.rack(s.spots[b]), int(s.pos[b])
	if h := s.holder[b]; h >= 0 {
		c.ToSwitch, c.ToEndpoint, c.To = -1, h, s.unitOf(h, c.ToPort)
	} else {
		c.To = s.sockets.take(class, b, sockets)
	}
}

// countPorts lets the ports towards endpoints begin behind those towards switches.
func (s *scheduler) countPorts() {
	if s.d.Family.Wire == nil {
		return
	}
	s.d.Family.Wire(s.d.V, func(class int, a, b topology.SwitchID) {
		if s.rates.kind[class] == linkBought {
			s.ends[a]++
			s.ends[b]++
			s.sockets.count(class, a, b)
		}
	})
}

func (s *scheduler) length(c *Cable, a, b spot) {
	dx, dy := int64(a.x-b.x), int64(a.y-b.y)
	c.LaidM = s.e.opt.Site.lengthM(max(dx, -dx), max(dy, -dy), a.building != b.building)
	if a.building != b.building {
		c.StockM = -1 // marks it for choose
	}
}

// choose buys the cable.
func (s *scheduler) choose(c *Cable, class int) error {
	gbps := s.rates.link[class]
	sp := s.e.speedOf(gbps)
	if c.StockM < 0 {
		sp = s.e.farOf(gbps)
	}
	step := -1
	if sp != nil {
		step = sp.at(c.LaidM)
	}
	if step < 0 {
		return fmt.Errorf("%s: %w: no %g Gb/s cable of %.4g m", s.d, ErrNoPlan, gbps, c.LaidM)
	}
	for i := range s.chosen {
		if x := &s.chosen[i]; x.class == class && x.far == (c.StockM < 0) && x.rung == step {
			step = x.step
			break
		}
	}
	cab := &sp.steps[step]
	c.Link, c.StockM, c.Medium = s.d.Family.LinkClasses[class].Name, cab.StockM, cab.Medium
	c.Part, c.Modules = cab.Items[0].Part, cab.Items[1].Part
	return nil
}

// EachRack streams the racks of a design that hold something, by number. Errors are those of
// EachCable.
func (e *Evaluator) EachRack(d topology.Design, f func(Rack) bool) error {
	s, err := e.schedule(d)
	if err != nil {
		return err
	}
	boxes := make([][]Box, len(s.rackPos))
	s.eachServer(func(first, end int64, at spot) {
		r := s.floor.rack(at)
		boxes[r] = append(boxes[r], Box{Pos: len(boxes[r]) + 1, Switch: -1, First: topology.EndpointID(first), End: topology.EndpointID(end)})
	})
	id := topology.SwitchID(0)
	for i, c := range s.size.Family.SwitchClasses {
		for range s.size.Switch[i].Count {
			if s.floor.home[i] != topology.Inside {
				r := s.floor.rack(s.spots[id])
				boxes[r] = append(boxes[r], Box{Pos: len(boxes[r]) + 1, Switch: id, Class: c.Name, Part: s.buys[i].Part})
			}
			id++
		}
	}
	kinds := s.floor.kinds()
	hall := int(s.floor.hall())
	for r, b := range boxes {
		if len(b) == 0 {
			continue
		}
		in := r % hall
		if !f(Rack{Number: r, Building: r / hall, Row: in / int(s.floor.perRow), Place: in % int(s.floor.perRow), Kind: kinds[r], Boxes: b}) {
			return nil
		}
	}
	return nil
}
