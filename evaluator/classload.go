package evaluator

import (
	"context"
	"fmt"
	"math"
	"slices"

	"toposearch/evaluator/market"
	"toposearch/evaluator/metric"
	"toposearch/routing"
	"toposearch/topology"
)

// ClassLoad is how heavily the busiest channel of a class of links is loaded over direct routes if all endpoints send at their full bandwidth,
// as a fraction of what the channel carries; NaN where it is not known.
type ClassLoad struct {
	// Uniform is the load under uniform traffic.
	Uniform float64
	// Worst encloses the load under the traffic that is worst for the class, of all in which no endpoint sends or takes more than its
	// bandwidth (routing.WorstCase, topology.WorstLoads).
	Worst metric.Interval
}

// ClassLoads gives the loads of all link classes of a design, and says in words of which routes they are and how they are known. The largest of Uniform
// but for ports of endpoints is 1 over uniform_throughput of the natural routing. Loads that no closed form gives
// may take budgetNs by the cost model. An error says why nothing is known of them, or that ctx is done.
func (e *Evaluator) ClassLoads(ctx context.Context, d topology.Design, budgetNs float64) (loads []ClassLoad, how string, err error) {
	defer topology.Finish(&err)
	e = e.of(d)
	w := &work{e: e, ctx: ctx, d: d, res: &Result{Design: d, Absent: map[metric.Key]string{}}}
	if err := d.Family.Size(d.V, &w.res.Size); err != nil {
		return nil, "", fmt.Errorf("%s: %w", d, err)
	}
	w.size = &w.res.Size
	defer w.done()
	w.prepare()
	if w.res.Reject.Constraint == metric.RejectRate {
		return nil, "", fmt.Errorf("%s: %s", d, w.res.Reject.Words())
	}
	loads = make([]ClassLoad, len(d.Family.LinkClasses))
	for c := range loads {
		nan := math.NaN()
		loads[c] = ClassLoad{nan, metric.Interval{Lo: nan, Hi: nan}}
	}
	switch {
	case w.naturalPaths() != nil:
		how, err = "closed forms", w.closedClassLoads(loads)
	case e.scaled(d.Family):
		return nil, "", fmt.Errorf("%s: its endpoints relay over a scale-up mesh: loads are of all links together", d)
	case w.buildNs()+exactLoadNs(w) > budgetNs:
		return nil, "", fmt.Errorf("%s: the loads of its channels take about %s, and there is no closed form", d, seconds(w.buildNs()+exactLoadNs(w)))
	default:
		how, err = "every channel of the network", w.builtClassLoads(loads, budgetNs)
	}
	return loads, "direct routes (" + w.natural.Name + "), by " + how, err
}

// closedClassLoads fills what closed forms say.
func (w *work) closedClassLoads(loads []ClassLoad) error {
	f, p := w.d.Family, w.naturalPaths()
	known := f.Worst != nil && f.Worst(w.d.V, &w.worst)
	for c := range loads {
		sum := float64(p.Sums.Cross[c])
		if sum == 0 || w.rates.Kind[c] == market.Inside {
			continue
		}
		channels := 2 * float64(w.size.Link[c])
		if f.Unidirectional && c > 0 {
			channels /= 2
		}
		x := &loads[c]
		x.Uniform = sum / float64(p.Sums.Pairs) * float64(w.size.Endpoints) / channels * p.Peak[c] / w.rates.Capacity(c)
		switch {
		case c == 0 && w.size.EndpointPorts <= 1: // whatever an endpoint does, it sends no more
			x.Worst = metric.Interval{Lo: x.Uniform, Hi: x.Uniform}
		case known && w.worst.Bound[c] > 0:
			x.Worst = metric.Interval{Lo: max(w.worst.Found[c]/w.rates.Capacity(c), x.Uniform), Hi: w.worst.Bound[c] / w.rates.Capacity(c)}
		}
	}
	return nil
}

// builtClassLoads fills the loads of every channel of the built network, and where that is not too much encloses the worst ones.
func (w *work) builtClassLoads(loads []ClassLoad, budgetNs float64) error {
	if err := w.build(); err != nil {
		return err
	}
	n, capacity := w.net, w.linkCapacity()
	r, err := routing.New(n, w.natural)
	if err != nil {
		return err
	}
	l, err := r.UniformLoads(w.ctx, routing.LoadOptions{Workers: w.e.opt.Workers})
	if err != nil {
		return err
	}
	if l.UnreachablePairs > 0 {
		return fmt.Errorf("%s: %.0f of %.0f endpoint pairs are unreachable", w.d, l.UnreachablePairs, l.Pairs)
	}
	w.eachClass(l.Relative(n, capacity), func(c int, x float64) { loads[c].Uniform = larger(loads[c].Uniform, x) })
	if w.size.EndpointPorts <= 1 && n.LinkClasses[0].Name == topology.ClassNic {
		x := 1 / w.rates.Capacity(0)
		loads[0] = ClassLoad{x, metric.Interval{Lo: x, Hi: x}}
	}
	if w.everyPairNs() > budgetNs || w.sets() > routing.MaxMatched || w.d.Family.Unidirectional {
		return nil
	}
	worst, err := r.WorstCase(w.ctx, capacity, false, nil)
	if err != nil {
		return err
	}
	w.eachClass(worst.Bound, func(c int, x float64) { loads[c].Worst.Hi = larger(loads[c].Worst.Hi, x) })
	found, err := r.FlowLoads(w.ctx, worst.Worst, routing.LoadOptions{Workers: w.e.opt.Workers})
	if err != nil {
		return err
	}
	for _, load := range [][]float64{found.Relative(n, capacity), worst.Alone} {
		w.eachClass(load, func(c int, x float64) {
			loads[c].Worst.Lo = larger(loads[c].Worst.Lo, max(x, loads[c].Uniform))
		})
	}
	return nil
}

// eachClass visits relative loads by the class of their channel; those behind the channels are of ports of endpoints.
func (w *work) eachClass(relative []float64, visit func(class int, load float64)) {
	nic := max(slices.IndexFunc(w.net.LinkClasses, func(c topology.LinkClass) bool { return c.Name == topology.ClassNic }), 0)
	for i, x := range relative {
		c := nic
		if i < w.net.Channels() {
			c = w.net.LinkClass(topology.ChannelID(i))
		}
		if w.net.LinkClasses[c].Name != topology.ClassInternal {
			visit(c, x)
		}
	}
}

// larger is the larger of two loads, of which the first may not be known yet.
func larger(x, y float64) float64 {
	if math.IsNaN(x) || y > x {
		return y
	}
	return x
}
