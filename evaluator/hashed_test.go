package evaluator

import (
	"iter"
	"math"
	"slices"
	"testing"

	"toposearch/evaluator/metric"
	"toposearch/internal/stream"
	"toposearch/routing"
	"toposearch/topology"
)

// The uniform throughput of flows on one path each is one over the mean load of the busiest channel under hashes that are drawn: 26 networks of twenty
// families, with closed forms and without. Where no flow has a choice it is that of an even split, exactly. Of small networks, whose counts are far from a
// normal distribution, the estimate is within 6 %.
func TestHashedThroughput(t *testing.T) {
	for _, text := range []string{
		"fattree(k=4,l=3)", "fattree(k=8,l=2)", "fattree(k=16,l=2)", "dragonfly(p=2,a=4,h=2)", "hyperx(s1=4,s2=4,t=2)", "torus(k1=4,k2=4)", "torus(k1=6,k2=6)",
		"jellyfish(n=16,r=6,p=2)", "slimfly(q=5)", "dragonflyplus(l=2,m=2,p=2,h=2)", "multirail(k=8,l=2,r=2,planes=2,pods=4)", "multirail(k=16,l=2,r=2,f=2)", "hypercube(n=5)",
		"zcube(n=6,k=2)", "zcube(n=3,k=4)", "zcube_rect(n=24,m=6)", "hpn(k=12,g=3,segments=2)", "zettafly4(a=4,p=3,h=3)", "mlfm(h=3)", "oft(k=4)", "meshtree(k=4)", "bcube(n=4,l=2)",
		"benes(n=5)", "clos(m=4,n=4,r=6)", "ring(n=8)", "omega(k=4,n=2)",
	} {
		e, d := newEvaluator(t, Options{BandwidthGbps: 400, Algorithms: []string{"natural+hash"}}), parse(t, text)
		r := evaluate(t, e, d, Request{Keys: []metric.Key{metric.UniformThroughput}})
		even := evaluate(t, newEvaluator(t, Options{BandwidthGbps: 400}), d, Request{Keys: []metric.Key{metric.UniformThroughput}}).Metrics[metric.UniformThroughput].Value
		x := r.Metrics[metric.UniformThroughput]
		want, choice := drawnThroughput(t, d, metric.Interval{Lo: x.Lo, Hi: x.Hi})
		t.Logf("%-40s even %.4f, expected %.4f, drawn %.4f (%+.1f %%) in [%.4g, %.4g]", text, even, x.Value, want, 100*(x.Value/want-1), x.Lo, x.Hi)
		if math.Abs(x.Value/want-1) > 0.06 || x.Value > even*(1+same) || !choice && math.Abs(x.Value/even-1) > 1e-9 {
			t.Errorf("%s: %.4f expected, %.4f drawn, %.4f of even splits (choice: %v)", text, x.Value, want, even, choice)
		}
	}
}

// drawnThroughput is one over the mean of the largest load over 20 draws of all paths, each hop picked evenly; choice: some flow had one. Every draw
// carries what the interval encloses.
func drawnThroughput(t *testing.T, d topology.Design, within metric.Interval) (x float64, choice bool) {
	t.Helper()
	n, r := routed(t, d)
	most, choice := drawnMost(n, r, 20, 1/float64(n.Endpoints()-1), func(yield func(from, to int) bool) {
		for to := range n.Endpoints() {
			for from := range n.Endpoints() {
				if from != to && !yield(from, to) {
					return
				}
			}
		}
	})
	sum := 0.0
	for _, x := range most {
		if 1/x > within.Hi*(1+same) || 1/x < within.Lo*(1-same) {
			t.Errorf("%s: a hash carries %.4f, enclosed by %v", d, 1/x, within)
		}
		sum += x
	}
	return float64(len(most)) / sum, choice
}

// routed builds a design with a router of its natural routes.
func routed(t *testing.T, d topology.Design) (*topology.Network, *routing.Router) {
	t.Helper()
	n, err := d.Build()
	if err != nil {
		t.Fatal(err)
	}
	rule := topology.Minimal()
	if d.Family.Natural != nil {
		rule = d.Family.Natural(d.V)
	}
	r, err := routing.New(n, rule)
	if err != nil {
		t.Fatal(err)
	}
	return n, r
}

// drawnMost is, by draw, the load of the busiest channel or port where each flow, of so much an endpoint's bandwidth, keeps to a path of hops that are picked evenly; choice: some flow had one.
func drawnMost(n *topology.Network, r *routing.Router, draws int, flow float64, flows iter.Seq2[int, int]) (most []float64, choice bool) {
	rng := stream.New(1, "hashes")
	load := make([][]float64, draws)
	ports := make([]map[[3]int]float64, draws) // of endpoints, in and out, where they have several
	for i := range load {
		load[i], ports[i] = make([]float64, n.Channels()), map[[3]int]float64{}
	}
	relative := func(class int) float64 { return float64(n.EndpointLanes) / float64(n.Lanes[class]) * flow }
	fields := map[int]*routing.Field{}
	for from, to := range flows {
		dst := int(r.SetOf[n.GroupOf(topology.EndpointID(to))])
		if fields[dst] == nil {
			f := r.Field(dst)
			fields[dst] = f
		}
		f := fields[dst]
		src := int(r.SetOf[n.GroupOf(topology.EndpointID(from))])
		at, _ := r.Inject(f, src, nil)
		choice = choice || len(at) > 1
		for i := range load {
			s, state := r.Sets[src].Ports[at[rng.IntN(len(at))]].Switch, uint8(0)
			if routing.SeveralPorts(n) {
				ports[i][[3]int{from, int(s), 0}] += relative(0)
			}
			for f.Dist[int(s)*r.States()+int(state)] > 0 {
				hops := r.Next(f, s, state, nil)
				choice = choice || len(hops) > 1
				h := hops[rng.IntN(len(hops))]
				load[i][h.Channel] += relative(n.LinkClass(h.Channel))
				s, state = n.To(h.Channel), h.State
			}
			if routing.SeveralPorts(n) {
				ports[i][[3]int{to, int(s), 1}] += relative(0)
			}
		}
	}
	for i := range load {
		x := slices.Max(load[i])
		for _, l := range ports[i] {
			x = max(x, l)
		}
		most = append(most, x)
	}
	return most, choice
}
