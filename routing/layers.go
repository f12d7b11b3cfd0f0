package routing

import (
	"context"
	"errors"
	"fmt"

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
	*aimed
	*channelRows
	layers []*layer

	seen  []int32 // node: the walk that came to it last, from 1
	stamp int32
	list  []int32
	at    []int
	pairs [][2]topology.ChannelID
}

func newLayering(r *Router) *layering {
	l := &layering{aimed: newAimed(r), channelRows: newChannelRows(r.Net)}
	l.seen = make([]int32, len(l.first))
	return l
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
	if l.at, d = l.r.Inject(&l.field, src, l.at[:0]); d == Unreachable {
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
