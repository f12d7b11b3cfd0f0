package survey

import (
	"math"

	"toposearch/topology"
)

// UniformBound is an upper bound on the share of uniform traffic that the links between switches
// can carry: their capacity over what a packet takes of it, at least the mean distance that the Moore
// bound allows among so many switches of so many links. Infinite where there is nothing to share: a
// single switch, endpoints that relay, endpoints with a port on every part of the network.
func UniformBound(s *topology.Size) float64 {
	n := s.Switches()
	if s.EmbeddedSwitches() > 0 || n < 2 || s.Endpoints == 0 {
		return math.Inf(1)
	}
	degree, holders := 0.0, int64(0) // most links of a switch, and switches with endpoints
	capacity := 0.0
	for i := range s.Family.SwitchClasses {
		d, has := 0.0, false
		for c, class := range s.Family.LinkClasses {
			switch class.Name {
			case topology.ClassNic, topology.ClassInternal, topology.ClassScaleup:
				has = has || class.Name == topology.ClassNic && s.Switch[i].Ports[c] > 0
			default:
				d += float64(s.Switch[i].Ports[c])
			}
		}
		degree = max(degree, d)
		if has && !s.Family.SwitchClasses[i].Embedded {
			holders += s.Switch[i].Count
		}
	}
	for c, class := range s.Family.LinkClasses {
		switch class.Name {
		case topology.ClassNic, topology.ClassInternal, topology.ClassScaleup:
		default:
			capacity += 2 * float64(s.Link[c]) * float64(s.Lanes[c])
		}
	}
	need := float64(s.Endpoints) * float64(s.EndpointLanes) * meanDistance(float64(holders), degree, float64(s.EndpointPorts))
	return capacity / need
}

// meanDistance is the least mean distance between endpoints on n switches of the given degree: as
// many at each distance as the Moore bound allows. Endpoints with several ports start from and
// arrive at several switches.
func meanDistance(n, degree, starts float64) float64 {
	rest, sum := n-starts*starts, 0.0
	layer := degree * starts * starts
	for d := 1.0; rest > 0 && layer > 0; d++ {
		here := min(layer, rest)
		sum += d * here
		rest -= here
		layer *= max(1, degree-1)
	}
	return max(sum/n, 1e-9)
}
