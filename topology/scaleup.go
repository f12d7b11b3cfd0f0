package topology

import "fmt"

// WithServers is WithDomain for servers of per endpoints joined by a full mesh (ATOP's starred
// columns).
func WithServers(n *Network, per int) (*Network, error) {
	return WithDomain(n, Domain{Endpoints: per})
}

// WithDomain gives the network in which the endpoints of each scale-up domain relay for one
// another: every endpoint gets an embedded Relay switch that takes over its ports as nic links, and
// the relays of a domain are joined as dom says by links of class scaleup, with switches over
// embedded ones. Endpoints that have an embedded switch already keep it.
//
// New classes follow those of n: link class 0 becomes internal, the old ones move up by one, and
// scaleup is last, with scaleup2, between leaves and spines, behind it; class relay is the last
// switch class but for scaleup_switch. A full mesh that n has of its own gives way to switches; its class
// stays, with other links. The design's name does not change. It is an error if n has scale-up links
// and dom is a mesh, is unidirectional, has no room for the classes, or if its endpoints do not divide
// into domains.
func WithDomain(n *Network, dom Domain) (*Network, error) {
	if err := dom.Check(); err != nil {
		return nil, fmt.Errorf("topology: %s: %w", n.Design, err)
	}
	if n.Endpoints() == 0 || n.Endpoints()%dom.Endpoints != 0 {
		return nil, fmt.Errorf("topology: %s: %d endpoints do not divide into servers of %d", n.Design, n.Endpoints(), dom.Endpoints)
	}
	if n.Unidirectional {
		return nil, fmt.Errorf("topology: %s: channels are unidirectional, a scale-up mesh is not", n.Design)
	}
	for i, c := range n.LinkClasses {
		if !IsScaleup(c.Name) {
			continue
		}
		if dom.Levels == 0 || i != len(n.LinkClasses)-1 || n.LinkClasses[0].Name != ClassInternal {
			return nil, fmt.Errorf("topology: %s has scale-up links already", n.Design)
		}
		own := *n
		own.LinkClasses = n.LinkClasses[:i]
		n = &own
	}
	if !dom.Fits(len(n.LinkClasses), len(n.SwitchClasses)) {
		return nil, fmt.Errorf("topology: %s has no room for the classes of a scale-up domain", n.Design)
	}
	if n.LinkClasses[0].Name == ClassInternal {
		return joinEmbedded(n, dom)
	}
	return joinRelays(n, dom)
}

// ScaleupRate is what the endpoint of an embedded switch can send inside its scale-up domain, beside what it sends to the network, at rates of
// link classes: on all its links there together.
func (n *Network) ScaleupRate(s SwitchID, rate func(class int) float64) (sum float64) {
	from, to := n.Out(s)
	for ch := from; ch < to; ch++ {
		if class := n.LinkClass(ch); IsScaleup(n.LinkClasses[class].Name) {
			sum += rate(class)
		}
	}
	return sum
}

// MostScaleup is the largest ScaleupRate of an endpoint; 0 without a domain.
func (n *Network) MostScaleup(rate func(class int) float64) (most float64) {
	for g := range n.Groups() {
		_, _, ports := n.Group(g)
		for _, s := range ports {
			most = max(most, n.ScaleupRate(s, rate))
		}
	}
	return most
}

var relayClass = SwitchClass{Name: "relay", Doc: "forwarding part of an endpoint towards its server", Embedded: true, Relay: true}

// Fits tells whether there is room for the classes of a domain beside so many classes of links and of switches.
func (d *Domain) Fits(links, switches int) bool {
	l, s := d.classes()
	return links+1+len(l) <= MaxClasses && switches+1+len(s) <= MaxClasses
}

// classes are those that a domain adds besides relays.
func (d *Domain) classes() (links []LinkClass, switches []SwitchClass) {
	box := SwitchClass{Name: "scaleup_switch", Doc: "switch of a scale-up domain", Embedded: true, Relay: true}
	switch d.Levels {
	case 0:
		return []LinkClass{{Name: ClassScaleup, Doc: "full mesh inside a server"}}, nil
	case 1:
		return []LinkClass{{Name: ClassScaleup, Doc: "endpoint to the switches of its scale-up domain"}}, []SwitchClass{box}
	}
	return []LinkClass{{Name: ClassScaleup, Doc: "endpoint to the leaves of its scale-up domain"},
		{Name: ClassScaleup2, Doc: "leaf to spine of a scale-up domain"}}, []SwitchClass{box}
}

// copied starts a network of the same switches and the links of n's classes, which begin at index
// shift; links of classes beyond those are left out.
func copied(n *Network, links []LinkClass, switches []SwitchClass, shift int) *Builder {
	b := NewBuilder(switches, links)
	for c := range n.LinkClasses {
		b.n.Lanes[c+shift] = n.Lanes[c]
	}
	b.n.EndpointLanes = n.EndpointLanes
	b.n.switchClass = append(b.n.switchClass, n.switchClass...)
	for s := range n.Switches() {
		for c := n.start[s]; c < n.start[s+1]; c++ {
			if n.rev[c] > ChannelID(c) && int(n.class[c]) < len(n.LinkClasses) {
				b.Link(int(n.class[c])+shift, SwitchID(s), n.to[c])
			}
		}
	}
	return b
}

// joinEmbedded joins embedded switches that are there.
func joinEmbedded(n *Network, dom Domain) (*Network, error) {
	links, switches := dom.classes()
	b := copied(n, append(append([]LinkClass(nil), n.LinkClasses...), links...),
		append(append([]SwitchClass(nil), n.SwitchClasses...), switches...), 0)
	at := make([]SwitchID, 0, n.Endpoints())
	for g := range n.Groups() {
		first, end, ports := n.Group(g)
		if len(ports) != 1 || end-first != 1 {
			return nil, fmt.Errorf("topology: %s: endpoint %d does not have an embedded switch of its own", n.Design, first)
		}
		at = append(at, ports[0])
		b.Endpoints(1, ports)
	}
	dom.join(b, at)
	return b.Build(n.Design)
}

// joinRelays gives every endpoint a relay.
func joinRelays(n *Network, dom Domain) (*Network, error) {
	more, switches := dom.classes()
	links := append([]LinkClass{{Name: ClassInternal, Doc: "endpoint to its forwarding part"}}, n.LinkClasses...)
	links = append(links, more...)
	b := copied(n, links, append(append(append([]SwitchClass(nil), n.SwitchClasses...), relayClass), switches...), 1)
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
	dom.join(b, at)
	return b.Build(n.Design)
}

// join links the domains of consecutive switches of at.
func (d *Domain) join(b *Builder, at []SwitchID) {
	class := len(b.n.LinkClasses) - 1
	if d.Levels == 2 {
		class--
	}
	for i, lanes := range d.Lanes {
		if lanes > 0 && class+i < len(b.n.LinkClasses) {
			b.Lanes(class+i, lanes)
		}
	}
	for first := 0; first < len(at); first += d.Endpoints {
		switch of := at[first : first+d.Endpoints]; d.Levels {
		case 0:
			for i := range of {
				for j := i + 1; j < len(of); j++ {
					b.Link(class, of[i], of[j])
				}
			}
		case 1:
			d.star(b, class, of)
		default:
			var leaves []SwitchID
			for box := 0; box < len(of); box += d.Box {
				leaves = append(leaves, d.star(b, class, of[box:box+d.Box])...)
			}
			for _, spine := range b.boxes(d.Spines) {
				for _, leaf := range leaves {
					b.Link(class+1, leaf, spine)
				}
			}
		}
	}
}

// star links every switch of a list to each of the domain's new ones, which it returns.
func (d *Domain) star(b *Builder, class int, of []SwitchID) []SwitchID {
	hubs := b.boxes(d.Switches)
	for _, s := range of {
		for _, hub := range hubs {
			b.Link(class, s, hub)
		}
	}
	return hubs
}

// boxes adds scale-up switches, the last class.
func (b *Builder) boxes(count int) []SwitchID {
	out := make([]SwitchID, count)
	for i := range out {
		out[i] = SwitchID(len(b.n.switchClass) + i)
	}
	b.Switch(len(b.n.SwitchClasses)-1, count)
	return out
}
