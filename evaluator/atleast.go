package evaluator

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"

	"toposearch/evaluator/bound"
	"toposearch/evaluator/metric"
	"toposearch/topology"
	"toposearch/workload"
	"toposearch/workload/collective"
	"toposearch/workload/placed"
)

// bounds bounds the times of the workload, nil if there is none, or if nobody compares by them.
func (p *steps) bounds() *bound.Training {
	steps := p.opt.BoundTraining || p.opt.BoundMoney
	if t := p.opt.Training; t == nil || t.Model == nil || !steps && !p.opt.BoundCollectives {
		return nil
	}
	if p.opt.BandwidthGbps <= 0 { // endpoints have what their ports add up to, which differs between designs
		return &bound.Training{Step: func(n int64) (float64, bool) { return p.opt.Training.atLeast(n), true },
			StepWithin: func(_, most int64) (float64, bool) { return p.opt.Training.atLeast(most), true },
			Allreduce:  func(int64) float64 { return 0 }, Alltoall: func(int64, float64) float64 { return 0 }}
	}
	t := &bound.Training{
		Allreduce: p.leastAllreduce,
		Alltoall: func(n int64, throughput float64) float64 {
			on := p.leastNetwork()
			if p.opt.Scaleup { // a part of it stays in domains, in fewer steps
				on.Link.Alpha, throughput = 0, 1
			}
			return p.alltoall(on, int(n), throughput)
		},
	}
	if steps {
		t.Step = func(n int64) (float64, bool) {
			l := p.least(n)
			return l.step, l.ok
		}
		t.Allreduce = func(n int64) float64 { return p.least(n).allreduce } // which is remembered
		t.StepWithin, t.Through, t.OnShape = p.leastWithin, p.throughLeaves, p.onShape
		t.Searched = p.opt.Training.Parallelism == nil && p.opt.Training.Mapping != MappingBest
	}
	return t
}

// leastTimes bound the times of a workload on so many endpoints; ok tells whether a step runs there.
type leastTimes struct {
	step, allreduce float64
	ok              bool
}

// least bounds them on any design: by what they take on a network that blocks nothing, by the same algorithms and the same sums, so
// that designs which block nothing reach the bound. With scale-up domains only what must be sent counts.
func (p *steps) least(endpoints int64) leastTimes {
	if x, ok := p.bounded.Find(endpoints); ok {
		return x
	}
	l := leastTimes{allreduce: p.leastAllreduce(endpoints)}
	l.step, l.ok = p.leastStep(p.leastNetwork(), endpoints)
	p.bounded.Keep(endpoints, l)
	return l
}

// leastAllreduce bounds an all-reduce among so many on any design.
func (p *steps) leastAllreduce(endpoints int64) float64 {
	return p.leastNetwork().LowerBound(p.whole(collective.AllReduce, int(endpoints)))
}

// mostNumbers bounds the numbers of endpoints of a box that are tried one by one: each takes some 10 ms the first time, as a design of so many endpoints would.
const mostNumbers = 256

// leastWithin bounds a step on any number of endpoints between two (bound.Training.StepWithin).
func (p *steps) leastWithin(least, most int64) (seconds float64, ok bool) {
	if p.opt.Training.Parallelism != nil {
		l := p.least(most) // whatever else there is beside its ranks
		return l.step, l.ok
	}
	if most-least >= mostNumbers {
		return p.opt.Training.atLeast(most), true
	}
	key := [2]int64{least, most}
	if l, found := p.within.Find(key); found {
		return l.step, l.ok
	}
	seconds = math.Inf(1)
	for n := least; n <= most; n++ {
		if l := p.least(n); l.ok {
			seconds, ok = min(seconds, l.step), true
		}
	}
	if !ok {
		seconds = p.opt.Training.atLeast(most)
	}
	p.within.Keep(key, leastTimes{step: seconds, ok: ok})
	return seconds, ok
}

// leastNetwork blocks nothing, and has the bandwidth that is asked for; with scale-up domains that of both together, since it is not
// known who is in which.
func (p *steps) leastNetwork() *placed.Network {
	n := p.unblocked(p.opt.BandwidthGbps)
	n.Reduction = p.reduction()
	if d := p.opt.ScaleupDomain(); p.opt.Scaleup && d.Levels == 0 { // all links of a mesh at once
		n.Link.BytesPerS += float64(d.Endpoints-1) * n.Scaleup.BytesPerS
	} else if p.opt.Scaleup {
		n.Link.BytesPerS += n.Scaleup.BytesPerS
	}
	return n
}

// leastStep bounds a step on n, by the best of all divisions there: of those that are not tried, by what they take on an ideal network. With a mapping that is searched groups may be inside domains that are not in the order of numbers.
func (p *steps) leastStep(n *placed.Network, endpoints int64) (seconds float64, ok bool) {
	t := p.opt.Training
	compute := t.atLeast(endpoints)
	own := p.unblocked(p.opt.BandwidthGbps)
	if p.opt.Scaleup {
		own.Domain, own.Mesh = p.opt.ScaleupDomain().Endpoints, p.opt.ScaleupDomain().Levels == 0
	}
	n.Endpoint = inOrder(int(endpoints))
	on := ranked{n: n, order: t.order(), least: p.opt.Scaleup}
	d, why, err := p.divide(context.Background(), p.system(own), &on, int(endpoints), t.Batch, t.Parallelism, fewDivisions)
	switch {
	case err != nil || why != "":
		return compute, false
	case p.opt.Scaleup && t.Parallelism == nil && t.Mapping == MappingBest:
		return compute, true
	case p.opt.Scaleup:
		return d.least * metric.Below, true
	}
	return d.least, true
}

// onShape is the time of a step on a shape (bound.Training.OnShape), remembered: tuples that differ in what does not load links
// are the same shape.
func (p *steps) onShape(f *topology.Family, endpoints int64, shape placed.Shape) (float64, bool) {
	if p.opt.Scaleup || p.opt.Training.Mapping == MappingBest {
		return 0, false
	}
	divides := p.opt.mayDivide(f)
	if _, blocks := shape.(placed.Blocks); blocks && divides && p.opt.Training.Model.Experts != nil {
		return 0, false // their all-to-alls may make detours
	}
	key := fmt.Sprintf("%d %t %T %v", endpoints, divides, shape, shape)
	if x, ok := p.through.Find(key); ok {
		return x.step, x.ok
	}
	n := p.leastNetwork()
	n.Shape, n.Known, n.Counts = shape, p.knownOf(shape, n), p.countsOf(shape, n)
	if divides {
		n.Detours = new(placed.Detours)
	}
	var l leastTimes
	l.step, l.ok = p.leastStep(n, endpoints)
	p.through.Keep(key, l)
	return l.step, l.ok
}

// throughLeaves bounds a step by what leads out of parts of the network (bound.Training.Through).
func (p *steps) throughLeaves(endpoints int64, part []int32, carry []float64) (float64, bool) {
	if p.opt.Scaleup || p.opt.Training.Mapping == MappingBest { // it is not known where ranks are
		return 0, false
	}
	key := string(leavesKey(endpoints, part, carry))
	if x, ok := p.through.Find(key); ok {
		return x.step, x.ok
	}
	n := p.leastNetwork()
	cuts := placed.NewCuts(part, carry)
	n.Cuts, n.Counts = &cuts, p.countsOf(&cuts, n)
	var l leastTimes
	l.step, l.ok = p.leastStep(n, endpoints)
	p.through.Keep(key, l)
	return l.step, l.ok
}

// leavesKey names parts of endpoints and what leads out of them.
func leavesKey(endpoints int64, part []int32, carry []float64) []byte {
	key := placed.AppendParts(binary.AppendVarint(nil, endpoints), part)
	for _, x := range carry {
		key = binary.AppendUvarint(key, math.Float64bits(x))
	}
	return key
}

// whole is a collective among so many endpoints.
func (p *steps) whole(kind collective.Kind, endpoints int) workload.Communication {
	return workload.Communication{Kind: kind, Group: workload.Group{Stride: 1, Size: endpoints}, Bytes: p.opt.Training.MessageBytes, Count: 1}
}

// alltoall is the time of messages of all n endpoints to all, which are uniform traffic, on a network that carries that share of it.
func (p *steps) alltoall(on *placed.Network, n int, throughput float64) float64 {
	c := p.whole(collective.AllToAll, n)
	return float64(n-1)*on.Link.Alpha + c.Kind.WireShare(n)*c.Bytes/on.Link.BytesPerS/min(1, throughput)
}
