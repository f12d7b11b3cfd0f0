package routing

import (
	"context"
	"errors"
	"math/bits"

	"toposearch/topology"
)

// Tracer spreads many traffics of few pairs each over one network: FlowLoads, where distances to all switches are found
// once, 64 at a time, and only the switches are visited that a traffic passes. It is for one goroutine.
type Tracer struct {
	r      *Router
	rows   rows
	column []int32 // by switch: its column of dist, -1 where no endpoint hangs on it
	nodes  int
	dist   []uint8   // [column*nodes+switch*rows+row]; Far without a route
	least  []uint8   // the least of several columns
	flow   []float64 // per node, 0 between two destinations
	levels [][]int32 // nodes with flow by their distance, each once
	at     []int
	start  []int32
	sum    partial
}

// ErrTooMuch is that of distances which would take too much memory.
var ErrTooMuch = errors.New("routing: distances between all switches take too much memory")

// mostTraced bounds the bytes of a tracer's distances: of 4,000 switches with endpoints and a few states. Beyond, FlowLoads, which
// searches from each destination again, takes seconds for a traffic anyway.
const mostTraced = 64 << 20

// NewTracer finds all distances. The error is ErrTooMuch, or that of a route with Far hops or more.
func (r *Router) NewTracer(ctx context.Context) (*Tracer, error) {
	t := &Tracer{r: r, rows: r.equalStates(), column: make([]int32, r.Net.Switches()), start: r.portStart()}
	var dsts [][]Port
	for i := range t.column {
		t.column[i] = -1
	}
	for i := range r.Sets {
		for _, p := range r.Sets[i].Ports {
			if t.column[p.Switch] < 0 {
				t.column[p.Switch] = int32(len(dsts))
				dsts = append(dsts, []Port{{p.Switch, 1}})
			}
		}
	}
	if t.nodes = r.Net.Switches() * t.rows.n(); t.nodes*len(dsts) > mostTraced {
		return nil, ErrTooMuch
	}
	t.dist, t.flow, t.least = make([]uint8, t.nodes*len(dsts)), make([]float64, t.nodes), make([]uint8, t.nodes)
	return t, t.search(ctx, dsts)
}

// search fills the distances to all columns.
func (t *Tracer) search(ctx context.Context, dsts [][]Port) error {
	s := newWide(t.r, t.rows)
	block := make([]uint8, t.nodes*wideBits)
	for first := 0; first < len(dsts); first += wideBits {
		if err := ctx.Err(); err != nil {
			return err
		}
		block[0] = Far
		for n := 1; n < len(block); n *= 2 {
			copy(block[n:], block[:n])
		}
		some := dsts[first:min(first+wideBits, len(dsts))]
		if !s.fill(some, block, wideBits, 0) {
			return ErrTooMuch // such routes are for FlowLoads
		}
		for i := range some {
			to := t.dist[(first+i)*t.nodes:][:t.nodes]
			for x := range to {
				to[x] = block[x*wideBits+i]
			}
		}
	}
	return nil
}

// Begin starts a traffic of no flow.
func (t *Tracer) Begin() {
	if t.sum.channel == nil {
		t.sum = t.r.newPartial(t.start[len(t.r.Sets)])
		return
	}
	clear(t.sum.channel)
	clear(t.sum.in)
	clear(t.sum.out)
	t.sum = partial{channel: t.sum.channel, in: t.sum.in, out: t.sum.out}
}

// Add spreads flows to one destination set, which is theirs.
func (t *Tracer) Add(dst int, flows []Flow) {
	set, left := &t.r.Sets[dst], t.left(dst)
	for _, f := range flows {
		t.enter(left, f)
	}
	for d := len(t.levels) - 1; d > 0; d-- {
		for _, x := range t.levels[d] {
			t.step(left, int(x), uint8(d))
		}
		t.levels[d] = t.levels[d][:0]
	}
	if len(t.levels) == 0 {
		return
	}
	for _, x := range t.levels[0] {
		amount := t.flow[x]
		t.flow[x] = 0
		for i, p := range set.Ports {
			if int(p.Switch) == int(x)/t.rows.n() {
				t.sum.out[t.start[dst]+int32(i)] += amount / (float64(p.Count) * float64(set.Endpoints))
				break
			}
		}
	}
	t.levels[0] = t.levels[0][:0]
}

// Loads are those of all that was added since Begin. They are valid until then.
func (t *Tracer) Loads() *Loads { return t.r.finish(&t.sum, t.start, LoadOptions{}) }

// left is how far each node is from a set, Far if nothing leads there. It is valid until the next call.
func (t *Tracer) left(dst int) []uint8 {
	ports := t.r.Sets[dst].Ports
	to := func(p Port) []uint8 { return t.dist[int(t.column[p.Switch])*t.nodes:][:t.nodes] }
	if len(ports) == 1 {
		return to(ports[0])
	}
	copy(t.least, to(ports[0]))
	for _, p := range ports[1:] {
		for x, d := range to(p) {
			t.least[x] = min(t.least[x], d)
		}
	}
	return t.least
}

// put adds flow to a node that is d hops from the destination.
func (t *Tracer) put(node int, d uint8, amount float64) {
	for len(t.levels) <= int(d) {
		t.levels = append(t.levels, nil)
	}
	if t.flow[node] == 0 {
		t.levels[d] = append(t.levels[d], int32(node))
	}
	t.flow[node] += amount
}

// enter lets a set send over its nearest ports, as spreader.enter.
func (t *Tracer) enter(left []uint8, f Flow) {
	src, S := &t.r.Sets[f.Src], t.rows.n()
	best, total := uint8(Far), int32(0)
	t.at = t.at[:0]
	for i, p := range src.Ports {
		switch d := left[int(p.Switch)*S+int(t.rows.of[0])]; {
		case d < best:
			best, total = d, p.Count
			t.at = append(t.at[:0], i)
		case d == best && d != Far:
			total += p.Count
			t.at = append(t.at, i)
		}
	}
	t.sum.pairs += f.Rate
	if best == Far {
		t.sum.unreachable += f.Rate
		return
	}
	t.sum.traffic += f.Rate
	t.sum.hops += f.Rate * float64(best)
	t.sum.maxHops = max(t.sum.maxHops, uint16(best))
	for _, i := range t.at {
		p := src.Ports[i]
		part := f.Rate * float64(p.Count) / float64(total)
		t.put(int(p.Switch)*S+int(t.rows.of[0]), best, part)
		t.sum.in[t.start[f.Src]+int32(i)] += part / (float64(p.Count) * float64(src.Endpoints))
	}
}

// hop is a channel with the node that it leads to.
type hop struct {
	channel topology.ChannelID
	node    int32
}

// step moves what is at a node d hops from its destination one hop on, split equally over all that Router.Next offers.
func (t *Tracer) step(left []uint8, node int, d uint8) {
	r, S := t.r, t.rows.n()
	var buf [64]hop
	hops := buf[:0]
	state := int(t.rows.state[node%S])
	first, end := r.Net.Out(topology.SwitchID(node / S))
	for c := first; c < end; c++ {
		base := int(r.Net.To(c)) * S
		for m := r.next[int(r.kind[c])*r.states+state]; m != 0; m &= m - 1 {
			s := bits.TrailingZeros64(m)
			to := base + int(t.rows.of[s])
			if left[to] != d-1 {
				continue
			}
			if u := r.rest[s]; m>>u&1 != 0 && left[base+int(t.rows.of[u])] == d-1 {
				m &^= 1 << u
			}
			hops = append(hops, hop{c, int32(to)})
		}
	}
	amount := t.flow[node] / float64(len(hops))
	t.flow[node] = 0
	for _, h := range hops {
		t.sum.channel[h.channel] += amount
		t.put(int(h.node), d-1, amount)
	}
}
