package flow

import (
	"context"
	"math"
	"slices"
)

// The solver of concurrent flows. The flow is a mixture of routings, each along the shortest routes
// under some lengths. A round makes lengths that grow exponentially with the load of the mixture,
// adds the routing along the shortest routes under them, and shifts weight pair by pair from the
// routing that is longest to the one that is shortest, by the step that lowers the soft maximum of
// the loads most (column generation with pairwise Frank-Wolfe steps; Lacoste-Julien, Jaggi, NIPS
// 2015; the potential is that of Bienstock, Potential Function Methods, 2002). Each round bounds the
// answer from above by duality, whatever the lengths are.
const (
	roundsLeast = 150  // little is gained later
	roundsMost  = 1000 // where rounds cost little: cheapNs in all
	cheapNs     = 5e8
	gapEnough   = 1e-4 // stops there: far below what prices are known to
	stallRounds = 8    // rounds without a per mille of progress, after which the maximum gets harder
	harder      = 1.2  // by this factor
	shifts      = 20   // of weight in a round
	fewShifts   = 5    // of a quick solution: where routes are few, more rounds are worth more than more shifts
)

// ThroughputNs is the time that Throughput takes at most, in ns.
func ThroughputNs(sources, arcs, vertices, groups float64) float64 {
	ns := roundNs(sources, arcs, vertices, groups, shifts)
	return ns * float64(roundsOf(ns))
}

// roundNs is the time of a round: a search and a sweep from each source, and the shifts.
func roundNs(sources, arcs, vertices, groups, shifts float64) float64 {
	return sources*(arcs*25+vertices*100) + shifts*(routesMost*1.5+250)*groups
}

// roundsOf is the number of rounds, if each takes that long.
func roundsOf(ns float64) int { return int(max(roundsLeast, min(roundsMost, cheapNs/ns))) }

// Throughput encloses the largest multiple of the demands that can be routed at once: lo is carried by
// the flow found, hi holds by duality. Both are 0 if some demand has no route, +Inf if none needs a link.
// Each round takes a search from every source; the error is that of the context.
func (g *Graph) Throughput(ctx context.Context, sources []Source) (lo, hi float64, err error) {
	rounds := roundsOf(roundNs(float64(len(sources)), float64(len(g.to)), float64(len(g.start)-1), float64(len(g.cap)), shifts))
	lo, hi, _, err = g.solve(ctx, sources, math.Inf(1), rounds, shifts)
	return lo, hi, err
}

// QuickNs is the time of a round of Quick at most, in ns.
func QuickNs(sources, arcs, vertices, groups float64) float64 {
	return roundNs(sources, arcs, vertices, groups, fewShifts)
}

// Quick is Throughput in so many rounds at most, or until the flow found carries enough; it also gives the
// lengths of the groups that prove hi, nil if no link has to carry anything.
func (g *Graph) Quick(ctx context.Context, sources []Source, enough float64, rounds int) (lo, hi float64, lengths []float64, err error) {
	return g.solve(ctx, sources, enough, rounds, fewShifts)
}

func (g *Graph) solve(ctx context.Context, sources []Source, enough float64, rounds, shifts int) (lo, hi float64, lengths []float64, err error) {
	m := &mixture{cap: g.cap, load: make([]float64, len(g.cap)), slope: make([]float64, len(g.cap))}
	r := newRouter(g)
	used := 0.0
	for i, c := range g.cap {
		if c > 0 {
			r.length[i] = 1 / c
			used++
		}
	}
	volume := r.route(sources, m.load)
	switch {
	case math.IsInf(volume, 1):
		return 0, 0, nil, nil
	case volume == 0:
		return math.Inf(1), math.Inf(1), nil, nil
	}
	m.routes, m.weight = [][]float64{append([]float64(nil), m.load...)}, []float64{1}
	lo, hi, lengths = 1/m.busiest(), used/volume, slices.Clone(r.length)
	// The soft maximum is above the largest load by less than a quarter at first.
	hard, stalled, mark := 4*math.Log(used+2), 0, lo
	mean := make([]float64, len(g.cap)) // of the lengths so far, later ones counting more
	for round := range rounds {
		if err := ctx.Err(); err != nil {
			return 0, 0, nil, err
		}
		if hi-lo <= gapEnough*hi || lo >= enough {
			break
		}
		scale := hard / m.busiest()
		m.slopes(scale)
		r.lengthen(m.slope, mean, round)
		capacity := 0.0
		for i, c := range g.cap {
			capacity += r.length[i] * c
		}
		next := make([]float64, len(g.cap))
		if x := capacity / r.route(sources, next); x < hi {
			hi = x
			copy(lengths, r.length)
		}
		m.include(next)
		for range shifts {
			if !m.shift(scale) {
				break
			}
		}
		lo = math.Max(lo, 1/m.busiest())
		if stalled++; lo > mark*1.001 {
			stalled, mark = 0, lo
		} else if stalled >= stallRounds {
			stalled, mark, hard = 0, lo, hard*harder
		}
	}
	return lo, math.Max(hi, lo), lengths, nil
}

// lengthen sets the lengths of a round: in even rounds to the slopes, in odd ones to their mean so far,
// whose bound is no worse than the mean of the bounds and which swings less.
func (r *router) lengthen(slope, mean []float64, round int) {
	capacity := 0.0
	for i, c := range r.cap {
		capacity += slope[i] * c
	}
	keep := 1 - 4/float64(round+5) // half of it from the last sixth of the rounds
	for i, c := range r.cap {
		if c == 0 {
			continue
		}
		// A floor keeps every length positive, without which routes could go round in circles.
		x := math.Max(slope[i]/capacity, 1e-12/c)
		mean[i] = keep*mean[i] + (1-keep)*x
		if r.length[i] = x; round%2 == 1 {
			r.length[i] = mean[i]
		}
	}
}
