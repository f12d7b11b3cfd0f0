package evaluator

import (
	"math"
	"strings"
	"testing"

	"toposearch/evaluator/metric"
	"toposearch/internal/racing"
	"toposearch/topology"
	"toposearch/workload"
)

// A design takes the same routing whatever is asked of it: a search knows level 1, a report level 2, eval single metrics.
func TestRoutingSameAtAllLevels(t *testing.T) {
	racing.Figures(t)
	for _, c := range []struct {
		design, names string
		vcs           int
		scaleup       bool
		want          string
	}{
		{"dragonfly(p=2,a=4,h=2)", "deployed", 4, false, "ugal_l"},
		{"dragonfly(p=2,a=4,h=2)", "deployed", 0, false, "par"},
		{"slimfly(q=5)", "deployed", 4, false, "ugal_l"},
		{"slimfly(q=5)", "deployed", 3, false, "natural"},
		// Hops through domains count, too, and the legs are walked: 4 VCs each (slimfly(q=4,p=4): 32 switches).
		{"slimfly(q=4,p=4)", "deployed", 6, true, "natural"},
		{"slimfly(q=4,p=4)", "deployed", 9, true, "ugal_l"},
		{"jellyfish(n=30,r=4,p=2,seed=1)", "natural lash", 0, false, "lash"}, // 0.546 against 0.536
		{"jellyfish(n=30,r=4,p=2,seed=1)", "ugal_l natural lash", 3, false, "lash"},
		{"zcube(n=4,k=2)", "ugal_l natural", 1, false, "natural"},
	} {
		o := Options{BandwidthGbps: 400, Algorithms: strings.Fields(c.names), MaxVCs: c.vcs, Scaleup: c.scaleup}
		e := newEvaluator(t, o)
		for name, req := range map[string]Request{"level 1": {Level: 1}, "level 2": {Level: 2, BudgetNs: 1e7}, "throughput": {Keys: []metric.Key{metric.UniformThroughput}},
			"vcs": {Level: 1, Keys: []metric.Key{metric.VCsAdaptive, metric.VCsMinimal}}, "simulated": {Keys: []metric.Key{metric.SimSaturation}}, "latency": {Keys: []metric.Key{metric.Latency}}} {
			if r := evaluate(t, e, parse(t, c.design), req); r.Chosen != c.want || r.Routing != c.want {
				t.Errorf("%s, %s, %d VCs, %s: takes %q, want %s (%s)", c.design, c.names, c.vcs, name, r.Chosen, c.want, r.Unfit)
			}
		}
		if r := evaluate(t, e, parse(t, c.design), Request{}); r.Chosen != "" || r.Routing != "" || r.Have[metric.UniformThroughput] || r.Bottleneck != "" {
			t.Errorf("%s, %s, %d VCs: level 0 takes %s, limited by %q", c.design, c.names, c.vcs, r.Routing, r.Bottleneck)
		}
	}
}

// Where all endpoints hang on one switch, or each plane is one, there is nothing to choose: routes are natural, and no detour halves or doubles anything.
func TestRoutingOfOneSwitch(t *testing.T) {
	for _, design := range []string{"crossbar(n=16)", "fattree(k=8,l=1)", "th1a(n=1)"} {
		for _, names := range []string{"ugal_l", "valiant", "ugal_l natural", "dfsssp", "deployed"} {
			e := newEvaluator(t, Options{BandwidthGbps: 400, Algorithms: strings.Fields(names), MaxVCs: 1})
			r := evaluate(t, e, parse(t, design), Request{Level: 2, BudgetNs: 1e7})
			if r.Routing != RoutingNatural || r.Chosen != RoutingNatural || r.Unfit != "" || r.Detour != nil || r.Reject.Constraint != "" {
				t.Errorf("%s of %s: takes %s (%s), rejected by %q", design, names, r.Routing, r.Unfit, r.Reject.Constraint)
			}
		}
	}
	// Two switches have a link, and packets may go by way of either.
	if r := evaluate(t, newEvaluator(t, Options{BandwidthGbps: 400, Algorithms: []string{"valiant"}}), parse(t, "hyperx(s1=2,t=2)"), Request{Level: 2, BudgetNs: 1e7}); r.Routing != RoutingValiant {
		t.Errorf("hyperx(s1=2,t=2): takes %s, want valiant", r.Routing)
	}
}

// One switch carries any traffic: a study that weighs the worst case holds it, at the level of searches as by name.
func TestWorstOfOneSwitch(t *testing.T) {
	for _, design := range []string{"crossbar(n=16)", "fattree(k=8,l=1)", "th1a(n=1)"} {
		for _, names := range []string{"", "ugal_l natural", "dfsssp"} {
			for _, req := range []Request{{Level: 1}, {Keys: []metric.Key{metric.WorstThroughput}}, {Level: 3}} {
				r := evaluate(t, newEvaluator(t, Options{BandwidthGbps: 400, Algorithms: strings.Fields(names), EncloseWorst: req.Level == 1}), parse(t, design), req)
				if m := r.Metrics[metric.WorstThroughput]; !r.Have[metric.WorstThroughput] || m.Lo != 1 || m.Hi != 1 {
					t.Errorf("%s of %q, %+v: worst_throughput [%g, %g] %s, want 1", design, names, req, m.Lo, m.Hi, r.Absent[metric.WorstThroughput])
				}
			}
		}
		r := evaluate(t, newEvaluator(t, Options{BandwidthGbps: 400}), parse(t, design), Request{Keys: []metric.Key{metric.TUB}})
		if !r.Have[metric.TUB] || r.Metrics[metric.TUB].Value != 1 {
			t.Errorf("%s: tub %g %s, want 1", design, r.Metrics[metric.TUB].Value, r.Absent[metric.TUB])
		}
	}
}

// A metric by its name names the routing that the design takes, or none, and says nothing else of throughput than all metrics together do.
func TestRoutingNamedOrNone(t *testing.T) {
	racing.Figures(t)
	e, d := newEvaluator(t, Options{BandwidthGbps: 400, Algorithms: []string{"valiant", "ugal_l"}, MaxVCs: 4}), parse(t, "dragonfly(p=2,a=4,h=2)")
	all := evaluate(t, e, d, Request{Level: 1})
	if all.Routing != "ugal_l" {
		t.Fatalf("%s takes %q, want ugal_l, which makes detours where they help", d, all.Routing)
	}
	for k := range metric.Count {
		r := evaluate(t, e, d, Request{Keys: []metric.Key{k}, BudgetNs: 1})
		if r.Routing != "" && r.Routing != all.Routing || r.Bottleneck != "" && r.Bottleneck != all.Bottleneck {
			t.Errorf("%s alone: routing %s, %s; want %s, %s", metric.Keys[k].Name, r.Routing, r.Bottleneck, all.Routing, all.Bottleneck)
		}
		if u := metric.UniformThroughput; r.Have[u] && r.Metrics[u] != all.Metrics[u] {
			t.Errorf("%s alone: throughput %+v, want %+v", metric.Keys[k].Name, r.Metrics[u], all.Metrics[u])
		}
	}
}

// A step of the workload is of the routing that the design takes, also where nothing else is asked for: with VCs for detours it takes them, and what
// waits for a link is divided over them. What no routing decides asks for none, and says none.
func TestTimesOfRoutingTaken(t *testing.T) {
	o := trainingOptions(t)
	o.Algorithms, o.MaxVCs = []string{RoutingDeployed}, 4
	o.Training.Parallelism = &workload.Parallelism{TP: 1, CP: 1, PP: 4, DP: 16, EP: 1, Interleave: 1, MicroBatch: 1, FusedAttention: true}
	o.Training.Accelerator.Memory = 1e15
	e, d := newEvaluator(t, o), parse(t, "hyperx(s1=4,s2=4,t=4)")
	level := evaluate(t, e, d, Request{Level: 2, BudgetNs: 1e9})
	direct := o
	direct.Algorithms = []string{RoutingNatural}
	for _, k := range []metric.Key{metric.StepTime, metric.AllreduceTime, metric.AlltoallTime} {
		r := evaluate(t, e, d, Request{Keys: []metric.Key{k}})
		if x, y := r.Metrics[k], level.Metrics[k]; !r.Have[k] || x != y || r.Chosen != "ugal_l" || level.Chosen != "ugal_l" {
			t.Errorf("%s by itself %+v of %s (%s), with all else %+v of %s", metric.Keys[k].Name, x, r.Chosen, r.Absent[k], y, level.Chosen)
		}
	}
	k := metric.StepTime
	if x, y := evaluate(t, newEvaluator(t, direct), d, Request{Keys: []metric.Key{k}}).Metrics[k].Value, level.Metrics[k].Value; x <= y {
		t.Errorf("a step takes %v over direct routes and %v with detours: the design does not tell them apart", x, y)
	}
	if r := evaluate(t, e, d, Request{Keys: []metric.Key{metric.Cost}}); r.Chosen != "" || r.Unfit != "" || r.Have[metric.VCsMinimal] {
		t.Errorf("cost alone: routing %q, %q", r.Chosen, r.Unfit)
	}
}

// Where designs are judged by worst_throughput, every evaluation chooses by it.
func TestChosenByWorst(t *testing.T) {
	o := Options{BandwidthGbps: 400, Algorithms: []string{"natural", "ugal_l"}}
	for _, c := range []struct {
		by   bool
		want string
	}{{false, "natural"}, {true, "ugal_l"}} {
		o.ByWorst = c.by
		for level := 1; level <= 2; level++ {
			if r := evaluate(t, newEvaluator(t, o), parse(t, "dragonfly(p=2,a=4,h=2)"), Request{Level: level, BudgetNs: 1e7}); r.Chosen != c.want {
				t.Errorf("by worst_throughput %t, level %d: takes %s, want %s", c.by, level, r.Chosen, c.want)
			}
		}
	}
}

// Why a routing is not taken is said with what it needs and what there is; a design that none fits is rejected if no
// limit does that. VCs as in TestChosenRouting.
func TestUnfit(t *testing.T) {
	racing.Figures(t)
	for _, c := range []struct {
		names     string
		vcs, hops int
		want      string // why not
		reject    metric.Reject
	}{
		{"par natural", 5, 0, "", metric.Reject{}},
		{"par natural", 4, 0, "par needs 5 virtual channels, and there are 4", metric.Reject{}},
		{"par ugal_l natural", 2, 0, "par needs 5 virtual channels, and there are 2; ugal_l needs 4 virtual channels, and there are 2", metric.Reject{}},
		{"ugal_l natural", 0, 5, "routes of ugal_l have up to 6 hops, and a source route names 5", metric.Reject{}},
		{"par", 4, 0, "par needs 5 virtual channels, and there are 4", metric.Reject{Constraint: metric.RejectVCs, Got: 5, Bound: 4}},
		{"par", 5, 5, "routes of par have up to 6 hops, and a source route names 5", metric.Reject{Constraint: metric.RejectRouteHops, Got: 6, Bound: 5}},
		{"par valiant", 3, 0, "par needs 5 virtual channels, and there are 3; valiant needs 4 virtual channels, and there are 3", metric.Reject{Constraint: metric.RejectVCs, Got: 4, Bound: 3}},
	} {
		o := Options{BandwidthGbps: 400, Algorithms: strings.Fields(c.names), MaxVCs: c.vcs, MaxRouteHops: c.hops, RejectUnfit: true}
		r := evaluate(t, newEvaluator(t, o), parse(t, "dragonfly(p=2,a=4,h=2)"), Request{Level: 1})
		if r.Unfit != c.want || r.Reject != c.reject {
			t.Errorf("%s, %d VCs, %d hops: %q, rejected %+v, want %q, %+v", c.names, c.vcs, c.hops, r.Unfit, r.Reject, c.want, c.reject)
		}
		o.RejectUnfit = false
		if r = evaluate(t, newEvaluator(t, o), parse(t, "dragonfly(p=2,a=4,h=2)"), Request{Level: 1}); r.Reject.Constraint != "" {
			t.Errorf("%s, %d VCs: rejected though a limit of the study does that", c.names, c.vcs)
		}
	}
}

// Tables among the algorithms carry what they carry alone, in as many layers as their metrics say, and are enclosed.
func TestChosenTables(t *testing.T) {
	racing.Figures(t)
	for _, design := range []string{"jellyfish(n=30,r=4,p=2,seed=1)", "dragonfly(p=2,a=4,h=2)", "bcube(n=4,l=1)"} {
		for _, name := range []string{RoutingLASH, RoutingDFSSSP} {
			keys := []metric.Key{metric.UniformThroughput, metric.WorstThroughput}
			r := evaluate(t, newEvaluator(t, Options{BandwidthGbps: 400, Algorithms: []string{name}}), parse(t, design), Request{Keys: keys})
			alone := evaluate(t, newEvaluator(t, Options{BandwidthGbps: 400, Routing: name}), parse(t, design),
				Request{Keys: []metric.Key{metric.UniformThroughput, metric.VCsLASH, metric.VCsDFSSSP, metric.TUB}})
			u, w := r.Metrics[metric.UniformThroughput], r.Metrics[metric.WorstThroughput]
			if want := alone.Metrics[metric.UniformThroughput].Value; r.Chosen != name || u.Lo != want || u.Hi != want || want == 0 {
				t.Errorf("%s by %s: uniform throughput %+v, alone %v", design, name, u, want)
			}
			// No routing is better in the worst case than the bound of all, nor than with uniform traffic.
			if best := alone.Metrics[metric.TUB].Hi; w.Lo <= 0 && design != "bcube(n=4,l=1)" || w.Lo > w.Hi || w.Hi > best*(1+1e-9) || w.Hi > u.Hi*(1+1e-9) {
				t.Errorf("%s by %s: worst throughput in [%v, %v], at best %v, uniform %v", design, name, w.Lo, w.Hi, best, u.Hi)
			}
			key := map[string]metric.Key{RoutingLASH: metric.VCsLASH, RoutingDFSSSP: metric.VCsDFSSSP}[name]
			layers := int(alone.Metrics[key].Value)
			for vcs, fits := range map[int]bool{layers: true, layers - 1: layers == 1} {
				if vcs == 0 {
					continue
				}
				x := evaluate(t, newEvaluator(t, Options{BandwidthGbps: 400, Algorithms: []string{name}, MaxVCs: vcs, RejectUnfit: true}), parse(t, design), Request{Level: 1})
				if (x.Reject.Constraint == "") != fits {
					t.Errorf("%s by %s with %d VCs of %d layers: rejected %+v", design, name, vcs, layers, x.Reject)
				}
			}
		}
	}
}

// The latency of a packet on a detour: K for two endpoints of one switch, and for each hop a switch and a cable c; from an
// endpoint to a random one, itself included, it is h hops in the mean, direct between different ones h N/(N-1).
// complete(n=4,t=2): h = 3/4; hyperx(s1=3,s2=3,t=4): h = 4/3.
func TestDetourLatency(t *testing.T) {
	for design, h := range map[string]float64{"complete(n=4,t=2)": 3.0 / 4, "hyperx(s1=3,s2=3,t=4)": 4.0 / 3} {
		r := evaluate(t, newEvaluator(t, Options{BandwidthGbps: 400, Algorithms: []string{"ugal_l"}}), parse(t, design), Request{Level: 1})
		n := float64(r.Size.Endpoints)
		l, m := r.Metrics[metric.Latency].Value, r.Plan.MeanM
		k := 400 + 4096*8/400.0 + 5*2*m[0]
		c := (l - k) / (h * n / (n - 1))
		if r.Detour == nil || math.Abs(r.Detour.Value-(k+2*h*c)) > 1e-6 || r.Detour.Lo > r.Detour.Value || r.Detour.Hi < r.Detour.Value {
			t.Errorf("%s: a detour takes %+v, want %v; direct %v", design, r.Detour, k+2*h*c, l)
		}
		if !strings.HasSuffix(r.Metrics[metric.Latency].Method, "of direct routes, all that ugal_l takes in an idle network") {
			t.Errorf("%s: latency %q", design, r.Metrics[metric.Latency].Method)
		}
	}
	// An intermediate that relays is one hop more: two links on three endpoints in a row, of either leg.
	r := evaluate(t, newEvaluator(t, Options{BandwidthGbps: 400, Algorithms: []string{"valiant"}}), parse(t, "fullmesh(d1=4,d2=4)"), Request{Level: 1})
	if l := r.Metrics[metric.Latency]; r.Detour == nil || r.Detour.Lo != l.Lo || r.Detour.Hi != 2*l.Hi+1000 {
		t.Errorf("fullmesh: a detour takes %+v, direct %+v", r.Detour, l)
	}
	if r := evaluate(t, newEvaluator(t, Options{Algorithms: []string{"natural"}}), parse(t, "complete(n=4,t=2)"), Request{Level: 1}); r.Detour != nil {
		t.Errorf("natural routes make a detour of %+v", r.Detour)
	}
}

// RoutingsOf names what evaluations choose from.
func TestRoutingsOf(t *testing.T) {
	var f *topology.Family = parse(t, "dragonfly(p=2,a=4,h=2)").Family
	for want, o := range map[string]Options{"natural": {}, "minimal": {Routing: "minimal"}, "par ugal_l natural": {Algorithms: []string{RoutingDeployed}}, "valiant": {Algorithms: []string{"valiant"}}} {
		if got := strings.Join(o.RoutingsOf(f), " "); got != want {
			t.Errorf("%v, %q: %s, want %s", o.Algorithms, o.Routing, got, want)
		}
	}
}

// Where pairs are too many to be followed, here by memory, no more is claimed than following them finds, and the same routing taken.
func TestWorstUnfollowed(t *testing.T) {
	racing.Figures(t)
	for _, c := range []struct{ design, names, want string }{
		{"slimfly(q=13)", "natural ugal_l", "ugal_l"}, {"slimfly(q=13)", "natural", "natural"}, {"slimfly(q=13)", "valiant ugal_l", "ugal_l"},
	} {
		var iv [2]metric.Figure
		for i, bytes := range []int64{0, 32 << 20} {
			o := Options{BandwidthGbps: 400, Algorithms: strings.Fields(c.names), MemoryBytes: bytes, built: true}
			r := evaluate(t, newEvaluator(t, o), parse(t, c.design), Request{Keys: []metric.Key{metric.WorstThroughput}})
			if iv[i] = r.Metrics[metric.WorstThroughput]; r.Chosen != c.want || strings.Contains(iv[i].Method, "crowds on one channel") != (i == 1) {
				t.Errorf("%s, %s, %d bytes: takes %s, %q %s", c.design, c.names, bytes, r.Chosen, iv[i].Method, r.Absent[metric.WorstThroughput])
			}
		}
		if whole, part := iv[0], iv[1]; part.Lo > whole.Lo*(1+1e-9) || part.Hi < whole.Hi*(1-1e-9) || part.Lo == 0 {
			t.Errorf("%s, %s: [%v, %v], where pairs are followed [%v, %v]", c.design, c.names, part.Lo, part.Hi, whole.Lo, whole.Hi)
		}
	}
}
