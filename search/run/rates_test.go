package run_test

import (
	"context"
	"math"
	"testing"

	"toposearch/evaluator"
	"toposearch/evaluator/metric"
	"toposearch/search"
	"toposearch/search/searchtest"
	"toposearch/search/verify"
	"toposearch/study"
	"toposearch/topology"
	"toposearch/topology/family"
)

// A simulation is of the rates and in the unit of uniform_throughput: what it is predicted from the simulated network's
// channels is that metric, at most 1, in every family; where ports are sold in steps (bcube, whose three ports of 200
// Gb/s serve 400 asked), where links of one design have different rates (ubmesh) and where scale-up links of several
// Tb/s stand beside them.
func TestSimulatedRates(t *testing.T) {
	names := []string{"bcube(n=5,l=3)", "ubmesh(z=2,w=2,rack=1dfma)", "hpn(k=16,g=2,segments=4)", "railonly(k=8,g=4,leaves=4)", "dcell(n=4,l=1)", "omega(k=2,n=3)",
		"bus(n=8)", "torus(k1=4,k2=3)", "zettafly4(a=2,p=3,h=4,s=2)", "dragonfly(p=2,a=4,h=2)", "fullmesh(d1=3,d2=4)", "hammingmesh(a=2,b=2,x=2,y=2,k=8)",
		"fattree(k=4,l=3)", "tpuocs(x=1,y=1,z=1)", "zcube(n=4,k=2)", "clos(m=3,n=3,r=3)", "meshtree(k=8)", "multirail(k=8,r=2)"}
	for _, gbps := range []float64{0, 400, 700} {
		opt := evaluator.Options{BandwidthGbps: gbps}
		e, err := evaluator.New(opt)
		searchtest.Must(t, err)
		p := &search.Problem{Study: &study.Study{Options: opt}}
		seen := 0
		for _, name := range names {
			d, err := topology.ParseDesign(name, family.All())
			if err != nil {
				continue // a family whose smallest design has another name
			}
			r, err := e.Evaluate(context.Background(), d, evaluator.Request{Keys: []metric.Key{metric.UniformThroughput}})
			searchtest.Must(t, err)
			if !r.Have[metric.UniformThroughput] {
				continue
			}
			n, load, err := verify.Network(p, d)
			searchtest.Must(t, err)
			line := &verify.Result{Design: name}
			way, err := verify.NewWay(t.Context(), n, "natural", opt.Natural(d))
			searchtest.Must(t, err)
			_, err = verify.Predict(context.Background(), n, way, "uniform", line)
			searchtest.Must(t, err)
			want := math.Min(r.Metrics[metric.UniformThroughput].Value, 1)
			if math.Abs(line.Predicted/want-1) > 1e-6 || gbps > 0 && load != gbps {
				t.Errorf("%s of %g Gb/s: load 1 is %g Gb/s, predicted %g, uniform_throughput %g", name, gbps, load, line.Predicted, want)
			}
			seen++
		}
		if seen < 14 {
			t.Errorf("%g Gb/s: only %d designs", gbps, seen)
		}
	}
}
