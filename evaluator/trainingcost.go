package evaluator

import (
	"math"

	"toposearch/evaluator/bound"
	"toposearch/routing"
	"toposearch/workload"
	"toposearch/workload/placed"
)

// On what the loads of collectives are counted, a shape or the network, and what that takes.

// shape is the design as a network whose loads are counted without building it, nil if it is none.
func (w *work) shape() placed.Shape {
	if w.e.opt.built || w.e.opt.Routing == RoutingMinimal {
		return nil
	}
	s := bound.ShapeOf(w.d.V, w.size, &w.rates.Link, w.rates.Bandwidth)
	if s == nil {
		s = w.groups()
	}
	if c := w.cubes(); s == nil && c != nil {
		s = c
	}
	if s == nil || !w.e.scaled(w.d.Family) {
		return s
	}
	// In domains whose endpoints hang on one switch none is nearer to anywhere than another: what leaves them takes the family's own routes.
	if dom := w.e.opt.ScaleupDomain(); !placed.Whole(s, dom.Endpoints) || !dom.Fits(len(w.d.Family.LinkClasses), len(w.d.Family.SwitchClasses)) {
		return nil
	}
	return s
}

// groups is the design as groups of switches, nil if it is none.
func (w *work) groups() placed.Shape {
	f := w.d.Family
	if f.GroupLinks == nil || w.rates.Bandwidth <= 0 {
		return nil
	}
	n, groups := int(w.size.Switch[0].Count), f.Place(w.d.V).Blocks
	g := &placed.Groups{Count: groups, Each: n / groups, PerSwitch: int(w.size.Endpoints) / n,
		Local: w.rates.Link[1] / w.rates.Bandwidth, Global: w.rates.Link[2] / w.rates.Bandwidth,
		Links: func(group int, emit func(from, to int)) { f.GroupLinks(w.d.V, group, emit) }}
	if w.size.Switch[1].Ports[2] > 0 { // not those of the first class
		g.Mids = int(w.size.Switch[1].Count) / groups
	}
	g.Turned = f.GroupLinks(w.d.V, 0, func(int, int) {})
	return g
}

// cubes is the design as a ZCube, nil if it is none.
func (w *work) cubes() *placed.Cubes {
	f := w.d.Family
	if f.Cube == nil || w.rates.Bandwidth <= 0 || w.e.scaled(f) {
		return nil
	}
	row, side, levels := f.Cube(w.d.V)
	if levels < 2 {
		return nil
	}
	c := placed.NewCubes(row, side, levels)
	for i := range c.Carry {
		c.Carry[i] = w.rates.Link[i] / w.rates.Bandwidth
	}
	return c
}

// counted is the shape on which loads are counted without the network: that of routes without detours.
func (w *work) counted() placed.Shape {
	s := w.shape()
	if w.around() || bound.OfRoutes(s) && w.divides() {
		return nil
	}
	return s
}

// around tells whether every message between switches makes a detour by way of another, whose loads are known: in Valiant's routing, where
// endpoints have one port and share no scale-up domain.
func (w *work) around() bool {
	return w.routing().Always && !w.severalPorts() && !w.e.scaled(w.d.Family)
}

// shapeNs is what it takes for each endpoint, and for each message to all others of a group. Measured on 40 designs of a million endpoints and as many of a thousand, most of those that take more than
// 50 ms are within twice of it; tpuocs(x=5,y=5,z=5) takes two and a half times as much, zcube(n=23,k=3) a fifth, and grids and trees whose groups lie alike as little as a five hundredth.
func (w *work) shapeNs() float64 {
	n := float64(w.size.Endpoints)
	fixed, rank, message, pairs := 1e5, 8.0, 5.0, 0.0
	switch s := w.counted().(type) {
	case *placed.Grid:
		message = 60
		switch {
		case !w.divides(): // of lines that are alike one
		case s.Dims[0] < 5: // of no rows
			rank = 350
		default:
			rank = 60
		}
	case *placed.Groups:
		fixed, rank, message = 4e5, 50, 10
		ranks, tp := int(w.size.Endpoints), 8
		if p := w.e.opt.Training.Parallelism; p != nil {
			ranks, tp = p.TP*p.CP*p.PP*p.DP, p.TP
		}
		if ranks == int(w.size.Endpoints) && s.Each*s.PerSwitch%tp == 0 { // groups send alike
			rank = 15
		}
		if joined := 2 * float64(w.size.Link[2]) / float64(s.Count) / max(1, float64(s.Count-1)); joined > 4 && s.Mids == 0 { // exits and entries of two groups meet all
			pairs = 15 * float64(s.Count*s.Count) * min(joined, float64(s.Each)) * min(joined, float64(s.Each))
		}
	case *placed.Cubes:
		if above := float64(s.Levels - 2); above > 0 {
			if rank, message = 40*above*above, 180*above; above > 1 && s.Side&(s.Side-1) == 0 { // most patterns are those of one value of the highest digit
				rank /= 3
			}
		}
	case placed.Rails:
		rank, message = 30, 2
		if p := w.e.opt.Training.Parallelism; p != nil {
			ranks, inner := p.TP*p.CP*p.PP*p.DP, p.TP*p.CP
			alike := func(stride, size int) bool { return s.Alike(workload.Group{Stride: stride, Size: size}, ranks) }
			if alike(1, p.TP) && alike(p.TP, p.CP) && alike(inner, p.DP) && alike(inner*p.DP, p.PP) {
				rank = 3
			}
		}
	case *placed.Nets:
		rank = 20
	case *placed.Racks, *placed.Cells:
		rank, message = 400, 300
	}
	return fixed + n*(rank+message*w.direct(math.Inf(1))) + pairs
}

// shapeBytes: ranks with what they send, and what the shape takes for messages to all others with which a rank shares experts, or of groups that are few enough to be counted so.
func (w *work) shapeBytes() float64 {
	n, peers := float64(w.size.Endpoints), 1
	if t := w.e.opt.Training; t.Model.Experts != nil {
		if peers = t.Model.Experts.Routed; t.Parallelism != nil {
			peers = t.Parallelism.EP
		}
	}
	bytes := 50 * n
	if s, ok := w.counted().(interface {
		Bytes(messages float64) float64
	}); ok {
		bytes += s.Bytes(max(n*float64(peers), min(placed.MostDirect, n*n)))
	}
	return bytes
}

// trainingNs was fitted to 133 designs of 20 families that are built, of 900 to 1,000,000 endpoints: nine tenths are within twice of it. Patterns are about 16, and one for each power of two below the size: each sends
// something from every endpoint, and a flow from every set to another one, of all to all of few groups more. Distances are searched for 64 sets at a time; a flow visits the switches on its shortest routes, which are more where
// these are long; and detours take what all sets send to all, for which hops are searched for again where they are too many to be kept. Without distances each pattern is a search from all, of four designs
// within 2.3 times.
func (w *work) trainingNs() float64 {
	n, v, ch, sets := float64(w.size.Endpoints), max(w.vertices(), 1), w.channels(), max(w.leaves(), 1)
	words, patterns := math.Ceil(sets/64), 16+math.Log2(n)
	long := 1 + math.Log(v)/math.Log(max(ch/v, 2.2)) // hops of the longest routes, of a network that spreads as fast as its switches have links
	flows := sets*patterns + min(sets*sets, n*w.direct(n/sets))
	ns := 2*w.compileNs() + w.buildNs() + 17*n*patterns + flows*(3.7*long*long+0.12*math.Pow(v, max(0, (long-2)/long)))
	search := words * ch * long
	switch {
	case !w.traced():
		ns += 0.42 * search * long * long * long * w.rows()
	case w.divides() && words*ch > routing.MostOn:
		ns += (4.3 + 13) * search
	default:
		ns += 4.3 * search
	}
	if w.divides() {
		ns += 5 * 64 * words * sets * long
	}
	if w.around() { // what all send to all, once
		ns += 100 * sets * sets
	}
	return ns
}

// direct is about how many messages a rank sends to all others of its groups, to other sets of perSet ranks, where that is tried: tp, as long as all are few enough the replicas of a layer and of an expert, and the ranks among
// which experts are divided, which have no other all-to-all.
func (w *work) direct(perSet float64) (messages float64) {
	n := float64(w.size.Endpoints)
	groups, messages := []float64{n / 64}, 8*min(1, 4/perSet)
	if p := w.e.opt.Training.Parallelism; p != nil {
		groups[0] = float64(p.CP * p.DP)
		if p.EP > 1 {
			groups = append(groups, float64(p.CP*p.DP/p.EP))
			messages += float64(p.EP)
		}
	}
	for _, size := range groups {
		if n*size <= placed.MostDirect {
			messages += size
		}
	}
	return messages
}

// traced tells whether distances between all switches are kept (routing.NewTracer).
func (w *work) traced() bool {
	return math.Ceil(w.leaves()/64)*w.vertices()*w.rows() <= routing.MostDistances
}

// rows are about how many states of a routing lead on in different ways: of many states two thirds, as those of grids and meshes.
func (w *work) rows() float64 {
	if n := w.natural.States; n > 4 {
		return math.Ceil(0.7 * float64(n))
	}
	return float64(max(w.natural.States, 1))
}

// trainingBytes: distances of three bits, which hops are on shortest routes, room for what all sets send to 64 of them, and the hops; or, without distances, flows
// between all sets where packets may make detours.
func (w *work) trainingBytes() float64 {
	words := math.Ceil(w.leaves() / 64)
	nodes, hops := w.vertices()*w.rows(), w.channels()*w.rows()
	bytes := graphBytes(w) + 100*float64(w.size.Endpoints)
	if w.traced() {
		return bytes + 24*nodes*words + 8*min(hops*words, routing.MostOn) + 600*nodes + 20*hops
	}
	if w.divides() || w.around() {
		bytes += 24 * w.leaves() * w.leaves()
	}
	return bytes
}

// leaves are at most how many sets of switches endpoints hang on, where each hangs on one: switches with ports to them.
func (w *work) leaves() (n float64) {
	if w.size.EndpointPorts > 1 || w.e.scaled(w.d.Family) {
		return w.sets()
	}
	for i := range w.d.Family.SwitchClasses {
		if c := &w.size.Switch[i]; c.Ports[0] > 0 {
			n += float64(c.Count)
		}
	}
	return min(n, w.sets())
}

// divides tells whether what groups send may be divided over several paths: in the routing that the design takes packets may make detours, which endpoints
// with several ports, and those of scale-up domains, do not pass on.
func (w *work) divides() bool {
	return w.e.usesOwn() && w.routing().divides() && !w.severalPorts() && !w.e.scaled(w.d.Family)
}

// lined tells whether routes and endpoints are the family's own, so that a grid or a tree is one.
func (w *work) lined() bool { return w.e.opt.Routing != RoutingMinimal && !w.e.scaled(w.d.Family) }
