package family

import (
	"math/rand/v2"
	"testing"

	"toposearch/internal/stream"
	"toposearch/topology"
)

// TestTaperedBoxes refutes bounds: boxes between two tapered designs hold every other design that is drawn in them,
// by counts and ports of each class and by what there is per endpoint.
func TestTaperedBoxes(t *testing.T) {
	for _, f := range []*topology.Family{fattree, multirail, roft} {
		rng := stream.New(3, "tapered boxes "+f.Name)
		checked := 0
		for range 3000 {
			a, b := tapered(f, rng), tapered(f, rng)
			lo, hi := make([]int, len(a)), make([]int, len(a))
			for i := range a {
				lo[i], hi[i] = min(a[i], b[i]), max(a[i], b[i])
			}
			var bl, bh, s topology.Size
			f.SizeBounds(lo, hi, &bl, &bh)
			for try := range 12 {
				v := a
				if try > 0 {
					v = between(f, lo, hi, rng)
				}
				if f.Size(v, &s) != nil {
					continue
				}
				checked++
				outside := s.Endpoints < bl.Endpoints || s.Endpoints > bh.Endpoints
				for c := range f.LinkClasses {
					outside = outside || s.Link[c] < bl.Link[c] || s.Link[c] > bh.Link[c]
				}
				for c := range f.SwitchClasses {
					outside = outside || s.Switch[c].Count < bl.Switch[c].Count || s.Switch[c].Count > bh.Switch[c].Count
					for k := range f.LinkClasses {
						x := s.Switch[c].Ports[k]
						outside = outside || s.Switch[c].Count > 0 && (x < bl.Switch[c].Ports[k] || x > bh.Switch[c].Ports[k])
					}
				}
				if outside {
					t.Fatalf("%s: counts %+v are not between %+v and %+v of %v..%v", topology.Design{Family: f, V: v}, s, bl, bh, lo, hi)
				}
				var per topology.PerEndpoint
				f.BoundPerEndpoint(lo, hi, s.Endpoints, s.Endpoints+int64(rng.IntN(3)), &per)
				for c := range f.LinkClasses {
					x := float64(s.Link[c]) / float64(s.Endpoints)
					if per.Known && (x < per.Link[c]*(1-1e-9) || x > per.LinkMost[c]*(1+1e-9)) {
						t.Fatalf("%s: %v links of class %d per endpoint are not between %v and %v of %v..%v", topology.Design{Family: f, V: v}, x, c, per.Link[c], per.LinkMost[c], lo, hi)
					}
				}
			}
		}
		if checked < 4000 {
			t.Errorf("%s: %d designs in boxes test little", f.Name, checked)
		}
	}
}

// tapered draws a design that tapers somewhere above the leaves.
func tapered(f *topology.Family, rng *rand.Rand) []int {
	for {
		v := draw(f, rng)
		v[0] = 4 + 2*rng.IntN(30)
		if f != roft {
			v[1] = 3 + rng.IntN(3)
		}
		if l := f.Param("l"); l >= 0 {
			for h := 2; h < maxLevels; h++ {
				if v[h] = topology.RatioEven; h < v[l] && rng.IntN(2) == 0 {
					v[h] = topology.RatioDraw(v[0], rng)
				}
			}
		} else {
			v[1], v[2] = topology.RatioDraw(v[0], rng), topology.RatioDraw(v[0], rng)
		}
		if d := f.Param("d"); d >= 0 {
			v[d] = v[0]/2 + rng.IntN(v[0]/2)
		}
		pods := f.Param("pods")
		v[pods] = 2 + rng.IntN(v[0]-1)
		if g := f.Param("g"); g >= 0 {
			v[g] = 1 + rng.IntN(3)
		}
		var s topology.Size
		if f.Size(v, &s) == nil {
			return v
		}
	}
}

// between draws values of a box, tapers that divide the ports.
func between(f *topology.Family, lo, hi []int, rng *rand.Rand) []int {
	v := make([]int, len(lo))
	for i := range v {
		v[i] = lo[i] + rng.IntN(hi[i]-lo[i]+1)
		switch {
		case i == 0:
			v[i] = v[i] / 2 * 2
		case f.Params[i].Divides != "":
			v[i] = topology.RatioNearest(v[i], v[0])
		}
		v[i] = min(max(v[i], lo[i]), hi[i])
	}
	return v
}
