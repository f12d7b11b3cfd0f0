package main

import (
	"testing"

	"toposearch/evaluator/metric"
	"toposearch/search"
)

func record(cost, hops float64) *search.Record {
	return &search.Record{Metrics: map[string]metric.Figure{
		"cost": {Value: cost}, "mean_hops": {Value: hops}}}
}

func TestWhere(t *testing.T) {
	for _, c := range []struct {
		where string
		want  bool
	}{
		{"", true},
		{"cost<18e6", true},
		{"cost < 17e6", false},
		{"cost<=17.5e6 and mean_hops>=2", true},
		{"cost<18e6, mean_hops>2", false},
		{"cost<18e6 && mean_hops==2", true},
		{"mean_hops=2", true},
		{"mean_hops!=2", false},
		{"latency<1e9", false}, // a record without the metric does not meet it
	} {
		cs, err := parseWhere(c.where)
		if err != nil {
			t.Errorf("%q: %v", c.where, err)
			continue
		}
		got := true
		for _, x := range cs {
			got = got && x.holds(record(17.5e6, 2))
		}
		if got != c.want {
			t.Errorf("%q holds = %v, want %v", c.where, got, c.want)
		}
	}
	for _, bad := range []string{"cost", "cots<3", "cost<cheap", "cost<<3", "<3", "cost<NaN"} {
		if _, err := parseWhere(bad); err == nil {
			t.Errorf("%q was accepted", bad)
		}
	}
}

func FuzzWhere(f *testing.F) {
	f.Add("cost<18e6 and mean_hops<=2.5")
	f.Fuzz(func(t *testing.T, s string) {
		cs, err := parseWhere(s)
		if err == nil {
			for _, c := range cs {
				c.holds(record(1, 2))
			}
		}
	})
}
