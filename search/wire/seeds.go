package wire

import (
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"

	"toposearch/topology"
	"toposearch/topology/family"
)

// algebraic are the families that lie near the bound at diameter 2, and how many switches one of a degree has about:
// annealing does not reach them from a random graph.
var algebraic = []string{"polarfly", "slimfly"}

// seeds are the algebraic graphs nearest to n switches of degree d, with switches left out or put in.
func seeds(n, d int, rng *rand.Rand) (out []*Graph) {
	for _, name := range algebraic {
		f, ok := family.ByName(name)
		if !ok {
			continue
		}
		var best *topology.Network
		for q := 2; q <= d+1; q++ {
			design, err := topology.ParseDesign(f.Name+"(q="+strconv.Itoa(q)+",p=1)", []*topology.Family{f})
			if err != nil {
				continue
			}
			if q > 2 && (q-1)*(q-1) > 2*n { // both have at least q^2 switches
				break
			}
			if net, err := design.Build(); err == nil && degreeOf(net) <= d && near(net.Switches(), n) &&
				(best == nil || math.Abs(float64(net.Switches()-n)) < math.Abs(float64(best.Switches()-n))) {
				best = net
			}
		}
		if best != nil {
			if g := fit(best, n, d, rng); g != nil {
				out = append(out, g)
			}
		}
	}
	return out
}

// near reports whether a graph of a switches is worth changing into one of n: a tenth of its switches, at most.
func near(a, n int) bool { return 10*max(a-n, n-a) <= n }

func degreeOf(n *topology.Network) (d int) {
	for s := range n.Switches() {
		d = max(d, len(n.Neighbors(topology.SwitchID(s))))
	}
	return d
}

// fit leaves out the last switches of a network, or puts new ones into the middle of links, until it has n, and joins
// ends that are free. It returns nil if that leaves a doubled link.
func fit(net *topology.Network, n, d int, rng *rand.Rand) *Graph {
	linked := make([]map[int32]bool, n)
	for s := range linked {
		linked[s] = make(map[int32]bool, d)
	}
	join := func(a, b int32) { linked[a][b], linked[b][a] = true, true }
	cut := func(a, b int32) { delete(linked[a], b); delete(linked[b], a) }
	for s := range min(n, net.Switches()) {
		for _, t := range net.Neighbors(topology.SwitchID(s)) {
			if int(t) < n {
				join(int32(s), int32(t))
			}
		}
	}
	var links [][2]int32
	for s := range linked {
		for _, t := range sorted(linked[s]) {
			if int32(s) < t {
				links = append(links, [2]int32{int32(s), t})
			}
		}
	}
	rng.Shuffle(len(links), func(i, j int) { links[i], links[j] = links[j], links[i] })
	at := 0
	for s := int32(net.Switches()); s < int32(n); s++ {
		for ; len(linked[s])+2 <= d && at < len(links); at++ {
			if a, b := links[at][0], links[at][1]; !linked[s][a] && !linked[s][b] {
				cut(a, b)
				join(s, a)
				join(s, b)
			}
		}
	}
	joinFree(linked, d, join)
	g := &Graph{Orbits: n, Turns: 1, hosts: ones(n), links: make([][]end, n)}
	for s := range linked {
		g.links[s] = make([]end, 0, d)
	}
	for s := range linked {
		for _, t := range sorted(linked[s]) {
			if int32(s) < t {
				g.join(int32(s), t, 0)
			}
		}
	}
	return g
}

// joinFree links switches that have free ends and no link yet, in order.
func joinFree(linked []map[int32]bool, d int, join func(a, b int32)) {
	for s := range linked {
		for t := s + 1; t < len(linked) && len(linked[s]) < d; t++ {
			if len(linked[t]) < d && !linked[s][int32(t)] {
				join(int32(s), int32(t))
			}
		}
	}
}

func sorted(m map[int32]bool) []int32 { return slices.Sorted(maps.Keys(m)) }

func ones(n int) []int32 {
	out := make([]int32, n)
	for i := range out {
		out[i] = 1
	}
	return out
}
