package evaluator

import (
	"context"
	"testing"
	"toposearch/evaluator/metric"

	"toposearch/evaluator/cut"
	"toposearch/internal/racing"
)

// cutOf is the cut graph of a design whose lanes have the rate of one, with its fabric and blocks.
func cutOf(t *testing.T, name string) (*cut.Graph, *cut.Fabric, cut.Blocks) {
	t.Helper()
	d := parse(t, name)
	n, err := d.Build()
	if err != nil {
		t.Fatal(err)
	}
	classes := laneRates(n)
	in := newCutInput(n, classes, float64(n.EndpointLanes))
	var parts cut.Blocks
	if d.Family.Place != nil {
		p := d.Family.Place(d.V)
		parts = blocksOf(&p)
	}
	return cut.New(in.spec), in.fabric(n, classes, float64(n.EndpointLanes)), parts
}

// TestCutBounds: on networks small enough to try every cut, no certified bound is above the least cut,
// and no cut found is below it.
func TestCutBounds(t *testing.T) {
	racing.Figures(t)
	ctx := context.Background()
	certified, tight := 0, 0
	for _, name := range []string{"zcube_partial(n=2)", "zcube(n=2,k=3)", "zcube(n=4,k=2)", "zcube_rect(n=16,m=4)", "zcube_rect(n=12,m=2)", "fattree(k=4,l=3,pods=3)",
		"fattree(k=8,l=2,pods=5,d=5)", "multirail(k=8,l=2,r=2,f=2)", "multirail(k=4,l=3,r=2,f=2,spread=wide,pods=4)", "multirail(k=8,l=2,r=2)", "hpn(k=16,g=2,segments=2)",
		"mlfm(h=3)", "oft(k=3)", "zettafly4(a=4,p=2,h=1,c=2)", "zettafly3(a=2,p=2,h=1,c=3)", "dragonflyplus(l=2,m=2,p=2,h=1)", "bcube(n=3,l=2)", "dragonfly(p=2,a=4,h=1,g=5)",
		"torus(k1=4,k2=4)", "hyperx(s1=4,s2=3,t=3)", "fullmesh(d1=4,d2=4)", "dcell(n=4,l=1)", "roft(k=4,g=2)", "railonly(k=4,g=2)", "complete(n=6,t=3)",
		"clos(m=2,n=3,r=3)", "clos(m=3,n=2,r=4)", "clos(m=2,n=5,r=2)", "bus(n=6)", "bus(n=9)", "omega(k=2,n=3)", "butterfly(k=3,n=2)", "benes(n=2)"} {
		g, fabric, parts := cutOf(t, name)
		least, ok := g.BySides(ctx)
		if !ok {
			t.Errorf("%s is too large to try every cut", name)
			continue
		}
		if x, ok := fabric.HoseThroughput(); ok {
			x = min(x, 1)
			certified++
			if x > least+1e-9 {
				t.Errorf("%s: any permutation carries %v, the least cut %v", name, x, least)
			}
			if x > least-1e-9 {
				tight++
			}
		}
		if x, _ := g.SpectralBound(ctx); x > least+1e-9 {
			t.Errorf("%s: spectral bound %v, least cut %v", name, x, least)
		}
		if x := g.Search(ctx, nil, parts, 27); x < least-1e-9 {
			t.Errorf("%s: a cut of %v found, the least is %v", name, x, least)
		}
	}
	if certified < 16 || tight < 12 {
		t.Errorf("%d certified, %d of them tight: too few to show anything", certified, tight)
	}
}

// TestGridCorner: of a grid of k x k groups a corner is cheaper to cut off than half of the columns. In
// Mesh-Tree a row or column of which j groups are cut off costs min(j, k-j) of k*k/8 links: for k = 8,
// six columns of five or six groups make 28 of them where four whole columns make 32, and for k = 12 a
// corner of 8 x 9 makes 60 of 72.
func TestGridCorner(t *testing.T) {
	racing.Figures(t)
	for _, c := range []struct {
		design string
		most   float64
	}{{"meshtree(k=8)", 28. / 32 / 2}, {"meshtree(k=12)", 60. / 72 / 2}} {
		g, _, parts := cutOf(t, c.design)
		if x := g.Search(context.Background(), nil, parts, 2); x > c.most+1e-9 {
			t.Errorf("%s: least cut found %v, a corner of the grid cuts %v", c.design, x, c.most)
		}
	}
	res := evaluate(t, newEvaluator(t, Options{}), parse(t, "meshtree(k=8)"), Request{Keys: []metric.Key{metric.Bisection}})
	if m := res.Metrics[metric.Bisection]; m.Hi > 28./32/2+1e-9 {
		t.Errorf("meshtree(k=8): bisection %+v", m)
	}
}

// TestStagesUnderTop: Clos and Benes networks carry any permutation over their middle stage, a Clos network C(m, n, r) at
// m/n of the bandwidth, and no more than the ports of endpoints carry; half of the ingress switches can be cut off at that price, so that the bound is the cut. An
// Omega network has one way for each pair and nothing to spread over.
func TestStagesUnderTop(t *testing.T) {
	racing.Figures(t)
	for design, want := range map[string]float64{"clos(m=8,n=16,r=16)": 0.5, "clos(m=5,n=4,r=6)": 1, "clos(m=16,n=19,r=12)": 16. / 19, "benes(n=4)": 1, "omega(k=2,n=4)": 0} {
		_, fabric, _ := cutOf(t, design)
		if x, ok := fabric.HoseThroughput(); ok != (want > 0) || x < want-1e-9 || x > want+1e-9 {
			t.Errorf("%s: any permutation at %v (%v), want %v", design, x, ok, want)
		}
		if want == 0 {
			continue
		}
		want = min(want, 1)
		r := evaluate(t, newEvaluator(t, Options{}), parse(t, design), Request{Keys: []metric.Key{metric.Bisection}})
		if m := r.Metrics[metric.Bisection]; m.Lo < want-1e-9 || m.Hi > want+1e-9 {
			t.Errorf("%s: bisection [%v, %v], want %v (%s)", design, m.Lo, m.Hi, want, m.Method)
		}
	}
}

// TestPodsUnderTop: ZCube(n,3)-partial carries any permutation at half of the bandwidth, from the ports
// on level 0 over the common level, and half of its pods are cut off at that price: the bound is the cut.
func TestPodsUnderTop(t *testing.T) {
	for _, name := range []string{"zcube_partial(n=4)", "zcube_partial(n=6)", "zcube_partial(n=8)"} {
		_, fabric, _ := cutOf(t, name)
		if x, ok := fabric.HoseThroughput(); !ok || x < 0.5-1e-9 || x > 0.5+1e-9 {
			t.Errorf("%s: any permutation at %v (%v), want 0.5", name, x, ok)
		}
	}
}

// TestServersWhole: least cuts that keep servers whole, by an independent program that tries all sides of
// the switches and shares the servers out. An odd number of servers leaves a smaller half: 4 of 9, or 1 of 3.
func TestServersWhole(t *testing.T) {
	racing.Figures(t)
	for _, c := range []struct {
		design string
		server int
		want   float64
	}{
		{"zcube(n=8,k=2)", 2, 0.875}, {"zcube(n=8,k=2)", 4, 1}, {"zcube(n=6,k=2)", 4, 16. / 16}, {"bcube(n=6,l=2)", 3, 0.5}, {"bcube(n=6,l=2)", 4, 8. / 16},
		{"multirail(k=8,l=2,r=2,pods=6,d=6)", 6, 2. / 6}, {"fattree(k=8,l=2,pods=6,d=5)", 3, 0.6}, {"zcube_rect(n=24,m=4)", 8, 8. / 8},
		{"hyperx(s1=4,s2=4,t=3)", 8, 2. / 3}, {"zettafly3(a=2,p=2,h=1,c=3)", 8, 4. / 8},
	} {
		e := newEvaluator(t, Options{PerServer: c.server, Scaleup: true})
		r := evaluate(t, e, parse(t, c.design), Request{Keys: []metric.Key{metric.Bisection}})
		if m := r.Metrics[metric.Bisection]; m.Lo != m.Hi || m.Value < c.want-1e-9 || m.Value > c.want+1e-9 {
			t.Errorf("%s in servers of %d: [%v, %v], want %v (%s)", c.design, c.server, m.Lo, m.Hi, c.want, m.Method)
		}
	}
}
