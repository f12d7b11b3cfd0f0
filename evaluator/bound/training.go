package bound

import (
	"toposearch/evaluator/metric"
	"toposearch/topology"
)

// Training bounds the times of a workload, in seconds, on designs of any family.
type Training struct {
	// Step is the least time of a step on so many endpoints; false: none runs there.
	Step func(endpoints int64) (float64, bool)
	// StepOnMost is the same on so many or fewer.
	StepOnMost func(endpoints int64) float64
	// Through is the least time of a step on so many endpoints, each in a part that shares no switch with another, where the links of
	// a part to others carry so much, in units of an endpoint's bandwidth; false: none is known. nil: it is not known where ranks are.
	Through func(endpoints int64, part []int32, carry []float64) (float64, bool)
	// Allreduce and Alltoall are those of collectives among so many; the latter if the network carries that share of uniform
	// traffic at most, which is what it sends. They grow with the endpoints.
	Allreduce func(endpoints int64) float64
	Alltoall  func(endpoints int64, throughput float64) float64
}

// training encloses the times of the workload from below, by the counts and the throughput that out holds.
func (m *Model) training(lo, hi *topology.Size, out *metric.Intervals) {
	t := m.opt.Training
	if hi.Endpoints < 2 {
		return
	}
	if lo.Endpoints == hi.Endpoints {
		step, ok := t.Step(lo.Endpoints)
		if out.Have[metric.StepTime] { // more is known
			step = max(step, out.At[metric.StepTime].Lo)
		}
		if !ok {
			out.Lacks |= metric.KeySet(1) << metric.StepTime
		}
		out.Set(metric.StepTime, step, inf)
	} else {
		out.Set(metric.StepTime, t.StepOnMost(hi.Endpoints), inf)
	}
	if m.opt.Routing == "valiant" {
		return
	}
	theta := 1.0
	if x := out.At[metric.UniformThroughput]; out.Have[metric.UniformThroughput] && m.opt.Phases.Hi == 1 {
		theta = min(1, x.Hi)
	}
	n := max(lo.Endpoints, 2)
	out.Set(metric.AllreduceTime, t.Allreduce(n)*metric.Below, inf)
	out.Set(metric.AlltoallTime, t.Alltoall(n, theta)*metric.Below, inf)
}
