package evaluator

import (
	"math"
	"testing"

	"toposearch/evaluator/metric"
	"toposearch/internal/racing"
)

// TestScaledBandwidth: twice the bandwidth at twice the rates leaves every ratio as it is.
func TestScaledBandwidth(t *testing.T) {
	racing.Figures(t)
	one, two := newEvaluator(t, Options{BandwidthGbps: 200}), newEvaluator(t, Options{BandwidthGbps: 400})
	for _, name := range []string{"zcube(n=4,k=2)", "dragonfly(p=2,a=4,h=2)", "hpn(k=16,g=2,segments=3)", "bcube(n=4,l=2)"} {
		a := evaluate(t, one, parse(t, name), Request{Level: 2})
		b := evaluate(t, two, parse(t, name), Request{Level: 2})
		for _, k := range []metric.Key{metric.UniformThroughput, metric.Bisection, metric.TUB, metric.MeanHops, metric.Radix, metric.Racks} {
			if x, y := a.Metrics[k].Value, b.Metrics[k].Value; math.Abs(x-y) > 1e-9 {
				t.Errorf("%s: %s = %g at 200 Gb/s, %g at 400", name, metric.Keys[k].Name, x, y)
			}
		}
	}
}

// TestLatencyByHand adds the terms up on a crossbar and on the smallest network with relays.
func TestLatencyByHand(t *testing.T) {
	// crossbar: every path is nic, switch, nic. Endpoints of one rack: 2 m each.
	e := newEvaluator(t, Options{BandwidthGbps: 400})
	r := evaluate(t, e, parse(t, "crossbar(n=16)"), Request{Level: 1})
	// 400 ns + 4096 B at 400 Gb/s (81.92 ns) + 5 ns/m over two mean nic cables.
	want := 400 + 81.92 + 5*2*r.Plan.MeanM[0]
	if got := value(t, r, metric.Latency); math.Abs(got-want) > 1e-9 {
		t.Errorf("crossbar(n=16): latency %.9g ns, want %.9g", got, want)
	}
	// Relays: in bcube(n=2,l=2) of 3 other endpoints 2 are one switch away and 1 is two switches
	// and a relay away. Links of 200 Gb/s: 163.84 ns.
	r = evaluate(t, e, parse(t, "bcube(n=2,l=2)"), Request{Level: 1})
	m := r.Plan.MeanM
	near := (m[1] + m[len(m)-1]) / 2
	want = (2*(400+5*2*near)+(800+1000+5*4*near))/3 + 163.84
	if got := value(t, r, metric.Latency); math.Abs(got-want) > 1e-6 {
		t.Errorf("bcube(n=2,l=2): latency %.9g ns, want %.9g (mean cables %v)", got, want, m)
	}
}
