package evaluator

import (
	"context"
	"math"
	"testing"

	"toposearch/evaluator/metric"
	"toposearch/internal/racing"
	"toposearch/topology"
)

// disjointTwin is the mean by the definition, on a network small enough to try all cuts: the
// number of paths of a pair is the least number of links that part it (Menger).
func disjointTwin(n *topology.Network) (mean float64, pairs int) {
	k, ends := n.Switches(), n.Endpoints()
	embedded := n.LinkClasses[0].Name == topology.ClassInternal
	ports := make([][]topology.SwitchID, ends)
	several := false
	for g := range n.Groups() {
		first, end, p := n.Group(g)
		for e := first; e < end; e++ {
			ports[e] = p
		}
		several = several || len(p) > 1
	}
	sum := 0
	for a := range ends {
		for b := range a {
			if !several && ports[a][0] == ports[b][0] {
				continue
			}
			least := math.MaxInt
			for side := range 1 << k { // 1: with a
				if !several && (side>>ports[a][0]&1 == 0 || side>>ports[b][0]&1 == 1) {
					continue
				}
				cut := 0
				for s := range topology.SwitchID(k) {
					for c, end := n.Out(s); c < end; c++ {
						if n.Rev(c) > c && side>>s&1 != side>>n.To(c)&1 {
							cut++
						}
					}
				}
				if several && !embedded {
					for _, p := range ports[a] {
						cut += 1 - side>>p&1
					}
					for _, p := range ports[b] {
						cut += side >> p & 1
					}
				}
				least = min(least, cut)
			}
			sum += least
			pairs++
		}
	}
	return float64(sum) / float64(pairs), pairs
}

// workOn is an evaluation of a network that stands for a design without symmetry.
func workOn(t *testing.T, n *topology.Network) *work {
	t.Helper()
	e := newEvaluator(t, Options{})
	f := &topology.Family{Name: "given", LinkClasses: n.LinkClasses, SwitchClasses: n.SwitchClasses, Unidirectional: n.Unidirectional}
	w := &work{e: e, ctx: context.Background(), d: topology.Design{Family: f}, net: n, res: &Result{Absent: map[metric.Key]string{}}}
	w.size = &w.res.Size
	w.size.Reset(f)
	w.size.Endpoints = int64(n.Endpoints())
	for s := range n.Switches() {
		w.size.Switch[n.Class(topology.SwitchID(s))].Count++
	}
	return w
}

func TestDisjointTwin(t *testing.T) {
	racing.Figures(t)
	count := 50
	if testing.Short() {
		count = 25
	}
	for kind := range 3 {
		for seed := range uint64(count) {
			n := small(t, seed, kind)
			want, pairs := disjointTwin(n)
			w := workOn(t, n)
			if err := w.countDisjoint(false); err != nil {
				t.Fatal(err)
			}
			if w.res.Have[metric.DisjointPaths] != (pairs > 0) {
				t.Errorf("%s: %d pairs, absent: %q", n.Design, pairs, w.res.Absent[metric.DisjointPaths])
				continue
			}
			if pairs == 0 {
				continue
			}
			if got := w.res.Metrics[metric.DisjointPaths].Value; math.Abs(got-want) > 1e-12 {
				t.Errorf("%s: %.9g disjoint paths, by all cuts %.9g", n.Design, got, want)
			}
			if err := w.countDisjoint(true); err != nil {
				t.Fatal(err)
			}
			if m := w.res.Metrics[metric.DisjointPaths]; want < m.Lo-1e-12 || want > m.Hi+1e-12 || m.Lo >= m.Hi || m.Value < m.Lo || m.Value > m.Hi {
				t.Errorf("%s: a sample says [%g, %g], it is %g", n.Design, m.Lo, m.Hi, want)
			}
		}
	}
}

func TestDisjointKnown(t *testing.T) {
	e := newEvaluator(t, Options{BandwidthGbps: 400})
	for _, c := range []struct {
		design string
		want   float64
	}{
		{"ring(n=8)", 2},
		{"hypercube(n=5)", 5},
		{"torus(k1=5,k2=4,k3=3)", 6}, // the inner and the wrap-around links of a dimension are of two classes
		{"torus(k1=4,k2=2)", 3},      // two neighbours along a dimension of 2 have one link
		// 4x4: 4 corners with 2 links, 8 switches with 3, 4 with 4, and no cut is smaller than those
		// around one switch: (54 x 2 + 60 x 3 + 6 x 4)/120.
		{"mesh(k1=4,k2=4)", 2.6},
		{"slimfly(q=5)", 7},               // vertex-transitive of degree 7
		{"fattree(k=8,l=3)", 4},           // the uplinks of a leaf
		{"multirail(k=8,l=2,r=2,f=2)", 2}, // the ports of an endpoint
		{"bcube(n=4,l=3)", 3},             // Guo et al., SIGCOMM 2009: k+1 parallel paths
		{"dcell(n=4,l=1)", 2},             // the ports of a server
		{"fullmesh(d1=4,d2=3)", 5},        // 3 + 2 links of an NPU
		{"omega(k=2,n=4)", 1},             // a banyan network has one path
		{"clos(m=5,n=3,r=4)", 5},          // one over each middle switch
		{"benes(n=4)", 2},                 // both links of a first switch
		{"dragonfly(p=2,a=4,h=2)", 5},     // 3 local and 2 global links
		{"fattree(k=8,l=2,d=6)", 2},       // tapered: two uplinks
		{"complete(n=6,t=3)", 5},          //
		{"zcube(n=4,k=2)", 2},             // two ports
		{"railonly(k=8,g=4,leaves=2)", 4}, // 3 links of the server's mesh and the rail's port
		{"polarfly(q=3)", 270. / 78},      // 4 quadrics of 3 links among 13: 9 x 8/2 = 36 pairs have 4 paths, 42 have 3
	} {
		d := parse(t, c.design)
		r := evaluate(t, e, d, Request{Keys: []metric.Key{metric.DisjointPaths}})
		// PolarFly puts as many endpoints on every switch: pairs of endpoints are pairs of switches.
		if got := value(t, r, metric.DisjointPaths); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%s: disjoint_paths = %.9g, want %.9g (%s)", c.design, got, c.want, r.Metrics[metric.DisjointPaths].Method)
		}
		plain := newEvaluator(t, Options{BandwidthGbps: 400, built: true})
		if got := value(t, evaluate(t, plain, d, Request{Keys: []metric.Key{metric.DisjointPaths}}), metric.DisjointPaths); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%s without its symmetry: disjoint_paths = %.9g, want %.9g", c.design, got, c.want)
		}
	}
	r := evaluate(t, e, parse(t, "crossbar(n=8)"), Request{Keys: []metric.Key{metric.DisjointPaths}})
	if r.Have[metric.DisjointPaths] || r.Absent[metric.DisjointPaths] != noDisjoint {
		t.Errorf("crossbar: disjoint_paths %+v, %q", r.Metrics[metric.DisjointPaths], r.Absent[metric.DisjointPaths])
	}
	// Servers of 2 with a scale-up mesh: the port and the way over the other endpoint.
	star := newEvaluator(t, Options{BandwidthGbps: 400, Scaleup: true, PerServer: 2})
	if got := value(t, evaluate(t, star, parse(t, "fattree(k=8,l=3)"), Request{Keys: []metric.Key{metric.DisjointPaths}}), metric.DisjointPaths); got != 2 {
		t.Errorf("fattree(k=8,l=3) in servers of 2: disjoint_paths = %g, want 2", got)
	}
}
