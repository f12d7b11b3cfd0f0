package topotest

import (
	"context"
	"testing"

	"toposearch/topology"
)

// routing is the plain twin of the program's routing: one backward breadth-first search over
// (switch, state) per destination, with every step of the rule tried on every channel.
type routing struct {
	n     *topology.Network
	rule  topology.Rule
	from  []topology.SwitchID    // source of each channel
	in    [][]topology.ChannelID // channels that lead to a switch
	steps [][]topology.Step      // steps that a channel admits
	dist  []int                  // by switch*States+state; -1 unreachable
	order []int                  // reached nodes, nearest first
	hops  [][]move               // of moves, by node
	known []bool                 // which of them are of this destination
}

// move is one legal hop on a shortest route.
type move struct {
	channel topology.ChannelID
	vc      uint8
	node    int
}

func newRouting(n *topology.Network, rule topology.Rule) *routing {
	w := &routing{n: n, rule: rule, steps: make([][]topology.Step, n.Channels())}
	kinds := map[topology.Kind][]topology.Step{}
	w.from = make([]topology.SwitchID, n.Channels())
	w.in = make([][]topology.ChannelID, n.Switches())
	w.dist = make([]int, n.Switches()*rule.States)
	w.hops, w.known = make([][]move, len(w.dist)), make([]bool, len(w.dist))
	for x := range n.Switches() {
		x := topology.SwitchID(x)
		for c, end := n.Out(x); c < end; c++ {
			w.from[c] = x
			w.in[n.To(c)] = append(w.in[n.To(c)], c)
			k := n.Kind(x, c)
			if kinds[k] == nil {
				kinds[k] = matching(rule, k)
			}
			w.steps[c] = kinds[k]
		}
	}
	return w
}

func matching(rule topology.Rule, k topology.Kind) []topology.Step {
	is := func(want, got uint8) bool { return want == topology.Any || want == got }
	out := []topology.Step{}
	for _, s := range rule.Steps {
		if is(s.Kind.Link, k.Link) && is(s.Kind.From, k.From) && is(s.Kind.To, k.To) {
			out = append(out, s)
		}
	}
	return out
}

// toward computes the distances to an endpoint with the given ports.
func (w *routing) toward(ports []topology.SwitchID) {
	for i := range w.dist {
		w.dist[i] = -1
	}
	w.order = w.order[:0]
	clear(w.known)
	reach := func(node, d int) {
		if w.dist[node] < 0 {
			w.dist[node] = d
			w.order = append(w.order, node)
		}
	}
	for _, p := range ports {
		for q := range w.rule.States {
			reach(int(p)*w.rule.States+q, 0)
		}
	}
	for i := 0; i < len(w.order); i++ {
		v, q := w.order[i]/w.rule.States, w.order[i]%w.rule.States
		for _, c := range w.in[v] {
			for _, s := range w.steps[c] {
				if int(s.To) == q {
					reach(int(w.from[c])*w.rule.States+int(s.From), w.dist[w.order[i]]+1)
				}
			}
		}
	}
}

// moves gives the hops from a node that bring a packet one step nearer, which hold until the next toward.
func (w *routing) moves(node int) []move {
	if w.known[node] {
		return w.hops[node]
	}
	list := w.hops[node][:0]
	x, q := topology.SwitchID(node/w.rule.States), node%w.rule.States
	for c, end := w.n.Out(x); c < end; c++ {
		for _, s := range w.steps[c] {
			to := int(w.n.To(c))*w.rule.States + int(s.To)
			if int(s.From) == q && w.dist[to] >= 0 && w.dist[to] == w.dist[node]-1 {
				list = append(list, move{c, s.VC, to})
			}
		}
	}
	w.hops[node], w.known[node] = list, true
	return list
}

// start gives the least distance from any of the ports, -1 if none reaches, and the indices of
// the ports that have it.
func (w *routing) start(ports []topology.SwitchID) (int, []int) {
	best := -1
	var at []int
	for i, p := range ports {
		d := w.dist[int(p)*w.rule.States]
		if d < 0 || best >= 0 && d > best {
			continue
		}
		if d != best {
			best, at = d, at[:0]
		}
		at = append(at, i)
	}
	return best, at
}

// pairs is the number of ordered pairs of distinct endpoints from group g to group h.
func pairs(n *topology.Network, g, h int) int64 {
	a, b, _ := n.Group(g)
	c, d, _ := n.Group(h)
	if g == h {
		return int64(b-a) * int64(b-a-1)
	}
	return int64(b-a) * int64(d-c)
}

// Lengths counts ordered pairs of distinct endpoints by path_links on shortest paths: links from
// endpoint to endpoint, nic links included and internal ones not. Index -1 of the map holds
// pairs without a path. Plain and slow: for networks of up to some thousand switches.
func Lengths(n *topology.Network) map[int]int64 {
	ends := 2
	if n.LinkClasses[0].Name == topology.ClassInternal {
		ends = 0
	}
	return lengths(n, topology.Minimal(), ends)
}

func lengths(n *topology.Network, rule topology.Rule, ends int) map[int]int64 {
	w := newRouting(n, rule)
	out := map[int]int64{}
	for h := range n.Groups() {
		_, _, ports := n.Group(h)
		w.toward(ports)
		for g := range n.Groups() {
			_, _, from := n.Group(g)
			if k := pairs(n, g, h); k > 0 {
				if d, _ := w.start(from); d < 0 {
					out[-1] += k
				} else {
					out[d+ends] += k
				}
			}
		}
	}
	return out
}

// MeanPathLinks is the mean of Lengths (ATOP's APL); it is negative if a pair has no path.
func MeanPathLinks(n *topology.Network) float64 {
	var sum, count int64
	for l, k := range Lengths(n) {
		if l < 0 {
			return -1
		}
		sum += int64(l) * k
		count += k
	}
	return float64(sum) / float64(count)
}

// MaxPathLinks is the largest of Lengths.
func MaxPathLinks(n *topology.Network) int {
	most := 0
	for l := range Lengths(n) {
		most = max(most, l)
	}
	return most
}

// checkDistances compares the lengths of the natural routes with plain search over the rule.
func checkDistances(t testing.TB, d topology.Design, n *topology.Network, rule topology.Rule) {
	t.Helper()
	got, err := n.Distances(context.Background(), topology.DistanceOptions{Rule: rule})
	if err != nil {
		t.Errorf("%s: %v", d, err)
		return
	}
	want := lengths(n, rule, 0)
	if got.Unreachable != want[-1] {
		t.Errorf("%s: %d pairs have no %s route, want %d", d, got.Unreachable, rule.Name, want[-1])
	}
	for l := range max(len(got.Pairs), len(want)) {
		if k := append(got.Pairs, make([]int64, l+1)...)[l]; k != want[l] {
			t.Errorf("%s: %d pairs have %s routes of %d channels, want %d", d, k, rule.Name, l, want[l])
		}
	}
}
