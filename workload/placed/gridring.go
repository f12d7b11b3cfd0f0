package placed

// around is a message in a ring, or in a line.
func around(ring []float64, open bool, x, y int, share float64) {
	k := len(ring)/2 - 1
	ahead := y - x
	if ahead < 0 {
		ahead += k
	}
	switch {
	case open && y > x:
		ahead = 0 // no way round
	case open:
		ahead = k
	case 2*ahead == k:
		share /= 2
	}
	pass := func(way []float64, from, to int) {
		way[from] += share
		way[to] -= share
		if to < from { // over the end
			way[0] += share
			way[k] -= share
		}
	}
	if 2*ahead <= k {
		pass(ring[:k+1], x, y)
	}
	if 2*ahead >= k {
		pass(ring[k+1:], y, x)
	}
}

// alongRing gives to f what the links of a ring carry one way, by the differences between them, if each message is sent by so many
// switches one after the other.
func alongRing(more []float64, times int, f func(carried float64)) {
	if times == 1 {
		x := 0.0
		for _, m := range more {
			x += m
			f(x)
		}
		return
	}
	carried := make([]float64, len(more))
	x := 0.0
	for i, m := range more {
		x += m
		carried[i] = x
	}
	sum := 0.0
	for i := range times {
		sum += carried[(len(carried)-i)%len(carried)]
	}
	for i := range carried {
		f(sum)
		sum += carried[(i+1)%len(carried)] - carried[(i+1-times+len(carried))%len(carried)]
	}
}
