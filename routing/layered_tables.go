package routing

import (
	"context"
	"fmt"

	"toposearch/topology"
)

// tableMaker fills the rows of tables, one destination after another.
type tableMaker struct {
	*channelRows
	t      *Layered
	weight []int64 // of each channel: paths of the destinations so far

	hop   []int32 // to the destination; -1: not reached
	cost  []int64 // weights on the way
	load  []int64 // paths that come by
	order []topology.SwitchID
}

// newTables makes the tables, every path that is used in layer 0. With each, every endpoint is a destination of its own.
func newTables(ctx context.Context, n *topology.Network, each bool) (*Layered, error) {
	r, err := New(n, topology.Minimal())
	if err != nil {
		return nil, err
	}
	t := &Layered{Router: r, rowOf: make([]int32, n.Endpoints()), srcAt: make([]int32, n.Switches())}
	for s := range t.srcAt {
		t.srcAt[s] = -1
		if first, end := n.Out(topology.SwitchID(s)); int(end-first) >= noChannel {
			return nil, fmt.Errorf("routing: tables with layers have no place for a switch of %d channels", end-first)
		}
	}
	for i := range r.Sets {
		for _, p := range r.Sets[i].Ports {
			if t.srcAt[p.Switch] < 0 {
				t.srcAt[p.Switch] = int32(len(t.srcs))
				t.srcs = append(t.srcs, p.Switch)
			}
		}
	}
	t.number(each)
	t.takeTurns()
	if bytes := LayeredBytes(float64(len(t.rows)), float64(n.Switches()), float64(len(t.srcs))); bytes > maxDistBytes {
		return nil, tooMany("bytes", bytes, maxDistBytes)
	}
	t.next = make([]uint16, len(t.rows)*n.Switches())
	t.layer, t.hops = make([]uint8, len(t.rows)*len(t.srcs)), make([]uint8, len(t.rows)*len(t.srcs))
	m := newTableMaker(t)
	hops := 0.0
	for row := range t.rows {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		m.search(r.Sets[t.rows[row].set].Ports)
		m.aim(row)
		hops += m.enter(row)
		m.weigh(row)
		if k := len(m.order); k > 0 && m.hop[m.order[k-1]] >= Far { // none leads to endpoints whose switches have failed
			return nil, tooMany("hops on a path", float64(m.hop[m.order[k-1]]), Far-1)
		}
	}
	if hops > LayeredPathHops {
		return nil, tooMany("hops of paths", hops, LayeredPathHops)
	}
	return t, nil
}

// number gives endpoints their rows.
func (t *Layered) number(each bool) {
	n, r := t.Router.Net, t.Router
	if !each {
		for i := range r.Sets {
			t.rows = append(t.rows, destination{int32(i), r.Sets[i].Endpoints})
		}
	}
	for g := range n.Groups() {
		first, end, _ := n.Group(g)
		for e := first; e < end; e++ {
			t.rowOf[e] = r.SetOf[g]
			if each {
				t.rowOf[e] = int32(len(t.rows))
				t.rows = append(t.rows, destination{r.SetOf[g], 1})
			}
		}
	}
}

func newTableMaker(t *Layered) *tableMaker {
	n := t.Router.Net
	return &tableMaker{t: t, channelRows: newChannelRows(n), weight: make([]int64, n.Channels()),
		hop: make([]int32, n.Switches()), cost: make([]int64, n.Switches()), load: make([]int64, n.Switches())}
}

// search counts hops backwards from a destination.
func (m *tableMaker) search(dst []Port) {
	for s := range m.hop {
		m.hop[s] = -1
	}
	m.order = m.order[:0]
	for _, p := range dst {
		m.hop[p.Switch] = 0
		m.order = append(m.order, p.Switch)
	}
	for k := 0; k < len(m.order); k++ {
		v := m.order[k]
		for _, c := range m.into[m.start[v]:m.start[v+1]] {
			if w := m.from[c]; m.hop[w] < 0 {
				m.hop[w] = m.hop[v] + 1
				m.order = append(m.order, w)
			}
		}
	}
}

// aim chooses the next channel of every switch: of those that lead nearer the one with the least weight from
// there on, the first of equals.
func (m *tableMaker) aim(row int) {
	n := m.t.Router.Net
	next := m.t.next[row*n.Switches() : (row+1)*n.Switches()]
	for s := range next {
		next[s] = noChannel
	}
	for _, s := range m.order {
		m.load[s], m.cost[s] = 0, 0
		if m.hop[s] == 0 {
			continue
		}
		first, end := n.Out(s)
		for c := first; c < end; c++ {
			v := n.To(c)
			if m.hop[v] != m.hop[s]-1 {
				continue
			}
			if x := m.weight[c] + m.cost[v]; next[s] == noChannel || x < m.cost[s] {
				next[s], m.cost[s] = uint16(c-first), x
			}
		}
	}
}

// enter lets every set send from its ports with the fewest hops to go; the answer is the hops of the paths.
func (m *tableMaker) enter(row int) (hops float64) {
	t := m.t
	layer := t.layer[row*len(t.srcs) : (row+1)*len(t.srcs)]
	for i := range layer {
		layer[i] = noLayer
		t.hops[row*len(t.srcs)+i] = Far
		if h := m.hop[t.srcs[i]]; h >= 0 {
			t.hops[row*len(t.srcs)+i] = uint8(h)
		}
	}
	for set := range t.Router.Sets {
		src := &t.Router.Sets[set]
		least := int32(-1)
		for _, p := range src.Ports {
			if h := m.hop[p.Switch]; h >= 0 && (least < 0 || h < least) {
				least = h
			}
		}
		for _, p := range src.Ports {
			if least >= 0 && m.hop[p.Switch] == least {
				if i := t.srcAt[p.Switch]; layer[i] == noLayer {
					layer[i] = 0
					hops += float64(least)
				}
				m.load[p.Switch] += src.Endpoints * t.rows[row].endpoints
			}
		}
	}
	return hops
}

// weigh adds the paths to the destination to the weights of the links they take, most distant first.
func (m *tableMaker) weigh(row int) {
	for k := len(m.order) - 1; k >= 0; k-- {
		s := m.order[k]
		if c := m.t.Next(row, s); c >= 0 {
			m.weight[c] += m.load[s]
			m.load[m.t.Router.Net.To(c)] += m.load[s]
		}
	}
}
