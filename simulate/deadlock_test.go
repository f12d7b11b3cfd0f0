package simulate_test

import (
	"slices"
	"testing"

	"toposearch/internal/racing"
	"toposearch/internal/stream"
	"toposearch/simcore/route"
	"toposearch/simulate"
	"toposearch/topology"
)

// TestVCsAgree: the VCs that the proof of a routing with detours names are what a simulation of it needs, neither more nor less, on whole networks and on what failures leave,
// parted ones included. On a ring in two parts no switch leads everywhere, so that no packet makes a detour: its routes need the two VCs of the rule at most.
func TestVCsAgree(t *testing.T) {
	racing.Figures(t)
	parted := 0
	for _, design := range []string{"ring(n=6)", "torus(k1=4,k2=3)", "hyperx(s1=3,s2=3,t=2)", "dragonfly(p=2,a=4,h=2)", "dragonflyplus(p=2,m=2,l=2,h=2)", "fattree(k=4,l=2)",
		"slimfly(q=5)", "bcube(n=3,l=2)", "polarfly(q=3,p=2)", "railonly(k=4,g=4)", "fullmesh(d1=3,d2=3)"} {
		d, whole := network(t, design)
		cables := whole.Cables()
		rng := stream.New(5, "failures "+design)
		for failed := range 4 {
			f := topology.Failures{}
			for _, i := range rng.Perm(len(cables))[:failed] {
				f.Links = append(f.Links, cables[i])
			}
			n, err := whole.Without(&f)
			if err != nil {
				t.Fatal(err)
			}
			parts := slices.Clone(n.Parts())
			slices.Sort(parts)
			split := len(slices.Compact(parts)) > 1
			for _, routing := range []string{"valiant", "ugal_l", "par"} {
				c := &simulate.Choice{Routing: routing, Traffic: "uniform", Seed: 1}
				doc, _, err := simulate.CheckDeadlock(t.Context(), d, n, c)
				if err != nil {
					t.Fatalf("%s, %d links down, %s: %v", design, failed, routing, err)
				}
				opt := c.RouteOptions(d, n)
				r, err := route.ByName(t.Context(), routing, n, opt)
				if err != nil {
					t.Fatal(err)
				}
				if opt.VCs = doc.VCs - 1; opt.VCs > 0 {
					if _, err := route.ByName(t.Context(), routing, n, opt); err == nil {
						t.Errorf("%s, %d links down, %s: proved with %d VCs, and %d do", design, failed, routing, doc.VCs, opt.VCs)
					}
				}
				if r.VCs() != doc.VCs {
					t.Errorf("%s, %d links down, %s: proved with %d VCs, simulated with %d (%v)", design, failed, routing, doc.VCs, r.VCs(), doc.ClassVCs)
				}
				if design == "ring(n=6)" && split {
					if parted++; doc.VCs > 2 {
						t.Errorf("%s in parts, %s: %d VCs, the rule has 2", design, routing, doc.VCs)
					}
				}
			}
		}
	}
	if parted == 0 {
		t.Error("no ring is in parts")
	}
}
