package wire

import "math"

// AtLeast bounds the diameter and the mean distance of all graphs of n switches of degree d from below: level by level
// as many switches as a tree has (V. G. Cerf et al., Networks 4(4), 1974). d may be a fraction, for which the bound on
// the mean lies between those of its neighbours.
func AtLeast(n int, d float64) (diameter int, mean float64) {
	if n < 2 {
		return 0, 0
	}
	left, level, sum := float64(n-1), d, 0.0
	for left > 1e-9 {
		diameter++
		here := math.Min(level, left)
		sum, left = sum+here*float64(diameter), left-here
		level *= d - 1
		if level <= 0 && left > 1e-9 {
			return n, math.Inf(1) // two switches with a link are all
		}
	}
	return diameter, sum / float64(n-1)
}

// HostsAtLeast bounds the greatest and the mean distance between n hosts on any number of switches with r ports, in
// links, the hosts' own included (R. Yasudo et al., IEEE TPDS 30(2), 2019, theorems 1 and 2).
func HostsAtLeast(n, r int) (diameter int, mean float64) {
	if n < 2 {
		return 0, 0
	}
	diameter = 2
	inner := 1.0 // (r-1)^(diameter-2): hosts that could be one link nearer
	for inner*float64(r-1) < float64(n-1) {
		inner *= float64(r - 1)
		diameter++
	}
	whole := inner*float64(r-1) == float64(n-1)
	if whole || diameter == 2 {
		return diameter, float64(diameter)
	}
	nearer := inner - math.Ceil((float64(n-1)-inner)/float64(r-2))
	return diameter, float64(diameter) - nearer/float64(n-1)
}

// switchesFor is the number of switches with r ports for n hosts at which the bound on the mean distance is least, of
// those that unit divides; the fewest of equals.
func switchesFor(n, r, unit int) (switches int) {
	best := math.Inf(1)
	for m := unit; m <= n; m += unit {
		hosts := float64(n) / float64(m)
		d := float64(r) - hosts
		if d <= 0 || m > 1 && d < 2-2/float64(m) {
			continue // they cannot be one network
		}
		_, mean := AtLeast(m, d)
		if m == 1 {
			mean = 0
		}
		pairs := float64(n-1) * float64(n)
		if at := mean * (pairs - float64(n)*(hosts-1)) / pairs; at < best-1e-12 {
			best, switches = at, m
		}
	}
	return switches
}
