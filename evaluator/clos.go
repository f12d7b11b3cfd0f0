package evaluator

import (
	"math"
	"slices"

	"toposearch/internal/stream"
	"toposearch/topology"
)

// hoseThroughput certifies that any traffic in which no endpoint sends or receives more than a
// fraction of its bandwidth can be routed, by a routing that spreads everything over the top of
// a tree: from its source a packet goes up over every upward channel alike (by capacity) to a
// switch without any, and down the mirror image of the way that its destination would go up. If
// all endpoints reach the tops in the same proportions, the two halves fit together, the load of
// a channel depends on its own end only, and the fraction is the least capacity over that load.
// Folded Clos networks are like that, tapered ones too; for anything else it says false.
//
// Up is away from the endpoints: from distance d to d+1 of the nearest switch with endpoints.
// Endpoints with several ports spread over them evenly. Packets may turn at any one distance: the
// best of all is taken, since what lies above may be thin. The endpoints of a vertex of g, a
// server with its scale-up mesh, count as one that has all their ports: what it says then holds
// for traffic between servers, and for cuts that keep them whole.
//
// Where endpoints hang on several levels, up is also tried as towards the switches of a class, from
// all ports or from those farthest from it alone: in a ZCube with a level above its pods, the ports on
// level 0 reach all of that level, and those on level 1 do not.
func hoseThroughput(g *cutGraph, n *topology.Network, classes *[topology.MaxClasses]netClass, bandwidth float64) (float64, bool) {
	if n.Unidirectional {
		return 0, false
	}
	c := newClos(n, classes, bandwidth)
	c.g = g
	best, ok := 0.0, false
	deepest := c.level[c.order[len(c.order)-1]]
	for c.turn = 1; c.turn <= max(deepest, 1); c.turn++ {
		c.sumUp()
		if c.even() {
			best, ok = math.Max(best, c.least()), true
		}
	}
	for class := range n.SwitchClasses {
		if n.SwitchClasses[class].Embedded || !c.towards(class) {
			continue
		}
		c.sumUp()
		for _, c.lowest = range []bool{false, true} {
			if c.even() {
				best, ok = math.Max(best, c.least()), true
			}
		}
	}
	return best, ok
}

// clos orders the switches of a network by their distance from the endpoints.
type clos struct {
	n       *topology.Network
	g       *cutGraph
	classes *[topology.MaxClasses]netClass
	full    float64
	level   []int32
	order   []topology.SwitchID // by level
	turn    int32               // the distance at which packets turn
	up      []float64           // capacity of the upward channels of each switch, below that
	lowest  bool                // only ports on switches of level 0 are used
	some    []topology.SwitchID // those of an endpoint
}

func newClos(n *topology.Network, classes *[topology.MaxClasses]netClass, bandwidth float64) *clos {
	k := n.Switches()
	c := &clos{n: n, classes: classes, full: bandwidth, level: make([]int32, k), up: make([]float64, k)}
	for s := range c.level {
		c.level[s] = -1
	}
	for g := range n.Groups() {
		_, _, ports := n.Group(g)
		for _, s := range ports {
			if c.level[s] < 0 {
				c.level[s] = 0
				c.order = append(c.order, s)
			}
		}
	}
	for i := 0; i < len(c.order); i++ {
		s := c.order[i]
		for _, v := range n.Neighbors(s) {
			if c.level[v] < 0 {
				c.level[v] = c.level[s] + 1
				c.order = append(c.order, v)
			}
		}
	}
	return c
}

// towards makes the switches of a class the tops: level 0 is where the ports farthest from it are. False
// if that is the class itself, or out of its reach.
func (c *clos) towards(class int) bool {
	from := make([]int32, c.n.Switches()) // distance from the class, -1 unreachable
	c.order = c.order[:0]
	for s := range from {
		from[s] = -1
		if c.n.Class(topology.SwitchID(s)) == class {
			from[s] = 0
			c.order = append(c.order, topology.SwitchID(s))
		}
	}
	for i := 0; i < len(c.order); i++ {
		for _, v := range c.n.Neighbors(c.order[i]) {
			if from[v] < 0 {
				from[v] = from[c.order[i]] + 1
				c.order = append(c.order, v)
			}
		}
	}
	c.turn = 0
	for g := range c.n.Groups() {
		_, _, ports := c.n.Group(g)
		for _, s := range ports {
			if from[s] < 0 {
				return false
			}
			c.turn = max(c.turn, from[s])
		}
	}
	slices.Reverse(c.order)
	for s, d := range from {
		c.level[s] = c.turn - d
		if d < 0 || d > c.turn {
			c.level[s] = -1
		}
	}
	c.order = slices.DeleteFunc(c.order, func(s topology.SwitchID) bool { return c.level[s] < 0 })
	return c.turn > 0
}

// used gives the ports of an endpoint that its traffic is spread over.
func (c *clos) used(ports []topology.SwitchID) []topology.SwitchID {
	if !c.lowest {
		return ports
	}
	c.some = c.some[:0]
	for _, s := range ports {
		if c.level[s] == 0 {
			c.some = append(c.some, s)
		}
	}
	return c.some
}

func (c *clos) sumUp() {
	clear(c.up)
	for _, s := range c.order {
		c.eachUp(s, func(_ topology.SwitchID, x float64) { c.up[s] += x })
	}
}

// eachUp gives the upward channels of s with their capacity in bandwidths of an endpoint.
func (c *clos) eachUp(s topology.SwitchID, f func(v topology.SwitchID, capacity float64)) {
	if c.level[s] >= c.turn {
		return
	}
	first, end := c.n.Out(s)
	for ch := first; ch < end; ch++ {
		if v := c.n.To(ch); c.level[v] == c.level[s]+1 {
			f(v, c.classes[c.n.LinkClass(ch)].gbps/c.full)
		}
	}
}

// evenTrials random weights of the tops are compared: distributions that differ agree on each
// with chance 0, up to the precision of the sums.
const (
	evenTrials    = 3
	evenTolerance = 1e-9
)

// even tells whether all endpoints reach the tops in the same proportions: the mean of random
// weights of the tops, which follows downwards level by level, must be the same for all.
func (c *clos) even() bool {
	rng := stream.New(1, "clos")
	value := make([]float64, len(c.level))
	for range evenTrials {
		for i := len(c.order) - 1; i >= 0; i-- {
			s := c.order[i]
			if c.up[s] == 0 {
				value[s] = rng.Float64()
				continue
			}
			sum := 0.0
			c.eachUp(s, func(v topology.SwitchID, x float64) { sum += x * value[v] })
			value[s] = sum / c.up[s]
		}
		if !c.same(value) {
			return false
		}
	}
	return true
}

// same tells whether all endpoints, servers together, have the same mean value.
func (c *clos) same(value []float64) bool {
	bundled := c.n.LinkClasses[0].Name == topology.ClassInternal
	sum, count := make([]float64, len(c.g.weight)), make([]float64, len(c.g.weight))
	want := math.NaN()
	for i := range c.n.Groups() {
		first, end, ports := c.n.Group(i)
		if ports = c.used(ports); len(ports) == 0 {
			return false
		}
		x := 0.0
		for _, s := range ports {
			x += value[s]
		}
		x /= float64(len(ports))
		if bundled {
			v := c.g.vertex[ports[0]]
			sum[v] += x * float64(end-first)
			count[v] += float64(end - first)
			continue
		}
		if math.IsNaN(want) {
			want = x
		}
		if math.Abs(x-want) > evenTolerance {
			return false
		}
	}
	for v := range sum {
		if count[v] == 0 {
			continue
		}
		x := sum[v] / count[v]
		if math.IsNaN(want) {
			want = x
		}
		if math.Abs(x-want) > evenTolerance {
			return false
		}
	}
	return true
}

// least is the smallest capacity over load.
func (c *clos) least() float64 {
	load := make([]float64, len(c.level)) // what passes upwards through each switch
	best := math.Inf(1)
	for g := range c.n.Groups() {
		first, end, all := c.n.Group(g)
		ports := c.used(all)
		for _, s := range ports {
			load[s] += float64(end-first) / float64(len(ports))
		}
		if len(all) > 1 {
			best = math.Min(best, c.classes[0].gbps/c.full*float64(len(ports)))
		}
	}
	for _, s := range c.order {
		if c.up[s] == 0 || load[s] == 0 {
			continue
		}
		best = math.Min(best, c.up[s]/load[s])
		c.eachUp(s, func(v topology.SwitchID, x float64) { load[v] += load[s] * x / c.up[s] })
	}
	return best
}
