package reproduce

import (
	"context"
	"fmt"

	"toposearch/internal/chart"
)

// workloadTable simulates the plan and holds the findings against it.
func workloadTable(ctx context.Context, workers int, p *loadPlan) (*Table, error) {
	all, err := p.run(ctx, workers)
	if err != nil {
		return nil, err
	}
	t := &Table{
		Source:   "Performance of interconnection networks under complex workload models: findings stated in the text",
		Compared: &[2]string{"stated", "measured"},
		Rows:     loadFindings(p, all),
		Notes: []string{
			fmt.Sprintf("Tori %s and %s in dimension order, k-ary n-trees %s and %s by a random nearest common ancestor; flit by flit, the switch of eval and run (crossbar speedup 2), %d VCs, every link a flit per cycle; %d and %d cycles measured on the large and the small networks, %d under hot spots, after two thirds as many.",
				p.small[0], p.large[0], p.small[1], p.large[1], loadVCs, p.cycles[0], p.cycles[1], hotCycles),
			fmt.Sprintf("The paper states the length of messages for the FFT only, %d flits; it is taken for all, with short ones of %d. Its values of D, R, shares, VCs and buffers are not stated.", longMessage, shortMessage),
			fmt.Sprintf("Latencies are compared at loads that both sides accept to 97 %%, and told apart by %d standard errors; close is within %.0f %%, clearly %.1f times. Throughput is the most that was accepted at any load, 1 among them.", apart, 100*closeBy, clearly),
			"Analytic throughput is of natural routes split evenly: the load at which a channel or an endpoint is asked more than it carries. What is accepted beyond saturation may be above it, as traffic that avoids the full parts goes on.",
			"Bernoulli and Poisson sources differ by (s-1)/s in what packets of s flits wait at their own source; with 32 that is below what such runs tell apart. Under a hot spot a window holds some hundred messages to the hot endpoint, so that latencies near its limit are rough.",
			fmt.Sprintf("The FFT has %s processes on 512 endpoints, %s on 4,096, process i on endpoint i.", "16 x 32", "64 x 64"),
		},
		figures: loadFigures(p, all),
	}
	return t, nil
}

// loadFigures are latency over load, a figure for each finding.
func loadFigures(p *loadPlan, all []*loadCurve) (out []chart.Named) {
	x := chart.Axis{Title: "Load (flits/cycle/endpoint)", Zero: true}
	y := chart.Axis{Title: "Latency (cycles)", Log: true}
	panel := func(title string, keep func(*loadCurve) bool, name func(*loadCurve) string) chart.Panel {
		pl := chart.Panel{Title: title, X: x, Y: y}
		for _, c := range all {
			if keep(c) {
				pl.Series = append(pl.Series, c.series(name(c), len(pl.Series)))
			}
		}
		return pl
	}
	rest := func(c *loadCurve) string { // without the network, which is the title
		for i := range c.name {
			if c.name[i] == ',' {
				return c.name[i+2:]
			}
		}
		return c.name
	}
	figure := func(name string, across int, panels ...chart.Panel) {
		out = append(out, chart.Named{Name: "workloads-" + name, Figure: &chart.Figure{Width: chart.Page, Across: across, Panels: panels}})
	}
	of := func(finding int, net string) func(*loadCurve) bool {
		return func(c *loadCurve) bool { return c.finding == finding && c.net.short == net }
	}
	figure("processes", 2, panel("torus, 4,096", of(1, "torus"), rest), panel("fat tree, 4,096", of(1, "tree"), rest))
	mix := func(net string) func(*loadCurve) bool {
		return func(c *loadCurve) bool {
			return c.net.short == net && (c.finding == 3 || c.finding == 1 && c.injection == "bernoulli")
		}
	}
	all32 := func(c *loadCurve) string {
		if c.finding == 1 {
			return "long only"
		}
		return rest(c)
	}
	figure("lengths", 2, panel("torus, 4,096", mix("torus"), all32), panel("fat tree, 4,096", mix("tree"), all32))
	var local []chart.Panel
	for k, net := range bothNets {
		for _, d := range p.radii[k] {
			local = append(local, panel(fmt.Sprintf("%s, D = %d", net, d), func(c *loadCurve) bool {
				return of(4, net)(c) && (c.traffic == "uniform" || c.radius() == d)
			}, func(c *loadCurve) string {
				if c.traffic == "uniform" {
					return "uniform"
				}
				return c.name[len(net)+len(fmt.Sprintf(", D = %d, ", d)):]
			}))
		}
	}
	figure("local", 3, local...)
	figure("hotspots", 2, panel("torus, 512", of(5, "torus"), rest), panel("fat tree, 512", of(5, "tree"), rest))
	var fft []chart.Panel
	for phase := 1; phase <= 2; phase++ {
		fft = append(fft, panel(fmt.Sprintf("FFT, phase %d", phase), func(c *loadCurve) bool {
			return c.finding == 6 && c.name == fftName(c.net, phase)
		}, func(c *loadCurve) string { return fmt.Sprintf("%s, %d", c.net.short, c.net.n.Endpoints()) }))
	}
	figure("fft", 2, fft...)
	return out
}

// radius is D of local traffic, 0 of others.
func (c *loadCurve) radius() (d int) {
	var r float64
	if n, _ := fmt.Sscanf(c.traffic, "local(%d,%g)", &d, &r); n < 2 {
		return 0
	}
	return d
}

// series are the points of a curve that were accepted: the latency of others depends on how long was simulated.
func (c *loadCurve) series(name string, style int) chart.Series {
	s := chart.Series{Name: name, Style: style, Line: true}
	for _, p := range c.points {
		if carried(p) && p.Packets > 0 {
			s.X, s.Y = append(s.X, p.Offered), append(s.Y, p.Latency.Mean)
		}
	}
	return s
}
