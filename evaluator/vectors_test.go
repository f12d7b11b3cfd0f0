package evaluator

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"toposearch/evaluator/metric"
	"toposearch/internal/racing"
	"toposearch/topology"
	"toposearch/topology/family"
	"toposearch/topology/family/familytest"
	"toposearch/topology/topotest"
)

func evaluate(t testing.TB, e *Evaluator, d topology.Design, req Request) *Result {
	t.Helper()
	r, err := e.Evaluate(context.Background(), d, req)
	if err != nil {
		t.Fatalf("%s: %v", d, err)
	}
	return r
}

// value is a metric that must be there.
func value(t testing.TB, r *Result, k metric.Key) float64 {
	t.Helper()
	if !r.Have[k] {
		t.Fatalf("%s: %s is absent: %s", r.Design, metric.Keys[k].Name, r.Absent[k])
	}
	return r.Metrics[k].Value
}

// TestATOP compares with table 3 of ATOP (SIGCOMM 2025, doi 10.1145/3718958.3750503), whose
// digits are those printed, of shortest paths. Starred columns have servers of 8 joined by a scale-up mesh. Not
// among them: its HPN row for 4,096 endpoints, which contradicts its table 7, the starred APL_fail
// of Rail-only, which no reading reproduces (see TestRailOnlyFail), and the starred columns of
// Dragonfly, whose servers would have to span more than two neighbouring switches.
func TestATOP(t *testing.T) {
	plain := newEvaluator(t, Options{BandwidthGbps: 400, Routing: "minimal"})
	starred := newEvaluator(t, Options{BandwidthGbps: 400, Routing: "minimal", Scaleup: true})
	for _, c := range []struct {
		design string
		star   bool
		key    metric.Key
		want   float64
	}{
		{"roft(k=16)", false, metric.MaxPathSwitches, 5},
		{"fattree(k=32,l=3,pods=4)", false, metric.MeanPathLinks, 5.47214},
		{"roft(k=32,pods=4)", false, metric.MeanPathLinks, 5.47214},
		{"roft(k=32,pods=4)", true, metric.MeanPathLinks, 5.34897},
		{"roft(k=32,pods=4)", true, metric.MeanPathLinksFail, 5.36011},
		{"railonly(k=32,leaves=8)", false, metric.MeanPathLinks, 4.61388},
		{"dragonfly(p=4,a=8,h=4)", false, metric.MeanPathLinks, 4.67867},
		{"dragonfly(p=4,a=8,h=4,arrangement=absolute)", false, metric.MeanPathLinks, 4.68608},
		{"dragonfly(p=4,a=8,h=4,arrangement=circulant)", false, metric.MeanPathLinks, 4.66919},
		{"dragonfly(p=4,a=8,h=4)", false, metric.MaxPathSwitches, 4},
		{"bcube(n=32,l=2)", false, metric.MeanPathLinks, 3.87879},
		{"bcube(n=32,l=2)", false, metric.MeanPathLinksFail, 3.88258},
		{"bcube(n=32,l=2)", true, metric.MeanPathLinks, 3.65982},
		{"bcube(n=32,l=2)", true, metric.MeanPathLinksFail, 3.66224},
		{"bcube(n=4,l=2)", false, metric.MaxPathSwitches, 3},
		{"bcube(n=4,l=3)", false, metric.MaxPathSwitches, 5},
		{"zcube(n=32,k=2)", false, metric.MeanPathLinks, 2.93939},
		{"zcube(n=32,k=2)", false, metric.MeanPathLinksFail, 2.94129},
		{"zcube(n=32,k=2)", true, metric.MeanPathLinks, 2.93255},
		{"zcube(n=32,k=2)", true, metric.MeanPathLinksFail, 2.93423},
		{"zcube(n=64,k=2)", false, metric.MeanPathLinks, 2.96923},
		{"zcube(n=64,k=2)", false, metric.MeanPathLinksFail, 2.96971},
		{"zcube(n=128,k=2)", false, metric.MeanPathLinks, 2.98450},
		{"zcube(n=3,k=4)", false, metric.MaxPathSwitches, 4},
		{"zcube_partial(n=16)", false, metric.MeanPathLinks, 4.75092},
		{"zcube_partial(n=16)", false, metric.MaxPathSwitches, 4},
	} {
		if testing.Short() && c.key == metric.MeanPathLinksFail && c.star {
			continue
		}
		e := plain
		if c.star {
			e = starred
		}
		r := evaluate(t, e, parse(t, c.design), Request{Keys: []metric.Key{c.key}})
		if got := value(t, r, c.key); math.Abs(got-c.want) > 5.01e-6 {
			t.Errorf("%s, servers meshed %v: %s = %.6f, want %.5f", c.design, c.star, metric.Keys[c.key].Name, got, c.want)
		}
	}
}

// TestRailOnlyFail: ATOP prints 4.61631 for the starred APL_fail of Rail-only; the definition it
// gives yields 4.61875, whose distance from APL is twice the printed one.
func TestRailOnlyFail(t *testing.T) {
	e := newEvaluator(t, Options{BandwidthGbps: 400})
	r := evaluate(t, e, parse(t, "railonly(k=32,leaves=8)"), Request{Keys: []metric.Key{metric.MeanPathLinksFail}})
	if got := value(t, r, metric.MeanPathLinksFail); math.Abs(got-4.61875) > 5.01e-6 {
		t.Errorf("railonly: mean_path_links_fail = %.6f, want 4.61875", got)
	}
}

// TestKnown holds published or derived figures. Sources: T3 is table 3 of the survey of Dong,
// Wang, Lei (J. NUDT 48(2), 2026); TUB is SIGCOMM 2021; X was counted by an independent program;
// D is derived beside the row.
func TestKnown(t *testing.T) {
	racing.Figures(t)
	e := newEvaluator(t, Options{BandwidthGbps: 400})
	for _, c := range []struct {
		design string
		key    metric.Key
		want   float64
		tol    float64
	}{
		// DESIGN: 128 ports of 200 Gb/s are 64 physical ports of 400.
		{"zcube(n=64,k=2)", metric.Radix, 128, 0},
		{"zcube(n=64,k=2)", metric.PhysicalPorts, 64, 0},
		{"zcube(n=64,k=2)", metric.PortsPerEndpoint, 4, 0},      // T3
		{"zcube(n=64,k=2)", metric.Bisection, 0.8330078125, 0},  // X: 45 and 46 of 64 switches on one side
		{"zcube(n=64,k=2)", metric.MaxHops, 1, 0},               // T3
		{"zcube(n=64,k=2)", metric.GraphDiameter, 2, 0},         // K_{64,64}
		{"zcube(n=64,k=2)", metric.VCsMinimal, 1, 0},            // X
		{"zcube(n=64,k=2)", metric.UniformThroughput, 1, 0.001}, // D: two ports at half of the bandwidth each
		{"fattree(k=64,l=3)", metric.PortsPerEndpoint, 5, 0},    // T3
		{"fattree(k=64,l=3)", metric.MaxHops, 4, 0},             // T3
		{"fattree(k=8,l=3)", metric.Bisection, 1, 1e-12},        // T3
		{"fattree(k=64,l=2)", metric.PortsPerEndpoint, 3, 0},    // T3
		// D: 10 down, 6 up: 0.6 of the bandwidth leaves a leaf.
		{"fattree(k=16,l=2,d=10)", metric.Bisection, 0.6, 1e-12},
		// D: a leaf sends (160-10)/159 of its 10 endpoints' traffic over 6 links.
		{"fattree(k=16,l=2,d=10)", metric.UniformThroughput, 0.6 * 159 / 150, 1e-12},
		// D: 60 uplinks of 400 Gb/s for 128 endpoint ports of 200.
		{"hpn(k=256,up=60,segments=15,core=8)", metric.Bisection, 0.9375, 1e-12},
		// D: servers stay whole, so that every rail is cut into halves, and each is a full tree.
		{"railonly(k=8,g=4)", metric.Bisection, 1, 1e-12},
		{"zettafly3(a=4,p=2,h=2)", metric.MeanPathLinks, 4.61053, 5e-6}, // X
		{"zettafly4(a=6,p=3,h=3)", metric.MeanPathLinks, 5.81308, 5e-6}, // X
		{"zettafly4(a=6,p=3,h=3)", metric.MaxHops, 4, 0},                // T3
		{"dragonfly(p=2,a=4,h=2)", metric.VCsMinimal, 2, 0},             // X
		{"dragonfly(p=2,a=4,h=2)", metric.Bisection, 20.0 / 36, 1e-12},  // X: 20 links, gpmetis too
		{"dragonfly(p=2,a=4,h=2)", metric.TUB, 5.0 / 6, 1e-12},          // D: 2*90 links... TUB 1.667 for p=1, halved
		{"dragonfly(p=8,a=16,h=8)", metric.TUB, 7.666667 / 8, 1e-6},     // TUB, X
		{"slimfly(q=5)", metric.Bisection, 0.65, 1e-12},                 // X: gpmetis 65 of 175 links
		{"slimfly(q=5)", metric.TUB, 3.5 / 4, 1e-12},                    // X
		{"slimfly(q=5)", metric.MeanHops, 13.0 / 7 * 196 / 199, 1e-9},   // D: 13/7 between switches, 4 endpoints each
		{"hyperx(s1=8,s2=8,t=1)", metric.TUB, 7, 1e-12},                 // X
		{"hyperx(s1=4,s2=4,s3=4,t=1)", metric.TUB, 3, 1e-12},            // X
		{"hyperx(s1=8,s2=8,t=1)", metric.MeanHops, 1.777778, 1e-6},      // X
		{"hyperx(s1=4,s2=4,s3=4,t=1)", metric.MeanHops, 2.285714, 1e-6}, // X
		{"fullmesh(d1=8,d2=8,d3=4,d4=4)", metric.MeanHops, 3.253177, 1e-6},
		{"fullmesh(d1=8,d2=8,d3=4,d4=4)", metric.SwitchLinks, 10240, 0},
		{"fullmesh(d1=8,d2=8,d3=4,d4=4)", metric.EndpointPorts, 20, 0},
		{"fullmesh(d1=8,d2=8,d3=4,d4=4)", metric.MaxHops, 4, 0},
		{"torus(k1=8,k2=8)", metric.MeanHops, 4.063492, 1e-6}, // X
		{"torus(k1=8,k2=8)", metric.VCsMinimal, 2, 0},         // dateline
		{"torus(k1=5,k2=5)", metric.MeanHops, 2.5, 1e-12},     // X
		{"hypercube(n=6)", metric.MeanHops, 3.0 * 64 / 63, 1e-12},
		{"hypercube(n=6)", metric.Bisection, 1, 1e-12},
		{"meshtree(k=4)", metric.MaxHops, 6, 0}, // T3
		{"crossbar(n=16)", metric.Bisection, 1, 1e-12},
		{"crossbar(n=16)", metric.MaxHops, 0, 0},
	} {
		d := familytest.Parse(t, c.design)
		r := evaluate(t, e, d, Request{Keys: []metric.Key{c.key}})
		if got := value(t, r, c.key); math.Abs(got-c.want) > c.tol {
			t.Errorf("%s: %s = %.10g, want %.10g (%s)", c.design, metric.Keys[c.key].Name, got, c.want, r.Metrics[c.key].Method)
		}
	}
}

// TestTorusThroughput: the LP optimum of an 8x8 torus is 1/64 per pair of a unit link (X), and
// dimension order reaches it: 63/64 with one endpoint a switch and 4 links at its rate.
func TestTorusThroughput(t *testing.T) {
	e := newEvaluator(t, Options{BandwidthGbps: 400})
	r := evaluate(t, e, parse(t, "torus(k1=8,k2=8)"), Request{Keys: []metric.Key{metric.UniformThroughput, metric.Bisection}})
	if got := value(t, r, metric.UniformThroughput); math.Abs(got-63.0/64) > 1e-12 {
		t.Errorf("torus(8x8): uniform_throughput = %g, want 63/64", got)
	}
	// 16 links of half of 64 endpoints.
	if got := value(t, r, metric.Bisection); math.Abs(got-0.5) > 1e-12 {
		t.Errorf("torus(8x8): bisection = %g, want 0.5", got)
	}
}

// TestUnreachable: a mean over pairs that do not all reach each other is absent, with a reason.
func TestUnreachable(t *testing.T) {
	for _, name := range []string{"railonly(k=8,g=2,leaves=2)", "roft(k=8,g=4)"} {
		e := newEvaluator(t, Options{BandwidthGbps: 400})
		r := evaluate(t, e, parse(t, name), Request{Keys: []metric.Key{metric.MeanPathLinksFail}})
		if name == "roft(k=8,g=4)" && r.Have[metric.MeanPathLinksFail] {
			t.Errorf("%s: mean_path_links_fail = %g, but a failed leaf cuts endpoints off", name, r.Metrics[metric.MeanPathLinksFail].Value)
		}
	}
	// multirail with both ports of an endpoint on one leaf loses it with the leaf.
	e := newEvaluator(t, Options{BandwidthGbps: 400})
	r := evaluate(t, e, parse(t, "multirail(k=16,l=2,r=2)"), Request{Keys: []metric.Key{metric.MeanPathLinksFail}})
	if why := r.Absent[metric.MeanPathLinksFail]; !strings.Contains(why, "unreachable when a leaf switch fails") {
		t.Errorf("multirail(k=16,l=2,r=2): mean_path_links_fail: %v, absent %q", r.Metrics[metric.MeanPathLinksFail].Value, why)
	}
}

// TestAbsent: what is not computed says why, and every metric is there or absent, never both.
func TestAbsent(t *testing.T) {
	e := newEvaluator(t, Options{BandwidthGbps: 400})
	for _, level := range []int{0, 1, 2} {
		r := evaluate(t, e, parse(t, "zcube(n=8,k=2)"), Request{Level: level})
		for k := range metric.Count {
			if r.Have[k] == (r.Absent[k] != "") {
				t.Errorf("level %d: %s: have %v, absent %q", level, metric.Keys[k].Name, r.Have[k], r.Absent[k])
			}
			if r.Have[k] {
				m := r.Metrics[k]
				if m.Lo > m.Value || m.Value > m.Hi || m.Method == "" || m.Unit == "" {
					t.Errorf("level %d: %s: %+v", level, metric.Keys[k].Name, m)
				}
			}
			if closed := k == metric.WorstThroughput && level > 0; metric.Keys[k].Level > level && metric.Keys[k].Level > 2 && r.Have[k] && !closed {
				t.Errorf("level %d: %s was computed", level, metric.Keys[k].Name)
			}
		}
	}
	for _, k := range []metric.Key{metric.AllreduceTime, metric.AlltoallTime, metric.StepTime} {
		r := evaluate(t, e, parse(t, "zcube(n=8,k=2)"), Request{Keys: []metric.Key{k}})
		if !strings.HasPrefix(r.Absent[k], "needs a [workload]") {
			t.Errorf("%s: absent %q", metric.Keys[k].Name, r.Absent[k])
		}
	}
}

// TestBudget: the budget is kept by cost model, and asking by name overrides it.
func TestBudget(t *testing.T) {
	e := newEvaluator(t, Options{BandwidthGbps: 400})
	d := parse(t, "zcube(n=16,k=2)")
	small := evaluate(t, e, d, Request{Level: 2, BudgetNs: 1000})
	if small.Have[metric.Bisection] || !strings.Contains(small.Absent[metric.Bisection], "budget") {
		t.Errorf("bisection on a budget of 1 us: %v, %q", small.Metrics[metric.Bisection], small.Absent[metric.Bisection])
	}
	named := evaluate(t, e, d, Request{Level: 1, BudgetNs: 1000, Keys: []metric.Key{metric.Bisection}})
	full := evaluate(t, e, d, Request{Level: 2})
	if named.Metrics[metric.Bisection] != full.Metrics[metric.Bisection] {
		t.Errorf("bisection by name %+v, by level %+v", named.Metrics[metric.Bisection], full.Metrics[metric.Bisection])
	}
}

// TestClosedFormsMatchBuilt: with closed forms and symmetry switched off, every metric of every
// family comes out the same from the built network.
func TestClosedFormsMatchBuilt(t *testing.T) {
	racing.Figures(t)
	keys := []metric.Key{metric.MeanPathLinks, metric.MaxPathLinks, metric.MeanPathSwitches, metric.MaxPathSwitches, metric.MeanHops, metric.MaxHops, metric.GraphDiameter,
		metric.UniformThroughput, metric.MeanPathLinksFail, metric.ShortestPaths, metric.MooreEfficiency, metric.VCsMinimal, metric.Latency}
	closed := newEvaluator(t, Options{BandwidthGbps: 400})
	built := newEvaluator(t, Options{BandwidthGbps: 400, built: true})
	for _, f := range family.All() {
		if f.Place == nil {
			continue
		}
		for _, d := range topotest.Sample(f, rngOf("closed "+f.Name), few(4), 260) {
			a := evaluate(t, closed, d, Request{Keys: keys})
			b := evaluate(t, built, d, Request{Keys: keys})
			for _, k := range keys {
				x, y := a.Metrics[k], b.Metrics[k]
				if a.Have[k] != b.Have[k] {
					t.Errorf("%s: %s: closed %v %q, built %v %q", d, metric.Keys[k].Name, a.Have[k], a.Absent[k], b.Have[k], b.Absent[k])
					continue
				}
				if k == metric.Latency && y.Lo < y.Hi {
					if x.Value < y.Lo-1e-6 || x.Value > y.Hi+1e-6 {
						t.Errorf("%s: latency closed %.9g, built within [%.9g, %.9g]", d, x.Value, y.Lo, y.Hi)
					}
					continue
				}
				tol := 1e-9
				if k == metric.Latency && f.Distances != nil {
					// Routes of the same length over other classes: the closed form takes one.
					tol = 5e-3
				}
				if math.Abs(x.Value-y.Value) > tol*math.Abs(y.Value) {
					t.Errorf("%s: %s: closed %.12g (%s), built %.12g (%s)", d, metric.Keys[k].Name, x.Value, x.Method, y.Value, y.Method)
				}
			}
		}
	}
}

// TestDeterministic: the same bits for any number of workers, twice.
func TestDeterministic(t *testing.T) {
	one := newEvaluator(t, Options{BandwidthGbps: 400})
	four := newEvaluator(t, Options{BandwidthGbps: 400, Workers: 4})
	for _, name := range []string{"zcube(n=8,k=2)", "slimfly(q=5)", "hpn(k=16,g=2,segments=3)", "jellyfish(n=40,r=5,p=3,seed=1)"} {
		d, err := topology.ParseDesign(name, family.All())
		if err != nil {
			t.Logf("%s: %v", name, err)
			continue
		}
		b := fmt.Sprintf("%+v", evaluate(t, four, d, Request{Level: 2}).Metrics)
		if racing.On {
			continue // one worker races with nobody
		}
		a := fmt.Sprintf("%+v", evaluate(t, one, d, Request{Level: 2}).Metrics)
		c := fmt.Sprintf("%+v", evaluate(t, one, d, Request{Level: 2}).Metrics)
		if a != b || a != c {
			t.Errorf("%s: results differ:\n%s\n%s\n%s", name, a, b, c)
		}
	}
}
