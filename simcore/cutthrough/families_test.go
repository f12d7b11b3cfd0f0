package cutthrough_test

import (
	"fmt"
	"math"
	"testing"

	"toposearch/simcore/cutthrough"
)

var designs = []string{
	"dragonfly(p=2,a=4,h=2)", "fattree(k=4,l=3)", "torus(k1=4,k2=4)", "hypercube(n=4)", "hyperx(s1=4,s2=4,t=4)",
	"zcube(n=4,k=2)", "zettafly3(a=4,p=2,h=2)", "zettafly4(a=4,p=2,h=2)", "dragonflyplus(l=4,m=4,p=2,h=2)", "fullmesh(d1=4,d2=4)",
	"bcube(n=4,l=2)", "dcell(n=4,l=1)", "slimfly(q=5)", "omega(k=2,n=3)", "multirail(k=8,l=2,r=2)", "hpn(k=16,g=4,segments=2)",
	"hammingmesh(a=2,b=2,x=2,y=2,k=8)", "ubmesh(x=2,y=4,z=2,w=2)",
}

// On every family, with either flow control and queueing: at 30 % load nearly all is accepted and
// latencies exceed those of lone packets by some waiting, at full load nothing is lost nor stuck, and
// once the sources stop, every packet arrives and every credit comes back.
func TestFamilies(t *testing.T) {
	for i, design := range designs {
		if testing.Short() && i%4 != 0 {
			continue
		}
		for _, k := range []int{i & 1, 3 - i&1} { // each twice in turn, with the other flow control
			name := fmt.Sprint(design, []string{"voq", "output"}[k&1], []string{"credit", "pfc"}[k>>1])
			s := sim(t, design, "natural", "uniform", func(c *cutthrough.Config) {
				c.Queueing, c.FlowControl = []string{"voq", "output"}[k&1], []string{"credit", "pfc"}[k>>1]
				c.WarmupNs, c.MeasureNs, c.DrainNs = 3000, 4000, 40_000
			})
			p := run(t, s, 0.05)
			lone, n := 0.0, 0
			for a := range 8 {
				for b := range 8 {
					if x := s.Lone(a, b, uint64(a)); a != b && !math.IsNaN(x) {
						lone, n = math.Max(lone, x), n+1
					}
				}
			}
			if p.Saturated || p.Packets == 0 || p.Latency.Mean < 82 || n < 28 {
				t.Errorf("%s at 5 %%: %+v; %d pairs", name, p, n)
			}
			p = run(t, s, 1)
			if p.Deadlocked || p.Dropped > 0 || p.Accepted > 1.02 || p.Accepted < 0.05 {
				t.Errorf("%s at 100 %%: accepted %.3f, dropped %d, deadlock %v", name, p.Accepted, p.Dropped, p.Deadlock)
			}
			if err := s.Settled(); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			t.Logf("%s: accepted %.3f, latency %.2f us, hops %.2f, peak %d, pauses %d", name, p.Accepted, p.LatencyUs.Mean, p.Hops.Mean, p.BufferPeak, p.Pauses)
		}
	}
}
