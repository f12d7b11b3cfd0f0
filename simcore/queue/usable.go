package queue

import (
	"toposearch/routing"
	"toposearch/topology"
)

// Usable is how many of the VCs of each channel its traffic can fill before those of one class are full: VCs are dealt out to
// classes in equal shares, or as tables with layers say, as package route does. A packet that may take either of two takes what is free: of the class that is full nothing is, so that
// both fill alike, as far as such packets are enough for it. Channels on which the rule knows a single VC have all.
func Usable(t *routing.Turns, have, classes int) []float64 {
	out := make([]float64, t.Router.Net.Channels())
	one := t.Router.OneVC()
	of := func(class int) float64 { return float64((class+1)*have/classes - class*have/classes) }
	if t.Deal != nil {
		dealt := t.Deal(have)
		of = func(class int) float64 { return float64(dealt[class]) }
	}
	sum := make([]float64, classes)
	for c := range out {
		out[c] = float64(have)
		if classes == 1 || !t.Layers && one[t.Router.KindOf(topology.ChannelID(c))] {
			continue
		}
		clear(sum)
		total, on := 0.0, t.On[c*t.Codes:(c+1)*t.Codes]
		for code, x := range on {
			total += x
			if code%2 == 0 || code/2+1 >= classes {
				sum[min(code/2, classes-1)] += x
			}
		}
		for k := range classes - 1 {
			if x := on[2*k+1]; x > 0 { // so much of it on the lower one that both are as full, if it can
				low := ((sum[k+1]+x)*of(k) - sum[k]*of(k+1)) / (of(k) + of(k+1))
				low = min(max(low, 0), x)
				sum[k] += low
				sum[k+1] += x - low
			}
		}
		for k, x := range sum {
			if x > 0 {
				out[c] = min(out[c], of(k)*total/x)
			}
		}
	}
	return out
}
