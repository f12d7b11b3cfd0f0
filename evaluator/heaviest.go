package evaluator

import (
	"context"
	"errors"
	"fmt"

	"toposearch/routing"
	"toposearch/topology"
	"toposearch/workload"
	"toposearch/workload/placed"
)

// Heaviest is the communication of a training step that keeps the network busy for longest.
type Heaviest struct {
	workload.Communication
	Algorithm   string
	Parallelism workload.Parallelism
	BusyS       float64 // seconds of a step in which its links or ports are full
	Share       float64 // of what all communications take together
	Messages    []placed.Message
}

// String says which it is, in words.
func (h *Heaviest) String() string {
	return fmt.Sprintf("%s %s among %d ranks of stride %d, %s (%s): %.3g s of a step, %.3g %% of what all communications keep the network busy",
		h.Communication.Parallelism, h.Kind, h.Size, h.Stride, h.Algorithm, h.Parallelism, h.BusyS, 100*h.Share)
}

// Heaviest finds it on a network (Rated) built from a design, ranks on endpoints in order of their numbers as for step_time.
// The error says why there is none: no workload, one that does not fit, or that stays inside scale-up domains.
func (e *Evaluator) Heaviest(ctx context.Context, d topology.Design, n *topology.Network) (*Heaviest, error) {
	e = e.of(d)
	w := &work{e: e, ctx: ctx, d: d, res: &Result{Design: d}, net: n}
	w.size = &w.res.Size
	if err := d.Family.Size(d.V, w.size); err != nil {
		return nil, fmt.Errorf("%s: %w", d, err)
	}
	w.prepare()
	if why := noTraining(w); why != "" {
		return nil, errors.New(why)
	}
	if w.e.opt.Routing == RoutingValiant {
		return nil, errors.New("messages of a step are listed on routes without detours")
	}
	router, err := routing.New(n, w.natural)
	if err != nil {
		return nil, err
	}
	net := w.jobNetwork(router)
	net.Carries = nil // the rates are those of n
	if net.Tracer, err = router.NewTracer(ctx); err != nil && ctx.Err() != nil {
		return nil, err
	}
	job, err := w.job()
	if err != nil {
		return nil, err
	}
	t := w.e.opt.Training
	r, why, err := w.timeStep(job, len(job.Endpoint), t.Batch, t.Parallelism)
	if err != nil {
		return nil, err
	}
	if why != "" {
		return nil, errors.New(why)
	}
	net = net.On(r.on.Endpoint)
	h, all := &Heaviest{Parallelism: r.x.Parallelism}, 0.0
	for _, c := range r.x.Communications() {
		busy, err := net.Busy(ctx, c)
		if err != nil {
			return nil, err
		}
		if all += busy; busy > h.BusyS {
			h.Communication, h.BusyS = c, busy
		}
	}
	if h.BusyS == 0 {
		return nil, errors.New("no communication of the workload's step leaves an endpoint or its scale-up domain")
	}
	h.Share = h.BusyS / all
	h.Messages, h.Algorithm, err = net.Messages(ctx, h.Communication)
	return h, err
}
