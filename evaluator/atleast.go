package evaluator

import (
	"context"
	"encoding/binary"
	"math"

	"toposearch/evaluator/bound"
	"toposearch/evaluator/metric"
	"toposearch/topology"
	"toposearch/workload"
	"toposearch/workload/collective"
	"toposearch/workload/placed"
)

// trainingBounds bounds the times of the workload, nil if there is none, or if nobody compares by them.
func (e *Evaluator) trainingBounds() *bound.Training {
	if t := e.opt.Training; t == nil || t.Model == nil || !e.opt.BoundTraining && !e.opt.BoundMoney {
		return nil
	}
	if e.opt.BandwidthGbps <= 0 { // endpoints have what their ports add up to, which differs between designs
		return &bound.Training{Step: func(n int64) (float64, bool) { return e.opt.Training.atLeast(n), true }, StepOnMost: e.opt.Training.atLeast,
			Allreduce: func(int64) float64 { return 0 }, Alltoall: func(int64, float64) float64 { return 0 }}
	}
	return &bound.Training{
		Step: func(n int64) (float64, bool) {
			l := e.least(n)
			return l.step, l.ok
		},
		StepOnMost: func(n int64) float64 {
			if l := e.least(n); e.opt.Training.Parallelism != nil && l.ok {
				return l.step // whatever else there is beside its ranks
			}
			return e.opt.Training.atLeast(n)
		},
		Through:   e.throughLeaves,
		Allreduce: func(n int64) float64 { return e.least(n).allreduce },
		Alltoall: func(n int64, throughput float64) float64 {
			return e.alltoall(e.leastNetwork(), int(n), throughput)
		},
	}
}

// leastTimes bound the times of a workload on so many endpoints; ok tells whether a step runs there.
type leastTimes struct {
	step, allreduce float64
	ok              bool
}

// least bounds them on any design: by what they take on a network that blocks nothing, by the same algorithms and the same sums, so
// that designs which block nothing reach the bound. With scale-up domains only what must be sent counts.
func (e *Evaluator) least(endpoints int64) leastTimes {
	if x, ok := e.plans.least.Load(endpoints); ok {
		return x.(leastTimes)
	}
	n := e.leastNetwork()
	l := leastTimes{allreduce: n.LowerBound(e.whole(collective.AllReduce, int(endpoints)))}
	l.step, l.ok = e.leastStep(n, endpoints)
	e.plans.least.Store(endpoints, l)
	return l
}

// leastNetwork blocks nothing, and has the bandwidth that is asked for; with scale-up domains that of both together, since it is not
// known who is in which.
func (e *Evaluator) leastNetwork() *placed.Network {
	n := e.unblocked(e.opt.BandwidthGbps)
	if e.opt.Scaleup {
		n.Link.BytesPerS += n.Scaleup.BytesPerS
	}
	return n
}

func (e *Evaluator) leastStep(n *placed.Network, endpoints int64) (seconds float64, ok bool) {
	t := e.opt.Training
	compute := t.atLeast(endpoints)
	own := e.unblocked(e.opt.BandwidthGbps)
	if e.opt.Scaleup {
		own.Domain = int(e.opt.ScaleupDomain().Endpoints)
	}
	x, _, why := e.planned(e.system(own), int(endpoints), t.Batch, t.Parallelism)
	if why != "" {
		return compute, false
	}
	n.Endpoint = make([]topology.EndpointID, x.Ranks())
	for i := range n.Endpoint {
		n.Endpoint[i] = topology.EndpointID(i)
	}
	var fabric workload.Fabric = n.Fabric(context.Background())
	if e.opt.Scaleup {
		fabric = n.Bounds()
	}
	r, err := x.TimeOn(e.system(own), fabric)
	if err != nil {
		return compute, false
	}
	if e.opt.Scaleup {
		return r.Total * metric.Below, true
	}
	return r.Total, true
}

// throughLeaves bounds a step by what leads out of parts of the network (bound.Training.Through).
func (e *Evaluator) throughLeaves(endpoints int64, part []int32, carry []float64) (float64, bool) {
	if e.opt.Scaleup {
		return 0, false
	}
	key := string(leavesKey(endpoints, part, carry))
	if x, ok := e.plans.through.Load(key); ok {
		return x.(leastTimes).step, x.(leastTimes).ok
	}
	n := e.leastNetwork()
	n.Cuts = &placed.Cuts{Of: part, Carry: carry}
	var l leastTimes
	l.step, l.ok = e.leastStep(n, endpoints)
	e.plans.through.Store(key, l)
	return l.step, l.ok
}

// leavesKey writes parts as runs of endpoints.
func leavesKey(endpoints int64, part []int32, carry []float64) []byte {
	key := binary.AppendVarint(nil, endpoints)
	for i := 0; i < len(part); {
		j := i
		for j < len(part) && part[j] == part[i] {
			j++
		}
		key = binary.AppendVarint(key, int64(part[i]))
		key = binary.AppendVarint(key, int64(j-i))
		i = j
	}
	for _, x := range carry {
		key = binary.AppendUvarint(key, math.Float64bits(x))
	}
	return key
}

// whole is a collective among so many endpoints.
func (e *Evaluator) whole(kind collective.Kind, endpoints int) workload.Communication {
	return workload.Communication{Kind: kind, Group: workload.Group{Stride: 1, Size: endpoints}, Bytes: e.opt.Training.MessageBytes, Count: 1}
}

// alltoall is the time of messages of all n endpoints to all, which are uniform traffic, on a network that carries that share of it.
func (e *Evaluator) alltoall(on *placed.Network, n int, throughput float64) float64 {
	c := e.whole(collective.AllToAll, n)
	steps := float64(n - 1)
	if e.opt.Scaleup {
		steps = 0
	}
	return steps*on.Link.Alpha + c.Kind.WireShare(n)*c.Bytes/on.Link.BytesPerS/min(1, throughput)
}
