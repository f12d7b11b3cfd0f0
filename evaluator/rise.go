package evaluator

// Rise bounds the cost of the designs of a box from below by the uniform throughput that they reach:
// traffic over the routes of a class needs so many links. The zero value says nothing.
type Rise struct {
	n                        int
	minor                    float64
	switches                 float64         // price of the switches, at least; prices are in minor units
	links, needs, price, use [riseOf]float64 // by class: links at least, and at throughput 1; price of one, and of the ports at its ends
}

// riseOf is how many link classes a rise foresees; those of a box with more say nothing.
const riseOf = 8

// Known tells that there is such a bound.
func (r *Rise) Known() bool { return r.n > 0 }

// CostAt is the least cost of a design of the box that reaches a uniform throughput.
func (r *Rise) CostAt(throughput float64) float64 {
	cables, ports := 0.0, 0.0
	for i := range r.n {
		k := max(r.links[i], r.needs[i]*throughput)
		cables += k * r.price[i]
		ports += k * r.use[i]
	}
	return (cables + max(r.switches, ports)) / r.minor * below
}

// add takes a class into account.
func (r *Rise) add(links, needs, price, use float64) {
	if r.n < 0 || r.n == riseOf {
		r.n = -1
		return
	}
	r.links[r.n], r.needs[r.n], r.price[r.n], r.use[r.n] = links, needs, price, use
	r.n++
}
