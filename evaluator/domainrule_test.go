package evaluator

import (
	"context"
	"math"
	"strings"
	"testing"

	"toposearch/evaluator/metric"
	"toposearch/internal/racing"
	"toposearch/routing"
	"toposearch/topology"
)

// TestDomainRoutes holds throughput and VCs of networks with scale-up domains against figures that an
// independent program has found: it walks every legal route of at most one change of endpoint before the
// network and one after it, local-global-local or up and down in between, on the exported graph.
func TestDomainRoutes(t *testing.T) {
	racing.Figures(t)
	mesh := func(n int) topology.Domain { return topology.Domain{Endpoints: n} }
	for _, c := range []struct {
		design     string
		dom        topology.Domain
		throughput float64
		vcs        float64
	}{
		{"dragonfly(p=2,a=4,h=2)", mesh(4), 1.044117647, 2},
		{"dragonfly(p=2,a=4,h=2)", mesh(8), 1.109375, 2},
		{"dragonfly(p=2,a=4,h=2)", topology.Domain{Endpoints: 8, Levels: 1, Switches: 2}, 1.103626943, 2},
		{"dragonfly(p=4,a=4,h=2)", topology.Domain{Endpoints: 16, Levels: 2, Switches: 1, Box: 8, Spines: 2}, 0.5257352941, 2},
		{"fattree(k=8,l=3)", mesh(8), 1.0583333333, 1},
		{"hyperx(s1=4,s2=4,t=4)", mesh(4), 0.984375, 1},
		{"bcube(n=4,l=2)", mesh(4), 0.625, 1},
		{"multirail(k=16,l=2,r=4,planes=4,pods=8)", topology.Domain{Endpoints: 8, Levels: 1, Switches: 2}, 1.0384615385, 1},
		{"railonly(k=8,g=4)", topology.Domain{Endpoints: 4, Levels: 1, Switches: 2}, 0, 1}, // throughput not compared
		{"slimfly(q=5,p=4)", mesh(4), 0, 4},                                                // VCs count hops, those to and from relays too
	} {
		opt := Options{BandwidthGbps: 400, Scaleup: true, Domain: c.dom}
		e := newEvaluator(t, opt)
		d := parse(t, c.design)
		res, err := e.Evaluate(context.Background(), d, Request{Keys: []metric.Key{metric.UniformThroughput, metric.VCsMinimal}})
		if err != nil {
			t.Fatal(err)
		}
		m := res.Metrics[metric.UniformThroughput]
		if c.throughput > 0 && !(math.Abs(m.Value-c.throughput) < 1e-8) {
			t.Errorf("%s, %v: throughput %v, want %v (%s)", c.design, c.dom, m.Value, c.throughput, res.Absent[metric.UniformThroughput])
		}
		if v := res.Metrics[metric.VCsMinimal]; v.Value != c.vcs {
			t.Errorf("%s, %v: %v VCs, want %v (%s)", c.design, c.dom, v.Value, c.vcs, v.Method)
		}
	}
}

// TestDomainRuleDeadlocks: with scale-up links on one VC, before and after the network, packets can wait
// in a circle over two servers; with the rule's two they cannot. The rule itself is checked, not the
// argument for it.
func TestDomainRuleDeadlocks(t *testing.T) {
	for _, name := range []string{"roft(k=8,g=2,pods=3)", "dragonfly(p=2,a=4,h=2)", "bcube(n=4,l=2)", "zcube(n=4,k=2)", "fullmesh(d1=4,d2=4)"} {
		d := parse(t, name)
		opt := Options{Scaleup: true, Domain: topology.Domain{Endpoints: 4}}
		opt.fill()
		n, err := opt.Network(d)
		if err != nil {
			t.Fatal(err)
		}
		rule := opt.Natural(d)
		rep, err := routing.CheckDeadlock(context.Background(), n, rule, 0)
		if err != nil || !rep.Acyclic || !rep.Proven {
			t.Errorf("%s: %v, %+v", name, err, rep)
		}
	}
	d := parse(t, "roft(k=8,g=2,pods=3)")
	opt := Options{Scaleup: true, Domain: topology.Domain{Endpoints: 4}}
	opt.fill()
	n, err := opt.Network(d)
	if err != nil {
		t.Fatal(err)
	}
	if rep, err := routing.CheckDeadlock(context.Background(), n, opt.Natural(d), 1); err != nil || rep.Acyclic {
		t.Errorf("%s on one VC: %v, acyclic %v", d, err, rep.Acyclic)
	}
	d = parse(t, "slimfly(q=5,p=4)")
	if r := opt.Natural(d); !r.HopVCs || !strings.Contains(r.Name, "minimal") {
		t.Errorf("%s: rule %s", d, r.Name)
	}
}

// TestDomainLevels: with scale-up domains every family is evaluated at every level without a fault; a
// rule whose VCs count hops has a number of VCs where the longest route is known, and none before.
func TestDomainLevels(t *testing.T) {
	racing.Figures(t)
	for _, name := range []string{"slimfly(q=3,p=2)", "polarfly(q=3,p=4)", "polarstar_paley(q=2,s=5,p=2)", "bundlefly(q=3,s=5,p=2)", "spectralfly(x=3,q=5,p=2)",
		"galaxyfly(outer=complete,q=5,a=4,h=1,p=2)", "jellyfish(n=12,r=4,p=2,seed=1)", "dln(n=12,x=2,y=2,p=2,seed=1)", "dcell(n=4,l=1)", "dragonfly(p=2,a=4,h=2)",
		"hammingmesh(a=2,b=2,x=2,y=2,k=8)", "ubmesh(x=2,y=2,z=2,w=2)", "tpuocs(x=1,y=1,z=1)", "zettafly3(a=4,p=2,h=2)", "hpn(k=16,g=2,segments=2)", "meshtree(k=4)", "railonly(k=8,g=4)", "crossbar(n=8)"} {
		for _, dom := range []topology.Domain{{Endpoints: 2}, {Endpoints: 4, Levels: 1, Switches: 2}} {
			e := newEvaluator(t, Options{Scaleup: true, Domain: dom})
			for level := range 3 {
				req := Request{Level: level}
				if level == 2 {
					req = Request{Keys: []metric.Key{metric.VCsMinimal, metric.UniformThroughput}}
				}
				r := evaluate(t, e, parse(t, name), req)
				m := r.Metrics[metric.VCsMinimal]
				if r.Have[metric.VCsMinimal] && e.opt.Natural(r.Design).HopVCs && m.Value < 2 && r.Size.Endpoints > 8 {
					t.Errorf("%s, %v, level %d: %v VCs (%s)", name, dom, level, m.Value, m.Method)
				}
				if level == 2 && !r.Have[metric.VCsMinimal] && r.Size.Endpoints%int64(dom.Endpoints) == 0 && !strings.HasPrefix(name, "railonly") {
					t.Errorf("%s, %v: no VCs: %s", name, dom, r.Absent[metric.VCsMinimal])
				}
			}
		}
	}
}
