package evaluator

import (
	"context"
	"math"
	"strings"
	"testing"

	"toposearch/evaluator/metric"
	"toposearch/internal/racing"
	"toposearch/topology"
	"toposearch/topology/netfile"
)

// TestWorstOfPorts: three endpoints with two ports each, on three switches so that any two of them share one. Routes cross no link between
// switches, and yet a permutation x to y to z to x takes one of the two ports of each: half of the bandwidth, where uniform traffic takes both alike.
// Where they share both switches they get all of it.
//
// On a line of switches whose links carry two endpoints, three endpoints have a port each on the first and the second, and one has both on the third.
// What it sends to one of the three comes through the port on the second switch alone: half again, whatever the others have of ports. Of uniform traffic that port takes
// the third that this one sends, and half of two thirds: two thirds of the bandwidth, 4/3 of what it carries.
func TestWorstOfPorts(t *testing.T) {
	racing.Figures(t)
	const text = `{"schema": "toposearch.network/1", "lane_gbps": 200, "endpoint_lanes": 2,
"switch_classes": [{"name": "leaf", "count": 3, "home": "with_endpoints"}],
"link_classes": [{"name": "nic", "lanes": 1}, {"name": "link", "lanes": 4}],
"endpoints": ENDPOINTS, "links": [{"class": "link", "ends": LINKS}]}`
	const ring = "[[0, 1], [1, 2], [0, 2]]"
	for _, test := range []struct {
		endpoints   string
		links       string
		algorithms  []string
		uniform     float64
		lo, hi      float64
		methodHolds string
	}{
		{"[[1, 0, 1], [1, 1, 2], [1, 2, 0]]", ring, []string{RoutingNatural}, 1, 0.5, 0.5, "natural"},
		{"[[1, 0, 1], [1, 1, 2], [1, 2, 0]]", ring, []string{"ugal_l"}, 1, 0.5, 1, "ports of an endpoint"},
		{"[[3, 0, 1]]", ring, []string{RoutingNatural}, 1, 1, 1, "natural"},
		{"[[3, 0, 1], [1, 2, 2]]", "[[0, 1], [1, 2]]", []string{RoutingNatural}, 0.75, 0.5, 0.5, "natural"},
	} {
		f, list := netfile.Parse("n.json", []byte(strings.NewReplacer("ENDPOINTS", test.endpoints, "LINKS", test.links).Replace(text)))
		if f == nil {
			t.Fatal(list)
		}
		d := topology.Design{Family: f.Family}
		for _, level := range []int{2, 3} { // the ladder of a search, and all that eval does
			res, err := newEvaluator(t, Options{BandwidthGbps: 400, Algorithms: test.algorithms}).Evaluate(context.Background(), d,
				Request{Level: level, Keys: []metric.Key{metric.UniformThroughput, metric.WorstThroughput}})
			if err != nil {
				t.Fatal(err)
			}
			u, w := res.Metrics[metric.UniformThroughput], res.Metrics[metric.WorstThroughput]
			if math.Abs(u.Value-test.uniform) > 1e-12 || math.Abs(w.Lo-test.lo) > 1e-12 || math.Abs(w.Hi-test.hi) > 1e-12 || !strings.Contains(w.Method, test.methodHolds) {
				t.Errorf("%s, %s, level %d: uniform %+v, worst %+v, absent %q", test.endpoints, test.algorithms, level, u, w, res.Absent[metric.WorstThroughput])
			}
		}
	}
}

// TestBestCarriesDirect: the best possible routing carries what natural routes carry of their worst traffic. Fifteen accelerators hang on two of three switches each, which no link
// joins: a permutation after which nobody shares both switches takes one port of each, half of the bandwidth, and no phases meet. In the others endpoints or
// links lose half in two phases.
func TestBestCarriesDirect(t *testing.T) {
	racing.Figures(t)
	for name, want := range map[string]float64{
		"layered(n1=15,n2=3,h12_1=1,h12_2=1,e12=2)":                                                0.5,
		"layered(n1=24,n2=6,n3=3,h12_1=2,h12_2=2,e12=2,h23_2=1,h23_3=1,b23=2)":                     0.125, // planes that meet in endpoints
		"layered(n1=20,n2=5,n3=2,h12_1=5,h12_2=5,h23_2=1,h23_3=1,d3=1,p3_1=1,a3_1_01=1,a3_1_11=1)": 0.125, // one port
	} {
		d := parse(t, name)
		worst := func(algorithms ...string) metric.Figure {
			res, err := newEvaluator(t, Options{BandwidthGbps: 400, Algorithms: algorithms}).Evaluate(context.Background(), d,
				Request{Level: 3, Keys: []metric.Key{metric.WorstThroughput}})
			if err != nil {
				t.Fatal(err)
			}
			return res.Metrics[metric.WorstThroughput]
		}
		direct, best := worst(RoutingNatural), worst()
		if math.Abs(direct.Lo-want) > 1e-12 || math.Abs(best.Lo-want) > 1e-12 || best.Hi < want || best.Hi > want*1.001 {
			t.Errorf("%s: natural routes %+v, the best possible %+v, want %g of both", name, direct, best, want)
		}
	}
}
