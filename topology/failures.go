package topology

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// Failures are parts of a network that do not work.
type Failures struct {
	Switches []SwitchID
	// Links are named by one of their channels; the opposite one fails as well.
	Links []ChannelID
	Ports []PortFailure
}

// PortFailure is a link between an endpoint and a switch.
type PortFailure struct {
	Endpoint EndpointID
	Switch   SwitchID
}

// None says that nothing has failed.
func (f *Failures) None() bool { return len(f.Switches)+len(f.Links)+len(f.Ports) == 0 }

// Without gives the network without what has failed. Switches and endpoints keep their numbers:
// a failed switch has no links, an endpoint whose switches have all failed no ports. Channels are
// numbered anew, in the old order; the design's name does not change.
func (n *Network) Without(f *Failures) (*Network, error) {
	m, _, err := n.Left(f)
	return m, err
}

// Numbering says what parts of a network that is left are called in the whole one.
type Numbering struct {
	Channels []ChannelID // by channel
	ports    []int32     // as Network.ports
	left     *Network
}

// Ports gives, for the ports of an endpoint group of the network that is left, their places among those that
// its endpoints have in the whole one. The slice belongs to the Numbering.
func (x *Numbering) Ports(g int) []int32 {
	return x.ports[x.left.portStart[g]:x.left.portStart[g+1]]
}

// Left is Without, and how its parts are numbered.
func (n *Network) Left(f *Failures) (*Network, *Numbering, error) {
	if err := n.checkFailures(f); err != nil {
		return nil, nil, err
	}
	down := make([]bool, n.Switches())
	for _, s := range f.Switches {
		down[s] = true
	}
	cut := make([]bool, n.Channels())
	for _, c := range f.Links {
		cut[c] = true
		if r := n.rev[c]; r >= 0 {
			cut[r] = true
		}
	}
	m := *n
	m.start, m.to, m.class, m.rev = make([]int32, n.Switches()+1), nil, nil, nil
	number := make([]ChannelID, n.Channels())
	var old []ChannelID
	for s := range SwitchID(n.Switches()) {
		for c := ChannelID(n.start[s]); c < ChannelID(n.start[s+1]); c++ {
			number[c] = -1
			if cut[c] || down[s] || down[n.to[c]] {
				continue
			}
			number[c] = ChannelID(len(old))
			old = append(old, c)
			m.to, m.class = append(m.to, n.to[c]), append(m.class, n.class[c])
		}
		m.start[s+1] = int32(len(old))
	}
	m.rev = make([]ChannelID, len(old))
	for i, c := range old {
		m.rev[i] = -1
		if r := n.rev[c]; r >= 0 {
			m.rev[i] = number[r]
		}
	}
	ports := m.detach(n, down, f.Ports)
	return &m, &Numbering{old, ports, &m}, nil
}

func (n *Network) checkFailures(f *Failures) error {
	for _, s := range f.Switches {
		if s < 0 || int(s) >= n.Switches() {
			return fmt.Errorf("topology: %s: switch %d cannot fail; there are %d", n.Design, s, n.Switches())
		}
	}
	for _, c := range f.Links {
		if c < 0 || int(c) >= n.Channels() {
			return fmt.Errorf("topology: %s: channel %d cannot fail; there are %d", n.Design, c, n.Channels())
		}
	}
	for _, p := range f.Ports {
		if p.Endpoint < 0 || int(p.Endpoint) >= n.Endpoints() {
			return fmt.Errorf("topology: %s: endpoint %d has no port that could fail; there are %d", n.Design, p.Endpoint, n.Endpoints())
		}
		if _, _, ports := n.Group(n.GroupOf(p.Endpoint)); !slices.Contains(ports, p.Switch) {
			return fmt.Errorf("topology: %s: endpoint %d has no port on switch %d", n.Design, p.Endpoint, p.Switch)
		}
	}
	return nil
}

// detach makes the endpoint groups of m: those of n without failed ports. An endpoint with a
// failed port of its own becomes a group of its own. It gives the old places of the ports.
func (m *Network) detach(n *Network, down []bool, failed []PortFailure) (places []int32) {
	own := make(map[EndpointID][]SwitchID)
	for _, p := range failed {
		own[p.Endpoint] = append(own[p.Endpoint], p.Switch)
	}
	m.groupFirst, m.portStart, m.ports = []EndpointID{0}, []int32{0}, nil
	add := func(end EndpointID, ports, without []SwitchID) {
		left := slices.Clone(without)
		for place, s := range ports {
			// Of several ports on one switch as many fail as are named.
			if i := slices.Index(left, s); i >= 0 {
				left = slices.Delete(left, i, i+1)
			} else if !down[s] {
				m.ports, places = append(m.ports, s), append(places, int32(place))
			}
		}
		m.groupFirst = append(m.groupFirst, end)
		m.portStart = append(m.portStart, int32(len(m.ports)))
	}
	for g := range n.Groups() {
		first, end, ports := n.Group(g)
		for e := first; e < end; {
			next := e
			for next < end && own[next] == nil {
				next++
			}
			if next > e {
				add(next, ports, nil)
			} else {
				next++
				add(next, ports, own[e])
			}
			e = next
		}
	}
	return places
}

// DrawLinks draws links between switches that fail, each as likely as any other; links of class
// internal, which are no cables, do not fail. Of the same stream a larger number has the smaller
// one at its beginning. It is an error to ask for more than there are.
func (n *Network) DrawLinks(count int, r *rand.Rand) ([]ChannelID, error) {
	all := n.Cables()
	if count < 0 || count > len(all) {
		return nil, fmt.Errorf("topology: %s: %d links cannot fail; there are %d between switches", n.Design, count, len(all))
	}
	r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all[:count:count], nil
}

// Cables lists one channel of every link between switches that is not internal.
func (n *Network) Cables() []ChannelID {
	var all []ChannelID
	for c := range ChannelID(n.Channels()) {
		if r := n.rev[c]; (r < 0 || r > c) && n.LinkClasses[n.class[c]].Name != ClassInternal {
			all = append(all, c)
		}
	}
	return all
}

// DrawSwitches draws switches that fail, embedded ones aside, as DrawLinks does links.
func (n *Network) DrawSwitches(count int, r *rand.Rand) ([]SwitchID, error) {
	all := n.Boxes()
	if count < 0 || count > len(all) {
		return nil, fmt.Errorf("topology: %s: %d switches cannot fail; there are %d that are not embedded", n.Design, count, len(all))
	}
	r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all[:count:count], nil
}

// Boxes lists the switches that are not embedded.
func (n *Network) Boxes() []SwitchID {
	var all []SwitchID
	for s := range SwitchID(n.Switches()) {
		if !n.Embedded(s) {
			all = append(all, s)
		}
	}
	return all
}

// Parts numbers the connected parts of the network: of each switch, the least switch that it can
// reach over links in either direction.
func (n *Network) Parts() []SwitchID {
	up := make([]SwitchID, n.Switches())
	for i := range up {
		up[i] = SwitchID(i)
	}
	find := func(s SwitchID) SwitchID {
		for up[s] != s {
			up[s] = up[up[s]]
			s = up[s]
		}
		return s
	}
	for s := range SwitchID(n.Switches()) {
		for _, t := range n.Neighbors(s) {
			if a, b := find(s), find(t); a < b {
				up[b] = a
			} else {
				up[a] = b
			}
		}
	}
	for i := range up {
		up[i] = find(SwitchID(i))
	}
	return up
}
