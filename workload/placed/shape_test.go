package placed

import (
	"context"
	"math"
	"testing"

	"toposearch/internal/stream"
	"toposearch/topology"
	"toposearch/workload"
	"toposearch/workload/collective"
)

// counted takes the closed forms of a shape away.
type counted struct{ Shape }

func (counted) closed(workload.Group, pattern) (float64, bool) { return 0, false }

// TestClosedForms: what one group on its own part of a grid, of rings, of racks or of a tree stands for is what all messages of all groups, counted one
// by one, load; for all groups that divide the ranks, and shifts and all-to-alls in them, in three orders of the ranks.
func TestClosedForms(t *testing.T) {
	rng, compared := stream.New(3, "shapes"), 0
	for range 60 {
		dims := []int{1 + rng.IntN(6), 1 + rng.IntN(4), 1 + rng.IntN(4)}
		g := &Grid{Dims: dims, PerSwitch: 1 + rng.IntN(4), Carry: []float64{1, 0.5, 2}, Rings: []int{0, 0, 0}, Apart: []int{1, 1, 1}, Open: make([]bool, 3)}
		ranks := g.PerSwitch
		g.Stars = make([]bool, 3)
		if rng.IntN(2) == 0 { // cubes of several switches along each dimension, each numbered by itself
			for d := range dims {
				dims[d] = 1 + rng.IntN(3)
				g.Digits = append(g.Digits, Digit{2 - d, 1 + rng.IntN(2)})
			}
			for d := range dims {
				g.Digits = append(g.Digits, Digit{d, dims[d]})
				dims[d] *= g.Digits[2-d].Values
			}
		}
		for d, k := range dims {
			ranks *= k
			switch kind := rng.IntN(4); {
			case k > 2 && kind < 2:
				g.Rings[d], g.Open[d] = k, kind == 0
			case kind == 2:
				g.Stars[d] = true
			}
		}
		leaf, pod := 1+rng.IntN(4), 1+rng.IntN(4)
		board, boards, first, second := 1+rng.IntN(3), 1+rng.IntN(3), 1+rng.IntN(3), 1+rng.IntN(3)
		racks := &Racks{In: Grid{Dims: []int{board, boards, first * second}, PerSwitch: 1, Carry: []float64{1, 0.5, 0}},
			Out: Grid{Dims: []int{boards, first, second}, PerSwitch: board, Digits: []Digit{{0, boards}, {2, second}, {1, first}}, Stars: []bool{true, false, false}, Carry: []float64{1, 2, 1.5}},
			Nic: 0.75, Planes: 1 + rng.IntN(4)}
		if o := &racks.Out; rng.IntN(2) == 0 { // several pods, where as many boards share a switch above as divides a rack's
			pods := 2 + rng.IntN(2)
			racks.In.Dims[2] *= pods
			o.Dims, o.Digits, o.Stars, o.Carry = append(o.Dims, pods), append(o.Digits, Digit{3, pods}), append(o.Stars, true), append(o.Carry, 0.5)
			racks.Above, racks.Shared = 1+rng.IntN(2), []int{1, largest(boards), boards}[rng.IntN(3)]
		}
		for _, s := range []Shape{g, racks, Tree{{Endpoints: leaf, Carry: 0.5}, {Endpoints: leaf * pod, Carry: 0.75}}} {
			switch s.(type) {
			case Tree:
				ranks = leaf * pod * (1 + rng.IntN(6))
			case *Racks:
				ranks = product(racks.In.Dims)
			}
			at := make([]topology.EndpointID, ranks)
			if rng.IntN(3) == 0 { // columns before rows
				rows := largest(ranks)
				for r := range at {
					at[r] = topology.EndpointID(r%rows*(ranks/rows) + r/rows)
				}
			} else {
				for r := range at {
					at[r] = topology.EndpointID(r)
				}
			}
			fast := &Network{Link: collective.Link{BytesPerS: 1}, Domain: 1, Shape: s, Endpoint: at}
			compared += compareForms(t, fast)
		}
	}
	if compared < 1000 {
		t.Errorf("only %d closed forms were compared", compared)
	}
}

// largest is the largest divisor of n below it.
func largest(n int) int {
	for d := n / 2; d > 1; d-- {
		if n%d == 0 {
			return d
		}
	}
	return 1
}

func compareForms(t *testing.T, fast *Network) (compared int) {
	t.Helper()
	plain, ranks := *fast, len(fast.Endpoint)
	plain.Shape = counted{fast.Shape}
	for size := 2; size <= ranks; size++ {
		for stride := 1; stride*size <= ranks; stride++ {
			if ranks%(stride*size) != 0 {
				continue
			}
			g := workload.Group{Stride: stride, Size: size}
			steps := []collective.Step{{Repeat: size - 1, Lanes: []collective.Lane{{Perm: collective.Perm{Stride: 1, Size: size, Shift: 1, Grow: 1}, Share: 1}}}}
			for _, shift := range []int{1, size / 2, size - 1} {
				steps = append(steps, collective.Step{Repeat: 1, Lanes: []collective.Lane{{Perm: collective.Perm{Stride: 1, Size: size, Shift: shift}, Share: 1}}})
			}
			if size%4 == 0 {
				steps = append(steps, collective.Step{Repeat: 1, Lanes: []collective.Lane{{Perm: collective.Perm{Stride: 1, Size: size, Xor: 2}, Share: 1}}})
			}
			for _, st := range steps {
				k, ok := normal(g, st)
				if !ok {
					continue
				}
				got, ok := fast.inClosedForm(fast.onto(k))
				if !ok {
					continue
				}
				want, err := plain.count(context.Background(), g, size, st, true)
				if err != nil {
					t.Fatal(err)
				}
				if compared++; math.Abs(got-want.far) > 1e-9*want.far {
					t.Fatalf("%T %v, ranks on %v: %v by %+v takes %g of S, counted %g", fast.Shape, fast.Shape, fast.Endpoint, g, st.Lanes[0].Perm, got, want.far)
				}
			}
		}
	}
	return compared
}

// TestPairs: what a line carries if all of its switches send to all others is what each of these messages, added one by one, loads it with.
func TestPairs(t *testing.T) {
	for n := 2; n < 14; n++ {
		for kind, g := range []*Grid{{}, {Stars: []bool{true}}, {Rings: []int{n}, Apart: []int{1}}, {Rings: []int{n}, Apart: []int{1}, Open: []bool{true}}, {Rings: []int{3 * n}, Apart: []int{3}},
			{Rings: []int{3 * n}, Apart: []int{3}, Open: []bool{true}}, {Rings: []int{4 * n}, Apart: []int{2}, Open: []bool{true}}, {Rings: []int{4 * n}, Apart: []int{2}}} {
			g.Dims, g.PerSwitch, g.Carry = []int{n}, 1, []float64{0.5}
			l := g.loads()
			for x := range n {
				for y := range n {
					l.add(x, y, 1)
				}
			}
			if got, want := g.pairs(0), l.levels()[0]; got != want {
				t.Errorf("line %d of %d switches: %g, counted %g", kind, n, got, want)
			}
		}
	}
}
