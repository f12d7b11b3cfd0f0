package routing

import (
	"context"
	"errors"
	"fmt"
	"math/bits"
	"slices"

	"toposearch/topology"
)

// MaxLayers is the number of layers at which FixedLayers gives up: more than the 15 data lanes of
// InfiniBand cannot be had anywhere.
const MaxLayers = 16

// ErrLayers says that no assignment with at most MaxLayers layers was found.
var ErrLayers = errors.New("routing: no assignment of routes to layers was found")

// FixedLayers says how many virtual channels make a rule free of deadlock if a packet keeps its VC
// all the way (InfiniBand's service level mapped to one lane): all routes from one attachment set to
// another are put into one layer, and each layer's channel-dependency graph must have no cycle
// (layered shortest path routing; Skeie, Lysne, Theiss, IPDPS 2002). VCs that the rule names are not
// used. How few layers are enough is NP-complete in general: found is an upper bound, least is 1 if
// one layer is enough and otherwise 2.
//
// Tried are one layer, then two (routes from lower to higher sets, and the others), each at the cost of
// a walk per destination. If both fail and there are at most maxPairs ordered pairs of sets, pairs are
// taken one by one in that order, each into the first layer that stays acyclic. The error wraps
// ErrLayers if no assignment was found.
func FixedLayers(ctx context.Context, n *topology.Network, rule topology.Rule, maxPairs int) (found, least int, err error) {
	if n.Unidirectional {
		return 0, 0, fmt.Errorf("routing: %s: channels without a partner are not put into layers", n.Design)
	}
	r, err := New(n, rule)
	if err != nil {
		return 0, 0, err
	}
	l := newLayering(r)
	up := func(src, dst int) bool { return src < dst }
	down := func(src, dst int) bool { return src > dst }
	for layers, filters := range [][]func(src, dst int) bool{{func(src, dst int) bool { return src != dst }}, {up, down}} {
		ok := true
		for _, f := range filters {
			ok = ok && l.whole(ctx, f)
		}
		if ctx.Err() != nil {
			return 0, 0, ctx.Err()
		}
		if ok {
			return layers + 1, layers + 1, nil
		}
	}
	if len(r.Sets)*(len(r.Sets)-1) > maxPairs {
		return 0, 2, fmt.Errorf("%w: two layers by order of source and destination have cycles, and the routes of %d pairs are too many to try one by one",
			ErrLayers, len(r.Sets)*(len(r.Sets)-1))
	}
	if found, err = l.greedy(ctx, up, down); err != nil {
		return 0, 2, err
	}
	return found, 2, nil
}

// greedy takes pairs one by one.
func (l *layering) greedy(ctx context.Context, filters ...func(src, dst int) bool) (int, error) {
	for _, f := range filters {
		for dst := range l.r.Sets {
			if err := ctx.Err(); err != nil {
				return 0, err
			}
			l.aim(dst)
			for src := range l.r.Sets {
				if f(src, dst) && !l.assign(src) {
					return 0, fmt.Errorf("%w: routes taken pair by pair do not fit into %d layers", ErrLayers, MaxLayers)
				}
			}
		}
	}
	return len(l.layers), nil
}

// whole reports whether all pairs that a filter lets pass fit into one layer.
func (l *layering) whole(ctx context.Context, filter func(src, dst int) bool) bool {
	y := l.newLayer()
	for dst := range l.r.Sets {
		if ctx.Err() != nil {
			return false
		}
		l.aim(dst)
		l.begin()
		for src := range l.r.Sets {
			if filter(src, dst) {
				l.enter(src)
			}
		}
		l.walk(func(a, b topology.ChannelID) {
			word, bit := y.bit(a, b)
			*word |= bit
		})
	}
	return y.acyclic()
}

// layering puts routes into layers.
type layering struct {
	*search
	layers []*layer
	local  []int32 // of each channel: its place among those that leave its switch
	from   []topology.SwitchID
	words  []int64 // where the row of each channel begins

	// Of the destination: hops out of each node, made when first asked for.
	field *Field
	first []int32 // node: its hops are hops[first-1:until]; 0: not yet
	until []int32
	hops  []Hop
	used  []int32 // nodes with hops

	seen  []int32 // node: the walk that came to it last, from 1
	stamp int32
	list  []int32
	at    []int
	pairs [][2]topology.ChannelID
}

func newLayering(r *Router) *layering {
	n := r.Net
	l := &layering{search: newSearch(r), local: make([]int32, n.Channels()), from: make([]topology.SwitchID, n.Channels()),
		words: make([]int64, n.Channels()+1)}
	for s := range topology.SwitchID(n.Switches()) {
		first, end := n.Out(s)
		for c := first; c < end; c++ {
			l.local[c], l.from[c] = int32(c-first), s
			a, b := n.Out(n.To(c))
			l.words[c+1] = int64(b-a+63) / 64
		}
	}
	for c := range n.Channels() {
		l.words[c+1] += l.words[c]
	}
	nodes := n.Switches() * r.states
	l.first, l.until, l.seen = make([]int32, nodes), make([]int32, nodes), make([]int32, nodes)
	return l
}

// aim makes a set the destination of what follows.
func (l *layering) aim(dst int) {
	for _, x := range l.used {
		l.first[x] = 0
	}
	l.used, l.hops = l.used[:0], l.hops[:0]
	l.field = l.run(dst)
}

// hopsOf are the hops out of a node towards the destination.
func (l *layering) hopsOf(x int32) []Hop {
	if l.first[x] == 0 {
		l.first[x] = int32(len(l.hops)) + 1
		l.hops = l.r.Next(l.field, topology.SwitchID(int(x)/l.r.states), uint8(int(x)%l.r.states), l.hops)
		l.until[x] = int32(len(l.hops))
		l.used = append(l.used, x)
	}
	return l.hops[l.first[x]-1 : l.until[x]]
}

// begin forgets where packets come from.
func (l *layering) begin() {
	l.stamp++
	l.list = l.list[:0]
}

func (l *layering) visit(x int32) {
	if l.seen[x] != l.stamp {
		l.seen[x] = l.stamp
		l.list = append(l.list, x)
	}
}

// enter lets packets come from a set; those without a route do not count.
func (l *layering) enter(src int) {
	var d uint16
	if l.at, d = l.r.Inject(l.field, src, l.at[:0]); d == Unreachable {
		return
	}
	for _, i := range l.at {
		l.visit(int32(l.r.Sets[src].Ports[i].Switch) * int32(l.r.states))
	}
}

// walk gives the dependencies of all routes of those packets.
func (l *layering) walk(f func(a, b topology.ChannelID)) {
	for k := 0; k < len(l.list); k++ {
		for _, h := range l.hopsOf(l.list[k]) {
			to := int32(l.r.Net.To(h.Channel))*int32(l.r.states) + int32(h.State)
			l.visit(to)
			for _, next := range l.hopsOf(to) {
				f(h.Channel, next.Channel)
			}
		}
	}
}

// assign puts the routes from a set into the first layer that takes them; false if none may.
func (l *layering) assign(src int) bool {
	l.begin()
	l.enter(src)
	l.pairs = l.pairs[:0]
	l.walk(func(a, b topology.ChannelID) { l.pairs = append(l.pairs, [2]topology.ChannelID{a, b}) })
	for i := 0; ; i++ {
		if i == len(l.layers) {
			if i == MaxLayers {
				return false
			}
			l.layers = append(l.layers, l.newLayer())
		}
		if l.layers[i].take(l.pairs) {
			return true
		}
	}
}

// layer is the dependencies between channels in one layer, with an order of the channels that all
// of them follow; the order is mended as dependencies come (Pearce, Kelly, ACM JEA 11, 2006).
type layer struct {
	l     *layering
	rows  []uint64 // bit per channel that leaves the switch that a channel leads to
	order []int32  // place of each channel
	mark  []bool
	ahead []topology.ChannelID
	back  []topology.ChannelID
	slots []int32
	added [][2]topology.ChannelID
}

func (l *layering) newLayer() *layer {
	y := &layer{l: l, rows: make([]uint64, l.words[len(l.words)-1]), order: make([]int32, len(l.local)), mark: make([]bool, len(l.local))}
	for c := range y.order {
		y.order[c] = int32(c)
	}
	return y
}

// take adds dependencies unless they close a cycle; then it stays as it was.
func (y *layer) take(pairs [][2]topology.ChannelID) bool {
	y.added = y.added[:0]
	for _, p := range pairs {
		word, bit := y.bit(p[0], p[1])
		if *word&bit != 0 {
			continue
		}
		if y.order[p[0]] >= y.order[p[1]] && !y.mend(p[0], p[1]) {
			for _, q := range y.added {
				word, bit := y.bit(q[0], q[1])
				*word &^= bit
			}
			return false
		}
		*word |= bit
		y.added = append(y.added, p)
	}
	return true
}

func (y *layer) bit(a, b topology.ChannelID) (*uint64, uint64) {
	k := y.l.local[b]
	return &y.rows[y.l.words[a]+int64(k>>6)], 1 << (k & 63)
}

// mend orders the channels anew so that a comes before b; false if b leads to a.
func (y *layer) mend(a, b topology.ChannelID) bool {
	least, most := y.order[b], y.order[a]
	y.ahead, y.back = append(y.ahead[:0], b), y.back[:0]
	y.mark[b] = true
	ok := a != b
	for i := 0; ok && i < len(y.ahead); i++ {
		ok = y.eachAfter(y.ahead[i], func(c topology.ChannelID) bool {
			if !y.mark[c] && y.order[c] <= most {
				y.mark[c] = true
				y.ahead = append(y.ahead, c)
			}
			return c != a
		})
	}
	if ok {
		y.back = append(y.back, a)
		y.mark[a] = true
		for i := 0; i < len(y.back); i++ {
			y.eachBefore(y.back[i], func(c topology.ChannelID) {
				if !y.mark[c] && y.order[c] >= least {
					y.mark[c] = true
					y.back = append(y.back, c)
				}
			})
		}
		y.reorder()
	}
	for _, c := range y.ahead {
		y.mark[c] = false
	}
	for _, c := range y.back {
		y.mark[c] = false
	}
	return ok
}

// reorder gives the places of both sides first to what leads to a, then to what follows b.
func (y *layer) reorder() {
	byOrder := func(p, q topology.ChannelID) int { return int(y.order[p]) - int(y.order[q]) }
	slices.SortFunc(y.back, byOrder)
	slices.SortFunc(y.ahead, byOrder)
	y.slots = y.slots[:0]
	for _, c := range y.back {
		y.slots = append(y.slots, y.order[c])
	}
	for _, c := range y.ahead {
		y.slots = append(y.slots, y.order[c])
	}
	slices.Sort(y.slots)
	for i, c := range y.back {
		y.order[c] = y.slots[i]
	}
	for i, c := range y.ahead {
		y.order[c] = y.slots[len(y.back)+i]
	}
}

// eachAfter gives the channels that c leads to, until f says false; it reports whether it did not.
func (y *layer) eachAfter(c topology.ChannelID, f func(topology.ChannelID) bool) bool {
	l := y.l
	first, _ := l.r.Net.Out(l.r.Net.To(c))
	for i := l.words[c]; i < l.words[c+1]; i++ {
		for w := y.rows[i]; w != 0; w &= w - 1 {
			if !f(first + topology.ChannelID(int(i-l.words[c])*64+bits.TrailingZeros64(w))) {
				return false
			}
		}
	}
	return true
}

// acyclic reports whether channels can be ordered (Kahn); it does not use order.
func (y *layer) acyclic() bool {
	in := make([]int32, len(y.order))
	for c := range in {
		y.eachAfter(topology.ChannelID(c), func(d topology.ChannelID) bool { in[d]++; return true })
	}
	var ready []topology.ChannelID
	for c, d := range in {
		if d == 0 {
			ready = append(ready, topology.ChannelID(c))
		}
	}
	left := len(in)
	for len(ready) > 0 {
		c := ready[len(ready)-1]
		ready = ready[:len(ready)-1]
		left--
		y.eachAfter(c, func(d topology.ChannelID) bool {
			if in[d]--; in[d] == 0 {
				ready = append(ready, d)
			}
			return true
		})
	}
	return left == 0
}

// eachBefore gives the channels that lead to c.
func (y *layer) eachBefore(c topology.ChannelID, f func(topology.ChannelID)) {
	n := y.l.r.Net
	first, end := n.Out(y.l.from[c])
	for out := first; out < end; out++ {
		in := n.Rev(out)
		if word, bit := y.bit(in, c); *word&bit != 0 {
			f(in)
		}
	}
}
