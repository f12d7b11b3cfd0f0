package routing

import (
	"math"
	"slices"

	"toposearch/topology"
)

// Relative is the load of each channel over what it carries, then that of each port of endpoints which have several on
// switches that are not embedded: the traffic can be scaled by 1 over the largest. capacity is what a link of a class of
// n carries, in units of an endpoint's bandwidth. Loads of orbits or samples have no channels: Relative is nil.
func (l *Loads) Relative(n *topology.Network, capacity func(link int) float64) []float64 {
	return l.AppendRelative(nil, n, capacity)
}

// AppendRelative is Relative behind a list.
func (l *Loads) AppendRelative(list []float64, n *topology.Network, capacity func(link int) float64) []float64 {
	if l.Channel == nil {
		return list
	}
	list = slices.Grow(list, len(l.Channel)+len(l.In)+len(l.Out))
	first := len(list)
	out := list[:first+len(l.Channel)]
	var carries [topology.MaxClasses]float64
	for k := range n.LinkClasses {
		if carries[k] = math.Inf(1); n.LinkClasses[k].Name != topology.ClassInternal {
			carries[k] = capacity(k)
		}
	}
	for c, x := range l.Channel {
		out[first+c] = 0
		if x > 0 {
			out[first+c] = x / carries[n.LinkClass(topology.ChannelID(c))]
		}
	}
	if !SeveralPorts(n) {
		return out
	}
	nic := capacity(nicClass(n))
	sets, _ := Attachments(n)
	for i := range sets {
		if sets[i].ports() < 2 || n.Embedded(sets[i].Ports[0].Switch) {
			continue
		}
		for at := l.PortStart[i]; at < l.PortStart[i+1]; at++ {
			out = append(out, l.In[at]/nic, l.Out[at]/nic)
		}
	}
	return out
}

// SeveralPorts tells whether some endpoints have more than one.
func SeveralPorts(n *topology.Network) bool {
	for g := range n.Groups() {
		if _, _, ports := n.Group(g); len(ports) > 1 {
			return true
		}
	}
	return false
}

// OwnCapacity is what the links of a network carry by their lanes, for Relative.
func OwnCapacity(n *topology.Network) func(link int) float64 {
	return func(link int) float64 { return float64(n.Lanes[link]) / float64(n.EndpointLanes) }
}

// Detoured are the loads of traffic that takes two phases (Valiant, Brebner, STOC 1981): each endpoint sends an equal
// share of everything to each endpoint, itself included, and that on to the destination. Either phase is uniform
// traffic, of which pairs of an endpoint with itself load nothing, whatever the permutation is. uniform are the
// relative loads of uniform traffic among so many endpoints.
func Detoured(uniform []float64, endpoints int) []float64 {
	out := make([]float64, len(uniform))
	for i, x := range uniform {
		out[i] = 2 * x * float64(endpoints-1) / float64(endpoints)
	}
	return out
}

// Split is traffic of which a fraction takes direct routes and the rest detours.
type Split struct {
	Direct     float64 // the fraction, in [0, 1]
	Throughput float64 // the largest factor by which the traffic can be scaled then; +Inf if it loads nothing
}

// BestSplit is the best fraction of a traffic, the same of every flow, to go directly where the rest makes detours: the
// linear program max t with t (f direct[c] + (1-f) detour[c]) <= 1 for all c and 0 <= f <= 1. Loads are relative
// (Loads.Relative). Of several best fractions it takes the largest. The largest load is convex in f, the upper
// envelope of a line for each channel: cutting planes find its lowest point in as many steps as it has corners at most.
func BestSplit(direct, detour []float64) Split {
	highest := func(f float64, steep float64) (y, slope float64) {
		for c, a := range direct {
			b := detour[c]
			v, s := f*a+(1-f)*b, a-b
			if v > y || v == y && s*steep > slope*steep {
				y, slope = v, s
			}
		}
		return y, slope
	}
	left, right := 0.0, 1.0
	yl, sl := highest(left, 1)
	yr, sr := highest(right, -1)
	switch {
	case sr <= 0:
		return Split{1, 1 / yr}
	case sl >= 0:
		return Split{0, 1 / yl}
	}
	for {
		// Where the lines through the two meet nothing is below: it is the answer if no line is above there.
		f := (yr - yl + sl*left - sr*right) / (sl - sr)
		f = math.Max(left, math.Min(right, f))
		low := yl + sl*(f-left)
		y, s := highest(f, 1)
		switch {
		case y <= low*(1+1e-12) || f == left || f == right || s == 0:
			return Split{f, 1 / y}
		case s < 0:
			left, yl, sl = f, y, s
		default:
			right, yr, sr = f, y, s
		}
	}
}
