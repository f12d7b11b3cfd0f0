package family

import (
	"slices"
	"testing"

	"toposearch/internal/stream"
	"toposearch/topology"
)

// A parameter that is said to say nothing may have any value: all name one design, in which it has the value that is said. Links in a
// dimension of one switch are said to say nothing.
func TestIdleSaysNothing(t *testing.T) {
	for _, f := range All() {
		if f.Idle == nil {
			continue
		}
		rng := stream.New(9, "idle "+f.Name)
		idles := 0
		for range 20000 {
			v := draw(f, rng)
			for i := range v {
				x, idle := f.Idle(fixedBefore(f, v, i), i)
				w := slices.Clone(v)
				w[i] = f.Params[i].Min + rng.IntN(f.Params[i].Max-f.Params[i].Min+1)
				a, b := slices.Clone(v), slices.Clone(w)
				f.Canonical(a)
				f.Canonical(b)
				if grid := f == fullmesh || f == hyperx; !idle {
					if grid && w[i] != v[i] && slices.Equal(a, b) {
						t.Fatalf("%s%v is the same with %d for %s, which is not said", f.Name, v, w[i], f.Params[i].Name)
					}
					continue
				}
				var s, z topology.Size
				if v[i] = x; f.Size(v, &s) != nil {
					continue
				}
				idles++
				err := f.Size(w, &z)
				for c := range s.Link {
					if s.Link[c] == 0 { // so nothing depends on their lanes
						s.Lanes[c], z.Lanes[c] = 0, 0
					}
				}
				if err != nil || s != z || !slices.Equal(a, b) {
					t.Fatalf("%s%v and %v are said to be one design, and are %v %+v and %v %+v", f.Name, v, w, a, s, b, z)
				}
				if y, idle := f.Idle(fixedBefore(f, a, i), i); idle && a[i] != y {
					t.Fatalf("%s%v is canonical, with %d for %s, of which %d is said to be", f.Name, a, a[i], f.Params[i].Name, y)
				}
			}
		}
		if idles < 300 {
			t.Errorf("%s: %d parameters that say nothing test little", f.Name, idles)
		}
	}
}
