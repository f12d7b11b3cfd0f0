package routing

import (
	"math"
	"testing"
)

// Around a ring of k switches every packet enters once, and then crosses as many channels as its way is long: of the ones between, and of the one that closes the ring, which are a kind each, the
// parts weighed by what crosses them are one over the mean length of ways.
func TestEntering(t *testing.T) {
	for _, k := range []int{4, 5, 8, 9, 70} {
		n := torus(t, true, k)
		r, err := New(n, balanced(1))
		if err != nil {
			t.Fatal(err)
		}
		sum, ways := 0, 0
		for d := 1; d < k; d++ {
			sum, ways = sum+min(d, k-d), ways+1
		}
		loads, err := r.UniformLoads(t.Context(), LoadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		entering, all := 0.0, 0.0
		for i, x := range r.Entering() {
			entering, all = entering+x*loads.Kinds[i].Total, all+loads.Kinds[i].Total
		}
		near := 1e-12
		if k > enteringSets {
			near = 0.01
		}
		if got, want := entering/all, float64(ways)/float64(sum); math.Abs(got-want) > near {
			t.Errorf("ring of %d: %g of what crosses channels has just left its source, want %g", k, got, want)
		}
	}
	for _, sides := range [][]int{{16, 16}, {8, 8, 8}, {32, 32}, {9, 9, 9}} { // some destinations stand for all, of every kind
		r, err := New(torus(t, true, sides...), balanced(uint8(len(sides))))
		if err != nil {
			t.Fatal(err)
		}
		e := entering{search: newSearch(r), first: make([]float64, len(r.Kinds)), all: make([]float64, len(r.Kinds)), in: make([]float64, r.Net.Switches()*r.states)}
		for dst := range r.Sets {
			e.to(dst)
		}
		for k, got := range r.Entering() {
			if want := e.first[k] / e.all[k]; e.all[k] > 0 && math.Abs(got-want) > 0.05*want {
				t.Errorf("torus of %d, kind %d: %g of what crosses channels has just left its source, to all destinations %g", sides, k, got, want)
			}
		}
	}
	n := torus(t, false, 4, 4)
	r, err := New(n, dor(2))
	if err != nil {
		t.Fatal(err)
	}
	if got := r.Entering(); got != nil {
		t.Errorf("a mesh has no rings: %v", got)
	}
}
