package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"toposearch/evaluator"
	"toposearch/evaluator/metric"
	"toposearch/search/verify"
	"toposearch/simcore/traffic"
	"toposearch/study"
	"toposearch/topology"
)

// checkTraffics refuses traffics that no network has.
func checkTraffics(names []string) error {
	var faults []error
	for _, name := range names {
		if err := traffic.CheckName(name); err != nil {
			faults = append(faults, usagef("--traffic: %v", err))
		}
	}
	return joinUsage(faults...)
}

// carried is what a design carries of each traffic, simulated if a metric of the simulator is asked for.
func carried(ctx context.Context, d topology.Design, opt evaluator.Options, keys []metric.Key, v study.Verify, seed uint64, names []string) ([]*verify.Carry, error) {
	sim := slices.ContainsFunc(keys, func(k metric.Key) bool { return metric.Keys[k].Level == 4 })
	var all []*verify.Carry
	for _, name := range names {
		c, err := verify.CarryOf(ctx, d, opt, v, seed, name, sim)
		if err != nil {
			return nil, err
		}
		all = append(all, c)
	}
	return all, nil
}

// printCarried prints what is carried of traffics below the metrics.
func printCarried(w io.Writer, all []*verify.Carry) {
	for _, c := range all {
		if c.Routing == "" {
			fmt.Fprint(w, "  ", wrap(fmt.Sprintf("traffic %s: absent: %s", c.Traffic, strings.TrimPrefix(c.Absent, "traffic "+c.Traffic+": ")), 78, "    ")[4:])
			continue
		}
		exact := "exact"
		if !c.Exact {
			exact = "an upper bound, or of an ideal choice of routes"
		}
		text := fmt.Sprintf("traffic %s: throughput %.4g of an endpoint's bandwidth, limited by %s; routing %s, %.3f channels, loads of channels and endpoints (%s)", c.Traffic, c.Throughput, c.LimitedBy, c.Routing, c.MeanHops, exact)
		text += flowsText(c.Flows)
		switch {
		case c.Absent != "":
			text += "; not simulated: " + c.Absent
		case c.SaturatedAt > 0:
			text += fmt.Sprintf("; simulated saturation %.4g, not %.4g", c.Saturation, c.SaturatedAt)
		}
		fmt.Fprint(w, "  ", wrap(text, 78, "    ")[4:])
	}
}
