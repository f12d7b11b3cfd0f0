package verify

import (
	"testing"

	"toposearch/evaluator/metric"
	"toposearch/objectives"
	"toposearch/search"
	"toposearch/search/searchtest"
	"toposearch/study"
)

// Of networks of one switch, whose hops are 0, the corrected latency is that of a switch and not 0: it is a multiple of switches passed.
func TestCorrectedLatencyOfOneSwitch(t *testing.T) {
	st := searchtest.Pods(t, "zcube")
	st.Objectives = []objectives.Objective{{Key: metric.Cost, Better: metric.Lower}, {Key: metric.SimLatencyHalfLoad, Better: metric.Lower}}
	st.Verify = study.Verify{Finalists: 2, Traffic: []string{"uniform"}, Fidelity: study.FidelitySearch, Simulations: 4}
	p := searchtest.RealModel(t, st)
	at := 0
	if p.Objectives[0].Key == metric.Cost {
		at = 1
	}
	member := func(name string, hops float64) search.Member {
		v := objectives.Vector{100, 100}
		v[at] = hops
		return search.Member{Candidate: search.Candidate{V: []int{2, 1}}, Name: name, Vector: v}
	}
	c := newCorrected(search.NewDriver(p, nil, search.Options{}), []search.Member{member("a", 0), member("b", 1)})
	c.tell([]int{1}, []*Result{{Design: "b", Traffic: "uniform", HalfLoad: 24, Saturation: 0.9, Predicted: 1}})
	if m := c.figure(0, 1, &search.Record{}); m.Value < 6 || m.Value > 24 || m.Lo <= 0 || m.Hi <= m.Value {
		t.Errorf("two switches take 24 cycles, one %+v", m)
	}
	if v := c.loop.Measured(1); v == nil || v[1] != 24 {
		t.Errorf("measured %v", v)
	}
}
