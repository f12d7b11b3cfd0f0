package evaluator

import (
	"context"
	"math"
)

// The solver of concurrent flows: the flow is a mixture of routings, each along the shortest routes
// under some lengths. A round makes lengths that grow exponentially with the load of the mixture,
// adds the routing along the shortest routes under them, and shifts weight pair by pair from the
// routing that is longest to the one that is shortest, by the step that lowers the soft maximum of
// the loads most (column generation with pairwise Frank-Wolfe steps; Lacoste-Julien, Jaggi, NIPS
// 2015; the potential is that of Bienstock, Potential Function Methods, 2002). Each round bounds the
// answer from above by duality, whatever the lengths are.
const (
	flowRounds  = 150  // at least; little is gained later
	flowMost    = 1000 // where rounds cost little: flowCheapNs in all
	flowCheapNs = 5e8
	flowGap     = 1e-4 // stops there: far below what prices are known to
	flowStall   = 8    // rounds without a per mille of progress, after which the maximum gets harder
	flowHarder  = 1.2  // by this factor
	flowShifts  = 20   // of weight in a round
	flowHeld    = 100  // routings of the mixture; the two lightest are joined beyond
)

// flowRoundNs is the cost of a round: a search and a sweep from each source, and the shifts.
func flowRoundNs(sources, arcs, vertices, groups float64) float64 {
	return sources*(arcs*25+vertices*100) + flowShifts*(flowHeld*1.5+250)*groups
}

func flowRoundsOf(roundNs float64) int {
	return int(max(flowRounds, min(flowMost, flowCheapNs/roundNs)))
}

// mixture is a flow: routings with weights that add up to 1.
type mixture struct {
	cap    []float64
	routes [][]float64 // loads by group
	weight []float64
	load   []float64 // of the mixture
	slope  []float64 // of the soft maximum
}

// throughput encloses the largest multiple of the demand that can be routed: lo is reached by the
// flow found, hi holds by duality. Both are 0 if some demand has no route, +Inf if none needs a link.
func (g *flowGraph) throughput(ctx context.Context) (lo, hi float64, err error) {
	m := &mixture{cap: g.cap, load: make([]float64, len(g.cap)), slope: make([]float64, len(g.cap))}
	used := 0.0
	for i, c := range g.cap {
		if g.length[i] = 0; c > 0 {
			g.length[i] = 1 / c
			used++
		}
	}
	volume := g.route(m.load)
	switch {
	case math.IsInf(volume, 1):
		return 0, 0, nil
	case volume == 0:
		return math.Inf(1), math.Inf(1), nil
	}
	m.routes, m.weight = [][]float64{append([]float64(nil), m.load...)}, []float64{1}
	lo, hi = 1/m.busiest(), used/volume
	// The soft maximum is above the largest load by less than a quarter at first.
	hard, stalled, mark := 4*math.Log(used+2), 0, lo
	rounds := flowRoundsOf(flowRoundNs(float64(len(g.source)), float64(len(g.to)), float64(len(g.dist)), float64(len(g.cap))))
	mean := make([]float64, len(g.cap)) // of the lengths so far, later ones counting more
	for round := range rounds {
		if err := ctx.Err(); err != nil {
			return 0, 0, err
		}
		if hi-lo <= flowGap*hi {
			break
		}
		scale := hard / m.busiest()
		m.slopes(scale)
		g.lengthen(m.slope, mean, round)
		capacity := 0.0
		for i, c := range g.cap {
			capacity += g.length[i] * c
		}
		next := make([]float64, len(g.cap))
		hi = math.Min(hi, capacity/g.route(next))
		m.add(next)
		for range flowShifts {
			if !m.shift(scale) {
				break
			}
		}
		lo = math.Max(lo, 1/m.busiest())
		if stalled++; lo > mark*1.001 {
			stalled, mark = 0, lo
		} else if stalled >= flowStall {
			stalled, mark, hard = 0, lo, hard*flowHarder
		}
	}
	return lo, math.Max(hi, lo), nil
}

// lengthen sets the lengths of a round: every other one those of the slopes, and in between their mean
// so far, whose bound is no worse than the mean of the bounds and which swings less.
func (g *flowGraph) lengthen(slope, mean []float64, round int) {
	capacity := 0.0
	for i, c := range g.cap {
		capacity += slope[i] * c
	}
	keep := 1 - 4/float64(round+5) // half of it from the last sixth of the rounds
	for i, c := range g.cap {
		if c == 0 {
			continue
		}
		// A floor keeps every length positive, without which routes could go round in circles.
		x := math.Max(slope[i]/capacity, 1e-12/c)
		mean[i] = keep*mean[i] + (1-keep)*x
		if g.length[i] = x; round%2 == 1 {
			g.length[i] = mean[i]
		}
	}
}

// busiest is the largest load over capacity.
func (m *mixture) busiest() (most float64) {
	for i, c := range m.cap {
		if c > 0 {
			most = math.Max(most, m.load[i]/c)
		}
	}
	return most
}

// slopes are the derivatives of the soft maximum by the loads, up to a factor that they share.
func (m *mixture) slopes(scale float64) {
	most := m.busiest()
	for i, c := range m.cap {
		if c > 0 {
			m.slope[i] = math.Exp(scale*(m.load[i]/c-most)) / c
		}
	}
}

// add takes a routing into the mixture, without weight yet; what has none goes.
func (m *mixture) add(routing []float64) {
	k := 0
	for i, w := range m.weight {
		if w > 0 {
			m.routes[k], m.weight[k] = m.routes[i], w
			k++
		}
	}
	m.routes, m.weight = m.routes[:k], m.weight[:k]
	if k >= flowHeld {
		a, b := 0, 1 // the lightest, the next
		if m.weight[b] < m.weight[a] {
			a, b = b, a
		}
		for i := 2; i < k; i++ {
			switch w := m.weight[i]; {
			case w < m.weight[a]:
				a, b = i, a
			case w < m.weight[b]:
				b = i
			}
		}
		// What two flows carry their mean carries.
		sum := m.weight[a] + m.weight[b]
		for i := range m.routes[b] {
			m.routes[b][i] = (m.weight[a]*m.routes[a][i] + m.weight[b]*m.routes[b][i]) / sum
		}
		m.weight[b], m.weight[a] = sum, m.weight[k-1]
		m.routes[a] = m.routes[k-1]
		m.routes, m.weight = m.routes[:k-1], m.weight[:k-1]
	}
	m.routes, m.weight = append(m.routes, routing), append(m.weight, 0)
}

// shift moves weight from the routing with the largest slope to that with the least, as far as the soft
// maximum falls; false if nothing is to be gained.
func (m *mixture) shift(scale float64) bool {
	m.slopes(scale)
	from, to := -1, -1
	var high, low float64
	for k, r := range m.routes {
		x := dot(m.slope, r)
		if m.weight[k] > 0 && (from < 0 || x > high) {
			from, high = k, x
		}
		if to < 0 || x < low {
			to, low = k, x
		}
	}
	if from == to || high-low <= 1e-9*high {
		return false
	}
	a, b := m.routes[from], m.routes[to]
	t := m.best(a, b, m.weight[from], scale)
	if t == 0 {
		return false
	}
	m.weight[to] += t
	if m.weight[from] -= t; m.weight[from] < 1e-12 {
		m.weight[to] += m.weight[from]
		t += m.weight[from]
		m.weight[from] = 0
	}
	for i := range m.load {
		m.load[i] += t * (b[i] - a[i])
	}
	return true
}

// best is the weight, up to most, whose shift from routing a to b lowers the soft maximum most: where
// its slope along the shift is 0, found by halving.
func (m *mixture) best(a, b []float64, most, scale float64) float64 {
	slope := func(t float64) (sum float64) {
		top := 0.0
		for i, c := range m.cap {
			if c > 0 {
				top = math.Max(top, (m.load[i]+t*(b[i]-a[i]))/c)
			}
		}
		for i, c := range m.cap {
			if d := b[i] - a[i]; d != 0 && c > 0 {
				sum += math.Exp(scale*((m.load[i]+t*d)/c-top)) * d / c
			}
		}
		return sum
	}
	if slope(most) <= 0 {
		return most
	}
	lo, hi := 0.0, most
	for range 14 { // to a ten thousandth of the weight
		if mid := (lo + hi) / 2; slope(mid) <= 0 {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo
}
