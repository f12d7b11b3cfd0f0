package metric

// CostCurve bounds the cost of the designs of a box from below by the uniform throughput that they
// reach: what a class of links must carry takes a number of links, and these have a price. The zero
// value says nothing.
type CostCurve struct {
	// Minor is how many minor units of the currency make a major one; Switches the least price of
	// the switches of a design. Prices are in minor units, costs in major ones.
	Minor, Switches float64

	classes [curveClasses]curveClass
	n       int // of classes
}

// curveClass is a class of links: how many there are at least, and for a throughput of 1; the least
// price of one, and of the switch ports at its ends.
type curveClass struct{ links, needs, price, ports float64 }

// curveClasses bounds the classes of a curve: a mesh of five dimensions has six.
const curveClasses = 8

// Known tells whether there is such a bound.
func (c *CostCurve) Known() bool { return c.n > 0 }

// CostAt is the least cost of a design of the box that reaches a uniform throughput.
func (c *CostCurve) CostAt(throughput float64) float64 {
	cables, ports := 0.0, 0.0
	for i := range c.n {
		x := &c.classes[i]
		links := max(x.links, x.needs*throughput)
		cables += links * x.price
		ports += links * x.ports
	}
	return (cables + max(c.Switches, ports)) / c.Minor * Below
}

// Class takes a class of links into account: how many there are at least, how many a throughput of 1
// needs, and the least price of one and of the switch ports at its ends. What is beyond the eighth counts with it, at
// the lower prices: the larger of two sums is no more than the sum of the larger ones.
func (c *CostCurve) Class(links, needs, price, ports float64) {
	if c.n == curveClasses {
		last := &c.classes[c.n-1]
		*last = curveClass{last.links + links, last.needs + needs, min(last.price, price), min(last.ports, ports)}
		return
	}
	c.classes[c.n] = curveClass{links, needs, price, ports}
	c.n++
}

// Below is a little less than 1, by which a sum or product of floats is multiplied so that it stays a
// lower bound in spite of rounding: thousands of operations of 2^-53 each.
const Below = 1 - 1e-12
