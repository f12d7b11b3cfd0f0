package verify

import (
	"strings"
	"testing"

	"toposearch/evaluator/metric"
	"toposearch/search"
)

// TestMilder: where worst_throughput is of other traffic than the permutation that was simulated, and of the same routing, a note says so.
func TestMilder(t *testing.T) {
	record := func(worst float64) *search.Record {
		return &search.Record{Routing: "natural", Metrics: map[string]metric.Figure{"worst_throughput": {Value: worst}}}
	}
	for _, c := range []struct {
		line *Result
		r    *search.Record
		note bool
	}{
		{&Result{Traffic: "worst", Routing: "natural", Predicted: 1}, record(0.03), true},
		{&Result{Traffic: "worst", Routing: "natural", Predicted: 0.25}, record(0.25), false},
		{&Result{Traffic: "worst", Routing: "valiant", Predicted: 1}, record(0.03), false},
		{&Result{Traffic: "uniform", Routing: "natural", Predicted: 1}, record(0.03), false},
		{&Result{Traffic: "worst", Routing: "natural", Predicted: 1}, &search.Record{Routing: "natural"}, false},
		{&Result{Traffic: "worst", Routing: "natural", Predicted: 1}, nil, false},
	} {
		v := Combine(nil, []*Result{c.line}, c.r)
		if got := strings.Contains(strings.Join(v.Notes, " "), "not simulated"); got != c.note {
			t.Errorf("%s %s of %v: notes %q", c.line.Routing, c.line.Traffic, c.line.Predicted, v.Notes)
		}
	}
}
