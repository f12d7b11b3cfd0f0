package family

import (
	"slices"
	"testing"

	"toposearch/topology"
)

// times is the product of two elements of PGL(2,q), by arithmetic.
func (a matrix) times(b matrix, q int) matrix {
	return matrix{
		(a[0]*b[0] + a[1]*b[2]) % q, (a[0]*b[1] + a[1]*b[3]) % q,
		(a[2]*b[0] + a[3]*b[2]) % q, (a[2]*b[1] + a[3]*b[3]) % q,
	}.scaled(q)
}

// The links, their order included, are those of products by arithmetic, numbered through a map of all matrices met.
func TestSpectralflyWirePlainTwin(t *testing.T) {
	type link struct{ a, b topology.SwitchID }
	for _, v := range [][]int{{3, 5, 1}, {3, 7, 1}, {3, 11, 2}, {5, 7, 1}, {5, 11, 1}, {7, 11, 1}, {11, 7, 1}, {13, 17, 1}, {17, 13, 1}, {29, 19, 1}} {
		q := v[1]
		var plain, fast []link
		gens := spectralflyGenerators(v[0], q)
		id := map[matrix]topology.SwitchID{{1, 0, 0, 1}: 0}
		queue := []matrix{{1, 0, 0, 1}}
		for i := 0; i < len(queue); i++ {
			for _, g := range gens {
				y := queue[i].times(g, q)
				if _, ok := id[y]; !ok {
					id[y] = topology.SwitchID(len(queue))
					queue = append(queue, y)
				}
				if at := topology.SwitchID(i); at < id[y] {
					plain = append(plain, link{at, id[y]})
				}
			}
		}
		spectralfly.Wire(v, func(_ int, a, b topology.SwitchID) { fast = append(fast, link{a, b}) })
		if want := len(queue) * (v[0] + 1) / 2; len(plain) != want || !slices.Equal(fast, plain) {
			t.Errorf("spectralfly%v: %d links, in another order or others than the %d of the plain twin; %d by formula", v, len(fast), len(plain), want)
		}
	}
}
