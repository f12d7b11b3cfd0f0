package routing

import (
	"testing"

	"toposearch/topology"
)

func TestTmp(t *testing.T) {
	for k := 3; k < 10; k++ {
		n := ringOf(t, k)
		a, err := LASH(t.Context(), n)
		b, err2 := DFSSSP(t.Context(), n)
		t.Log("ring", k, a.Layers, b.Layers, err, err2)
	}
	for _, d := range [][]int{{4, 4}, {8, 8}, {4, 4, 4}, {6, 5, 5}, {8, 8, 8}} {
		n := torus(t, true, d...)
		a, err := LASH(t.Context(), n)
		b, err2 := DFSSSP(t.Context(), n)
		t.Log("torus", d, a.Layers, b.Layers, err, err2)
		for _, x := range []*Layered{a, b} {
			rep, err := x.CheckDeadlock(t.Context())
			t.Log(rep.Words(n), err, rep.Dependencies)
		}
	}
	for _, d := range [][]int{{8, 8}} {
		n := torus(t, false, d...)
		a, err := LASH(t.Context(), n)
		b, err2 := DFSSSP(t.Context(), n)
		t.Log("mesh", d, a.Layers, b.Layers, err, err2)
	}
	_ = topology.Any
}
