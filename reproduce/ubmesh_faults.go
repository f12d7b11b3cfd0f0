package reproduce

import (
	"context"
	"fmt"

	"toposearch/routing"
	"toposearch/simcore/route"
	"toposearch/topology"
)

// ubFaults fails one part of every kind of a full mesh and of a pod in small, whose LRSs lead round what fails in a rack.
func ubFaults(ctx context.Context, workers int) (rows []Row, err error) {
	for _, design := range []string{"fullmesh(d1=4,d2=4)", "ubmesh(x=4,y=4,z=2,w=2,lx=8,ly=8,lz=16,lw=16)"} {
		more, err := bypass(ctx, design, workers)
		if err != nil {
			return nil, err
		}
		rows = append(rows, more...)
	}
	return rows, nil
}

// bypass counts the pairs of NPUs without a route though links that work connect them, if the first part of a kind
// fails: in dimension order, and with all paths that two lanes admit.
func bypass(ctx context.Context, design string, workers int) ([]Row, error) {
	d, n, r, err := ubRouter(design)
	if err != nil {
		return nil, err
	}
	type fault struct {
		name string
		topology.Failures
	}
	var faults []fault
	seen := map[string]bool{}
	for c := range topology.ChannelID(n.Channels()) {
		if name := n.LinkClasses[n.LinkClass(c)].Name; !seen[name] {
			seen[name] = true
			faults = append(faults, fault{"a link of class " + name, topology.Failures{Links: []topology.ChannelID{c}}})
		}
	}
	for s := range topology.SwitchID(n.Switches()) {
		if name := n.SwitchClasses[n.Class(s)].Name; !seen[name] {
			seen[name] = true
			faults = append(faults, fault{"switch " + n.SwitchName(s), topology.Failures{Switches: []topology.SwitchID{s}}})
		}
	}
	var rows []Row
	for _, f := range faults {
		left, err := n.Without(&f.Failures)
		if err != nil {
			return nil, err
		}
		row := Row{"Bypass: " + design + ", " + f.name + " fails", nil}
		lost := routing.Disconnected(left).Pairs
		for _, name := range []string{"natural", "apr_shortest"} {
			p, err := route.ByName(ctx, name, left, route.Options{Natural: r.Rule, Workers: workers})
			if err != nil {
				return nil, fmt.Errorf("%s: %w", d, err)
			}
			row.Cells = append(row.Cells, extra("pairs_cut_"+name, p.Unreachable().Pairs-lost, fmt.Sprintf("of %d", int64(n.Endpoints())*int64(n.Endpoints()-1)-lost)))
		}
		rows = append(rows, row)
	}
	return rows, nil
}
