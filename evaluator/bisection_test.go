package evaluator

import (
	"context"
	"fmt"
	"math"
	"testing"
	"toposearch/evaluator/metric"

	"toposearch/evaluator/cut"
	"toposearch/internal/racing"
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
	return best / float64(ends/2)
}

// laneRates are rates of the classes of a network whose lanes have the rate of one.
func laneRates(n *topology.Network) *[topology.MaxClasses]netClass {
	var classes [topology.MaxClasses]netClass
	for i := range n.LinkClasses {
		classes[i] = netClass{class: i, gbps: float64(n.Lanes[i])}
	}
	return &classes
}

// TestBisectionBruteForce: the least cut of the graph made of a network is the network's, the cut found is
// never below it, and the bounds are never above.
func TestBisectionBruteForce(t *testing.T) {
	racing.Figures(t)
	count := 60
	if testing.Short() {
		count = 15
	}
	ctx := context.Background()
	hits, all := 0, 0
	for kind := range 3 {
		for seed := range uint64(count) {
			n := small(t, seed, kind)
			classes := laneRates(n)
			want := leastCut(n, classes)
			in := newCutInput(n, classes, 1)
			g := cut.New(in.spec)
			if g.Imbalance() >= int64(n.Endpoints()) {
				continue
			}
			lo, vec := g.SpectralBound(ctx)
			hi := g.Search(ctx, vec, cut.Blocks{}, 27)
			if hi < math.Min(want, 1)-1e-9 {
				t.Errorf("%s: found a cut of %.9g, the least is %.9g", n.Design, hi, want)
			}
			if lo > want+1e-9 {
				t.Errorf("%s: spectral bound %.9g, the least cut is %.9g", n.Design, lo, want)
			}
			if x, ok := in.fabric(n, classes, 1).HoseThroughput(); ok && math.Min(x, 1) > want+1e-9 {
				t.Errorf("%s: tree bound %.9g, the least cut is %.9g", n.Design, x, want)
			}
			if x, ok := g.BySides(ctx); !ok || math.Abs(x-math.Min(want, 1)) > 1e-9 {
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
	racing.Figures(t)
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

// TestByCountsTwin: networks of interchangeable switches, small enough to try every cut; others are
// refused.
func TestByCountsTwin(t *testing.T) {
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
		classes := laneRates(n)
		got, ok := cut.New(newCutInput(n, classes, float64(n.EndpointLanes)).spec).ByCounts()
		if ok != c.form {
			t.Errorf("%s: interchangeable %v, want %v", c.design, ok, c.form)
		}
		if !ok || n.Switches()+n.Endpoints() > 19 {
			continue
		}
		even++
		want := math.Min(leastCut(n, classes)/float64(n.EndpointLanes), 1)
		if math.Abs(got-want) > 1e-12 {
			t.Errorf("%s: least cut %.12g, by all cuts %.12g", c.design, got, want)
		}
	}
	if even < 6 {
		t.Errorf("only %d networks were compared", even)
	}
}
