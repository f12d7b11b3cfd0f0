package topology

import "slices"

// Moved is an endpoint whose own switch has failed, and the spare that has taken its place.
type Moved struct {
	Endpoint EndpointID
	From, To SwitchID
}

// WithSpares is Without, and what spares do then: an endpoint that hung on one embedded switch alone, which has failed, moves
// to the spare of its part of the endpoints (SwitchClass.StandsIn), if that works and stands in for no other. It keeps its number, so
// that traffic to it goes to the spare.
func (n *Network) WithSpares(f *Failures) (*Network, []Moved, error) {
	m, err := n.Without(f)
	if err != nil {
		return nil, nil, err
	}
	first, count := n.spares()
	if count == 0 {
		return m, nil, nil
	}
	per := max(1, n.Endpoints()/count)
	taken := make([]bool, count)
	var moved []Moved
	for g := range n.Groups() {
		e, end, ports := n.Group(g)
		part := int(e) / per
		if end-e != 1 || len(ports) != 1 || !n.Embedded(ports[0]) || !slices.Contains(f.Switches, ports[0]) || part >= count {
			continue
		}
		if to := first + SwitchID(part); !taken[part] && !slices.Contains(f.Switches, to) {
			taken[part] = true
			moved = append(moved, Moved{e, ports[0], to})
		}
	}
	m.move(moved)
	return m, moved, nil
}

// spares gives the switches of spare endpoints: the first, and how many.
func (n *Network) spares() (first SwitchID, count int) {
	for s := range SwitchID(n.Switches()) {
		if n.SwitchClasses[n.switchClass[s]].StandsIn {
			if count == 0 {
				first = s
			}
			count++
		}
	}
	return first, count
}

// move hangs endpoints, in order, which are groups of their own without a port, on other switches.
func (n *Network) move(moved []Moved) {
	var start []int32
	var ports []SwitchID
	for g := range n.Groups() {
		first, _, at := n.Group(g)
		start = append(start, int32(len(ports)))
		ports = append(ports, at...)
		if len(moved) > 0 && moved[0].Endpoint == first {
			ports = append(ports, moved[0].To)
			moved = moved[1:]
		}
	}
	n.portStart, n.ports = append(start, int32(len(ports))), ports
}
