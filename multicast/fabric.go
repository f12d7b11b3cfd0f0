package multicast

import (
	"fmt"

	"toposearch/topology"
)

// MaxPorts is the largest number of ports of a switch: port lists are words of 64 bits.
const MaxPorts = 64

// Ports is a set of ports of a switch, a bit for each.
type Ports uint64

// Has reports whether a port is in the set.
func (p Ports) Has(port int) bool { return p>>port&1 != 0 }

// Tie is a port of a switch.
type Tie struct {
	Switch int32
	Port   uint8
}

// peer is what a port leads to: a port of another switch, an endpoint, or nothing.
type peer struct {
	Tie            // Switch is -1 if it is no switch
	endpoint int32 // -1 if it is none
}

var unused = peer{Tie{Switch: -1}, -1}

// Fabric is a network of switches with numbered ports, each of which leads to a port of another
// switch or to an endpoint of one port. Links carry one flit per cycle each way.
type Fabric struct {
	Name  string
	start []int32 // ports of switch s are [start[s], start[s+1])
	to    []peer
	of    []int32 // switch of each port
	at    []Tie   // by endpoint
}

// NewFabric makes a fabric without links: switches of the same number of ports, at most MaxPorts.
func NewFabric(name string, switches, ports, endpoints int) (*Fabric, error) {
	if ports < 1 || ports > MaxPorts {
		return nil, fmt.Errorf("multicast: %s: switches of %d ports: port lists are made for 1 to %d", name, ports, MaxPorts)
	}
	f := &Fabric{Name: name, start: make([]int32, switches+1), at: make([]Tie, endpoints)}
	for s := range switches {
		f.start[s+1] = f.start[s] + int32(ports)
	}
	f.clear()
	return f, nil
}

func (f *Fabric) clear() {
	f.to = make([]peer, f.start[len(f.start)-1])
	f.of = make([]int32, len(f.to))
	for s := range f.Switches() {
		for i := f.start[s]; i < f.start[s+1]; i++ {
			f.of[i] = int32(s)
		}
	}
	for i := range f.to {
		f.to[i] = unused
	}
	for e := range f.at {
		f.at[e].Switch = -1
	}
}

// Join links two ports that are free.
func (f *Fabric) Join(a, b Tie) error {
	if err := f.free(a); err != nil {
		return err
	}
	if err := f.free(b); err != nil {
		return err
	}
	f.to[f.index(a)], f.to[f.index(b)] = peer{b, -1}, peer{a, -1}
	return nil
}

// Attach hangs an endpoint on a free port.
func (f *Fabric) Attach(endpoint int, t Tie) error {
	if endpoint < 0 || endpoint >= len(f.at) {
		return fmt.Errorf("multicast: %s: endpoint %d of %d", f.Name, endpoint, len(f.at))
	}
	if err := f.free(t); err != nil {
		return err
	}
	f.to[f.index(t)], f.at[endpoint] = peer{Tie{Switch: -1}, int32(endpoint)}, t
	return nil
}

func (f *Fabric) free(t Tie) error {
	if t.Switch < 0 || int(t.Switch) >= f.Switches() || int(t.Port) >= f.Radix(int(t.Switch)) {
		return fmt.Errorf("multicast: %s has no port %d of switch %d", f.Name, t.Port, t.Switch)
	}
	if f.to[f.index(t)] != unused {
		return fmt.Errorf("multicast: %s: port %d of switch %d is taken", f.Name, t.Port, t.Switch)
	}
	return nil
}

// FromNetwork numbers the ports of a network: the channels of a switch in their order, then its
// endpoints in theirs, as simcore/flit does. Endpoints must have one port, channels must be in pairs,
// and switches must have at most MaxPorts ports.
func FromNetwork(n *topology.Network) (*Fabric, error) {
	if n.Unidirectional {
		return nil, fmt.Errorf("multicast: %s: the channels of this network go one way; trees of groups need links in pairs", n.Design)
	}
	f := &Fabric{Name: n.Design, start: make([]int32, n.Switches()+1), at: make([]Tie, n.Endpoints())}
	ends := make([]int32, n.Switches())
	for g := range n.Groups() {
		first, end, ports := n.Group(g)
		if len(ports) != 1 {
			return nil, fmt.Errorf("multicast: %s: endpoint %d has %d ports; groups are made for endpoints of one", n.Design, first, len(ports))
		}
		ends[ports[0]] += int32(end - first)
	}
	for s := range n.Switches() {
		first, end := n.Out(topology.SwitchID(s))
		radix := int32(end-first) + ends[s]
		if radix > MaxPorts {
			return nil, fmt.Errorf("multicast: %s: switch %d has %d ports; port lists are made for at most %d", n.Design, s, radix, MaxPorts)
		}
		f.start[s+1] = f.start[s] + radix
	}
	f.clear()
	for c := range topology.ChannelID(n.Channels()) {
		a, b := portOf(n, c), portOf(n, n.Rev(c))
		f.to[f.index(a)] = peer{b, -1}
	}
	next := make([]uint8, n.Switches())
	for s := range next {
		next[s] = uint8(f.Radix(s)) - uint8(ends[s])
	}
	for g := range n.Groups() {
		first, end, ports := n.Group(g)
		for e := first; e < end; e++ {
			t := Tie{int32(ports[0]), next[ports[0]]}
			next[ports[0]]++
			f.to[f.index(t)], f.at[e] = peer{Tie{Switch: -1}, int32(e)}, t
		}
	}
	return f, nil
}

// portOf is the port by which a channel leaves its switch.
func portOf(n *topology.Network, c topology.ChannelID) Tie {
	s := n.From(c)
	first, _ := n.Out(s)
	return Tie{int32(s), uint8(c - first)}
}

// Switches is the number of switches.
func (f *Fabric) Switches() int { return len(f.start) - 1 }

// Endpoints is the number of endpoints.
func (f *Fabric) Endpoints() int { return len(f.at) }

// Radix is the number of ports of a switch, used or not.
func (f *Fabric) Radix(s int) int { return int(f.start[s+1] - f.start[s]) }

// At is the port on which an endpoint hangs.
func (f *Fabric) At(endpoint int) Tie { return f.at[endpoint] }

func (f *Fabric) index(t Tie) int32 { return f.start[t.Switch] + int32(t.Port) }

func (f *Fabric) peer(t Tie) peer { return f.to[f.index(t)] }

// tie is the port with an index.
func (f *Fabric) tie(i int32) Tie { return Tie{f.of[i], uint8(i - f.start[f.of[i]])} }

// Follow walks a source route from an endpoint: the switches that it passes, and the endpoint at
// which it ends. It is an error if a port leads nowhere or to an endpoint too early, or the last one to a switch.
func (f *Fabric) Follow(src int, route []uint8) (passed []int32, dst int, err error) {
	at := f.at[src].Switch
	for i, port := range route {
		passed = append(passed, at)
		if int(port) >= f.Radix(int(at)) {
			return passed, -1, fmt.Errorf("multicast: %s: hop %d of the route %x from endpoint %d: switch %d has no port %x", f.Name, i, route, src, at, port)
		}
		p := f.peer(Tie{at, port})
		switch last := i == len(route)-1; {
		case last && p.endpoint >= 0:
			return passed, int(p.endpoint), nil
		case last || p.Switch < 0:
			return passed, -1, fmt.Errorf("multicast: %s: hop %d of the route %x from endpoint %d leads from port %x of switch %d to no %s",
				f.Name, i, route, src, port, at, map[bool]string{true: "endpoint", false: "switch"}[last])
		}
		at = p.Switch
	}
	return passed, -1, fmt.Errorf("multicast: %s: the route from endpoint %d is empty", f.Name, src)
}
