package routing

import (
	"context"
	"errors"
	"fmt"
	"math"
)

// maxListBytes is the memory above which hops are searched among the channels of the switch: the
// verification of a finalist is to fit on a laptop.
const maxListBytes = 512 << 20

// NewTable computes the fields of all sets. Blocks, if not nil, may be used to make it small.
func NewTable(ctx context.Context, r *Router, blocks []int32, workers int) (*Table, error) {
	t := &Table{Router: r, nodes: r.Net.Switches() * r.states}
	if blocks != nil && !r.spare && len(r.Sets)*t.nodes >= clusterFrom {
		var err error
		if t.c, err = newClusters(ctx, r, blocks, workers); err != nil || t.c != nil {
			return t, err
		}
	}
	sets := make([][]Port, len(r.Sets))
	for i := range r.Sets {
		sets[i] = r.Sets[i].Ports
	}
	return t, t.Extend(ctx, sets, workers)
}

// Extend adds destinations, each given by its switches; they are numbered behind those that are there.
func (t *Table) Extend(ctx context.Context, dsts [][]Port, workers int) error {
	if len(dsts) == 0 {
		return nil
	}
	if t.c != nil {
		return errors.New("routing: this network is too large for intermediates that are only part of the switches of a destination or of a group")
	}
	have := len(t.dist)
	size := have + len(dsts)*t.nodes
	if size > maxDistBytes {
		return fmt.Errorf("routing: a table of %d destinations and %d nodes (switches x states) takes %d bytes; at most %d are allowed",
			size/t.nodes, t.nodes, size, maxDistBytes)
	}
	t.dist = append(t.dist, make([]uint8, size-have)...)
	return t.fillDist(ctx, t.dist[have:], dsts, max(1, workers))
}

// MakeLists adds lists of hops if memory allows; no destination may be added after it.
func (t *Table) MakeLists(ctx context.Context, workers int) error {
	switch {
	case t.c != nil && 2*len(t.c.dist) <= maxListBytes:
		t.c.makeLists()
		if !t.fillLists(ctx, workers, func() func(from, to int) chunk { return newLister(t).nodes }) {
			t.c.list = nil
		}
	case t.c == nil && 2*len(t.dist) <= maxListBytes:
		list := make([]uint16, len(t.dist))
		if t.fillLists(ctx, workers, func() func(from, to int) chunk {
			return func(from, to int) chunk { return t.listNodes(list, len(t.dist)/t.nodes, from, to) }
		}) {
			t.list = list
		}
	}
	return ctx.Err()
}

// fillDist runs one search per destination.
func (t *Table) fillDist(ctx context.Context, dist []uint8, dsts [][]Port, workers int) error {
	long := make([]bool, len(dsts))
	each(ctx, workers, len(dsts), func() func(int) {
		s := newSearch(t.Router)
		s.full = true
		return func(i int) {
			row := dist[i*t.nodes : (i+1)*t.nodes]
			for x, d := range s.runTo(dsts[i]).Dist {
				row[x] = Far
				if d < Far {
					row[x] = uint8(d)
				} else if d != Unreachable {
					long[i] = true
				}
			}
		}
	})
	for _, l := range long {
		if l {
			return fmt.Errorf("routing: a route has %d hops or more, too many for a table", Far)
		}
	}
	return ctx.Err()
}

// nodesPerChunk is how many nodes a goroutine takes at a time.
const nodesPerChunk = 64

// fillLists makes the lists of hops, chunk by chunk; false if ctx ends or a node has more than
// 65,536 of them. mk makes one goroutine's work function.
func (t *Table) fillLists(ctx context.Context, workers int, mk func() func(from, to int) chunk) bool {
	chunks := make([]chunk, (t.nodes+nodesPerChunk-1)/nodesPerChunk)
	each(ctx, workers, len(chunks), func() func(int) {
		f := mk()
		return func(i int) { chunks[i] = f(i*nodesPerChunk, min((i+1)*nodesPerChunk, t.nodes)) }
	})
	if ctx.Err() != nil {
		return false
	}
	t.span = []int32{0}
	for _, c := range chunks {
		if c.full {
			t.first, t.span, t.hops = nil, nil, nil
			return false
		}
		lists, hops := int32(len(t.span)-1), int32(len(t.hops))
		for _, f := range c.first {
			t.first = append(t.first, lists+f)
		}
		for _, s := range c.span {
			t.span = append(t.span, hops+s)
		}
		t.hops = append(t.hops, c.hops...)
	}
	return true
}

// listNodes numbers the lists of the nodes [from, to) in order of destination. Destinations are the outer loop: the
// distances of neighbouring nodes to one of them are side by side.
func (t *Table) listNodes(list []uint16, dsts, from, to int) (c chunk) {
	trees := make([]listTree, to-from)
	for i := range trees {
		trees[i] = t.treeOf(from + i)
	}
	for d := range dsts {
		row := t.dist[d*t.nodes : (d+1)*t.nodes]
		for i := range trees {
			here := row[from+i]
			if here == 0 || here == Far {
				continue // list 0 is empty
			}
			tree, id := &trees[i], int32(0)
			for j, y := range tree.to {
				if row[y] == here-1 {
					id = tree.extend(id, int32(j))
				}
			}
			n := tree.numberOf(id)
			if n >= math.MaxUint16 {
				c.full = true
				return c
			}
			list[d*t.nodes+from+i] = uint16(n)
		}
	}
	for i := range trees {
		c.first = append(c.first, int32(len(c.span)))
		trees[i].emit(t.Router, &c)
	}
	return c
}
