package floor

import (
	"fmt"

	"toposearch/catalog"
	"toposearch/evaluator/market"
	"toposearch/topology"
)

// Cable is one cable of the schedule.
type Cable struct {
	ID             int // from 1, in order
	Link           string
	FromSwitch     topology.SwitchID   // -1 for an endpoint
	ToSwitch       topology.SwitchID   // -1 for an endpoint
	Circuit        bool                // ToSwitch is an optical circuit switch: half a link, with a module at From only
	Endpoint       topology.EndpointID // when FromSwitch < 0
	ToEndpoint     topology.EndpointID // when ToSwitch < 0: a link between endpoints that relay
	FromPort       int
	ToPort         int
	FromRack       int
	ToRack         int
	LaidM, StockM  float64
	Part           *catalog.Part
	Modules        *catalog.Part // transceivers at its ends, nil for cables
	Medium         string
	FromPos, ToPos int // position of the box in its rack, counted from 1 at the bottom
	From, To       Socket
	run            int // of those chosen
}

// EachCable streams the cable schedule, as bought: links of endpoints in order of the endpoints, then the others
// in order of the wiring; f returns false to stop. Ports of a switch towards switches come first, then
// those towards endpoints, each in the order of the schedule; ports of an endpoint count from 0. Without
// sockets, which take time, From and To of cables are empty. The error wraps ErrNoPlan if a cable is not
// on sale.
func (s *Schedule) EachCable(sockets bool, f func(Cable) bool) error {
	k := len(s.spots)
	p := &ports{s: s, next: make([]int32, k), ends: make([]int32, k)}
	if sockets {
		p.sockets.learn(s)
	}
	p.countEnds()
	id, going := 0, true
	var err error
	emit := func(c *Cable, class int, between bool) {
		id++
		c.ID = id
		if err = s.choose(c, class, between); err == nil {
			going = f(*c)
		}
	}
	if s.rates.Kind[0] == market.Cable {
		s.eachEndpoint(func(ep topology.EndpointID, port int, sw topology.SwitchID, at spot, pos int) bool {
			c := Cable{FromSwitch: -1, Endpoint: ep, FromPort: port, FromRack: s.floor.rack(at), FromPos: pos, From: s.unitOf(ep, port)}
			p.far(&c, sw, 0, p.ends, p.sockets.ends)
			emit(&c, 0, s.length(&c, at, s.spots[sw]))
			return going && err == nil
		})
	}
	if s.d.Family.Wire == nil || !going {
		return err
	}
	way := s.floor.throughCircuits()
	lay := func(class int, a, b topology.SwitchID, circuit bool) {
		if !going || err != nil {
			return
		}
		c := Cable{FromSwitch: a, FromPort: int(p.next[a]), FromRack: s.floor.rack(s.spots[a]), FromPos: int(s.pos[a])}
		p.next[a]++
		if h := s.holder[a]; h >= 0 {
			c.FromSwitch, c.Endpoint, c.From = -1, h, s.unitOf(h, c.FromPort)
		} else {
			c.From = p.sockets.take(class, a, p.sockets.next)
		}
		c.Circuit = circuit
		p.far(&c, b, class, p.next, p.sockets.next)
		emit(&c, class, s.length(&c, s.spots[a], s.spots[b]))
	}
	s.d.Family.Wire(s.d.V, func(class int, a, b topology.SwitchID) {
		if box, ok := way.box(class, a); ok {
			lay(class, a, box, true)
			lay(class, b, box, true)
		} else if s.rates.Kind[class] == market.Cable {
			lay(class, a, b, false)
		}
	})
	return err
}

// ports are the ports of switches that are taken so far.
type ports struct {
	s       *Schedule
	next    []int32 // next port towards switches, by switch
	ends    []int32 // next port towards endpoints, by switch
	sockets sockets
}

// countEnds lets the ports towards endpoints begin behind those towards switches.
func (p *ports) countEnds() {
	s := p.s
	if s.d.Family.Wire == nil {
		return
	}
	s.d.Family.Wire(s.d.V, func(class int, a, b topology.SwitchID) {
		if s.rates.Kind[class] == market.Cable {
			p.ends[a]++
			p.ends[b]++
			p.sockets.count(class, a, b)
		}
	})
}

// far gives the far end of a cable of a class the next port of switch b.
func (p *ports) far(c *Cable, b topology.SwitchID, class int, next []int32, sockets [][]int32) {
	s := p.s
	c.ToSwitch, c.ToPort = b, int(next[b])
	next[b]++
	c.ToRack, c.ToPos = s.floor.rack(s.spots[b]), int(s.pos[b])
	if h := s.holder[b]; c.Circuit {
		c.To = Socket{Port: c.ToPort + 1}
	} else if h >= 0 {
		c.ToSwitch, c.ToEndpoint, c.To = -1, h, s.unitOf(h, c.ToPort)
	} else {
		c.To = p.sockets.take(class, b, sockets)
	}
}

// length lays a cable and tells whether it joins buildings.
func (s *Schedule) length(c *Cable, a, b spot) (between bool) {
	dx, dy := int64(a.x-b.x), int64(a.y-b.y)
	between = a.building != b.building
	c.LaidM = s.site.LengthM(max(dx, -dx), max(dy, -dy), between)
	return between
}

// choose buys the cable.
func (s *Schedule) choose(c *Cable, class int, between bool) error {
	gbps := s.rates.Link[class]
	sp := s.market.SpeedOfClass(&s.rates, class, between)
	step := -1
	if sp != nil {
		step = sp.Step(c.LaidM)
	}
	if step < 0 {
		return fmt.Errorf("%s: %w: no %g Gb/s cable of %.4g m", s.d, ErrNoPlan, gbps, c.LaidM)
	}
	for i := range s.chosen {
		if x := &s.chosen[i]; x.Class == class && x.Between == between && x.Need == step {
			step, c.run = x.Step, i
			break
		}
	}
	cab := &sp.Steps[step]
	c.Link, c.StockM, c.Medium = s.d.Family.LinkClasses[class].Name, cab.StockM, cab.Medium
	c.Part, c.Modules = cab.Items[0].Part, cab.Items[1].Part
	return nil
}
