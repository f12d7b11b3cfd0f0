package evaluator

import (
	"context"

	"toposearch/topology"
)

// BaseNs is what an evaluation takes beside its methods: rates, parts, and what its result holds. Measured on one core of 2.5 GHz.
const BaseNs = 3e4

// modelledMostNs is what a method may be modelled to take to be run by Modelled; of longer ones the model is enough.
const modelledMostNs = 1e6

// Modelled is what an evaluation is modelled to take, ns. Methods that take long are not run for that, and no network is built.
func (e *Evaluator) Modelled(ctx context.Context, d topology.Design, req Request) (ns float64, err error) {
	ns = BaseNs
	req.Trace = func(s Step, run func() error) error {
		if ns += s.Ns; s.Ns > modelledMostNs {
			return ErrSkipped
		}
		return run()
	}
	_, err = e.Evaluate(ctx, d, req)
	return ns, err
}
