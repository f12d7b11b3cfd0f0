package routing

import (
	"context"
	"fmt"

	"toposearch/topology"
)

// LayeredBy makes the tables of a routing by name: LASHName or DFSSSPName.
func LayeredBy(ctx context.Context, name string, n *topology.Network) (*Layered, error) {
	if name == LASHName {
		return LASH(ctx, n)
	}
	return DFSSSP(ctx, n)
}

// LASHName and DFSSSPName are the routings by tables, as users name them.
const (
	LASHName   = "lash"
	DFSSSPName = "dfsssp"
)

// LASH makes tables with a destination for each set of endpoints, and puts each pair of a switch and a set into the
// first layer whose dependencies stay without a cycle (layered shortest path routing; Skeie, Lysne, Theiss, IPDPS
// 2002). The error wraps ErrLayers if more than MaxLayers would be needed.
func LASH(ctx context.Context, n *topology.Network) (*Layered, error) {
	t, err := newTables(ctx, n, false)
	if err != nil {
		return nil, err
	}
	return t, t.firstFit(ctx)
}

// DFSSSP makes tables with a destination for each endpoint, puts all paths into one layer and, as long as there is
// a cycle of dependencies, moves the paths that make the dependency of it with the fewest of them to the next layer
// (deadlock-free single-source shortest path; Domke, Hoefler, Nagel, "Deadlock-Free Oblivious Routing for
// Arbitrary Topologies", IPDPS 2011, with its heuristic of the weakest edge). The error wraps ErrLayers if more than
// MaxLayers would be needed.
func DFSSSP(ctx context.Context, n *topology.Network) (*Layered, error) {
	t, err := newTables(ctx, n, true)
	if err != nil {
		return nil, err
	}
	return t, t.breakCycles(ctx)
}

// walk gives the dependencies of the path of packets that enter at a switch.
func (t *Layered) walk(row int, s topology.SwitchID, f func(a, b topology.ChannelID)) {
	n := t.Router.Net
	a := t.Next(row, s)
	for a >= 0 {
		b := t.Next(row, n.To(a))
		if b >= 0 {
			f(a, b)
		}
		a = b
	}
}

// firstFit puts each path into the first layer that takes it.
func (t *Layered) firstFit(ctx context.Context) error {
	rows := newChannelRows(t.Router.Net)
	var layers []*layer
	var deps [][2]topology.ChannelID
	for row := range t.rows {
		if err := ctx.Err(); err != nil {
			return err
		}
		for i, s := range t.srcs {
			at := &t.layer[row*len(t.srcs)+i]
			if *at == noLayer {
				continue
			}
			deps = deps[:0]
			t.walk(row, s, func(a, b topology.ChannelID) { deps = append(deps, [2]topology.ChannelID{a, b}) })
			for *at = 0; ; *at++ {
				if int(*at) == len(layers) {
					if len(layers) == MaxLayers {
						return fmt.Errorf("%w: paths taken pair by pair do not fit into %d layers", ErrLayers, MaxLayers)
					}
					layers = append(layers, rows.newLayer())
				}
				if layers[*at].take(deps) {
					break
				}
			}
		}
	}
	t.Layers = max(1, len(layers))
	return nil
}

// breaker moves paths out of a layer until it has no cycle.
type breaker struct {
	t     *Layered
	rows  *channelRows
	edge  []int64 // dependencies from channel c to those that leave its end are edge[c]:edge[c+1], by local number
	count []int32 // paths of each dependency, in the layer
	at    []int64 // list of the paths that were in it at first: path[at[e]:at[e+1]]
	path  []int32 // row*len(srcs)+i
	layer uint8

	colour []uint8 // of a channel in the search: 0 not seen, 1 on the stack, 2 done
	tried  []int32 // of a channel on the stack: how many of its dependencies were followed
	stack  []topology.ChannelID
	moved  bool
}

// breakCycles finds the layers of DFSSSP.
func (t *Layered) breakCycles(ctx context.Context) error {
	n := t.Router.Net
	b := &breaker{t: t, rows: newChannelRows(n), edge: make([]int64, n.Channels()+1)}
	for c := range topology.ChannelID(n.Channels()) {
		first, end := n.Out(n.To(c))
		b.edge[c+1] = b.edge[c] + int64(end-first)
	}
	b.count, b.at = make([]int32, b.edge[n.Channels()]), make([]int64, b.edge[n.Channels()]+1)
	b.colour, b.tried = make([]uint8, n.Channels()), make([]int32, n.Channels())
	for ; ; b.layer++ {
		b.gather()
		clear(b.colour)
		for c := range topology.ChannelID(n.Channels()) {
			if b.colour[c] == 0 {
				b.search(c)
			}
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		t.Layers = int(b.layer) + 1
		switch {
		case !b.moved:
			return nil
		case t.Layers == MaxLayers:
			return fmt.Errorf("%w: cycles are left in layer %d of %d", ErrLayers, MaxLayers, MaxLayers)
		}
	}
}

// of is the number of a dependency.
func (b *breaker) of(c, d topology.ChannelID) int64 { return b.edge[c] + int64(b.rows.local[d]) }

// gather lists the paths of the layer by their dependencies.
func (b *breaker) gather() {
	t := b.t
	clear(b.count)
	b.moved = false
	each := func(f func(path int32, e int64)) {
		for row := range t.rows {
			for i, s := range t.srcs {
				if p := row*len(t.srcs) + i; t.layer[p] == b.layer {
					t.walk(row, s, func(c, d topology.ChannelID) { f(int32(p), b.of(c, d)) })
				}
			}
		}
	}
	each(func(_ int32, e int64) { b.count[e]++ })
	for e, k := range b.count {
		b.at[e+1] = b.at[e] + int64(k)
	}
	if all := b.at[len(b.count)]; int64(cap(b.path)) < all {
		b.path = make([]int32, all)
	}
	b.path = b.path[:b.at[len(b.count)]]
	clear(b.count)
	each(func(p int32, e int64) {
		b.path[b.at[e]+int64(b.count[e])] = p
		b.count[e]++
	})
}

// search goes depth-first from a channel, and breaks each cycle that it closes. What it is done with leads to no
// cycle, whatever is moved later.
func (b *breaker) search(c topology.ChannelID) {
	n := b.t.Router.Net
	b.push(c)
	for len(b.stack) > 0 {
		c := b.stack[len(b.stack)-1]
		k := b.edge[c] + int64(b.tried[c])
		if k == b.edge[c+1] {
			b.colour[c] = 2
			b.stack = b.stack[:len(b.stack)-1]
			continue
		}
		first, _ := n.Out(n.To(c))
		d := first + topology.ChannelID(b.tried[c])
		switch {
		case b.count[k] == 0 || b.colour[d] == 2:
			b.tried[c]++
		case b.colour[d] == 0:
			b.push(d)
		default:
			b.breakCycle(d)
		}
	}
}

func (b *breaker) push(c topology.ChannelID) {
	b.colour[c], b.tried[c] = 1, 0
	b.stack = append(b.stack, c)
}

// breakCycle moves the paths of the weakest dependency of the cycle that leads from d to the end of the stack and back
// to d, and goes back to where the stack is still a path.
func (b *breaker) breakCycle(d topology.ChannelID) {
	last := len(b.stack) - 1
	weakest := b.of(b.stack[last], d)
	for k := last; b.stack[k] != d; k-- {
		if e := b.of(b.stack[k-1], b.stack[k]); b.count[e] < b.count[weakest] {
			weakest = e
		}
	}
	t := b.t
	for _, p := range b.path[b.at[weakest]:b.at[weakest+1]] {
		if t.layer[p] == b.layer {
			t.layer[p]++
			t.walk(int(p)/len(t.srcs), t.srcs[int(p)%len(t.srcs)], func(c, d topology.ChannelID) { b.count[b.of(c, d)]-- })
		}
	}
	b.moved = true
	for k := 1; k <= last; k++ {
		if b.count[b.of(b.stack[k-1], b.stack[k])] == 0 {
			for _, c := range b.stack[k:] {
				b.colour[c] = 0
			}
			b.stack = b.stack[:k]
			return
		}
	}
}
