package evaluator

import (
	"math"

	"toposearch/evaluator/floor"
	"toposearch/evaluator/metric"
)

// latency takes every route over the cables that it really crosses.
func (c *check) latency(r *Result, states int, rule legal) {
	w := c.w
	metres, ok := c.metres()
	if !ok || c.r.Plan == nil {
		return // a bus is not sold
	}
	lat := 0.0
	for e := range w.n {
		lat += w.routesTo(e, states, rule, -1).latency(metres)
	}
	c.in(r, metric.Latency, lat/float64(w.n*(w.n-1)))
}

// metres are the lengths of the arcs as bought: the mean of the cables between the two devices.
func (c *check) metres() ([]float64, bool) {
	w := c.w
	sum, count := map[[2]int]float64{}, map[[2]int]float64{}
	device := make([]int, w.switches+w.n) // embedded switches stand for their endpoints
	for v := range device {
		device[v] = v
		if v >= w.switches {
			if p := w.arcs[w.out[v][0]].to; w.embedded[p] {
				device[v], device[p] = v, v
			}
		}
	}
	err := c.e.EachCable(c.d, func(x floor.Cable) bool {
		a, b := int(x.FromSwitch), int(x.ToSwitch)
		if a < 0 {
			a = w.switches + int(x.Endpoint)
		}
		if b < 0 {
			b = w.switches + int(x.ToEndpoint)
		}
		for _, k := range [][2]int{{a, b}, {b, a}} {
			sum[k] += x.StockM
			count[k]++
		}
		return true
	})
	out := make([]float64, len(w.arcs))
	for i, a := range w.arcs {
		k := [2]int{device[a.from], device[a.to]}
		if count[k] > 0 {
			out[i] = sum[k] / count[k]
		}
	}
	return out, err == nil
}

// latency is the sum over all sources of the mean over their shortest routes: 400 ns a switch,
// 1 us a relaying endpoint, 5 ns a metre, and 4096 B at the slowest link once.
func (r *routes) latency(metres []float64) (sum float64) {
	w := r.w
	type carried struct{ units, ns float64 }
	// What reaches a vertex in a state, by the slowest link so far.
	flow := make([]map[float64]carried, len(r.dist))
	put := func(p way, rate float64, x carried) {
		v := p.v*r.states + p.state
		if flow[v] == nil {
			flow[v] = map[float64]carried{}
		}
		o := flow[v][rate]
		flow[v][rate] = carried{o.units + x.units, o.ns + x.ns}
	}
	for _, p := range r.order() {
		if p.v >= w.switches && p.v != r.to {
			put(p, math.Inf(1), carried{1, 0})
		}
		for rate, x := range flow[p.v*r.states+p.state] {
			if p.v == r.to {
				sum += x.ns + x.units*8*4096/rate
				continue
			}
			ways := 0.0
			r.next(p, func(int, way) { ways++ })
			r.next(p, func(i int, q way) {
				a := &w.arcs[i]
				ns, slow := 5*metres[i], rate
				if a.links > 0 {
					slow = math.Min(rate, a.rate)
				}
				if q.v < w.switches && !w.embedded[q.v] {
					ns += 400
				} else if q.v < w.switches && a.links > 0 && r.at(q) > 0 {
					ns += 1000 // it relays
				}
				put(q, slow, carried{x.units / ways, (x.ns + ns*x.units) / ways})
			})
		}
	}
	return sum
}

// routesCounted: shortest routes of a pair, over parallel links one by one.
func (c *check) routesCounted() {
	w, sum := c.w, 0.0
	for e := range w.n {
		r := w.routesTo(e, 1, nil, -1)
		number := map[int]float64{r.to: 1}
		order := r.order()
		for i := len(order) - 1; i >= 0; i-- {
			r.next(order[i], func(_ int, q way) { number[order[i].v] += number[q.v] })
		}
		for o := range w.n {
			if o != e {
				sum += number[w.switches+o]
			}
		}
	}
	c.is(metric.ShortestPaths, sum/float64(w.n*(w.n-1)))
}

// longest is the throughput upper bound: all capacity between switches, over the hops of the
// permutation with the longest routes, found by the Hungarian method. Links of endpoints are no
// capacity and no hops unless they are channels of embedded switches; where nothing has a hop it is what they carry.
func (c *check) longest() {
	w := c.w
	if c.dist == nil {
		return
	}
	capacity := 0.0
	for i := range w.arcs {
		if a := &w.arcs[i]; a.links > 0 && a.from < w.switches && a.to < w.switches {
			capacity += a.rate
		}
	}
	ends := 2
	if w.arcs[w.out[w.switches][0]].links == 0 {
		ends = 0
	}
	value := make([][]int, w.n)
	for i := range value {
		value[i] = make([]int, w.n)
		for j := range value[i] {
			if i != j {
				value[i][j] = c.dist[i][j] - ends
			}
		}
	}
	if hops := heaviest(value); hops > 0 {
		c.is(metric.TUB, capacity/w.bw/float64(hops))
	} else {
		c.is(metric.TUB, 1) // the endpoints' own ports
	}
}

// heaviest is the largest sum of a perfect matching between rows and columns (Kuhn and Munkres,
// in the form with potentials, O(n^3)).
func heaviest(value [][]int) int {
	n := len(value)
	u, v, match := make([]int, n+1), make([]int, n+1), make([]int, n+1)
	for i := 1; i <= n; i++ {
		least, prev, used := make([]int, n+1), make([]int, n+1), make([]bool, n+1)
		for j := range least {
			least[j] = math.MaxInt / 2
		}
		match[0] = i
		j0 := 0
		for match[j0] != 0 {
			used[j0] = true
			row, delta, j1 := match[j0], math.MaxInt/2, 0
			for j := 1; j <= n; j++ {
				if used[j] {
					continue
				}
				if cost := -value[row-1][j-1] - u[row] - v[j]; cost < least[j] {
					least[j], prev[j] = cost, j0
				}
				if least[j] < delta {
					delta, j1 = least[j], j
				}
			}
			for j := 0; j <= n; j++ {
				if used[j] {
					u[match[j]] += delta
					v[j] -= delta
				} else {
					least[j] -= delta
				}
			}
			j0 = j1
		}
		for j0 != 0 {
			match[j0] = match[prev[j0]]
			j0 = prev[j0]
		}
	}
	sum := 0
	for j := 1; j <= n; j++ {
		sum += value[match[j]-1][j-1]
	}
	return sum
}
