package routing

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"toposearch/topology"
)

// mostWalkHops bounds the hops of all walks together that BestWalks lists: 16 MB, and some seconds.
const mostWalkHops = 1 << 22

// WalkFlow is traffic from a port of one set to another set, over the walks of a table's rule.
type WalkFlow struct {
	Table *Table
	From  topology.SwitchID
	Dst   int // of the table
	Rate  float64
}

// WalkBounds encloses what flows carry that are split over walks, as a factor of their rates.
type WalkBounds struct {
	Low, High float64 // of the largest factor at which all arrive
	Most      float64 // no larger factor loses as little as BestWalks is told
	// Shares are what flows get by the split that was found; nil if nothing is loaded.
	Shares *FairShares
}

// BestWalks bounds the largest factor by which flows can be scaled if each is split in the best way over all walks that the rules of
// their tables admit and that have at most slack hops more than the shortest. capacity is what a link of a class carries, in
// the unit of rates; internal links carry anything. Low is what a split reaches that was found, within a percent of the best on networks whose best is
// known by hand; high is a dual bound, which where few flows have many disjoint walks is up to two fifths above it (maximum concurrent flow by
// multiplicative weights: Garg, Könemann, SIAM J. Comput. 37(2), 2007). Most is that bound where traffic of the rate lost, at
// factor 1 and in proportion, need not arrive, whichever it is. It is an error if the walks are too many to be listed. Time is
// rounds times their hops.
func BestWalks(ctx context.Context, n *topology.Network, flows []WalkFlow, slack int, capacity func(link int) float64, lost float64) (b WalkBounds, err error) {
	w := walker{lost: lost, most: mostWalkHops, room: rooms(n, capacity), load: make([]float64, n.Channels()), length: make([]float64, n.Channels())}
	for i, f := range flows {
		w.start = append(w.start, len(w.end))
		here := f.Table.Dist(f.Dst, f.Table.Node(f.From, 0))
		if here == Far {
			return b, fmt.Errorf("routing: no route from %s to destination %d", n.SwitchName(f.From), f.Dst)
		}
		w.list(&flows[i], f.From, 0, int(here)+slack, nil)
		if w.most < 0 {
			return b, TooManyTurns{"hops of the walks that a rule admits", mostWalkHops - int64(w.most), mostWalkHops}
		}
	}
	w.start = append(w.start, len(w.end))
	return w.solve(ctx, flows)
}

// rooms are what channels carry; 0: anything.
func rooms(n *topology.Network, capacity func(link int) float64) []float64 {
	out := make([]float64, n.Channels())
	for c := range out {
		if k := n.LinkClass(topology.ChannelID(c)); n.LinkClasses[k].Name != topology.ClassInternal {
			out[c] = capacity(k)
		}
	}
	return out
}

// walker holds the walks of flows: walk i is hops[end[i-1]:end[i]], flow f has those from start[f] to start[f+1].
type walker struct {
	hops               []topology.ChannelID
	end, start         []int
	took               []float64 // what each walk has been given, over all rounds
	most               int       // hops that may still be listed
	lost               float64
	far                []walkLength // of flows
	room, load, length []float64
}

// walkLength is the length of the shortest walk of a flow, and the flow's rate.
type walkLength struct{ far, rate float64 }

// list adds the walks from a switch in a state with at most `left` hops.
func (w *walker) list(f *WalkFlow, at topology.SwitchID, state uint8, left int, way []topology.ChannelID) {
	t := f.Table
	switch d := t.Dist(f.Dst, t.Node(at, state)); {
	case d == Far || int(d) > left || w.most < 0:
		return
	case d == 0:
		w.hops = append(w.hops, way...)
		w.end = append(w.end, len(w.hops))
		w.most -= len(way)
		return
	}
	r := t.Router
	first, end := r.Net.Out(at)
	for c := first; c < end; c++ {
		for m := r.next[int(r.kind[c])*r.states+int(state)]; m != 0; m &= m - 1 {
			w.list(f, r.Net.To(c), uint8(bits.TrailingZeros64(m)), left-1, append(way, c))
		}
	}
}

const (
	walkRounds = 1024 // of which each moves a share of 1/round: a tenth of a percent at the end
	walkClose  = 0.99 // of the upper bound
	walkSteep  = 200  // a channel with 95 % of the largest load is e^-10 times as long as that one
)

// solve alternates between lengths, exponential in what channels carry, and another share of each flow on its shortest walk.
func (w *walker) solve(ctx context.Context, flows []WalkFlow) (b WalkBounds, err error) {
	b.High, b.Most = math.Inf(1), math.Inf(1)
	w.took = make([]float64, len(w.end))
	mean := make([]float64, len(w.room)) // lengths of the rounds since the last power of two, each such that they fill the network once
	for i := range flows {               // at first all walks alike
		walks := float64(w.start[i+1] - w.start[i])
		for k := w.start[i]; k < w.start[i+1]; k++ {
			w.add(k, flows[i].Rate/walks)
		}
	}
	for round := 1; round <= walkRounds && ctx.Err() == nil; round++ {
		top := w.top()
		if top == 0 {
			return WalkBounds{Low: math.Inf(1), High: math.Inf(1), Most: math.Inf(1)}, nil // nothing is loaded
		}
		b.Low = max(b.Low, float64(round)/top)
		volume := 0.0
		w.lengthenAll(top, walkSteep)
		for c, room := range w.room {
			volume += w.length[c] * room
		}
		for c, x := range w.length {
			mean[c] += x / volume
		}
		if round&(round-1) == 0 { // a channel's load comes in steps: lengths of one round are not what they swing about
			w.bound(flows, mean, &b)
			for _, steep := range []float64{10, 40} { // channels that are full alike are as long as each other only in gentle ones
				w.lengthenAll(top, steep)
				w.bound(flows, w.length, &b)
			}
			if b.Low >= walkClose*b.High {
				break
			}
			w.lengthenAll(top, walkSteep)
			clear(mean)
		}
		for i := range flows {
			k, _ := w.nearest(i, w.length)
			w.add(k, flows[i].Rate)
			for _, c := range w.walk(k) {
				w.lengthen(c, top*float64(round+1)/float64(round), walkSteep)
			}
		}
	}
	b.High = max(b.Low, b.High)
	b.Most = max(b.High, b.Most)
	b.Shares = w.shares(flows)
	return b, ctx.Err()
}

// shares follows the parts of flows over the walks that they take.
func (w *walker) shares(flows []WalkFlow) *FairShares {
	rounds := 0.0
	for k := w.start[0]; k < w.start[1]; k++ {
		rounds += w.took[k] / flows[0].Rate
	}
	parts := make([]walkLength, len(w.end))
	for k := range parts {
		parts[k].rate = w.took[k] / rounds
		for _, c := range w.walk(k) {
			if room := w.room[c]; room > 0 {
				parts[k].far = max(parts[k].far, w.load[c]/room/rounds)
			}
		}
	}
	slices.SortStableFunc(parts, func(x, y walkLength) int { return cmp.Compare(y.far, x.far) })
	s := new(FairShares)
	for _, x := range parts {
		s.add(x.rate, x.far)
	}
	return s
}

// bound is the dual of lengths: the flows take at least their rate times the length of their shortest walk of all the room that there is,
// but for what is lost, which takes most of it where walks are longest.
func (w *walker) bound(flows []WalkFlow, length []float64, b *WalkBounds) {
	w.far = w.far[:0]
	for i := range flows {
		_, far := w.nearest(i, length)
		w.far = append(w.far, walkLength{far, flows[i].Rate})
	}
	w.dual(length, b)
}

// dual is bound once the lengths of the flows' shortest walks are known; it gives the room that there is, by lengths.
func (w *walker) dual(length []float64, b *WalkBounds) (volume float64) {
	cost := 0.0
	for c, room := range w.room {
		volume += length[c] * room
	}
	for _, x := range w.far {
		cost += x.rate * x.far
	}
	b.High = min(b.High, volume/cost)
	slices.SortFunc(w.far, func(x, y walkLength) int { return cmp.Compare(y.far, x.far) })
	left := w.lost
	for _, x := range w.far {
		rate := min(left, x.rate)
		cost, left = cost-rate*x.far, left-rate
	}
	if cost > 0 {
		b.Most = min(b.Most, volume/cost)
	}
	return volume
}

// top is the largest load of a channel, of what it carries.
func (w *walker) top() (most float64) {
	for c, room := range w.room {
		if room > 0 {
			most = max(most, w.load[c]/room)
		}
	}
	return most
}

func (w *walker) walk(k int) []topology.ChannelID {
	from := 0
	if k > 0 {
		from = w.end[k-1]
	}
	return w.hops[from:w.end[k]]
}

func (w *walker) add(k int, rate float64) {
	w.took[k] += rate
	for _, c := range w.walk(k) {
		w.load[c] += rate
	}
}

func (w *walker) lengthenAll(top, steep float64) {
	for c := range w.room {
		w.lengthen(topology.ChannelID(c), top, steep)
	}
}

func (w *walker) lengthen(c topology.ChannelID, top, steep float64) {
	if room := w.room[c]; room > 0 {
		w.length[c] = math.Exp(steep*(w.load[c]/room/top-1)) / room
	}
}

// nearest is the walk of a flow that is shortest by the lengths given.
func (w *walker) nearest(flow int, length []float64) (walk int, far float64) {
	far = math.Inf(1)
	for k := w.start[flow]; k < w.start[flow+1]; k++ {
		sum := 0.0
		for _, c := range w.walk(k) {
			sum += length[c]
		}
		if sum < far {
			walk, far = k, sum
		}
	}
	return walk, far
}
