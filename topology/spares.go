package topology

import (
	"cmp"
	"slices"
)

// Moved is an endpoint whose own switch has failed, and the spare that has taken its place.
type Moved struct {
	Endpoint EndpointID
	From, To SwitchID
}

// Moves lists, by endpoint, what spares do as parts fail: an endpoint that hung on one embedded switch alone, which has failed, moves
// to the spare of its part of the endpoints (SwitchClass.StandsIn), if that works and stands in for no other. before are the moves
// before the last change, which hold as long as they can; of several new ones the first endpoint has the spare.
func (n *Network) Moves(f *Failures, before []Moved) []Moved {
	first, count := n.spares()
	if count == 0 {
		return nil
	}
	per := max(1, n.Endpoints()/count)
	taken := make([]bool, count)
	var moves []Moved
	failed := func(s SwitchID) bool { return slices.Contains(f.Switches, s) }
	for _, m := range before {
		if failed(m.From) && !failed(m.To) {
			taken[m.To-first] = true
			moves = append(moves, m)
		}
	}
	for g := range n.Groups() { // those that WithSpares has moved
		if _, _, ports := n.Group(g); len(ports) == 1 && ports[0] >= first && int(ports[0]-first) < count {
			taken[ports[0]-first] = true
		}
	}
	for g := range n.Groups() {
		e, end, ports := n.Group(g)
		part := int(e) / per
		if end-e != 1 || len(ports) != 1 || !n.Embedded(ports[0]) || !failed(ports[0]) || part >= count {
			continue
		}
		if to := first + SwitchID(part); !taken[part] && !failed(to) {
			taken[part] = true
			moves = append(moves, Moved{e, ports[0], to})
		}
	}
	slices.SortFunc(moves, func(a, b Moved) int { return cmp.Compare(a.Endpoint, b.Endpoint) })
	return moves
}

// WithSpares is Without, and what spares do then (Moves). An endpoint keeps its number, so that traffic to it goes to the spare.
func (n *Network) WithSpares(f *Failures) (*Network, []Moved, error) {
	m, err := n.Without(f)
	if err != nil {
		return nil, nil, err
	}
	moves := n.Moves(f, nil)
	m.hang(moves)
	return m, moves, nil
}

// Standby gives the network with one more port for each of some endpoints that move, in order: the last, to its spare. It is
// there for a simulation in which endpoints move, and does not work before (Moved.Port).
func (n *Network) Standby(moves []Moved) *Network {
	m := *n
	m.hang(moves)
	return &m
}

// Port is the one that Standby adds, as what fails.
func (m *Moved) Port() PortFailure { return PortFailure{m.Endpoint, m.To} }

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

// hang hangs endpoints, in order, which are groups of their own, on other switches too.
func (n *Network) hang(moves []Moved) {
	if len(moves) == 0 {
		return
	}
	var start []int32
	var ports []SwitchID
	for g := range n.Groups() {
		first, _, at := n.Group(g)
		start = append(start, int32(len(ports)))
		ports = append(ports, at...)
		if len(moves) > 0 && moves[0].Endpoint == first {
			ports = append(ports, moves[0].To)
			moves = moves[1:]
		}
	}
	n.portStart, n.ports = append(start, int32(len(ports))), ports
}
