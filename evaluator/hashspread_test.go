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
)

// Spreads in closed form are those that following all pairs gives, of random designs of every family that has them.
func TestSpreadsInClosedForm(t *testing.T) {
	compared := 0
	for _, f := range families() {
		if f.Spread == nil {
			continue
		}
		for _, d := range topotest.Sample(f, stream.New(5, "spread "+f.Name), 20, 200) {
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
				if c == 0 && f.LinkClasses[c].Name == topology.ClassNic || s.Link[c] == 0 {
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

// All to all is timed with flows split evenly, and says so where each keeps to one path.
func TestAlltoallSaysWhatHashesLeaveOut(t *testing.T) {
	o := trainingOptions(t)
	o.Algorithms = []string{"natural+hash"}
	x := evaluate(t, newEvaluator(t, o), parse(t, "fattree(k=8,l=2)"), Request{Keys: []metric.Key{metric.AlltoallTime}}).Metrics[metric.AlltoallTime]
	if !strings.Contains(x.Method, "every flow keeps to one path") {
		t.Error(x.Method)
	}
}
