package evaluator

import (
	"context"
	"fmt"

	"toposearch/evaluator/metric"
	"toposearch/internal/memo"
	"toposearch/topology"
	"toposearch/workload"
	"toposearch/workload/collective"
	"toposearch/workload/placed"
)

// steps knows the workload's steps apart from designs: how they are divided, which depends on the number of endpoints and their
// rates alone, and what they take at least. It is safe for concurrent use. What it remembers is bounded, so that a search of any length takes no more memory.
type steps struct {
	opt *Options
	// best are divisions by the rates of endpoints (chooser).
	best memo.Memo[chooserKey, *workload.Chooser]
	// bounded are bounds by the number of endpoints (least), within those between two (leastWithin).
	bounded memo.Memo[int64, leastTimes]
	within  memo.Memo[[2]int64, leastTimes]
	// through are bounds by what leads out of leaves (throughLeaves), and times on shapes (onShape).
	through memo.Memo[string, leastTimes]
	// rings are disjoint rings by the grid (ringsOf).
	rings memo.Memo[string, [][]int32]
	// known are what patterns take of shapes (knownOf): a bound and the evaluation that follows ask for the same.
	known memo.Memo[string, *placed.Stages]
	// counts are how messages load geometries (countsOf).
	counts memo.Memo[string, *placed.Stages]
	// adds is the fastest at which a switch adds (reduction).
	adds func() float64
}

// Places of what steps remember. Full, shapes and geometries take some 10 MB with the patterns of a given division, several times that with those of many; the rings of the largest grid take 2 MB, of most
// grids 100 KB; and a chooser has what it found for some numbers of endpoints: there are more choosers than rates on sale where linearity divides the batch.
const (
	shapesKept   = 1 << 12
	ringsKept    = 1 << 7
	choosersKept = 1 << 6
)

// forget makes steps remember nothing.
func (p *steps) forget() {
	p.best.Clear(choosersKept)
	p.bounded.Clear(0)
	p.within.Clear(0)
	p.through.Clear(0)
	p.rings.Clear(ringsKept)
	p.known.Clear(shapesKept)
	p.counts.Clear(shapesKept)
}

// knownOf remembers what is known of a shape with domains of a size.
func (p *steps) knownOf(s placed.Shape, n *placed.Network) *placed.Stages {
	return p.known.Of(fmt.Sprintf("%d %t %T %v", n.Domain, n.Mesh, s, s), newStages)
}

// countsOf remembers how messages load a geometry with domains of a size.
func (p *steps) countsOf(s interface{ Geometry() string }, n *placed.Network) *placed.Stages {
	return p.counts.Of(fmt.Sprint(n.Domain, n.Mesh, s.Geometry()), newStages)
}

func newStages() *placed.Stages { return new(placed.Stages) }

// ringsOf remembers DirectedRings.
func (p *steps) ringsOf(g *placed.Grid) [][]int32 {
	return p.rings.Of(fmt.Sprint(g.Dims, g.Rings, g.Open, g.Stars), g.DirectedRings)
}

// chooserKey is what divisions depend on.
type chooserKey struct {
	batch  int
	links  [collective.Levels]collective.Link
	domain int
	mesh   bool
}

// chooser finds the divisions that are best on an ideal network of a system's rates.
func (p *steps) chooser(s workload.System, batch int) *workload.Chooser {
	return p.best.Of(chooserKey{batch, s.Link, s.Domain, s.Mesh}, func() *workload.Chooser {
		t := p.opt.Training
		return &workload.Chooser{Model: t.Model, Sequence: t.Sequence, Batch: batch, System: s, Wish: workload.Parallelism{FusedAttention: true}, Ideal: func(ranks int) func(*workload.Training) workload.Fabric {
			n := p.unblocked(0)
			n.Link, n.Scaleup, n.Domain, n.Mesh = s.Link[1], s.Link[0], s.Domain, s.Mesh
			on := ranked{n: n, order: t.order()}
			n.Endpoint = inOrder(ranks)
			return func(x *workload.Training) workload.Fabric { return on.fabric(context.Background(), x) }
		}}
	})
}

// system is the accelerator with a network's rates.
func (p *steps) system(n *placed.Network) workload.System {
	s := p.opt.Training.Accelerator
	s.Domain, s.Mesh, s.Link[0], s.Link[1] = n.Domain, n.Mesh, n.Scaleup, n.Link
	return s
}

// unblocked is a network that blocks nothing, of endpoints with so many Gb/s, without domains and ranks.
func (p *steps) unblocked(gbps float64) *placed.Network {
	alpha := p.opt.Training.Accelerator.Link[1].Alpha
	return &placed.Network{Link: collective.Link{Alpha: alpha, BytesPerS: gbps * bytesPerGb}, Domain: 1,
		Scaleup: collective.Link{Alpha: alpha, BytesPerS: p.opt.ScaleupGbps * bytesPerGb}, Workers: p.opt.Workers, Rings: p.ringsOf}
}

const bytesPerGb = 1e9 / 8

// reduction is the fastest at which a switch of the price list adds, in bytes a second for each port.
func (p *steps) reduction() float64 { return p.adds() }

// fastestAdder finds it.
func (p *steps) fastestAdder() (most float64) {
	for i := range p.opt.Catalog.Parts {
		most = max(most, p.opt.Catalog.Parts[i].ReductionGbps*bytesPerGb)
	}
	return most
}

// leastGain is what a division or a mapping has to be better by than one that was tried before it: more than rounding.
const leastGain = 1e-9

// ranked is a network with the ranks of divisions on it, in an order (nil: that of their numbers); those that are on the same endpoints share what is known of patterns. It is for one goroutine.
type ranked struct {
	n     *placed.Network
	order placed.Order
	least bool // collectives take their bounds
	most  int  // how many divisions are timed; 0: as many as there are
	on    map[workload.Parallelism]*placed.Network
}

// of is it with the ranks of x.
func (r *ranked) of(x *workload.Training) *placed.Network {
	key := workload.Parallelism{DP: x.Ranks()}
	if r.order != nil {
		key = workload.Parallelism{TP: x.TP, CP: x.CP, PP: x.PP, DP: x.DP}
	}
	on := r.on[key]
	if on == nil {
		if on = r.n.On(r.order.Place(x.Parallelism, r.n.Endpoint)); r.on == nil {
			r.on = make(map[workload.Parallelism]*placed.Network)
		}
		r.on[key] = on
	}
	return on
}

// fabric is what x is timed on.
func (r *ranked) fabric(ctx context.Context, x *workload.Training) workload.Fabric {
	if r.least {
		return r.of(x).Bounds()
	}
	return r.of(x).Fabric(ctx)
}

// bounds are what communications of a choice take at least: as long as where nothing blocks, and what cuts carry.
func (r *ranked) bounds(c *workload.Choice) workload.Fabric {
	return &atLeast{r.of(&c.Training).Bounds(), c.Each}
}

// atLeast is a fabric on which communications, in their order, take no less than each.
type atLeast struct {
	workload.Fabric
	each []float64
}

// Collective is that of the next communication.
func (a *atLeast) Collective(c workload.Communication) (seconds float64, algorithm string, err error) {
	seconds, algorithm, err = a.Fabric.Collective(c)
	seconds = max(seconds, a.each[0]*metric.Below)
	a.each = a.each[1:]
	return seconds, algorithm, err
}

// inOrder are so many endpoints by their numbers.
func inOrder(endpoints int) []topology.EndpointID {
	out := make([]topology.EndpointID, endpoints)
	for e := range out {
		out[e] = topology.EndpointID(e)
	}
	return out
}
