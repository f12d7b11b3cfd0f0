package main

import (
	"encoding/json"
	"math"
	"testing"
)

// Hops are the same in all parts of the program: what packets take at low load is mean_hops of eval,
// also where endpoints forward, whose first and last nic link count no more than those of others
// (DESIGN: path_links without them), and where a way takes none. Switches passed, embedded ones
// included, give the zero-load latency 3 + 4 H + (H - 1) of one flit.
func TestSimulateHopsAreEvalHops(t *testing.T) {
	for _, design := range []string{"torus(k1=4,k2=3)", "dragonfly(p=2,a=4,h=2)", "bcube(n=3,l=2)", "fullmesh(d1=3,d2=4)", "dcell(n=4,l=1)",
		"clos(m=3,n=3,r=3)", "omega(k=2,n=3)", "railonly(k=8,g=4,leaves=4)", "hammingmesh(a=2,b=2,x=2,y=2,k=8)", "tpuocs(x=1,y=1,z=1)", "ubmesh(x=2,y=2,z=2,w=2)"} {
		var eval struct {
			Designs []struct {
				Metrics map[string]struct{ Value float64 }
			}
		}
		var flits, cut simDoc
		for _, c := range []struct {
			doc  any
			args []string
		}{
			{&eval, []string{"eval", design, "--metrics", "mean_hops", "--json"}},
			{&flits, []string{"simulate", design, "--load", "0.005", "--packet", "1", "--cycles", "20000", "--json"}},
			{&cut, []string{"simulate", design, "--load", "0.02", "--model", "cut_through", "--cycles", "200000", "--json"}},
		} {
			status, out, errs := call(c.args...)
			if err := json.Unmarshal([]byte(out), c.doc); err != nil || status != 0 {
				t.Fatalf("%v: exit status %d, %v: %s", c.args, status, err, errs)
			}
		}
		want := eval.Designs[0].Metrics["mean_hops"].Value
		for _, p := range []simPoint{flits.Points[0], cut.Points[0]} {
			// Hops differ by about one from packet to packet: four standard errors.
			if slack := 4 / math.Sqrt(float64(p.Packets)); p.Packets < 100 || math.Abs(p.Hops.Mean-want) > slack {
				t.Errorf("%s: %d packets took %.4f hops, mean_hops is %.4f", design, p.Packets, p.Hops.Mean, want)
			}
		}
		p := flits.Points[0]
		if zero := 2 + 5*p.Hops.Switches; math.Abs(p.Network.Mean-zero) > 0.01*zero {
			t.Errorf("%s: latency %.3f past %.4f switches, want %.3f", design, p.Network.Mean, p.Hops.Switches, zero)
		}
	}
}
