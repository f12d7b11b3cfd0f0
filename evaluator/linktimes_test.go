package evaluator

import (
	"testing"
	"toposearch/evaluator/metric"
)

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
