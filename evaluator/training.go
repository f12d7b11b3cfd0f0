package evaluator

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strings"

	"toposearch/evaluator/metric"
	"toposearch/routing"
	"toposearch/topology"
	"toposearch/workload"
	"toposearch/workload/collective"
	"toposearch/workload/placed"
)

// trainingGroup times collectives and a step with the groups of each collective at once on the routes of the design,
// ranks on endpoints in order of their numbers.
var trainingGroup = group{keys: []metric.Key{metric.AllreduceTime, metric.AlltoallTime, metric.StepTime, metric.Linearity}, methods: []method{
	{name: "loads of collectives", level: 2, built: true, applies: func(w *work) string {
		switch {
		case w.e.opt.Training == nil:
			return needsWorkload
		case w.size.Endpoints < 2:
			return "there is no pair of endpoints"
		case w.res.Reject.Constraint == metric.RejectRate:
			return w.res.Reject.Words()
		case w.e.opt.Routing == RoutingValiant || w.byTables() || !knownRouting(w.e.opt.Routing):
			return fmt.Sprintf("collectives are timed with the routings natural and minimal, not %q", w.e.opt.Routing)
		case w.d.Family.HasScaleup() && !w.e.scaled(w.d.Family):
			return "servers of the family itself are not timed: give [endpoints] scale-up switches"
		}
		return ""
	}, cost: (*work).trainingNs, run: runTraining},
}}

// trains reports whether a metric is one of a training step that is asked for.
func (w *work) trains(k metric.Key) bool {
	return w.e.opt.Training != nil && slices.Contains(trainingGroup.keys, k)
}

// trainingNs: about three permutations and one for each power of two below the size of each of six groups, each with
// a search and a sweep from every attachment set; and the pairs of the all-to-all one by one.
func (w *work) trainingNs() float64 {
	n := float64(w.size.Endpoints)
	permutations := 6*3 + 3*float64(bits.Len64(uint64(w.size.Endpoints)))
	return w.sets()*max(8, 3*float64(w.natural.States))*(w.channels()+w.vertices())*permutations + 30*n*n + w.compileNs()
}

func runTraining(w *work) error {
	r, err := routing.New(w.net, w.rule())
	if err != nil {
		return err
	}
	t := w.e.opt.Training
	n := w.jobNetwork(r)
	for _, c := range []struct {
		key  metric.Key
		kind collective.Kind
	}{{metric.AllreduceTime, collective.AllReduce}, {metric.AlltoallTime, collective.AllToAll}} {
		all := workload.Communication{Kind: c.kind, Group: workload.Group{Stride: 1, Size: len(n.Endpoint)}, Bytes: t.MessageBytes, Count: 1}
		s, algorithm, err := n.Collective(w.ctx, all)
		if err != nil {
			if w.ctx.Err() != nil {
				return w.ctx.Err()
			}
			w.absent(c.key, err.Error())
			continue
		}
		w.between(c.key, s, n.LowerBound(all), s, fmt.Sprintf("%s of %g B among all %d endpoints, %s, %s; lo: no algorithm without switches that add is faster",
			c.kind, t.MessageBytes, len(n.Endpoint), algorithm, w.routesText()))
	}
	return w.step(n)
}

// jobNetwork is the network of the design for collectives, with a rank on each endpoint.
func (w *work) jobNetwork(r *routing.Router) *placed.Network {
	const bytesPerGb = 1e9 / 8
	alpha := w.e.opt.Training.Accelerator.Link[1].Alpha
	n := &placed.Network{Router: r, Link: collective.Link{Alpha: alpha, BytesPerS: w.rates.Bandwidth * bytesPerGb}, Domain: 1,
		Scaleup: collective.Link{Alpha: alpha, BytesPerS: w.e.opt.ScaleupGbps * bytesPerGb}, Workers: w.e.opt.Workers,
		Carries: func(l *routing.Loads) float64 {
			if limit := w.loadLimit(l); limit.Limited {
				return limit.Throughput
			}
			return math.Inf(1)
		}}
	if w.e.scaled(w.d.Family) {
		n.Domain = int(w.e.opt.ScaleupDomain().Endpoints)
	}
	for e := range w.size.Endpoints {
		n.Endpoint = append(n.Endpoint, topology.EndpointID(e))
	}
	return n
}

// timed is a step on some endpoints: its time, at least and as computed, and how it is divided.
type timed struct {
	x      *workload.Training
	hi, lo *workload.StepTime
	how    string
}

// planned is the step of batch sequences that is trained on at most so many ranks, divided as given or, if that is nil, as
// is best, and how that was found; why says why there is none.
func (w *work) planned(s workload.System, ranks, batch int, given *workload.Parallelism) (x *workload.Training, how, why string) {
	t := w.e.opt.Training
	if given == nil {
		best, _, err := workload.Best(t.Model, t.Sequence, batch, ranks, s, workload.Parallelism{FusedAttention: true})
		if err != nil {
			return nil, "", err.Error()
		}
		return best, "the best on an ideal network", ""
	}
	x = &workload.Training{Model: t.Model, Sequence: t.Sequence, Batch: batch, Parallelism: *given}
	if over := x.Ranks() - ranks; over > 0 {
		return nil, "", fmt.Sprintf("tp x cp x pp x dp = %d ranks, %d more than the %d endpoints", x.Ranks(), over, ranks)
	}
	if err := x.Fits(s); err != nil {
		return nil, "", err.Error()
	}
	return x, "given", ""
}

// system is the accelerator with the network's rates.
func (w *work) system(n *placed.Network) workload.System {
	s := w.e.opt.Training.Accelerator
	s.Domain, s.Link[0], s.Link[1] = n.Domain, n.Scaleup, n.Link
	return s
}

// timeStep times what is planned on the first of n's endpoints; why is what keeps it from running there.
func (w *work) timeStep(n *placed.Network, endpoints, batch int, given *workload.Parallelism) (r timed, why string, err error) {
	s := w.system(n)
	if r.x, r.how, why = w.planned(s, endpoints, batch, given); why != "" {
		return r, why, nil
	}
	on := *n
	on.Endpoint = n.Endpoint[:r.x.Ranks()]
	on.Forget()
	if r.hi, err = r.x.TimeOn(s, on.Fabric(w.ctx)); err != nil {
		if w.ctx.Err() != nil {
			return r, "", w.ctx.Err()
		}
		return r, err.Error(), nil
	}
	r.lo, err = r.x.TimeOn(s, on.Bounds())
	return r, "", err
}

// step times a step on the first endpoints, and compares it to one on fewer.
func (w *work) step(n *placed.Network) error {
	t := w.e.opt.Training
	r, why, err := w.timeStep(n, len(n.Endpoint), t.Batch, t.Parallelism)
	if err != nil {
		return err
	}
	if why != "" {
		w.absent(metric.StepTime, why)
		w.absent(metric.Linearity, "needs step_time: "+why)
		return nil
	}
	w.between(metric.StepTime, r.hi.Total, r.lo.Total, r.hi.Total, fmt.Sprintf("%s, %s (%s), %s; %s; one communication at a time on the links; lo: this parallelism with collectives that none without switches that add is faster than",
		t.Model.Name, r.x.Parallelism, r.how, w.routesText(), stepWords(r.hi)))
	return w.linearity(n, &r)
}

// linearity compares the sequences a second of the step r to those of one on the first Base endpoints of the network,
// with as many sequences for each endpoint: of a parallelism that is given, as many ranks of data parallelism.
func (w *work) linearity(n *placed.Network, r *timed) error {
	t, all := w.e.opt.Training, len(n.Endpoint)
	var given *workload.Parallelism
	batch, whole := scaled(t.Batch, t.Base, all)
	if t.Parallelism != nil {
		p := *t.Parallelism
		dp, ok := scaled(p.DP, t.Base, all)
		p.DP, given, whole = dp, &p, whole && ok
	}
	switch {
	case t.Base == 0:
		w.absent(metric.Linearity, "needs endpoints to compare with: write base in [workload]")
		return nil
	case t.Base > all:
		w.absent(metric.Linearity, fmt.Sprintf("base is %d endpoints, and there are %d", t.Base, all))
		return nil
	case !whole:
		w.absent(metric.Linearity, fmt.Sprintf("batch %d, or dp, does not divide as %d endpoints are of %d", t.Batch, t.Base, all))
		return nil
	}
	b, why, err := w.timeStep(n, t.Base, batch, given)
	if err != nil {
		return err
	}
	if why != "" {
		w.absent(metric.Linearity, fmt.Sprintf("on %d endpoints: %s", t.Base, why))
		return nil
	}
	// As many sequences for each endpoint: what is compared is the time of a step.
	w.between(metric.Linearity, b.hi.Total/r.hi.Total, b.lo.Total/r.hi.Total, b.hi.Total/r.lo.Total,
		fmt.Sprintf("sequences a second on %d endpoints against those on the first %d of them, %d a step, times %.4g: %s there, %.4g s", all, t.Base, batch, float64(all)/float64(t.Base), b.x.Parallelism, b.hi.Total))
	return nil
}

// scaled is x of all for base of them, and whether it is whole.
func scaled(x, base, all int) (int, bool) {
	y := x * base / all
	return y, y >= 1 && y*all == x*base
}

// stepWords are the parts of a step.
func stepWords(x *workload.StepTime) string {
	parts := []string{fmt.Sprintf("compute %.4g s", x.Matrices+x.Elements), fmt.Sprintf("bubble %.4g s", x.Bubble), fmt.Sprintf("optimiser %.4g s", x.Optimiser)}
	for _, p := range x.Parts {
		parts = append(parts, fmt.Sprintf("%s %s %.4g s exposed, %.4g hidden (%s)", p.Parallelism, p.Kind, p.Exposed, p.Hidden, p.Algorithm))
	}
	return strings.Join(parts, ", ")
}
