package evaluator

import "toposearch/workload"

// Training is what a network is for: steps of training on all or the first of its endpoints.
type Training struct {
	Model    *workload.Transformer
	Sequence int // tokens
	Batch    int // sequences of a step
	// Parallelism as given; nil: the best on all endpoints that fits their memory (workload.Best), on an ideal
	// network of the design's rates.
	Parallelism *workload.Parallelism
	// Accelerator has the rates and memory of an endpoint, and in Link[1].Alpha what a step of a collective takes
	// besides its bytes, in seconds; domains and the rates of links are the design's.
	Accelerator workload.System
	// MessageBytes is S of the all-reduce and the all-to-all among all endpoints.
	MessageBytes float64
}

// needsWorkload is why there are no times of collectives and steps without Options.Training.
const needsWorkload = "needs a [workload]: write one in the study, and give it to eval with --study"
