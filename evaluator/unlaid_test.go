package evaluator

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"toposearch/catalog"
	"toposearch/evaluator/floor"
	"toposearch/evaluator/metric"
	"toposearch/internal/racing"
	"toposearch/internal/stream"
	"toposearch/topology"
	"toposearch/topology/topotest"
)

// unlaidKeys are the metrics that are enclosed where a network takes too long to be made.
var unlaidKeys = append([]metric.Key{metric.UniformThroughput, metric.GraphDiameter, metric.MooreEfficiency, metric.VCsMinimal, metric.VCsAdaptive, metric.Latency, metric.Capex, metric.NetworkShare},
	append(append([]metric.Key{}, planKeys...), distanceKeys...)...)

// slow are the families of slowly, one for each: what is proven of a family is kept by it.
var slow sync.Map

// slowly is a design of a family whose construction is said to take a second.
func slowly(d topology.Design) topology.Design {
	f, ok := slow.Load(d.Family)
	if !ok {
		copied := *d.Family
		copied.WireCost = func([]int) (ns, bytes float64) { return 2 * networkMostNs, 0 }
		f, _ = slow.LoadOrStore(d.Family, &copied)
	}
	return topology.Design{Family: f.(*topology.Family), V: d.V}
}

// What is enclosed of networks that take too long to be made holds for them, whatever the family and the parts: costs by where racks stand,
// distances by counts. A budget has them made all the same, and so does every request that does not say Enclosed: runs compare values.
func TestUnlaidEncloses(t *testing.T) {
	racing.Figures(t)
	enclosed, apart, rejected := map[metric.Key]int{}, 0, 0
	for i, o := range []Options{
		{BandwidthGbps: 400, Catalog: withCluster()},
		{BandwidthGbps: 800, CountNICs: true, Site: floor.Site{EndpointPowerW: 1000, PUE: 1.2, RackPowerW: 40e3, Rows: 3}},
		{BandwidthGbps: 400, Catalog: bulky()},
		{BandwidthGbps: 400, Catalog: twinParts(), Rates: map[string]catalog.Rate{"EUR": 1_087_000_000}},
		{BandwidthGbps: 200, Site: floor.Site{EndpointAllInW: 1300, RackSwitches: 4, RackServers: 1}},
		{BandwidthGbps: 400, Site: floor.Site{Buildings: 2}},
	} {
		e := newEvaluator(t, o)
		for _, f := range families() {
			n := few(3)
			if f.Regular {
				n = few(20)
			}
			for _, d := range topotest.Sample(f, stream.New(uint64(i), "unlaid "+f.Name), n, 3000) {
				if !quick(d) {
					continue
				}
				d = slowly(d)
				lax := evaluate(t, e, d, Request{Keys: unlaidKeys, Enclosed: true})
				full := evaluate(t, e, d, Request{Keys: unlaidKeys, BudgetNs: 1e10})
				if plain := evaluate(t, e, d, Request{Keys: []metric.Key{metric.Cost}}); plain.Metrics[metric.Cost] != full.Metrics[metric.Cost] {
					t.Errorf("%s, options %d: cost %v unless enclosed, %v laid", d, i, plain.Metrics[metric.Cost], full.Metrics[metric.Cost])
				}
				if lax.Reject != (metric.Reject{}) {
					if rejected++; full.Reject.Constraint != lax.Reject.Constraint {
						t.Errorf("%s, options %d: %v by counts, %v laid", d, i, lax.Reject, full.Reject)
					}
				}
				for _, k := range unlaidKeys {
					a, b := lax.Metrics[k], full.Metrics[k]
					switch {
					case !lax.Have[k]:
						if why := strings.TrimSpace(lax.Absent[k]); why == "" || strings.HasSuffix(why, ":") {
							t.Errorf("%s, options %d: %s is absent for %q", d, i, metric.Keys[k].Name, why)
						}
						continue
					case !full.Have[k]:
						continue
					}
					slack := 1e-12 * b.Hi
					if a.Lo > b.Lo+slack || a.Hi < b.Hi-slack || a.Value < a.Lo || a.Value > a.Hi {
						t.Errorf("%s, options %d: %s is %v in [%v, %v] by counts (%s), %v in [%v, %v] laid", d, i, metric.Keys[k].Name, a.Value, a.Lo, a.Hi, a.Method, b.Value, b.Lo, b.Hi)
					}
					if a.Lo < a.Hi {
						enclosed[k]++
					}
				}
				if f.Regular && lax.Have[metric.MeanHops] {
					apart++
				}
			}
		}
	}
	for _, k := range []metric.Key{metric.UniformThroughput, metric.Cost, metric.Power, metric.CableTotal, metric.MeanHops, metric.MaxHops, metric.GraphDiameter, metric.Latency, metric.Capex} {
		if enclosed[k] < few(20) {
			t.Errorf("%s was enclosed %d times: too few to tell", metric.Keys[k].Name, enclosed[k])
		}
	}
	t.Logf("%d rejected, %d distances by counts, enclosed: %s", rejected, apart, fmt.Sprint(enclosed))
}

// The value of a random network that is not made is near what it has: distances to a hundredth, its cost to five, the least cut to eight; that of a dln to eight, whose ring
// is not drawn.
func TestUnlaidIsNear(t *testing.T) {
	racing.Figures(t)
	e := newEvaluator(t, Options{BandwidthGbps: 400})
	keys := slices.Concat(unlaidKeys, []metric.Key{metric.Bisection})
	for _, name := range []string{"jellyfish(n=2048,r=16,p=16)", "jellyfish(n=2000,r=30,p=8)", "dln(n=2048,y=14,p=16)"} {
		d := slowly(parse(t, name))
		lax, full := evaluate(t, e, d, Request{Keys: keys, Enclosed: true}), evaluate(t, e, d, Request{Keys: keys, BudgetNs: 1e10})
		for k, off := range map[metric.Key]float64{metric.MeanHops: 0.01, metric.MeanPathLinks: 0.01, metric.Cost: 0.05, metric.Power: 0.05, metric.Bisection: 0.08} {
			a, b := lax.Metrics[k], full.Metrics[k]
			if d.Family.Name == "dln" && k != metric.MeanHops && k != metric.MeanPathLinks {
				off = 0.08
			}
			if !lax.Have[k] || a.Lo == a.Hi || a.Value > b.Value*(1+off) || a.Value < b.Value*(1-off) {
				t.Errorf("%s: %s is %v in [%v, %v] by counts, %v laid", name, metric.Keys[k].Name, a.Value, a.Lo, a.Hi, b.Value)
			}
		}
	}
}

// A network of links that nobody sells has no bisection, drawn or not.
func TestUnlaidLacksRate(t *testing.T) {
	e := newEvaluator(t, Options{BandwidthGbps: 99_000})
	for _, k := range []metric.Key{metric.Bisection, metric.UniformThroughput} {
		x := evaluate(t, e, slowly(parse(t, "jellyfish(n=64,r=6,p=2)")), Request{Keys: []metric.Key{k}, Enclosed: true})
		if x.Have[k] || !strings.Contains(x.Absent[k], "99000 Gb/s") {
			t.Errorf("%s is %v, absent for %q", metric.Keys[k].Name, x.Metrics[k], x.Absent[k])
		}
	}
}
