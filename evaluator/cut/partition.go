package cut

import (
	"context"
	"math"
)

// passes are made from a start at most; it seldom improves beyond.
const passes = 6

// partition refines a cut by passes of single moves (Fiduccia, Mattheyses, A Linear-Time
// Heuristic for Improving Network Partitions, DAC 1982): every vertex moves once per pass, the
// best gain first, uphill too, and the best moment of the pass is kept. Vertices without
// endpoints move freely; others within a tolerance around balance.
type partition struct {
	g      *Graph
	side   []bool
	gain   []float64
	locked []bool
	diff   int64 // endpoints on side true less those on side false
	tol    int64
	queues [4]gainQueue // by side and whether the vertex has endpoints
	cut    float64
	moves  []int32
}

func newPartition(g *Graph) *partition {
	k := len(g.weight)
	p := &partition{g: g, side: make([]bool, k), gain: make([]float64, k), locked: make([]bool, k)}
	where := make([]int32, k) // a vertex waits in one queue at a time
	for i := range p.queues {
		p.queues[i] = gainQueue{gain: p.gain, where: where}
	}
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
func (p *partition) refine(ctx context.Context) float64 {
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

// refineBoth also refines the same cut seen from the other side, which is another where channels lead one way,
// and leaves the better of both.
func (p *partition) refineBoth(ctx context.Context) float64 {
	if !p.g.oneWay {
		return p.refine(ctx)
	}
	other := newPartition(p.g)
	for v, s := range p.side {
		other.side[v] = !s
	}
	x, y := p.refine(ctx), other.refine(ctx)
	if y < x {
		copy(p.side, other.side)
	}
	return math.Min(x, y)
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
		v, ok := p.choose()
		if !ok {
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
		p.queues[i].heap = p.queues[i].heap[:0]
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
			p.cut += g.lean[v]
			p.gain[v] += g.lean[v]
		} else {
			p.diff -= g.weight[v]
			p.gain[v] -= g.lean[v]
		}
		p.queueOf(int32(v)).add(int32(v))
	}
	for i := range p.queues {
		p.queues[i].order()
	}
}

// price is the capacity of the cut once balanced; +Inf if it is not balanced and cannot be.
func (p *partition) price() float64 {
	over := max(p.diff, -p.diff) - p.g.imbalance
	if over <= 0 {
		return p.cut
	}
	if p.g.access == 0 {
		return math.Inf(1)
	}
	return p.cut + float64(over/2)*p.g.access
}

// choose is the best vertex that may move; ok is false if none may.
func (p *partition) choose() (best int32, ok bool) {
	for i := range p.queues {
		if len(p.queues[i].heap) == 0 {
			continue
		}
		v := p.queues[i].heap[0]
		if w := p.g.weight[v]; w > 0 {
			d := p.diff + 2*w
			if p.side[v] {
				d = p.diff - 2*w
			}
			if a, b := max(d, -d), max(p.diff, -p.diff); a > p.tol && a >= b {
				continue
			}
		}
		if !ok || p.gain[v] > p.gain[best]+1e-12 || p.gain[v] > p.gain[best]-1e-12 && p.towards(v) > p.towards(best) {
			best, ok = v, true
		}
	}
	return best, ok
}

// towards is by how much moving v helps the balance: ties are broken in its favour.
func (p *partition) towards(v int32) int64 {
	w := p.g.weight[v]
	if p.side[v] == (p.diff > 0) {
		return w
	}
	return -w
}

func (p *partition) move(v int32) {
	g := p.g
	p.queueOf(v).remove(v)
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
		p.queueOf(u).fix(u)
	}
}

// follow puts every vertex without endpoints on the side where it costs less, and again until nothing
// changes.
func (p *partition) follow() {
	g := p.g
	for range 20 {
		changed := false
		for v := range p.side {
			if g.weight[v] > 0 {
				continue
			}
			pull := -g.lean[v]
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
