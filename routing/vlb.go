package routing

import "toposearch/topology"

// ValiantThroughput is what Valiant's detours guarantee for any traffic in which no endpoint
// sends or receives more than its bandwidth, permutations included: by way of an intermediate
// drawn from all endpoints, both legs are uniform traffic, whatever the traffic is (Valiant,
// Brebner, STOC 1981). It is a lower bound of the throughput that the best routing achieves on the
// worst traffic. l must be the exact uniform loads of a rule. ok is false where the argument does
// not hold: loads that are not exact, or endpoints with several ports, since the second leg
// starts where the first one ends.
func ValiantThroughput(n *topology.Network, l *Loads) (throughput float64, ok bool) {
	if !l.Exact {
		return 0, false
	}
	for g := range n.Groups() {
		if _, _, ports := n.Group(g); len(ports) > 1 {
			return 0, false
		}
	}
	limit := l.Throughput(n)
	if limit.None {
		return 0, false
	}
	// Uniform loads leave out the pairs of an endpoint with itself, which an intermediate may be:
	// a leg carries (N-1)/N of them.
	e := float64(n.Endpoints())
	return limit.Throughput * e / (2 * (e - 1)), true
}
