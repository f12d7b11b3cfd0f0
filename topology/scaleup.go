package topology

import "fmt"

// WithServers gives the network in which each server of per consecutive endpoints is joined by a
// scale-up full mesh over which its endpoints relay (ATOP's starred columns): every endpoint gets
// an embedded Relay switch that takes over its ports as nic links, and each pair of a server one
// link of class scaleup. Endpoints that have an embedded switch already keep it.
//
// New classes follow those of n: link class 0 becomes internal, the old ones move up by one, and
// scaleup is last; class relay is the last switch class. The design's name does not change. It is
// an error if n has scale-up links already, is unidirectional, has no room for the classes, or if
// its endpoints do not divide into servers of at least two.
func WithServers(n *Network, per int) (*Network, error) {
	if per < 2 || n.Endpoints()%per != 0 {
		return nil, fmt.Errorf("topology: %s: %d endpoints do not divide into servers of %d; a server has at least 2",
			n.Design, n.Endpoints(), per)
	}
	if n.Unidirectional {
		return nil, fmt.Errorf("topology: %s: channels are unidirectional, a scale-up mesh is not", n.Design)
	}
	for _, c := range n.LinkClasses {
		if c.Name == ClassScaleup {
			return nil, fmt.Errorf("topology: %s has scale-up links already", n.Design)
		}
	}
	if len(n.LinkClasses)+2 > MaxClasses || len(n.SwitchClasses)+1 > MaxClasses {
		return nil, fmt.Errorf("topology: %s has no room for the classes of a scale-up mesh", n.Design)
	}
	if n.LinkClasses[0].Name == ClassInternal {
		return meshEmbedded(n, per)
	}
	return meshRelays(n, per)
}

var (
	relayClass   = SwitchClass{Name: "relay", Doc: "forwarding part of an endpoint towards its server", Embedded: true, Relay: true}
	scaleupClass = LinkClass{Name: ClassScaleup, Doc: "full mesh inside a server"}
)

// copied starts a network of the same switches; link classes of n begin at index shift.
func copied(n *Network, links []LinkClass, switches []SwitchClass, shift int) *Builder {
	b := NewBuilder(switches, links)
	for c := range n.LinkClasses {
		b.n.Lanes[c+shift] = n.Lanes[c]
	}
	b.n.EndpointLanes = n.EndpointLanes
	b.n.switchClass = append(b.n.switchClass, n.switchClass...)
	for s := range n.Switches() {
		for c := n.start[s]; c < n.start[s+1]; c++ {
			if n.rev[c] > ChannelID(c) {
				b.Link(int(n.class[c])+shift, SwitchID(s), n.to[c])
			}
		}
	}
	return b
}

// meshEmbedded adds the mesh between embedded switches that are there.
func meshEmbedded(n *Network, per int) (*Network, error) {
	b := copied(n, append(append([]LinkClass(nil), n.LinkClasses...), scaleupClass), n.SwitchClasses, 0)
	at := make([]SwitchID, 0, n.Endpoints())
	for g := range n.Groups() {
		first, end, ports := n.Group(g)
		if len(ports) != 1 || end-first != 1 {
			return nil, fmt.Errorf("topology: %s: endpoint %d does not have an embedded switch of its own", n.Design, first)
		}
		at = append(at, ports[0])
		b.Endpoints(1, ports)
	}
	mesh(b, len(n.LinkClasses), at, per)
	return b.Build(n.Design)
}

// meshRelays gives every endpoint a relay.
func meshRelays(n *Network, per int) (*Network, error) {
	links := append([]LinkClass{{Name: ClassInternal, Doc: "endpoint to its forwarding part"}}, n.LinkClasses...)
	links = append(links, scaleupClass)
	b := copied(n, links, append(append([]SwitchClass(nil), n.SwitchClasses...), relayClass), 1)
	b.Switch(len(n.SwitchClasses), n.Endpoints())
	at := make([]SwitchID, n.Endpoints())
	for g := range n.Groups() {
		first, end, ports := n.Group(g)
		for e := first; e < end; e++ {
			at[e] = SwitchID(n.Switches() + int(e))
			for _, p := range ports {
				b.Link(1, at[e], p)
			}
			b.Endpoints(1, at[e:e+1])
		}
	}
	mesh(b, len(links)-1, at, per)
	return b.Build(n.Design)
}

// mesh joins every per consecutive switches of at with one another.
func mesh(b *Builder, class int, at []SwitchID, per int) {
	for first := 0; first < len(at); first += per {
		for i := first; i < first+per; i++ {
			for j := i + 1; j < first+per; j++ {
				b.Link(class, at[i], at[j])
			}
		}
	}
}
