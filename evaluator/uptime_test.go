package evaluator

import (
	"maps"
	"math"
	"strings"
	"testing"

	"toposearch/catalog"
	"toposearch/evaluator/bound"
	"toposearch/evaluator/cluster"
	"toposearch/evaluator/metric"
	"toposearch/internal/racing"
	"toposearch/internal/stream"
	"toposearch/topology"
	"toposearch/topology/topotest"
)

// onlyParts fails kinds as often a year as is said, and nothing else.
func onlyParts(perYear map[string]float64) *catalog.Catalogue {
	c := *catalog.Builtin()
	c.Parts = append([]catalog.Part(nil), c.Parts...)
	for i := range c.Parts {
		p := &c.Parts[i]
		p.HasAFR, p.AFR = true, perYear[p.Kind]
	}
	return &c
}

// TestUptimeByHand: what stops a job on 32 endpoints of a tree of eight leaves and four spines: any of 32 links and
// cards and of 8 leaves; links to spines and the spines do not. Two planes have nothing of the network that stops it.
func TestUptimeByHand(t *testing.T) {
	list := onlyParts(map[string]float64{catalog.KindSwitch: 0.1, catalog.KindNIC: 0.01, catalog.KindCable: 0.002, catalog.KindTransceiver: 0.5})
	o := Options{BandwidthGbps: 400, Catalog: list, Cluster: cluster.Options{CPUsPerServer: 2, AFR: map[string]float64{catalog.KindAccelerator: 0.2, catalog.KindCPU: 0.03}}}
	scaled := o
	scaled.Scaleup = true
	for _, c := range []struct {
		o       Options
		design  string
		perYear float64
	}{
		{o, "fattree(k=8,l=2)", 32*(0.2+0.01+0.002) + 4*2*0.03 + 8*0.1},
		{o, "torus(k1=4,k2=4)", 16*(0.2+0.01+0.002+0.1) + 2*2*0.03},
		{o, "mesh(k1=4)", 4*(0.2+0.01+0.002+0.1) + 1*2*0.03 + 3*0.002}, // a link of a line parts it
		{o, "hpn(k=8,g=2,segments=2)", 16*(0.2+0.01) + 2*2*0.03},       // a card has both ports
		{scaled, "hpn(k=8,g=2,segments=2)", 16*0.2 + 2*2*0.03},         // others of the server stand in for it
		{o, "fullmesh(d1=4,d2=4)", 16*0.2 + 2*2*0.03},                  // chips have the ports
		{o, "multirail(k=8,l=2,r=4,f=2,planes=2)", 16*0.2 + 2*2*0.03},  // of two cards one is enough
		{o, "dcell(n=4,l=2)", 420*0.2 + 53*2*0.03},                     // servers relay by either of two cards
		{scaled, "fattree(k=8,l=2)", 32*0.2 + 4*2*0.03},                // a server of eight has two leaves of four
	} {
		r := evaluate(t, newEvaluator(t, c.o), parse(t, c.design), Request{Keys: []metric.Key{metric.MTBF}})
		n := r.Size.Endpoints
		m := r.Metrics[metric.MTBF]
		if want := 8760 / c.perYear; math.Abs(m.Value-want) > 1e-9*want || m.Lo != m.Hi {
			t.Errorf("%s, %d endpoints: MTBF %+v h, want %g", c.design, n, m, want)
		}
	}
}

// TestUptimeEnclosed: what the counts say, and what encloses a design before its parts are known, holds when every part
// has been failed by itself; spares make more available, and never interrupt less.
func TestUptimeEnclosed(t *testing.T) {
	racing.Figures(t)
	compared := 0
	for i := range few(8) {
		rng := stream.New(4, "uptime", uint64(i))
		o := someOptions(rng)
		o.Cluster.CheckpointH = 0.02
		e := newEvaluator(t, o)
		for _, f := range families() {
			for _, d := range topotest.Sample(f, rng, 1, 500) {
				var s topology.Size
				if err := f.Size(d.V, &s); err != nil {
					t.Fatal(err)
				}
				var iv metric.Intervals
				e.Enclose(bound.One(d.V, &s), &bound.Ladder{}, &iv)
				quick := evaluate(t, e, d, Request{Level: 1})
				exact := evaluate(t, e, d, Request{Keys: []metric.Key{metric.MTBF}})
				if quick.Have[metric.MTBF] && !exact.Have[metric.MTBF] && !strings.Contains(exact.Absent[metric.MTBF], "apart") {
					t.Errorf("%s: %s", d, exact.Absent[metric.MTBF])
				}
				money := evaluate(t, e, d, Request{Keys: []metric.Key{metric.CostEfficiency, metric.EffectiveBandwidth}, BudgetNs: 1e6})
				for _, k := range append([]metric.Key{metric.CostEfficiency, metric.EffectiveBandwidth}, moneyKeys...) {
					if m := money.Metrics[k]; money.Have[k] && iv.Have[k] && iv.Reject.Constraint == "" && !(m.Value >= iv.At[k].Lo && m.Value <= iv.At[k].Hi) {
						t.Errorf("%s, options %d: %s is %+v, enclosed by %+v", d, i, metric.Keys[k].Name, m, iv.At[k])
					}
					if iv.Lacks.Has(k) && money.Have[k] {
						t.Errorf("%s, options %d: %s is there, and lacks by its bounds", d, i, metric.Keys[k].Name)
					}
				}
				for _, k := range uptimeKeys {
					a, b := quick.Metrics[k], exact.Metrics[k]
					if !quick.Have[k] || !exact.Have[k] {
						continue
					}
					compared++
					slack := 1e-12 * a.Hi
					if b.Lo < a.Lo-slack || b.Hi > a.Hi+slack {
						t.Errorf("%s, options %d: %s by every part is %+v, by counts %+v", d, i, metric.Keys[k].Name, b, a)
					}
					if iv.Have[k] && iv.Reject.Constraint == "" && !(b.Value >= iv.At[k].Lo && b.Value <= iv.At[k].Hi) {
						t.Errorf("%s, options %d: %s is %+v, enclosed by %+v", d, i, metric.Keys[k].Name, b, iv.At[k])
					}
				}
			}
		}
	}
	if compared < 15*few(8) {
		t.Errorf("only %d figures were compared", compared)
	}
}

// Where it is welcome how often a job is stopped is exact at level 1, too, as by name, and no other figure changes for it.
func TestUptimeWished(t *testing.T) {
	racing.Figures(t)
	e := newEvaluator(t, Options{BandwidthGbps: 400, Cluster: cluster.Options{CheckpointH: 0.01}})
	for _, text := range []string{"dragonfly(p=2,a=4,h=2)", "fattree(k=8,l=3)", "jellyfish(n=30,r=4,p=2,seed=1)", "ubmesh(x=2,y=2,z=2,w=2)", "butterfly(k=2,n=3)"} {
		d := parse(t, text)
		plain, wished := evaluate(t, e, d, Request{Level: 1}), evaluate(t, e, d, Request{Level: 1, Wished: UptimeKeys()})
		named := evaluate(t, e, d, Request{Keys: UptimeKeys()})
		for k := range metric.Count {
			want := plain
			if OfUptime(k) {
				want = named
			}
			x, y := wished.Metrics[k], want.Metrics[k]
			if OfUptime(k) { // counts that leave no doubt stay
				x.Method, y.Method = "", ""
			}
			if wished.Have[k] != want.Have[k] || x != y {
				t.Errorf("%s: %s %+v, want %+v", text, metric.Keys[k].Name, wished.Metrics[k], want.Metrics[k])
			}
		}
	}
}

// TestUptimeAlike: where one switch stands for all, the network in which every part is failed by itself says the same, in all families.
func TestUptimeAlike(t *testing.T) {
	compared := map[string]bool{}
	rng := rngOf("uptime alike")
	for i := 0; i < few(4) || len(compared) < few(4) && i < 8; i++ { // under some options none are alike
		o := someOptions(rng)
		o.Scaleup = o.Scaleup && i%2 == 0
		e := newEvaluator(t, o)
		o.built = true
		built := newEvaluator(t, o)
		for _, f := range families() {
			for _, d := range topotest.Sample(f, rng, few(8), 300) {
				req := Request{Keys: []metric.Key{metric.MTBF}}
				got, want := evaluate(t, e, d, req), evaluate(t, built, d, req)
				if !strings.HasPrefix(got.Metrics[metric.MTBF].Method, "every switch and link like all others") {
					continue
				}
				compared[f.Name] = true
				for _, k := range []metric.Key{metric.MTBF, metric.Availability} {
					if x, y := got.Metrics[k], want.Metrics[k]; x.Value != y.Value || x.Lo != y.Lo || x.Hi != y.Hi {
						t.Errorf("%s: %s %+v, part by part %+v", d, metric.Keys[k].Name, x, y)
					}
				}
			}
		}
	}
	if len(compared) < few(4) {
		t.Errorf("only %d families have such networks", len(compared))
	}
}

// TestSpares: with 64+1 a failed accelerator waits for its repair beside the job; it still interrupts it.
func TestSpares(t *testing.T) {
	none, one := Options{BandwidthGbps: 400}, Options{BandwidthGbps: 400, Cluster: cluster.Options{Group: 64, Spares: 1}}
	none.Cluster.CheckpointH, one.Cluster.CheckpointH = 0.05, 0.05
	keys := Request{Keys: []metric.Key{metric.MTBF}}
	d := parse(t, "fattree(k=32,l=2)")
	a, b := evaluate(t, newEvaluator(t, none), d, keys), evaluate(t, newEvaluator(t, one), d, keys)
	for _, k := range uptimeKeys {
		if value(t, b, k) <= value(t, a, k) {
			t.Errorf("%s is %g without spares, %g with", metric.Keys[k].Name, value(t, a, k), value(t, b, k))
		}
	}
	// 512 accelerators and their cards and links fail 58.5 times a year, hosts and leaves 5.5 times: with spares only these stop it, nearly.
	if got := value(t, b, metric.MTBF); got < 0.95*8760/5.6 {
		t.Errorf("with spares the MTBF is %g h", got)
	}
	if g, v := value(t, b, metric.Goodput), value(t, b, metric.Availability); g >= v {
		t.Errorf("goodput %g, availability %g", g, v)
	}
}

// TestUptimeNamesAll: what is named adds up to the failures in all: 512 accelerators 0.11064 times, 128 processors 0.02312
// times, 48 circuit switches 0.080811 times a year.
func TestUptimeNamesAll(t *testing.T) {
	r := evaluate(t, newEvaluator(t, Options{BandwidthGbps: 400}), parse(t, "tpuocs(x=2,y=2,z=2)"), Request{Keys: []metric.Key{metric.MTBF}})
	for _, want := range []string{"accelerators 56.61, hosts 2.957, traces and circuit switches 3.879;", "; 63.44 in all"} {
		if m := r.Metrics[metric.MTBF].Method; !strings.Contains(m, want) {
			t.Errorf("%q does not contain %q", m, want)
		}
	}
}

// TestOwnSpares: a construction with spares of its own has the availability that as many endpoints with as many spares of a study have, and
// takes as many accelerators; the links to the spares are bought, and none of them stops a job. A box of designs with and without
// encloses both.
func TestOwnSpares(t *testing.T) {
	keys := []metric.Key{metric.Availability, metric.MTBF, metric.Capex}
	o := Options{BandwidthGbps: 3600, Catalog: withCluster(), BoundUptime: true, BoundMoney: true}
	own := evaluate(t, newEvaluator(t, o), parse(t, "ubmesh(z=2,w=1,spare=1)"), Request{Keys: keys})
	bare := evaluate(t, newEvaluator(t, o), parse(t, "ubmesh(z=2,w=1)"), Request{Keys: keys})
	o.Cluster = cluster.Options{Group: 64, Spares: 1}
	asked := evaluate(t, newEvaluator(t, o), parse(t, "ubmesh(z=2,w=1)"), Request{Keys: keys})
	for _, k := range keys[:2] {
		if a, b := value(t, own, k), value(t, asked, k); math.Abs(a/b-1) > 1e-12 || a <= value(t, bare, k) {
			t.Errorf("%s: %g with spares in the network, %g with spares asked for, %g without", metric.Keys[k].Name, a, b, value(t, bare, k))
		}
	}
	around := func(r *Result) float64 { return value(t, r, metric.Capex) - value(t, r, metric.Cost) }
	if got := around(own) - around(asked); got != 0 {
		t.Errorf("spares in the network cost %g USD more than as many asked for", got)
	}
	if got, more := own.Size.Spares(), value(t, own, metric.Cost)-value(t, bare, metric.Cost); got != 2 || more <= 0 {
		t.Errorf("%d spares, %g USD more for their links", got, more)
	}
	cables := func(r *Result) (n int64) {
		for _, l := range r.Plan.BOM {
			if l.Part.Kind == catalog.KindCable {
				n += l.Quantity
			}
		}
		return n
	}
	if got := cables(own) - cables(bare); got != 2*32 {
		t.Errorf("%d cables more, want one from each of 32 LRSs of two racks", got)
	}
}

// Without failures there is no time between them, and without a bound there is no figure: JSON has no infinity. Exactly no part of a ZCube stops a job
// where only switches fail; by counts any of them may.
func TestNothingFails(t *testing.T) {
	afr := map[string]float64{}
	for _, kind := range catalog.Kinds() {
		afr[kind] = 0
	}
	keys := []metric.Key{metric.MTBF, metric.Availability, metric.Goodput}
	for _, c := range []struct {
		switches  float64
		byCounts  bool
		mtbf, say string
		available float64
	}{
		{0, false, "no failure stops a job", "nothing interrupts a job", 1},
		{0.1, false, "no failure stops a job", "nothing interrupts a job", 1},
		{0.1, true, "without an upper bound: whether any failure stops a job is not known", "Daly's model, a checkpoint every", 0.99},
	} {
		afr[catalog.KindSwitch] = c.switches
		e := newEvaluator(t, Options{BandwidthGbps: 400, Cluster: cluster.Options{AFR: maps.Clone(afr), CheckpointH: 1.0 / 60}})
		req := Request{Keys: keys}
		if c.byCounts {
			req = Request{Level: 1}
		}
		r := evaluate(t, e, parse(t, "zcube(n=8,k=2)"), req)
		if r.Have[metric.MTBF] || !strings.Contains(r.Absent[metric.MTBF], c.mtbf) {
			t.Errorf("%g a year: mtbf %v, absent %q, want %q", c.switches, r.Metrics[metric.MTBF], r.Absent[metric.MTBF], c.mtbf)
		}
		if m := r.Metrics[metric.Goodput]; !strings.Contains(m.Method, c.say) || strings.Contains(m.Method, "Inf") {
			t.Errorf("%g a year: goodput by %q, want %q", c.switches, m.Method, c.say)
		}
		if x := value(t, r, metric.Availability); x < c.available || x > 1 {
			t.Errorf("%g a year: available %g", c.switches, x)
		}
	}
}
