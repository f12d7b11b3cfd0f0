package market

import (
	"math"

	"toposearch/catalog"
	"toposearch/evaluator/metric"
	"toposearch/topology"
)

// Kind is what a link class is to a buyer.
type Kind uint8

const (
	Cable   Kind = iota // bought
	Board               // traces, or wires inside a box: no cable
	Scaleup             // of the scale-up mesh of a server
	Inside              // from an endpoint to its embedded switch
)

// Rates are the speeds of the links of a counted design, in Gb/s.
type Rates struct {
	Lane      float64                      // asked of a lane
	Link      [topology.MaxClasses]float64 // of a link, rounded up to a rate on sale where cables are bought
	Speed     [topology.MaxClasses]*Speed  // of a class of cables; nil if no switch offers the rate
	Kind      [topology.MaxClasses]Kind
	Ends      [topology.MaxClasses]uint8 // ends of a link that are ports of bought switches
	Circuits  uint32                     // set of the classes whose links run over circuit switches, 1<<c each
	trunks    uint32                     // set of the classes whose links lead to no endpoint
	Ports     float64                    // of all ports of an endpoint together
	Bandwidth float64                    // what throughputs are fractions of
	Surplus   float64                    // bandwidth of the ports beyond what was asked, as a fraction of it
	Reject    metric.Reject              // a rate that is not on sale
}

// Capacity is the rate of a link class as a fraction of the bandwidth of an endpoint.
func (r *Rates) Capacity(c int) float64 { return r.Link[c] / r.Bandwidth }

// BoardSet is the set of bits that Rate takes, of link classes.
func BoardSet(boards []int) (set uint32) {
	for _, c := range boards {
		set |= 1 << c
	}
	return set
}

// AskedGbps is the bandwidth of an endpoint, and whether it was stated.
func (m *Market) AskedGbps() (gbps float64, stated bool) {
	if m.opt.BandwidthGbps == 0 {
		return DefaultEndpointGbps, false
	}
	return m.opt.BandwidthGbps, true
}

// Rate fills r for a design whose link classes in boards, a set of bits, need no cable. An endpoint's
// bandwidth is divided by its lanes; a link gets its lanes' worth, rounded up to a rate that switches on
// sale offer. It does not allocate.
func (m *Market) Rate(s *topology.Size, boards uint32, r *Rates) {
	asked, stated := m.AskedGbps()
	m.RateAt(asked, stated, s, boards, r)
}

// RateAt is Rate for endpoints of another bandwidth, which is stated or may be more.
func (m *Market) RateAt(asked float64, stated bool, s *topology.Size, boards uint32, r *Rates) {
	r.Lane = asked / float64(max(s.EndpointLanes, 1))
	r.Reject = metric.Reject{}
	r.classify(s, boards)
	r.Circuits = 0
	for i := range s.Family.Media {
		if m := &s.Family.Media[i]; m.Medium == catalog.MediumOCS {
			r.Circuits |= BoardSet(m.Classes)
		}
	}
	last := -1.0 // what was asked of the class before: mostly the same
	var found *Speed
	for c := range s.Family.LinkClasses {
		want := r.Lane * float64(s.Lanes[c])
		r.Speed[c] = nil
		switch r.Kind[c] {
		case Scaleup:
			r.Link[c] = m.opt.ScaleupGbps
		case Cable:
			if want != last {
				last, found = want, m.SpeedFrom(want)
			}
			if found != nil {
				r.Speed[c], r.Link[c] = found, found.rate
				if (r.Circuits|r.trunks)>>c&1 != 0 {
					r.Speed[c] = m.SpeedOfClass(r, c, false)
				}
			} else {
				r.Link[c] = want
				if s.Link[c] > 0 && r.Reject.Constraint == "" {
					r.Reject = metric.Reject{Constraint: metric.RejectRate, Got: want, Bound: m.fastest}
				}
			}
		default:
			r.Link[c] = want
		}
	}
	r.sumPorts(s)
	r.Bandwidth, r.Surplus = asked, 0
	if !stated {
		r.Bandwidth = max(r.Ports, r.Lane)
	} else if r.Ports > asked {
		r.Surplus = r.Ports/asked - 1
	}
}

// Cables is how many cables make a link of class c: two where it runs over a circuit switch.
func (r *Rates) Cables(c int) int64 { return 1 + int64(r.Circuits>>c&1) }

// SpeedOfClass gives the cables of a class of links, between buildings or inside one; nil if no switch offers
// the rate. What leads to a circuit switch is single-mode anyway.
func (m *Market) SpeedOfClass(r *Rates, class int, between bool) *Speed {
	switch {
	case r.Circuits>>class&1 != 0:
		return speedIn(m.circuit, r.Link[class])
	case between:
		return m.BetweenBuildings(r.Link[class])
	case len(m.trunk) > 0 && r.trunks>>class&1 != 0:
		return speedIn(m.trunk, r.Link[class])
	}
	return m.SpeedOf(r.Link[class])
}

// MayBeFaster tells whether a faster rate than that of some cables is on sale.
func (m *Market) MayBeFaster(r *Rates) bool {
	for _, p := range r.Speed {
		if p != nil && p.rate < m.fastest {
			return true
		}
	}
	return false
}

// PortsInUse is the number of switch ports in use.
func (r *Rates) PortsInUse(s *topology.Size) (ports int64) {
	for c := range s.Family.LinkClasses {
		ports += s.Link[c] * int64(r.Ends[c])
	}
	return ports
}

// classify tells what the classes are by name, and whose ports their links end on: a nic link on
// one switch; any other on two, unless it joins embedded switches directly. In a family that has
// both, the one that has ports of the class tells; where all switches are bought none need have:
// the fullest switch of a torus stands inside its rings, without a link that wraps around.
func (r *Rates) classify(s *topology.Size, boards uint32) {
	f := s.Family
	embedded := false
	for i := range f.SwitchClasses {
		embedded = embedded || f.SwitchClasses[i].Embedded
	}
	r.trunks = 0
	for c := range f.LinkClasses {
		r.Ends[c] = 0
		if f.LinkClasses[c].Name != topology.ClassNic {
			r.trunks |= 1 << c
		}
		switch name := f.LinkClasses[c].Name; {
		case name == topology.ClassInternal:
			r.Kind[c] = Inside
		case name == topology.ClassScaleup:
			r.Kind[c] = Scaleup
		default:
			r.Kind[c] = Cable
			if boards>>c&1 != 0 {
				r.Kind[c] = Board
			}
			bought := !embedded
			for i := range f.SwitchClasses {
				if bought {
					break
				}
				bought = !f.SwitchClasses[i].Embedded && s.Switch[i].Has(c)
			}
			switch {
			case !bought: // nor have the taps of a bus a port
			case name == topology.ClassNic || toSpare(s, c):
				r.Ends[c] = 1
			default:
				r.Ends[c] = 2
			}
		}
	}
}

// toSpare tells whether links of class c lead to spare endpoints.
func toSpare(s *topology.Size, c int) bool {
	for i := range s.Family.SwitchClasses {
		if s.Family.SwitchClasses[i].StandsIn && s.Switch[i].Has(c) {
			return true
		}
	}
	return false
}

// sumPorts adds the rates of the ports of an endpoint, those of its embedded switch where it has
// one. A unidirectional network gives an endpoint a port out and a port in for each one elsewhere.
func (r *Rates) sumPorts(s *topology.Size) {
	f := s.Family
	r.Ports = 0
	if r.Kind[0] != Inside {
		r.Ports = r.Link[0] * float64(s.EndpointPorts)
		return
	}
	for i := range f.SwitchClasses {
		if !f.SwitchClasses[i].Embedded || s.Switch[i].Count == 0 || s.Switch[i].Ports[0] == 0 {
			continue // no endpoint hangs on it
		}
		r.Ports = max(r.Ports, r.fullest(s, i))
	}
	if f.Unidirectional {
		r.Ports /= 2
	}
}

// fullest is the sum of the port rates of the embedded switch of class i with the most. Where
// such switches differ in their ports, as chips inside and on the face of a cube do, Ports is the
// most class by class, and all of them together have no more lanes than an endpoint: the fastest
// lanes come first.
func (r *Rates) fullest(s *topology.Size, i int) (sum float64) {
	left := int64(s.EndpointLanes)
	if s.Family.Unidirectional {
		left *= 2 // out and in
	}
	var used uint32
	for left > 0 {
		best, rate := -1, 0.0
		for c := range s.Family.LinkClasses {
			if s.Switch[i].Ports[c] == 0 || used>>c&1 != 0 || r.Kind[c] != Cable && r.Kind[c] != Board {
				continue
			}
			if x := r.Link[c] / float64(max(s.Lanes[c], 1)); best < 0 || x > rate {
				best, rate = c, x
			}
		}
		if best < 0 {
			break
		}
		used |= 1 << best
		n := min(int64(s.Switch[i].Ports[best])*int64(max(s.Lanes[best], 1)), left)
		sum += float64(n) * rate
		left -= n
	}
	return sum
}

// Needs lists the ports that the fullest switch of class i must offer.
func (r *Rates) Needs(s *topology.Size, i int, buf *[topology.MaxClasses]catalog.PortNeed) []catalog.PortNeed {
	n := 0
	for c := range s.Family.LinkClasses {
		k := int(s.Switch[i].Ports[c])
		if k == 0 || r.Ends[c] == 0 {
			continue
		}
		g := int(math.Ceil(r.Link[c]))
		at := 0
		for at < n && buf[at].Gbps != g {
			at++
		}
		if at == n {
			buf[n] = catalog.PortNeed{Gbps: g}
			n++
		}
		buf[at].Count += k
	}
	return buf[:n]
}
