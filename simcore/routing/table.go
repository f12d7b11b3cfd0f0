package routing

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"sync"

	"toposearch/topology"
)

// Limits of a table's memory, chosen so that the verification of a finalist fits on a laptop.
const (
	maxListBytes = 512 << 20 // above it hops are searched among the channels of the switch
	maxDistBytes = 2 << 30   // above it there is no table, hence no simulation
)

// table holds the fields of all destinations in a form that a simulator can ask without
// allocating: a byte of distance per (destination, node) and, where memory allows, the number of
// a list of hops, lists that are equal being stored once per node. Destinations are the sets of
// the router, then the extra ones.
type table struct {
	r     *Router
	nodes int
	dist  []uint8   // [dst*nodes+node]; far if there is no route
	list  []uint16  // [dst*nodes+node]: list number at the node; nil if too large
	c     *clusters // instead of dist and list, in large networks of groups
	first []int32   // [node]: its lists are first[node]+number, the number from 0
	span  []int32   // list i is hops[span[i]:span[i+1]]
	hops  []Hop
}

// far stands for Unreachable in a byte.
const far = math.MaxUint8

// newTable computes the fields of all sets. Blocks, if not nil, may be used to make it small.
func newTable(ctx context.Context, r *Router, blocks []int32, workers int) (*table, error) {
	t := &table{r: r, nodes: r.Net.Switches() * r.states}
	if blocks != nil && len(r.Sets)*t.nodes >= clusterFrom {
		var err error
		if t.c, err = newClusters(ctx, r, blocks, workers); err != nil || t.c != nil {
			return t, err
		}
	}
	sets := make([][]Port, len(r.Sets))
	for i := range r.Sets {
		sets[i] = r.Sets[i].Ports
	}
	return t, t.extend(ctx, sets, workers)
}

// extend adds destinations.
func (t *table) extend(ctx context.Context, dsts [][]Port, workers int) error {
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

// makeLists adds lists of hops if memory allows.
func (t *table) makeLists(ctx context.Context, workers int) error {
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
func (t *table) fillDist(ctx context.Context, dist []uint8, dsts [][]Port, workers int) error {
	work := make(chan int)
	long := make([]bool, len(dsts))
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			s := newSearch(t.r)
			s.full = true
			for i := range work {
				row := dist[i*t.nodes : (i+1)*t.nodes]
				for x, d := range s.runTo(dsts[i]).Dist {
					row[x] = far
					if d < far {
						row[x] = uint8(d)
					} else if d != Unreachable {
						long[i] = true
					}
				}
			}
		})
	}
	for i := range dsts {
		if ctx.Err() != nil {
			break
		}
		work <- i
	}
	close(work)
	wg.Wait()
	for _, l := range long {
		if l {
			return fmt.Errorf("routing: a route has %d hops or more, too many for a table", far)
		}
	}
	return ctx.Err()
}

// nodesPerChunk is how many nodes a goroutine takes at a time.
const nodesPerChunk = 64

// chunk is the lists of some consecutive nodes: as in table, numbered from 0.
type chunk struct {
	first, span []int32
	hops        []Hop
	full        bool // a node has too many lists
}

// fillLists makes the lists of hops, chunk by chunk; false if ctx ends or a node has more than
// 65,536 of them. mk makes one goroutine's work function.
func (t *table) fillLists(ctx context.Context, workers int, mk func() func(from, to int) chunk) bool {
	chunks := make([]chunk, (t.nodes+nodesPerChunk-1)/nodesPerChunk)
	each(workers, len(chunks), func() func(int) {
		f := mk()
		return func(i int) {
			if ctx.Err() == nil {
				chunks[i] = f(i*nodesPerChunk, min((i+1)*nodesPerChunk, t.nodes))
			}
		}
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

// listNodes numbers the lists of the nodes [from, to) in order of destination.
func (t *table) listNodes(list []uint16, dsts, from, to int) (c chunk) {
	number := make(map[string]int)
	var single []int // by hop: the number of the list that holds it alone, from 1
	var buf []Hop
	var key []byte
	for x := from; x < to; x++ {
		clear(number)
		first, end := t.r.Net.Out(topology.SwitchID(x / t.r.states))
		single = append(single[:0], make([]int, int(end-first)*t.r.states)...)
		c.first = append(c.first, int32(len(c.span)))
		lists := 0
		for d := range dsts {
			buf = t.scan(d, x, buf[:0])
			var at *int
			var i int
			if len(buf) == 1 {
				at = &single[int(buf[0].Channel-first)*t.r.states+int(buf[0].State)]
				i = *at
			} else {
				key = key[:0]
				for _, h := range buf {
					key = append(binary.LittleEndian.AppendUint32(key, uint32(h.Channel)), h.State)
				}
				i = number[string(key)]
			}
			if i == 0 {
				lists++
				i = lists
				if lists > math.MaxUint16 {
					c.full = true
					return c
				}
				if at != nil {
					*at = i
				} else {
					number[string(key)] = i
				}
				c.hops = append(c.hops, buf...)
				c.span = append(c.span, int32(len(c.hops)))
			}
			list[d*t.nodes+x] = uint16(i - 1)
		}
	}
	return c
}

// scan searches the hops of node x towards destination d among the channels of its switch.
func (t *table) scan(d, x int, buf []Hop) []Hop {
	if here := t.at(d, x); here == 0 || here == far {
		return buf
	}
	t.eachHop(d, x, func(h Hop) { buf = append(buf, h) })
	return buf
}

// eachHop calls f for the hops of node x that lead one step nearer to a destination.
func (t *table) eachHop(dst, x int, f func(Hop)) {
	r := t.r
	S := r.states
	sw, state := topology.SwitchID(x/S), x%S
	here := t.at(dst, x)
	first, end := r.Net.Out(sw)
	for c := first; c < end; c++ {
		at := int(r.kind[c])*S + state
		m := r.next[at]
		base := int(r.Net.To(c)) * S
		for s := 0; m>>s != 0; s++ {
			if m>>s&1 != 0 && t.at(dst, base+s) == here-1 {
				f(Hop{c, r.vc[at*S+s], uint8(s)})
			}
		}
	}
}

// node numbers a switch in a state.
func (t *table) node(sw topology.SwitchID, state uint8) int { return int(sw)*t.r.states + int(state) }

// at is the distance of a node to a destination, far if there is no route.
func (t *table) at(dst, node int) uint8 {
	if t.c != nil {
		return t.c.at(dst, node, t.r.states)
	}
	return t.dist[dst*t.nodes+node]
}

// lists tells whether hopsOf can be called.
func (t *table) lists() bool { return t.list != nil || t.c != nil && t.c.list != nil }

// hopsOf gives the hops of a node; the slice belongs to the table.
func (t *table) hopsOf(dst, node int) []Hop {
	var i int32
	if t.c != nil {
		i = t.first[node] + int32(t.c.listAt(dst, node, t.r.states))
	} else {
		i = t.first[node] + int32(t.list[dst*t.nodes+node])
	}
	return t.hops[t.span[i]:t.span[i+1]]
}
