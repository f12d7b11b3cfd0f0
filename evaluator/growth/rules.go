package growth

// Rules say what may stay.
type Rules struct {
	Switches bool // old switches may be used again
	Stay     bool // racks stay where they are: a cable is kept only between boxes whose places both floor plans have alike
}

// Match is who of the old network becomes whom of the new one: New[v] is the new vertex of old vertex v, or -1; Old the other way.
type Match struct {
	New, Old []int32
}

// matcher looks for a match that keeps many cables.
type matcher struct {
	old, to *Network
	rules   Rules
	votes   []int32 // by new vertex, 0 between uses
	steps   int     // cables looked at while endpoints were dealt out, and what takes as long
}

// none is a match of nobody.
func (m *matcher) none() *Match {
	x := &Match{make([]int32, m.old.vertices()), make([]int32, m.to.vertices())}
	for i := range x.New {
		x.New[i] = -1
	}
	for i := range x.Old {
		x.Old[i] = -1
	}
	return x
}

// pair joins u and v, which have nobody.
func (x *Match) pair(u, v int32) { x.New[u], x.Old[v] = v, u }

// alike tells whether old vertex u can become v and keep cables.
func (m *matcher) alike(u, v int32) bool {
	return m.sameBox(u, v) && (!m.rules.Stay || m.old.place[u] == m.to.place[v])
}

// sameBox tells whether u can serve as v at all.
func (m *matcher) sameBox(u, v int32) bool {
	return m.old.isEndpoint(u) == m.to.isEndpoint(v) && (m.old.isEndpoint(u) || m.rules.Switches && m.old.part(u) == m.to.part(v))
}

// serves tells whether an old cable can be a new one.
func (m *matcher) serves(a, b *Cable) bool { return a.Kind == b.Kind && a.StockM >= b.LaidM*(1-1e-9) }
