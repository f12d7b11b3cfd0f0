package topology

// WireTakes is Family.WireCost of the design, 0 where the family says nothing.
func (d Design) WireTakes() (ns, bytes float64) {
	if d.Family.WireCost == nil {
		return 0, 0
	}
	return d.Family.WireCost(d.V)
}

// BuildBytes predicts the memory that Build takes at its peak for a design of size s: the list of links, the
// rows made from it, the endpoints, and what the construction remembers. It is an upper bound, but for
// garbage that is not collected yet.
func (d Design) BuildBytes(s *Size) float64 {
	_, bytes := d.WireTakes()
	links, channels := 0.0, 0.0
	for c := range s.Family.LinkClasses {
		links += float64(s.Link[c])
		if c > 0 { // class 0 ties endpoints to their switches
			channels += 2 * float64(s.Link[c])
		}
	}
	switches := float64(s.AllSwitches())
	groups := float64(s.Endpoints)
	if s.EndpointPorts <= 1 {
		groups = min(groups, switches)
	}
	return bytes +
		12*links + // a builtLink each
		9*channels + // to, class and rev
		9*switches + // class, start and next free row
		3*(8+4*float64(max(s.EndpointPorts, 1)))*groups // lists that grow, beside their last copy
}
