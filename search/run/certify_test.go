package run

import (
	"context"
	"math"
	"testing"

	"toposearch/routing"
	"toposearch/search/searchtest"
	"toposearch/search/verify"
	"toposearch/topology"
	"toposearch/topology/family/familytest"
)

// The most channels of a kind on a route: one of each dimension under dimension order, two local
// ones in a Dragonfly, any number up to the hops where all shortest paths are legal.
func TestCrossings(t *testing.T) {
	for _, c := range []struct {
		design, link string
		minimal      bool
		hops, want   int
	}{
		{"fullmesh(d1=4,d2=3)", "dim1", false, 2, 1},
		{"dragonfly(p=2,a=4,h=2)", "local", false, 3, 2},
		{"dragonfly(p=2,a=4,h=2)", "global", false, 3, 1},
		{"dragonfly(p=2,a=4,h=2)", "local", true, 3, 3},
	} {
		d := familytest.Parse(t, c.design)
		rule := topology.Minimal()
		if !c.minimal {
			rule = d.Family.Natural(d.V)
		}
		link := -1
		for i, l := range d.Family.LinkClasses {
			if l.Name == c.link {
				link = i
			}
		}
		k := topology.Kind{Link: uint8(link)} // both families have one class of switches
		if got := verify.Crossings(rule, k, c.hops); got != c.want {
			t.Errorf("%s: a %s route crosses at most %d %s channels, want %d", c.design, rule.Name, got, c.link, c.want)
		}
	}
}

// Where every channel of a kind carries the same load and every route crosses one, 97 % of the
// traffic is accepted up to capacity/0.97: zcube(n,2) has (n-1)/(n+1) of its pairs on one switch
// link of the two levels. Above the load at which the busiest channel is full, never below it.
func TestCertified(t *testing.T) {
	for _, name := range []string{"zcube(n=8,k=2)", "dragonfly(p=4,a=4,h=1)", "fullmesh(d1=4,d2=4)", "hyperx(s1=4,s2=4,t=8)", "torus(k1=6,k2=6,t=2)"} {
		d := familytest.Parse(t, name)
		n, err := d.Build()
		searchtest.Must(t, err)
		rule := d.Family.Natural(d.V)
		u, err := routing.UniformLoads(context.Background(), n, rule, routing.LoadOptions{})
		searchtest.Must(t, err)
		w, _, err := routing.WorstLoads(context.Background(), n, rule, routing.LoadOptions{})
		searchtest.Must(t, err)
		for i, l := range []*routing.Loads{u, w} {
			full := math.Min(1, l.Throughput(n).Throughput)
			if got := verify.Certified(n, rule, l); got < full-2e-4 || got > 1 {
				t.Errorf("%s, traffic %d: certified %g, the busiest channel is full at %g", name, i, got, full)
			}
		}
	}
	// hyperx(s1=4,s2=4,t=8): 127 other endpoints, 96 of them on another column; each of the 3 dim1
	// channels of a switch carries 8 x 96/127/3 = 2.016 and the load is even, so the loss at x is
	// (2.016x - 1) x 3 x 16 flits of 128x offered: 3 % at x = 0.516.
	d := familytest.Parse(t, "hyperx(s1=4,s2=4,t=8)")
	n, err := d.Build()
	searchtest.Must(t, err)
	l, err := routing.UniformLoads(context.Background(), n, d.Family.Natural(d.V), routing.LoadOptions{})
	searchtest.Must(t, err)
	load := 8 * 96.0 / 127 / 3
	want := 48 / (48*load - 0.03*128)
	if got := verify.Certified(n, d.Family.Natural(d.V), l); math.Abs(got-want) > 2e-4 {
		t.Errorf("hyperx: certified %g, want %g", got, want)
	}
}

// The backlog shows in a short window what a long one would not accept: where few channels are full, a tenth more
// load once counted as accepted in 1,500 cycles. A prediction that is wrong by a third is a contradiction.
func TestCertifiedWindow(t *testing.T) {
	if testing.Short() {
		t.Skip("simulates")
	}
	st := searchtest.Pods(t, "dragonfly")
	st.Verify.Cycles, st.Verify.Loads = 1500, 2
	p := searchtest.RealModel(t, st)
	d := familytest.Parse(t, "dragonfly(p=2,a=4,h=2,g=7,arrangement=circulant)")
	line, err := verify.Simulate(context.Background(), p, d, "worst", "")
	searchtest.Must(t, err)
	if line.Saturation > verify.SatAbove*line.Certified || line.Above < 0.9*line.Certified || line.Above < line.Saturation {
		t.Errorf("saturation [%g, %g], certified %g", line.Saturation, line.Above, line.Certified)
	}
	if v := verify.Combine(p, []*verify.Result{line}, nil); v.Contradicts {
		t.Errorf("contradicts: %v", v.Notes)
	}
	line.Certified /= 1.33
	if v := verify.Combine(p, []*verify.Result{line}, nil); !v.Contradicts || v.Agrees {
		t.Errorf("a bound too low by a quarter is not noticed: saturation %g, certified %g", line.Saturation, line.Certified)
	}
}
