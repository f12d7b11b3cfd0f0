// Package simtest holds what every Routing and every Traffic of the simulator promises, as test
// helpers: Routing runs one under load and looks over its shoulder, Traffic draws from one.
package simtest

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"toposearch/simcore"
	"toposearch/simcore/flit"
	"toposearch/topology"
)

// RoutingCase says how to test a routing.
type RoutingCase struct {
	Network *topology.Network
	Routing simcore.Routing
	Traffic simcore.Traffic
	// Hops, if not nil, is the number of channels that packets from src to dst cross, exactly.
	Hops func(src, dst topology.EndpointID) int
	// MaxHops bounds it where it varies; 0: ten times the switches.
	MaxHops int
	// VCs of the simulation; 0: as many as the routing needs.
	VCs  int
	Load float64 // 0: 0.3, enough for queues and packets that wait for each other
	// LookAhead has routes computed one switch ahead.
	LookAhead bool
}

// Routing runs the case twice and checks the contract: every packet gets a port of its source,
// then channels that leave the switch where it is, on VCs that exist, until it is ejected at a
// switch of its destination after the right number of hops; nothing is lost, nothing deadlocks;
// the dependencies between (channel, VC) pairs that were seen have no cycle; the second run
// gives the same result. Unreachable pairs must not be in the traffic.
func Routing(t testing.TB, c RoutingCase) {
	t.Helper()
	name := c.Routing.Name() + " on " + c.Network.Design + " under " + c.Traffic.Name()
	cfg := flit.DefaultConfig()
	cfg.VCs, cfg.BufferFlits, cfg.PacketFlits = c.VCs, 4, 2
	if c.VCs == 0 {
		cfg.VCs = c.Routing.VCs()
	}
	cfg.Warmup, cfg.Measure, cfg.DrainLimit, cfg.DeadlockCycles = 50, 200, 4000, 1000
	if c.LookAhead {
		cfg.RoutingDelay = 0
	}
	load := c.Load
	if load == 0 {
		load = 0.3
	}
	var points [2]simcore.Point
	var watch *watcher
	for i := range points {
		watch = &watcher{RoutingCase: c, vcs: cfg.VCs, arcs: make(map[resource]map[resource]bool)}
		s, err := flit.New(c.Network, watch, c.Traffic, cfg)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if points[i], err = s.Run(context.Background(), load); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
	for _, f := range watch.faults {
		t.Errorf("%s: %s", name, f)
	}
	p := points[0]
	if p.Deadlocked || p.Unreachable > 0 || p.Packets == 0 || watch.ejected == 0 {
		t.Errorf("%s: deadlocked %v, unreachable %d, packets %d, ejected %d", name, p.Deadlocked, p.Unreachable, p.Packets, watch.ejected)
	}
	if !reflect.DeepEqual(points[0], points[1]) {
		t.Errorf("%s: two runs differ:\n%+v\n%+v", name, points[0], points[1])
	}
	if loop := watch.cycle(); loop != nil {
		t.Errorf("%s: packets depended on each other in a circle: %v", name, loop)
	}
}

// resource is a channel and one of its VCs.
type resource struct {
	Channel topology.ChannelID
	VC      uint8
}

// journey is where a packet is.
type journey struct {
	held []resource // what it may hold: the VCs of the last hop
	at   topology.SwitchID
	hops int
	aux  uint32 // the routing's
}

// watcher stands between the engine and a routing and checks every answer. It keeps the number of
// a packet's journey in Aux, and what the routing has there in the journey.
type watcher struct {
	RoutingCase
	vcs     int
	way     []journey
	arcs    map[resource]map[resource]bool
	ejected int
	faults  []string
}

func (w *watcher) Name() string { return w.Routing.Name() }
func (w *watcher) VCs() int     { return w.Routing.VCs() }

// KeepsState: what the routing keeps in switches, the engine keeps for it.
func (w *watcher) KeepsState() bool {
	st, ok := w.Routing.(simcore.Stateful)
	return ok && st.KeepsState()
}

// NewState shows the state packets as the routing left them.
func (w *watcher) NewState(v *simcore.View) (*simcore.State, error) {
	s, err := w.Routing.(simcore.Stateful).NewState(v)
	if err != nil || s.Enter == nil {
		return s, err
	}
	enter := s.Enter
	s.Enter = func(sw topology.SwitchID, p *simcore.Packet, v *simcore.View) int32 {
		id := p.Aux
		if id == 0 {
			return enter(sw, p, v) // Route says that it comes from nowhere
		}
		p.Aux = w.way[id-1].aux
		mark := enter(sw, p, v)
		w.way[id-1].aux, p.Aux = p.Aux, id
		return mark
	}
	return s, nil
}

// fault notes the first few violations.
func (w *watcher) fault(format string, args ...any) {
	if len(w.faults) < 5 {
		w.faults = append(w.faults, fmt.Sprintf(format, args...))
	}
}

func (w *watcher) Inject(p *simcore.Packet, v *simcore.View) simcore.Entry {
	e := w.Routing.Inject(p, v)
	_, _, ports := w.Network.Group(w.Network.GroupOf(p.Src))
	switch {
	case e.Port == simcore.NoPort:
		w.fault("%d cannot reach %d", p.Src, p.Dst)
	case e.Port < 0 || e.Port >= len(ports) || e.Lo > e.Hi || int(e.Hi) >= w.vcs:
		w.fault("%d enters by %+v with %d ports and %d VCs", p.Src, e, len(ports), w.vcs)
	default:
		w.way = append(w.way, journey{at: ports[e.Port], aux: p.Aux})
		p.Aux = uint32(len(w.way))
	}
	return e
}

func (w *watcher) Route(sw topology.SwitchID, p *simcore.Packet, v *simcore.View) simcore.Hop {
	if p.Aux == 0 {
		w.fault("packet from %d to %d comes from nowhere", p.Src, p.Dst)
		return w.Routing.Route(sw, p, v)
	}
	id := p.Aux
	j := &w.way[id-1]
	p.Aux = j.aux
	before := *p
	h := w.Routing.Route(sw, p, v)
	j.aux, p.Aux = p.Aux, id
	if j.at != sw {
		w.fault("packet from %d to %d is at switch %d, which no hop led to", p.Src, p.Dst, sw)
		return h
	}
	if h.Lo > h.Hi || int(h.Hi) >= w.vcs {
		w.fault("at switch %d: hop %+v with %d VCs", sw, h, w.vcs)
	}
	if h.Channel == simcore.Eject {
		w.eject(sw, p, j)
		return h
	}
	first, end := w.Network.Out(sw)
	if h.Channel < first || h.Channel >= end {
		w.fault("at switch %d: channel %d is not one of %d to %d", sw, h.Channel, first, end-1)
		return h
	}
	var next []resource
	for vc := h.Lo; vc <= h.Hi; vc++ {
		next = append(next, resource{h.Channel, vc})
	}
	for _, a := range j.held {
		w.depends(a, sw, before, v)
	}
	j.held, j.at = next, w.Network.To(h.Channel)
	j.hops++
	limit := w.MaxHops
	if limit == 0 {
		limit = 10 * w.Network.Switches()
	}
	if j.hops > limit {
		w.fault("packet from %d to %d has made %d hops", p.Src, p.Dst, j.hops)
	}
	return h
}

// depends adds what a packet asks for that comes on a VC, of those that it was allowed on its last hop, whichever
// of them it did get.
func (w *watcher) depends(a resource, sw topology.SwitchID, p simcore.Packet, v *simcore.View) {
	p.VC = a.VC
	h := w.Routing.Route(sw, &p, v)
	if h.Channel == simcore.Eject {
		return
	}
	if w.arcs[a] == nil {
		w.arcs[a] = make(map[resource]bool)
	}
	for vc := h.Lo; vc <= h.Hi; vc++ {
		w.arcs[a][resource{h.Channel, vc}] = true
	}
}

func (w *watcher) eject(sw topology.SwitchID, p *simcore.Packet, j *journey) {
	w.ejected++
	_, _, ports := w.Network.Group(w.Network.GroupOf(p.Dst))
	if !slices.Contains(ports, sw) {
		w.fault("packet from %d to %d is ejected at switch %d, to which %d is not attached", p.Src, p.Dst, sw, p.Dst)
	}
	if w.Hops != nil {
		if want := w.Hops(p.Src, p.Dst); j.hops != want {
			w.fault("packet from %d to %d made %d hops, want %d", p.Src, p.Dst, j.hops, want)
		}
	}
}

// cycle gives a circle of dependencies that were seen, nil if there is none.
func (w *watcher) cycle() []resource {
	colour := make(map[resource]int)
	var path []resource
	var visit func(r resource) []resource
	visit = func(r resource) []resource {
		colour[r] = 1
		path = append(path, r)
		for next := range w.arcs[r] {
			if colour[next] == 1 {
				return slices.Clone(path[slices.Index(path, next):])
			}
			if colour[next] == 0 {
				if loop := visit(next); loop != nil {
					return loop
				}
			}
		}
		colour[r] = 2
		path = path[:len(path)-1]
		return nil
	}
	for r := range w.arcs {
		if colour[r] == 0 {
			if loop := visit(r); loop != nil {
				return loop
			}
		}
	}
	return nil
}
