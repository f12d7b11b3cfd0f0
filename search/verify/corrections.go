package verify

import (
	"fmt"
	"math"

	"toposearch/evaluator/metric"
	"toposearch/objectives"
	"toposearch/search"
	"toposearch/search/fidelity"
	"toposearch/topology"
)

// Epsilon is by what part a design may be worse than others of its family in the stand-in of a measured metric and stand for simulation: designs
// that closed forms take for alike have been measured that far apart.
const Epsilon = 0.05

// corrected is a search at two fidelities under way.
type corrected struct {
	d       *search.Driver
	pool    []search.Member
	loop    *fidelity.Loop
	objs    []objectives.Objective // of the study
	low     []objectives.Vector    // of the pool, in these
	results map[string]*Result     // by simName
	missed  []search.SimMiss
	limits  []bool // by place: it was measured and misses a measured limit
}

// standIn is the metric that stands for a measured one; of others themselves.
func standIn(k metric.Key) metric.Key {
	if s, ok := search.StandIns[k]; ok {
		return s
	}
	return k
}

// family is that of a space.
func (c *corrected) family(space int) *topology.Family { return c.d.P.Spaces[space].Fam }

// standValue is what a measured metric is a multiple of, by the value of its stand-in: a packet passes one switch more than it has hops.
func standValue(k metric.Key, x float64) float64 {
	if k == metric.SimLatencyHalfLoad {
		return x + 1
	}
	return x
}

// standName names that.
func standName(k metric.Key) string {
	name := metric.Keys[standIn(k)].Name
	if k == metric.SimLatencyHalfLoad {
		name += " + 1"
	}
	return name
}

// figure is the corrected value of a measured metric of a design that was not simulated.
func (c *corrected) figure(i, j int, r *search.Record) metric.Figure {
	o := c.objs[j]
	ratio := c.loop.Ratio(i, j)
	low := o.Value(c.low[i][j])
	m := metric.Figure{Value: low * ratio.Value, Lo: low * ratio.Lo, Hi: low * ratio.Hi, Unit: metric.Keys[o.Key].Unit}
	if o.Key == metric.SimSaturation { // no endpoint sends more than its bandwidth
		m.Value, m.Hi, m.Lo = min(m.Value, saturatedTop), min(m.Hi, saturatedTop), min(m.Lo, saturatedTop)
	}
	n, all := c.counts(c.pool[i].Space)
	m.Method = fmt.Sprintf("not simulated: %s %.4g, corrected by %.3f (%.3f to %.3f with 95 %% confidence), which %d simulated designs of %s and %d of other families let expect",
		standName(o.Key), low, ratio.Value, ratio.Lo, ratio.Hi, n, r.Family, all-n)
	return m
}

// counts is how many designs of a family were measured, and how many of all.
func (c *corrected) counts(space int) (of, all int) {
	for i := range c.pool {
		if c.loop.Measured(i) != nil {
			all++
			if c.pool[i].Space == space {
				of++
			}
		}
	}
	return of, all
}

// summary tells how the search at two fidelities went.
func (c *corrected) summary(partial []string) *search.Fidelity {
	v := &c.d.P.Study.Verify
	s := &search.Fidelity{Pool: len(c.pool), Epsilon: Epsilon, Partial: partial, Most: v.Simulations, Simulations: c.loop.Spent(), Rounds: c.loop.Round(), Stays: c.loop.Stays()}
	for j, o := range c.objs {
		if !search.SimulatedKey(o.Key) {
			continue
		}
		for space := -1; space < len(c.d.P.Spaces); space++ {
			x := search.Correction{Metric: o.Name(), StandIn: standName(o.Key)}
			var low, high []float64
			any := space < 0
			for i := range c.pool {
				if space >= 0 && c.pool[i].Space != space {
					continue
				}
				any = true
				if m := c.loop.Measured(i); m != nil {
					low, high = append(low, o.Value(c.low[i][j])), append(high, o.Value(m[j]))
				}
			}
			if !any {
				continue
			}
			x.Simulated = len(low)
			if k := c.loop.Correction(j); space >= 0 {
				ratio := k.Family(space)
				x.Family, x.Ratio = c.family(space).Name, &ratio
			} else if k.Known() {
				x.Scatter = k.Scatter()
			}
			if r, ok := fidelity.RanksOf(low, high); ok && !math.IsNaN(r.Kendall) {
				x.Ranks = &r
			}
			s.Corrections = append(s.Corrections, x)
		}
	}
	return s
}
