package routing

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"sync/atomic"
)

// maxListBytes is the memory above which hops are searched among the channels of the switch: the
// verification of a finalist is to fit on a laptop.
const maxListBytes = 512 << 20

func newTable(r *Router, rs rows) *Table {
	return &Table{Router: r, rows: rs, nodes: r.Net.Switches() * rs.n()}
}

// NewTable computes the fields of all sets. Blocks, if not nil, may be used to make it small.
func NewTable(ctx context.Context, r *Router, blocks []int32, workers int) (*Table, error) {
	t := newTable(r, r.equalStates())
	if blocks != nil && !r.spare && len(r.Sets)*t.nodes >= clusterFrom {
		if c, err := newClusters(ctx, r, blocks, workers); err != nil || c != nil {
			t = newTable(r, r.allStates())
			t.c = c
			return t, err
		}
	}
	sets := make([][]Port, len(r.Sets))
	t.place = t.nested()
	for i := range r.Sets {
		at := i
		if t.place != nil {
			at = int(t.place[i])
		}
		sets[at] = r.Sets[i].Ports
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
	t.dsts += len(dsts)
	if size := t.size(); size > maxDistBytes {
		return fmt.Errorf("routing: a table of %d destinations and %d nodes (switches x states that differ) takes %d bytes; at most %d are allowed",
			t.dsts, t.nodes, size, maxDistBytes)
	}
	t.blocks = append(t.blocks, make([]block, (t.dsts+wideBits-1)/wideBits-len(t.blocks))...)
	return t.fillDist(ctx, dsts, workers)
}

// size is the bytes of distances if each node had a route to each destination.
func (t *Table) size() int { return (t.dsts + wideBits - 1) / wideBits * t.nodes * wideBits }

// MakeLists adds lists of hops if memory allows; no destination may be added after it.
func (t *Table) MakeLists(ctx context.Context, workers int) error {
	switch {
	case t.c != nil && 2*len(t.c.dist) <= maxListBytes:
		t.c.makeLists()
		if !t.fillLists(ctx, workers, func() func(from, to int) chunk { return newLister(t).nodes }) {
			t.c.list = nil
		}
	case t.c == nil && 2*t.size() <= maxListBytes:
		for i := range t.blocks {
			t.blocks[i].list = make([]uint16, len(t.blocks[i].dist))
		}
		if !t.fillLists(ctx, workers, func() func(from, to int) chunk {
			trees := make([]listTree, nodesPerChunk)
			return func(from, to int) chunk { return t.listNodes(from, to, trees[:to-from]) }
		}) {
			for i := range t.blocks {
				t.blocks[i].list = nil
			}
		}
	}
	return ctx.Err()
}

// fillDist searches from the last destinations, those of a block together.
func (t *Table) fillDist(ctx context.Context, dsts [][]Port, workers int) error {
	begin := t.dsts - len(dsts)
	var long atomic.Bool
	each(ctx, workers, len(t.blocks)-begin/wideBits, func() func(int) {
		s := newWide(t.Router, t.rows)
		dist := make([]uint8, t.nodes*wideBits)
		return func(i int) {
			b := begin/wideBits + i
			from, to := max(begin, b*wideBits), min(t.dsts, (b+1)*wideBits)
			t.blocks[b].unpack(dist)
			if !s.fill(dsts[from-begin:to-begin], dist[from%wideBits:], wideBits, 1) {
				long.Store(true)
			}
			t.blocks[b].pack(dist)
		}
	})
	if long.Load() {
		return fmt.Errorf("routing: a route has %d hops or more, too many for a table", Far)
	}
	return ctx.Err()
}

// unpack writes a line for each node.
func (b *block) unpack(dist []uint8) {
	if b.dist == nil {
		for i := range dist {
			dist[i] = Far
		}
		return
	}
	for x := range len(dist) / wideBits {
		at := b.line(x)
		copy(dist[x*wideBits:], b.dist[at:at+wideBits])
	}
}

// pack keeps the lines of nodes that have a route to one of the destinations if that spares a quarter of all: an index takes a
// sixteenth, and a look-up each time.
func (b *block) pack(dist []uint8) {
	nodes := len(dist) / wideBits
	slot, lines := make([]uint32, nodes), 1
	for x := range slot {
		if !isFar((*[wideBits]uint8)(dist[x*wideBits:])) {
			slot[x] = uint32(lines)
			lines++
		}
	}
	if 4*lines > 3*nodes {
		*b = block{dist: slices.Clone(dist)}
		return
	}
	*b = block{slot: slot, dist: make([]uint8, 0, lines*wideBits)}
	for range wideBits {
		b.dist = append(b.dist, Far)
	}
	for x, k := range slot {
		if k > 0 {
			b.dist = append(b.dist, dist[x*wideBits:(x+1)*wideBits]...)
		}
	}
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
	first, span, hops := 0, 1, 0
	for i := range chunks {
		if chunks[i].full {
			return false
		}
		first, span, hops = first+len(chunks[i].first), span+len(chunks[i].span), hops+len(chunks[i].hops)
	}
	t.first, t.span, t.hops = make([]int32, 0, first), append(make([]int32, 0, span), 0), make([]Hop, 0, hops)
	for i, c := range chunks {
		chunks[i] = chunk{} // or all would be there twice
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
// distances of neighbouring nodes to some of them are side by side. trees are one for each node, whose memory is used again.
func (t *Table) listNodes(from, to int, trees []listTree) (c chunk) {
	for i := range trees {
		t.treeOf(from+i, &trees[i])
	}
	var parts []part
	for k := range t.blocks {
		b := &t.blocks[k]
		for i := range trees {
			tree := &trees[i]
			near, on := nearer((*[wideBits]uint8)(b.dist[b.line(from+i):]))
			if on == 0 {
				continue // list 0 is empty
			}
			parts = append(parts[:0], part{on, 0})
			same, before := uint64(0), int32(-1)
			for j, y := range tree.to {
				if at := b.line(int(y)); y != before { // hops on several VCs may come to one
					same, before = 0, y
					if at > 0 || b.slot == nil {
						same = near.equal((*[wideBits]uint8)(b.dist[at:]), on)
					}
				}
				if same != 0 {
					parts = tree.split(parts, same, int32(j))
				}
			}
			out := b.list[b.line(from+i):]
			for _, p := range parts {
				n := tree.numberOf(p.id)
				if n >= math.MaxUint16 {
					c.full = true
					return c
				}
				for m := p.dsts; m != 0; m &= m - 1 {
					out[bits.TrailingZeros64(m)] = uint16(n)
				}
			}
		}
	}
	hops, lists := 0, 0
	for i := range trees {
		hops, lists = hops+trees[i].length(), lists+len(trees[i].order)
	}
	c.hops, c.span = make([]Hop, 0, hops), make([]int32, 0, lists)
	for i := range trees {
		c.first = append(c.first, int32(len(c.span)))
		trees[i].emit(t.Router, &c)
	}
	return c
}
