package reproduce

import (
	"context"
	"math"

	"toposearch/evaluator/metric"
	"toposearch/topology"
)

// graphSize is a published graph of switches; 0 where nothing is published.
type graphSize struct {
	name, design            string // one endpoint per switch
	switches, degree, links float64
	diameter, mean          float64 // between distinct switches
	moore                   float64 // switches against the Moore bound of degree and diameter, percent
	mooreDigits             int
}

func graphRows(ctx context.Context, t *Table, list []graphSize) (*Table, error) {
	for _, g := range list {
		m, s, err := measure(ctx, g.design, metric.MaxHops, metric.MeanHops)
		if err != nil {
			return nil, err
		}
		degree := float64(s.Radix() - 1)
		row := Row{Name: g.name}
		add := func(column string, published, computed float64, digits int) {
			if published == 0 {
				row.Cells = append(row.Cells, extra(column, round(computed, digits), ""))
				return
			}
			row.Cells = append(row.Cells, number(column, published, round(computed, digits), digits, g.design))
		}
		add("switches", g.switches, float64(s.Switches()), 0)
		add("degree", g.degree, degree, 0)
		add("links", g.links, float64(s.SwitchLinks()), 0)
		add("diameter", g.diameter, m[0], 0)
		add("mean_distance", g.mean, m[1], 5)
		add("moore_percent", g.moore, 100*float64(s.Switches())/topology.MooreSwitches(int(degree), int(m[0])), max(1, g.mooreDigits))
		t.Rows = append(t.Rows, row)
	}
	return t, nil
}

func slimflySizes(ctx context.Context) (*Table, error) {
	t := &Table{
		Source: "M. Besta, T. Hoefler, Slim Fly, SC 2014; K. Lakhotia et al., PolarFly, SC 2022; vectors as recomputed from both constructions by " +
			"an independent program; the survey's claim on 100,000 endpoints (J. NUDT 48(2), 2026)",
		Notes: []string{"Graphs of switches: distances between distinct switches, degree without endpoints."},
	}
	t, err := graphRows(ctx, t, []graphSize{
		{"Slim Fly q=3", "slimfly(q=3,p=1)", 18, 5, 0, 2, 0, 0, 0},
		{"Slim Fly q=4", "slimfly(q=4,p=1)", 32, 6, 0, 2, 0, 0, 0},
		{"Slim Fly q=5", "slimfly(q=5,p=1)", 50, 7, 175, 2, 1.85714, 100, 0},
		{"Slim Fly q=8", "slimfly(q=8,p=1)", 128, 12, 0, 2, 0, 0, 0},
		{"Slim Fly q=13", "slimfly(q=13,p=1)", 338, 19, 3211, 2, 1.94362, 0, 0},
		{"Slim Fly q=19", "slimfly(q=19,p=1)", 722, 29, 10469, 2, 1.95978, 85.75, 2},
		{"PolarFly q=3", "polarfly(q=3,p=1)", 13, 4, 24, 2, 0, 0, 0},
		{"PolarFly q=5", "polarfly(q=5,p=1)", 31, 6, 90, 2, 0, 0, 0},
		{"PolarFly q=7", "polarfly(q=7,p=1)", 57, 8, 224, 2, 1.85965, 0, 0},
		{"PolarFly q=23", "polarfly(q=23,p=1)", 553, 24, 0, 2, 0, 95.8, 1},
	})
	if err != nil {
		return nil, err
	}
	_, s, err := measure(ctx, "slimfly(q=19)")
	if err != nil {
		return nil, err
	}
	t.Rows = append(t.Rows, Row{"Slim Fly q=19, balanced", []Cell{
		number("endpoints", 10830, float64(s.Endpoints), 0, "slimfly(q=19)"), number("radix", 44, float64(s.Radix()), 0, ""),
	}})
	// The smallest radix of any Slim Fly of 100,000 endpoints.
	least := math.Inf(1)
	for q := 3; q <= 64; q++ {
		for p := 1; p <= 64; p++ {
			var x topology.Size
			if s.Family.Size([]int{q, p}, &x) == nil && x.Endpoints >= 100_000 {
				least = math.Min(least, float64(x.Radix()))
			}
		}
	}
	t.Rows = append(t.Rows, Row{"ports for 100,000 endpoints", []Cell{
		noted(number("slimfly_radix", 88, least, 0, ""), "the survey's 88 is the Moore bound of diameter 2; the first Slim Fly is q=41, p=30"),
		number("moore_radix", 88, float64(topology.MooreRadix(1e5, 2)), 0, "least radix that the Moore bound allows"),
	}})
	return t, nil
}

func polarstarSizes(ctx context.Context) (*Table, error) {
	t := &Table{
		Source: "K. Lakhotia et al., PolarStar, SPAA 2024; F. Lei et al., Bundlefly, ICS 2020; S. Young et al., SpectralFly, IPDPS 2022; vectors as " +
			"recomputed from the constructions by an independent program",
		Notes: []string{"Graphs of switches: distances between distinct switches, degree without endpoints, the largest if switches differ."},
	}
	return graphRows(ctx, t, []graphSize{
		{"PolarStar q=3, IQ3", "polarstar_iq(q=3,d=3,p=1)", 104, 7, 364, 3, 0, 0, 0},
		{"PolarStar q=4, IQ3", "polarstar_iq(q=4,d=3,p=1)", 168, 8, 0, 3, 0, 0, 0},
		{"PolarStar q=4, IQ4", "polarstar_iq(q=4,d=4,p=1)", 210, 9, 0, 3, 0, 0, 0},
		{"PolarStar q=2, Paley 5", "polarstar_paley(q=2,s=5,p=1)", 35, 5, 0, 3, 0, 0, 0},
		{"Bundlefly q=3, s=5", "bundlefly(q=3,s=5,p=1)", 90, 7, 0, 3, 0, 0, 0},
		{"Bundlefly q=4, s=5", "bundlefly(q=4,s=5,p=1)", 160, 8, 0, 3, 0, 0, 0},
		{"Bundlefly q=5, s=5", "bundlefly(q=5,s=5,p=1)", 250, 9, 0, 3, 0, 0, 0},
		{"SpectralFly LPS(3,5)", "spectralfly(x=3,q=5,p=1)", 120, 4, 0, 6, 3.71429, 0, 0},
		{"SpectralFly LPS(11,7)", "spectralfly(x=11,q=7,p=1)", 168, 12, 0, 3, 2.38922, 0, 0},
	})
}
