package evaluator

import (
	"math"
	"testing"

	"toposearch/evaluator/metric"
	"toposearch/internal/racing"
)

// A method that a trace does not run leaves its metrics absent, and nothing else changes: neither what is computed nor what other
// methods are modelled to take.
func TestSkipped(t *testing.T) {
	racing.Figures(t)
	e := newEvaluator(t, Options{BandwidthGbps: 400})
	for _, name := range []string{"dragonfly(p=4,a=8,h=4)", "slimfly(q=5)", "bcube(n=4,l=1)"} {
		d := parse(t, name)
		req := Request{Level: 1, Keys: []metric.Key{metric.Bisection, metric.TUB}}
		sums, results := [2]float64{BaseNs, BaseNs}, [2]*Result{}
		for i := range results {
			req.Trace = func(s Step, run func() error) error {
				sums[i] += s.Ns
				if i == 1 && (s.Metric == metric.Bisection || s.Metric == metric.MeanPathLinks) {
					return ErrSkipped
				}
				return run()
			}
			results[i] = evaluate(t, e, d, req)
		}
		for k := range metric.Count {
			a, b := results[0], results[1]
			switch {
			case k == metric.Bisection:
				if b.Have[k] || b.Absent[k] != NotRun || !a.Have[k] {
					t.Errorf("%s: bisection is there: %t, %q", name, b.Have[k], b.Absent[k])
				}
			case k == metric.TUB || k == metric.Cost || k == metric.UniformThroughput:
				if a.Metrics[k] != b.Metrics[k] || a.Have[k] != b.Have[k] {
					t.Errorf("%s: %s = %+v, %+v with skipped methods", name, metric.Keys[k].Name, a.Metrics[k], b.Metrics[k])
				}
			}
		}
		req.Trace = nil
		ns, err := e.Modelled(t.Context(), d, req)
		if err != nil || math.Abs(ns/sums[0]-1) > 0.05 || math.Abs(sums[1]/sums[0]-1) > 0.05 {
			t.Errorf("%s: %g ns modelled, %g as it runs, %g with skipped methods, error %v", name, ns, sums[0], sums[1], err)
		}
	}
}

// Modelled says what all methods take of designs whose floor plans take too long to be made for that: the ones that follow them are not run on none.
func TestModelledWithoutFloor(t *testing.T) {
	racing.Figures(t)
	e := newEvaluator(t, Options{BandwidthGbps: 400})
	d := parse(t, "skywalk(rows=24,cols=5,m=9,l=2,s=58,d=14,p=1)")
	ns, err := e.Modelled(t.Context(), d, Request{Level: 2, BudgetNs: 5e8})
	if err != nil || ns < BaseNs {
		t.Errorf("%g ns, %v", ns, err)
	}
}
