package reproduce

import (
	"context"
	"errors"

	"toposearch/catalog"
	"toposearch/evaluator/market"
	"toposearch/topology"
)

// railonlyCounts: 32,768 GPUs in domains of 256: the rail-optimised tree beside one network per rail.
func railonlyCounts(ctx context.Context) (*Table, error) {
	t := &Table{
		Source: "W. Wang et al., Rail-only, arXiv 2307.12169v5: 32,768 GPUs in domains of 256; counts as derived from it",
		Notes: []string{
			"Every link is optical with a transceiver at each end, those of endpoints included.",
			"128 GPUs of a rail fit one switch of 128 ports, and two rails one of 256: the networks of the rails are then crossbars.",
			"The saving of 38 % at radix 64 fixes the one price that matters: a switch of 64 ports costs 179 transceivers. With the same price per port 128 ports save 76.0 %.",
		},
	}
	const perSwitch64 = 179 // transceivers
	for _, r := range []struct {
		name             string
		radix            float64
		tree, rail       string
		copies           int64 // of the rail design
		treeSw, treeTx   float64
		railSw, railTx   float64
		saving           float64 // percent, published; 0: none
		savingDisagreeBy string
	}{
		{"radix 64", 64, "fattree(k=64,l=3,pods=32)", "railonly(k=64,g=256,leaves=4)", 1, 2560, 196608, 1536, 131072, 38, ""},
		{"radix 128", 128, "fattree(k=128,l=3,pods=8)", "crossbar(n=128)", 256, 1280, 196608, 256, 65536, 77,
			"the abstract rounds or prices otherwise: the counts allow 66.7 to 80 %"},
		{"radix 256", 256, "fattree(k=256,l=2)", "crossbar(n=256)", 128, 384, 131072, 128, 65536, 0, ""},
	} {
		_, a, err := measure(ctx, r.tree)
		if err != nil {
			return nil, err
		}
		_, b, err := measure(ctx, r.rail)
		if err != nil {
			return nil, err
		}
		count := func(s *topology.Size, copies int64) (sw, tx float64) {
			return float64(s.Switches() * copies), float64(2 * (s.SwitchLinks() + s.EndpointLinks()) * copies)
		}
		treeSw, treeTx := count(a, 1)
		railSw, railTx := count(b, r.copies)
		price := perSwitch64 * r.radix / 64
		row := Row{r.name, []Cell{
			number("tree_switches", r.treeSw, treeSw, 0, r.tree), number("tree_transceivers", r.treeTx, treeTx, 0, ""),
			number("rail_switches", r.railSw, railSw, 0, r.rail), number("rail_transceivers", r.railTx, railTx, 0, ""),
			extra("switches_saved_percent", round(percentBelow(railSw, treeSw), 1), ""),
			extra("transceivers_saved_percent", round(percentBelow(railTx, treeTx), 1), ""),
		}}
		if r.saving > 0 {
			cost := percentBelow(railSw*price+railTx, treeSw*price+treeTx)
			row.Cells = append(row.Cells, noted(number("cost_saved_percent", r.saving, round(cost, 1), 0, "a switch of 64 ports at 179 transceivers"), r.savingDisagreeBy))
		}
		t.Rows = append(t.Rows, row)
	}
	return t, nil
}

// hammingCosts: the cost table of HammingMesh, from the constructions.
func hammingCosts(ctx context.Context) (*Table, error) {
	const (
		switchUSD, dacUSD, aocUSD = 14_280, 272, 603
		treePlanes, meshPlanes    = 16, 4
	)
	t := &Table{
		Source: "T. Hoefler et al., HammingMesh, SC 2022, table of costs; prices of its list",
		Notes: []string{
			"A switch of 64 ports of 400 Gb/s 14,280 USD, a copper cable 272, an optical one 603; 16 planes for trees, 4 of four ports for meshes; traces on boards are free.",
			"Lines of a HammingMesh with fewer than 64 ports share switches, as many as have room in one.",
			"Endpoint links of trees are copper; of HammingMesh the rows are copper and the columns optical; links between switches are optical.",
			"Tapered trees of the paper are left out: how it rounds the taper is not said, and no split gives its figures.",
		},
	}
	tree := func(s *topology.Size) (dac, aoc int64) { return s.EndpointLinks(), s.SwitchLinks() }
	mesh := func(s *topology.Size) (dac, aoc int64) {
		// Links of class nic are half rows, half columns in a square machine; traces are not bought.
		nic := s.EndpointLinks()
		up, _ := links(s, "rowup")
		columnUp, _ := links(s, "columnup")
		return nic / 2, nic/2 + up + columnUp
	}
	// Boards of 2 x 2: every second link of a line of the torus leaves a board.
	torus := func(s *topology.Size) (dac, aoc int64) { return 0, s.SwitchLinks() / 2 }
	for _, r := range []struct {
		name, design                 string
		planes                       int64
		cables                       func(*topology.Size) (dac, aoc int64)
		accel, switches, dac, aoc, m float64
		digits                       int
	}{
		{"nonblocking fat tree, small", "fattree(k=64,l=2,pods=32)", treePlanes, tree, 1024, 768, 16384, 16384, 25.3, 1},
		{"2D HyperX 32 x 32", "hammingmesh(a=1,b=1,x=32,y=32,k=64)", meshPlanes, mesh, 1024, 256, 8192, 8192, 10.8, 1},
		{"Hx2Mesh 16 x 16", "hammingmesh(a=2,b=2,x=16,y=16,k=64)", meshPlanes, mesh, 1024, 128, 4096, 4096, 5.4, 1},
		{"Hx4Mesh 8 x 8", "hammingmesh(a=4,b=4,x=8,y=8,k=64)", meshPlanes, mesh, 1024, 64, 2048, 2048, 2.7, 1},
		{"2D torus of 2 x 2 boards, small", "torus(k1=32,k2=32)", meshPlanes, torus, 1024, 0, 0, 4096, 2.5, 1},
		{"nonblocking fat tree, large", "fattree(k=64,l=3,pods=16)", treePlanes, tree, 16384, 20480, 262144, 524288, 680, 0},
		{"Hx2Mesh 64 x 64", "hammingmesh(a=2,b=2,x=64,y=64,k=64)", meshPlanes, mesh, 16384, 6144, 65536, 196608, 224, 0},
		{"2D torus of 2 x 2 boards, large", "torus(k1=128,k2=128)", meshPlanes, torus, 16384, 0, 0, 65536, 39.5, 1},
	} {
		_, s, err := measure(ctx, r.design)
		if err != nil {
			return nil, err
		}
		dac, aoc := r.cables(s)
		dac, aoc = dac*r.planes, aoc*r.planes
		sw, err := boxesOf64(s, switchUSD)
		if err != nil {
			return nil, err
		}
		if sw *= r.planes; s.Family.Name == "torus" {
			sw = 0 // the accelerators forward
		}
		cost := float64(sw*switchUSD+dac*dacUSD+aoc*aocUSD) / 1e6
		t.Rows = append(t.Rows, Row{r.name, []Cell{
			number("accelerators", r.accel, float64(s.Endpoints), 0, r.design), number("switches", r.switches, float64(sw), 0, "all planes"),
			number("dac", r.dac, float64(dac), 0, ""), number("aoc", r.aoc, float64(aoc), 0, ""),
			number("cost_musd", r.m, round(cost, 6), r.digits, ""),
		}})
	}
	return t, nil
}

// boxesOf64 is the number of switches that a design takes where all have 64 ports of 400 Gb/s, as many as one of
// its ports has, and small ones share a box.
func boxesOf64(s *topology.Size, usd catalog.Money) (boxes int64, err error) {
	const gbps = 400
	list := &catalog.Catalogue{Name: "HammingMesh", Parts: []catalog.Part{{PartNo: "SW-64x400", Kind: catalog.KindSwitch, Ports: 64, RateGbps: gbps,
		Approved: true, Priced: true, UnitPrice: 100 * usd, Currency: "USD"}}}
	m, err := market.New(market.Options{Catalog: list, Currency: "USD", BandwidthGbps: gbps * float64(s.EndpointLanes)})
	if err != nil {
		return 0, err
	}
	var r market.Rates
	var buys market.Purchase
	m.Rate(s, 0, &r)
	if rej := m.Buy(s, &r, &buys); rej.Constraint != "" {
		return 0, errors.New(rej.Words())
	}
	for i := range s.Family.SwitchClasses {
		if buys.Switches[i].Part != nil {
			boxes += buys.Boxes(s, i)
		}
	}
	return boxes, nil
}
