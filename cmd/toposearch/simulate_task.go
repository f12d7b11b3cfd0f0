package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"toposearch/simcore"
	"toposearch/simcore/cutthrough"
	"toposearch/simcore/flit"
	"toposearch/simcore/route"
	"toposearch/simulate"
	"toposearch/topology"
)

// simTask is what one call of simulate simulates.
type simTask struct {
	design  topology.Design
	net     *topology.Network // what is left of it
	failed  *simulate.Failed  // nil: nothing
	outages *simulate.Outages // while the simulation runs; nil: nothing fails
	flags   *simFlags
	loads   []float64
	work    *simcore.Workload // nil: the loads
	// collective is played to completion; nil: none
	collective *simulate.Collective
}

// head begins the document of the task.
func (t *simTask) head(config map[string]any) simulate.Head {
	return simulate.Head{Schema: simulate.Schema, Design: t.design.String(), Config: config, Failed: t.failed}
}

// parts makes the routing and the traffic of a choice.
func (t *simTask) parts(ctx context.Context, c *simulate.Choice) (*route.Native, simcore.Traffic, error) {
	r, tr, err := c.Build(ctx, t.design, t.net)
	if err != nil {
		return nil, nil, joinUsage(err)
	}
	if t.failed != nil {
		err = t.failed.CheckRouting(ctx, t.net, r, c.RouteOptions(t.design, t.net))
	}
	return r, tr, unfit(err)
}

// unfit names the routings that can be used in place of one that cannot.
func unfit(err error) error {
	var unfit *simulate.UnfitError
	if errors.As(err, &unfit) {
		var words []string
		for _, o := range unfit.Others {
			words = append(words, fmt.Sprintf("--routing %s (%s)", o.Routing, count(o.VCs, "VC")))
		}
		return usagef("%v; use %s", err, strings.Join(words, " or "))
	}
	return err
}

// carried is what the network carries of the traffic, if its saturation is searched for and nothing fails.
func (t *simTask) carried(ctx context.Context, c *simulate.Choice, tr simcore.Traffic) (*simulate.Carried, error) {
	if !t.flags.saturation || t.outages != nil || t.failed != nil {
		return nil, nil
	}
	return c.Carried(ctx, t.design, t.net, tr)
}

// checkWorkload refuses a workload on a network of which a part cannot be reached.
func (t *simTask) checkWorkload() error {
	if t.failed != nil && t.failed.Unreachable != nil {
		return usagef("--workload %s waits for what arrives, and %d pairs of endpoints have no path", t.work.Kind, t.failed.Unreachable.Pairs)
	}
	return nil
}

// requireMemory refuses a design that is too large to be simulated as the flags say.
func (f *simFlags) requireMemory(a *app, d topology.Design) error {
	switch {
	case f.checkDeadlock: // nothing is simulated
		return nil
	case f.cut.model == modelCut:
		cfg, err := f.cutConfig()
		if err != nil {
			return err
		}
		return simulate.RequireMemory(d, func(n simcore.Counts) float64 { return cutthrough.Bytes(n, &cfg) })
	}
	cfg, err := f.config(a, flit.SwitchConfig().VCs)
	if err != nil {
		return err
	}
	return simulate.RequireMemory(d, func(n simcore.Counts) float64 { return flit.Bytes(n, &cfg) })
}
