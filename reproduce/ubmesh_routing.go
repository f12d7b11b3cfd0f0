package reproduce

import (
	"context"
	"fmt"

	"toposearch/routing"
	"toposearch/simcore/flit"
	"toposearch/simulate"
	"toposearch/topology"
)

// notifyTimes: a packet of 256 B at 400 Gb/s and a cable of 5 m on a link, a switch of today, a controller in
// software, and the serialisation of one more copy.
var notifyTimes = routing.NotifyTimes{LinkNs: 30, ForwardNs: 300, ProcessNs: 10_000, SendNs: 5}

// ubLanes checks two lanes and counts the paths that they admit, and those that a header holds.
func ubLanes(ctx context.Context, _ int) ([]Row, error) {
	var rows []Row
	for _, c := range []struct {
		design string
		dims   []int // of a full mesh
	}{{"fullmesh(d1=8,d2=8)", []int{8, 8}}, {"fullmesh(d1=4,d2=4,d3=4)", []int{4, 4, 4}}, {"fullmesh(d1=8,d2=8,d3=4,d4=4)", []int{8, 8, 4, 4}},
		{"ubmesh(z=4,w=4)", nil}, {"ubmesh(z=4,w=4,pods=2)", nil}} {
		d, n, natural, err := ubRouter(c.design)
		if err != nil {
			return nil, err
		}
		rule, err := routing.AllPath(n, d.Family.Natural(d.V))
		if err != nil {
			return nil, err
		}
		r, err := routing.New(n, rule)
		if err != nil {
			return nil, err
		}
		rep, err := r.CheckWalks(ctx)
		if err != nil {
			return nil, err
		}
		lanes := number("virtual_lanes", 2, float64(rep.VCs), 0, fmt.Sprintf("%d dependencies without a cycle", rep.Dependencies))
		lanes.Agrees = lanes.Agrees && rep.Acyclic && rep.Proven
		row := Row{"Lanes: " + c.design, []Cell{lanes}}
		if c.dims != nil {
			p := routing.CountPaths(c.dims)
			share := func(a, b int64) any { return round(100*float64(a)/float64(b), 1) }
			row.Cells = append(row.Cells, extra("shortest_admitted_percent", share(p.ShortestAdmitted, p.Shortest), fmt.Sprintf("%d paths in any order of dimensions", p.Shortest)),
				extra("one_detour_admitted_percent", share(p.DetourAdmitted, p.Detour), fmt.Sprintf("%d paths by a third NPU of a dimension, in any order; all %d in dimension order are admitted", p.Detour, p.InOrder)),
				extra("around_admitted_percent", share(p.AroundAdmitted, p.Around), fmt.Sprintf("%d paths out and back in a dimension that is not to be crossed", p.Around)))
		}
		longest := 0
		f := natural.Field(0) // all destinations are alike, but for numbers
		for s := range natural.Sets {
			_, hops := natural.Inject(f, s, nil)
			longest = max(longest, int(hops))
		}
		var fits [2]any // longest detour that fits, source-routed hop by hop and only where it deviates; nil: not even the shortest path
		for extraHops := range 2 + 1 {
			if routing.HeaderFits(longest+extraHops, longest+extraHops, mostPorts(n)) {
				fits[0] = extraHops
			}
			if routing.HeaderFits(longest+extraHops, 1, mostPorts(n)) {
				fits[1] = extraHops
			}
		}
		row.Cells = append(row.Cells, extra("longest_shortest_hops", longest, ""),
			extra("header_detour_hops_strict", fits[0], "most hops beyond the longest shortest path whose every hop is an instruction in the header (6 of them)"),
			extra("header_detour_hops_loose", fits[1], "the same with one instruction, where the path leaves the tables (12 hops)"))
		rows = append(rows, row)
	}
	return rows, nil
}

// mostPorts is the largest number of links of a switch, which an instruction has to name.
func mostPorts(n *topology.Network) int {
	most := 0
	for s := range topology.SwitchID(n.Switches()) {
		most = max(most, len(n.Neighbors(s)))
	}
	return most
}

// ubTables gives the entries of address tables.
func ubTables(context.Context, int) ([]Row, error) {
	var rows []Row
	for _, c := range []string{superPod, "ubmesh(z=4,w=4)", "ubmesh(z=4,w=4,rack=1dfma)", "ubmesh(z=4,w=4,rack=1dfmb)", "ubmesh(z=4,w=4,lz=72,lw=72,rack=clos)"} {
		d, n, r, err := ubRouter(c)
		if err != nil {
			return nil, err
		}
		bases := []int{d.V[0], d.V[1], d.V[3], d.V[2], d.V[4]} // NPUs are numbered along x, y, w, z, pods
		row := Row{"Table entries: " + c, nil}
		// States in which packets come to a switch that begins its part of the rule: an NPU, an LRS from below, an HRS.
		for _, k := range []struct {
			class string
			state uint8
		}{{"npu", 0}, {"lrs", 3}, {"hrs", 6}} {
			for s := range topology.SwitchID(n.Switches()) {
				if n.SwitchClasses[n.Class(s)].Name != k.class {
					continue
				}
				a := routing.SegmentTable(r, s, k.state, bases, make([]int, len(bases)))
				row.Cells = append(row.Cells, extra(k.class+"_segments", a.Segments, ""), extra(k.class+"_flat", a.Flat, fmt.Sprintf("%.3g times as many", float64(a.Flat)/float64(max(1, a.Segments)))))
				break
			}
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// ubNotices gives the time until the last source avoids a failed link.
func ubNotices(context.Context, int) ([]Row, error) {
	const design = "ubmesh(z=2,w=2)"
	_, n, r, err := ubRouter(design)
	if err != nil {
		return nil, err
	}
	var rows []Row
	seen := map[int]bool{}
	for c := range topology.ChannelID(n.Channels()) {
		k := r.KindOf(c)
		if seen[k] || n.LinkClasses[n.LinkClass(c)].Name == "hub" {
			continue
		}
		seen[k] = true
		flood, direct := r.NotifyHopByHop(c, notifyTimes), r.NotifyDirect(c, notifyTimes)
		us := func(ns float64) any { return round(ns/1000, 2) }
		rows = append(rows, Row{fmt.Sprintf("Rerouting: %s, %s fails", design, routing.KindName(n, r.Kinds[k])), []Cell{
			extra("sources", direct.Sources, "NPUs with a shortest route over it"),
			extra("hop_by_hop_formula_us", us(flood.FormulaNs), ""), extra("hop_by_hop_measured_us", us(flood.MeasuredNs), fmt.Sprintf("%d messages", flood.Messages)),
			extra("direct_formula_us", us(direct.FormulaNs), ""), extra("direct_measured_us", us(direct.MeasuredNs), fmt.Sprintf("%d messages", direct.Messages)),
			extra("ratio", round(flood.MeasuredNs/direct.MeasuredNs, 2), "hop by hop to direct"),
		}})
	}
	return rows, nil
}

// ubPolicies simulates a pod in small with the proportions of the published one, three quarters of the lanes of a rack
// to other racks and one to HRSs: all traffic of a rack to the next one, which detours and borrowed uplinks relieve, and uniform traffic.
func ubPolicies(ctx context.Context, workers int) ([]Row, error) {
	const (
		design  = "ubmesh(x=2,y=2,z=4,w=4,pods=2,lx=20,ly=20,lz=16,lw=16)"
		offered = 1
	)
	d, n, _, err := ubRouter(design)
	if err != nil {
		return nil, err
	}
	var rows []Row
	for _, traffic := range []string{"group_adversarial", "uniform"} {
		row := Row{"Policies: " + design + ", " + traffic, nil}
		base := 0.0
		for _, name := range []string{"natural", "apr_shortest", "apr_detour", "apr_borrow"} {
			cfg := flit.SwitchConfig()
			cfg.Warmup, cfg.Measure = 1000, 2000
			choice := &simulate.Choice{Routing: name, Traffic: traffic, VCs: cfg.VCs, Workers: workers}
			r, tr, err := choice.Build(ctx, d, n)
			if err != nil {
				return nil, err
			}
			sim, err := flit.New(n, r, tr, cfg)
			if err != nil {
				return nil, err
			}
			p, err := sim.Run(ctx, offered)
			if err != nil {
				return nil, err
			}
			if name == "natural" {
				base = p.Accepted
			}
			row.Cells = append(row.Cells, extra(name, round(p.Accepted, 4), fmt.Sprintf("accepted of the bandwidth of an NPU, %.2f times natural", p.Accepted/base)))
		}
		rows = append(rows, row)
	}
	return rows, nil
}
