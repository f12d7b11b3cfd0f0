package queue

import (
	"toposearch/routing"
	"toposearch/topology"
)

// Usable is how many of the VCs of each channel its traffic can fill before those of one class are full: VCs are dealt out to
// classes in equal shares, as package route does, and a packet that may take either of two takes one by chance. Channels on which the
// rule knows a single VC have all.
func Usable(t *routing.Turns, have, classes int) []float64 {
	out := make([]float64, t.Router.Net.Channels())
	one := t.Router.OneVC()
	of := func(class int) float64 { return float64((class+1)*have/classes - class*have/classes) }
	sum := make([]float64, classes)
	for c := range out {
		out[c] = float64(have)
		if classes == 1 || !t.Layers && one[t.Router.KindOf(topology.ChannelID(c))] {
			continue
		}
		clear(sum)
		total := 0.0
		for code, x := range t.On[c*t.Codes : (c+1)*t.Codes] {
			total += x
			k := min(code/2, classes-1)
			if code%2 == 0 || k+1 == classes {
				sum[k] += x
				continue
			}
			part := of(k) / (of(k) + of(k+1))
			sum[k] += x * part
			sum[k+1] += x * (1 - part)
		}
		for k, x := range sum {
			if x > 0 {
				out[c] = min(out[c], of(k)*total/x)
			}
		}
	}
	return out
}
