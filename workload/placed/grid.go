package placed

import "slices"

// Grid is a network of switches of which two are joined if they differ in one coordinate, with routes that correct one coordinate after
// the other: HyperX, nD-FullMesh. Each message is then one hop in each dimension in which its ends differ, and loads are counted
// without building the network.
type Grid struct {
	Dims      []int // switches along each dimension, in the order in which routes take them; the first is the fastest in their numbers
	PerSwitch int   // endpoints of a switch, in the order of switches
	// Carry is what the links between two switches carry each way, by dimension, in units of what an endpoint sends at
	// Link.BytesPerS.
	Carry []float64
}

// gridLoads are what the links between two switches carry, in shares of S: that of switch s to coordinate y in a dimension at
// [from[dimension] + s*size + y].
type gridLoads struct {
	*Grid
	from []int
	load []float64
}

func (g *Grid) loads() *gridLoads {
	l := &gridLoads{Grid: g}
	switches, n := 1, 0
	for _, s := range g.Dims {
		switches *= s
	}
	for _, s := range g.Dims {
		l.from = append(l.from, n)
		n += switches * s
	}
	l.load = make([]float64, n)
	return l
}

// add is a message between two endpoints.
func (l *gridLoads) add(a, b int, share float64) {
	at, to, step := a/l.PerSwitch, b/l.PerSwitch, 1
	if at == to {
		return
	}
	for d, s := range l.Dims {
		x, y := at/step%s, to/step%s
		if x != y {
			l.load[l.from[d]+at*s+y] += share
			at += (y - x) * step
		}
		step *= s
	}
}

// busiest is what the busiest links take of S at an endpoint's rate.
func (l *gridLoads) busiest() (most float64) {
	for d, from := range l.from {
		to := len(l.load)
		if d+1 < len(l.from) {
			to = l.from[d+1]
		}
		if l.Dims[d] > 1 {
			most = max(most, slices.Max(l.load[from:to])/l.Carry[d])
		}
	}
	return most
}
