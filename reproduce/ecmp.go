package reproduce

import (
	"context"
	"fmt"
	"strings"

	"toposearch/simcore/cutthrough"
	"toposearch/simcore/flit"
	"toposearch/simcore/traffic"
	"toposearch/simulate"
	"toposearch/topology"
)

// ecmpDesigns connect 64 endpoints of two ports by switches without oversubscription: both ports in one plane, of two tiers and of three, or one
// port in each of two planes.
var ecmpDesigns = []struct{ name, design string }{
	{"one plane, two tiers", "multirail(k=16,l=2,r=2,f=2)"},
	{"one plane, three tiers", "multirail(k=8,l=3,r=2,f=2)"},
	{"two planes, two tiers", "multirail(k=16,l=2,r=2,planes=2,pods=8)"},
}

const (
	// ecmpDraws are the draws of permutations over which figures are averaged: those of the busiest link differ by a tenth from draw to draw.
	ecmpDraws = 16
	// ecmpNear is the part of the load of the first full link at which simulations must accept what is offered.
	ecmpNear = 0.9
	// ecmpAccepted is that what is accepted of it at least, as for saturation loads.
	ecmpAccepted = 0.97
)

// ecmpTable is what few large flows of each endpoint get where switches spread them by hash.
func ecmpTable(ctx context.Context, workers int) (*Table, error) {
	t := &Table{
		Source: "no publication beside it: K. Qian et al., Alibaba HPN (SIGCOMM 2024), which gives hash polarisation as a reason for two planes, prints no figure of ours",
		Notes: []string{
			fmt.Sprintf("64 endpoints of two ports, each of which sends a number of flows of equal rates to random others (permutations; means over %d draws). natural+hash: every switch has a hash function of its own; "+
				"natural+samehash: all have the same, modulo their links, so that what one tier divides the next does not divide again (polarisation).", ecmpDraws),
			"first_full: offered load at which the busiest link is full. mean_share: of what flows offer at full load, with max-min fair sharing. busiest_uplink: flows on the busiest uplink of a leaf, counted; expected: the mean of the largest of as many flows dealt out to the links at random (exact); of 16 some have the same ends and thus the same path, which it leaves out.",
			fmt.Sprintf("near_flit, near_cut_through: share accepted at %g of the load at which the first link is full, of one draw; full_flit and full_cut_through: accepted at full load, of the same, where flows also wait behind one another.", ecmpNear),
		},
	}
	for _, c := range ecmpDesigns {
		for _, by := range []string{"natural+hash", "natural+samehash"} {
			for _, each := range []int{1, 4, 16} {
				row, err := ecmpRow(ctx, workers, c.name, c.design, by, each)
				if err != nil {
					return nil, fmt.Errorf("%s, %s: %w", c.design, by, err)
				}
				t.Rows = append(t.Rows, row)
			}
		}
	}
	return t, nil
}

// ecmpFlows is a traffic of so many flows of each endpoint.
func ecmpFlows(each, draw int) string {
	parts := make([]string, each)
	for i := range parts {
		parts[i] = fmt.Sprintf("1*randperm(%d)", draw*each+i+1)
	}
	return "mixed(" + strings.Join(parts, ",") + ")"
}

// ecmpRow averages over draws, and simulates the first.
func ecmpRow(ctx context.Context, workers int, name, text, by string, each int) (Row, error) {
	d, _, err := sized(text)
	if err != nil {
		return Row{}, err
	}
	n, err := d.Build()
	if err != nil {
		return Row{}, err
	}
	var first, share, counted, expected, firstDrawn float64
	for draw := range ecmpDraws {
		choice := simulate.Choice{Routing: by, Traffic: ecmpFlows(each, draw), Workers: workers}
		r, tr, err := choice.Build(ctx, d, n)
		if err != nil {
			return Row{}, err
		}
		h, err := tr.Hashed(ctx, n, r.Follow)
		if err != nil {
			return Row{}, err
		}
		a, b := uplinks(n, h)
		first, share = first+h.First/ecmpDraws, share+h.Mean/ecmpDraws
		counted, expected = counted+a/ecmpDraws, expected+b/ecmpDraws
		if draw == 0 {
			firstDrawn = h.First
		}
	}
	row := Row{fmt.Sprintf("%s, %s, %s, %d flows each", name, text, by, each), []Cell{
		extra("first_full", round(first, 4), ""), extra("mean_share", round(share, 4), ""),
		extra("busiest_uplink", round(counted, 3), ""), extra("expected", round(expected, 3), ""),
	}}
	choice := &simulate.Choice{Routing: by, Traffic: ecmpFlows(each, 0), Workers: workers}
	near, full, err := ecmpFlit(ctx, choice, d, n, firstDrawn)
	if err != nil {
		return Row{}, err
	}
	cutNear, cutFull, err := ecmpCut(ctx, choice, d, n, firstDrawn)
	cell := func(column string, x float64) Cell {
		return Cell{column, nil, round(x, 4), x >= ecmpAccepted, ""}
	}
	row.Cells = append(row.Cells, cell("near_flit", near), extra("full_flit", round(full, 4), ""), cell("near_cut_through", cutNear), extra("full_cut_through", round(cutFull, 4), ""))
	return row, err
}

// uplinks are the flows on the busiest uplink of a leaf, and as many as are to be expected, on the mean over leaves.
func uplinks(n *topology.Network, h *traffic.Hashed) (counted, expected float64) {
	leaves := 0
	for s := range topology.SwitchID(n.Switches()) {
		if n.Class(s) != 0 {
			continue
		}
		leaves++
		first, end := n.Out(s)
		all, most := 0, 0
		for c := first; c < end; c++ {
			all, most = all+int(h.Count[c]), max(most, int(h.Count[c]))
		}
		counted += float64(most)
		expected += traffic.ExpectedMost(all, int(end-first))
	}
	return counted / float64(leaves), expected / float64(leaves)
}

// ecmpFlit is the share accepted near the load at which the first link is full, and at full load.
func ecmpFlit(ctx context.Context, choice *simulate.Choice, d topology.Design, n *topology.Network, first float64) (near, full float64, err error) {
	cfg := flit.SwitchConfig()
	cfg.Warmup, cfg.Measure = 2000, 4000
	with := *choice
	with.VCs = cfg.VCs
	r, tr, err := with.Build(ctx, d, n)
	if err != nil {
		return 0, 0, err
	}
	sim, err := flit.New(n, r, tr, cfg)
	if err != nil {
		return 0, 0, err
	}
	p, err := sim.Run(ctx, ecmpNear*first)
	if err != nil {
		return 0, 0, err
	}
	q, err := sim.Run(ctx, 1)
	return p.Accepted / (ecmpNear * first), q.Accepted, err
}

// ecmpCut is the same of the cut-through model.
func ecmpCut(ctx context.Context, choice *simulate.Choice, d topology.Design, n *topology.Network, first float64) (near, full float64, err error) {
	cfg := cutthrough.DefaultConfig()
	if _, err := simulate.Wire(ctx, d, n, 0, &cfg); err != nil {
		return 0, 0, err
	}
	r, tr, err := choice.Build(ctx, d, n)
	if err != nil {
		return 0, 0, err
	}
	sim, err := cutthrough.New(n, r, tr, cfg)
	if err != nil {
		return 0, 0, err
	}
	p, err := sim.Run(ctx, ecmpNear*first)
	if err != nil {
		return 0, 0, err
	}
	q, err := sim.Run(ctx, 1)
	return p.Accepted / (ecmpNear * first), q.Accepted, err
}
