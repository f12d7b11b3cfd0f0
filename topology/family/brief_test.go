package family

import (
	"testing"

	"toposearch/internal/stream"
	"toposearch/topology"
)

// What a family says of its routes in brief is what listing them adds up to, sums and peaks, number by
// number.
func TestBriefIsWhatPathsAddUpTo(t *testing.T) {
	for _, f := range All() {
		if f.Brief == nil {
			continue
		}
		rng := stream.New(1, "brief "+f.Name)
		v := make([]int, len(f.Params))
		var s topology.Size
		var brief, listed topology.Paths
		compared := 0
		for range 40_000 {
			for i, p := range f.Params {
				v[i] = p.Min + rng.IntN(min(p.Max-p.Min+1, 1+rng.IntN(12)))
				if p.Default != nil && rng.IntN(2) == 0 {
					v[i] = p.Default(v)
				}
			}
			if f.Size(v, &s) != nil || s.Endpoints > 20_000 {
				continue
			}
			listed.Reset()
			if !f.Paths(v, &listed) {
				continue
			}
			listed.Sum(f)
			brief.Reset()
			d := topology.Design{Family: f, V: v}
			if !f.Brief(v, &brief) {
				t.Fatalf("%s: Paths knows the routes, Brief does not", d)
			}
			if brief.Sums != listed.Sums || brief.Peak != listed.Peak || brief.Shortest != listed.Shortest {
				t.Fatalf("%s:\nbrief  %+v %v\nlisted %+v %v", d, brief.Sums, brief.Peak, listed.Sums, listed.Peak)
			}
			if compared++; compared == 400 {
				break
			}
		}
		if compared < 30 {
			t.Errorf("%s: %d designs compared", f.Name, compared)
		}
	}
}
