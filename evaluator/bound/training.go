package bound

import (
	"toposearch/topology"
	"toposearch/workload/placed"
)

// Training bounds the times of a workload, in seconds, on designs of any family.
type Training struct {
	// Step is the least time of a step on so many endpoints; false: none runs there. nil: nobody compares by steps.
	Step func(endpoints int64) (float64, bool)
	// StepWithin is the same on any number between two; false: none runs on any of them.
	StepWithin func(least, most int64) (float64, bool)
	// Through is the least time of a step on so many endpoints, each in a part that shares no switch with another, where the links of
	// a part to others carry so much, in units of an endpoint's bandwidth; false: none is known. nil: it is not known where ranks are.
	Through func(endpoints int64, part []int32, carry []float64) (float64, bool)
	// OnShape is the time of a step on so many endpoints of a grid or a tree, of designs of a family.
	OnShape func(f *topology.Family, endpoints int64, s placed.Shape) (float64, bool)
	// Searched tells that both take the best of many divisions of the model.
	Searched bool
	// Allreduce and Alltoall are those of collectives among so many; the latter if the network carries that share of uniform
	// traffic at most, which is what it sends. They grow with the endpoints.
	Allreduce func(endpoints int64) float64
	Alltoall  func(endpoints int64, throughput float64) float64
}
