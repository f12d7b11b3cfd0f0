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
	// triedOfPool are the designs of a pool by which all that are simulated of it are told: what they take differs by an order of magnitude.
	triedOfPool = 12
	// triesS bounds what all simulations that are tried out may take by their models, s.
	triesS = 3
	// tryLoad is the part of the predicted saturation load that is tried: most time is spent near it.
	tryLoad = 0.95
)

// EstimateFinalists is what the simulations of the finalists of a front are expected to take, in all. Where the front has fewer designs than
// are to be simulated and the search has more to come (growing), the rest is taken to be like them; incumbents, too. Of the pool a search at two fidelities
// simulates designs beside finalists, which are taken to be like some of them. cpu is the time of the processor that the program has used: with it the beginning of simulations
// is tried out, from which follows what a flit-hop takes here; nil: it is as modelled.
func EstimateFinalists(ctx context.Context, p *search.Problem, front, pool []search.Member, growing bool, cpu func() time.Duration) (all Cost, err error) {
	v := &p.Study.Verify
	t := tryouts{p: p, cpu: cpu, left: triesS}
	var finalists []search.Member
	for _, i := range Finalists(p, front) {
		finalists = append(finalists, front[i])
	}
	if len(finalists) == 0 || len(v.Traffic) == 0 {
		return all, nil
	}
	if all, err = t.sum(ctx, finalists, v.Traffic); err != nil {
		return all, err
	}
	each := 1 / float64(len(finalists))
	more := float64(len(p.Study.Incumbents)) * each // of all traffics
	if growing {
		more += max(0, float64(v.Finalists)*each-1)
	}
	all.scale(1 + more)
	if n := min(v.Simulations, len(pool)); n > 0 {
		some := make([]search.Member, min(n, triedOfPool))
		for k := range some {
			some[k] = pool[(2*k+1)*len(pool)/(2*len(some))] // of all families, by as many as each has
		}
		t.left = triesS
		of, err := t.sum(ctx, some, []string{"uniform"})
		if err != nil {
			return all, err
		}
		of.scale(float64(n) / float64(len(some)))
		all.add(&of)
	}
	return all, nil
}

// tryouts are simulations that are tried out, for so many seconds yet, as modelled.
type tryouts struct {
	p    *search.Problem
	cpu  func() time.Duration
	left float64
}

// sum is what designs take under some traffics, of which as many are tried out as there is time for; the others are modelled, at the scale of those.
func (t *tryouts) sum(ctx context.Context, of []search.Member, traffics []string) (all Cost, err error) {
	scale, tried := 0.0, 0.0
	var rest Cost // as modelled, of those that are not tried out
	for _, m := range of {
		d := t.p.Design(m.Space, m.V)
		r, err := t.p.Model.Evaluate(ctx, d, evaluator.Request{Level: 1})
		if err != nil {
			return all, fmt.Errorf("estimate the simulation of %s: %w", d, err)
		}
		for _, traffic := range traffics {
			c, err := estimate(ctx, t.p, d, traffic, r.Routing)
			if ctx.Err() != nil {
				return Cost{}, ctx.Err()
			}
			if err != nil || c == nil { // it will not be simulated
				continue
			}
			takes, was := c.trial(), c.Seconds
			if t.cpu == nil || c.perCycle == 0 || takes > t.left {
				rest.add(c)
				continue
			}
			t.left -= takes
			if !c.tryOut(ctx, t.p, d, traffic, r.Routing, t.cpu) {
				rest.add(c)
				continue
			}
			scale, tried = scale+c.Seconds, tried+was
			all.add(c)
		}
	}
	if tried > 0 {
		rest.Seconds *= scale / tried
	}
	all.add(&rest)
	return all, nil
}

func (c *Cost) scale(by float64) { c.Seconds, c.FlitHops = c.Seconds*by, c.FlitHops*by }

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
