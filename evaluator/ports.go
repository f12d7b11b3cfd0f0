package evaluator

import (
	"math"

	"toposearch/catalog"
	"toposearch/topology"
)

// classify tells what the classes are by name, and whose ports their links end on: a nic link on
// one switch; any other on two, unless it joins embedded switches directly. In a family that has
// both, the one that has ports of the class tells; where all switches are bought none need have:
// the fullest switch of a torus stands inside its rings, without a link that wraps around.
func (r *rates) classify(s *topology.Size, boards uint32) {
	f := s.Family
	embedded := false
	for i := range f.SwitchClasses {
		embedded = embedded || f.SwitchClasses[i].Embedded
	}
	for c := range f.LinkClasses {
		r.ends[c] = 0
		switch name := f.LinkClasses[c].Name; {
		case name == topology.ClassInternal:
			r.kind[c] = linkInside
		case name == topology.ClassScaleup:
			r.kind[c] = linkScale
		default:
			r.kind[c] = linkBought
			if boards>>c&1 != 0 {
				r.kind[c] = linkBoard
			}
			bought := !embedded
			for i := range f.SwitchClasses {
				if bought {
					break
				}
				bought = !f.SwitchClasses[i].Embedded && s.Switch[i].Ports[c] > 0
			}
			switch {
			case !bought: // nor have the taps of a bus a port
			case name == topology.ClassNic:
				r.ends[c] = 1
			default:
				r.ends[c] = 2
			}
		}
	}
}

// sumPorts adds the rates of the ports of an endpoint, those of its embedded switch where it has
// one. A unidirectional network gives an endpoint a port out and a port in for each one elsewhere.
func (r *rates) sumPorts(s *topology.Size) {
	f := s.Family
	r.ports = 0
	if r.kind[0] != linkInside {
		r.ports = r.link[0] * float64(s.EndpointPorts)
		return
	}
	for i := range f.SwitchClasses {
		if !f.SwitchClasses[i].Embedded || s.Switch[i].Count == 0 || s.Switch[i].Ports[0] == 0 {
			continue // no endpoint hangs on it
		}
		r.ports = max(r.ports, r.fullest(s, i))
	}
	if f.Unidirectional {
		r.ports /= 2
	}
}

// fullest is the sum of the port rates of the embedded switch of class i with the most. Where
// such switches differ in their ports, as chips inside and on the face of a cube do, Ports is the
// most class by class, and all of them together have no more lanes than an endpoint: the fastest
// lanes come first.
func (r *rates) fullest(s *topology.Size, i int) (sum float64) {
	left := int64(s.EndpointLanes)
	if s.Family.Unidirectional {
		left *= 2 // out and in
	}
	var used uint32
	for left > 0 {
		best, rate := -1, 0.0
		for c := range s.Family.LinkClasses {
			if s.Switch[i].Ports[c] == 0 || used>>c&1 != 0 || r.kind[c] != linkBought && r.kind[c] != linkBoard {
				continue
			}
			if x := r.link[c] / float64(max(s.Lanes[c], 1)); best < 0 || x > rate {
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

// needs lists the ports that the fullest switch of class i must offer.
func (r *rates) needs(s *topology.Size, i int, buf *[topology.MaxClasses]catalog.PortNeed) []catalog.PortNeed {
	n := 0
	for c := range s.Family.LinkClasses {
		k := int(s.Switch[i].Ports[c])
		if k == 0 || r.ends[c] == 0 {
			continue
		}
		g := int(math.Ceil(r.link[c]))
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
