package evaluator

import (
	"context"
	"fmt"
	"math"
	"testing"

	"toposearch/evaluator/metric"
	"toposearch/topology"
)

// small makes a random connected network of a few switches and endpoints: kind 0 hangs endpoints
// by one port on some of the switches, 1 gives them several ports, 2 gives them embedded switches.
func small(t testing.TB, seed uint64, kind int) *topology.Network {
	t.Helper()
	rng := rngOf(fmt.Sprintf("small %d %d", seed, kind))
	links := []topology.LinkClass{{Name: "nic"}, {Name: "thin"}, {Name: "thick"}}
	classes := []topology.SwitchClass{{Name: "s"}}
	if kind == 2 {
		links[0].Name, links[1].Name = "internal", "nic"
		classes = append(classes, topology.SwitchClass{Name: "e", Embedded: true})
	}
	b := topology.NewBuilder(classes, links)
	b.Lanes(2, 2)
	k := 2 + rng.IntN(4)
	ends := 3 + rng.IntN(5)
	b.Switch(0, k)
	for v := 1; v < k; v++ {
		b.Link(1+rng.IntN(2), topology.SwitchID(v), topology.SwitchID(rng.IntN(v)))
	}
	for range rng.IntN(2 * k) {
		if x, y := rng.IntN(k), rng.IntN(k); x != y {
			b.Link(1+rng.IntN(2), topology.SwitchID(x), topology.SwitchID(y))
		}
	}
	if kind == 2 {
		b.Switch(1, ends)
	}
	for e := range ends {
		switch kind {
		case 0:
			b.Endpoints(1, []topology.SwitchID{topology.SwitchID(rng.IntN(max(k-1, 1)))})
		case 1:
			ports := []topology.SwitchID{topology.SwitchID(rng.IntN(k)), topology.SwitchID(rng.IntN(k))}
			b.Endpoints(1, ports)
		case 2:
			s := topology.SwitchID(k + e)
			b.Endpoints(1, []topology.SwitchID{s})
			b.Link(1, s, topology.SwitchID(rng.IntN(k)))
			if e > 0 && rng.IntN(2) == 0 {
				b.Link(2, s, s-1)
			}
		}
	}
	n, err := b.Build(fmt.Sprintf("small kind %d seed %d", kind, seed))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// leastCut tries every assignment of switches and endpoints to sides: the definition.
func leastCut(n *topology.Network, classes *[topology.MaxClasses]netClass) float64 {
	k, ends := n.Switches(), n.Endpoints()
	best := math.Inf(1)
	embedded := n.LinkClasses[0].Name == topology.ClassInternal
	for sides := range 1 << (k + ends) {
		half := 0
		for e := range ends {
			half += sides >> (k + e) & 1
		}
		if half != ends/2 && half != (ends+1)/2 {
			continue
		}
		cut := 0.0
		for s := range topology.SwitchID(k) {
			for c, end := n.Out(s); c < end; c++ {
				if n.Rev(c) > c && sides>>s&1 != sides>>n.To(c)&1 {
					cut += classes[n.LinkClass(c)].gbps
				}
			}
		}
		for g := range n.Groups() {
			first, end, ports := n.Group(g)
			for e := first; e < end; e++ {
				for _, p := range ports {
					if sides>>p&1 != sides>>(k+int(e))&1 {
						if embedded {
							cut = math.Inf(1)
						} else {
							cut += classes[0].gbps
						}
					}
				}
			}
		}
		best = math.Min(best, cut)
	}
	return best / (float64(ends) / 2)
}

// TestBisectionBruteForce: the found cut is never below the least one, the bounds never above,
// and together they are close.
func TestBisectionBruteForce(t *testing.T) {
	count := 60
	if testing.Short() {
		count = 15
	}
	hits, all := 0, 0
	for kind := range 3 {
		for seed := range uint64(count) {
			n := small(t, seed, kind)
			var classes [topology.MaxClasses]netClass
			for i := range n.LinkClasses {
				classes[i] = netClass{class: i, gbps: float64(n.Lanes[i])}
			}
			want := leastCut(n, &classes)
			g := newCutGraph(n, &classes, 1)
			lo, vec := g.spectralBound(context.Background())
			hi := math.Inf(1)
			p := newPartition(g)
			rng := rngOf("brute")
			for i := range 27 {
				p.seed(i, g.holders(), vec, rng)
				x := p.refine(context.Background(), cutPasses)
				if y, ok := g.value(p.side); ok && math.Abs(x-y) > 1e-9 {
					t.Errorf("%s: a pass says %g, its sides are worth %g", n.Design, x, y)
				}
				hi = math.Min(hi, x)
			}
			if hi < want-1e-9 {
				t.Errorf("%s: found a cut of %.9g, the least is %.9g", n.Design, hi, want)
			}
			if lo > want+1e-9 {
				t.Errorf("%s: spectral bound %.9g, the least cut is %.9g", n.Design, lo, want)
			}
			if x, ok := hoseThroughput(g, n, &classes, 1); ok && math.Min(x, 1)*float64(n.Endpoints()/2)/float64(n.Endpoints())*2 > want+1e-9 {
				t.Errorf("%s: tree bound %.9g, the least cut is %.9g", n.Design, x, want)
			}
			if x, ok := g.exactSmallCut(context.Background()); !ok || math.Abs(x-math.Min(want, 1)) > 1e-9 && g.imbalance() < g.endpoints {
				t.Errorf("%s: least cut %.9g, %v; by all cuts %.9g", n.Design, x, ok, want)
			}
			all++
			if hi < want+1e-9 {
				hits++
			}
		}
	}
	if hits < all*9/10 {
		t.Errorf("only %d of %d least cuts were found", hits, all)
	}
}

// TestBisectionOrdered: uniform traffic under the natural routing never claims more than the least cut
// found, over families.
func TestBisectionOrdered(t *testing.T) {
	e := newEvaluator(t, Options{BandwidthGbps: 400})
	for _, name := range []string{"zcube(n=4,k=2)", "zcube(n=3,k=3)", "zettafly3(a=4,p=2,h=2)", "dragonfly(p=2,a=4,h=2)", "dragonflyplus(l=2,m=2,p=2,h=2)",
		"hyperx(s1=4,s2=3,t=2)", "bcube(n=3,l=2)", "railonly(k=8,g=4)", "hpn(k=16,g=2,segments=3)", "meshtree(k=4)", "fattree(k=6,l=3,d=4)",
		"fullmesh(d1=4,d2=3)", "torus(k1=5,k2=5)", "multirail(k=8,l=2,r=2,f=2)"} {
		r := evaluate(t, e, parse(t, name), Request{Keys: []metric.Key{metric.Bisection, metric.UniformThroughput}})
		m := r.Metrics[metric.Bisection]
		if !r.Have[metric.Bisection] || m.Lo <= 0 || m.Lo > m.Hi || m.Hi > 1 || m.Value != m.Hi {
			t.Errorf("%s: bisection %+v %s", name, m, r.Absent[metric.Bisection])
		}
		n := float64(r.Size.Endpoints)
		if u := r.Metrics[metric.UniformThroughput].Value; math.Min(1, u*n/2/(n-1)*(1-1/n/n)) > m.Hi+1e-9 {
			t.Errorf("%s: uniform_throughput %g needs a larger cut than %g", name, u, m.Hi)
		}
	}
}

// TestTridiagonal: the largest eigenvalue of the path's matrix with 2 on the diagonal and -1
// beside it is 2 + 2 cos(pi/(n+1)); its vector satisfies the definition.
func TestTridiagonal(t *testing.T) {
	for _, n := range []int{1, 2, 3, 10, 60} {
		a, b := make([]float64, n), make([]float64, n)
		for i := range a {
			a[i], b[i] = 2, 1
		}
		mu, y := largestTridiagonal(a, b)
		if want := 2 + 2*math.Cos(math.Pi/float64(n+1)); math.Abs(mu-want) > 1e-12 {
			t.Errorf("n = %d: %.15g, want %.15g", n, mu, want)
		}
		for i := range y {
			s := a[i]*y[i] - mu*y[i]
			if i > 0 {
				s += b[i-1] * y[i-1]
			}
			if i < n-1 {
				s += b[i] * y[i+1]
			}
			if math.Abs(s) > 1e-7 {
				t.Errorf("n = %d: residual %g at %d", n, s, i)
			}
		}
	}
}

// TestSpectralKnown: lambda_2 n/4 is tight on hypercubes and HyperX (their dimension cut), and
// 62.5 of 65 links on the Hoffman-Singleton graph.
func TestSpectralKnown(t *testing.T) {
	for _, c := range []struct {
		design string
		want   float64
	}{{"hypercube(n=6)", 1}, {"hyperx(s1=8,s2=8,t=8)", 0.5}, {"slimfly(q=5)", 0.625}, {"torus(k1=8,k2=8)", 0.292893}} {
		n, err := parse(t, c.design).Build()
		if err != nil {
			t.Fatal(err)
		}
		var classes [topology.MaxClasses]netClass
		for i := range n.LinkClasses {
			classes[i] = netClass{class: i, gbps: float64(n.Lanes[i])}
		}
		g := newCutGraph(n, &classes, float64(n.EndpointLanes))
		if got, _ := g.spectralBound(context.Background()); got > c.want+1e-6 || got < 0.97*c.want {
			t.Errorf("%s: spectral bound %.6f, want %.6f", c.design, got, c.want)
		}
	}
}

// TestEvenCutTwin: networks of interchangeable switches, small enough to try every cut; others are
// refused.
func TestEvenCutTwin(t *testing.T) {
	even := 0
	for _, c := range []struct {
		design string
		form   bool
	}{{"zcube(n=2,k=2)", true}, {"zcube(n=3,k=2)", true}, {"bcube(n=3,l=2)", true}, {"bcube(n=2,l=2)", true}, {"bcube(n=4,l=1)", true}, {"fattree(k=4,l=2)", true},
		{"fattree(k=6,l=2,d=4,pods=3)", true}, {"complete(n=5,t=2)", true}, {"complete(n=4,t=3)", true}, {"crossbar(n=7)", true}, {"multirail(k=4,l=2,r=2,f=2)", false},
		{"ring(n=5,t=2)", false}, {"hypercube(n=3)", false}, {"zcube(n=2,k=3)", false}, {"bcube(n=2,l=3)", false}, {"fattree(k=4,l=3)", false}} {
		n, err := parse(t, c.design).Build()
		if err != nil {
			t.Fatal(err)
		}
		var classes [topology.MaxClasses]netClass
		for i := range n.LinkClasses {
			classes[i] = netClass{class: i, gbps: float64(n.Lanes[i])}
		}
		g := newCutGraph(n, &classes, float64(n.EndpointLanes))
		got, ok := g.exactEvenCut()
		if ok != c.form {
			t.Errorf("%s: interchangeable %v, want %v", c.design, ok, c.form)
		}
		if !ok || n.Switches()+n.Endpoints() > 19 {
			continue
		}
		even++
		want := leastCut(n, &classes) / float64(n.EndpointLanes)
		if math.Abs(got-want) > 1e-12 {
			t.Errorf("%s: least cut %.12g, by all cuts %.12g", c.design, got, want)
		}
	}
	if even < 6 {
		t.Errorf("only %d networks were compared", even)
	}
}
