package topology

import "errors"

// Critical counts the parts of a network whose failure alone leaves two of its endpoints without a way to each other,
// whatever the routing: over links, switches that work and endpoints that relay, ports of other endpoints not.
type Critical struct {
	Switches []int64 // by switch class, embedded ones aside
	Links    []int64 // by link class, links between switches that are cables
	Ports    int64   // links between an endpoint and its switch
	Cards    int64   // sets of neighbouring ports of an endpoint, as many as a card has
	Relays   int64   // endpoints that forward of which a card may be critical: which links are on it is not known
}

// cables is how many links lead from a switch to others, those inside an endpoint and scale-up links aside.
func (n *Network) cables(s SwitchID) (count int) {
	for c, end := n.Out(s); c < end; c++ {
		if name := n.LinkClasses[n.LinkClass(c)].Name; name != ClassInternal && !IsScaleup(name) {
			count++
		}
	}
	return count
}

// Reasons why critical parts are not counted.
var (
	ErrOneWay  = errors.New("channels lead one way")
	ErrApart   = errors.New("not all endpoints are connected")
	ErrCutWork = errors.New("too many switches part the network to look at each")
)

// Critical counts them, card being the ports of an endpoint's network card, 0 if it has none. The error is one of those
// above. Linear in the size of the network but for what parts it.
func (n *Network) Critical(card int) (*Critical, error) {
	if n.Unidirectional {
		return nil, ErrOneWay
	}
	k := newCuts(n)
	if !k.connected() {
		return nil, ErrApart
	}
	out := &Critical{Switches: make([]int64, len(n.SwitchClasses)), Links: make([]int64, len(n.LinkClasses))}
	for g := range n.Groups() {
		first, end, ports := n.Group(g)
		size := int64(end - first)
		for i := range ports {
			if k.cutsOff(g, i, i+1) {
				out.Ports += size
			}
		}
		for i := 0; card > 0 && i < len(ports); i += card {
			if k.cutsOff(g, i, min(i+card, len(ports))) {
				out.Cards += size
			}
		}
	}
	for s := range SwitchID(n.Switches()) {
		if n.Embedded(s) {
			// Without a card that does not have all of its links a relay still reaches the rest, which hangs together without it.
			if k.joint[s] || n.cables(s) <= card {
				out.Relays += int64(len(k.groups[s]))
			}
			continue
		}
		cut := false
		if k.joint[s] {
			if k.work -= n.Channels(); k.work < 0 {
				return nil, ErrCutWork
			}
			cut = k.falls(s, -1)
		} else {
			cut = k.loses(s)
		}
		if cut {
			out.Switches[n.Class(s)]++
		}
	}
	for _, c := range k.bridges {
		if class := n.LinkClass(c); n.LinkClasses[class].Name != ClassInternal && !IsScaleup(n.LinkClasses[class].Name) {
			if k.work -= n.Channels(); k.work < 0 {
				return nil, ErrCutWork
			}
			if k.falls(-1, c) {
				out.Links[class]++
			}
		}
	}
	return out, nil
}
