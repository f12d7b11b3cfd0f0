package family

import (
	"testing"

	"toposearch/internal/stream"
	"toposearch/topology"
)

// Bounds of a box enclose those of the boxes inside it, up to the largest values of all parameters: no count
// is beyond what an integer holds, where it would turn around. Parts of boxes may hold no design, so that
// rounding may make them a little larger.
func TestBoundsNest(t *testing.T) {
	const beyond = 1 << 31 // no network has so many of anything
	for _, f := range All() {
		rng := stream.New(1, "nested "+f.Name)
		for range 300 {
			n := len(f.Params)
			lo, hi, in, out := make([]int, n), make([]int, n), make([]int, n), make([]int, n)
			for i := range f.Params {
				p := &f.Params[i]
				lo[i], hi[i] = p.Min, p.Max
				if rng.IntN(4) == 0 {
					lo[i] = p.Min + rng.IntN(min(p.Max-p.Min, 8)+1)
					hi[i] = lo[i] + rng.IntN(p.Max-lo[i]+1)
				}
				in[i], out[i] = lo[i], hi[i]
				if rng.IntN(2) == 0 {
					in[i] = lo[i] + rng.IntN(hi[i]-lo[i]+1)
					out[i] = in[i] + rng.IntN(hi[i]-in[i]+1)/(1+rng.IntN(100))
				}
			}
			var bl, bh, cl, ch topology.Size
			f.SizeBounds(lo, hi, &bl, &bh)
			f.SizeBounds(in, out, &cl, &ch)
			if cl.Endpoints > ch.Endpoints || ch.Endpoints == 0 || cl.Endpoints >= beyond {
				continue // nothing in it
			}
			if bh.Endpoints < min(ch.Endpoints, beyond) || bl.Endpoints > cl.Endpoints || bh.AllSwitches() < min(ch.AllSwitches(), beyond)/100*99 || bl.AllSwitches() > cl.AllSwitches()/99*100+100 {
				t.Errorf("%s: %v..%v has %d..%d endpoints and %d..%d switches, its part %v..%v %d..%d and %d..%d", f.Name, lo, hi,
					bl.Endpoints, bh.Endpoints, bl.AllSwitches(), bh.AllSwitches(), in, out, cl.Endpoints, ch.Endpoints, cl.AllSwitches(), ch.AllSwitches())
				break
			}
			for c := range f.LinkClasses {
				if bh.Link[c] < min(ch.Link[c], beyond)/100*99 || bl.Link[c] > cl.Link[c]/99*100+100 || bh.Link[c] < 0 {
					t.Errorf("%s: %v..%v has %d..%d links of class %s, its part %v..%v %d..%d", f.Name, lo, hi,
						bl.Link[c], bh.Link[c], f.LinkClasses[c].Name, in, out, cl.Link[c], ch.Link[c])
					break
				}
			}
		}
	}
}
