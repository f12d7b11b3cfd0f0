package evaluator

import (
	"math"
	"strings"
	"testing"

	"toposearch/catalog"
	"toposearch/evaluator/cluster"
	"toposearch/evaluator/floor"
	"toposearch/evaluator/metric"
)

// withCluster is the built-in list with an accelerator, two processors and a rack.
func withCluster() *catalog.Catalogue {
	c := *catalog.Builtin()
	c.Parts = append([]catalog.Part(nil), c.Parts...)
	add := func(kind string, watts float64, cents catalog.Money, breaks ...catalog.PriceBreak) {
		c.Parts = append(c.Parts, catalog.Part{PartNo: kind, Kind: kind, PowerW: watts, UnitPrice: cents, Priced: true, Currency: "USD", Approved: true, PriceBreaks: breaks})
	}
	add(catalog.KindAccelerator, 700, 30_000_00, catalog.PriceBreak{From: 32, Price: 20_000_00})
	add(catalog.KindCPU, 300, 5_000_00)
	add(catalog.KindRack, 0, 2_000_00)
	return &c
}

// TestMoneyByHand: 32 endpoints with two groups of 16, each with a spare, in servers of eight with two processors: 34
// accelerators at the price of 32 and more, 10 processors of five servers, one rack. Three years at 0.10 USD a kWh, 90 %
// of the draw, PUE 1.2, 4 % maintenance.
func TestMoneyByHand(t *testing.T) {
	o := Options{BandwidthGbps: 400, Catalog: withCluster(), Site: floor.Site{PUE: 1.2},
		Cluster: cluster.Options{Group: 16, Spares: 1, TCO: &cluster.TCO{Years: 3, PerKWh: 0.1, Maintenance: 0.04, Load: 0.9}}}
	r := evaluate(t, newEvaluator(t, o), parse(t, "fattree(k=8,l=2)"), Request{Keys: []metric.Key{metric.TCO, metric.CostEfficiency, metric.EffectiveBandwidth}})
	racks := value(t, r, metric.Racks)
	capex := value(t, r, metric.Cost) + 34*20_000 + 10*5_000 + racks*2_000
	watts := 1.2 * (value(t, r, metric.Power) + 34*700 + 10*300)
	tco := capex + 3*(watts/1000*8760*0.9*0.1+0.04*capex)
	for _, c := range []struct {
		k    metric.Key
		want float64
	}{
		{metric.Capex, capex}, {metric.NetworkShare, value(t, r, metric.Cost) / capex}, {metric.TCO, tco},
		{metric.CostEfficiency, 32 / tco}, {metric.EffectiveBandwidth, 32 * 400}, // the tree carries more than endpoints send
	} {
		if got := value(t, r, c.k); math.Abs(got/c.want-1) > 1e-12 {
			t.Errorf("%s is %.12g, want %.12g", metric.Keys[c.k].Name, got, c.want)
		}
	}
	o.Site.EndpointAllInW = 1300 // with network and cooling
	r = evaluate(t, newEvaluator(t, o), parse(t, "fattree(k=8,l=2)"), Request{Keys: []metric.Key{metric.TCO}})
	if got, want := value(t, r, metric.TCO), capex+3*(34*1.3*8760*0.9*0.1+0.04*capex); math.Abs(got/want-1) > 1e-12 {
		t.Errorf("all in, tco is %.12g, want %.12g", got, want)
	}
}

// TestNoMoney: why there is no cost of a cluster.
func TestNoMoney(t *testing.T) {
	two := withCluster()
	two.Parts = append(two.Parts, catalog.Part{PartNo: "B", Kind: catalog.KindAccelerator, Approved: true})
	unpriced := withCluster()
	unpriced.Part(catalog.KindCPU).Priced = false
	mute := withCluster()
	mute.Part(catalog.KindAccelerator).PowerW = 0
	running := cluster.Options{TCO: &cluster.TCO{Years: 1, Load: 1}}
	for _, c := range []struct {
		o    Options
		k    metric.Key
		want string
	}{
		{Options{}, metric.Capex, "the price list has no part of kind accelerator"},
		{Options{Catalog: two}, metric.Capex, "several parts of kind accelerator (accelerator, B)"},
		{Options{Catalog: unpriced}, metric.Capex, "unpriced: cpu"},
		{Options{Catalog: withCluster()}, metric.TCO, "needs years and the price of energy"},
		{Options{Catalog: mute, Cluster: running}, metric.TCO, "what an endpoint draws is not known"},
		{Options{Catalog: withCluster()}, metric.CostEfficiency, "needs tco"},
	} {
		c.o.BandwidthGbps = 400
		r := evaluate(t, newEvaluator(t, c.o), parse(t, "fattree(k=8,l=2)"), Request{Keys: []metric.Key{c.k}})
		if r.Have[c.k] || !strings.Contains(r.Absent[c.k], c.want) {
			t.Errorf("%s: %q, want %q", metric.Keys[c.k].Name, r.Absent[c.k], c.want)
		}
	}
	if _, err := New(Options{Cluster: cluster.Options{Accelerator: "Z"}}); err == nil || !strings.Contains(err.Error(), `there is no accelerator "Z"`) {
		t.Errorf("an unknown part: %v", err)
	}
}

// TestEfficiencyOfSteps: with a workload the performance is steps a second, and the least time of a step is below it.
func TestEfficiencyOfSteps(t *testing.T) {
	o := trainingOptions(t)
	o.Catalog, o.Cluster.TCO, o.Training.Base = withCluster(), &cluster.TCO{Years: 1, PerKWh: 0.1, Load: 1}, 16
	e := newEvaluator(t, o)
	r := evaluate(t, e, parse(t, "fattree(k=8,l=2)"), Request{Keys: []metric.Key{metric.CostEfficiency, metric.Linearity}})
	step := value(t, r, metric.StepTime)
	if got, want := value(t, r, metric.CostEfficiency), 1/step/value(t, r, metric.TCO); math.Abs(got/want-1) > 1e-12 {
		t.Errorf("cost_efficiency is %g, want %g", got, want)
	}
	if least := o.Training.atLeast(32); least > r.Metrics[metric.StepTime].Lo || least < 0.2*step {
		t.Errorf("a step takes %g s, and at least %g", step, least)
	}
	// Half as many endpoints with half as many sequences: the full tree is as fast for each, but for the steps of collectives.
	if x := r.Metrics[metric.Linearity]; x.Value < 0.9 || x.Value > 1.05 || x.Lo > x.Value || x.Hi < x.Value {
		t.Errorf("linearity %+v", x)
	}
	o.Training.Base = 64
	r = evaluate(t, newEvaluator(t, o), parse(t, "fattree(k=8,l=2)"), Request{Keys: []metric.Key{metric.Linearity}})
	if !strings.Contains(r.Absent[metric.Linearity], "base is 64 endpoints, and there are 32") {
		t.Errorf("linearity: %q", r.Absent[metric.Linearity])
	}
}

// TestThroughputAfterFailure by hand: of four spines three are left, over which a leaf sends 28/31 of what its four
// endpoints do. A link of a ring of six leaves a line, whose middle link
// carries 3 x 3 pairs each way, of which every endpoint has 5. Of an endpoint with two ports of 200 Gb/s the failure
// of a leaf leaves one, which carries half of what it sends.
func TestThroughputAfterFailure(t *testing.T) {
	e := newEvaluator(t, Options{BandwidthGbps: 400})
	for _, c := range []struct {
		design string
		want   float64
	}{{"fattree(k=8,l=2)", 3.0 / 4 * 31 / 28}, {"ring(n=6)", 5.0 / 9}, {"hpn(k=8,g=2,segments=2)", 0.5}, {"zcube(n=4,k=2)", 0.5}} {
		r := evaluate(t, e, parse(t, c.design), Request{Keys: []metric.Key{metric.UniformThroughputFail}})
		if got := value(t, r, metric.UniformThroughputFail); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%s: %g after a failure, want %g", c.design, got, c.want)
		}
	}
}

// TestThroughputAfterFailureByRouting: Valiant's routing loads what is left 2 (1 - 1/8) times as uniform traffic does, as there are 8 leaves; of flows on one path each nothing is
// proven, and as large a part is expected as without a failure (TestHashedThroughput); of one path for each pair, as LASH has it, nothing is computed.
func TestThroughputAfterFailureByRouting(t *testing.T) {
	const all = 3.0 / 4 * 31 / 28 // as above
	for _, c := range []struct {
		o            Options
		x, lo        float64
		method, want string
	}{
		{Options{Routing: RoutingValiant}, all / 2 * 8 / 7, all / 2 * 8 / 7, "valiant routing over updown routes", ""},
		{Options{Algorithms: []string{"natural+hash"}}, all * 0.7932 / (31.0 / 28), 0, "each flow on one path", ""},
		{Options{Routing: RoutingLASH}, 0, 0, "", "one path for each pair"},
	} {
		c.o.BandwidthGbps = 400
		r := evaluate(t, newEvaluator(t, c.o), parse(t, "fattree(k=8,l=2)"), Request{Keys: []metric.Key{metric.UniformThroughputFail}})
		m, absent := r.Metrics[metric.UniformThroughputFail], r.Absent[metric.UniformThroughputFail]
		if math.Abs(m.Value-c.x) > 1e-4 || math.Abs(m.Lo-c.lo) > 1e-9 || !strings.Contains(m.Method, c.method) || !strings.Contains(absent, c.want) || (absent == "") != (c.want == "") {
			t.Errorf("%+v: %+v, %q; want %g, at least %g", c.o, m, absent, c.x, c.lo)
		}
	}
}

// TestThroughputAfterFailureOfDetours: of four switches, each linked to all others, that lose a link both ends make a detour by either of the other two, half of what they send each other each time: a link between an end
// and another carries 1/3 + 1/6 of what an endpoint sends. On the others the loads that were simulated of uniform traffic, in 60,000 cycles with the failure that costs most, fill a channel at so much.
func TestThroughputAfterFailureOfDetours(t *testing.T) {
	for _, c := range []struct {
		design, routing string
		want, within    float64
	}{
		{"hyperx(s1=4,t=1)", "ugal_l", 2, 1e-9},
		{"hyperx(s1=4,s2=4,t=2)", "ugal_l", 1.43, 0.02}, {"hyperx(s1=4,s2=4,t=2)", "valiant", 0.88, 0.02}, {"dragonfly(p=2,a=4,h=2)", "valiant", 0.509, 0.02},
		{"dragonfly(p=2,a=4,h=2)", "ugal_l", 0.85, 0.02}, {"dragonflyplus(l=2,m=2,p=2,h=2)", "valiant", 0.410, 0.02}, {"torus(k1=5,k2=5)", "valiant", 0.416, 0.02},
	} {
		r := evaluate(t, newEvaluator(t, Options{BandwidthGbps: 400, Algorithms: []string{c.routing}}), parse(t, c.design), Request{Keys: []metric.Key{metric.UniformThroughputFail}})
		if got := value(t, r, metric.UniformThroughputFail); math.Abs(got/c.want-1) > c.within {
			t.Errorf("%s by %s: %g after a failure, want %g: %s", c.design, c.routing, got, c.want, r.Metrics[metric.UniformThroughputFail].Method)
		}
	}
}
