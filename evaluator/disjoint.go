package evaluator

import (
	"fmt"
	"math"
	"slices"
	"toposearch/evaluator/metric"

	"toposearch/evaluator/flow"
	"toposearch/internal/stream"
	"toposearch/topology"
)

// disjoint_paths: for two endpoints, the largest number of paths between them no two of which
// share a link, of whatever length; its mean over pairs says how many link failures, and how many
// subflows, a pair of endpoints has room for. Links count as throughputs count them: the access
// link counts where endpoints relay or have several ports. Where each has a single one, the answer
// would always be 1: there the paths are those between the switches (as in FatPaths, SC 2020), and
// pairs on one switch, which no link of the network joins, are left out.

const (
	disjointText = "link-disjoint paths (largest flow over links of one unit), mean over "
	// disjointMostNs is what counting all pairs may take where it was asked for by name, a minute:
	// beyond, pairs are sampled.
	disjointMostNs = 60e9
	// Up to disjointSample pairs are drawn, fewer where that takes more than disjointSampleNs, but
	// disjointLeast; the mean of all lies within the bounds with all but a chance of disjointRisk.
	disjointSample   = 2000
	disjointSampleNs = 5e8
	disjointLeast    = 100
	disjointRisk     = 1e-6
)

var disjointGroup = group{keys: []metric.Key{metric.DisjointPaths}, methods: []method{
	{name: "degree of a vertex-transitive graph", level: 2, built: true, applies: func(w *work) string {
		if s := disjointApplies(w); s != "" {
			return s
		}
		if o := w.symmetry(); len(o.Switches) != 1 || w.severalPorts() || w.d.Family.Unidirectional {
			return "switches are not all alike"
		}
		return ""
	}, cost: func(w *work) float64 { return 2 * w.channels() }, usual: (*work).usualDegreeNs, run: runDisjointDegree},
	{name: "largest flows", level: 2, built: true, applies: func(w *work) string {
		if s := disjointApplies(w); s != "" {
			return s
		}
		if ns := disjointNs(w); ns > disjointMostNs {
			return fmt.Sprintf("largest flows of all pairs take about %s", seconds(ns))
		}
		return ""
	}, cost: disjointNs, usual: (*work).usualTreeNs, run: func(w *work) error { return w.countDisjoint(false) }},
	{name: "largest flows of sampled pairs", level: 2, built: true, applies: disjointApplies,
		cost: func(w *work) float64 { return float64(w.disjointDraws()) * w.flowNs() }, usual: (*work).usualDrawnNs,
		run: func(w *work) error { return w.countDisjoint(true) }},
}}

// disjointDraws is the number of pairs of a sample.
func (w *work) disjointDraws() int {
	return int(max(disjointLeast, min(disjointSample, disjointSampleNs/w.flowNs())))
}

func disjointApplies(w *work) string {
	if w.size.Endpoints < 2 {
		return "there is no pair of endpoints"
	}
	return ""
}

// flowNs is the cost of one flow: some three searches, each of which reads most arcs.
func (w *work) flowNs() float64 { return 3 * (2*w.channels() + 2*w.vertices()) }

func disjointNs(w *work) float64 {
	flows := w.sets()
	if w.severalPorts() {
		if o := w.symmetry().Endpoints; o != nil {
			flows *= float64(len(o))
		} else {
			flows *= flows / 2
		}
	}
	return flows * w.flowNs()
}

// runDisjointDegree: in a connected vertex-transitive graph without parallel links no cut has
// fewer links than a vertex has (Mader, Math. Ann. 191, 1971), so that every pair has as many paths
// as a switch has links.
func runDisjointDegree(w *work) error {
	p := newDisjointPairs(w.net)
	if p.distinct() == 0 {
		w.absent(metric.DisjointPaths, noDisjoint)
		return nil
	}
	links := len(w.net.Neighbors(0))
	seen := make([]topology.SwitchID, 0, links)
	seen = append(seen, w.net.Neighbors(0)...)
	slices.Sort(seen)
	if len(slices.Compact(seen)) < links || unitFlow(w.net).Reached(0) < w.net.Switches() {
		return w.countDisjoint(disjointNs(w) > disjointMostNs)
	}
	w.exact(metric.DisjointPaths, float64(links), disjointText+p.pairsText()+": the links of a switch, since all switches are alike (Mader 1971), exact")
	return nil
}

const noDisjoint = "all endpoints are on one switch: no link of the network joins a pair"

// countDisjoint counts the paths of all pairs, or of a sample.
func (w *work) countDisjoint(sampled bool) error {
	if w.net.LinkClasses[0].Name == topology.ClassInternal && slices.ContainsFunc(groupPorts(w.net), func(k int) bool { return k > 1 }) {
		w.absent(metric.DisjointPaths, "endpoints have several embedded switches: paths inside an endpoint are not links")
		return nil
	}
	p := newDisjointPairs(w.net)
	if p.distinct() == 0 {
		w.absent(metric.DisjointPaths, noDisjoint)
		return nil
	}
	u := unitFlow(w.net)
	switch {
	case sampled:
		return w.sampleDisjoint(p, u)
	case !p.several && !w.net.Unidirectional:
		return w.disjointTree(p, u)
	}
	return w.disjointOneByOne(p, u)
}

func groupPorts(n *topology.Network) (k []int) {
	for g := range n.Groups() {
		_, _, ports := n.Group(g)
		k = append(k, len(ports))
	}
	return k
}

// disjointTree counts paths between switches, by a flow for each instead of each pair.
func (w *work) disjointTree(p *disjointPairs, u *flow.Unit) error {
	terminals := make([]flow.Terminal, len(p.source))
	for i := range terminals {
		terminals[i] = flow.Terminal{Vertex: p.source[i][0].Vertex, Endpoints: p.weight[i]}
	}
	sum, err := u.SumPairs(w.ctx, terminals)
	if err != nil {
		return err
	}
	w.exact(metric.DisjointPaths, float64(sum)/float64(p.distinct()), disjointText+p.pairsText()+", exact by a tree of least cuts")
	return nil
}

// disjointOneByOne makes a flow for each pair of terminals, or from one endpoint of each orbit.
func (w *work) disjointOneByOne(p *disjointPairs, u *flow.Unit) error {
	var from []topology.Orbit
	text := ", exact"
	if o := w.symmetry().Endpoints; o != nil {
		from = o
		text = ", from one endpoint of each claimed orbit, exact"
	}
	half := from == nil && !w.net.Unidirectional // paths are the same both ways
	if from == nil {
		for i := range p.source {
			from = append(from, topology.Orbit{Rep: int32(i), Count: p.weight[i]})
		}
	} else {
		from = slices.Clone(from)
		for i := range from {
			from[i].Rep = p.of[w.net.GroupOf(topology.EndpointID(from[i].Rep))]
		}
	}
	var sum int64
	for _, o := range from {
		if err := w.ctx.Err(); err != nil {
			return err
		}
		i := int(o.Rep)
		sum += o.Count * (p.weight[i] - 1) * p.within[i]
		for j := range p.source {
			if j == i || half && j > i || !p.counted(i, j) {
				continue
			}
			x := o.Count * p.weight[j] * int64(p.paths(u, i, j))
			if half {
				x *= 2
			}
			sum += x
		}
	}
	w.exact(metric.DisjointPaths, float64(sum)/float64(p.distinct()), disjointText+p.pairsText()+text)
	return nil
}

// sampleDisjoint draws pairs of endpoints and encloses the mean of all by the variance that they
// show (Maurer, Pontil, Empirical Bernstein Bounds, COLT 2009, theorem 4, both sides).
func (w *work) sampleDisjoint(p *disjointPairs, u *flow.Unit) error {
	rng := stream.New(1, "disjoint paths")
	n := w.net.Endpoints()
	most := 0
	for i := range p.source {
		if p.several {
			most = max(most, int(p.within[i]))
		} else {
			most = max(most, u.Leaving(p.source[i][0].Vertex))
		}
	}
	sum, squares := 0.0, 0.0
	draws := w.disjointDraws()
	for drawn := 0; drawn < draws; {
		if err := w.ctx.Err(); err != nil {
			return err
		}
		a, b := topology.EndpointID(rng.IntN(n)), topology.EndpointID(rng.IntN(n))
		i, j := int(p.of[w.net.GroupOf(a)]), int(p.of[w.net.GroupOf(b)])
		x := 0.0
		switch {
		case a == b || i == j && p.within[i] == 0 || i != j && !p.counted(i, j):
			continue
		case i == j:
			x = float64(p.within[i])
		default:
			x = float64(p.paths(u, i, j))
		}
		drawn++
		sum += x
		squares += x * x
	}
	k := float64(draws)
	mean := sum / k
	variance := math.Max(0, (squares-sum*sum/k)/(k-1))
	log := math.Log(4 / disjointRisk)
	off := math.Sqrt(2*variance*log/k) + 7*float64(most)*log/(3*(k-1))
	w.between(metric.DisjointPaths, mean, math.Max(0, mean-off), math.Min(float64(most), mean+off),
		fmt.Sprintf("%s%s, %d drawn by lot: outside the bounds at a risk of %g", disjointText, p.pairsText(), draws, disjointRisk))
	return nil
}

// usualTreeNs is a flow from each set of endpoints to another (disjointTree); parts of it that are drawn take as much each.
func (w *work) usualTreeNs() float64 {
	if w.severalPorts() {
		return disjointNs(w)
	}
	return usualFlowArcNs * w.attached() * w.arcs()
}

// usualFlowArcNs is what a flow between two switches takes for each channel and switch: some four searches, of which the last finds nothing.
const usualFlowArcNs = 12

// usualDrawnNs is that of sampled pairs.
func (w *work) usualDrawnNs() float64 { return usualFlowArcNs * float64(w.disjointDraws()) * w.arcs() }

// usualDegreeNs is what the degree takes; where links are parallel it says nothing, and flows are counted.
func (w *work) usualDegreeNs() float64 {
	for c, i := range w.d.Family.Multiplies {
		switch {
		case i == 0 || w.size.Link[c] == 0 || w.d.V[i] == 1:
		case disjointNs(w) > disjointMostNs:
			return w.usualDrawnNs()
		default:
			return w.usualTreeNs()
		}
	}
	return 20 * w.channels()
}
