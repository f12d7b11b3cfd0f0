package evaluator

import (
	"fmt"
	"slices"
	"strings"

	"toposearch/evaluator/metric"
	"toposearch/workload"
	"toposearch/workload/collective"
	"toposearch/workload/placed"
)

// stepGroup times a step with the groups of each collective at once on the routes of the design.
var stepGroup = group{keys: []metric.Key{metric.StepTime, metric.Linearity}, methods: []method{
	{name: "loads of grids and trees", level: 2, applies: noShape, cost: (*work).shapeNs, bytes: (*work).shapeBytes, run: (*work).step},
	{name: "loads of collectives", level: 2, built: true, applies: noTraining, cost: (*work).trainingNs, bytes: (*work).trainingBytes, run: (*work).step},
}}

// timeStep times what is planned on the first of n's endpoints; why is what keeps it from running there.
func (w *work) timeStep(n *placed.Network, endpoints, batch int, given *workload.Parallelism) (r timed, why string, err error) {
	s, t := w.e.steps.system(n), w.e.opt.Training
	on := ranked{n: n, order: t.order()}
	if given == nil {
		on.most = w.mostTimed()
	}
	r.divided, why, err = w.e.steps.divide(w.ctx, s, &on, endpoints, batch, given, mostDivisions)
	if why == "" && err == nil {
		r.hi, r.on = r.step, on.of(r.x)
		switch {
		case on.order != nil:
			r.mapping = "ranks of " + on.order.String() + " next to each other, "
		case t.Mapping == MappingBest:
			err = w.remap(n, s, &r)
		}
	}
	if err != nil && w.ctx.Err() == nil {
		return r, err.Error(), nil
	}
	if why != "" || err != nil {
		return r, why, w.ctx.Err()
	}
	if r.lo, err = r.x.TimeOn(s, r.on.Bounds()); err != nil {
		return r, "", err
	}
	r.most = r.hi
	if rare, err := w.rarely(r.on); rare == nil || err != nil {
		return r, "", err
	} else if r.most, err = r.x.TimeOn(s, rare.Fabric(w.ctx)); err != nil || r.most.Total < r.hi.Total {
		r.most = r.hi
		return r, "", err
	}
	return r, "", nil
}

// chosen says how the parallelism was found, and what that of an ideal network takes.
func (r *timed) chosen(mapping string) string {
	if r.ideal == 0 {
		return "given"
	}
	if r.idealHere <= r.ideal*(1+leastGain) {
		return "the best on an ideal network"
	}
	text := "the best of all that were searched"
	switch {
	case r.cut:
		text = fmt.Sprintf("the best of the first %d that were timed, in the order of their bounds, of the %d that are best on an ideal network", r.timed, r.of)
	case !r.proved:
		text = fmt.Sprintf("the best of the %d that are best on an ideal network", r.of)
	}
	if mapping == MappingBest {
		text += ", with ranks in the order of their numbers"
	}
	if r.step.Total == r.idealHere {
		return fmt.Sprintf("%s, as on an ideal network, where it takes %.4g s", text, r.ideal)
	}
	return fmt.Sprintf("%s; that of an ideal network takes %.4g s there and %.4g s here", text, r.ideal, r.idealHere)
}

// step times a step on the first endpoints, and compares it to one on fewer.
func (w *work) step() error {
	n, err := w.job()
	if err != nil {
		return err
	}
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
	w.between(metric.StepTime, r.hi.Total, r.lo.Total, r.most.Total, fmt.Sprintf("%s, %s (%s), %s%s%s; %s%s; one communication at a time on the links; lo: this parallelism with collectives that none without switches that add is faster than",
		t.Model.Name, r.x.Parallelism, r.chosen(t.Mapping), r.mapping, w.timedText(), w.chosenText(), stepWords(r.hi), w.dividedText(r.hi)))
	return w.linearity(n, &r)
}

// chosenText says what packets of the routing that the design takes do besides taking its routes in a step, "" if nothing.
func (w *work) chosenText() string {
	if !w.divides() {
		return w.untimedText()
	}
	return fmt.Sprintf(" (of what waits for a link as much makes detours by way of every other switch as is best, which %s is taken to find)", w.routing().Name)
}

// dividedText says what all-to-alls over several paths count on, "" if there are none.
func (w *work) dividedText(x *workload.StepTime) string {
	if !slices.ContainsFunc(x.Parts, func(p workload.Part) bool { return strings.HasPrefix(p.Algorithm, collective.MultiPathName) }) {
		return ""
	}
	return fmt.Sprintf("; multi-path: who sends divides each message ahead of time, the same way whatever the queues are, over the routes and over detours in equal parts by way of every other switch, on the VCs of %s; each part keeps to one way", w.routing().Name)
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
	w.between(metric.Linearity, b.hi.Total/r.hi.Total, b.lo.Total/r.most.Total, b.most.Total/r.lo.Total,
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
