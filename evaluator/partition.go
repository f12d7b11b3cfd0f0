package evaluator

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"toposearch/internal/stream"
	"toposearch/topology"
)

// partition refines a cut by passes of single moves (Fiduccia, Mattheyses, A Linear-Time
// Heuristic for Improving Network Partitions, DAC 1982): every vertex moves once per pass, the
// best gain first, uphill too, and the best moment of the pass is kept. Vertices without
// endpoints move freely; others within a tolerance around balance.
type partition struct {
	g      *cutGraph
	side   []bool
	gain   []float64
	locked []bool
	diff   int64 // endpoints on side true less those on side false
	tol    int64
	queues [4]gainQueue // by side and whether the vertex has endpoints
	where  []int32      // place of each vertex in its queue
	cut    float64
	moves  []int32
}

func newPartition(g *cutGraph) *partition {
	k := len(g.weight)
	p := &partition{g: g, side: make([]bool, k), gain: make([]float64, k), locked: make([]bool, k), where: make([]int32, k)}
	most := int64(1)
	for _, w := range g.weight {
		most = max(most, w)
	}
	p.tol = max(2*most, g.endpoints/25)
	return p
}

// queueOf is the queue in which v waits.
func (p *partition) queueOf(v int32) *gainQueue {
	i := 0
	if p.side[v] {
		i = 1
	}
	if p.g.weight[v] > 0 {
		i += 2
	}
	return &p.queues[i]
}

// refine makes passes until one gains nothing, and returns the value of the cut.
func (p *partition) refine(ctx context.Context, passes int) float64 {
	best, ok := p.g.value(p.side)
	if !ok {
		best = math.Inf(1)
	}
	for range passes {
		if ctx.Err() != nil {
			break
		}
		x := p.pass(best)
		if x >= best-1e-12 {
			break
		}
		best = x
	}
	return best
}

// pass moves every vertex once and goes back to the best moment; it returns its value.
func (p *partition) pass(before float64) float64 {
	p.begin()
	p.moves = p.moves[:0]
	best, at := before, 0
	full := p.g.full()
	// Long runs without any improvement are cut short: they hardly ever pay.
	patience := max(200, len(p.side)/4)
	for len(p.moves)-at < patience {
		v := p.choose()
		if v < 0 {
			break
		}
		p.move(v)
		p.moves = append(p.moves, v)
		if x := p.price(); x/full < best-1e-12 {
			best, at = x/full, len(p.moves)
		}
	}
	for _, v := range p.moves[at:] {
		p.side[v] = !p.side[v]
	}
	return best
}

// begin computes gains, difference and cut of the sides.
func (p *partition) begin() {
	g := p.g
	p.diff, p.cut = 0, 0
	for i := range p.queues {
		p.queues[i] = p.queues[i][:0]
	}
	for v := range p.side {
		p.locked[v] = false
		p.gain[v] = 0
		for i := g.start[v]; i < g.start[v+1]; i++ {
			if p.side[g.to[i]] != p.side[v] {
				p.gain[v] += g.cap[i]
				p.cut += g.cap[i] / 2
			} else {
				p.gain[v] -= g.cap[i]
			}
		}
		if p.side[v] {
			p.diff += g.weight[v]
		} else {
			p.diff -= g.weight[v]
		}
		p.queueOf(int32(v)).push(p, int32(v))
	}
}

// price is the capacity of the cut once balanced; +Inf if it is not balanced and cannot be.
func (p *partition) price() float64 {
	over := max(p.diff, -p.diff) - p.g.imbalance()
	if over <= 0 {
		return p.cut
	}
	if p.g.hang == 0 {
		return math.Inf(1)
	}
	return p.cut + float64((over+1)/2)*p.g.hang
}

// choose is the best vertex that may move, -1 if none may.
func (p *partition) choose() int32 {
	best := int32(-1)
	for i := range p.queues {
		if len(p.queues[i]) == 0 {
			continue
		}
		v := p.queues[i][0]
		if w := p.g.weight[v]; w > 0 {
			d := p.diff + 2*w
			if p.side[v] {
				d = p.diff - 2*w
			}
			if a, b := max(d, -d), max(p.diff, -p.diff); a > p.tol && a >= b {
				continue
			}
		}
		if best < 0 || p.gain[v] > p.gain[best]+1e-12 || p.gain[v] > p.gain[best]-1e-12 && p.towards(v) > p.towards(best) {
			best = v
		}
	}
	return best
}

// towards tells how much a move helps the balance: ties are broken in its favour.
func (p *partition) towards(v int32) int64 {
	w := p.g.weight[v]
	if p.side[v] == (p.diff > 0) {
		return w
	}
	return -w
}

func (p *partition) move(v int32) {
	g := p.g
	p.queueOf(v).remove(p, v)
	p.locked[v] = true
	p.cut -= p.gain[v]
	w := g.weight[v]
	if p.side[v] {
		w = -w
	}
	p.diff += 2 * w
	p.side[v] = !p.side[v]
	for i := g.start[v]; i < g.start[v+1]; i++ {
		u := g.to[i]
		if p.locked[u] {
			continue
		}
		if p.side[u] == p.side[v] {
			p.gain[u] -= 2 * g.cap[i]
		} else {
			p.gain[u] += 2 * g.cap[i]
		}
		p.queueOf(u).fix(p, p.where[u])
	}
}

// gainQueue is a heap of vertices, the largest gain first, then the lowest number. Unlike those of
// internal/heap they know their places, since gains change while they wait.
type gainQueue []int32

func (p *partition) before(a, b int32) bool {
	if p.gain[a] != p.gain[b] {
		return p.gain[a] > p.gain[b]
	}
	return a < b
}

func (q *gainQueue) push(p *partition, v int32) {
	*q = append(*q, v)
	p.where[v] = int32(len(*q) - 1)
	q.fix(p, p.where[v])
}

func (q *gainQueue) remove(p *partition, v int32) {
	i, last := p.where[v], int32(len(*q)-1)
	(*q)[i] = (*q)[last]
	p.where[(*q)[i]] = i
	*q = (*q)[:last]
	if i < last {
		q.fix(p, i)
	}
}

func (q *gainQueue) fix(p *partition, i int32) {
	h := *q
	for i > 0 && p.before(h[i], h[(i-1)/2]) {
		h[i], h[(i-1)/2] = h[(i-1)/2], h[i]
		p.where[h[i]] = i
		i = (i - 1) / 2
	}
	for {
		c := 2*i + 1
		if c >= int32(len(h)) {
			break
		}
		if c+1 < int32(len(h)) && p.before(h[c+1], h[c]) {
			c++
		}
		if !p.before(h[c], h[i]) {
			break
		}
		h[i], h[c] = h[c], h[i]
		p.where[h[i]] = i
		i = c
	}
	p.where[h[i]] = i
}

// follow puts every vertex without endpoints on the side that it has most capacity to, and again
// until nothing changes.
func (p *partition) follow() {
	g := p.g
	for range 20 {
		changed := false
		for v := range p.side {
			if g.weight[v] > 0 {
				continue
			}
			pull := 0.0
			for i := g.start[v]; i < g.start[v+1]; i++ {
				if p.side[g.to[i]] {
					pull += g.cap[i]
				} else {
					pull -= g.cap[i]
				}
			}
			if to := pull > 0; pull != 0 && to != p.side[v] {
				p.side[v], changed = to, true
			}
		}
		if !changed {
			return
		}
	}
}

// halve puts the vertices with endpoints on side true in the given order until they hold half of
// all endpoints.
func (p *partition) halve(order []int32) {
	sum := int64(0)
	for _, v := range order {
		p.side[v] = 2*sum+p.g.weight[v] <= p.g.endpoints
		sum += p.g.weight[v]
	}
}

// holders lists the vertices with endpoints in the order of their first endpoint.
func (g *cutGraph) holders() []int32 {
	var h []int32
	for v, w := range g.weight {
		if w > 0 {
			h = append(h, int32(v))
		}
	}
	slices.SortFunc(h, func(a, b int32) int { return int(g.first[a]) - int(g.first[b]) })
	return h
}

// bestCut is the least cut found from several starts: the construction cut in half, the spectral
// vector, and switches on random sides with a share of them on one, the endpoints following
// (the least cut of a ZCube has 7 in 10 switches of each level on one side); and from coarser graphs,
// unless there is one start only.
func (g *cutGraph) bestCut(ctx context.Context, vec []float64, place *topology.Placement, starts, passes int) float64 {
	best := 1.0 // half of the endpoints cut off at their ports
	p := newPartition(g)
	order := g.holders()
	rng := stream.New(1, "bisection")
	for i := range starts {
		if ctx.Err() != nil {
			break
		}
		p.seed(i, order, vec, rng)
		best = math.Min(best, p.refine(ctx, passes))
	}
	if starts == 1 {
		return best
	}
	best = math.Min(best, g.mergedCut(ctx, place, passes, stream.New(1, "bisection, blocks")))
	for i := range starts / multilevelShare {
		best = math.Min(best, g.multilevelCut(ctx, passes, stream.New(1, "bisection, pairs", uint64(i))))
	}
	return best
}

// seed makes start i.
func (p *partition) seed(i int, order []int32, vec []float64, rng *rand.Rand) {
	g := p.g
	switch {
	case i == 0 || i == 1 && vec == nil:
		p.halve(order)
		p.follow()
	case i == 1:
		by := append([]int32(nil), order...)
		slices.SortStableFunc(by, func(a, b int32) int { return cmp.Compare(vec[a], vec[b]) })
		p.halve(by)
		p.follow()
	case i == 2:
		// Every second holder: the other way through a product construction.
		var even, odd []int32
		for k, v := range order {
			if k%2 == 0 {
				even = append(even, v)
			} else {
				odd = append(odd, v)
			}
		}
		p.halve(append(even, odd...))
		p.follow()
	default:
		share := []float64{0.7, 0.5, 0.6, 0.8}[(i-3)%4]
		p.scatter(share, rng)
		pull := make([]float64, len(g.weight))
		for _, v := range order {
			for k := g.start[v]; k < g.start[v+1]; k++ {
				if p.side[g.to[k]] {
					pull[v] += g.cap[k]
				}
			}
			pull[v] += 1e-9 * rng.Float64()
		}
		by := append([]int32(nil), order...)
		slices.SortStableFunc(by, func(a, b int32) int { return cmp.Compare(pull[b], pull[a]) })
		p.halve(by)
		p.follow()
	}
}

// scatter puts the share of the switches of each class on side true, which ones by lot,
// give or take one.
func (p *partition) scatter(share float64, rng *rand.Rand) {
	g := p.g
	for first := 0; first < g.switches; {
		end := first
		for end < g.switches && g.class[end] == g.class[first] {
			end++
		}
		most := int(math.Round(share*float64(end-first))) + rng.IntN(3) - 1
		for i, k := range rng.Perm(end - first) {
			p.side[first+k] = i < most
		}
		first = end
	}
}
