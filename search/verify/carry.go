package verify

import (
	"context"
	"math"

	"toposearch/evaluator"
	"toposearch/internal/memory"
	"toposearch/search"
	"toposearch/simcore/traffic"
	"toposearch/study"
	"toposearch/topology"
)

// Carry is what a design carries of a traffic.
type Carry struct {
	Traffic string `json:"traffic"`
	Routing string `json:"routing,omitempty"`
	// Throughput is the offered load, of the bandwidth of an endpoint, at which a channel or an endpoint is asked
	// more than it carries; at most 1. If not Exact it is of the best split into direct routes and detours, or an upper bound.
	Throughput float64 `json:"throughput"`
	Exact      bool    `json:"exact"`
	LimitedBy  string  `json:"limited_by,omitempty"`
	MeanHops   float64 `json:"mean_hops"` // channels of direct routes
	// Flows, of routings that keep each flow on one path by a hash or tables, says how they fare; Throughput is then of these paths.
	Flows *traffic.Shares `json:"flows,omitempty"`
	// Saturation and SaturatedAt enclose the simulated saturation load; 0: it was not simulated.
	Saturation  float64 `json:"sim_saturation,omitempty"`
	SaturatedAt float64 `json:"sim_saturated_at,omitempty"`
	Absent      string  `json:"absent,omitempty"` // why there is nothing
}

// CarryOf computes what a design carries of a traffic with the routing of v, and simulates it if asked to, as a search
// simulates its finalists. The error is that of ctx, or a fault of ours.
func CarryOf(ctx context.Context, d topology.Design, opt evaluator.Options, v study.Verify, seed uint64, name string, simulated bool) (*Carry, error) {
	p := &search.Problem{Study: &study.Study{Options: opt, Verify: v}, Seed: seed}
	c := &Carry{Traffic: name}
	if err := c.compute(ctx, p, d); err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		c.Absent = err.Error()
		return c, nil
	}
	if !simulated {
		return c, nil
	}
	l, err := Simulate(ctx, p, d, name, "")
	if err != nil {
		return nil, err
	}
	c.Saturation, c.SaturatedAt, c.Absent = l.Saturation, l.Above, l.Skipped
	return c, nil
}

func (c *Carry) compute(ctx context.Context, p *search.Problem, d topology.Design) error {
	var size topology.Size
	if err := d.Family.Size(d.V, &size); err != nil {
		return err
	}
	if err := memory.Require("its network", d.BuildBytes(&size)); err != nil {
		return err
	}
	n, _, err := Network(p, d)
	if err != nil {
		return err
	}
	w, err := wayOf(ctx, p, d, n, "")
	if err != nil {
		return err
	}
	t, err := pattern(ctx, p, d, n, c.Traffic)
	if err != nil {
		return err
	}
	line := &Result{Traffic: c.Traffic}
	if line.load, err = t.Load(ctx, w.Direct, loadWorkers); err != nil {
		return err
	}
	if _, err := Predict(ctx, n, w, c.Traffic, line); err != nil {
		return err
	}
	c.Routing, c.Throughput, c.Exact, c.MeanHops = w.Name, line.Predicted, line.Exact && line.Direct == nil, line.load.MeanHops
	if done, err := c.hashed(ctx, p, d, n, w, t, line); done {
		return err
	}
	load, by := line.load.Throughput(n)
	ends, end := line.load.Ends()
	switch same := line.Predicted * 1e-9; {
	case line.Direct == nil && math.Abs(load-line.Predicted) <= same:
		c.LimitedBy = by
	case ends <= line.Predicted+same:
		c.LimitedBy = end
	case line.Direct != nil:
		c.LimitedBy = "the busiest channel of direct routes and detours together"
	default:
		c.LimitedBy = "what endpoints send"
	}
	return nil
}

// hashed follows the flows over the paths that a hash or tables give them; false: the routing keeps none on one path, or tables have too many.
func (c *Carry) hashed(ctx context.Context, p *search.Problem, d topology.Design, n *topology.Network, w *Way, t *traffic.Pattern, line *Result) (bool, error) {
	line.drawn = t
	r, _, err := parts(ctx, p, d, n, w, c.Traffic, line)
	if err != nil || !r.Follows() {
		return err != nil, err
	}
	h, err := t.Hashed(ctx, n, r.Follow)
	if err != nil && w.Tables != nil && ctx.Err() == nil { // too many flows: what endpoints send and take bounds them
		return false, nil
	}
	if err != nil {
		return true, err
	}
	h.Hash = r.KeepsFlows()
	c.Throughput, c.LimitedBy, c.Exact, c.Flows = min(1, h.First), h.By, true, &h.Shares
	return true, nil
}
