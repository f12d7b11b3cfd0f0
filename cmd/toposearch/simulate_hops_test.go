package main

import (
	"encoding/json"
	"math"
	"testing"

	"toposearch/internal/racing"
	"toposearch/simulate"
)

// Hops are the same in all parts of the program: what packets take at low load is mean_hops of eval,
// also where endpoints forward, whose first and last nic link count no more than those of others
// (DESIGN: path_links without them), and where a way takes none. Switches passed, embedded ones
// included, give the zero-load latency 3 + 4 H + (H - 1) of one flit.
func TestSimulateHopsAreEvalHops(t *testing.T) {
	racing.Figures(t)
	for _, design := range []string{"torus(k1=4,k2=3)", "dragonfly(p=2,a=4,h=2)", "bcube(n=3,l=2)", "fullmesh(d1=3,d2=4)", "dcell(n=4,l=1)",
		"clos(m=3,n=3,r=3)", "omega(k=2,n=3)", "railonly(k=8,g=4,leaves=4)", "hammingmesh(a=2,b=2,x=2,y=2,k=8)", "tpuocs(x=1,y=1,z=1)", "ubmesh(x=2,y=2,z=2,w=2)"} {
		var eval struct {
			Designs []struct {
				Metrics map[string]struct{ Value float64 }
			}
		}
		var flits, cut simulate.Document
		for _, c := range []struct {
			doc  any
			args []string
		}{
			{&eval, []string{"eval", design, "--metrics", "mean_hops", "--json"}},
			{&flits, []string{"simulate", design, "--load", "0.005", "--packet", "1", "--cycles", "20000", "--set", "internal_speedup=1", "--json"}},
			{&cut, []string{"simulate", design, "--load", "0.02", "--model", "cut_through", "--cycles", "200000", "--json"}},
		} {
			status, out, errs := call(c.args...)
			if err := json.Unmarshal([]byte(out), c.doc); err != nil || status != 0 {
				t.Fatalf("%v: exit status %d, %v: %s", c.args, status, err, errs)
			}
		}
		want := eval.Designs[0].Metrics["mean_hops"].Value
		for _, p := range []simulate.Point{flits.Points[0], cut.Points[0]} {
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

// Tornado and neighbor move along every dimension of a grid at once, whatever hangs on a switch: on
// a torus ceil(k/2)-1 hops and one in each, on a HyperX one in each, and on a line of k one to the
// next or k-1 back (mean 2 - 2/k).
func TestTornadoFollowsTheGrid(t *testing.T) {
	racing.Figures(t)
	for _, c := range []struct {
		design, traffic string
		want, slack     float64
	}{
		{"torus(k1=8,k2=8)", "tornado", 6, 0}, {"torus(k1=4,k2=5,t=3)", "tornado", 3, 0}, {"torus(k1=5,k2=4,t=3)", "neighbor", 2, 0},
		{"ring(n=8,t=2)", "tornado", 3, 0}, {"hyperx(s1=4,s2=3,t=2)", "tornado", 2, 0}, {"flattenedbutterfly(k=4,n=3)", "neighbor", 2, 0},
		{"fullmesh(d1=5,d2=3)", "tornado", 2, 0}, {"mesh(k1=4,k2=4)", "neighbor", 3, 0.1},
	} {
		var doc simulate.Document
		status, out, errs := call("simulate", c.design, "--traffic", c.traffic, "--load", "0.1", "--packet", "1", "--cycles", "2000", "--json")
		if err := json.Unmarshal([]byte(out), &doc); err != nil || status != 0 {
			t.Fatalf("%s %s: exit status %d, %v: %s", c.design, c.traffic, status, err, errs)
		}
		if got := doc.Points[0].Hops.Mean; math.Abs(got-c.want) > c.slack+1e-9 {
			t.Errorf("%s %s: %g hops, want %g", c.design, c.traffic, got, c.want)
		}
	}
}
