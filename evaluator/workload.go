package evaluator

import (
	"toposearch/evaluator/metric"
	"toposearch/workload"
	"toposearch/workload/placed"
)

// Training is what a network is for: steps of training on all or the first of its endpoints.
type Training struct {
	Model    *workload.Transformer
	Sequence int // tokens
	Batch    int // sequences of a step
	// Parallelism as given; nil: the best on all endpoints that fits their memory, on the network of each design (steps.divide).
	Parallelism *workload.Parallelism
	// Accelerator has the rates and memory of an endpoint, and in Link[1].Alpha what a step of a collective takes
	// besides its bytes, in seconds; domains and the rates of links are the design's.
	Accelerator workload.System
	// MessageBytes is S of the all-reduce and the all-to-all among all endpoints.
	MessageBytes float64
	// Mapping is where ranks are: "" in the order of their numbers, an order of the kinds of parallelism (placed.ParseOrder), or
	// MappingBest, the best of all orders, improved by exchanging groups.
	Mapping string `json:",omitempty"`
	// Base is the endpoints to which linearity compares all, 0 if it is not asked for.
	Base int `json:",omitempty"`
}

// atLeast is the least time of a step on so many endpoints, in seconds.
func (t *Training) atLeast(endpoints int64) float64 {
	return t.Model.LeastSeconds(t.Batch, t.Sequence, int(endpoints), t.Accelerator) * metric.Below
}

// MappingBest is the mapping that is searched for each design.
const MappingBest = "best"

// order is the mapping that is given; nil: that of the ranks' numbers, or one that is searched.
func (t *Training) order() placed.Order {
	if t.Mapping == "" || t.Mapping == MappingBest {
		return nil
	}
	o, err := placed.ParseOrder(t.Mapping)
	if err != nil {
		return nil // studies are checked
	}
	return o
}

// needsWorkload is why there are no times of collectives and steps without Options.Training.
const needsWorkload = "needs a [workload]: write one in the study, and give it to eval with --study"
