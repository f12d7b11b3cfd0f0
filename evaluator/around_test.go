package evaluator

import (
	"context"
	"math"
	"slices"
	"testing"

	"toposearch/evaluator/metric"
	"toposearch/routing"
)

// TestUniformByValiant: what eval computes of Valiant's routing is what the legs of packets make of it, followed from switch to switch as simulations send them: none
// within a switch, the others by way of any switch with endpoints. dragonfly(p=2,a=4,h=2): 70 of 71 parts leave a switch, 34 of 36 of them by two legs and 2 directly, 72/136 * 71/70.
func TestUniformByValiant(t *testing.T) {
	for _, design := range []string{"dragonfly(p=2,a=4,h=2)", "torus(k1=4,k2=3,t=2)", "ring(n=5)", "complete(n=2,t=3)", "hyperx(s1=3,s2=2,t=2)", "fattree(k=4,l=2)", "dragonflyplus(l=2,m=2,p=2,h=1)",
		"bcube(n=3,l=1)", "dcell(n=3,l=1)", "fullmesh(d1=3,d2=2)", "mlfm(h=3)", "zcube(n=4,k=2)", "zcube_rect(n=8,m=4)", "multirail(k=4,l=2,r=2)", "hpn(k=20,segments=1)"} {
		d := parse(t, design)
		e := newEvaluator(t, Options{Routing: RoutingValiant})
		got := evaluate(t, e, d, Request{Keys: []metric.Key{metric.UniformThroughput}})
		n, err := d.Build()
		if err != nil {
			t.Fatal(err)
		}
		r, err := routing.New(n, new(Options).Natural(d))
		if err != nil {
			t.Fatal(err)
		}
		want := 0.0
		if len(r.Sets) < 3 {
			l, err := r.UniformLoads(context.Background(), routing.LoadOptions{})
			if err != nil {
				t.Fatal(err)
			}
			want = l.Throughput(n).Throughput
		} else {
			turns, err := r.Valiant(context.Background(), nil)
			if err != nil {
				t.Fatal(err)
			}
			want = 1 / slices.Max(turns.Relative(routing.OwnCapacity(n)))
		}
		if math.Abs(got.LaneThroughput-want) > 1e-9*want || got.Metrics[metric.UniformThroughput].Value < want*(1-1e-9) {
			t.Errorf("%s: %.9g of its lanes, want %.9g: %+v %s", design, got.LaneThroughput, want, got.Metrics[metric.UniformThroughput], got.Absent[metric.UniformThroughput])
		}
		if design == "dragonfly(p=2,a=4,h=2)" && math.Abs(want-72./136*71/70) > 1e-9 {
			t.Errorf("%s: %g", design, want)
		}
	}
}
