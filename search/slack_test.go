package search_test

import (
	"math"
	"testing"

	"toposearch/evaluator/metric"
	"toposearch/objectives"
	"toposearch/search"
)

// What a front with a tolerance holds excludes what is better by less than it: of availability, by less of what lacks to 1.
func TestHeld(t *testing.T) {
	p := &search.Problem{Tolerance: 0.02}
	for _, k := range []metric.Key{metric.Cost, metric.UniformThroughput, metric.Availability} {
		p.Objectives = append(p.Objectives, objectives.Of(k, metric.Keys[k].Better))
	}
	var f search.Archive
	v := objectives.Vector{1000, -0.5, -0.99}
	f.Add(search.Member{Vector: v, Held: p.Held(v)})
	for _, c := range []struct {
		v       objectives.Vector
		covered bool
	}{
		{v, true},
		{objectives.Vector{981, -0.5, -0.99}, true},
		{objectives.Vector{980, -0.5, -0.99}, false},
		{objectives.Vector{981, -0.509, -0.9901}, true},
		{objectives.Vector{1100, -0.511, -0.98}, false},
		{objectives.Vector{1000, -0.5, -0.9903}, false},
	} {
		if got := f.Covers(c.v); got != c.covered {
			t.Errorf("%v covered: %t", c.v, got)
		}
	}
	if m := f.Ordered()[0]; m.Vector[0] != 1000 || !(math.Abs(f.Held()[0][0]-1000/1.02) < 1e-9) {
		t.Errorf("%v is held at %v", m.Vector, f.Held()[0])
	}
	p.Tolerance = 0
	if h := p.Held(v); h != nil {
		t.Errorf("without tolerance it is held at %v", h)
	}
}

// TestProvedWithTolerance: what a tolerance leaves out is not proved: a front is no larger a part of the best than it is of one with a design that it excludes.
func TestProvedWithTolerance(t *testing.T) {
	p := &search.Problem{Tolerance: 0.1}
	for _, k := range []metric.Key{metric.Cost, metric.Latency} {
		p.Objectives = append(p.Objectives, objectives.Of(k, metric.Keys[k].Better))
	}
	var f search.Archive
	for _, v := range []objectives.Vector{{100, 200}, {150, 100}} {
		f.Add(search.Member{Vector: v, Held: p.Held(v)})
	}
	missing := objectives.Vector{95, 190}
	if !f.Covers(missing) {
		t.Fatal("nothing is left out")
	}
	corners := []objectives.Vector{{120, 120}}
	part, ref := f.Proved(corners)
	whole := append(f.Vectors(), append(corners, missing)...)
	if most := objectives.Hypervolume(f.Vectors(), ref) / objectives.Hypervolume(whole, ref); !(part > 0 && part <= most) {
		t.Errorf("%g is said to be proved of what may be %g", part, most)
	}
	if part, _ := f.Proved(nil); part >= 1 {
		t.Errorf("%g is said to be proved", part)
	}
}
