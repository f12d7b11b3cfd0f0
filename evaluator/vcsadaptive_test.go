package evaluator

import (
	"context"
	"strings"
	"testing"

	"toposearch/evaluator/metric"
)

// TestVCsAdaptive: with one port an endpoint, both legs are natural routes. With several the legs are walked: of this network at
// level 2, of a sibling with as many ports at level 1; where VCs count hops there is no sibling to speak for it.
func TestVCsAdaptive(t *testing.T) {
	for _, c := range []struct {
		design string
		level  int
		want   float64 // 0: absent
		method string
	}{
		{"torus(k1=8,k2=8)", 1, 4, "one port"},
		{"fattree(k=8,l=3)", 1, 2, "one port"},
		{"polarfly(q=3,p=2)", 1, 4, "one port"},
		{"multirail(k=8,l=2,r=2,f=2)", 1, 2, "of the sibling multirail"},
		{"multirail(k=8,l=2,r=2,f=2)", 2, 2, "of this network"},
		{"zcube(n=4,k=2)", 2, 2, "of this network"},
		{"crossbar(n=8)", 1, 1, "no link"},
		{"bcube(n=4,l=1)", 1, 1, "no link"},
		{"bcube(n=4,l=2)", 1, 2, ""},
		{"layered(n1=15,n2=3,h12_1=1,h12_2=1,e12=2)", 2, 1, "no link"},
	} {
		res, err := newEvaluator(t, Options{}).Evaluate(context.Background(), parse(t, c.design), Request{Level: c.level})
		if err != nil {
			t.Fatal(err)
		}
		f := res.Metrics[metric.VCsAdaptive]
		if res.Have[metric.VCsAdaptive] != (c.want > 0) || f.Value != c.want || !strings.Contains(f.Method, c.method) {
			t.Errorf("%s at level %d: %+v (%s), want %g: %s", c.design, c.level, f, res.Absent[metric.VCsAdaptive], c.want, c.method)
		}
	}
}

// TestVCsAfterFailureAsked: absent with its reason unless it is asked for by name, and where there are too many failures to
// look at.
func TestVCsAfterFailureAsked(t *testing.T) {
	for _, c := range []struct {
		design string
		req    Request
		want   float64
		absent string
	}{
		{"fattree(k=4,l=3)", Request{Level: 2}, 0, "not asked for by name"},
		{"fattree(k=4,l=3)", Request{Keys: []metric.Key{metric.VCsAfterFailure}}, 1, ""},
		{"ring(n=8)", Request{Keys: []metric.Key{metric.VCsAfterFailure}}, 2, ""},
		{"torus(k1=40,k2=40)", Request{Keys: []metric.Key{metric.VCsAfterFailure}}, 0, "every single failure takes about"},
		{"torus(k1=64,k2=64)", Request{Keys: []metric.Key{metric.VCsAfterFailure}}, 0, "up to 2000 switches"},
	} {
		res, err := newEvaluator(t, Options{}).Evaluate(context.Background(), parse(t, c.design), c.req)
		if err != nil {
			t.Fatal(err)
		}
		k := metric.VCsAfterFailure
		if res.Have[k] != (c.want > 0) || res.Metrics[k].Value != c.want || !strings.Contains(res.Absent[k], c.absent) {
			t.Errorf("%s: %+v (%s), want %g, %q", c.design, res.Metrics[k], res.Absent[k], c.want, c.absent)
		}
	}
}
