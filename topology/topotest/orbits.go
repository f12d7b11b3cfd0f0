package topotest

import (
	"slices"
	"sort"
	"strconv"
	"testing"

	"toposearch/topology"
)

// orbitCheckLimit bounds the vertices for which automorphisms are looked for: individualising
// and refining costs about a squared time.
const orbitCheckLimit = 120

// coloured is the graph of switches and endpoint groups for colour refinement.
type coloured struct {
	n     *topology.Network
	adj   [][]arc
	start []int // initial colours
}

type arc struct{ to, class int }

// newColoured tells link classes apart, but for those that are alike if that is not nil.
func newColoured(n *topology.Network, alike []int) *coloured {
	k := n.Switches()
	class := func(c topology.ChannelID) int { return alikeClass(alike, n.LinkClass(c)) }
	g := &coloured{n: n, adj: make([][]arc, k+n.Groups()), start: make([]int, k+n.Groups())}
	for x := range k {
		g.start[x] = n.Class(topology.SwitchID(x))
		for c, end := n.Out(topology.SwitchID(x)); c < end; c++ {
			g.adj[x] = append(g.adj[x], arc{int(n.To(c)), class(c)})
			if n.Unidirectional {
				to := int(n.To(c))
				g.adj[to] = append(g.adj[to], arc{x, class(c) + topology.MaxClasses})
			}
		}
	}
	for e := range n.Groups() {
		a, b, ports := n.Group(e)
		g.start[k+e] = 1000 + int(b-a)
		for _, p := range ports {
			g.adj[k+e] = append(g.adj[k+e], arc{int(p), 0})
			g.adj[p] = append(g.adj[p], arc{k + e, 0})
		}
	}
	return g
}

// refine gives stable colours (1-dimensional Weisfeiler-Leman). Colours of two runs on the same
// graph compare, because they are numbered by sorted signatures.
func (g *coloured) refine(start []int) []int {
	col := append([]int(nil), start...)
	kinds := 0
	for {
		sig := make([]string, len(col))
		for x := range col {
			nb := make([]int, len(g.adj[x]))
			for i, a := range g.adj[x] {
				nb[i] = col[a.to]*4*topology.MaxClasses + a.class
			}
			sort.Ints(nb)
			sig[x] = signature(col[x], nb)
		}
		names := map[string]int{}
		var sorted []string
		for _, s := range sig {
			if _, ok := names[s]; !ok {
				names[s] = 0
				sorted = append(sorted, s)
			}
		}
		sort.Strings(sorted)
		for i, s := range sorted {
			names[s] = i
		}
		for x := range col {
			col[x] = names[sig[x]]
		}
		if len(sorted) == kinds {
			return col
		}
		kinds = len(sorted)
	}
}

// signature writes numbers as a string to compare by.
func signature(first int, more []int) string {
	b := strconv.AppendInt(make([]byte, 0, 8+4*len(more)), int64(first), 10)
	for _, x := range more {
		b = strconv.AppendInt(append(b, ' '), int64(x), 10)
	}
	return string(b)
}

// invariants gives each vertex a number that automorphic vertices share: stable colour and the
// histogram of distances to endpoints and to switches.
func (g *coloured) invariants() []int {
	col := g.refine(g.start)
	sig := make([]string, len(col))
	for x := range col {
		sig[x] = signature(col[x], g.histogram(x))
	}
	names := map[string]int{}
	out := make([]int, len(col))
	for x, s := range sig {
		if _, ok := names[s]; !ok {
			names[s] = len(names)
		}
		out[x] = names[s]
	}
	return out
}

// histogram counts endpoints and switches by distance from vertex x through switches.
func (g *coloured) histogram(x int) []int {
	k := g.n.Switches()
	dist := make([]int, len(g.adj))
	for i := range dist {
		dist[i] = -1
	}
	dist[x] = 0
	queue := []int{x}
	var hist []int
	for len(queue) > 0 {
		u := queue[0]
		queue = queue[1:]
		for len(hist) <= 2*dist[u]+1 {
			hist = append(hist, 0)
		}
		if u >= k {
			a, b, _ := g.n.Group(u - k)
			hist[2*dist[u]] += int(b - a)
			if u != x {
				continue // endpoints do not forward
			}
		} else {
			hist[2*dist[u]+1]++
		}
		for _, a := range g.adj[u] {
			if dist[a.to] < 0 {
				dist[a.to] = dist[u] + 1
				queue = append(queue, a.to)
			}
		}
	}
	return hist
}

// checkOrbits asks of a claimed symmetry: that its counts add up to everything; that as many
// things look like each representative as the orbits of such representatives claim; that a
// representative and others like it cannot be told apart by marking one and refining; and that
// links claimed even are between things that look alike.
func checkOrbits(t testing.TB, d topology.Design, n *topology.Network) {
	t.Helper()
	if d.Family.Orbits == nil {
		return
	}
	sym := d.Family.Orbits(d.V)
	if sym.Switches == nil && sym.Endpoints == nil && !sym.EvenLinks && sym.Alike == nil {
		return
	}
	if sym.Alike != nil {
		checkAlike(t, d, n, sym.Alike)
	}
	g := newColoured(n, nil)
	inv := g.invariants()
	k := n.Switches()
	checkOrbitCounts(t, d, "switches", sym.Switches, int64(k), inv, func(i int32) int { return int(i) },
		func(v int) int64 {
			if v < k {
				return 1
			}
			return 0
		})
	checkOrbitCounts(t, d, "endpoints", sym.Endpoints, int64(n.Endpoints()), inv,
		func(i int32) int { return k + n.GroupOf(topology.EndpointID(i)) },
		func(v int) int64 {
			if v < k {
				return 0
			}
			a, b, _ := n.Group(v - k)
			return int64(b - a)
		})
	if t.Failed() {
		return
	}
	if len(inv) <= orbitCheckLimit {
		reps := map[int][]int{}
		for _, o := range sym.Switches {
			reps[inv[o.Rep]] = append(reps[inv[o.Rep]], int(o.Rep))
		}
		for _, o := range sym.Endpoints {
			x := k + n.GroupOf(topology.EndpointID(o.Rep))
			reps[inv[x]] = append(reps[inv[x]], x)
		}
		for x := range inv {
			if r := reps[inv[x]]; r != nil {
				g.spotCheck(t, d, inv, r)
				delete(reps, inv[x])
			}
		}
	}
	if sym.EvenLinks {
		checkEven(t, d, n, inv, nil)
	}
}

func checkOrbitCounts(t testing.TB, d topology.Design, what string, orbits []topology.Orbit, total int64,
	inv []int, vertex func(int32) int, weight func(int) int64) {
	t.Helper()
	if orbits == nil {
		return
	}
	claimed := map[int]int64{}
	var sum int64
	for _, o := range orbits {
		v := vertex(o.Rep)
		if weight(v) == 0 || o.Count < 1 {
			t.Errorf("%s: orbit %+v of %s has no member", d, o, what)
			return
		}
		claimed[inv[v]] += o.Count
		sum += o.Count
	}
	if sum != total {
		t.Errorf("%s: orbits of %s add up to %d, want %d", d, what, sum, total)
	}
	found := map[int]int64{}
	for v := range inv {
		found[inv[v]] += weight(v)
	}
	for c, k := range claimed {
		if found[c] != k {
			t.Errorf("%s: orbits claim %d %s like a representative, there are %d", d, k, what, found[c])
		}
	}
}

// spotCheck marks each of the representatives that look alike, then up to four others that look
// like them, and asks that the refined colours of each equal those of some representative:
// images under an automorphism give the same.
func (g *coloured) spotCheck(t testing.TB, d topology.Design, inv []int, reps []int) {
	t.Helper()
	marked := func(x int) string {
		start := append([]int(nil), g.start...)
		start[x] += 1 << 20
		col := g.refine(start)
		sort.Ints(col)
		return signature(0, col)
	}
	known := map[string]bool{}
	for _, r := range reps {
		known[marked(r)] = true
	}
	tried := 0
	for x := len(inv) - 1; x >= 0 && tried < 4; x-- {
		if inv[x] == inv[reps[0]] && !slices.Contains(reps, x) {
			tried++
			if !known[marked(x)] {
				t.Errorf("%s: vertex %d looks like %v, but marking it tells it apart from each", d, x, reps)
			}
		}
	}
}

// alikeClass is the first of the link classes that are as one; alike nil: itself.
func alikeClass(alike []int, class int) int {
	if alike == nil {
		return class
	}
	return alike[class]
}

// checkAlike asks of link classes that are claimed alike that the channels of all of them join things that look alike if classes are not told apart, and that
// marking the two ends of one channel of such a group gives the same colours whichever it is.
func checkAlike(t testing.TB, d topology.Design, n *topology.Network, alike []int) {
	t.Helper()
	g := newColoured(n, alike)
	inv := g.invariants()
	checkEven(t, d, n, inv, alike)
	if len(inv) > orbitCheckLimit {
		return
	}
	looks := map[topology.Kind]string{}
	tried := map[topology.Kind]int{}
	for x := range n.Switches() {
		for c, end := n.Out(topology.SwitchID(x)); c < end; c++ {
			own := n.Kind(topology.SwitchID(x), c)
			k := own
			k.Link = uint8(alikeClass(alike, int(own.Link)))
			if tried[own]++; tried[own] > 3 {
				continue
			}
			start := slices.Clone(g.start)
			start[x] += 1 << 20
			start[n.To(c)] += 1 << 21
			col := g.refine(start)
			sort.Ints(col)
			got := signature(0, col)
			if want, ok := looks[k]; ok && got != want {
				t.Errorf("%s: a link of class %s is claimed to be like those of %s, but marking its ends tells it apart", d, d.Family.LinkClasses[own.Link].Name, d.Family.LinkClasses[k.Link].Name)
				return
			}
			looks[k] = got
		}
	}
}

// checkEven asks that the channels of each class and direction join things that look alike, classes that are alike as one.
func checkEven(t testing.TB, d topology.Design, n *topology.Network, inv, alike []int) {
	t.Helper()
	kinds := map[topology.Kind][2]int{}
	for x := range n.Switches() {
		x := topology.SwitchID(x)
		for c, end := n.Out(x); c < end; c++ {
			k := n.Kind(x, c)
			k.Link = uint8(alikeClass(alike, int(k.Link)))
			got := [2]int{inv[x], inv[n.To(c)]}
			if want, ok := kinds[k]; ok && want != got {
				t.Errorf("%s: links of class %s are claimed even, but join different things", d, d.Family.LinkClasses[k.Link].Name)
				return
			}
			kinds[k] = got
		}
	}
}
