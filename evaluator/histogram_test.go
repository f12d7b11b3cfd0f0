package evaluator

import (
	"context"
	"slices"
	"testing"

	"toposearch/evaluator/metric"
	"toposearch/topology"
	"toposearch/topology/family"
)

// A fat tree of k=4 with two levels has 4 leaves of 2 endpoints: 8 x 1 ordered pairs under one leaf, two links apart, and 8 x 6 over a
// spine, four apart. A ring of four with an endpoint each: 4 x 2 neighbours at three links, 4 opposite at four. Of other families the mean
// and the longest are those of the metrics.
func TestHistogram(t *testing.T) {
	e, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		design string
		want   []int64
	}{
		{"fattree(k=4,l=2)", []int64{0, 0, 8, 0, 48}},
		{"ring(n=4)", []int64{0, 0, 0, 8, 4}},
		{"dragonfly(p=2,a=4,h=2)", nil}, {"bcube(n=4,l=1)", nil}, {"fullmesh(d1=3,d2=4)", nil}, {"jellyfish(n=20,r=4,p=2,seed=1)", nil}, {"hyperx(s1=3,s2=4,t=2)", nil},
	} {
		d, err := topology.ParseDesign(c.design, family.Known())
		if err != nil {
			t.Fatal(err)
		}
		h, err := e.Histogram(context.Background(), d)
		if err != nil || h.Why != "" {
			t.Fatalf("%s: %v %+v", d, err, h)
		}
		if c.want != nil && !slices.Equal(h.Pairs, c.want) {
			t.Errorf("%s: pairs by links %v, want %v", d, h.Pairs, c.want)
		}
		r, err := e.Evaluate(context.Background(), d, Request{Level: 1})
		if err != nil {
			t.Fatal(err)
		}
		pairs, links := int64(0), int64(0)
		for l, n := range h.Pairs {
			pairs, links = pairs+n, links+n*int64(l)
		}
		if n := r.Size.Endpoints; pairs != n*(n-1) {
			t.Errorf("%s: %d pairs of %d endpoints", d, pairs, n)
		}
		if got, want := float64(links)/float64(pairs), r.Metrics[metric.MeanPathLinks].Value; got != want {
			t.Errorf("%s: mean %v, mean_path_links %v", d, got, want)
		}
		if got, want := float64(len(h.Pairs)-1), r.Metrics[metric.MaxPathLinks].Value; got != want {
			t.Errorf("%s: longest %v, max_path_links %v", d, got, want)
		}
	}
}
