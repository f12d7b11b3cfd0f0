package routing

import (
	"context"
	"math"
	"math/bits"

	"toposearch/topology"
)

// Work of BoundWalks: steps looked at, some seconds; rounds at least and at most.
const (
	boundSteps  = 1 << 29
	boundRounds = 8
	boundMost   = 256
	// boundSteep: of 12, 25 and lengths that get steeper as walkSteep's, 25 bounds the nearest to lists of walks on small networks (1.05 times).
	boundSteep = 25
)

// BoundWalks is BestWalks for walks that are too many to be listed: the shortest of a flow is found anew for all lengths, by how many hops are left.
// High and Most are dual bounds as there; Low is what the shortest walks of all rounds carry together, which is less than
// the best by up to a flow's part of a round. Shares are not known.
func BoundWalks(ctx context.Context, n *topology.Network, flows []WalkFlow, slack int, capacity func(link int) float64, lost float64) (b WalkBounds, err error) {
	w := walker{lost: lost, room: rooms(n, capacity), load: make([]float64, n.Channels()), length: make([]float64, n.Channels())}
	g := groupWalks(flows, slack)
	steps := 0
	for i := range g {
		steps += g[i].hops * g[i].steps()
	}
	rounds := min(boundMost, max(boundRounds, boundSteps/max(1, steps)))
	b.High, b.Most = math.Inf(1), math.Inf(1)
	for c, room := range w.room { // at first every channel is as long as a flit takes
		if room > 0 {
			w.length[c] = 1 / room
		}
	}
	mean := make([]float64, n.Channels()) // as in BestWalks
	for round := 1; round <= rounds && ctx.Err() == nil; round++ {
		volume := w.sendAll(g, flows, true, &b)
		for c, x := range w.length {
			mean[c] += x / volume
		}
		top := w.top()
		if top == 0 {
			return WalkBounds{Low: math.Inf(1), High: math.Inf(1), Most: math.Inf(1)}, nil // nothing is loaded
		}
		b.Low = max(b.Low, float64(round)/top)
		if round&(round-1) == 0 {
			copy(w.length, mean)
			w.sendAll(g, flows, false, &b)
			for _, steep := range []float64{3, 10, 40} {
				w.lengthenAll(top, steep)
				w.sendAll(g, flows, false, &b)
			}
			clear(mean)
		}
		w.lengthenAll(top, boundSteep)
	}
	b.High = max(b.Low, b.High)
	b.Most = max(b.High, b.Most)
	return b, ctx.Err()
}

// sendAll finds the shortest walks of all flows, bounds what they carry by the lengths of these and, if asked, loads their channels. It gives what all
// channels hold by their lengths.
func (w *walker) sendAll(g []sameEnd, flows []WalkFlow, load bool, b *WalkBounds) (volume float64) {
	w.far = w.far[:0]
	for i := range g {
		w.send(&g[i], flows, load)
	}
	return w.dual(w.length, b)
}

// sameEnd are the flows over a table to one of its destinations.
type sameEnd struct {
	table *Table
	dst   int
	hops  int // the most that a walk of theirs may have
	flows []int
	left  []int // the same of each
}

// steps counts what nodes have to go on by, about.
func (e *sameEnd) steps() int { return e.table.Router.Net.Channels() * e.table.rows.n() }

func groupWalks(flows []WalkFlow, slack int) (out []sameEnd) {
	type end struct {
		t   *Table
		dst int
	}
	at := map[end]int{}
	for i, f := range flows {
		k, ok := at[end{f.Table, f.Dst}]
		if !ok {
			k = len(out)
			at[end{f.Table, f.Dst}] = k
			out = append(out, sameEnd{table: f.Table, dst: f.Dst})
		}
		e := &out[k]
		most := int(f.Table.Dist(f.Dst, f.Table.Node(f.From, 0))) + slack
		e.flows, e.left, e.hops = append(e.flows, i), append(e.left, most), max(e.hops, most)
	}
	return out
}

// send finds the shortest walks of flows to one destination, notes their lengths and, if asked, loads their channels.
func (w *walker) send(e *sameEnd, flows []WalkFlow, load bool) {
	far := e.fars(w.length)
	for k, i := range e.flows {
		f := &flows[i]
		x := e.table.Node(f.From, 0)
		w.far = append(w.far, walkLength{far[e.left[k]][x], f.Rate})
		if !load {
			continue
		}
		sw, state := f.From, uint8(0)
		for left := e.left[k]; e.table.Dist(e.dst, e.table.Node(sw, state)) > 0; left-- {
			c, s, _ := e.onward(far[left-1], w.length, sw, state)
			w.load[c] += f.Rate
			sw, state = e.table.Router.Net.To(c), s
		}
	}
}

// fars are, by the hops that are left, the lengths of the shortest walks from all nodes.
func (e *sameEnd) fars(length []float64) [][]float64 {
	t := e.table
	far := make([][]float64, e.hops+1)
	all := make([]float64, len(far)*t.nodes)
	for left := range far {
		far[left] = all[left*t.nodes : (left+1)*t.nodes]
		for x := range far[left] {
			switch d := t.Dist(e.dst, x); {
			case d == 0:
			case d == Far || int(d) > left:
				far[left][x] = math.Inf(1)
			default:
				_, _, far[left][x] = e.onward(far[left-1], length, t.SwitchOf(x), uint8(t.stateOf(x)))
			}
		}
	}
	return far
}

// onward is the hop from a node by which the way is shortest, far being how long it is from all others.
func (e *sameEnd) onward(far, length []float64, sw topology.SwitchID, state uint8) (by topology.ChannelID, next uint8, all float64) {
	r := e.table.Router
	all = math.Inf(1)
	first, end := r.Net.Out(sw)
	for c := first; c < end; c++ {
		for m := r.next[int(r.kind[c])*r.states+int(state)]; m != 0; m &= m - 1 {
			s := uint8(bits.TrailingZeros64(m))
			if x := length[c] + far[e.table.Node(r.Net.To(c), s)]; x < all {
				by, next, all = c, s, x
			}
		}
	}
	return by, next, all
}
