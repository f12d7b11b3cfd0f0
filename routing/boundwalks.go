package routing

import (
	"context"
	"math"
	"math/bits"

	"toposearch/topology"
)

// Work of BoundWalks: steps looked at, some seconds, after which neither a round nor another try at lengths begins; rounds at most.
const (
	boundSteps  = 1 << 28
	boundRounds = 256
	// boundSteep: of 12, 25 and lengths that get steeper as walkSteep's, 25 bounds the nearest to lists of walks on small networks (1.05 times).
	boundSteep = 25
)

// BoundWalks is BestWalks for walks that are too many to be listed: the shortest of a flow is found anew for all lengths, by how many hops are left.
// High and Most are dual bounds as there; Low is what the shortest walks of all rounds carry together, which is less than
// the best by up to a flow's part of a round. Shares are not known.
func BoundWalks(ctx context.Context, n *topology.Network, flows []WalkFlow, slack int, capacity func(link int) float64, lost float64) (b WalkBounds, err error) {
	w := walker{lost: lost, room: rooms(n, capacity), load: make([]float64, n.Channels()), length: make([]float64, n.Channels())}
	s := shortest{length: w.length}
	g := groupWalks(flows, slack)
	b.High, b.Most = math.Inf(1), math.Inf(1)
	for k := range n.LinkClasses { // links of a class may be what bounds all, as between racks
		if w.lengthenClass(n, k) {
			w.sendAll(ctx, &s, g, flows, false, &b)
		}
	}
	w.lengthenClass(n, -1)
	mean := make([]float64, n.Channels()) // as in BestWalks
	for round := 1; round == 1 || round <= boundRounds && s.steps < boundSteps; round++ {
		volume := w.sendAll(ctx, &s, g, flows, true, &b)
		if ctx.Err() != nil {
			return b, ctx.Err()
		}
		for c, x := range w.length {
			mean[c] += x / volume
		}
		top := w.top()
		if top == 0 {
			return WalkBounds{Low: math.Inf(1), High: math.Inf(1), Most: math.Inf(1)}, nil // nothing is loaded
		}
		b.Low = max(b.Low, float64(round)/top)
		if round&(round-1) == 0 && s.steps < boundSteps {
			copy(w.length, mean)
			w.sendAll(ctx, &s, g, flows, false, &b)
			for _, steep := range []float64{3, 10, 40} {
				w.lengthenAll(top, steep)
				w.sendAll(ctx, &s, g, flows, false, &b)
			}
			clear(mean)
		}
		w.lengthenAll(top, boundSteep)
	}
	b.High = max(b.Low, b.High)
	b.Most = max(b.High, b.Most)
	return b, ctx.Err()
}

// lengthenClass makes channels of a class, or of all (-1), as long as a flit takes, others 0. It tells whether any of them has a limit.
func (w *walker) lengthenClass(n *topology.Network, class int) (some bool) {
	for c, room := range w.room {
		w.length[c] = 0
		if room > 0 && (class < 0 || n.LinkClass(topology.ChannelID(c)) == class) {
			w.length[c], some = 1/room, true
		}
	}
	return some
}

// sendAll finds the shortest walks of all flows, bounds what they carry by the lengths of these and, if asked, loads their channels. It gives what all
// channels hold by their lengths. Where the context ends, flows are left out, without which the bound is one still.
func (w *walker) sendAll(ctx context.Context, s *shortest, g []sameEnd, flows []WalkFlow, load bool, b *WalkBounds) (volume float64) {
	w.far = w.far[:0]
	for i := range g {
		if ctx.Err() != nil {
			break
		}
		w.send(s, &g[i], flows, load)
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
func (w *walker) send(s *shortest, e *sameEnd, flows []WalkFlow, load bool) {
	s.to(e)
	for k, i := range e.flows {
		f := &flows[i]
		w.far = append(w.far, walkLength{s.from(e.table.Node(f.From, 0), e.left[k]), f.Rate})
		if !load {
			continue
		}
		sw, state := f.From, uint8(0)
		for left := e.left[k]; e.table.Dist(e.dst, e.table.Node(sw, state)) > 0; left-- {
			c, next, _ := s.onward(sw, state, left)
			w.load[c] += f.Rate
			sw, state = e.table.Router.Net.To(c), next
		}
	}
}

// shortest finds the shortest walks to a destination, and keeps what it finds on the way until it is told of another.
type shortest struct {
	*sameEnd
	length []float64 // of channels
	steps  int       // looked at until now
	far    []float64 // by the hops that are left and by node,
	known  []uint32  // if it is from this call of to
	now    uint32
}

func (s *shortest) to(e *sameEnd) {
	s.sameEnd = e
	if need := (e.hops + 1) * e.table.nodes; need > len(s.far) {
		s.far, s.known, s.now = make([]float64, need), make([]uint32, need), 0
	}
	s.now++
}

// from is how long the shortest walk of at most so many hops from a node is; +Inf: there is none.
func (s *shortest) from(x, left int) float64 {
	t := s.table
	switch d := t.Dist(s.dst, x); {
	case d == 0:
		return 0
	case d == Far || int(d) > left:
		return math.Inf(1)
	}
	i := left*t.nodes + x
	if s.known[i] != s.now {
		_, _, s.far[i] = s.onward(t.SwitchOf(x), uint8(t.stateOf(x)), left)
		s.known[i] = s.now
	}
	return s.far[i]
}

// onward is the hop from a switch in a state by which the walk is shortest that has at most so many hops.
func (s *shortest) onward(sw topology.SwitchID, state uint8, left int) (by topology.ChannelID, next uint8, all float64) {
	r := s.table.Router
	all = math.Inf(1)
	first, end := r.Net.Out(sw)
	s.steps += int(end - first)
	for c := first; c < end; c++ {
		for m := r.next[int(r.kind[c])*r.states+int(state)]; m != 0; m &= m - 1 {
			to := uint8(bits.TrailingZeros64(m))
			if x := s.length[c] + s.from(s.table.Node(r.Net.To(c), to), left-1); x < all {
				by, next, all = c, to, x
			}
		}
	}
	return by, next, all
}
