package topology

// States of a rule over scale-up domains, before those of the family's rule and after them.
const (
	domStart  = iota // at the source
	domUp            // on scale-up switches of the source's domain
	domPeer          // at another endpoint of the source's domain
	domFamily        // the family's states from here on
)

// Rule is the natural routing of a network that WithDomain gave scale-up domains, if r is that of the
// network without them, whose classes are given: a packet may change to another endpoint of its
// source's domain, takes a route of the family from there, and may change from where that arrives to its
// destination within the domain. No endpoint of another domain relays it, and the links of its own
// domain are used on virtual channel 0 before the network and 1 after it. So every dependency leads
// forwards, from a domain into the network and from that into a domain, and the network needs no more
// virtual channels than without domains (NetworkVCs).
//
// False is returned for a rule whose virtual channels count hops: those of domains are hops too.
func (d *Domain) Rule(r Rule, links []LinkClass, switches []SwitchClass) (Rule, bool) {
	if r.HopVCs {
		return Rule{}, false
	}
	embedded, shift := links[0].Name == ClassInternal, uint8(1)
	if embedded {
		shift = 0
	}
	own := uint8(0) // classes that are not those of a domain of the family itself
	for own < uint8(len(links)) && !IsScaleup(links[own].Name) {
		own++
	}
	after := uint8(domFamily + r.States) // arrived; then on scale-up switches, and at another endpoint
	out := Rule{Name: r.Name, States: int(after) + 3}
	add := func(from uint8, k Kind, to, vc uint8) {
		out.Steps = append(out.Steps, Step{From: from, Kind: k, To: to, VC: vc})
	}
	if !embedded {
		relay, nic := uint8(len(switches)), shift
		for _, at := range []uint8{domStart, domPeer} {
			add(at, Kind{nic, relay, Any}, domFamily, 0)
		}
		for s := range uint8(r.States) {
			add(domFamily+s, Kind{nic, Any, relay}, after, 0)
		}
	}
	for _, st := range r.Steps {
		for c := uint8(1); c < own; c++ {
			if st.Kind.Link != Any && st.Kind.Link != c {
				continue
			}
			k := Kind{c + shift, st.Kind.From, st.Kind.To}
			add(domFamily+st.From, k, domFamily+st.To, st.VC)
			if embedded && st.From == 0 { // endpoints are switches: the family's routes begin there
				add(domStart, k, domFamily+st.To, st.VC)
				add(domPeer, k, domFamily+st.To, st.VC)
			}
		}
	}
	box := uint8(len(switches)) + shift
	d.steps(own+shift, box, domStart, domUp, domPeer, 0, add)
	if embedded {
		for s := range uint8(r.States) {
			d.steps(own+shift, box, domFamily+s, after+1, after+2, 1, add)
		}
	} else {
		d.steps(own+shift, box, after, after+1, after+2, 1, add)
	}
	return out, true
}

// steps leads from one state to another over the domain's links: class is the first of theirs, box that
// of its switches, on which a packet is in state on.
func (d *Domain) steps(class, box, from, on, to, vc uint8, add func(uint8, Kind, uint8, uint8)) {
	if d.Levels == 0 {
		add(from, Kind{class, Any, Any}, to, vc)
		return
	}
	add(from, Kind{class, Any, box}, on, vc)
	add(on, Kind{class, box, Any}, to, vc)
	if d.Levels == 2 {
		add(on, Kind{class + 1, box, box}, on, vc)
	}
}

// NetworkVCs is the number of virtual channels that the steps of a rule use on links of the network,
// those of scale-up domains aside: what its switches must have.
func (n *Network) NetworkVCs(r Rule) int {
	vcs := 1
	for _, s := range r.Steps {
		if s.Kind.Link == Any || !IsScaleup(n.LinkClasses[s.Kind.Link].Name) {
			vcs = max(vcs, int(s.VC)+1)
		}
	}
	return vcs
}
