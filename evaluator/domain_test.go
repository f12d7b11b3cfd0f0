package evaluator

import (
	"context"
	"math"
	"strings"
	"testing"

	"toposearch/evaluator/metric"
	"toposearch/evaluator/route"
	"toposearch/topology"
)

// TestDomainLatency: with cables of no delay a route costs its switches, and one packet of 4096 bytes
// at 400 Gb/s, 81.92 ns, or over scale-up links alone at 1800. In a tree of leaves of two endpoints and domains of four, three of seven others are
// one switch away, a leaf or a scale-up switch, and four are three switches away. Of what one sends to the other of its leaf a third goes by that, and two thirds by two scale-up switches.
func TestDomainLatency(t *testing.T) {
	for _, c := range []struct {
		dom      topology.Domain
		switches float64
		ports    float64 // share of routes that cross ports of 400 Gb/s
		note     string
	}{
		{topology.Domain{Endpoints: 4, Levels: 1, Switches: 2}, (3*1 + 4*3) / 7., (1/3. + 4) / 7,
			"2 scale-up domains of 4 endpoints, each with 2 switches and 8 links of 1800 Gb/s"},
		// Leaf and spine are three switches on the way to the other box, as leaf, spine and leaf of the tree, by which a third goes.
		{topology.Domain{Endpoints: 4, Levels: 2, Switches: 2, Box: 2, Spines: 1}, (1*1 + 6*3) / 7., (3/3. + 4) / 7,
			"2 scale-up domains of 4 endpoints, each with 5 switches in two levels and 12 links, of 1800 Gb/s from endpoints and 3600 between levels"},
	} {
		e := newEvaluator(t, Options{BandwidthGbps: 400, Scaleup: true, Domain: c.dom, Latency: route.LatencyModel{CableNsPerM: 1e-12}})
		res, err := e.Evaluate(context.Background(), parse(t, "fattree(k=4,l=2)"), Request{Level: 2})
		if err != nil {
			t.Fatal(err)
		}
		if got, want := res.Metrics[metric.Latency].Value, c.switches*400+81.92*(c.ports+(1-c.ports)*400/1800); !res.Have[metric.Latency] || math.Abs(got-want) > 1e-6 {
			t.Errorf("%v: latency %v ns, want %v (%s)", c.dom, got, want, res.Absent[metric.Latency])
		}
		if got, want := res.Metrics[metric.MeanPathSwitches].Value, c.switches; math.Abs(got-want) > 1e-12 {
			t.Errorf("%v: mean path switches %v, want %v", c.dom, got, want)
		}
		if all := strings.Join(res.Notes, "\n"); !strings.Contains(all, c.note) {
			t.Errorf("%v: notes %q lack %q", c.dom, all, c.note)
		}
		// What is bought is the network alone.
		plain, err := newEvaluator(t, Options{BandwidthGbps: 400}).Evaluate(context.Background(), parse(t, "fattree(k=4,l=2)"), Request{Level: 1})
		if err != nil {
			t.Fatal(err)
		}
		for _, k := range []metric.Key{metric.Cost, metric.Power, metric.Switches, metric.SwitchLinks, metric.EndpointLinks} {
			if res.Metrics[k].Value != plain.Metrics[k].Value {
				t.Errorf("%v: %s = %v, without domains %v", c.dom, metric.Keys[k].Name, res.Metrics[k].Value, plain.Metrics[k].Value)
			}
		}
	}
}

// TestDomainThroughput: endpoints on one crossbar in domains of two joined by one switch each. Of
// seven others one is in the domain, at two links by either way, so that half of its traffic leaves
// the ports: 1/6.5 of 7 more than without.
func TestDomainThroughput(t *testing.T) {
	e := newEvaluator(t, Options{BandwidthGbps: 400, Scaleup: true, Domain: topology.Domain{Endpoints: 2, Levels: 1, Switches: 1}})
	res, err := e.Evaluate(context.Background(), parse(t, "crossbar(n=8)"), Request{Level: 2})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := res.Metrics[metric.UniformThroughput].Value, 7/6.5; math.Abs(got-want) > 1e-9 {
		t.Errorf("uniform throughput %v, want %v", got, want)
	}
}

// What is absent because there is no network says so: the reasons of the methods behind one that could not make it say nothing of the design.
func TestDomainsThatDoNotDivide(t *testing.T) {
	e := newEvaluator(t, Options{BandwidthGbps: 400, Scaleup: true, Domain: topology.Domain{Endpoints: 8}})
	for _, req := range []Request{{Level: 2}, {Keys: []metric.Key{metric.UniformThroughput, metric.MeanPathLinks}, Enclosed: true}} {
		res := evaluate(t, e, parse(t, "fattree(k=4,l=2,pods=3)"), req)
		for _, k := range []metric.Key{metric.UniformThroughput, metric.MeanPathLinks} {
			if why := res.Absent[k]; !strings.Contains(why, "6 endpoints do not divide into servers of 8") {
				t.Errorf("%s is absent for %q", metric.Keys[k].Name, why)
			}
		}
	}
}
