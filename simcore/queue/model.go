package queue

import (
	"math"

	"toposearch/routing"
	"toposearch/simcore"
	"toposearch/topology"
)

// Model is a network of such switches with the turns of a traffic. It is for one goroutine.
type Model struct {
	sw       Switch
	channels int
	layers   bool    // packets keep their VC, or one of a few, all the way
	legs     float64 // see routing.Turns.Legs
	ports    []port  // by number, see routing.Turns
	start    []int32
	turns    []turn    // of input i: [start[i], start[i+1])
	held     []float64 // by input: VCs at whose front a packet is, mean
	ahead    []int32   // by input: the output behind which what holds it up wants room, or drains
	front    []float64 // by output: cycles that a packet is at the front of a VC before it
	full     []float64 // by output: of that, for room behind it
}

// port is a port in or out of a switch, or several alike: those of the endpoints of a set.
type port struct {
	alike   float64
	rate    float64 // flits in a cycle that each can carry
	vcs     float64 // that can be used
	in, out float64 // flits in a cycle at load 1, of each
	mix     float64 // of the traffic that leaves by it, see waiting
	closed  bool    // an internal link: no port of a box, nothing waits
}

// turn is what goes from an input to an output, flits in a cycle at load 1, of each of the inputs.
type turn struct {
	out  int32
	rate float64
}

// New makes a model; usable are the VCs of each channel (Usable).
func New(t *routing.Turns, sw Switch, usable []float64) *Model {
	n := t.Router.Net
	m := &Model{sw: sw, channels: n.Channels(), layers: t.Layers, legs: max(1, t.Legs)}
	unit := float64(simcore.UnitLanes(n))
	m.ports = make([]port, len(t.Row))
	for c := range m.channels {
		class := n.LinkClass(topology.ChannelID(c))
		m.ports[c] = port{alike: 1, rate: float64(n.Lanes[class]) / unit, vcs: usable[c],
			closed: n.LinkClasses[class].Name == topology.ClassInternal}
	}
	m.tie(t, unit)
	m.fill(t, float64(n.EndpointLanes)/unit)
	m.held, m.front, m.full, m.ahead = make([]float64, len(m.ports)), make([]float64, len(m.ports)), make([]float64, len(m.ports)), make([]int32, len(m.ports))
	return m
}

// tie fills in the ports of endpoints. Internal links have as many of the flit engine's as they need.
func (m *Model) tie(t *routing.Turns, unit float64) {
	n := t.Router.Net
	rate, times := 1.0, 1.0
	if n.LinkClasses[0].Name == topology.ClassInternal {
		times = math.Ceil(float64(n.EndpointLanes) / unit)
	} else {
		rate = min(1, float64(n.Lanes[0])/unit)
	}
	for i := range t.Router.Sets {
		s := &t.Router.Sets[i]
		for k, p := range s.Ports {
			m.ports[m.channels+int(t.PortStart[i])+k] = port{alike: times * float64(p.Count) * float64(s.Endpoints), rate: rate, vcs: float64(m.sw.VCs)}
		}
	}
}

// fill takes the rates of turns; full is what an endpoint sends at load 1, flits in a cycle.
func (m *Model) fill(t *routing.Turns, full float64) {
	m.start = make([]int32, len(m.ports)+1)
	for in := range m.ports {
		t.Each(in, func(out int, rate float64) {
			p, q := &m.ports[in], &m.ports[out]
			rate *= full
			m.turns = append(m.turns, turn{int32(out), rate / p.alike})
			p.in += rate / p.alike
			q.out += rate / q.alike
			q.mix += rate * rate / p.alike
		})
		m.start[in+1] = int32(len(m.turns))
	}
	for o := range m.ports {
		if p := &m.ports[o]; t.Single && o >= m.channels {
			p.mix = 0
		} else if p.out > 0 {
			p.mix = max(0, 1-p.mix/(p.out*p.alike*p.out*p.alike))
		}
	}
}
