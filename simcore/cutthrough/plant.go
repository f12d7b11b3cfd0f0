package cutthrough

import (
	"fmt"
	"math"
	"math/bits"

	"toposearch/topology"
)

// outPort is an output port of a switch. Its number is outStart of the switch, plus the number of
// the channel among those that leave it, or behind these of the tie among its ties.
type outPort struct {
	free    int64  // ps from which on it may start a packet
	wake    int64  // ps of its pending wake-up; 0: none
	carried int64  // ps of the window in which it sent
	since   int64  // ps up to which waiting packets have been counted
	queued  int32  // bytes that wait for it
	down    int32  // the input port that it feeds; of a sink, the tie
	downSw  int32  // the switch of that port, -1: a sink
	waiting uint32 // VCs with packets that wait
	paused  uint32 // VCs that the far side has paused
	packets int32  // that wait for it
	class   uint8  // of its link
	last    uint8  // VC served last
	why     uint8  // what its packets wait for
	fault   uint8  // faultSoon, faultDown; 0 unless the network is to fail
}

// Faults of an outPort or nicPort.
const (
	faultSoon = 1 << iota // it works, and is to go down
	faultDown
)

// deadEnd in place of a port says that the routing has none.
const deadEnd = -2

// lane is the queue of an output port and VC: the first packets of its virtual output queues, in
// the order in which they are served; packet.sibling chains them, and packet.next what waits behind
// each.
type lane struct {
	first, last int32
	credit      int32 // bytes that the far buffer still has room for
}

// inPort is an input port of a switch.
type inPort struct {
	up    int32 // the output port that feeds it; of an endpoint, the tie
	upSw  int32 // the switch of that port; of an endpoint, -1
	class uint8
}

// What packets wait for in a switch.
const (
	whySending = iota // the output sends another packet
	whyInput          // the crossbar reads another packet from their input
	whyRoom           // there is no room in the far buffer, or it has paused the link
	numWhys
)

// nicPort is an endpoint's port: tie k joins it to a port of a switch. It belongs to that switch,
// which works through its events.
type nicPort struct {
	free, wake int64
	sent       int64 // bytes begun in the window
	busy       int64 // ps of the window in which it sent
	head, tail int32 // packets that wait, by packet.next; -1: none
	n          int32 // of them, those whose creation is still to come included
	bytes      int32 // their sum
	paused     uint32
	sw, in     int32 // the switch, and its input port
	endpoint   int32
	fault      uint8 // as outPort
}

// plant is the network as ports. All slices are fixed after compile, but for the state in them.
type plant struct {
	net                *topology.Network
	switches           int
	vcs                int
	inStart, outStart  []int32 // by switch; the ports of ties stand behind those of channels
	tieStart           []int32
	in                 []inPort
	out                []outPort
	lanes              []lane // by output port and VC
	nic                []nicPort
	nicCredit          []int32 // by tie and VC
	epStart, epTie     []int32 // ties of an endpoint by its ports
	pass               [2]int64
	cable              [topology.MaxClasses]int64
	ser                [topology.MaxClasses][]int64 // ps of a packet, by size
	read               [topology.MaxClasses][]int64 // ps for which the crossbar reads it from an input, by size
	bytes              []int32                      // packet sizes
	control            int64
	internal           bool    // class 0 is internal: endpoints relay
	sends              float64 // Gb/s of an endpoint, the bandwidth of load 1 and what it has inside a scale-up domain
	closed             bool    // what is sent depends on what has arrived
	shift              uint    // log2 of the window in ps
	slots              int     // windows that events reach ahead
	perVC              int32
	refill             int32 // with PFC: credits below which all VCs of a port get more; else below any
	longest, maxSerial int64
}

func ps(ns float64) int64 { return int64(math.Round(ns * 1000)) }

// compile lays the ports out.
func (p *plant) compile(n *topology.Network, c *Config) error {
	p.net, p.switches, p.vcs = n, n.Switches(), c.VCs
	p.internal = n.LinkClasses[0].Name == topology.ClassInternal
	p.pass = [2]int64{ps(c.SwitchNs), ps(c.SwitchNs)}
	p.sends = c.BandwidthGbps
	if p.internal {
		p.pass[1] = ps(c.RelayNs)
		p.sends += n.MostScaleup(func(class int) float64 { return c.ClassGbps[class] })
	}
	p.control = ps(c.ControlNs)
	p.bytes, _, _ = c.sizes()
	p.countPorts()
	p.joinChannels()
	p.tie()
	p.time(c)
	return p.window(c)
}

func (p *plant) countPorts() {
	n := p.net
	ties := make([]int32, p.switches+1)
	p.epStart = make([]int32, n.Endpoints()+1)
	for g := range n.Groups() {
		first, end, ports := n.Group(g)
		for e := first; e < end; e++ {
			p.epStart[e+1] = int32(len(ports))
		}
		for _, s := range ports {
			ties[s+1] += int32(end - first)
		}
	}
	for e := range n.Endpoints() {
		p.epStart[e+1] += p.epStart[e]
	}
	p.inStart, p.outStart = make([]int32, p.switches+1), make([]int32, p.switches+1)
	_, to := n.Adjacency()
	for _, s := range to {
		p.inStart[s+1]++
	}
	for s := range p.switches {
		first, end := n.Out(topology.SwitchID(s))
		p.inStart[s+1] += p.inStart[s] + ties[s+1]
		p.outStart[s+1] = p.outStart[s] + int32(end-first) + ties[s+1]
		ties[s+1] += ties[s]
	}
	p.tieStart = ties
	p.in, p.out = make([]inPort, p.inStart[p.switches]), make([]outPort, p.outStart[p.switches])
	p.lanes = make([]lane, len(p.out)*p.vcs)
	p.nic = make([]nicPort, ties[p.switches])
	p.nicCredit = make([]int32, len(p.nic)*p.vcs)
	p.epTie = make([]int32, len(p.nic))
}

// joinChannels gives every channel its output and its input port; of a link both have the same
// number.
func (p *plant) joinChannels() {
	n := p.net
	next := make([]int32, p.switches)
	for s := range topology.SwitchID(p.switches) {
		first, end := n.Out(s)
		for c := first; c < end; c++ {
			to := n.To(c)
			at := next[to]
			if r := n.Rev(c); r >= 0 {
				f, _ := n.Out(to)
				at = int32(r - f)
			}
			next[to]++
			in, out := p.inStart[to]+at, p.outStart[s]+int32(c-first)
			class := uint8(n.LinkClass(c))
			p.in[in] = inPort{up: out, upSw: int32(s), class: class}
			p.out[out] = outPort{down: in, downSw: int32(to), class: class}
		}
	}
}

// tie joins the ports of endpoints, in the order of endpoints, behind those of channels.
func (p *plant) tie() {
	n := p.net
	next := make([]int32, p.switches)
	at := int32(0)
	for g := range n.Groups() {
		first, end, ports := n.Group(g)
		for e := first; e < end; e++ {
			for _, s := range ports {
				k := p.tieStart[s] + next[s]
				in := p.inStart[s+1] - (p.tieStart[s+1] - p.tieStart[s]) + next[s]
				out := p.outStart[s+1] - (p.tieStart[s+1] - p.tieStart[s]) + next[s]
				next[s]++
				p.in[in] = inPort{up: k, upSw: -1}
				p.out[out] = outPort{down: k, downSw: -1}
				p.nic[k] = nicPort{sw: int32(s), in: in, endpoint: int32(e)}
				p.epTie[at] = k
				at++
			}
		}
	}
}

// eject is the output port to a tie.
func (p *plant) eject(k int32) int32 {
	s := p.nic[k].sw
	return p.outStart[s+1] - (p.tieStart[s+1] - k)
}

// time computes the tables of delays.
func (p *plant) time(c *Config) {
	used := usedClasses(p.net)
	for i := range p.net.LinkClasses {
		if !used[i] {
			continue
		}
		p.ser[i] = make([]int64, len(p.bytes))
		gbps := p.sends // an internal link carries all that its endpoint can send
		if i > 0 || !p.internal {
			gbps = c.ClassGbps[i]
			p.cable[i] = ps(c.ClassCableNs[i])
		}
		for k, b := range p.bytes {
			p.ser[i][k] = max(1, int64(math.Round(float64(b)*8000/gbps)))
			p.read[i] = append(p.read[i], int64(float64(p.ser[i][k])/c.Speedup))
			p.maxSerial = max(p.maxSerial, p.ser[i][k])
		}
		p.longest = max(p.longest, p.cable[i])
	}
	p.longest += max(p.pass[0], p.pass[1]) + 2*p.maxSerial + p.control
}

// window finds the largest power of two of ps within which nothing passes between two switches,
// and the number of windows that an event may lie ahead.
func (p *plant) window(c *Config) error {
	used := usedClasses(p.net)
	least := int64(math.MaxInt64)
	for i := range p.net.LinkClasses {
		if used[i] && !(i == 0 && p.internal) {
			least = min(least, p.cable[i])
		}
	}
	if least == math.MaxInt64 {
		least = 0
	}
	least += min(p.pass[0], p.pass[1], p.control)
	if p.closed {
		least = min(least, p.notice())
	}
	p.shift = min(uint(bits.Len64(uint64(least)))-1, maxShift)
	need := (p.longest+ps(c.NICNs))>>p.shift + 3
	if need > maxSlots {
		return fmt.Errorf("cutthrough: the longest delay of the network, %g ns, is more than %d times the shortest; raise SwitchNs = %g, ControlNs = %g or the shortest cable",
			float64(p.longest)/1000, maxSlots, c.SwitchNs, c.ControlNs)
	}
	p.slots = 1 << bits.Len64(uint64(need))
	return nil
}

// notice is the least time between the start of a packet on its last link and its arrival, which
// is when its end is known.
func (p *plant) notice() int64 {
	used := usedClasses(p.net)
	least := int64(math.MaxInt64)
	for i := range p.net.LinkClasses {
		if !used[i] || (i == 0) == p.internal { // the last link joins switches if endpoints relay, else it is theirs
			continue
		}
		for _, ser := range p.ser[i] {
			least = min(least, ser+p.cable[i])
		}
	}
	return least
}

const (
	maxShift = 19      // half a microsecond: longer windows gain nothing, and sources queue for one
	maxSlots = 1 << 18 // 6 MB of empty lists
)

// widest is the largest number of inputs of a switch, and of bought switches alone.
func (p *plant) widest() (all int32) {
	for s := range p.switches {
		all = max(all, p.inStart[s+1]-p.inStart[s])
	}
	return all
}

func setBit(m *uint32, i, on uint32) { *m = *m&^(1<<i) | on<<i }
