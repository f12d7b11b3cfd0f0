package flow

import "math"

// routesMost is the number of routings of a mixture; the two lightest are joined beyond.
const routesMost = 100

// mixture is a flow: routings with weights that add up to 1.
type mixture struct {
	cap    []float64
	routes [][]float64 // loads by group
	weight []float64
	load   []float64 // of the mixture
	slope  []float64 // of the soft maximum
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

// include takes a routing into the mixture, without weight yet; what has none goes.
func (m *mixture) include(routing []float64) {
	k := 0
	for i, w := range m.weight {
		if w > 0 {
			m.routes[k], m.weight[k] = m.routes[i], w
			k++
		}
	}
	m.routes, m.weight = m.routes[:k], m.weight[:k]
	if k >= routesMost {
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
		x := 0.0
		for i, load := range r {
			x += m.slope[i] * load
		}
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
