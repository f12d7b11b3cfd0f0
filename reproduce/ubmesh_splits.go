package reproduce

import (
	"context"
	"fmt"
	"strings"

	"toposearch/routing"
	"toposearch/simcore/flit"
	"toposearch/simcore/route"
	"toposearch/simcore/traffic"
	"toposearch/topology"
)

// ubSplits are the traffics that all paths are for, on a rack of 8 x 8 NPUs: what dimension order carries, what the best split over
// paths does, and what the routing accepts that decides by queues. Loads are of an NPU's 14 links.
func ubSplits(ctx context.Context, workers int) ([]Row, error) {
	const design, side = "fullmesh(d1=8,d2=8)", 8
	d, n, natural, err := ubRouter(design)
	if err != nil {
		return nil, err
	}
	all, err := route.AllPathFor(ctx, "apr_detour", n, natural.Rule)
	if err != nil {
		return nil, err
	}
	var rows []Row
	for _, t := range []struct {
		name                 string
		senders, right, down int
	}{{"one NPU to its neighbour", 1, 1, 0}, {"the NPUs of one row each to the next", side, 1, 0}, {"the NPUs of all rows each to the next", side * side, 1, 0},
		{"all NPUs to the next in both dimensions", side * side, 1, 1}} {
		var text strings.Builder
		var flows []routing.Flow
		for s := range t.senders {
			to := (s/side+t.down)%side*side + (s%side+t.right)%side
			fmt.Fprintln(&text, s, to)
			flows = append(flows, routing.Flow{Src: s, Dst: to, Rate: 1})
		}
		loads, err := natural.FlowLoads(ctx, flows, routing.LoadOptions{Workers: workers})
		if err != nil {
			return nil, err
		}
		direct := loads.Throughput(n).Throughput
		split, err := all.BestSplit(ctx, flows, 0)
		if err != nil {
			return nil, err
		}
		low, high := min(split.Low, 1), min(split.High, 1)
		row := Row{"All paths: " + design + ", " + t.name, []Cell{
			extra("dimension_order", round(direct, 4), "load that fills a link: 1 of 14"),
			extra("best_split", round(low, 4), fmt.Sprintf("of all admitted paths with at most two hops more, at most %.4f; %.1f times dimension order", high, low/direct)),
		}}
		p, found := traffic.Parse("shift", []byte(text.String()), n.Endpoints())
		if found.HasErrors() {
			return nil, fmt.Errorf("%s: %v", t.name, found)
		}
		got, err := acceptedBy(ctx, d, n, natural.Rule, p, low, workers)
		if err != nil {
			return nil, err
		}
		row.Cells = append(row.Cells, extra("apr_detour", round(got, 4), fmt.Sprintf("accepted of that load, %.3g of it", got/low)))
		rows = append(rows, row)
	}
	return rows, nil
}

// acceptedBy is what apr_detour accepts of a load, of an endpoint that sends.
func acceptedBy(ctx context.Context, d topology.Design, n *topology.Network, rule topology.Rule, p *traffic.Pattern, load float64, workers int) (float64, error) {
	cfg := flit.SwitchConfig()
	cfg.Warmup, cfg.Measure = 1000, 4000
	r, err := route.ByName(ctx, "apr_detour", n, route.Options{Natural: rule, VCs: cfg.VCs, Workers: workers})
	if err != nil {
		return 0, err
	}
	sim, err := flit.New(n, r, p, cfg)
	if err != nil {
		return 0, err
	}
	x, err := sim.Run(ctx, load)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", d, err)
	}
	return x.Accepted, nil
}
