package verify

import (
	"context"
	"fmt"
	"math"
	"time"

	"toposearch/evaluator"
	"toposearch/search"
	"toposearch/simcore/flit"
	"toposearch/topology"
)

const (
	// tryHops is how many flit-hops a simulation is tried out for: 30 ms at 100 ns.
	tryHops = 3e5
	// tryCycles is how many cycles at most, of networks that carry little.
	tryCycles = 4000
	// triesS bounds what all simulations that are tried out may take by their models, s.
	triesS = 3
	// tryLoad is the part of the predicted saturation load that is tried: most time is spent near it.
	tryLoad = 0.95
)

// EstimateFinalists is what the simulations of the finalists of a front are expected to take, in all. Where the front has fewer designs than
// are to be simulated and the search has more to come (growing), the rest is taken to be like them; what a search at two fidelities
// simulates beside finalists, and incumbents, too. cpu is the time of the processor that the program has used: with it the beginning of simulations
// is tried out, from which follows what a flit-hop takes here; nil: it is as modelled.
func EstimateFinalists(ctx context.Context, p *search.Problem, front []search.Member, growing bool, cpu func() time.Duration) (all Cost, err error) {
	v := &p.Study.Verify
	chosen := Finalists(p, front)
	if len(chosen) == 0 || len(v.Traffic) == 0 {
		return all, nil
	}
	left, scale, tried := float64(triesS), 0.0, 0.0
	var rest, uniform Cost // as modelled, of those that are not tried out; of uniform traffic
	for _, i := range chosen {
		d := p.Design(front[i].Space, front[i].V)
		r, err := p.Model.Evaluate(ctx, d, evaluator.Request{Level: 1})
		if err != nil {
			return all, fmt.Errorf("estimate the simulation of %s: %w", d, err)
		}
		for _, traffic := range v.Traffic {
			c, err := estimate(ctx, p, d, traffic, r.Routing)
			if ctx.Err() != nil {
				return Cost{}, ctx.Err()
			}
			if err != nil || c == nil { // it will not be simulated
				continue
			}
			if traffic == "uniform" {
				uniform.add(c)
			}
			takes := c.trial()
			if cpu == nil || c.perCycle == 0 || takes > left {
				rest.add(c)
				continue
			}
			left -= takes
			was := c.Seconds
			if !c.tryOut(ctx, p, d, traffic, r.Routing, cpu) {
				rest.add(c)
				continue
			}
			scale, tried = scale+c.Seconds, tried+was
			all.add(c)
		}
	}
	if tried > 0 {
		rest.Seconds *= scale / tried
		uniform.Seconds *= scale / tried
	}
	all.add(&rest)
	each := 1 / float64(len(chosen))
	more := float64(len(p.Study.Incumbents)) * each // of all traffics
	if growing {
		more += max(0, float64(v.Finalists)*each-1)
	}
	all.Seconds, all.FlitHops = all.Seconds*(1+more), all.FlitHops*(1+more)
	all.Seconds += uniform.Seconds * each * float64(v.Simulations)
	all.FlitHops += uniform.FlitHops * each * float64(v.Simulations)
	return all, nil
}

func (c *Cost) add(x *Cost) {
	c.Seconds, c.FlitHops, c.Cycles = c.Seconds+x.Seconds, c.FlitHops+x.FlitHops, max(c.Cycles, x.Cycles)
}

// trial is what trying a simulation out takes by its model, s: what comes before it, and some cycles.
func (c *Cost) trial() float64 {
	return c.Before + (c.Seconds-c.Before)*min(1, tryHops/max(c.FlitHops, 1))
}

// tryOut corrects a cost by what the beginning of the simulation takes, and reports whether it could.
func (c *Cost) tryOut(ctx context.Context, p *search.Problem, d topology.Design, traffic, routing string, cpu func() time.Duration) bool {
	st, q := *p.Study, *p
	st.Verify.Cycles = int(min(max(tryHops/max(c.perCycle, 1), leastCycles), tryCycles))
	q.Study = &st
	begun := cpu()
	line, sim, err := prepare(ctx, &q, d, traffic, routing)
	if err != nil {
		return false
	}
	x, ok := sim.(*flit.Sim)
	if !ok {
		return false
	}
	before := cpu()
	x.SetMaxMeasure(line.Cycles)
	if _, err := x.Run(ctx, math.Max(tryLoad*math.Min(line.Predicted, saturatedTop), leastLoad)); err != nil || x.Spent() == 0 {
		return false
	}
	// A cycle's own time is in that of its flit-hops here; elsewhere, where less moves, it is not.
	hop := float64(cpu()-before)/float64(x.Spent()) - cycleNs/max(c.perCycle, 1)
	c.Before = (before - begun).Seconds()
	c.Seconds = c.Before + c.FlitHops*math.Max(hop, hopNs/4)/1e9 + c.idle
	return true
}
