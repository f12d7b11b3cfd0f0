package evaluator

import (
	"testing"

	"toposearch/evaluator/metric"
	"toposearch/internal/racing"
	"toposearch/topology/family"
)

// Every family's deployment is known to the model, and natural routing is its last resort.
func TestDeployedNames(t *testing.T) {
	for _, f := range family.All() {
		names := DeployedOf(f)
		for _, name := range names {
			if _, err := ParseAlgorithm(name); err != nil {
				t.Errorf("%s: %v", f.Name, err)
			}
		}
		if names[len(names)-1] != RoutingNatural {
			t.Errorf("%s: %v does not end with natural", f.Name, names)
		}
	}
}

// The first of the family's routings that fits the VCs is taken; families without any of their own take natural. VCs of
// dragonfly: local 2 to an intermediate and 2 on, par one more for its first hop; hyperx: 1 and 1.
func TestDeployed(t *testing.T) {
	racing.Figures(t)
	for _, c := range []struct {
		design string
		vcs    int
		want   string
	}{
		{"dragonfly(p=2,a=4,h=2)", 0, "par"}, {"dragonfly(p=2,a=4,h=2)", 5, "par"}, {"dragonfly(p=2,a=4,h=2)", 4, "ugal_l"},
		{"dragonfly(p=2,a=4,h=2)", 3, "natural"}, {"hyperx(s1=4,s2=4,t=2)", 2, "ugal_l"}, {"hyperx(s1=4,s2=4,t=2)", 1, "natural"},
		{"complete(n=8,t=4)", 2, "ugal_l"}, {"complete(n=8,t=4)", 1, "natural"}, // as hyperx(s1=8,t=4), which is the same network
		{"fattree(k=4,l=3)", 0, "natural"}, {"torus(k1=8,k2=8)", 0, "natural"},
	} {
		e := newEvaluator(t, Options{BandwidthGbps: 400, Algorithms: []string{RoutingDeployed}, MaxVCs: c.vcs})
		r := evaluate(t, e, parse(t, c.design), Request{Keys: []metric.Key{metric.UniformThroughput, metric.VCsMinimal}})
		if r.Routing != c.want || r.Chosen != c.want {
			t.Errorf("%s with %d VCs: %s, want %s", c.design, c.vcs, r.Routing, c.want)
		}
	}
}
