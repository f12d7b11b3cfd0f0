package reproduce

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"toposearch/internal/crew"
	"toposearch/simcore"
	"toposearch/simcore/flit"
	"toposearch/simcore/traffic"
)

// settleShare: the warm-up takes two thirds of the measured cycles, longer than a message takes on an idle network many times over.
const settleShare = 2.0 / 3

// hotCycles are measured under a hot spot, where loads are so low that few messages come: hundreds to the hot endpoint alone.
const hotCycles = 8000

// loadTask is a point of a curve.
type loadTask struct {
	curve *loadCurve
	at    int
	cost  float64 // flit-hops, about
}

// run simulates every point of every curve. The outcome does not depend on the number of workers.
func (p *loadPlan) run(ctx context.Context, workers int) ([]*loadCurve, error) {
	all, err := p.curves(ctx)
	if err != nil {
		return nil, err
	}
	patterns := make(map[*loadCurve]*traffic.Pattern)
	loads := make(map[string]*traffic.Load) // by design and traffic: several curves share them
	var tasks []loadTask
	for _, c := range all {
		t, err := c.net.pattern(c.traffic)
		if err != nil {
			return nil, fmt.Errorf("%s on %s: %w", c.traffic, c.net.design, err)
		}
		patterns[c] = t
		l := loads[c.net.design+c.traffic]
		if l == nil {
			if l, err = t.Load(ctx, c.net.router, workers); err != nil {
				return nil, err
			}
			loads[c.net.design+c.traffic] = l
		}
		c.analytic, c.by = l.Throughput(c.net.n)
		if c.relative {
			c.loads = slices.Clone(c.loads)
			for i := range c.loads {
				c.loads[i] = min(1, c.loads[i]*c.analytic)
			}
		}
		c.points = make([]simcore.Point, len(c.loads))
		for i, load := range c.loads {
			tasks = append(tasks, loadTask{c, i, float64(p.cyclesOf(c)) * float64(c.net.n.Endpoints()) * (min(load, c.analytic)*l.MeanHops + 1)})
		}
	}
	slices.SortStableFunc(tasks, func(a, b loadTask) int { return cmp.Compare(b.cost, a.cost) }) // long ones first
	g, ctx := crew.WithContext(ctx, max(1, workers))
	for _, x := range tasks {
		g.Go(func() (err error) {
			x.curve.points[x.at], err = p.point(ctx, x.curve, patterns[x.curve], x.curve.loads[x.at])
			return err
		})
	}
	return all, g.Wait()
}

func (p *loadPlan) isLarge(x *loadNet) bool { return slices.Contains(p.large[:], x.design) }

func (p *loadPlan) cyclesOf(c *loadCurve) int {
	switch {
	case c.finding == 5:
		return hotCycles
	case p.isLarge(c.net):
		return p.cycles[0]
	}
	return p.cycles[1]
}

// point simulates a load.
func (p *loadPlan) point(ctx context.Context, c *loadCurve, t *traffic.Pattern, load float64) (simcore.Point, error) {
	cfg := flit.SwitchConfig()
	cfg.VCs, cfg.PacketFlits, cfg.Seed = loadVCs, longMessage, 1
	if c.injection != "" {
		cfg.Injection = c.injection
	}
	if c.short > 0 {
		cfg.Sizes, cfg.Weights = []int{shortMessage, longMessage}, []int{c.short, 100 - c.short}
	}
	cfg.Measure = p.cyclesOf(c)
	cfg.Warmup = int(settleShare * float64(cfg.Measure))
	s, err := flit.New(c.net.n, c.net.native, t, cfg)
	if err != nil {
		return simcore.Point{}, err
	}
	return s.Run(ctx, load)
}

// most is the highest throughput of any load, flits per cycle and endpoint.
func (c *loadCurve) most() float64 {
	best := 0.0
	for i := range c.points {
		best = max(best, c.points[i].Accepted)
	}
	return best
}

// at is the point of a load; nil if there is none or the load was not accepted, so that its latency says nothing.
func (c *loadCurve) at(load float64) *simcore.Point {
	for i := range c.points {
		if p := &c.points[i]; p.Offered == load && carried(*p) && p.Packets > 0 {
			return p
		}
	}
	return nil
}

// kneeTimes: latency curves bend where queues begin to dominate; three idle latencies are well within the bend.
const kneeTimes = 3

// knee is the load at which the mean latency is kneeTimes that of the lowest load, between points along a straight line in the
// logarithm of latency; NaN if no point is as slow. Latencies of saturated points, lower bounds, serve only to bound it.
func (c *loadCurve) knee() float64 {
	if len(c.points) == 0 || c.points[0].Latency.Mean == 0 {
		return math.NaN()
	}
	goal := math.Log(kneeTimes * c.points[0].Latency.Mean)
	for i := 1; i < len(c.points); i++ {
		a, b := math.Log(c.points[i-1].Latency.Mean), math.Log(c.points[i].Latency.Mean)
		if b >= goal && b > a {
			return c.points[i-1].Offered + (goal-a)/(b-a)*(c.points[i].Offered-c.points[i-1].Offered)
		}
	}
	return math.NaN()
}

// compared are two curves at the loads that both accept.
func compared(a, b *loadCurve, each func(load float64, p, q *simcore.Point)) (loads int) {
	for i := range a.points {
		load := a.points[i].Offered
		if p, q := a.at(load), b.at(load); p != nil && q != nil {
			each(load, p, q)
			loads++
		}
	}
	return loads
}
