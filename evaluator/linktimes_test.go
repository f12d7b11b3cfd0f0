package evaluator

import (
	"context"
	"math"
	"testing"

	"toposearch/evaluator/metric"
	"toposearch/simcore/cutthrough"
	"toposearch/simcore/routing"
	"toposearch/simcore/traffic"
)

// The latency of lone packets in the cut-through simulation, each measured by sending it, is the
// evaluator's latency: over all pairs of endpoints and the shortest routes, with the rates and mean
// cable lengths of the floor plan. Both are exact to the rounding to a picosecond per hop where all
// shortest routes of a pair cross the same classes. Where a closed form averages over routes that
// differ in them, draws stands for how often every pair is sent.
func TestLatencyOfCutThrough(t *testing.T) {
	designs := []struct {
		design string
		within float64 // ns
		draws  int
	}{
		{"crossbar(n=16)", 0.01, 1}, {"torus(k1=4,k2=4,t=2)", 0.01, 1}, {"mesh(k1=4,k2=3)", 0.01, 1}, {"hypercube(n=4,t=2)", 0.01, 1},
		{"complete(n=6,t=3)", 0.01, 1}, {"hyperx(s1=4,s2=3,t=2)", 0.01, 1}, {"fattree(k=4,l=3)", 0.01, 1}, {"fattree(k=6,l=2)", 0.01, 1},
		{"kntree(k=2,n=3)", 0.01, 1}, {"dragonfly(p=1,a=4,h=2)", 0.2, 4}, {"dragonflyplus(l=2,m=2,p=2,h=2)", 0.01, 1},
		{"zettafly3(a=4,p=2,h=2)", 0.01, 1}, {"zettafly4(a=4,p=2,h=2)", 0.01, 1}, {"slimfly(q=5,p=1)", 0.01, 1}, {"polarfly(q=3,p=1)", 0.01, 1},
		{"zcube(n=4,k=2)", 0.01, 1}, {"zcube(n=2,k=3)", 0.01, 1}, {"bcube(n=4,l=2)", 0.01, 1}, {"dcell(n=3,l=1)", 0.01, 1},
		{"fullmesh(d1=4,d2=3)", 0.01, 1}, {"multirail(k=8,l=2,r=2)", 0.01, 1}, {"mlfm(h=3)", 0.01, 1}, {"oft(k=3)", 0.01, 1},
		{"hpn(k=8,g=2,segments=2)", 0.01, 1}, {"roft(k=4,g=2)", 0.01, 1}, {"railonly(k=8,g=4)", 0.01, 1},
		{"hammingmesh(a=2,b=2,x=2,y=2,k=8)", 0.01, 1}, {"tpuocs(x=1,y=1,z=1)", 0.2, 1}, {"ubmesh(x=2,y=2,z=2,w=2)", 0.01, 1},
	}
	for i, c := range designs {
		if testing.Short() && i%3 != 0 {
			continue
		}
		// Dragonfly's closed form takes the routes of lgl only; two global links are as short.
		e := newEvaluator(t, Options{BandwidthGbps: 400, built: c.draws > 1})
		d := parse(t, c.design)
		r := evaluate(t, e, d, Request{Level: 1})
		if !r.Have[metric.Latency] {
			t.Errorf("%s: no latency: %s", c.design, r.Absent[metric.Latency])
			continue
		}
		want := r.Metrics[metric.Latency]
		got := loneLatency(t, e, r, c.draws)
		if math.Abs(got-want.Value) > c.within {
			t.Errorf("%s: lone packets take %.4f ns on average, the evaluator says %.4f (%s)", c.design, got, want.Value, want.Method)
		}
	}
}

// loneLatency sends a packet from every endpoint to every other.
func loneLatency(t *testing.T, e *Evaluator, r *Result, draws int) float64 {
	t.Helper()
	n, err := r.Design.Build()
	if err != nil {
		t.Fatal(err)
	}
	cfg := cutthrough.DefaultConfig()
	if cfg.ClassGbps, cfg.ClassCableNs, err = e.LinkTimes(r, n); err != nil {
		t.Fatal(err)
	}
	cfg.BandwidthGbps, cfg.BufferBytes = r.Plan.BandwidthGbps, 1<<30
	rt, err := routing.ByName(context.Background(), "minimal", n, routing.Options{})
	if err != nil {
		t.Fatal(err)
	}
	tr, err := traffic.ByName("uniform", traffic.Options{Network: n})
	if err != nil {
		t.Fatal(err)
	}
	s, err := cutthrough.New(n, rt, tr, cfg)
	if err != nil {
		t.Fatal(err)
	}
	sum, count := 0.0, 0
	for a := range n.Endpoints() {
		for b := range n.Endpoints() {
			for k := range draws {
				if a != b {
					sum += s.Lone(a, b, uint64(k*n.Endpoints()+a))
					count++
				}
			}
		}
	}
	return sum / float64(count)
}

// Without a floor plan there are no cable lengths.
func TestLinkTimesWithoutPlan(t *testing.T) {
	e := newEvaluator(t, Options{})
	d := parse(t, "crossbar(n=16)")
	n, err := d.Build()
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := e.LinkTimes(&Result{Design: d, Absent: map[metric.Key]string{metric.CableMax: "no floor"}}, n); err == nil {
		t.Error("LinkTimes without a plan: no error")
	}
	other, err := parse(t, "torus(k1=4,k2=4)").Build()
	if err != nil {
		t.Fatal(err)
	}
	r := evaluate(t, e, parse(t, "dragonfly(p=2,a=4,h=2)"), Request{Level: 1})
	if _, _, err := e.LinkTimes(r, other); err == nil {
		t.Error("LinkTimes of another network: no error")
	}
}
