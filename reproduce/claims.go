package reproduce

import (
	"context"
	"fmt"
	"math"

	"toposearch/topology"
)

// priced is what an endpoint's share of a design costs at the survey's prices of 200 Gb/s, whole
// switches of the given ports, nic links copper.
func priced(s *topology.Size, radix int, copper, optical float64) float64 {
	n := float64(s.Endpoints)
	return cu200*(1+copper/n) + op200*optical/n + port*float64(radix)*float64(s.Switches())/n
}

// surveyClaims puts three sentences of the survey beside what comes out with its own prices.
func surveyClaims(ctx context.Context) (*Table, error) {
	t := &Table{
		Source: "D. Dong, X. Wang, F. Lei, survey of interconnect topologies, J. NUDT 48(2), 2026: sentences on cost",
		Notes: []string{
			"A published range is two cells, its lower and its upper end; the survey does not say how its percentages were found. Ours: cost per endpoint " +
				"without NICs at the survey's prices of January 2026, exact cable counts, whole switches.",
			"Flattened Butterfly and Dragonfly at 65,536 endpoints with switches of 64 ports: links of the first dimension, and inside groups, are copper.",
			"Slim Fly and Dragonfly at the sizes of the Slim Fly paper (10,830 and 10,890 endpoints): links inside a rack (a pair of columns), and inside groups, are copper.",
			"Jellyfish: as many endpoints as the full 3-level fat tree of k ports, p endpoints per switch, p the largest for which Bollobas' bound " +
				"n/2 (r/2 - sqrt(r ln 2)) on the bisection, r = k-p, is full.",
		},
	}
	_, fb, err := measure(ctx, "flattenedbutterfly(k=16,n=4)")
	if err != nil {
		return nil, err
	}
	_, df, err := measure(ctx, "dragonfly(p=16,a=32,h=16,g=128)")
	if err != nil {
		return nil, err
	}
	costFB := priced(fb, 64, float64(fb.Link[1]), float64(fb.Link[2]+fb.Link[3]))
	costDF := priced(df, 64, float64(df.Link[1]), float64(df.Link[2]))
	below := percentBelow(costDF, costFB)
	t.Rows = append(t.Rows, Row{"Dragonfly below Flattened Butterfly", []Cell{
		atLeast("percent_low", 10, below, fmt.Sprintf("%.0f and %.0f USD per endpoint", costDF, costFB)), atMost("percent_high", 20, below, ""),
	}})
	row, err := slimflyClaim(ctx)
	if err != nil {
		return nil, err
	}
	t.Rows = append(t.Rows, row)
	for _, k := range []int{24, 48, 64, 128} {
		_, tree, err := measure(ctx, fmt.Sprintf("fattree(k=%d,l=3)", k))
		if err != nil {
			return nil, err
		}
		p, n := jellyfishFor(k, tree.Endpoints)
		less := percentBelow(float64(n), float64(tree.Switches()))
		note := fmt.Sprintf("%d switches with %d endpoints each; the tree has %d", n, p, tree.Switches())
		t.Rows = append(t.Rows, Row{fmt.Sprintf("Jellyfish, fewer switches than the fat tree, k = %d", k), []Cell{
			noted(atLeast("percent_low", 15, less, note), "at few ports the random term of the bound outweighs the gain; "+note),
			noted(atMost("percent_high", 20, less, note), "the gain grows with the ports: more than claimed at 64; "+note),
		}})
	}
	return t, nil
}

// jellyfishFor gives the endpoints per switch and the switches that carry n endpoints in full.
func jellyfishFor(k int, n int64) (p int, switches int64) {
	for p = k - 1; p > 1; p-- {
		r := float64(k - p)
		if r/2-math.Sqrt(r*math.Ln2) >= float64(p) {
			break
		}
	}
	return p, (n + int64(p) - 1) / int64(p)
}

func slimflyClaim(ctx context.Context) (Row, error) {
	d, s, err := sized("slimfly(q=19)")
	if err != nil {
		return Row{}, err
	}
	n, err := d.Build()
	if err != nil {
		return Row{}, err
	}
	inside := 0
	for x := range n.Switches() {
		for _, y := range n.Neighbors(topology.SwitchID(x)) {
			if x/38 == int(y)/38 { // a rack holds 2q switches
				inside++
			}
		}
	}
	copper := float64(inside) / 2
	_, df, err := measure(ctx, "dragonfly(p=11,a=22,h=11,g=45)")
	if err != nil {
		return Row{}, err
	}
	costSF := priced(s, s.Radix(), copper, float64(s.SwitchLinks())-copper)
	costDF := priced(df, df.Radix(), float64(df.Link[1]), float64(df.Link[2]))
	// The paper's power: every port has four lanes of 0.7 W; it counts 43 ports for both.
	watts := func(s *topology.Size, k float64) float64 {
		return float64(s.Switches()) * k * 4 * 0.7 / float64(s.Endpoints)
	}
	wSF, wDF := watts(s, 43), watts(df, 43)
	return Row{"Slim Fly below Dragonfly", []Cell{
		noted(number("cost_percent", 25, round(percentBelow(costSF, costDF), 1), 0,
			fmt.Sprintf("%.0f and %.0f USD per endpoint", costSF, costDF)),
			fmt.Sprintf("%.0f and %.0f USD per endpoint: with the prices of 2026, ports weigh more and copper less than in the paper's of 2013", costSF, costDF)),
		extra("power_percent", round(percentBelow(wSF, wDF), 1), "the paper's model, 2.8 W a port"),
		number("slimfly_power_w", 8.03, round(wSF, 4), 2, "Slim Fly paper; 43 ports, as it counts"),
		number("dragonfly_power_w", 10.95, round(wDF, 4), 2, "Slim Fly paper"),
	}}, nil
}

// surveyRadix: equations 4 to 6 and 9 to 11.
func surveyRadix(context.Context) (*Table, error) {
	e := topology.Economics{SwitchBps: 51.2e12, DelayS: 400e-9, Endpoints: 1e5, MessageBits: 16_000 * 8}
	binary := e
	binary.MessageBits = 16_384 * 8
	k := e.OptimalRadix()
	t := &Table{
		Source: "D. Dong, X. Wang, F. Lei, survey of interconnect topologies, J. NUDT 48(2), 2026, equations 4 to 6 and 9 to 11",
		Notes: []string{
			"Example: switches of 51.2 Tb/s and 400 ns, 100,000 endpoints, messages of 16 KB, which are 16,000 bytes: with 16,384 the aspect ratio is 1798.9.",
			"Doubling one of bandwidth, delay, endpoints and message size moves the best radix as shown.",
		},
	}
	t.Rows = append(t.Rows, Row{"equations 4 to 6", []Cell{
		number("aspect_ratio", 1842.07, round(e.AspectRatio(), 4), 2, "B t ln N / S"),
		number("optimal_radix", 90.67, round(k, 4), 2, "k ln^2 k = aspect ratio"),
		number("optimal_radix_whole", 91, math.Ceil(k), 0, ""),
		extra("latency_at_optimum_us", round(e.LatencyS(k)*1e6, 3), "equation 5"),
		extra("latency_at_64_us", round(e.LatencyS(64)*1e6, 3), ""), extra("latency_at_256_us", round(e.LatencyS(256)*1e6, 3), ""),
		extra("aspect_ratio_16384", round(binary.AspectRatio(), 1), "16 KiB"),
	}})
	row := Row{Name: "sensitivity of the optimal radix"}
	for _, x := range []struct {
		name   string
		change func(*topology.Economics)
	}{
		{"bandwidth_doubled", func(e *topology.Economics) { e.SwitchBps *= 2 }}, {"delay_halved", func(e *topology.Economics) { e.DelayS /= 2 }},
		{"endpoints_tenfold", func(e *topology.Economics) { e.Endpoints *= 10 }}, {"message_1kb", func(e *topology.Economics) { e.MessageBits = 8000 }},
	} {
		other := e
		x.change(&other)
		row.Cells = append(row.Cells, extra(x.name, round(other.OptimalRadix(), 1), ""))
	}
	t.Rows = append(t.Rows, row)
	moore := func(k int) float64 { n, _ := topology.MooreEndpoints(k, 2); return n }
	t.Rows = append(t.Rows, Row{"equations 9 to 11: Moore bound", []Cell{
		number("switches_degree_7_diameter_2", 50, topology.MooreSwitches(7, 2), 0, "Hoffman-Singleton, slimfly(q=5)"),
		number("radix_for_100000_diameter_2", 88, float64(topology.MooreRadix(1e5, 2)), 0, ""),
		extra("endpoints_87_ports", moore(87), ""), extra("endpoints_88_ports", moore(88), ""),
		extra("radix_for_100000_diameter_3", topology.MooreRadix(1e5, 3), ""), extra("radix_for_1000000_diameter_3", topology.MooreRadix(1e6, 3), ""),
	}})
	return t, nil
}
