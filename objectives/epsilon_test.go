package objectives

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"toposearch/evaluator/metric"
)

// TestWithin: a front improved by the least part reaches a vector, and by less it does not; worse by it the vector is reached.
func TestWithin(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	objs := []Objective{Of(metric.Cost, metric.Lower), Of(metric.UniformThroughput, metric.Higher), Of(metric.Availability, metric.Higher)}
	draw := func() Vector { return Vector{1 + 9*rng.Float64(), -rng.Float64(), -1 + 1e-3*rng.Float64()} }
	positive := 0
	for range 200 {
		var front Front
		for i := range 40 {
			front.Add(&Point{Name: fmt.Sprint(i), V: draw()})
		}
		v := draw()
		eps := front.Within(v, objs)
		reaches := func(part float64) bool {
			return slices.ContainsFunc(front.Points(), func(p *Point) bool {
				ok := true
				for j, o := range objs {
					ok = ok && o.Improved(p.V[j], part) <= v[j]
				}
				return ok
			})
		}
		if !reaches(eps*(1+1e-9)+1e-12) || eps > 0 && reaches(eps*(1-1e-9)-1e-12) {
			t.Fatalf("%v is said to be within %v", v, eps)
		}
		if eps > 0 {
			positive++
		}
		worse := slices.Clone(v)
		for j, o := range objs {
			worse[j] = o.Worsened(v[j], eps*(1+1e-9)+1e-12)
			if back := o.Improved(worse[j], eps*(1+1e-9)+1e-12); math.Abs(back-v[j]) > 1e-12*math.Abs(v[j]) {
				t.Fatalf("%v improved and worsened is %v", v[j], back)
			}
		}
		if !slices.ContainsFunc(front.Points(), func(p *Point) bool { return noWorse(p.V, worse) }) {
			t.Fatalf("%v, worse by %v, is not reached", v, eps)
		}
	}
	if positive < 50 {
		t.Errorf("%d vectors lie beyond the front", positive)
	}
	var front Front
	for _, c := range []struct {
		point, v Vector
		want     float64
	}{
		{Vector{10, -1, -0.9}, Vector{8, -1, -0.9}, 0.25},
		{Vector{10, -0.8, -0.9}, Vector{12, -1, -0.9}, 0.25},
		{Vector{10, -1, -0.99}, Vector{12, -1, -0.995}, 1},
		{Vector{10, -1, -0.99}, Vector{12, -1, -1}, math.Inf(1)},
		{Vector{10, 0, -0.99}, Vector{12, -1, -0.9}, math.Inf(1)},
	} {
		front = Front{}
		front.Add(&Point{Name: "x", V: c.point})
		if got := front.Within(c.v, objs); math.Abs(got-c.want) > 1e-9 && got != c.want {
			t.Errorf("%v is within %v of %v, want %v", c.v, got, c.point, c.want)
		}
	}
	if none := (&Front{}).Within(Vector{1, 1, 1}, objs); !math.IsInf(none, 1) {
		t.Errorf("an empty front is within %v", none)
	}
}
