package cut

import (
	"cmp"
	"math"
	"slices"
)

// countsMost bounds the counts that are tried, of some 100 ns each.
const countsMost = 200_000

// classes is a graph whose switches of a class are interchangeable: between any two switches of given
// classes there is the same capacity, and every choice of one switch from each of certain classes is
// the attachment of equally many endpoints.
type classes struct {
	first, size []int // switches of each class
	cap         [][]float64
	lean        []float64 // of a switch of each class
	kinds       []attached
	endpoints   int64
	imbalance   int64
}

// attached is the endpoints that have links to one switch of each of some classes.
type attached struct {
	class []int
	cap   []float64 // of the link to each
	lean  float64
	each  int64 // endpoints per choice of switches
}

// ByCounts is the exact least cut of a graph whose switches of a class are interchangeable. What a cut
// is worth then depends only on how many switches of each class are on one side, and all such counts
// are tried; endpoints follow, cheapest first. ZCube with two levels, BCube with two, and two-level
// trees are like that. It is false if switches are not interchangeable or the counts are too many.
func (g *Graph) ByCounts() (float64, bool) {
	c, ok := g.interchangeable()
	if !ok {
		return 0, false
	}
	tries := 1
	for _, n := range c.size {
		if tries *= n + 1; tries > countsMost {
			return 0, false
		}
	}
	best := math.Inf(1)
	x := make([]int, len(c.size))
	for {
		best = math.Min(best, c.value(x))
		i := 0
		for ; i < len(x) && x[i] == c.size[i]; i++ {
			x[i] = 0
		}
		if i == len(x) {
			return math.Min(best/g.full(), 1), true
		}
		x[i]++
	}
}

// interchangeable gathers the switches by class, and checks arc by arc that those of a class are
// interchangeable.
func (g *Graph) interchangeable() (*classes, bool) {
	c := &classes{endpoints: g.endpoints, imbalance: g.imbalance}
	of := make([]int, g.switches)
	for v := range g.switches {
		if v == 0 || g.class[v] != g.class[v-1] {
			c.first, c.size, c.lean = append(c.first, v), append(c.size, 0), append(c.lean, g.lean[v])
		}
		of[v] = len(c.size) - 1
		c.size[of[v]]++
	}
	for range c.size {
		c.cap = append(c.cap, make([]float64, len(c.size)))
	}
	if g.switches == 0 || !g.sameSwitches(c, of) {
		return nil, false
	}
	if g.access > 0 {
		for i, v := range c.first {
			if w := g.weight[v]; w > 0 {
				c.kinds = append(c.kinds, attached{class: []int{i}, cap: []float64{g.access}, each: w})
			}
		}
		return c, true
	}
	return c, g.sameEndpoints(c, of)
}

// sameSwitches checks the capacities between switches, and that equally many endpoints hang on each of
// a class; of is the class of each switch.
func (g *Graph) sameSwitches(c *classes, of []int) bool {
	k := len(c.size)
	for v := range g.switches {
		row, count := make([]float64, k), make([]int, k)
		for i := g.start[v]; i < g.start[v+1]; i++ {
			if u := int(g.to[i]); u < g.switches {
				if count[of[u]] > 0 && row[of[u]] != g.cap[i] {
					return false
				}
				row[of[u]] = g.cap[i]
				count[of[u]]++
			}
		}
		for j, n := range count {
			all := c.size[j]
			if j == of[v] {
				all--
			}
			if n != 0 && n != all {
				return false
			}
			if v == c.first[of[v]] {
				c.cap[of[v]][j] = row[j]
			} else if c.cap[of[v]][j] != row[j] {
				return false
			}
		}
		if first := c.first[of[v]]; g.weight[v] != g.weight[first] || g.lean[v] != g.lean[first] {
			return false
		}
	}
	return true
}

// sameEndpoints gathers the kinds of endpoints that are vertices, and checks that each choice of
// switches has equally many.
func (g *Graph) sameEndpoints(c *classes, of []int) bool {
	type choice struct {
		kind int
		at   int64
	}
	count := map[choice]int64{}
	for v := g.switches; v < len(g.weight); v++ {
		e := attached{lean: g.lean[v]}
		at := int64(0)
		arcs := make([]int32, 0, 8)
		for i := g.start[v]; i < g.start[v+1]; i++ {
			arcs = append(arcs, i)
		}
		slices.SortFunc(arcs, func(a, b int32) int { return cmp.Compare(g.to[a], g.to[b]) })
		for _, i := range arcs {
			u := int(g.to[i])
			if u >= g.switches || len(e.class) > 0 && e.class[len(e.class)-1] == of[u] {
				return false
			}
			e.class, e.cap = append(e.class, of[u]), append(e.cap, g.cap[i])
			at = at*int64(c.size[of[u]]) + int64(u-c.first[of[u]])
		}
		if g.weight[v] != 1 {
			return false
		}
		kind := slices.IndexFunc(c.kinds, func(o attached) bool {
			return slices.Equal(o.class, e.class) && slices.Equal(o.cap, e.cap) && o.lean == e.lean
		})
		if kind < 0 {
			kind = len(c.kinds)
			c.kinds = append(c.kinds, e)
		}
		count[choice{kind, at}]++
	}
	for i := range c.kinds {
		choices := int64(1)
		for _, k := range c.kinds[i].class {
			choices *= int64(c.size[k])
		}
		for at := range choices {
			n := count[choice{i, at}]
			if n == 0 || n != count[choice{i, 0}] {
				return false
			}
			c.kinds[i].each = n
		}
	}
	return true
}

// value is the least capacity from side one to side zero with x[i] switches of class i on side one.
func (c *classes) value(x []int) float64 {
	cut := 0.0
	for i := range x {
		cut += c.lean[i] * float64(x[i])
		for j := i; j < len(x); j++ {
			if i == j {
				cut += c.cap[i][i] * float64(x[i]*(c.size[i]-x[i]))
			} else {
				cut += c.cap[i][j] * float64(x[i]*(c.size[j]-x[j])+x[j]*(c.size[i]-x[i]))
			}
		}
	}
	type part struct {
		n    int64
		more float64 // cost of side one less that of side zero
	}
	var all []part
	for _, e := range c.kinds {
		for sides := range 1 << len(e.class) {
			n, one, zero := e.each, 0.0, 0.0
			for b, k := range e.class {
				if sides>>b&1 == 1 {
					n *= int64(x[k])
					zero += e.cap[b]
				} else {
					n *= int64(c.size[k] - x[k])
					one += e.cap[b]
				}
			}
			if n > 0 {
				cut += zero * float64(n)
				all = append(all, part{n, one - zero + e.lean})
			}
		}
	}
	// Half of the endpoints move to side one, those first that gain most by it; with an odd number
	// one more moves if that gains too.
	slices.SortFunc(all, func(a, b part) int { return cmp.Compare(a.more, b.more) })
	least, most := (c.endpoints-c.imbalance)/2, (c.endpoints+c.imbalance)/2
	for _, s := range all {
		n := min(s.n, most)
		if s.more >= 0 {
			n = min(s.n, max(least, 0))
		}
		cut += float64(n) * s.more
		least -= n
		most -= n
	}
	return cut
}
