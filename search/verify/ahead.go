package verify

import (
	"context"

	"toposearch/evaluator"
	"toposearch/evaluator/metric"
	"toposearch/search"
	"toposearch/simcore"
	"toposearch/study"
	"toposearch/topology"
)

const (
	// aheadWork bounds what is computed to estimate a simulation, in channels times switches with endpoints: some 50 ms.
	aheadWork = 1e6
	// aheadNs bounds what closed forms may take where there are none, by the evaluator's own cost model.
	aheadNs = 5e7
	// worstShare is the saturation load under the worst permutation over that under uniform traffic where it is not computed: that of tori
	// under natural routing. Trees lose nothing, and dragonflies far more.
	worstShare = 0.5
	// busy is the mean utilisation of ports near saturation where nothing else is known.
	busy = 0.6
)

// Estimate is what the simulation of a design under a traffic is expected to take; nil if it is not simulated. What is small is
// predicted as for the simulation itself, of the rest uniform traffic by closed forms.
func Estimate(ctx context.Context, p *search.Problem, d topology.Design, traffic string) (*Cost, error) {
	return estimate(ctx, p, d, traffic, "")
}

// estimate is Estimate with the routing that was chosen for the design.
func estimate(ctx context.Context, p *search.Problem, d topology.Design, traffic, chosen string) (*Cost, error) {
	var size topology.Size
	if err := d.Family.Size(d.V, &size); err != nil {
		return nil, err
	}
	c := simcore.CountsOfSize(&size)
	costOf := func(a *Ahead) *Cost {
		if p.Study.Verify.Model != study.CutThrough {
			return CostOf(p.Study.Verify, &size, *a)
		}
		opt := evaluator.DefaultOptions()
		opt.BandwidthGbps = p.Study.Options.BandwidthGbps
		if p.Study.Options.Latency.MTUBytes > 0 {
			opt.Latency = p.Study.Options.Latency
		}
		return cutCostOf(p.Study.Verify, &size, *a, &opt)
	}
	if float64(c.Channels)*float64(min(c.Switches, c.Endpoints)) <= aheadWork {
		if a, err := predicted(ctx, p, d, traffic, chosen); err == nil {
			return costOf(a), nil
		}
	}
	a, err := closed(ctx, p, d, &c)
	if err != nil {
		return nil, err
	}
	if traffic != "uniform" {
		a.Saturation *= worstShare
	}
	return costOf(a), nil
}

// predicted computes a prediction as Simulate does.
func predicted(ctx context.Context, p *search.Problem, d topology.Design, traffic, chosen string) (*Ahead, error) {
	n, _, err := Network(p, d)
	if err != nil {
		return nil, err
	}
	way, err := wayOf(ctx, p, d, n, chosen)
	if err != nil {
		return nil, err
	}
	if !known(traffic) || traffic == study.Workload {
		traffic = "uniform"
	}
	var line Result
	l, err := Predict(ctx, n, way, traffic, &line)
	if err != nil {
		return nil, err
	}
	a := &Ahead{Hops: l.MeanHops, Longest: line.longest, Saturation: line.Predicted}
	if line.Direct != nil { // the rest goes by way of an intermediate, twice as far
		a.Hops *= 2 - *line.Direct
	}
	return a, nil
}

// closed is what closed forms say of uniform traffic.
func closed(ctx context.Context, p *search.Problem, d topology.Design, c *simcore.Counts) (*Ahead, error) {
	e, err := evaluator.New(p.Study.Options)
	if err != nil {
		return nil, err
	}
	res, err := e.Evaluate(ctx, d, evaluator.Request{Wished: []metric.Key{metric.MeanHops, metric.GraphDiameter, metric.UniformThroughput}, BudgetNs: aheadNs})
	if err != nil {
		return nil, err
	}
	a := &Ahead{Hops: res.Metrics[metric.MeanHops].Value, Longest: int(res.Metrics[metric.GraphDiameter].Value), Saturation: min(res.Metrics[metric.UniformThroughput].Value, 1)}
	if a.Hops <= 0 || a.Saturation <= 0 {
		const guessed = 3 // hops of networks too large and irregular to be looked at
		a.Hops, a.Longest = guessed, 2*guessed
		a.Saturation = min(1, busy*float64(c.Channels+c.UnitTies)/(float64(c.UnitTies)*(guessed+1)))
	}
	return a, nil
}
