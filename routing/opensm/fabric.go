package opensm

import (
	"bufio"
	"fmt"
	"io"
	"math"

	"toposearch/routing"
	"toposearch/topology"
	"toposearch/topology/foreign"
)

const (
	mostLanes   = 15      // data lanes; the sixteenth is the managers'
	mostUnicast = 0xBFFF  // LIDs; those above are of multicast
	mostPorts   = 254     // of a switch: a byte, of which 0 is its own port and 255 no port
	mostPairs   = 1 << 24 // lines of paths.sl, 400 MB
)

// Fabric is a network whose tables can be written.
type Fabric struct {
	n      *topology.Network
	tables *routing.Layered
	at     []topology.SwitchID     // of each endpoint: its switch
	port   []int                   // of each endpoint: the switch's port to it
	hosts  [][]topology.EndpointID // of each switch
	graph  *foreign.Fabric
}

// New checks that a network and its tables can be expressed.
func New(n *topology.Network, tables *routing.Layered) (*Fabric, error) {
	f := &Fabric{n: n, tables: tables, at: make([]topology.SwitchID, n.Endpoints()), port: make([]int, n.Endpoints()),
		hosts: make([][]topology.EndpointID, n.Switches()), graph: foreign.New(n, nil)}
	switch pairs := float64(n.Endpoints()) * float64(n.Endpoints()); {
	case tables.Layers > mostLanes:
		return nil, fmt.Errorf("opensm: %s needs %d layers, and InfiniBand has %d virtual lanes for data; another design or routing may need fewer", n.Design, tables.Layers, mostLanes)
	case n.Endpoints()+n.Switches() > mostUnicast:
		return nil, fmt.Errorf("opensm: %s has %d endpoints and %d switches, more than the %d LIDs of a subnet", n.Design, n.Endpoints(), n.Switches(), mostUnicast)
	case pairs > mostPairs:
		return nil, fmt.Errorf("opensm: %s has %.3g pairs of endpoints, each a line of paths.sl; at most %d are written, %.0f endpoints", n.Design, pairs, mostPairs, math.Sqrt(mostPairs))
	}
	for c := range topology.ChannelID(n.Channels()) {
		if r := n.Rev(c); r < 0 || n.Rev(r) != c {
			return nil, fmt.Errorf("opensm: channels of %s go one way; InfiniBand's links go both", n.Design)
		}
	}
	for g := range n.Groups() {
		first, end, ports := n.Group(g)
		if len(ports) != 1 {
			return nil, fmt.Errorf("opensm: endpoint %d of %s has %d ports: a LID is one port's, and these tables lead to the nearest of an endpoint's; "+
				"designs of one port an endpoint can be written", first, n.Design, len(ports))
		}
		s := ports[0]
		for e := first; e < end; e++ {
			f.hosts[s] = append(f.hosts[s], e)
			f.at[e], f.port[e] = s, len(n.Neighbors(s))+len(f.hosts[s])
		}
	}
	for s := range f.hosts {
		if ports := len(n.Neighbors(topology.SwitchID(s))) + len(f.hosts[s]); ports > mostPorts {
			return nil, fmt.Errorf("opensm: switch %s of %s has %d ports; InfiniBand numbers %d", f.switchName(topology.SwitchID(s)), n.Design, ports, mostPorts)
		}
	}
	return f, nil
}

func (f *Fabric) hostLID(e topology.EndpointID) int     { return 1 + int(e) }
func (f *Fabric) switchLID(s topology.SwitchID) int     { return 1 + len(f.at) + int(s) }
func (f *Fabric) switchGUID(s topology.SwitchID) uint64 { return f.graph.SwitchGUID(s) }
func (f *Fabric) hostGUID(e topology.EndpointID) uint64 { return f.graph.EndpointGUID(e) }
func (f *Fabric) portOf(c topology.ChannelID) int {
	first, _ := f.n.Out(f.n.From(c))
	return 1 + int(c-first)
}
func (f *Fabric) hostName(e topology.EndpointID) string { return f.graph.IBName(len(f.hosts) + int(e)) }
func (f *Fabric) switchName(s topology.SwitchID) string { return f.graph.IBName(int(s)) }

// WriteFabric writes fabric.net. An endpoint stands first: OpenSM runs on the first node of a simulated fabric.
func (f *Fabric) WriteFabric(out io.Writer) error { return f.graph.IBNet(out) }

// WriteLIDs writes guid2lid: the GUID of each port that has a LID, the LID twice, as first and last of its range.
func (f *Fabric) WriteLIDs(out io.Writer) error {
	w := bufio.NewWriter(out)
	for e := range topology.EndpointID(len(f.at)) {
		fmt.Fprintf(w, "0x%016x 0x%04x 0x%04x\n\n", f.hostGUID(e)+1, f.hostLID(e), f.hostLID(e))
	}
	for s := range topology.SwitchID(len(f.hosts)) {
		fmt.Fprintf(w, "0x%016x 0x%04x 0x%04x\n\n", f.switchGUID(s), f.switchLID(s), f.switchLID(s))
	}
	return w.Flush()
}
