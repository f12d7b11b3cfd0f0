package topology

import (
	"errors"
	"fmt"

	"toposearch/internal/memory"
)

// Builder collects switches, links and endpoints and checks them when it makes the Network.
type Builder struct {
	n     Network
	links []builtLink
}

type builtLink struct {
	a, b  SwitchID
	class uint8
}

// NewBuilder starts a network with the given classes.
func NewBuilder(switches []SwitchClass, links []LinkClass) *Builder {
	b := &Builder{n: Network{SwitchClasses: switches, LinkClasses: links, EndpointLanes: 1}}
	for i := range b.n.Lanes {
		b.n.Lanes[i] = 1
	}
	return b
}

// Switch adds count switches of a class.
func (b *Builder) Switch(class, count int) {
	for range count {
		b.n.switchClass = append(b.n.switchClass, uint8(class))
	}
}

// Link adds a link (a channel from x to y in a unidirectional network).
func (b *Builder) Link(class int, x, y SwitchID) {
	b.links = append(b.links, builtLink{x, y, uint8(class)})
}

// Endpoints adds count endpoints with the same ports; ports is copied.
func (b *Builder) Endpoints(count int, ports []SwitchID) {
	n := &b.n
	if n.groupFirst == nil {
		n.groupFirst, n.portStart = []EndpointID{0}, []int32{0}
	}
	n.groupFirst = append(n.groupFirst, n.groupFirst[len(n.groupFirst)-1]+EndpointID(count))
	n.ports = append(n.ports, ports...)
	n.portStart = append(n.portStart, int32(len(n.ports)))
}

// Lanes sets the rate of a link class and that of an endpoint.
func (b *Builder) Lanes(class int, lanes int32) { b.n.Lanes[class] = lanes }

// EndpointLanes sets the sum of the rates of an endpoint's network ports.
func (b *Builder) EndpointLanes(lanes int32) { b.n.EndpointLanes = lanes }

// Unidirectional makes links channels.
func (b *Builder) Unidirectional() { b.n.Unidirectional = true }

// Build checks and makes the network. Self-links and ends that do not exist are errors.
func (b *Builder) Build(design string) (*Network, error) {
	n := &b.n
	n.Design = design
	nsw := SwitchID(len(n.switchClass))
	for _, p := range n.ports {
		if p < 0 || p >= nsw {
			return nil, fmt.Errorf("topology: %s: an endpoint is attached to switch %d of %d", design, p, nsw)
		}
	}
	deg := make([]int32, nsw+1)
	for _, l := range b.links {
		if l.a == l.b || l.a < 0 || l.b < 0 || l.a >= nsw || l.b >= nsw {
			return nil, fmt.Errorf("topology: %s: link of class %s joins switches %d and %d of %d",
				design, n.LinkClasses[l.class].Name, l.a, l.b, nsw)
		}
		deg[l.a+1]++
		if !n.Unidirectional {
			deg[l.b+1]++
		}
	}
	for i := range nsw {
		deg[i+1] += deg[i]
	}
	n.start = deg
	m := deg[nsw]
	n.to, n.class, n.rev = make([]SwitchID, m), make([]uint8, m), make([]ChannelID, m)
	at := make([]int32, nsw)
	copy(at, n.start)
	for _, l := range b.links {
		i := at[l.a]
		at[l.a]++
		n.to[i], n.class[i], n.rev[i] = l.b, l.class, -1
		if !n.Unidirectional {
			j := at[l.b]
			at[l.b]++
			n.to[j], n.class[j] = l.a, l.class
			n.rev[i], n.rev[j] = ChannelID(j), ChannelID(i)
		}
	}
	b.links = nil
	return n, nil
}

// Build makes the network of a design. The error wraps ErrInfeasible if there is none, and is an
// *Unfinished if a random construction gave up, and a *memory.Error if the network does not fit the memory.
func (d Design) Build() (n *Network, err error) {
	defer Finish(&err)
	if d.Family == nil {
		return nil, errors.New("topology: a design without a family has no network")
	}
	var s Size
	if err := d.Family.Size(d.V, &s); err != nil {
		return nil, fmt.Errorf("%s: %w", d, err)
	}
	f := d.Family
	if err := s.wired(); err != nil {
		return nil, fmt.Errorf("%s: %w", d, err)
	}
	if err := memory.Require("the network of "+d.String(), d.BuildBytes(&s)); err != nil {
		return nil, err
	}
	b := NewBuilder(f.SwitchClasses, f.LinkClasses)
	b.n.Unidirectional = f.Unidirectional
	b.n.Lanes, b.n.EndpointLanes = s.Lanes, s.EndpointLanes
	b.n.switchClass = make([]uint8, 0, s.AllSwitches())
	var links int64
	for i := range f.LinkClasses {
		links += s.Link[i]
	}
	b.links = make([]builtLink, 0, links)
	for i := range f.SwitchClasses {
		b.Switch(i, int(s.Switch[i].Count))
	}
	if f.Wire != nil {
		f.Wire(d.V, b.Link)
	}
	f.Attach(d.V, b.Endpoints)
	if n, err = b.Build(d.String()); err != nil {
		return nil, err
	}
	if int64(n.Endpoints()) != s.Endpoints {
		return nil, fmt.Errorf("topology: %s: built %d endpoints, its formula says %d", d, n.Endpoints(), s.Endpoints)
	}
	return n, nil
}
