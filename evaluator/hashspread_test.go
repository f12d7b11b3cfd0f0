package evaluator

import (
	"math"
	"strings"
	"testing"

	"toposearch/evaluator/metric"
	"toposearch/internal/stream"
	"toposearch/routing"
	"toposearch/topology"
	"toposearch/topology/topotest"
	"toposearch/workload"
)

// Spreads in closed form are those that following all pairs gives, of random designs of every family that has them.
func TestSpreadsInClosedForm(t *testing.T) {
	compared := 0
	for _, f := range families() {
		if f.Spread == nil {
			continue
		}
		designs := topotest.Sample(f, stream.New(5, "spread "+f.Name), 20, 200)
		for _, text := range []string{"slimfly(q=7,p=1)", "slimfly(q=8,p=1)", "slimfly(q=9,p=1)", "slimfly(q=11,p=1)", "slimfly(q=13,p=1)",
			"hpn(k=16,g=2,segments=2,groups=3,core=2)", "tpuocs(x=1,y=2,z=2)", "zcube(n=16,k=2)", "meshtree(k=8)", "ubmesh(x=4,z=7,w=3)",
			"ubmesh(x=4,y=4,z=2,w=2,lz=72,lw=72,rack=clos)"} { // some of which samples seldom have
			if d := parse(t, text); d.Family == f {
				designs = append(designs, d)
			}
		}
		for _, d := range designs {
			var want [topology.MaxClasses]float64
			if !f.Spread(d.V, &want) {
				continue
			}
			n, err := d.Build()
			if err != nil {
				t.Fatal(err)
			}
			rule := topology.Minimal()
			if f.Natural != nil {
				rule = f.Natural(d.V)
			}
			r, err := routing.New(n, rule)
			if err != nil {
				t.Fatal(err)
			}
			all, err := r.HashSpread(t.Context(), len(r.Sets))
			if err != nil {
				t.Fatal(err)
			}
			var s topology.Size
			f.Count(d.V, &s)
			for c := range f.LinkClasses {
				if s.Link[c] == 0 {
					continue
				}
				compared++
				if math.Abs(all[c]-want[c]) > 1e-9 {
					t.Errorf("%s: %s links have a spread of %.6f, in closed form %.6f", d, f.LinkClasses[c].Name, all[c], want[c])
				}
			}
		}
	}
	if compared < 100 { // a short round draws fewer
		t.Errorf("only %d were compared", compared)
	}
	t.Logf("%d compared", compared)
}

// Collectives are timed with each pair of ranks on one path that a hash picks, and say so, unless there is no other path: then times are those of an even split.
func TestTimesOfHashes(t *testing.T) {
	o := trainingOptions(t)
	keys := []metric.Key{metric.AlltoallTime, metric.AllreduceTime, metric.StepTime}
	o.Training.Parallelism = &workload.Parallelism{TP: 4, CP: 1, PP: 2, DP: 4, EP: 1, Interleave: 1, MicroBatch: 1, SP: true}
	for design, choice := range map[string]bool{"fattree(k=8,l=2)": true, "hypercube(n=5)": false, "jellyfish(n=16,r=6,p=2)": true} {
		o.Algorithms = []string{"natural"}
		even := evaluate(t, newEvaluator(t, o), parse(t, design), Request{Keys: keys})
		o.Algorithms = []string{"natural+hash"}
		r := evaluate(t, newEvaluator(t, o), parse(t, design), Request{Keys: keys})
		for _, k := range keys {
			x, y := r.Metrics[k], even.Metrics[k]
			if strings.Contains(x.Method, "one flow on one path") != choice || x.Method == "" || x.Lo > x.Value || x.Hi < x.Value || x.Value < y.Value*(1-same) || !choice && (x.Value != y.Value || x.Hi != y.Hi) ||
				choice && k != metric.AllreduceTime && (x.Value <= y.Value || x.Hi <= x.Value) { // whose ring may leave each switch once
				t.Errorf("%s of %s: %.5g in [%.5g, %.5g], of even splits %.5g: %s", metric.Keys[k].Name, design, x.Value, x.Lo, x.Hi, y.Value, x.Method)
			}
		}
	}
}

// What a hashed throughput is, and what its bounds are of, is said as it is known.
func TestHashedWords(t *testing.T) {
	for _, c := range []struct {
		design, says string
		exact        bool
	}{
		{"fattree(k=8,l=2)", "expected of random hashes", false},
		{"hypercube(n=5)", "no flow has a choice", true},
		{"jellyfish(n=16,r=6,p=2)", "probabilities of all paths", false},
		{"jellyfish(n=80,r=6,p=2)", "probabilities of paths between 8 x as many sets", false},
	} {
		x := evaluate(t, newEvaluator(t, Options{BandwidthGbps: 400, Algorithms: []string{"natural+hash"}}), parse(t, c.design), Request{Keys: []metric.Key{metric.UniformThroughput}}).Metrics[metric.UniformThroughput]
		if !strings.Contains(x.Method, c.says) || c.exact != (x.Lo == x.Hi) {
			t.Errorf("%s: in [%g, %g]: %s", c.design, x.Lo, x.Hi, x.Method)
		}
	}
	if h := (hashed{part: 1}); !strings.Contains(h.words(), "shown is an even split") { // what is only enclosed has no expectation
		t.Error(h.words())
	}
}

// What hashes leave is the same from closed forms and from the network, whose loads are by channel, and by port. Where channels of a class differ closed
// forms take as many to have the load of the busiest as can.
func TestHashedBuiltAsClosed(t *testing.T) {
	for _, text := range []string{"zcube(n=6,k=2)", "zcube_rect(n=24,m=6)", "hpn(k=12,g=3,segments=2)", "multirail(k=8,l=2,r=2,planes=2,pods=4)", "multirail(k=16,l=2,r=2,f=2)", "multirail(k=32,l=1,r=4)", "roft(k=8,g=4)", "fattree(k=8,l=2)", "torus(k1=6,k2=6)", "oft(k=4)"} {
		var x [2]float64
		for i, built := range []bool{false, true} {
			e := newEvaluator(t, Options{BandwidthGbps: 400, Algorithms: []string{"natural+hash"}, built: built})
			x[i] = evaluate(t, e, parse(t, text), Request{Keys: []metric.Key{metric.UniformThroughput}}).Metrics[metric.UniformThroughput].Value
		}
		if math.Abs(x[1]/x[0]-1) > 0.025 {
			t.Errorf("%s: %.4f from closed forms, %.4f from the network", text, x[0], x[1])
		}
	}
}

// Of one switch a plane flows have a choice of ports all the same: 8 endpoints send 7 flows each over 4 ports, which no hash deals out evenly.
func TestHashedPortsOfOneSwitch(t *testing.T) {
	for names, most := range map[string]float64{"natural+hash": 0.5, "natural": 1, "natural+hash natural": 1} {
		e := newEvaluator(t, Options{BandwidthGbps: 400, Algorithms: strings.Fields(names)})
		x := evaluate(t, e, parse(t, "multirail(k=32,l=1,r=4)"), Request{Keys: []metric.Key{metric.UniformThroughput}}).Metrics[metric.UniformThroughput]
		if x.Value > most || x.Value < 0.6*most {
			t.Errorf("%s: %.4f: %s", names, x.Value, x.Method)
		}
	}
}
