package evaluator

import (
	"context"
	"math"
	"testing"
	"toposearch/evaluator/metric"

	"toposearch/evaluator/flow"
	"toposearch/internal/racing"
	"toposearch/topology"
)

// TestOptimalKnown holds values of a linear program, per unit of demand between two switches, solved
// by HiGHS and so published with the reference figures of this project (theta of a pair of switches;
// a load of T means T p^2/(N-1) between switches of p endpoints), and values by hand.
func TestOptimalKnown(t *testing.T) {
	racing.Figures(t)
	e := newEvaluator(t, Options{BandwidthGbps: 400})
	lp := func(theta, n, p float64) float64 { return theta * (n - 1) / p / p }
	for _, c := range []struct {
		design string
		want   float64
		tol    float64
	}{
		{"torus(k1=8,k2=4)", lp(0.03125, 32, 1), 0},
		{"torus(k1=8,k2=8)", lp(1.0/64, 64, 1), 0},
		{"torus(k1=5,k2=5)", lp(1.0/15, 25, 1), 0},
		{"mesh(k1=4,k2=4)", lp(0.0625, 16, 1), 0},
		{"polarfly(q=3)", lp(3.0/17, 26, 2), 1e-6},
		{"polarfly(q=5)", lp(2.0/19, 93, 3), 1e-6},
		{"polarfly(q=7)", lp(0.075, 228, 4), 1e-6},
		{"slimfly(q=5)", lp(1.0/13, 200, 4), 1e-6},
		{"dragonfly(p=2,a=4,h=2)", lp(0.060383, 72, 2), 1e-5},
		// By hand: distances of a ring of 8 add up to 16 a switch, over 2 links each: 7/8 of what
		// 16/2 x 1/7 x load = 1 allows.
		{"ring(n=8)", 0.875, 0},
		{"hypercube(n=4)", 15.0 / 8, 0}, // every dimension is crossed by 8 of the 15 others
		// Endpoints with a port of half their bandwidth in each of two planes send at most all of it.
		{"multirail(k=8,l=2,r=2,planes=2)", 1, 1e-6},
		{"complete(n=6,t=3)", 17.0 / 9, 0}, // 3 x 3/17 of a load between two switches
	} {
		r := evaluate(t, e, parse(t, c.design), Request{Keys: []metric.Key{metric.UniformThroughputOptimal, metric.UniformThroughput}})
		value(t, r, metric.UniformThroughputOptimal)
		m := r.Metrics[metric.UniformThroughputOptimal]
		if m.Lo > c.want*(1+c.tol+1e-9) || m.Hi < c.want*(1-c.tol-1e-9) || m.Hi-m.Lo > 0.003*m.Hi || m.Value != m.Lo {
			t.Errorf("%s: optimal uniform throughput %.7g in [%.7g, %.7g], want %.7g", c.design, m.Value, m.Lo, m.Hi, c.want)
		}
		if x := r.Metrics[metric.UniformThroughput].Value; m.Lo < x*(1-1e-12) {
			t.Errorf("%s: natural routes carry %.9g, the best %.9g", c.design, x, m.Lo)
		}
	}
}

// TestOptimalSymmetry: one source and one length for each class of links give what all sources and
// all links give.
func TestOptimalSymmetry(t *testing.T) {
	e, plain := newEvaluator(t, Options{BandwidthGbps: 400}), newEvaluator(t, Options{BandwidthGbps: 400, built: true})
	for _, name := range []string{"zettafly3(a=4,p=2,h=2)", "zettafly4(a=4,p=2,h=2)", "mlfm(h=3)", "oft(k=3)", "bcube(n=3,l=2)", "fullmesh(d1=4,d2=3)",
		"hyperx(s1=4,s2=3,t=2)", "fattree(k=4,l=3)", "complete(n=5,t=2)", "torus(k1=4,k2=3)"} {
		req := Request{Keys: []metric.Key{metric.UniformThroughputOptimal}}
		a, b := evaluate(t, e, parse(t, name), req), evaluate(t, plain, parse(t, name), req)
		value(t, a, metric.UniformThroughputOptimal)
		x, y := a.Metrics[metric.UniformThroughputOptimal], b.Metrics[metric.UniformThroughputOptimal]
		if x.Lo > y.Hi*(1+1e-9) || y.Lo > x.Hi*(1+1e-9) {
			t.Errorf("%s: [%.9g, %.9g] by symmetry, [%.9g, %.9g] without", name, x.Lo, x.Hi, y.Lo, y.Hi)
		}
	}
}

// TestWorstKnown: on tori, hypercubes, complete graphs and HyperX two phases are the best that there is against the
// worst permutation, so that the bounds meet: on even tori and hypercubes at the throughput upper bound, all capacity over
// all hops to the antipode. Of K_n with t endpoints a switch the shift by a switch gets n/2t: one link directly, and n-2
// ways of two links. Endpoints of a non-blocking tree send everything to any partner. Elsewhere, the worst shift by
// linear programs is no better than hi, and lo not above it. Everywhere the throughput upper bound holds.
func TestWorstKnown(t *testing.T) {
	racing.Figures(t)
	e := newEvaluator(t, Options{BandwidthGbps: 400})
	for _, c := range []struct {
		design string
		want   float64 // of the worst shift; 0: not known
		gap    float64 // of the bounds, at most
	}{
		{"torus(k1=4,k2=4)", 1, 1e-3},       // 4 links a switch over 4 hops
		{"torus(k1=6,k2=6)", 4.0 / 6, 1e-3}, // over 6
		{"ring(n=8)", 0.5, 1e-3},
		{"hypercube(n=4)", 1, 1e-3}, // 4 links over 4 hops
		{"hypercube(n=4,t=2)", 0.5, 1e-3},
		{"fattree(k=4,l=3)", 1, 1e-3},
		{"multirail(k=8,l=2,r=2,planes=2)", 1, 1e-3},
		{"complete(n=6)", 3, 1e-3}, {"complete(n=9,t=3)", 1.5, 1e-3}, {"hyperx(s1=5,s2=3,t=3)", 0.5, 1e-3},
		{"slimfly(q=3,p=2)", 0.75, 0.15}, {"dragonfly(p=2,a=4,h=2)", 5. / 9, 0.03},
		{"slimfly(q=5)", 0, 0.2}, {"polarfly(q=3)", 0, 0.2}, {"bcube(n=4,l=2)", 0, 0.25}, {"zcube(n=3,k=2)", 0, 0.1}, {"zcube(n=3,k=3)", 0, 0.3}, {"railonly(k=8,g=4)", 0, 1e-3},
	} {
		r := evaluate(t, e, parse(t, c.design), Request{Keys: []metric.Key{metric.WorstThroughput, metric.TUB}})
		value(t, r, metric.WorstThroughput)
		m, bound := r.Metrics[metric.WorstThroughput], r.Metrics[metric.TUB].Value
		if m.Lo > m.Hi || m.Lo <= 0 || m.Hi-m.Lo > c.gap*m.Hi || m.Value != m.Lo {
			t.Errorf("%s: worst throughput %g in [%g, %g] (%s)", c.design, m.Value, m.Lo, m.Hi, m.Method)
		}
		if r.Have[metric.TUB] && m.Hi > bound*(1+1e-9) {
			t.Errorf("%s: worst throughput at most %g, above the bound of %g", c.design, m.Hi, bound)
		}
		if c.want > 0 && (m.Lo > c.want*(1+1e-9) || m.Hi > c.want*1.006 || c.gap < 0.01 && m.Hi < c.want*(1-1e-9)) {
			t.Errorf("%s: worst throughput in [%g, %g], the worst shift gets %g (%s)", c.design, m.Lo, m.Hi, c.want, m.Method)
		}
	}
}

// TestWorstNatural: the bounds that need no flow are as wide as those of the flow at least, and prove nothing only where
// endpoints have several ports and the network is no tree.
func TestWorstNatural(t *testing.T) {
	racing.Figures(t)
	e := newEvaluator(t, Options{BandwidthGbps: 400})
	for _, name := range []string{"torus(k1=4,k2=4)", "slimfly(q=5)", "dragonfly(p=2,a=4,h=2)", "fattree(k=4,l=3)", "zcube(n=3,k=2)", "bcube(n=4,l=2)", "multirail(k=8,l=2,r=2,planes=2)", "zcube(n=3,k=3)"} {
		d := parse(t, name)
		best := evaluate(t, e, d, Request{Keys: []metric.Key{metric.WorstThroughput}}).Metrics[metric.WorstThroughput]
		w := &work{e: e, ctx: context.Background(), d: d, res: &Result{Design: d, Absent: map[metric.Key]string{}}}
		w.size = &w.res.Size
		if err := d.Family.Size(d.V, w.size); err != nil {
			t.Fatal(err)
		}
		w.prepare()
		if err := w.build(); err != nil {
			t.Fatal(err)
		}
		w.throughput = evaluate(t, e, d, Request{Keys: []metric.Key{metric.UniformThroughput}}).Metrics[metric.UniformThroughput].Value
		if err := runWorstNatural(w); err != nil {
			t.Fatal(err)
		}
		m := w.res.Metrics[metric.WorstThroughput]
		if !w.res.Have[metric.WorstThroughput] || m.Lo > best.Lo*(1+1e-4) || m.Hi < best.Hi*(1-1e-9) || m.Lo == 0 && name != "zcube(n=3,k=3)" {
			t.Errorf("%s: worst throughput in [%g, %g] by natural routes, [%g, %g] by a flow; %s", name, m.Lo, m.Hi, best.Lo, best.Hi, w.res.Absent[metric.WorstThroughput])
		}
	}
}

// TestFlowBounds: on random networks no cut carries what the flow claims to send across it, the
// lengths of the shortest routes bound it from above, and twice the capacity carries twice as much.
func TestFlowBounds(t *testing.T) {
	racing.Figures(t)
	for kind := range 3 {
		for seed := range uint64(few(16)) {
			n := small(t, seed, kind)
			classes := laneRates(n)
			solve := func(bandwidth float64, by flow.Grouping) (float64, float64) {
				g, at := flowGraph(n, classes, bandwidth, by)
				lo, hi, err := g.Throughput(context.Background(), flow.Uniform(at, nil))
				if err != nil {
					t.Fatal(err)
				}
				return lo, hi
			}
			lo, hi := solve(1, flow.EachEdge)
			if math.IsInf(lo, 1) {
				continue
			}
			if lo > hi || hi-lo > 0.03*hi {
				t.Errorf("%s: [%g, %g]", n.Design, lo, hi)
			}
			if least := sparsestCut(n, classes); lo > least*(1+1e-9) {
				t.Errorf("%s: a flow of %.9g, a cut lets %.9g pass", n.Design, lo, least)
			}
			if a, b := solve(0.5, flow.EachEdge); a > 2*hi*(1+1e-9) || b < 2*lo*(1-1e-9) {
				t.Errorf("%s: [%g, %g], with twice the capacity [%g, %g]", n.Design, lo, hi, a, b)
			}
			if a, b := solve(1, flow.EachDirection); a > hi*(1+1e-9) || b < lo*(1-1e-9) {
				t.Errorf("%s: [%g, %g], directions apart [%g, %g]", n.Design, lo, hi, a, b)
			}
		}
	}
}

// sparsestCut is the least capacity one way over the demand that must cross, over all sides of the
// switches; endpoints with several ports stand alone or with all others.
func sparsestCut(n *topology.Network, classes *[topology.MaxClasses]netClass) float64 {
	k, all := n.Switches(), float64(n.Endpoints())
	weight := make([]float64, k)
	several := severalPorts(n)
	best := math.Inf(1)
	for g := range n.Groups() {
		first, end, ports := n.Group(g)
		if several {
			best = math.Min(best, classes[0].gbps*float64(len(ports)))
			continue
		}
		weight[ports[0]] += float64(end - first)
	}
	for side := range 1 << k {
		cut, one := 0.0, 0.0
		for s := range topology.SwitchID(k) {
			if side>>s&1 == 1 {
				one += weight[s]
			}
			for c, end := n.Out(s); c < end; c++ {
				if side>>s&1 == 1 && side>>n.To(c)&1 == 0 {
					cut += classes[n.LinkClass(c)].gbps
				}
			}
		}
		if x := one * (all - one); x > 0 {
			best = math.Min(best, cut*(all-1)/x)
		}
	}
	return best
}
