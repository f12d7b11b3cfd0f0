package evaluator

import (
	"context"
	"math"
	"slices"
	"testing"

	"toposearch/evaluator/metric"
	"toposearch/routing"
	"toposearch/topology"
	"toposearch/topology/netfile"
)

// TestUniformByValiant: what eval computes of Valiant's routing is what the legs of packets make of it, followed from switch to switch as simulations send them: none
// within a switch, the others by way of any switch with endpoints. dragonfly(p=2,a=4,h=2): 70 of 71 parts leave a switch, 34 of 36 of them by two legs and 2 directly, 72/136 * 71/70.
func TestUniformByValiant(t *testing.T) {
	for _, design := range []string{"dragonfly(p=2,a=4,h=2)", "torus(k1=4,k2=3,t=2)", "ring(n=5)", "complete(n=2,t=3)", "hyperx(s1=3,s2=2,t=2)", "fattree(k=4,l=2)", "dragonflyplus(l=2,m=2,p=2,h=1)",
		"bcube(n=3,l=1)", "dcell(n=3,l=1)", "fullmesh(d1=3,d2=2)", "mlfm(h=3)", "zcube(n=4,k=2)", "zcube_rect(n=8,m=4)", "multirail(k=4,l=2,r=2)", "hpn(k=20,segments=1)"} {
		d := parse(t, design)
		e := newEvaluator(t, Options{Routing: RoutingValiant})
		got := evaluate(t, e, d, Request{Keys: []metric.Key{metric.UniformThroughput}})
		n, err := d.Build()
		if err != nil {
			t.Fatal(err)
		}
		r, err := routing.New(n, new(Options).Natural(d))
		if err != nil {
			t.Fatal(err)
		}
		want := 0.0
		if len(r.Sets) < 3 {
			l, err := r.UniformLoads(context.Background(), routing.LoadOptions{})
			if err != nil {
				t.Fatal(err)
			}
			want = l.Throughput(n).Throughput
		} else {
			turns, err := r.Valiant(context.Background(), nil)
			if err != nil {
				t.Fatal(err)
			}
			want = 1 / slices.Max(turns.Relative(routing.OwnCapacity(n)))
		}
		if math.Abs(got.LaneThroughput-want) > 1e-9*want || got.Metrics[metric.UniformThroughput].Value < want*(1-1e-9) {
			t.Errorf("%s: %.9g of its lanes, want %.9g: %+v %s", design, got.LaneThroughput, want, got.Metrics[metric.UniformThroughput], got.Absent[metric.UniformThroughput])
		}
		if design == "dragonfly(p=2,a=4,h=2)" && math.Abs(want-72./136*71/70) > 1e-9 {
			t.Errorf("%s: %g", design, want)
		}
	}
}

// TestUniformByValiantWalked: the same where endpoints of a scale-up domain relay, each a switch of its own to go by, where switches of a network that was read have more or
// fewer endpoints, and where there are too few to go by any, as every source, intermediate and destination make it. What all send to all takes longer by what legs carry less.
func TestUniformByValiantWalked(t *testing.T) {
	read := func(endpoints, links string) topology.Design {
		f, list := netfile.Parse("n.json", []byte(`{"schema": "toposearch.network/1", "lane_gbps": 200, "endpoint_lanes": 1,
"switch_classes": [{"name": "leaf", "count": 4, "home": "with_endpoints"}],
"link_classes": [{"name": "nic", "lanes": 1}, {"name": "link", "lanes": 1}], "endpoints": `+endpoints+`, "links": [{"class": "link", "ends": `+links+`}]}`))
		if f == nil {
			t.Fatal(list)
		}
		return topology.Design{Family: f.Family}
	}
	scaled := Options{BandwidthGbps: 200, Routing: RoutingValiant, Scaleup: true, PerServer: 2}
	switched := scaled
	switched.Domain = topology.Domain{Endpoints: 2, Levels: 1, Switches: 1}
	plain := Options{BandwidthGbps: 200, Routing: RoutingValiant}
	for _, c := range []struct {
		d topology.Design
		o Options
	}{
		{parse(t, "complete(n=8,t=4)"), scaled}, {parse(t, "th1a(n=1)"), scaled}, {parse(t, "mlfm(h=2)"), switched}, {parse(t, "dragonfly(p=2,a=4,h=2)"), plain},
		{read("[[4, 0], [1, 1], [2, 2], [1, 3]]", "[[0, 1], [1, 2], [2, 3], [3, 0]]"), plain}, {read("[[4, 0], [1, 1]]", "[[0, 2], [2, 1], [1, 3]]"), plain},
		{read("[[4, 0], [1, 1], [2, 2]]", "[[0, 3], [1, 3], [2, 3]]"), plain},
	} {
		n, err := c.o.Network(c.d)
		if err != nil {
			t.Fatal(err)
		}
		want := walkedByValiant(t, n, c.o.Natural(c.d))
		c.o.Training = trainingOptions(t).Training
		got := evaluate(t, newEvaluator(t, c.o), c.d, Request{Level: 2, Keys: []metric.Key{metric.UniformThroughput, metric.AlltoallTime}})
		if math.Abs(got.LaneThroughput-want) > 1e-9*want {
			t.Errorf("%s: %.9g, walked %.9g: %+v %s", c.d, got.LaneThroughput, want, got.Metrics[metric.UniformThroughput], got.Absent[metric.UniformThroughput])
		}
		if c.o.Scaleup { // not timed
			continue
		}
		ends := float64(n.Endpoints())
		s := 5e-6*(ends-1) + 1e9*8*(1-1/ends)/200e9/min(1, got.Metrics[metric.UniformThroughput].Value)
		if x := value(t, got, metric.AlltoallTime); math.Abs(x-s) > 1e-9*s {
			t.Errorf("%s: all to all takes %g s, want %g", c.d, x, s)
		}
	}
	for _, text := range []string{"multirail(k=10,l=1,r=2,planes=2)", "zcube_rect(n=7,m=7)", "zcube(n=7,k=2)"} { // endpoints of several ports; two sets, two, and failures that leave some no intermediate
		natural, around := evaluate(t, newEvaluator(t, Options{}), parse(t, text), Request{Level: 2}), evaluate(t, newEvaluator(t, plain), parse(t, text), Request{Level: 2})
		if x, most := value(t, around, metric.UniformThroughput), value(t, natural, metric.UniformThroughput); x != most && text != "zcube(n=7,k=2)" || x > most {
			t.Errorf("%s: %g, directly %g", text, x, most)
		}
	}
}

// walkedByValiant is the load of uniform traffic at which a link is full, of endpoints that hang on one switch each, or relay.
func walkedByValiant(t *testing.T, n *topology.Network, rule topology.Rule) float64 {
	t.Helper()
	r, err := routing.New(n, rule)
	if err != nil {
		t.Fatal(err)
	}
	sets := len(r.Sets)
	var flows []routing.Flow
	for src := range sets {
		for dst := range sets {
			if src == dst {
				continue
			}
			rate := float64(r.Sets[src].Endpoints) * float64(r.Sets[dst].Endpoints) / float64(n.Endpoints()-1) / float64(sets)
			for mid := range sets {
				if mid == src || mid == dst || sets < 3 {
					flows = append(flows, routing.Flow{Src: src, Dst: dst, Rate: rate})
				} else {
					flows = append(flows, routing.Flow{Src: src, Dst: mid, Rate: rate}, routing.Flow{Src: mid, Dst: dst, Rate: rate})
				}
			}
		}
	}
	l, err := r.FlowLoads(context.Background(), flows, routing.LoadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return 1 / slices.Max(l.Relative(n, routing.OwnCapacity(n))[:n.Channels()])
}
