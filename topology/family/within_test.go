package family

import (
	"testing"

	"toposearch/internal/stream"
	"toposearch/topology"
)

// fixedBefore is a tuple of which only the parameters before i in the order of searches are set.
func fixedBefore(f *topology.Family, v []int, i int) []int {
	if f.Order == nil {
		return v
	}
	w := make([]int, len(v))
	for _, at := range f.Order {
		if at == i {
			break
		}
		w[at] = v[at]
	}
	return w
}

// Within leaves out no value with which a design in the window begins, and where it is exact it
// leaves nothing else.
func TestWithinEncloses(t *testing.T) {
	for _, f := range All() {
		if f.Within == nil {
			continue
		}
		rng := stream.New(7, "within "+f.Name)
		found, narrowed := 0, 0
		for range 60000 {
			v := draw(f, rng)
			var s topology.Size
			if f.Size(v, &s) != nil {
				continue
			}
			found++
			least, most := max(1, s.Endpoints-rng.Int64N(4)), s.Endpoints+rng.Int64N(4)
			if rng.IntN(8) == 0 {
				most = 1 << 40
			}
			for i := range v {
				lo, hi := f.Within(fixedBefore(f, v, i), i, least, most)
				if x := int64(v[i]); x < lo || x > hi {
					t.Fatalf("%s%v has %d endpoints: %s within %d..%d is said to be %d..%d", f.Name, v, s.Endpoints, f.Params[i].Name, least, most, lo, hi)
				}
				if lo > 1 && hi < beyond {
					narrowed++
				}
			}
			// With all others fixed, the derived parameter one beyond the range is outside the window.
			d := f.Derived
			lo, hi := f.Within(v, d, least, most)
			for _, x := range []int64{lo - 1, hi + 1} {
				w := append([]int(nil), v...)
				w[d] = int(min(max(x, 0), beyond))
				if d == len(v)-1 && x >= int64(f.Params[d].Min) && x <= int64(f.Params[d].Max) && f.Size(w, &s) == nil && s.Endpoints >= least && s.Endpoints <= most {
					t.Fatalf("%s%v has %d endpoints, but %d is not within %d..%d", f.Name, w, s.Endpoints, x, lo, hi)
				}
			}
		}
		if found < 100 || narrowed < 100 {
			t.Errorf("%s: %d designs and %d narrow ranges test little", f.Name, found, narrowed)
		}
	}
}
