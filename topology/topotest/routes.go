package topotest

import (
	"math"
	"slices"
	"sync"
	"testing"

	"toposearch/topology"
)

type cross = [topology.MaxClasses]int16

// traffic is what uniform traffic does under a rule: pairs by crossings, load of every channel
// and of every endpoint port, in units of one ordered pair.
type traffic struct {
	types map[cross]float64
	pairs int64
	lost  int64
	load  []float64
	nic   []float64 // injection, then ejection, per endpoint port
	long  int       // longest route, hops
}

func (w *routing) uniform() *traffic {
	n := w.n
	tr := &traffic{types: map[cross]float64{}, load: make([]float64, n.Channels())}
	first, total := make([]int, n.Groups()+1), 0
	for g := range n.Groups() {
		_, _, ports := n.Group(g)
		first[g] = total
		total += len(ports)
	}
	in, out := make([]float64, total), make([]float64, total)
	flow := make([]float64, len(w.dist))
	togo := make([][]portion, len(w.dist))
	for h := range n.Groups() {
		_, _, ports := n.Group(h)
		w.toward(ports)
		w.crossings(togo)
		clear(flow)
		for g := range n.Groups() {
			_, _, from := n.Group(g)
			k := pairs(n, g, h)
			d, at := w.start(from)
			if k == 0 {
				continue
			}
			if d < 0 {
				tr.lost += k
				continue
			}
			tr.long = max(tr.long, d)
			tr.pairs += k
			for _, i := range at {
				node := int(from[i]) * w.rule.States
				for _, x := range togo[node] {
					x.c[0] += 2
					tr.types[x.c] += x.share * float64(k) / float64(len(at))
				}
				flow[node] += float64(k) / float64(len(at))
				in[first[g]+i] += float64(k) / float64(len(at))
			}
		}
		w.push(flow, tr)
		w.eject(flow, ports, out[first[h]:])
	}
	tr.nic = perEndpoint(n, first, in, out)
	return tr
}

// perEndpoint divides port loads of groups by their endpoints, one value per endpoint so that
// means weigh endpoints equally.
func perEndpoint(n *topology.Network, first []int, in, out []float64) []float64 {
	var nic []float64
	for _, l := range [][]float64{in, out} {
		for g := range n.Groups() {
			a, b, ports := n.Group(g)
			for i := range ports {
				for range b - a {
					nic = append(nic, l[first[g]+i]/float64(b-a))
				}
			}
		}
	}
	return nic
}

// portion is the share of a node's packets that have these link classes still to cross.
type portion struct {
	c     cross
	share float64
}

// crossings fills what packets have still to cross from each node, nearest nodes first.
func (w *routing) crossings(togo [][]portion) {
	for _, node := range w.order {
		togo[node] = togo[node][:0]
		if w.dist[node] == 0 {
			togo[node] = append(togo[node], portion{share: 1})
			continue
		}
		ms := w.moves(node)
		for _, m := range ms {
			for _, x := range togo[m.node] {
				x.c[w.n.LinkClass(m.channel)]++
				togo[node] = addPortion(togo[node], x.c, x.share*share(ms, m))
			}
		}
	}
}

func addPortion(list []portion, c cross, share float64) []portion {
	for i := range list {
		if list[i].c == c {
			list[i].share += share
			return list
		}
	}
	return append(list, portion{c, share})
}

// share is the part of the packets that make a move: equal for the channels that bring them nearer, and equal
// for the states to which a channel leads (a packet may have a choice of VCs).
func share(ms []move, m move) float64 {
	channels, states := 0, 0
	for i, x := range ms {
		if i == 0 || x.channel != ms[i-1].channel {
			channels++
		}
		if x.channel == m.channel {
			states++
		}
	}
	return 1 / float64(channels*states)
}

// push moves the flow toward the destination, farthest nodes first, in equal parts per channel.
func (w *routing) push(flow []float64, tr *traffic) {
	for i := len(w.order) - 1; i >= 0; i-- {
		node := w.order[i]
		if flow[node] == 0 || w.dist[node] == 0 {
			continue
		}
		ms := w.moves(node)
		for _, m := range ms {
			tr.load[m.channel] += flow[node] * share(ms, m)
			flow[m.node] += flow[node] * share(ms, m)
		}
	}
}

// eject adds what arrives at each port of the destination; ports on one switch share equally.
func (w *routing) eject(flow []float64, ports []topology.SwitchID, out []float64) {
	for i, p := range ports {
		same := 0
		for _, q := range ports {
			if q == p {
				same++
			}
		}
		for q := range w.rule.States {
			out[i] += flow[int(p)*w.rule.States+q] / float64(same)
		}
	}
}

func natural(d topology.Design) topology.Rule {
	if d.Family.Natural == nil {
		return topology.Minimal()
	}
	return d.Family.Natural(d.V)
}

// checkRoutes compares the closed forms of routes with plain search over the rule, and asks that
// the routes are free of cyclic dependencies with the VCs that the rule uses.
func checkRoutes(t testing.TB, d topology.Design, n *topology.Network, opt Options) {
	t.Helper()
	f := d.Family
	rule := natural(d)
	if rule.States < 1 {
		t.Errorf("%s: rule %s has %d states", d, rule.Name, rule.States)
		return
	}
	w := newRouting(n, rule)
	tr := w.uniform()
	if tr.lost > 0 && !opt.Unreachable {
		t.Errorf("%s: %d endpoint pairs have no %s route", d, tr.lost, rule.Name)
	}
	checkDistances(t, d, n, rule)
	checkDiameter(t, d, n)
	if !rule.HopVCs && !w.acyclic() {
		t.Errorf("%s: routing %s has cyclic channel dependencies with %d VCs", d, rule.Name, rule.VCs())
	}
	var p, short topology.Paths
	p.Reset()
	closed := f.Paths != nil && f.Paths(d.V, &p)
	shortest := sync.OnceValue(func() map[int]int64 { return lengths(n, topology.Minimal(), 2) })
	if closed {
		checkTypes(t, d, &p, tr)
		checkPeaks(t, d, n, &p, tr)
	}
	if f.Distances == nil {
		if closed && p.Shortest {
			checkLengths(t, d, shortest, &p)
		}
		return
	}
	short.Reset()
	if f.Distances(d.V, &short) {
		if !short.Shortest {
			t.Errorf("%s: Distances are not shortest", d)
		}
		checkLengths(t, d, shortest, &short)
	}
	if closed && p.Shortest {
		checkLengths(t, d, shortest, &p)
	}
}

// checkTypes compares the pairs, and shares of pairs, by crossings of each class; weights need
// only be proportional.
func checkTypes(t testing.TB, d topology.Design, p *topology.Paths, tr *traffic) {
	t.Helper()
	got := map[cross]float64{}
	var sum float64
	for _, pt := range p.Types {
		got[pt.Cross] += float64(pt.Weight)
		sum += float64(pt.Weight)
		if pt.Weight < 0 {
			t.Errorf("%s: crossings %v: weight %d", d, pt.Cross, pt.Weight)
		}
	}
	for c, k := range tr.types {
		if want := k / float64(tr.pairs); math.Abs(got[c]/sum-want) > 1e-9 {
			t.Errorf("%s: crossings %v: share %.9f of the routes, want %.9f", d, c, got[c]/sum, want)
		}
	}
	for c := range got {
		if tr.types[c] == 0 {
			t.Errorf("%s: crossings %v: share %.9f of the routes, want none", d, c, got[c]/sum)
		}
	}
}

// checkPeaks compares the load of the busiest channel of each class with the claim.
func checkPeaks(t testing.TB, d topology.Design, n *topology.Network, p *topology.Paths, tr *traffic) {
	t.Helper()
	var sum, most [topology.MaxClasses]float64
	var count [topology.MaxClasses]int
	add := func(c int, l float64) {
		sum[c] += l
		most[c] = max(most[c], l)
		count[c]++
	}
	for c, l := range tr.load {
		add(n.LinkClass(topology.ChannelID(c)), l)
	}
	for _, l := range tr.nic {
		add(0, l)
	}
	for c := range d.Family.LinkClasses {
		want := 1.0
		if sum[c] > 0 {
			want = most[c] / (sum[c] / float64(count[c]))
		}
		if math.Abs(p.Peak[c]-want) > 1e-9*want {
			t.Errorf("%s: peak of class %s is %.9f, want %.9f", d, d.Family.LinkClasses[c].Name, p.Peak[c], want)
		}
	}
}

// checkLengths compares the hops of shortest paths with plain breadth-first search, whose lengths shortest gives.
func checkLengths(t testing.TB, d topology.Design, shortest func() map[int]int64, p *topology.Paths) {
	t.Helper()
	want := shortest()
	got := map[int]int64{}
	var gotSum, wantSum int64
	for _, pt := range p.Types {
		l := 0
		for _, c := range pt.Cross {
			l += int(c)
		}
		got[l] += pt.Weight
		gotSum += pt.Weight
	}
	for _, k := range want {
		wantSum += k
	}
	for l := -1; l < 64; l++ {
		if got[l]*wantSum != want[l]*gotSum {
			t.Errorf("%s: shortest paths of %d links: weight %d of %d, want %d of %d", d, l, got[l], gotSum, want[l], wantSum)
		}
	}
}

// Acyclic tells whether the routes of a rule on a network are free of cyclic channel dependencies
// with the VCs of its steps. Plain and slow.
func Acyclic(n *topology.Network, rule topology.Rule) bool { return newRouting(n, rule).acyclic() }

// acyclic builds the channel-dependency graph of all routes that packets can take and tells
// whether it has no cycle (Dally, Seitz, IEEE Trans. Computers 36(5), 1987).
func (w *routing) acyclic() bool {
	vcs := w.rule.VCs()
	size := w.n.Channels() * vcs
	next := make([][]int32, size) // resources that a packet in one may ask for, each once: few
	seen := make([]bool, len(w.dist))
	for h := range w.n.Groups() {
		_, _, ports := w.n.Group(h)
		w.toward(ports)
		clear(seen)
		for g := range w.n.Groups() {
			_, _, from := w.n.Group(g)
			_, at := w.start(from)
			for _, i := range at {
				seen[int(from[i])*w.rule.States] = true
			}
		}
		for i := len(w.order) - 1; i >= 0; i-- {
			if !seen[w.order[i]] {
				continue
			}
			for _, m := range w.moves(w.order[i]) {
				seen[m.node] = true
				a := int(m.channel)*vcs + int(m.vc)
				for _, then := range w.moves(m.node) {
					if b := int32(int(then.channel)*vcs + int(then.vc)); !slices.Contains(next[a], b) {
						next[a] = append(next[a], b)
					}
				}
			}
		}
	}
	// Kahn: take away resources on which nothing waits.
	waits := make([]int, size)
	for _, list := range next {
		for _, b := range list {
			waits[b]++
		}
	}
	var ready []int32
	for i, k := range waits {
		if k == 0 {
			ready = append(ready, int32(i))
		}
	}
	gone := 0
	for ; gone < len(ready); gone++ {
		for _, b := range next[ready[gone]] {
			if waits[b]--; waits[b] == 0 {
				ready = append(ready, b)
			}
		}
	}
	return gone == size
}

// checkDiameter compares the claim with plain breadth-first search from every switch.
func checkDiameter(t testing.TB, d topology.Design, n *topology.Network) {
	t.Helper()
	if d.Family.Diameter == nil {
		return
	}
	want := 0
	for from := range topology.SwitchID(n.Switches()) {
		dist := map[topology.SwitchID]int{from: 0}
		queue := []topology.SwitchID{from}
		for ; len(queue) > 0; queue = queue[1:] {
			at := queue[0]
			want = max(want, dist[at])
			for c, end := n.Out(at); c < end; c++ {
				if _, ok := dist[n.To(c)]; !ok {
					dist[n.To(c)] = dist[at] + 1
					queue = append(queue, n.To(c))
				}
			}
		}
	}
	if got := d.Family.Diameter(d.V); got != want {
		t.Errorf("%s: diameter = %d, want %d", d, got, want)
	}
}
