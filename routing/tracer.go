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
	heads  []int32 // by channel: the first node of the switch that it leads to
	column []int32 // by set its column of dist, if bySet; else by switch, -1 where no endpoint hangs on it
	bySet  bool
	nodes  int
	dist   []uint8   // [column*nodes+switch*rows+row]; Far without a route
	least  []uint8   // the least of several columns
	flow   []float64 // per node, 0 between two destinations
	levels [][]int32 // nodes with flow by their distance, each once
	at     []int
	hops   []hop
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
	t := &Tracer{r: r, rows: r.equalSteps(), start: r.portStart()}
	t.nodes = r.Net.Switches() * t.rows.n()
	dsts := t.columns()
	if t.nodes*len(dsts) > mostTraced {
		return nil, ErrTooMuch
	}
	t.dist, t.flow, t.least = make([]uint8, t.nodes*len(dsts)), make([]float64, t.nodes), make([]uint8, t.nodes)
	t.heads, t.levels = make([]int32, r.Net.Channels()), make([][]int32, Far)
	for c := range t.heads {
		t.heads[c] = int32(int(r.Net.To(topology.ChannelID(c))) * t.rows.n())
	}
	return t, t.search(ctx, dsts)
}

// columns are the destinations to which distances are found: sets, or switches where these are fewer by far, as where endpoints
// with several ports are on ever others of a few switches.
func (t *Tracer) columns() (dsts [][]Port) {
	r := t.r
	t.column = make([]int32, r.Net.Switches())
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
	if t.bySet = t.nodes*len(r.Sets) <= mostTraced/16 || len(r.Sets) <= len(dsts); !t.bySet {
		return dsts
	}
	t.column, dsts = make([]int32, len(r.Sets)), dsts[:0]
	for i := range r.Sets {
		t.column[i] = int32(i)
		dsts = append(dsts, r.Sets[i].Ports)
	}
	return dsts
}

// search fills the distances to all columns.
func (t *Tracer) search(ctx context.Context, dsts [][]Port) error {
	s := newWide(t.r, t.rows)
	t.dist[0] = Far
	for n := 1; n < len(t.dist); n *= 2 {
		copy(t.dist[n:], t.dist[:n])
	}
	for first := 0; first < len(dsts); first += wideBits {
		if err := ctx.Err(); err != nil {
			return err
		}
		if some := dsts[first:min(first+wideBits, len(dsts))]; !s.fill(some, t.dist[first*t.nodes:], 1, t.nodes) {
			return ErrTooMuch // such routes are for FlowLoads
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
	top := uint8(0)
	for _, f := range flows {
		top = max(top, t.enter(left, f))
	}
	for d := int(top); d > 0; d-- {
		for _, x := range t.levels[d] {
			t.step(left, int(x), uint8(d))
		}
		t.levels[d] = t.levels[d][:0]
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
	if t.bySet {
		return t.dist[int(t.column[dst])*t.nodes:][:t.nodes]
	}
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
	if t.flow[node] == 0 {
		t.levels[d] = append(t.levels[d], int32(node))
	}
	t.flow[node] += amount
}

// enter lets a set send over its nearest ports, as spreader.enter, and says how far from the destination they are; 0 if nothing leads there.
func (t *Tracer) enter(left []uint8, f Flow) (best uint8) {
	src, S := &t.r.Sets[f.Src], t.rows.n()
	best = Far
	total := int32(0)
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
		return 0
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
	return best
}

// hop is a channel with the node that it leads to.
type hop struct {
	channel topology.ChannelID
	node    int32
}

// step moves what is at a node d hops from its destination one hop on, split equally over all that Router.Next offers.
func (t *Tracer) step(left []uint8, node int, d uint8) {
	r, S, of := t.r, t.rows.n(), t.rows.of
	state, hops := int(t.rows.state[node%S]), t.hops[:0]
	first, end := r.Net.Out(topology.SwitchID(node / S))
	heads := t.heads[first:end]
	for i, k := range r.kind[first:end] {
		head := heads[i]
		for m := r.next[int(k)*r.states+state]; m != 0; m &= m - 1 {
			s := bits.TrailingZeros64(m)
			to := head + int32(of[s])
			if left[to] != d-1 {
				continue
			}
			if u := r.rest[s]; r.spare && m>>u&1 != 0 && left[head+int32(of[u])] == d-1 {
				m &^= 1 << u
			}
			hops = append(hops, hop{first + topology.ChannelID(i), to})
		}
	}
	t.hops = hops
	amount := t.flow[node] / float64(len(hops))
	t.flow[node] = 0
	for _, h := range hops {
		t.sum.channel[h.channel] += amount
		t.put(int(h.node), d-1, amount)
	}
}
