package family

import (
	"math/bits"
	"sync"
	"sync/atomic"

	"toposearch/topology"
)

// The routes of a ZCube between endpoints a and b run from a's switch of some level s straight
// to b's switch of some level t. Descending from s to t fixes digits t+1..s and shifts the lower
// ones, so that the route exists, uniquely, if
//
//	a_i = b_i for i > s,  and  a_{s-1-i} = b_{t-1-i} for i < t
//
// and ascending with a and b, s and t exchanged. Which routes a pair has depends only on which of
// the 2k digits are equal: a sum over set partitions of 2k digits, tabulated once per k as
// polynomials in n, counts the routes and the load of every channel exactly. With c different
// digits in the partition there are n(n-1)..(n-c+1) pairs.

// zcubeShare is one route's unit of share: the least common multiple of the products of the
// number of ports (at most 5) and directions (2) among which a packet is split.
const zcubeShare = 120

// poly holds coefficients of falling factorials: poly[c] * n(n-1)..(n-c+1).
type poly [2*zcubeLevels + 1]int64

// zcubeTable is what is known for one k.
type zcubeTable struct {
	pairs [zcubeLevels][zcubeLevels]poly // by lowest and highest level of the route; all of one switch under [0][0]
	unit  int64                          // common divisor taken out of pairs
	load  []zcubeLoad
	share [zcubeLevels][zcubeLevels]int64 // the most that a route from level s to t, or from t to s, has of a pair
}

// zcubeLoad is the total load of the channels of one kind whose digits follow one pattern.
type zcubeLoad struct {
	class  int // 0 for endpoint ports
	blocks int // different digits in the pattern: there are falling(n, blocks) channels
	sum    poly
}

var zcubeTables = [zcubeLevels + 1]func() *zcubeTable{
	1: sync.OnceValue(func() *zcubeTable { return newZcubeTable(1) }),
	2: sync.OnceValue(func() *zcubeTable { return newZcubeTable(2) }),
	3: sync.OnceValue(func() *zcubeTable { return newZcubeTable(3) }),
	4: sync.OnceValue(func() *zcubeTable { return newZcubeTable(4) }),
	5: sync.OnceValue(func() *zcubeTable { return newZcubeTable(5) }),
}

// zcubeMost is the largest n of a family that asks zcubePaths.
const zcubeMost = 1024

// zcubeRoutesOf is the routes of a design: pairs by lowest and highest level, and the peaks.
type zcubeRoutesOf struct {
	pairs [zcubeLevels][zcubeLevels]int64
	peak  [zcubeLevels]float64
}

// zcubeKnown keeps them by k and n once they have been asked for: 300 bytes each.
var zcubeKnown [zcubeLevels + 1][zcubeMost + 1]atomic.Pointer[zcubeRoutesOf]

// zcubePaths evaluates the table. It gives up beyond 67 million endpoints, where sums of weights
// would pass 63 bits.
func zcubePaths(v []int, p *topology.Paths) bool {
	n, k := v[0], v[1]
	if size := ipow(n, k); size > 1<<26 {
		return false
	}
	r := zcubeKnown[k][n].Load()
	if r == nil {
		r = zcubeTables[k]().routes(n, k)
		zcubeKnown[k][n].Store(r)
	}
	// From four levels on some pairs are nearer over routes that turn: of zcube(n=3,k=4)'s 6480
	// pairs 1224 are five links apart, but 1440 are so over straight routes.
	p.Shortest = k <= 3
	for lo := range k {
		c := crossing(2)
		for hi := lo; hi < k; hi++ {
			if hi > lo {
				c[hi] = 1
			}
			p.Add(r.pairs[lo][hi], c)
		}
	}
	copy(p.Peak[:], r.peak[:k])
	return true
}

func (t *zcubeTable) routes(n, k int) *zcubeRoutesOf {
	r := &zcubeRoutesOf{}
	total := 0.0
	var mean [zcubeLevels]float64
	for lo := range k {
		for hi := lo; hi < k; hi++ {
			w := t.pairs[lo][hi].at(n, 0)
			for l := lo + 1; l <= hi; l++ {
				mean[l] += float64(w) * float64(t.unit)
			}
			total += float64(w) * float64(t.unit)
			r.pairs[lo][hi] = w
		}
	}
	channels := float64(ipow(n, k)) * 2
	mean[0] = 2 * total / float64(k)
	var most [zcubeLevels]float64
	for i := range t.load {
		l := &t.load[i]
		if n >= l.blocks {
			most[l.class] = max(most[l.class], float64(l.sum.at(n, l.blocks)))
		}
	}
	for c := range k {
		r.peak[c] = 1
		if mean[c] > 0 {
			r.peak[c] = most[c] / (mean[c] / channels)
		}
	}
	return r
}

// at evaluates the polynomial divided by n(n-1)..(n-from+1).
func (q *poly) at(n, from int) int64 {
	var sum int64
	x := int64(1)
	for c := from; c < len(q); c++ {
		sum += q[c] * x
		x *= int64(n - c)
		if n <= c {
			break
		}
	}
	return sum
}

// zcubeRoute is a route from level s to level t with its share of the pair's packets.
type zcubeRoute struct {
	s, t  int
	share int64
}

func newZcubeTable(k int) *zcubeTable {
	t := &zcubeTable{}
	index := map[[4]int]int{} // class, direction, level or 0, pattern -> index in load
	add := func(class, dir, level int, digits []int, c int, share int64) {
		code, blocks := patternCode(digits)
		key := [4]int{class, dir, level, code}
		i, ok := index[key]
		if !ok {
			i = len(t.load)
			index[key] = i
			t.load = append(t.load, zcubeLoad{class: class, blocks: blocks})
		}
		t.load[i].sum[c] += share
	}
	digits := make([]int, k)
	var routes []zcubeRoute
	eachPattern(2*k, func(code []int, c int) {
		a, b := code[:k], code[k:]
		routes = zcubeRoutes(a, b, routes[:0])
		for _, r := range routes {
			lo, hi := min(r.s, r.t), max(r.s, r.t)
			if lo == hi {
				lo, hi = 0, 0
			}
			t.pairs[lo][hi][c] += r.share
			t.share[max(r.s, r.t)][min(r.s, r.t)] = max(t.share[max(r.s, r.t)][min(r.s, r.t)], r.share)
			add(0, 0, r.s, a, c, r.share)
			add(0, 1, r.t, b, c, r.share)
			x, y, s, dir := a, b, r.s, 0
			if r.s < r.t {
				x, y, s, dir = b, a, r.t, 1
			}
			// The channel between levels l and l-1 is named by b's digits from l up and the
			// digits of a that are left of the index: see the comment on top.
			for l := hi; l > lo; l-- {
				for i := range k {
					if i >= l {
						digits[i] = y[i]
					} else {
						digits[i] = x[s-l+i]
					}
				}
				add(l, dir, 0, digits, c, r.share)
			}
		}
	})
	t.divide()
	return t
}

// divide takes the common divisor out of the pair counts; loads keep their units.
func (t *zcubeTable) divide() {
	for _, row := range t.pairs {
		for _, q := range row {
			for _, x := range q {
				t.unit = gcd(t.unit, x)
			}
		}
	}
	for lo := range t.pairs {
		for hi := range t.pairs[lo] {
			for c := range t.pairs[lo][hi] {
				t.pairs[lo][hi][c] /= t.unit
			}
		}
	}
}

// zcubeRoutes gives the shortest routes of a pair; none if it is one endpoint. A packet is split
// equally over the ports with a shortest route, and there over up and down.
func zcubeRoutes(a, b []int, routes []zcubeRoute) []zcubeRoute {
	k := len(a)
	same := true
	for i := range a {
		same = same && a[i] == b[i]
	}
	if same {
		return routes
	}
	for m := 0; m < k && len(routes) == 0; m++ {
		for s := range k {
			if s-m >= 0 && descends(a, b, s, s-m) {
				routes = append(routes, zcubeRoute{s: s, t: s - m})
			}
			if m > 0 && s+m < k && descends(b, a, s+m, s) {
				routes = append(routes, zcubeRoute{s: s, t: s + m})
			}
		}
	}
	var from uint
	for _, r := range routes {
		from |= 1 << r.s
	}
	for i := range routes {
		ways := 0
		for _, r := range routes {
			if r.s == routes[i].s {
				ways++
			}
		}
		routes[i].share = int64(zcubeShare / bits.OnesCount(from) / ways)
	}
	return routes
}

// descends tells whether the route from a's switch of level s down to b's of level t exists.
func descends(a, b []int, s, t int) bool {
	for i := s + 1; i < len(a); i++ {
		if a[i] != b[i] {
			return false
		}
	}
	for i := range t {
		if a[s-1-i] != b[t-1-i] {
			return false
		}
	}
	return true
}
