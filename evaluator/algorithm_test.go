package evaluator

import (
	"math"
	"slices"
	"strings"
	"testing"

	"toposearch/evaluator/bound"
	"toposearch/evaluator/metric"
	"toposearch/internal/racing"
	"toposearch/routing"
	"toposearch/topology"
)

// What routings carry in the worst case, by hand.
//
//   - dragonfly(p=2,a=4,h=2): the 8 endpoints of a group send over one global link; detours make twice uniform traffic,
//     which loads local links by 68/71: 72/136 (search/run.TestVerifiedRouting).
//   - torus(k1=8,k2=8), dimension order: over a channel come the endpoints 0, 1, 2 and, halved, 3 hops upstream, each to
//     another row of the next column: 7/2. Uniform traffic loads a channel by 64/63, twice of which times 63/64 is 2.
//   - hyperx(s1=4,s2=4,t=2): both endpoints of a switch turn into the same column: 2. Uniform: 2*2*4/31 of a channel.
//   - fattree(k=4,l=3) spreads over its top whatever comes: 1. Detours: 1/2 of what uniform traffic gets, 15/14, times
//     16/15.
//   - zcube(n=4,k=2): the endpoints of 3 edge switches reach the 4th over one port each: 1/3; two ports pass nothing on.
func TestWorstThroughputOfRoutings(t *testing.T) {
	for _, c := range []struct {
		design, routing string
		uniform, lo, hi float64
	}{
		{"dragonfly(p=2,a=4,h=2)", "natural", 71.0 / 68, 1.0 / 8, 1.0 / 8},
		{"dragonfly(p=2,a=4,h=2)", "valiant", 71.0 / 136 * 36 / 35, 72.0 / 136, 72.0 / 136},
		{"dragonfly(p=2,a=4,h=2)", "par", 71.0 / 68, 72.0 / 136, 72.0 / 136},
		{"torus(k1=8,k2=8)", "natural", 63.0 / 64, 2.0 / 7, 2.0 / 7},
		{"torus(k1=8,k2=8)", "ugal_l", 63.0 / 64, 1.0 / 2, 1.0 / 2},
		{"hyperx(s1=4,s2=4,t=2)", "natural", 31.0 / 16, 1.0 / 2, 1.0 / 2},
		{"hyperx(s1=4,s2=4,t=2)", "natural+hash", 31.0 / 16, 1.0 / 2, 1.0 / 2},
		{"hyperx(s1=4,s2=4,t=2)", "ugal_g", 31.0 / 16, 1, 1},
		{"fattree(k=4,l=3)", "natural", 15.0 / 14, 1, 1},
		{"fattree(k=4,l=3)", "valiant", 15.0 / 28 * 8 / 7, 4.0 / 7, 4.0 / 7},
		{"zcube(n=4,k=2)", "natural", 1, 1.0 / 3, 1.0 / 3},
		{"zcube(n=8,k=1)", "natural", 1, 1, 1}, // one switch: the endpoints' own ports limit it
		{"crossbar(n=8)", "ugal_l", 1, 1, 1},
		{"zcube(n=4,k=2)", "valiant", 1, 0, 1}, // see TestUniformByValiant
	} {
		r := evaluate(t, newEvaluator(t, Options{BandwidthGbps: 400, Algorithms: []string{c.routing}}), parse(t, c.design), Request{Keys: []metric.Key{metric.UniformThroughput, metric.WorstThroughput}})
		u, w := r.Metrics[metric.UniformThroughput], r.Metrics[metric.WorstThroughput]
		takes := c.routing
		if c.design == "crossbar(n=8)" {
			takes = RoutingNatural // one switch leaves nothing to choose
		}
		if r.Routing != takes || r.Have[metric.WorstThroughput] != (c.hi > 0) || math.Abs(u.Value-c.uniform) > 1e-9 {
			t.Errorf("%s, %s: routing %s, uniform %v, want %v; %s", c.design, c.routing, r.Routing, u.Value, c.uniform, r.Absent[metric.WorstThroughput])
		}
		if math.Abs(w.Lo-c.lo) > 1e-9 || math.Abs(w.Hi-c.hi) > 1e-9 || w.Value != w.Lo {
			t.Errorf("%s, %s: worst throughput %v in [%v, %v], want [%v, %v]", c.design, c.routing, w.Value, w.Lo, w.Hi, c.lo, c.hi)
		}
	}
}

// Of the routings that fit the VCs a design takes the best: by uniform throughput, of equals the first; by
// worst_throughput where that is asked for; and what needs least where none fits.
func TestChosenRouting(t *testing.T) {
	racing.Figures(t)
	uniform := []metric.Key{metric.UniformThroughput, metric.VCsMinimal}
	worst := append([]metric.Key{metric.WorstThroughput}, uniform...)
	for _, c := range []struct {
		design    string
		names     string
		vcs, hops int
		keys      []metric.Key
		want      string
	}{
		{"dragonfly(p=2,a=4,h=2)", "natural ugal_l", 0, 0, uniform, "natural"},
		{"dragonfly(p=2,a=4,h=2)", "ugal_l natural", 0, 0, uniform, "ugal_l"},
		{"dragonfly(p=2,a=4,h=2)", "ugal_l natural", 4, 0, uniform, "ugal_l"}, // 2 VCs for either leg
		{"dragonfly(p=2,a=4,h=2)", "ugal_l natural", 3, 0, uniform, "natural"},
		{"dragonfly(p=2,a=4,h=2)", "par ugal_l natural", 4, 0, uniform, "ugal_l"}, // and 1 for the first hop
		{"dragonfly(p=2,a=4,h=2)", "par ugal_l natural", 5, 0, uniform, "par"},
		{"dragonfly(p=2,a=4,h=2)", "ugal_l natural", 0, 5, uniform, "natural"}, // 3 hops a leg
		{"dragonfly(p=2,a=4,h=2)", "ugal_l natural", 0, 6, uniform, "ugal_l"},
		{"dragonfly(p=2,a=4,h=2)", "ugal_l valiant", 3, 0, uniform, "ugal_l"}, // none fits
		{"dragonfly(p=2,a=4,h=2)", "dfsssp lash", 1, 0, uniform, "lash"},      // 3 layers, 2
		{"dragonfly(p=2,a=4,h=2)", "ugal_l dfsssp natural", 1, 0, uniform, "natural"},
		{"dragonfly(p=2,a=4,h=2)", "valiant natural", 0, 0, uniform, "natural"},
		{"dragonfly(p=2,a=4,h=2)", "natural valiant", 0, 0, worst, "valiant"},
		{"dragonfly(p=2,a=4,h=2)", "natural valiant ugal_l", 0, 0, worst, "ugal_l"},
		{"dragonfly(p=2,a=4,h=2)", "natural ugal_l", 2, 0, worst, "natural"},
		{"fattree(k=4,l=3)", "natural ugal_l", 0, 0, worst, "natural"},
	} {
		r := evaluate(t, newEvaluator(t, Options{BandwidthGbps: 400, Algorithms: strings.Fields(c.names), MaxVCs: c.vcs, MaxRouteHops: c.hops}), parse(t, c.design), Request{Level: 1, Keys: c.keys})
		if r.Routing != c.want || r.Chosen != c.want {
			t.Errorf("%s, %s, %d VCs, %d hops: %s, want %s", c.design, c.names, c.vcs, c.hops, r.Routing, c.want)
		}
		u, ok := r.Metrics[metric.UniformThroughput], r.Have[metric.UniformThroughput]
		if half := 71.0 / 136 * 36 / 35; ok && c.design[0] == 'd' && (math.Abs(u.Value-half) < 1e-9) != (c.want == "valiant") {
			t.Errorf("%s by %s: uniform throughput %v", c.design, c.want, u.Value)
		}
	}
	for name, want := range map[string]bool{"natural": false, "valiant": true, "ugal_l": true} {
		r := evaluate(t, newEvaluator(t, Options{Algorithms: []string{name}}), parse(t, "dragonfly(p=2,a=4,h=2)"), Request{Level: 1})
		if got := slices.ContainsFunc(r.Notes, func(n string) bool { return strings.Contains(n, "those of direct routes, ") }); got != want {
			t.Errorf("%s: a note on the length of detours: %t", name, got)
		}
	}
	if r := evaluate(t, newEvaluator(t, Options{}), parse(t, "ring(n=5)"), Request{}); r.Routing != "natural" || r.Chosen != "" {
		t.Errorf("without names: routing %q, chosen %q", r.Routing, r.Chosen)
	}
	for _, bad := range []string{"minimal", "ugal_l+group", "natural+adaptive", "nonsense"} {
		if _, err := New(Options{Algorithms: []string{bad}}); err == nil {
			t.Errorf("%s: no error", bad)
		}
	}
}

// The enclosure of a design holds whatever routing it takes.
func TestEnclosureOfChosenRoutings(t *testing.T) {
	for _, names := range [][]string{{"natural"}, {"valiant"}, {"valiant", "natural"}, {"ugal_l", "valiant"}} {
		e := newEvaluator(t, Options{BandwidthGbps: 400, Algorithms: names})
		for _, keys := range [][]metric.Key{{metric.UniformThroughput}, {metric.UniformThroughput, metric.WorstThroughput}} {
			for _, name := range []string{"dragonfly(p=2,a=4,h=2)", "hyperx(s1=4,s2=4,t=2)", "fattree(k=4,l=3)"} {
				d := parse(t, name)
				var size topology.Size
				var l bound.Ladder
				var iv metric.Intervals
				if err := d.Family.Size(d.V, &size); err != nil {
					t.Fatal(err)
				}
				e.Enclose(bound.One(d.V, &size), &l, &iv)
				x := evaluate(t, e, d, Request{Keys: keys}).Metrics[metric.UniformThroughput].Value
				if at := iv.At[metric.UniformThroughput]; !iv.Have[metric.UniformThroughput] || x < at.Lo*(1-1e-9) || x > at.Hi*(1+1e-9) {
					t.Errorf("%s by %v: uniform throughput %v, enclosed by %v", name, names, x, at)
				}
			}
		}
	}
}

// The VCs that a routing is taken to need are no fewer than its legs use on the network.
func TestFirstVCs(t *testing.T) {
	for _, name := range []string{"dragonfly(p=2,a=4,h=2)", "torus(k1=4,k2=4)", "fattree(k=4,l=3)", "slimfly(q=5)"} {
		d := parse(t, name)
		n, err := d.Build()
		if err != nil {
			t.Fatal(err)
		}
		o := Options{}
		r, err := routing.New(n, o.Natural(d))
		if err != nil {
			t.Fatal(err)
		}
		if got, want := firstVCs(o.Natural(d)), r.FirstVCs(); got < want {
			t.Errorf("%s: %d VCs on first hops, the network has %d", name, got, want)
		}
	}
}

// TestWorstAlone: worst_throughput is of the routing that is asked for alone, not of the best possible one, and that of tables what it is where they are
// named. A tree carries everything that is spread over its top, and a line of two switches an eighth of what eight endpoints send over its one link.
func TestWorstAlone(t *testing.T) {
	for name, minimal := range map[string]float64{"fattree(k=8,l=2)": 1, "mesh(k1=2,t=8)": 1. / 8, "jellyfish(n=20,r=4,p=2)": 0, "dragonfly(p=2,a=4,h=2)": 0, "zcube(n=4,k=2)": 0} {
		t.Run(name, func(t *testing.T) {
			worst := func(o Options) metric.Figure {
				res, err := newEvaluator(t, o).Evaluate(t.Context(), parse(t, name), Request{Level: 3, Keys: []metric.Key{metric.WorstThroughput}})
				if err != nil {
					t.Fatal(err)
				}
				if !res.Have[metric.WorstThroughput] {
					t.Fatalf("%+v: absent: %s", o, res.Absent[metric.WorstThroughput])
				}
				return res.Metrics[metric.WorstThroughput]
			}
			got := worst(Options{Routing: RoutingMinimal})
			if minimal > 0 && math.Abs(got.Lo-minimal) > 1e-9 || got.Hi-got.Lo > 1e-4*got.Hi || !strings.Contains(got.Method, "routing minimal, any traffic") {
				t.Errorf("minimal: %+v, want %v", got, minimal)
			}
			for _, tables := range []string{RoutingLASH, RoutingDFSSSP} {
				alone, named := worst(Options{Routing: tables}), worst(Options{Algorithms: []string{tables}})
				if alone.Lo != named.Lo || alone.Hi != named.Hi || alone.Lo != alone.Hi {
					t.Errorf("%s: %+v alone, %+v named", tables, alone, named)
				}
			}
		})
	}
}

// TestWorstOneWay: whatever the routing, one-way channels are why nothing is said of worst traffic, not closed forms of other routes.
func TestWorstOneWay(t *testing.T) {
	for _, o := range []Options{{Routing: RoutingMinimal}, {Routing: RoutingLASH}, {Algorithms: []string{RoutingNatural}}} {
		r := evaluate(t, newEvaluator(t, o), parse(t, "omega(k=2,n=3)"), Request{Keys: []metric.Key{metric.WorstThroughput}})
		if why := r.Absent[metric.WorstThroughput]; !strings.Contains(why, "no partner") {
			t.Errorf("%s%v: absent: %q", o.Routing, o.Algorithms, why)
		}
	}
}
