package evaluator

import (
	"math"
	"math/rand/v2"
	"testing"

	"toposearch/evaluator/metric"
	"toposearch/topology"
)

// wiring is a network taken apart, to be put together in another order.
type wiring struct {
	n     *topology.Network
	links [][3]int // class, ends
	ports [][]topology.SwitchID
}

func takeApart(n *topology.Network) *wiring {
	w := &wiring{n: n}
	for s := range topology.SwitchID(n.Switches()) {
		for c, end := n.Out(s); c < end; c++ {
			if n.Rev(c) > c {
				w.links = append(w.links, [3]int{n.LinkClass(c), int(s), int(n.To(c))})
			}
		}
	}
	for g := range n.Groups() {
		first, end, ports := n.Group(g)
		for range end - first {
			w.ports = append(w.ports, append([]topology.SwitchID(nil), ports...))
		}
	}
	return w
}

// shuffle renumbers switches inside their classes, and endpoints, links and ports at will.
func (w *wiring) shuffle(rng *rand.Rand) {
	n := w.n
	to := make([]topology.SwitchID, n.Switches())
	for first := 0; first < len(to); {
		end := first
		for end < len(to) && n.Class(topology.SwitchID(end)) == n.Class(topology.SwitchID(first)) {
			end++
		}
		for i, k := range rng.Perm(end - first) {
			to[first+i] = topology.SwitchID(first + k)
		}
		first = end
	}
	for i := range w.links {
		l := &w.links[i]
		l[1], l[2] = int(to[l[1]]), int(to[l[2]])
	}
	for _, p := range w.ports {
		for i := range p {
			p[i] = to[p[i]]
		}
		rng.Shuffle(len(p), func(i, j int) { p[i], p[j] = p[j], p[i] })
	}
	rng.Shuffle(len(w.links), func(i, j int) { w.links[i], w.links[j] = w.links[j], w.links[i] })
	rng.Shuffle(len(w.ports), func(i, j int) { w.ports[i], w.ports[j] = w.ports[j], w.ports[i] })
}

// design replays the wiring as a family without closed forms or symmetry.
func (w *wiring) design(of topology.Design) topology.Design {
	var size topology.Size
	if err := of.Family.Size(of.V, &size); err != nil {
		panic(err)
	}
	f := &topology.Family{
		Name: "replay", LinkClasses: w.n.LinkClasses, SwitchClasses: w.n.SwitchClasses,
		Count: func(_ []int, s *topology.Size) {
			f := s.Family
			*s = size
			s.Family = f
			s.Link = [topology.MaxClasses]int64{}
			for _, l := range w.links {
				s.Link[l[0]]++
			}
			for _, p := range w.ports {
				s.Link[0] += int64(len(p))
			}
		},
		Wire: func(_ []int, emit func(int, topology.SwitchID, topology.SwitchID)) {
			for _, l := range w.links {
				emit(l[0], topology.SwitchID(l[1]), topology.SwitchID(l[2]))
			}
		},
		Attach: func(_ []int, emit func(int, []topology.SwitchID)) {
			for _, p := range w.ports {
				emit(1, p)
			}
		},
		Place: of.Family.Place,
	}
	if n := of.Family.Natural; n != nil {
		f.Natural = func([]int) topology.Rule { return n(of.V) }
	}
	if p := of.Family.Place; p != nil {
		f.Place = func([]int) topology.Placement { return p(of.V) }
	}
	return topology.Design{Family: f}
}

// TestRenumbering: names of switches and endpoints change no metric that does not lie on the
// floor. Bounds of the bisection may move by their own tolerance.
func TestRenumbering(t *testing.T) {
	e := newEvaluator(t, Options{BandwidthGbps: 400})
	keys := []metric.Key{metric.MeanPathLinks, metric.MaxPathLinks, metric.MeanPathSwitches, metric.MeanHops, metric.MaxHops, metric.GraphDiameter, metric.UniformThroughput,
		metric.MeanPathLinksFail, metric.ShortestPaths, metric.DisjointPaths, metric.TUB, metric.VCsMinimal, metric.Radix, metric.PhysicalPorts}
	for _, name := range []string{"zcube(n=4,k=2)", "dragonfly(p=2,a=4,h=2)", "fattree(k=4,l=3)", "bcube(n=3,l=2)", "railonly(k=8,g=2,leaves=4)",
		"hpn(k=16,g=2,segments=3)", "fullmesh(d1=4,d2=3)", "slimfly(q=5)", "multirail(k=8,l=2,r=2,f=2)"} {
		d := parse(t, name)
		n, err := d.Build()
		if err != nil {
			t.Fatal(err)
		}
		want := evaluate(t, e, d, Request{Keys: append(keys, metric.Bisection)})
		for i := range 2 {
			w := takeApart(n)
			w.shuffle(rngOf(name + string(rune('a'+i))))
			got := evaluate(t, e, w.design(d), Request{Keys: append(keys, metric.Bisection)})
			for _, k := range keys {
				if got.Have[k] != want.Have[k] || math.Abs(got.Metrics[k].Value-want.Metrics[k].Value) > 1e-9*math.Abs(want.Metrics[k].Value) {
					t.Errorf("%s renumbered: %s = %.12g %q, was %.12g", name, metric.Keys[k].Name, got.Metrics[k].Value, got.Absent[k], want.Metrics[k].Value)
				}
			}
			a, b := got.Metrics[metric.Bisection], want.Metrics[metric.Bisection]
			if math.Abs(a.Lo-b.Lo) > 0.02*b.Lo || a.Lo > b.Hi+1e-9 || b.Lo > a.Hi+1e-9 {
				t.Errorf("%s renumbered: bisection [%g, %g], was [%g, %g]", name, a.Lo, a.Hi, b.Lo, b.Hi)
			}
		}
	}
}

// TestAddedLink: a link more makes no path longer, and lets no more than before be cut cheaply.
func TestAddedLink(t *testing.T) {
	e := newEvaluator(t, Options{BandwidthGbps: 400})
	for _, name := range []string{"zcube(n=3,k=2)", "dragonfly(p=2,a=4,h=2)", "fattree(k=4,l=3)", "hyperx(s1=4,s2=3,t=2)"} {
		d := parse(t, name)
		n, err := d.Build()
		if err != nil {
			t.Fatal(err)
		}
		rng := rngOf("added " + name)
		w := takeApart(n)
		keys := []metric.Key{metric.MeanPathLinks, metric.MaxPathLinks, metric.GraphDiameter, metric.Bisection}
		before := evaluate(t, e, w.design(d), Request{Keys: keys})
		for range 5 {
			x, y := rng.IntN(n.Switches()), rng.IntN(n.Switches())
			if x == y {
				continue
			}
			w.links = append(w.links, [3]int{1, x, y})
			after := evaluate(t, e, w.design(d), Request{Keys: keys})
			for _, k := range keys[:3] {
				if value(t, after, k) > value(t, before, k) {
					t.Errorf("%s with a link %d-%d: %s grew from %g to %g", name, x, y, metric.Keys[k].Name, before.Metrics[k].Value, after.Metrics[k].Value)
				}
			}
			if after.Metrics[metric.Bisection].Hi < before.Metrics[metric.Bisection].Lo-1e-9 {
				t.Errorf("%s with a link %d-%d: a cut of %g, every cut had %g", name, x, y, after.Metrics[metric.Bisection].Hi, before.Metrics[metric.Bisection].Lo)
			}
			before = after
		}
	}
}

// TestScaledBandwidth: twice the bandwidth at twice the rates leaves every ratio as it is.
func TestScaledBandwidth(t *testing.T) {
	one, two := newEvaluator(t, Options{BandwidthGbps: 200}), newEvaluator(t, Options{BandwidthGbps: 400})
	for _, name := range []string{"zcube(n=4,k=2)", "dragonfly(p=2,a=4,h=2)", "hpn(k=16,g=2,segments=3)", "bcube(n=4,l=2)"} {
		a := evaluate(t, one, parse(t, name), Request{Level: 2})
		b := evaluate(t, two, parse(t, name), Request{Level: 2})
		for _, k := range []metric.Key{metric.UniformThroughput, metric.Bisection, metric.TUB, metric.MeanHops, metric.Radix, metric.Racks} {
			if x, y := a.Metrics[k].Value, b.Metrics[k].Value; math.Abs(x-y) > 1e-9 {
				t.Errorf("%s: %s = %g at 200 Gb/s, %g at 400", name, metric.Keys[k].Name, x, y)
			}
		}
	}
}

// TestLatencyByHand adds the terms up on a crossbar and on the smallest network with relays.
func TestLatencyByHand(t *testing.T) {
	// crossbar: every path is nic, switch, nic. Endpoints of one rack: 2 m each.
	e := newEvaluator(t, Options{BandwidthGbps: 400})
	r := evaluate(t, e, parse(t, "crossbar(n=16)"), Request{Level: 1})
	// 400 ns + 4096 B at 400 Gb/s (81.92 ns) + 5 ns/m over two mean nic cables.
	want := 400 + 81.92 + 5*2*r.Plan.MeanM[0]
	if got := value(t, r, metric.Latency); math.Abs(got-want) > 1e-9 {
		t.Errorf("crossbar(n=16): latency %.9g ns, want %.9g", got, want)
	}
	// Relays: in bcube(n=2,l=2) of 3 other endpoints 2 are one switch away and 1 is two switches
	// and a relay away. Links of 200 Gb/s: 163.84 ns.
	r = evaluate(t, e, parse(t, "bcube(n=2,l=2)"), Request{Level: 1})
	m := r.Plan.MeanM
	near := (m[1] + m[len(m)-1]) / 2
	want = (2*(400+5*2*near)+(800+1000+5*4*near))/3 + 163.84
	if got := value(t, r, metric.Latency); math.Abs(got-want) > 1e-6 {
		t.Errorf("bcube(n=2,l=2): latency %.9g ns, want %.9g (mean cables %v)", got, want, m)
	}
}
