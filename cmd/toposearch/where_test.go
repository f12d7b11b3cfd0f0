package main

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"toposearch/diag"
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

// FuzzWhere: a filter that is read names metrics that exist, means the same when it is written again in any of
// the three ways to join conditions, and holds for a record exactly if each of its conditions does.
func FuzzWhere(f *testing.F) {
	for _, s := range []string{"cost<18e6 and mean_hops<=2.5", "cost != 0x1p-2 && power>=inf,diameter==3", " = ", "cost<1,,", "cost\x1b<1", "cost<1 and", "and and and"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		cs, err := parseWhere(s)
		if err != nil {
			if c, i := diag.FirstHidden(err.Error()); i >= 0 {
				t.Errorf("%q: the error holds %U: %q", s, c, err)
			}
			return
		}
		for _, join := range []string{" and ", "&&", ","} {
			var parts []string
			for _, c := range cs {
				if _, ok := metric.KeyOf(c.metric); !ok || math.IsNaN(c.bound) {
					t.Errorf("%q is read as %+v", s, c)
				}
				parts = append(parts, fmt.Sprintf("%s %s %v", c.metric, c.op, c.bound))
			}
			if back, err := parseWhere(strings.Join(parts, join)); err != nil || !slices.Equal(back, cs) {
				t.Errorf("%q is read as %+v, and what that prints as %+v, %v", s, cs, back, err)
			}
		}
		for _, c := range cs {
			r := &search.Record{Metrics: map[string]metric.Figure{c.metric: {Value: c.bound}}}
			if got, want := c.holds(r), strings.Contains(c.op, "=") && c.op != "!="; got != want {
				t.Errorf("%v %s %v is %v", c.bound, c.op, c.bound, got)
			}
		}
	})
}
