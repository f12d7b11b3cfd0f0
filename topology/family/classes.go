package family

import "toposearch/topology"

// ports lays out the ports of the fullest switch of a class by link class.
func ports(p ...int32) (out [topology.MaxClasses]int32) {
	copy(out[:], p)
	return out
}

// crossing lays out how often a route crosses each link class.
func crossing(c ...int16) (out [topology.MaxClasses]int16) {
	copy(out[:], c)
	return out
}

// classOrbits claims that all endpoints are equivalent, all switches of a class, and all links of a class.
func classOrbits(classes []topology.SwitchClass, s *topology.Size) topology.Symmetry {
	y := topology.Symmetry{Endpoints: []topology.Orbit{{Rep: 0, Count: s.Endpoints}}, EvenLinks: true}
	var first int64
	for i := range classes {
		if n := s.Switch[i].Count; n > 0 {
			y.Switches = append(y.Switches, topology.Orbit{Rep: int32(first), Count: n})
			first += n
		}
	}
	return y
}

// meshLinks joins all pairs of the n switches from first on.
func meshLinks(class, first, n int, emit func(int, topology.SwitchID, topology.SwitchID)) {
	for i := range n {
		for j := i + 1; j < n; j++ {
			emit(class, topology.SwitchID(first+i), topology.SwitchID(first+j))
		}
	}
}

// attachEach puts p endpoints on each of the first n switches.
func attachEach(n, p int, emit func(int, []topology.SwitchID)) {
	at := make([]topology.SwitchID, 1)
	for s := range n {
		at[0] = topology.SwitchID(s)
		emit(p, at)
	}
}

// mirrored is the number of different places among i and its mirror image in [0, n).
func mirrored(i, n int) int64 {
	if i == n-1-i {
		return 1
	}
	return 2
}
