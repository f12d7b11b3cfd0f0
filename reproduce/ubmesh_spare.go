package reproduce

import (
	"context"
	"fmt"

	"toposearch/routing"
	"toposearch/simcore/flit"
	"toposearch/simulate"
	"toposearch/topology"
)

// ubSpare fails an NPU of a rack with a spare, to which the LRSs of the rack lead: what was a link to a neighbour is then a way
// over one LRS, as the paper draws it.
func ubSpare(ctx context.Context, workers int) ([]Row, error) {
	const (
		design = "ubmesh(z=1,w=1,spare=1)"
		failed = 5
		other  = 6  // of its board
		beyond = 14 // of another board and column
	)
	d, n, before, err := ubRouter(design)
	if err != nil {
		return nil, err
	}
	home := before.Sets[failed].Ports[0].Switch
	left, moved, err := n.WithSpares(&topology.Failures{Switches: []topology.SwitchID{home}})
	if err != nil {
		return nil, err
	}
	after, err := routing.New(left, d.Family.Natural(d.V))
	if err != nil {
		return nil, err
	}
	row := Row{"64+1: the spare for a failed NPU, " + design, nil}
	var loads [2]*routing.Loads
	for i, r := range []*routing.Router{before, after} {
		if loads[i], err = r.UniformLoads(ctx, routing.LoadOptions{Workers: workers}); err != nil {
			return nil, err
		}
		near, far := linksTo(r, failed, other), linksTo(r, failed, beyond)
		switch i {
		case 0:
			row.Cells = append(row.Cells, extra("links_before", near, "to each of 14 neighbours"), extra("links_before_beyond", far, "to the 49 others of the rack"))
		default:
			row.Cells = append(row.Cells, number("switches_on_the_way", 1, float64(near-1), 0, "the paper draws NPU, LRS, spare; "+fmt.Sprintf("%d switches on the way from the others", far-1)))
		}
	}
	spare := lanesAt(n, moved[0].To)
	row.Cells = append(row.Cells, extra("lanes_of_spare", spare, "two to each of 32 LRSs"), extra("lanes_of_failed", int(n.EndpointLanes), "56 of them to neighbours"),
		extra("mean_links_before", round(loads[0].MeanHops, 6), "uniform traffic in the rack, natural routing"),
		extra("mean_links_after", round(loads[1].MeanHops, 6), "the spare is two links from all; 49 pairs go round the failed NPU over an LRS, by three"),
		extra("load_to_spare", round(most(left, loads[1], "spare"), 6), "of the busiest link between an LRS and the spare, of what an NPU sends; 8/63 of a board over its four LRSs"),
		extra("throughput_before", round(loads[0].Throughput(n).Throughput, 4), "of all lanes of an NPU"),
		extra("throughput_after", round(loads[1].Throughput(left).Throughput, 4), "with the spare"))
	cfg := flit.SwitchConfig()
	cfg.Warmup, cfg.Measure = 500, 3000
	choice := &simulate.Choice{Routing: "natural", Traffic: "uniform", VCs: cfg.VCs, Workers: workers}
	r, tr, err := choice.Build(ctx, d, left)
	if err != nil {
		return nil, err
	}
	sim, err := flit.New(left, r, tr, cfg)
	if err != nil {
		return nil, err
	}
	p, err := sim.Run(ctx, loads[1].Throughput(left).Throughput/4)
	if err != nil {
		return nil, err
	}
	row.Cells = append(row.Cells, extra("simulated_hops_after", round(p.Hops.Mean, 4), "in the flit model, at a quarter of that load; hops leave out the links to and from an LRS, so that the spare is none away"))
	return []Row{row}, nil
}

// linksTo is how many links are on the way from one endpoint set to another.
func linksTo(r *routing.Router, to, from int) int {
	_, links := r.Inject(r.Field(to), from, nil)
	return int(links)
}

// lanesAt is the number of lanes of the links at a switch.
func lanesAt(n *topology.Network, s topology.SwitchID) (lanes int) {
	first, end := n.Out(s)
	for c := first; c < end; c++ {
		lanes += int(n.Lanes[n.LinkClass(c)])
	}
	return lanes
}

// most is the largest load of a channel of a class.
func most(n *topology.Network, l *routing.Loads, class string) (x float64) {
	for _, k := range l.Kinds {
		if n.LinkClasses[k.Kind.Link].Name == class {
			x = max(x, k.Max)
		}
	}
	return x
}
