package bound

import (
	"toposearch/evaluator/metric"
	"toposearch/topology"
)

// training encloses the times of the workload from below, by the counts and the throughput that out holds.
func (m *Model) training(lo, hi *topology.Size, out *metric.Intervals) {
	t := m.opt.Training
	if hi.Endpoints < 2 {
		return
	}
	if t.Step != nil {
		t.step(lo.Endpoints, hi.Endpoints, out)
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

// step encloses a step on any number of endpoints between two from below.
func (t *Training) step(least, most int64, out *metric.Intervals) {
	step, ok := 0.0, false
	if least == most {
		step, ok = t.Step(least)
	} else {
		step, ok = t.StepWithin(least, most)
	}
	if out.Have[metric.StepTime] { // more is known
		step = max(step, out.At[metric.StepTime].Lo)
	}
	if !ok {
		out.Lacks |= metric.KeySet(1) << metric.StepTime
	}
	out.Set(metric.StepTime, step, inf)
}
