package evaluator

import (
	"math"
	"slices"

	"toposearch/topology"
)

// twin is a network as DESIGN.md section 3 describes it, written down link by link, endpoints as
// vertices like switches: nothing is counted by classes, symmetry or formulae. It is slow and
// meant to be obviously right.
type twin struct {
	net      *topology.Network
	switches int       // vertices 0 up to here, relays of endpoints the last of them; endpoints follow
	embedded []bool    // by switch
	relay    []bool    // by switch: only joins an endpoint to its server
	n        int       // endpoints
	server   int       // endpoints of a server with a scale-up mesh, 0 without
	arcs     []twinArc // channels, those of endpoints included
	out      [][]int   // arcs by the vertex that they leave
	in       [][]int
	bw       float64 // of an endpoint: the rates of all its ports
}

type twinArc struct {
	from, to, class int
	name            string // of its class
	links           int    // what it counts: 0 if internal
	nic             bool
	rate            float64 // Gb/s
}

// twinOf takes the network apart. asked is the bandwidth of an endpoint, sold the rates on sale;
// servers of so many endpoints have a scale-up mesh, 0 is none.
func twinOf(d topology.Design, n *topology.Network, asked float64, sold []int, server int) *twin {
	w := &twin{net: n, switches: n.Switches(), n: n.Endpoints(), server: server}
	for s := range topology.SwitchID(w.switches) {
		w.embedded = append(w.embedded, n.Embedded(s))
		w.relay = append(w.relay, n.SwitchClasses[n.Class(s)].Relay)
	}
	first := n.LinkClasses[0].Name
	relays := server > 0 && first != topology.ClassInternal
	if relays {
		for range w.n {
			w.embedded, w.relay = append(w.embedded, true), append(w.relay, true)
		}
		w.switches += w.n
	}
	w.out, w.in = make([][]int, w.switches+w.n), make([][]int, w.switches+w.n)
	for s := range topology.SwitchID(n.Switches()) {
		for c, end := n.Out(s); c < end; c++ {
			w.add(int(s), int(n.To(c)), n.LinkClass(c), n.LinkClasses[n.LinkClass(c)].Name)
		}
	}
	both := func(a, b, class int, name string) { w.add(a, b, class, name); w.add(b, a, class, name) }
	at := make([]int, w.n) // where an endpoint joins its server
	for e := range w.n {
		_, _, ports := n.Group(n.GroupOf(topology.EndpointID(e)))
		v := w.switches + e
		if relays {
			both(v, n.Switches()+e, -1, topology.ClassInternal)
			v = n.Switches() + e
		}
		for _, p := range ports {
			both(v, int(p), 0, first)
		}
		if at[e] = v; first == topology.ClassInternal {
			at[e] = int(ports[0])
		}
		for o := e - 1; server > 0 && o >= 0 && o/server == e/server; o-- {
			both(at[e], at[o], -2, topology.ClassScaleup)
		}
	}
	w.setRates(d, asked, sold, at)
	return w
}

func (w *twin) add(a, b, class int, name string) {
	arc := twinArc{from: a, to: b, class: class, name: name, links: 1, nic: name == topology.ClassNic}
	if name == topology.ClassInternal {
		arc.links = 0
	}
	w.out[a], w.in[b] = append(w.out[a], len(w.arcs)), append(w.in[b], len(w.arcs))
	w.arcs = append(w.arcs, arc)
}

// setRates: a port gets its share of the bandwidth, rounded up to a rate on sale where it takes a
// cable; the bandwidth of an endpoint is that of all its ports. ends are where those are.
func (w *twin) setRates(d topology.Design, asked float64, sold []int, ends []int) {
	var boards []int
	if d.Family.Place != nil {
		boards = d.Family.Place(d.V).Boards
	}
	ports := func(v int, f func(a *twinArc)) {
		for _, i := range w.out[v] {
			if a := &w.arcs[i]; a.name != topology.ClassInternal && a.name != topology.ClassScaleup {
				f(a)
			}
		}
	}
	lanes := 0
	for _, v := range ends {
		has := 0
		ports(v, func(a *twinArc) { has += int(w.net.Lanes[a.class]) })
		lanes = max(lanes, has)
	}
	for i := range w.arcs {
		a := &w.arcs[i]
		if a.name == topology.ClassScaleup {
			a.rate = defaultScaleupGbps
		}
		if a.class < 0 || a.name == topology.ClassScaleup {
			continue
		}
		a.rate = asked / float64(lanes) * float64(w.net.Lanes[a.class])
		if a.name == topology.ClassInternal || slices.Contains(boards, a.class) {
			continue
		}
		for _, g := range sold {
			if float64(g) > a.rate-1e-6 {
				a.rate = float64(g)
				break
			}
		}
	}
	for _, v := range ends {
		has := 0.0
		ports(v, func(a *twinArc) { has += a.rate })
		w.bw = max(w.bw, has)
	}
}

// legal says whether a packet in a state may cross an arc, and its state then. States are small
// integers; nil allows everything.
type legal func(state int, a *twinArc) (int, bool)

// way is a vertex and a state.
type way struct{ v, state int }

// routes are all shortest legal routes to one endpoint: Bellman and Ford's relaxation until
// nothing changes, over arcs that do not lead through endpoints.
type routes struct {
	w      *twin
	to     int // vertex of the endpoint
	states int
	rule   legal
	dist   []int // by vertex*states+state
}

const far = math.MaxInt32

func (w *twin) routesTo(e, states int, rule legal, dead int) *routes {
	r := &routes{w: w, to: w.switches + e, states: states, rule: rule, dist: make([]int, (w.switches+w.n)*states)}
	for i := range r.dist {
		r.dist[i] = far
	}
	var queue []way
	for s := range states {
		r.dist[r.to*states+s] = 0
		queue = append(queue, way{r.to, s})
	}
	for len(queue) > 0 {
		at := queue[0]
		queue = queue[1:]
		if at.v >= w.switches && at.v != r.to {
			continue // endpoints do not forward
		}
		for _, i := range w.in[at.v] {
			a := &w.arcs[i]
			if a.from == dead || a.to == dead || a.from == r.to {
				continue
			}
			for s := range states {
				next, ok := r.step(s, a)
				d := r.dist[at.v*states+at.state] + a.links
				if ok && next == at.state && d < r.dist[a.from*states+s] {
					r.dist[a.from*states+s] = d
					queue = append(queue, way{a.from, s})
				}
			}
		}
	}
	return r
}

// step applies the rule; arcs of endpoints keep the state.
func (r *routes) step(state int, a *twinArc) (int, bool) {
	if r.rule == nil || a.from >= r.w.switches || a.to >= r.w.switches {
		return state, true
	}
	return r.rule(state, a)
}

func (r *routes) at(p way) int { return r.dist[p.v*r.states+p.state] }

// from is the distance from an endpoint.
func (r *routes) from(e int) int { return r.at(way{r.w.switches + e, 0}) }

// next lists the arcs of shortest routes.
func (r *routes) next(p way, f func(arc int, to way)) {
	for _, i := range r.w.out[p.v] {
		a := &r.w.arcs[i]
		if s, ok := r.step(p.state, a); ok && (a.to < r.w.switches || a.to == r.to) {
			if q := (way{a.to, s}); r.at(q) != far && r.at(q)+a.links == r.at(p) {
				f(i, q)
			}
		}
	}
}

// withoutNic is the share of the routes of every endpoint that cross no nic link, split equally hop by hop.
func (r *routes) withoutNic() []float64 {
	share := map[way]float64{}
	order := r.order()
	for i := len(order) - 1; i >= 0; i-- {
		p := order[i]
		if p.v == r.to {
			share[p] = 1
			continue
		}
		ways := 0.0
		r.next(p, func(i int, q way) {
			if ways++; !r.w.arcs[i].nic {
				share[p] += share[q]
			}
		})
		share[p] /= ways
	}
	out := make([]float64, r.w.n)
	for e := range out {
		out[e] = share[way{r.w.switches + e, 0}]
	}
	return out
}

// order lists all vertices on the way from the endpoints, each after those that lead to it.
func (r *routes) order() (out []way) {
	seen := make([]bool, len(r.dist))
	var visit func(p way)
	visit = func(p way) {
		if i := p.v*r.states + p.state; !seen[i] {
			seen[i] = true
			r.next(p, func(_ int, q way) { visit(q) })
			out = append(out, p)
		}
	}
	for e := range r.w.n {
		if v := r.w.switches + e; v != r.to && r.from(e) < far {
			visit(way{v, 0})
		}
	}
	slices.Reverse(out)
	return out
}

// spread sends one unit from every other endpoint, split equally hop by hop, and calls f with
// what crosses each arc.
func (r *routes) spread(f func(arc int, load float64)) {
	flow := make([]float64, len(r.dist))
	for e := range r.w.n {
		flow[(r.w.switches+e)*r.states] = 1
	}
	for _, p := range r.order() {
		x := flow[p.v*r.states+p.state]
		if p.v == r.to || x == 0 {
			continue
		}
		ways := 0
		r.next(p, func(int, way) { ways++ })
		r.next(p, func(i int, q way) {
			f(i, x/float64(ways))
			flow[q.v*r.states+q.state] += x / float64(ways)
		})
	}
}

// counted tells whether an arc limits throughput: links of endpoints do where endpoints have
// several ports or relay.
func (w *twin) counted(a *twinArc) bool {
	if a.links == 0 {
		return false
	}
	for _, v := range []int{a.from, a.to} {
		if v >= w.switches && len(w.out[v]) == 1 {
			return false
		}
	}
	return true
}

// throughput is the largest uniform load.
func (w *twin) throughput(states int, rule legal) float64 {
	load := make([]float64, len(w.arcs))
	for e := range w.n {
		w.routesTo(e, states, rule, -1).spread(func(i int, x float64) { load[i] += x / float64(w.n-1) })
	}
	best := math.Inf(1)
	for i := range load {
		if a := &w.arcs[i]; load[i] > 0 && w.counted(a) {
			best = math.Min(best, a.rate/w.bw/load[i])
		}
	}
	return best
}
