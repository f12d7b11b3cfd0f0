package routing

import (
	"context"
	"math/rand/v2"
	"testing"
)

// What shortest augmenting paths ship weighs as much as what the Hungarian method ships, over random problems with few and with many different weights; the duals prove it.
func TestTransport(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		n := 1 + rng.IntN(12)
		weights := []int{2, 5, 60000}[rng.IntN(3)]
		a := newAssignment(n, make([]uint16, n*n))
		x := newTransport(n, n)
		for i := range a.weight {
			a.weight[i] = uint16(rng.IntN(weights))
			x.weight[i] = int64(a.weight[i])
		}
		left := 0
		for i := range n {
			a.supply[i] = int32(rng.IntN(4))
			left += int(a.supply[i])
		}
		for ; left > 0; left-- {
			a.demand[rng.IntN(n)]++
		}
		copy(x.supply, a.supply)
		copy(x.demand, a.demand)
		supply, demand := append([]int32(nil), a.supply...), append([]int32(nil), a.demand...)
		if err := a.solve(context.Background()); err != nil {
			t.Fatal(err)
		}
		if err := x.solve(context.Background(), 1<<30); err != nil {
			t.Fatal(err)
		}
		var got, dual int64
		for i := range n {
			dual += x.u[i]*int64(supply[i]) + x.v[i]*int64(demand[i])
			out, in := int32(0), int32(0)
			for j := range n {
				got += int64(x.flow[i*n+j]) * x.weight[i*n+j]
				out += x.flow[i*n+j]
				in += x.flow[j*n+i]
				if s := x.u[i] + x.v[j] - x.weight[i*n+j]; s < 0 || s > 0 && x.flow[i*n+j] > 0 {
					t.Fatalf("pair %d, %d of %d lacks %d to be tight, %d are shipped", i, j, n, s, x.flow[i*n+j])
				}
			}
			if out != supply[i] || in != demand[i] {
				t.Fatalf("place %d of %d sends %d of %d and takes %d of %d", i, n, out, supply[i], in, demand[i])
			}
		}
		if want := a.value(); got != want || dual != want {
			t.Fatalf("%d places, %d weights: shipped %d, duals %d, want %d", n, weights, got, dual, want)
		}
	}
}
