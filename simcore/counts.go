package simcore

import "toposearch/topology"

// Counts are the parts of a network on which the memory of its simulation depends.
type Counts struct {
	Switches, Endpoints int64
	Channels            int64 // between switches
	Ties                int64 // ports of endpoints
	// UnitTies are the ports of unit rate that the flit model has for them: several for an internal link.
	UnitTies int64
}

// unitPorts is the number of ports of unit rate that carry what an endpoint sends over an internal link.
func unitPorts(endpointLanes, unit int32) int64 {
	return int64(endpointLanes+unit-1) / int64(unit)
}

// CountsOf counts those of a network.
func CountsOf(n *topology.Network) Counts {
	c := Counts{Switches: int64(n.Switches()), Endpoints: int64(n.Endpoints()), Channels: int64(n.Channels())}
	for g := range n.Groups() {
		first, end, ports := n.Group(g)
		c.Ties += int64(end-first) * int64(len(ports))
	}
	c.UnitTies = c.Ties
	if n.LinkClasses[0].Name == topology.ClassInternal {
		c.UnitTies *= unitPorts(n.EndpointLanes, UnitLanes(n))
	}
	return c
}

// CountsOfSize takes them from closed forms, before the network is built.
func CountsOfSize(s *topology.Size) Counts {
	c := Counts{Endpoints: s.Endpoints, Ties: s.Endpoints * int64(max(1, s.EndpointPorts))}
	c.UnitTies = c.Ties
	for i := range s.Switch {
		c.Switches += s.Switch[i].Count
	}
	if s.Family.LinkClasses[0].Name == topology.ClassInternal { // of an endpoint to its own switch
		unit := int32(0)
		for i := 1; i < len(s.Link); i++ {
			if s.Link[i] > 0 {
				unit = max(unit, s.Lanes[i])
			}
		}
		if unit == 0 { // as UnitLanes
			unit = max(1, s.EndpointLanes)
		}
		c.Ties, c.UnitTies = s.Endpoints, s.Endpoints*unitPorts(s.EndpointLanes, unit)
	}
	for i := range s.Link {
		switch {
		case i == 0: // of endpoints
		case s.Family.Unidirectional:
			c.Channels += s.Link[i]
		default:
			c.Channels += 2 * s.Link[i]
		}
	}
	return c
}
