package evaluator

import (
	"math"
	"math/bits"

	"toposearch/internal/stream"
	"toposearch/routing"
	"toposearch/topology"
	"toposearch/workload"
	"toposearch/workload/collective"
	"toposearch/workload/placed"
)

// What the loads of collectives take to be counted.

// crowdedNs is what the busiest of channels with many distributions takes (route.BusiestHashed), on random networks the most.
const crowdedNs = 1.5e5

// mostAsked is how many endpoints are listed to model a step; of more each is taken to need listNs.
const (
	mostAsked = 1 << 22
	listNs    = 10
)

// shapeNs asks the step itself, with patterns that take long left out (placed.Modelled), on the groups that ranks are divided into: those that are given, or some that are likely. What listing the best
// divisions on an ideal network takes is not in it: it is once for all designs of as many endpoints.
func (w *work) shapeNs() float64 {
	ns, _ := w.onShape(false)
	if t := w.e.opt.Training; t.Parallelism == nil && t.Mapping != MappingBest {
		ns *= w.divisionsTimed()
	}
	return ns
}

// divisionsTimed is how many times as long as one the divisions take of which the best is taken: the median of 72 designs of 42 families of 200 to 1,100 endpoints, of which nine tenths took 0.5 to 30 times as long, and the more
// of the more endpoints, where fewer of their patterns are the same. Where nothing blocks it is one alone.
func (w *work) divisionsTimed() float64 {
	const few, about = 1024, 5
	return about * math.Cbrt(max(float64(w.size.Endpoints)/few, 1))
}

// Divisions are timed until some 5 s would be over if each took as long as the first, but as many as leastTimed.
const (
	divisionsNs = 5e9
	leastTimed  = 16
)

// mostTimed is how many divisions may be timed.
func (w *work) mostTimed() int {
	one := w.trainingNs
	if w.counted() != nil {
		one = w.shapeNs
	}
	return leastTimed + int(min(w.divisionsTimed()*divisionsNs/max(one(), 1), mostDivisions))
}

// wholeNs is shapeNs of an all-reduce among all endpoints.
func (w *work) wholeNs() float64 {
	ns, _ := w.onShape(true)
	return ns
}

// askedOf is what the answer of a shape depends on besides the shape.
type askedOf struct {
	link, scaleup    collective.Link
	reduction        float64
	endpoints        int
	detours, reduced bool // reduced: an all-reduce among all endpoints, and no step
}

// onShape is what a step or, if whole, an all-reduce among all endpoints takes, and the most that a grid takes to count a pattern. It is remembered with what is known of the shape, so that designs
// that are the same shape ask once, and each design once for time and memory.
func (w *work) onShape(whole bool) (ns, bytes float64) {
	n := int(w.size.Endpoints)
	if n > mostAsked {
		return listNs * float64(n), math.Inf(1)
	}
	j, err := w.job()
	if err != nil {
		return 0, 0
	}
	m := j.Known.Asked(askedOf{j.Link, j.Scaleup, j.Reduction, n, j.Detours != nil, whole}, func() (placed.Model, bool) {
		ns, bytes := w.askShape(j, whole)
		return placed.Model{Ns: ns, Bytes: bytes}, w.ctx.Err() == nil
	})
	return m.Ns, m.Bytes
}

// askShape is onShape of the network of the design.
func (w *work) askShape(j *placed.Network, whole bool) (ns, bytes float64) {
	n, t := int(w.size.Endpoints), w.e.opt.Training
	x := &workload.Training{Model: t.Model, Sequence: t.Sequence, Batch: t.Batch, Parallelism: t.likely(n)}
	if t.Parallelism != nil {
		x.Parallelism = *t.Parallelism
	}
	if x.Ranks() > n || t.Parallelism != nil && x.Check(0) != nil { // which is all that is found out
		return 1e4, 0
	}
	m, model := j.Modelled()
	fixed := 1e5
	if _, ok := j.Shape.(*placed.Groups); ok { // which links there are
		fixed = 4e5
	}
	try := func(at []topology.EndpointID) float64 {
		before := model.Ns
		on := m.On(at)
		model.Elsewhere()
		for _, c := range x.Communications() {
			if _, _, err := on.Collective(w.ctx, c); err != nil {
				break
			}
			on.Bounded(c)
		}
		return model.Ns - before + fixed + 4*float64(len(at))
	}
	if whole {
		m.Detours = nil // as wholeCollective has it
		_, _, _ = m.Collective(w.ctx, w.e.steps.whole(collective.AllReduce, n))
		return model.Ns + fixed + 4*float64(n), model.Bytes
	}
	if t.Mapping != MappingBest {
		ns = try(t.order().Place(x.Parallelism, m.Endpoint))
		return ns, model.Bytes
	}
	orders := placed.Orders(x.Parallelism)
	ns = (try(m.Endpoint[:x.Ranks()]) + try(orders[len(orders)-1].Place(x.Parallelism, m.Endpoint))) * float64(len(orders))
	return ns + float64(swaps(x.Ranks()))*try(placed.Swap(m.Endpoint[:x.Ranks()], x.TP, stream.New(1, "mapping"))), math.Inf(1)
}

// likely is how ranks are divided where that is searched, about, as it is for models of 22 billion to 2 trillion parameters on 256 to 10,000 accelerators: a model is divided over as many as hold 6 bytes of a parameter in half of their memory, or over
// more where replicas would have less than 8 sequences each; most of that are stages of a pipeline, tp and cp are about as large, and experts are divided among up to 16 ranks.
func (t *Training) likely(n int) workload.Parallelism {
	log := func(x float64) int { return int(math.Ceil(math.Log2(max(x, 1)))) }
	whole := func(x int) int { return 1 << max(0, bits.Len(uint(max(x, 1)))-1) } // the largest power of two in it
	params, _ := t.Model.Params()
	memory := t.Accelerator.Memory
	if memory <= 0 {
		memory = math.Inf(1)
	}
	divided := min(1<<log(6*float64(params)/(memory/2)), whole(n))
	p := workload.Parallelism{CP: 1, EP: 1, Interleave: 1, MicroBatch: 1, ZeRO: 1, DP: whole(min(n/divided, max(t.Batch/8, 1)))}
	stages := min(n/p.DP, max(divided/2, 8))
	inner := whole(n / p.DP / stages)
	p.TP = 1 << ((log(float64(inner)) + 1) / 2)
	p.CP = inner / p.TP
	p.SP, p.PP = p.TP > 1, n/(p.DP*inner)
	if t.Model.Experts != nil {
		p.EP = min(16, p.DP, whole(t.Model.Experts.Routed))
	}
	return p
}

// shapeBytes: ranks with what they send, and what the shape takes for messages to all others with which a rank shares experts, or of groups that are few enough to be counted so.
func (w *work) shapeBytes() float64 {
	t, n, peers := w.e.opt.Training, float64(w.size.Endpoints), 1
	if t.Model.Experts != nil {
		if peers = t.Model.Experts.Routed; t.Parallelism != nil {
			peers = t.Parallelism.EP
		}
	}
	bytes := 50 * n
	if s, ok := w.counted().(interface {
		Bytes(messages float64) float64
	}); ok {
		most := s.Bytes(max(n*float64(peers), min(placed.MostDirect, n*n)))
		if _, isGrid := s.(*placed.Grid); isGrid && t.Parallelism != nil && t.Mapping == "" { // else it is not known which patterns are counted
			_, x := w.onShape(false)
			most = min(most, x)
		}
		bytes += most
	}
	return bytes
}

// trainingNs was fitted to 133 designs of 20 families that are built, of 900 to 1,000,000 endpoints: nine tenths are within twice of it. Patterns are about 16, and one for each power of two below the size: each sends
// something from every endpoint, and a flow from every set to another one, of all to all of few groups more. Distances are searched for 64 sets at a time; a flow visits the switches on its shortest routes, which are more where
// these are long; and detours take what all sets send to all, for which hops are searched for again where they are too many to be kept. Without distances each pattern is a search from all, of four designs
// within 2.3 times.
func (w *work) trainingNs() float64 {
	n, sets := float64(w.size.Endpoints), max(w.leaves(), 1)
	return w.patternsNs((16+math.Log2(n))*w.mappings(), min(sets*sets, n*w.direct(n/sets))*w.mappings())
}

// mappings is how often a step is timed: on orders of ranks, or with divisions.
func (w *work) mappings() float64 {
	t, n := w.e.opt.Training, int(w.size.Endpoints)
	switch {
	case t.Mapping == MappingBest:
	case t.Parallelism == nil:
		return w.divisionsTimed()
	default:
		return 1
	}
	p := t.likely(n)
	if t.Parallelism != nil {
		p = *t.Parallelism
	}
	return float64(len(placed.Orders(p)) + swaps(n))
}

// allreduceNs is it of an all-reduce among all: a ring, and some steps of halving and doubling.
func (w *work) allreduceNs() float64 { return w.patternsNs(4, 0) }

// messageNs is what a message takes whose loads are known in closed form, of the families that know them 25 (bus) to 130 (butterflies of ten stages).
const messageNs = 60

// patternsNs is it of so many patterns, with so many flows besides.
func (w *work) patternsNs(patterns, direct float64) float64 {
	n, v, ch, sets := float64(w.size.Endpoints), max(w.vertices(), 1), w.channels(), max(w.leaves(), 1)
	if w.byMessage() { // each message by its closed form
		if direct > 0 {
			patterns += w.direct(1)
		}
		return 2*w.compileNs() + w.buildNs() + messageNs*n*patterns
	}
	words := math.Ceil(sets / 64)
	long := 1 + math.Log(v)/math.Log(max(ch/v, 2.2)) // hops of the longest routes, of a network that spreads as fast as its switches have links
	flows := sets*patterns + direct
	ns := 2*w.compileNs() + w.buildNs() + 17*n*patterns + flows*(3.7*long*long+0.12*math.Pow(v, max(0, (long-2)/long)))
	far := long
	if d := w.d.Family.Diameter; d != nil && !w.e.scaled(w.d.Family) { // of a mesh: the switches of a word are as far from a switch as there are hops along it
		far = max(far, float64(d(w.d.V)))
	}
	search := words * ch * far
	switch {
	case !w.traced():
		ns += 0.42 * words * ch * long * long * long * long * w.rows()
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
	if w.hashesJobs() { // paths of some pairs, and for what is expected and what is seldom exceeded the channels of each pattern
		ns += hashSets*3*(ch+v)*float64(max(w.rule().States, 1)) + 2*patterns*(crowdedNs+60*ch)
	}
	return ns
}

// direct is about how many messages a rank sends to all others of its groups, to other sets of perSet ranks, where that is tried: tp, as long as all are few enough the replicas of a layer and of an expert, and the ranks among
// which experts are divided, which have no other all-to-all.
func (w *work) direct(perSet float64) (messages float64) {
	n, p := float64(w.size.Endpoints), w.e.opt.Training.likely(int(w.size.Endpoints))
	if given := w.e.opt.Training.Parallelism; given != nil {
		p = *given
	}
	messages = float64(p.TP) * min(1, 4/perSet)
	groups := []float64{float64(p.CP * p.DP)}
	if p.EP > 1 {
		groups = append(groups, float64(p.CP*p.DP/p.EP))
		messages += float64(p.EP)
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

// trainingBytes: distances of three bits, which hops are on shortest routes, room for what all sets send to 64 of them, and the hops; where there are switches without endpoints, these
// again, with what each hop stands for, as those that are alike are traced as one and few may be; or, without distances, flows between all sets where packets may make detours.
func (w *work) trainingBytes() float64 {
	words := math.Ceil(w.leaves() / 64)
	nodes, hops := w.vertices()*w.rows(), w.channels()*w.rows()
	bytes := graphBytes(w) + 100*float64(w.size.Endpoints)
	if w.byMessage() { // what each channel carries
		return bytes + 16*w.channels()
	}
	if w.traced() {
		on := 8 * min(hops*words, routing.MostOn)
		if w.leaves() < w.vertices() {
			on += on + 30*hops
		}
		return bytes + 24*nodes*words + on + 600*nodes + 20*hops
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
