package wire

import (
	"cmp"
	"math/bits"
)

// meter sums the distances of a graph from the switches (o, 0) to all, each weighed by the hosts at its two ends.
type meter struct {
	g            *Graph
	even         bool  // all switches have as many hosts
	total        int64 // weighed pairs
	first        int64 // those of a switch with itself
	growth       int64 // how many pairs a pair just reached can reach in the next step, where that is bounded
	hosts        []int64
	idle         int // switches without hosts
	reach        reacher
	scale        int64   // of the sum, where all have as many hosts
	pairs        float64 // of different hosts, in units of the sum
	perStep, ops int64   // words that a step combines, and the last measurement did
}

// reacher knows from which sources each switch is reached in so many steps.
type reacher interface {
	start(g *Graph)      // no steps
	step() int64         // one step more; the weighed pairs reached
	touched(orbit int32) // the links of an orbit have changed
	weighed(orbit int32) // or its hosts
}

// far is the greatest distance sum.
const far = 1 << 62

// newMeter measures a graph whose links move, and hosts, too, if swings says so.
func newMeter(g *Graph, swings bool) *meter {
	m := &meter{g: g, even: !swings, hosts: make([]int64, g.Orbits)}
	degree, all := 0, int64(0)
	for o, h := range g.hosts {
		if m.hosts[o] = int64(h); h == 0 {
			m.idle += g.Turns
		}
		m.even = m.even && h == g.hosts[0]
		degree = max(degree, len(g.links[o]))
	}
	m.scale = int64(g.Turns)
	hosts := float64(0)
	for _, h := range g.hosts {
		hosts += float64(h) * float64(g.Turns)
	}
	if m.even {
		m.scale *= m.hosts[0] * m.hosts[0]
		for o := range m.hosts {
			m.hosts[o] = 1
		}
	}
	for _, h := range m.hosts {
		all += h
		m.first += h * h
	}
	m.total = all * all * int64(g.Turns)
	if m.growth = -1; m.even {
		m.growth = int64(degree - 1)
	}
	m.pairs = hosts * (hosts - 1) / float64(m.scale)
	// A step takes Orbits^2 words where a word holds the turns of an orbit, and Orbits*Turns*ceil(Orbits/64) where it holds sources.
	words := (g.Orbits + 63) / 64
	if g.Turns > 1 && g.Turns <= 64 && g.Orbits < g.Turns*words {
		m.reach, m.perStep = newByTurns(g, m.hosts, m.even), int64(g.Orbits*g.Orbits*(degree+3))
	} else {
		m.reach, m.perStep = newBySources(g, m.hosts, m.even), int64(g.Switches()*words*(degree+3))
	}
	return m
}

// moved takes note that a host of one orbit has moved to another, and a link the other way.
func (m *meter) moved(from, to int32) {
	m.first += 2 * (m.hosts[to] - m.hosts[from] + 1)
	m.hosts[from]--
	m.hosts[to]++
	if m.hosts[to] == 1 {
		m.idle -= m.g.Turns
	}
	if m.hosts[from] == 0 {
		m.idle += m.g.Turns
	}
	for _, o := range []int32{from, to} {
		m.reach.weighed(o)
		m.reach.touched(o)
	}
}

// measure is the sum of distances and the greatest of them. It gives up, and ok is false, as soon as the sum must exceed
// limit. Pairs without a way count as farther apart than any with one.
func (m *meter) measure(limit int64) (sum int64, diameter int, ok bool) {
	m.reach.start(m.g)
	m.ops = 0
	reached, before, still := m.first, int64(0), 0
	for sum = m.total - reached; reached < m.total; diameter++ {
		before, reached = reached, m.reach.step()
		m.ops += m.perStep
		if still++; reached > before {
			still = 0
		}
		if still > m.idle { // a shortest way crosses each switch without hosts once
			n := int64(m.g.Switches())
			return sum + (m.total-reached)*n, int(n), true
		}
		sum += m.total - reached
		least := int64(0) // of what is still to come
		if m.growth >= 0 {
			least = max(0, m.total-reached-(reached-before)*m.growth)
		}
		if sum+least > limit {
			return far, 0, false
		}
	}
	return sum, diameter, true
}

// Score is what a graph is judged by: first the diameter, then the mean of what annealing lowers.
type Score struct {
	Diameter int
	mean     float64 // links between two hosts, and what the cables weigh
	sum      int64   // of ordered pairs of hosts, links between their switches
}

func (s Score) compare(t Score) int {
	return cmp.Or(cmp.Compare(s.Diameter, t.Diameter), cmp.Compare(s.mean, t.mean))
}

func (s Score) less(t Score) bool { return s.compare(t) < 0 }

// score is that of a graph with such a sum and diameter.
func (m *meter) score(sum int64, diameter int, cables float64) Score {
	return Score{diameter, (float64(sum) + cables) / m.pairs, sum * m.scale}
}

// bySources holds, for each switch, a bit for each orbit o: whether (o, 0) reaches it.
type bySources struct {
	words, stride int
	near          []int32 // of each switch, stride places, of which its neighbours fill the first; itself in the others
	degree        []int   // by orbit
	cur, next     []uint64
	dirty         []int32
	isDirty       []bool
	weight        []int64    // of a switch as a target, by orbit
	slices        [][]uint64 // bit j of the weights of the sources
	even          bool
}

func newBySources(g *Graph, hosts []int64, even bool) *bySources {
	b := &bySources{words: (g.Orbits + 63) / 64, weight: hosts, even: even, isDirty: make([]bool, g.Orbits), degree: make([]int, g.Orbits)}
	for o, l := range g.links {
		if b.stride = max(b.stride, len(l)); !even { // hosts may leave their ports to links
			b.stride = max(b.stride, len(l)+int(hosts[o]))
		}
		b.touched(int32(o))
	}
	n := g.Switches()
	b.near, b.cur, b.next = make([]int32, n*b.stride), make([]uint64, n*b.words), make([]uint64, n*b.words)
	for o := range hosts {
		b.weighed(int32(o))
	}
	return b
}

func (b *bySources) weighed(o int32) {
	h := b.weight[o]
	for bits.Len64(uint64(h)) > len(b.slices) {
		b.slices = append(b.slices, make([]uint64, b.words))
	}
	for j, s := range b.slices {
		s[o/64] = s[o/64]&^(1<<(o%64)) | uint64(h>>j&1)<<(o%64)
	}
}

func (b *bySources) touched(o int32) {
	if !b.isDirty[o] {
		b.isDirty[o], b.dirty = true, append(b.dirty, o)
	}
}

func (b *bySources) start(g *Graph) {
	turns := int32(g.Turns)
	for _, o := range b.dirty {
		b.isDirty[o], b.degree[o] = false, len(g.links[o])
		for r := range turns {
			v := o*turns + r
			near := b.near[int(v)*b.stride : (int(v)+1)*b.stride]
			for k := range near {
				near[k] = v
			}
			for k, e := range g.links[o] {
				t := r + e.turn
				if t >= turns {
					t -= turns
				}
				near[k] = e.orbit*turns + t
			}
		}
	}
	b.dirty = b.dirty[:0]
	clear(b.cur)
	for o := range g.Orbits {
		b.cur[o*g.Turns*b.words+o/64] = 1 << (o % 64)
	}
}

func (b *bySources) step() (reached int64) {
	n := len(b.cur) / b.words
	turns := n / len(b.weight)
	if b.words == 1 && b.even {
		reached = b.oneWord(n)
	} else {
		for o, w := range b.weight {
			for v := o * turns; v < (o+1)*turns; v++ {
				reached += w * b.gather(v, b.degree[o])
			}
		}
	}
	b.cur, b.next = b.next, b.cur
	return reached
}

// oneWord is a step where sources fill one word at most and all weigh 1.
func (b *bySources) oneWord(n int) (reached int64) {
	cur, next := b.cur[:n], b.next[:n]
	for v := range next {
		x := cur[v]
		for _, u := range b.near[v*b.stride : (v+1)*b.stride] {
			x |= cur[u]
		}
		next[v] = x
		reached += int64(bits.OnesCount64(x))
	}
	return reached
}

// gather is what reaches v, which has so many links, in one step more, and the weight of it.
func (b *bySources) gather(v, degree int) (weight int64) {
	w := b.words
	into := b.next[v*w : (v+1)*w]
	copy(into, b.cur[v*w:(v+1)*w])
	for _, u := range b.near[v*b.stride : v*b.stride+degree] {
		from := b.cur[int(u)*w : (int(u)+1)*w]
		for i := range into {
			into[i] |= from[i]
		}
	}
	for j, s := range b.slices {
		count := 0
		for i, x := range into {
			count += bits.OnesCount64(x & s[i])
		}
		weight += int64(count) << j
	}
	return weight
}
