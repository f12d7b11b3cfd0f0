package placed

import (
	"context"
	"slices"
	"testing"

	"toposearch/topology"
	"toposearch/workload"
	"toposearch/workload/collective"
)

// TestModelledElsewhere: ranks that change places are modelled by themselves, whatever was known of them in order.
func TestModelledElsewhere(t *testing.T) {
	ranks := make([]topology.EndpointID, 256)
	for i := range ranks {
		ranks[i] = topology.EndpointID(i)
	}
	n := &Network{Shape: &Grid{Dims: []int{8, 8}, PerSwitch: 4, Rings: []int{8, 8}, Apart: []int{1, 1}, Carry: []float64{1, 1}}, Link: collective.Link{BytesPerS: 1}, Domain: 1, Rings: func(*Grid) [][]int32 { return nil }}
	c := workload.Communication{Kind: collective.AllReduce, Group: workload.Group{Stride: 4, Size: 16}, Bytes: 1e9, Count: 1}
	others := slices.Clone(ranks)
	slices.Reverse(others)
	model := func(first bool) float64 {
		m, x := n.Modelled()
		if first {
			if _, _, err := m.On(ranks).Collective(context.Background(), c); err != nil {
				t.Fatal(err)
			}
			x.Elsewhere()
		}
		before := x.Ns
		if _, _, err := m.On(others).Collective(context.Background(), c); err != nil {
			t.Fatal(err)
		}
		return x.Ns - before
	}
	if alone, after := model(false), model(true); alone != after || alone <= 0 {
		t.Errorf("ranks elsewhere are modelled to take %g ns, after those in order %g", alone, after)
	}
}

// TestAsked: what was modelled is remembered, but not what was broken off.
func TestAsked(t *testing.T) {
	var s Stages
	asked := 0
	find := func(whole bool) Model {
		return s.Asked("key", func() (Model, bool) { asked++; return Model{Ns: float64(asked)}, whole })
	}
	for i, want := range []float64{1, 2, 2} {
		if m := find(i > 0); m.Ns != want {
			t.Errorf("asked %d times: %g, want %g", i+1, m.Ns, want)
		}
	}
}
