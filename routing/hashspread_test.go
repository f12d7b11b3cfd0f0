package routing

import (
	"context"
	"math"
	"testing"

	"toposearch/topology"
	"toposearch/topology/family/familytest"
)

// Pairs that are followed are as often half the numbering apart as all pairs are: in an even ring those are the only ones with a choice, in an OFT those
// with k paths.
func TestHashSpreadFollowsAllAlike(t *testing.T) {
	for _, text := range []string{"ring(n=40)", "torus(k1=26,k2=6)", "oft(k=5)", "mlfm(h=6)", "slimfly(q=4)", "fattree(k=8,l=3)", "hyperx(s1=5,s2=5,t=2)"} {
		d := familytest.Parse(t, text)
		n, err := d.Build()
		if err != nil {
			t.Fatal(err)
		}
		rule := topology.Minimal()
		if d.Family.Natural != nil {
			rule = d.Family.Natural(d.V)
		}
		r, err := New(n, rule)
		if err != nil {
			t.Fatal(err)
		}
		all, err := r.HashSpread(context.Background(), len(r.Sets))
		if err != nil {
			t.Fatal(err)
		}
		some, err := r.HashSpread(context.Background(), 8)
		if err != nil {
			t.Fatal(err)
		}
		for c := range all {
			if math.Abs(all[c]-some[c]) > 0.035 {
				t.Errorf("%s: link class %s has a spread of %.4f, of the pairs that are followed %.4f", text, n.LinkClasses[c].Name, all[c], some[c])
			}
		}
	}
}
