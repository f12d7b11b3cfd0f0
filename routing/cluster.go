package routing

import (
	"context"
	"math/bits"
	"sync/atomic"

	"toposearch/internal/crew"
)

// clusters is a table for large networks of groups. From outside a group (pod, sub-network: the
// blocks of the placement) the way to its switches is often the same for all of them: it leads to
// the group's border, and every switch of the group is as far from there as the others. Then one
// row serves all the destinations of a group, and rows of their own are needed only within it. The
// distances are the exact ones: build checks the conditions below and gives up where they fail.
//
// Let F be the distances to one destination r of group G, L(d) the distances to destination d of
// G on routes within G alone, and E the border: the (switch, state) of G in which packets come in.
// If L(d) = L(r) = F on E for every d, then a route from E to d that leaves G and comes back has
// a counterpart of the same length to r, so it is not shorter than F = L(d) there: the distances
// to d are F on E, hence F everywhere outside. If furthermore no channel that leaves G leads a node
// of G to d sooner than L(d), then the distances within G are L(d).
type clusters struct {
	rows  int     // groups that hold destinations
	row   []int32 // by destination
	pos   []int32 // by destination: its number within the group
	home  []int32 // by switch: the row of its group, -1 if no destinations are there
	local []int32 // by switch: its number within the group

	dist  []uint8  // [node*rows+row]: from outside the group
	list  []uint16 // lists of hops, indexed like dist
	inner []inner  // by row
}

// inner is the inside of a group.
type inner struct {
	switches []int32
	dsts     []int32
	nodes    int     // len(switches) * states
	dist     []uint8 // [pos*nodes+local*states+state]
	list     []uint16
}

// maxDistBytes is the memory above which there is no table, hence no simulation: the verification of
// a finalist is to fit on a laptop.
const maxDistBytes = 2 << 30

// clusterFrom is the size of a plain table, in bytes, from which clusters are tried: below it a
// plain table is made in a second and its rows stay in cache.
const clusterFrom = 16 << 20

// newClusters makes the table, nil if the network's blocks do not allow it.
func newClusters(ctx context.Context, r *Router, blocks []int32, workers int) (*clusters, error) {
	c := &clusters{row: make([]int32, len(r.Sets)), pos: make([]int32, len(r.Sets)),
		home: make([]int32, r.Net.Switches()), local: make([]int32, r.Net.Switches())}
	if !c.group(r, blocks) {
		return nil, nil
	}
	nodes := r.Net.Switches() * r.states
	if c.rows*nodes > maxDistBytes {
		return nil, nil
	}
	c.dist = make([]uint8, c.rows*nodes)
	for i := range c.dist {
		c.dist[i] = Far
	}
	var refused atomic.Bool
	each(ctx, workers, (c.rows+wideBits-1)/wideBits, func() func(int) {
		s := newWide(r, r.allStates())
		return func(batch int) {
			if !refused.Load() && !(c.outside(s, batch*wideBits) && c.inside(r, batch*wideBits)) {
				refused.Store(true)
			}
		}
	})
	if refused.Load() || ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return c, nil
}

// each runs work for 0..n-1, until ctx ends, on some goroutines; mk makes one goroutine's work function.
func each(ctx context.Context, workers, n int, mk func() func(int)) {
	workers = max(1, min(workers, n))
	work := make([]func(int), workers)
	crew.Each(ctx, workers, n, func(w, i int) {
		if work[w] == nil {
			work[w] = mk()
		}
		work[w](i)
	})
}

// group finds the rows. Every destination has to lie in one block.
func (c *clusters) group(r *Router, blocks []int32) bool {
	rowOf := make(map[int32]int32)
	for d := range r.Sets {
		b := blocks[r.Sets[d].Ports[0].Switch]
		for _, p := range r.Sets[d].Ports {
			if b < 0 || blocks[p.Switch] != b {
				return false
			}
		}
		k, ok := rowOf[b]
		if !ok {
			k = int32(c.rows)
			rowOf[b] = k
			c.rows++
			c.inner = append(c.inner, inner{})
		}
		in := &c.inner[k]
		c.row[d], c.pos[d] = k, int32(len(in.dsts))
		in.dsts = append(in.dsts, int32(d))
	}
	for sw, b := range blocks {
		c.home[sw] = -1
		if k, ok := rowOf[b]; ok && b >= 0 {
			in := &c.inner[k]
			c.home[sw], c.local[sw] = k, int32(len(in.switches))
			in.switches = append(in.switches, int32(sw))
		}
	}
	for k := range c.inner {
		c.inner[k].nodes = len(c.inner[k].switches) * r.states
	}
	return c.rows < len(r.Sets)
}

// outside fills the rows from..from+63 with the distances to the first destination of each.
func (c *clusters) outside(s *wide, from int) bool {
	dsts := make([][]Port, min(wideBits, c.rows-from))
	for i := range dsts {
		dsts[i] = s.r.Sets[c.inner[from+i].dsts[0]].Ports
	}
	return s.fill(dsts, c.dist[from:], c.rows, 1) // else the plain table says that a route is too long
}

// inside fills the distances within the groups of the rows from..from+63 and checks the
// conditions.
func (c *clusters) inside(r *Router, from int) bool {
	for row := from; row < min(from+wideBits, c.rows); row++ {
		in := &c.inner[row]
		in.dist = make([]uint8, len(in.dsts)*in.nodes)
		border := c.border(r, row)
		for pos := range in.dsts {
			c.within(r, row, pos)
			d := in.dist[pos*in.nodes : (pos+1)*in.nodes]
			for l, b := range border {
				x := int(in.switches[l/r.states])*r.states + l%r.states
				if b && d[l] != c.dist[x*c.rows+row] || c.shortcut(r, row, x, d[l]) {
					return false
				}
			}
		}
	}
	return true
}

// border marks the nodes of a group in which packets come in.
func (c *clusters) border(r *Router, row int) []bool {
	in, S := &c.inner[row], r.states
	border := make([]bool, in.nodes)
	for l, sw := range in.switches {
		for i := r.inStart[sw]; i < r.inStart[sw+1]; i++ {
			if c.home[r.inFrom[i]] == int32(row) {
				continue
			}
			for t := range S {
				border[l*S+t] = border[l*S+t] || r.back[int(r.inKind[i])*S+t] != 0
			}
		}
	}
	return border
}

// within computes the distances to one destination of a group on routes inside it.
func (c *clusters) within(r *Router, row, pos int) {
	in, S := &c.inner[row], r.states
	dist := in.dist[pos*in.nodes : (pos+1)*in.nodes]
	for i := range dist {
		dist[i] = Far
	}
	for _, p := range r.Sets[in.dsts[pos]].Ports {
		for t := range S {
			dist[int(c.local[p.Switch])*S+t] = 0
		}
	}
	start, to := r.Net.Adjacency()
	for d := uint8(1); d < Far; d++ {
		any := false
		for l, sw := range in.switches {
			for ch := start[sw]; ch < start[sw+1]; ch++ {
				y := to[ch]
				if c.home[y] != int32(row) {
					continue
				}
				for t := range S {
					if dist[l*S+t] != Far {
						continue
					}
					for m := r.next[int(r.kind[ch])*S+t]; m != 0; m &= m - 1 {
						if dist[int(c.local[y])*S+bits.TrailingZeros64(m)] == d-1 {
							dist[l*S+t], any = d, true
							break
						}
					}
				}
			}
		}
		if !any {
			return
		}
	}
}

// shortcut reports whether a channel that leaves the group leads node x to the row's destinations in
// fewer than d hops.
func (c *clusters) shortcut(r *Router, row, x int, d uint8) bool {
	S := r.states
	start, to := r.Net.Adjacency()
	for ch := start[x/S]; ch < start[x/S+1]; ch++ {
		y := to[ch]
		if c.home[y] == int32(row) {
			continue
		}
		for m := r.next[int(r.kind[ch])*S+x%S]; m != 0; m &= m - 1 {
			if e := c.dist[(int(y)*S+bits.TrailingZeros64(m))*c.rows+row]; e != Far && e+1 < d {
				return true
			}
		}
	}
	return false
}

// at is the distance of a node to a destination.
func (c *clusters) at(dst, node, states int) uint8 {
	row := c.row[dst]
	if sw := node / states; c.home[sw] == row {
		in := &c.inner[row]
		return in.dist[int(c.pos[dst])*in.nodes+int(c.local[sw])*states+node%states]
	}
	return c.dist[node*c.rows+int(row)]
}

// listAt is the number of the list of a node for a destination.
func (c *clusters) listAt(dst, node, states int) uint16 {
	row := c.row[dst]
	if sw := node / states; c.home[sw] == row {
		in := &c.inner[row]
		return in.list[int(c.pos[dst])*in.nodes+int(c.local[sw])*states+node%states]
	}
	return c.list[node*c.rows+int(row)]
}

// makeLists reserves the numbers.
func (c *clusters) makeLists() {
	c.list = make([]uint16, len(c.dist))
	for i := range c.inner {
		c.inner[i].list = make([]uint16, len(c.inner[i].dist))
	}
}
