package route

import (
	"math"

	"toposearch/evaluator/market"
	"toposearch/topology"
)

// Limit is what bounds a uniform load.
type Limit struct {
	Throughput, Lanes float64 // with the rates bought; with those of the lanes alone
	Class             int     // of the links that are full; meaningful if Limited
	Limited           bool    // false: nothing limits it
}

// Crossings is how often uniform traffic crosses the network in Valiant's routing, in units of how often it does over the legs' routes alone: what leaves a switch
// goes by way of one of all M with endpoints, each as likely, its own and its destination's included, which makes it direct. Either leg sends to each
// switch an M-th of that, as uniform traffic does, but for the M-th that stays: 2 (1 - 1/M). With fewer than three there is nothing to go by. ok: as many endpoints
// hang on each, by one port, or forward; elsewhere legs are not uniform traffic.
func Crossings(s *topology.Size) (times float64, ok bool) {
	sets, ok := attached(s)
	return CrossingsBy(sets), ok
}

// CrossingsAtLeast is Crossings of designs with no fewer endpoints than one corner of a box, and switches that have no more than the other.
func CrossingsAtLeast(lo, hi *topology.Size) (times float64, ok bool) {
	most := int32(1)
	if hi.Family.LinkClasses[0].Name != topology.ClassInternal {
		if hi.EndpointPorts > 1 {
			return 1, false
		}
		for i := range hi.Family.SwitchClasses {
			most = max(most, hi.Switch[i].Ports[0])
		}
	}
	return CrossingsBy(math.Ceil(float64(lo.Endpoints) / float64(most))), true
}

// CrossingsBy is Crossings by way of so many switches, with as many endpoints each.
func CrossingsBy(sets float64) float64 {
	if sets < 3 {
		return 1
	}
	return 2 * (1 - 1/sets)
}

// attached counts the switches with endpoints; ok is false where these have several ports that do not forward, or switches differ in how many they have.
func attached(s *topology.Size) (sets float64, ok bool) {
	f := s.Family
	switch {
	case f.LinkClasses[0].Name == topology.ClassInternal: // one on each
		return float64(s.Endpoints), true
	case s.EndpointPorts > 1:
		return 0, false
	}
	each, count := int32(0), int64(0)
	for i := range f.SwitchClasses {
		if ports := s.Switch[i].Ports[0]; ports > 0 && s.Switch[i].Count > 0 {
			if each > 0 && ports != each {
				return 0, false
			}
			each, count = ports, count+s.Switch[i].Count
		}
	}
	return float64(count), count*int64(each) == s.Endpoints
}

// Busiest is the least capacity over load among the link classes: the mean load of a class
// follows from how often routes cross it, the largest from its peak. Links of endpoints count
// where endpoints have several or relay.
func Busiest(s *topology.Size, r *market.Rates, p *topology.Paths) Limit {
	l := Limit{Throughput: math.Inf(1), Lanes: math.Inf(1)}
	f := s.Family
	total := float64(p.Sums.Pairs)
	for c := range f.LinkClasses {
		sum := float64(p.Sums.Cross[c])
		if sum == 0 || r.Kind[c] == market.Inside || c == 0 && (s.EndpointPorts <= 1 || f.Unidirectional) {
			continue
		}
		channels := 2 * float64(s.Link[c])
		if f.Unidirectional {
			channels = float64(s.Link[c])
		}
		load := sum / total * float64(s.Endpoints) / channels * p.Peak[c]
		if t := r.Capacity(c) / load; t < l.Throughput {
			l.Throughput, l.Class, l.Limited = t, c, true
		}
		l.Lanes = min(l.Lanes, float64(s.Lanes[c])/float64(s.EndpointLanes)/load)
	}
	return l
}
