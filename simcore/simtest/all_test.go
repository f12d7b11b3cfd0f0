package simtest_test

import (
	"context"
	"strings"
	"testing"

	"toposearch/internal/racing"
	"toposearch/routing"
	"toposearch/simcore"
	"toposearch/simcore/route"
	"toposearch/simcore/simtest"
	"toposearch/simcore/traffic"
	"toposearch/topology"
	"toposearch/topology/family/familytest"
)

// designs are small networks of different make: direct and indirect, several ports per
// endpoint, embedded switches, parallel links, several planes, one-way channels.
var designs = []string{
	"dragonfly(p=2,a=4,h=2)",
	"dragonfly(p=2,a=4,h=2,g=5)",
	"dragonflyplus(l=2,m=2,p=2,h=2)",
	"zcube(n=4,k=2)",
	"zcube(n=3,k=3)",
	"zettafly3(a=4,p=2,h=2)",
	"zettafly4(a=4,p=2,h=2)",
	"hyperx(s1=3,s2=3,t=2)",
	"fullmesh(d1=4,d2=3)",
	"fattree(k=4,l=3)",
	"multirail(k=4,l=2,r=2,planes=2)",
	"bcube(n=3,l=2)",
	"railonly(k=4,g=2)",
	"hpn(k=8,g=2,segments=2)",
	"meshtree(k=4)",
	"torus(k1=5,k2=4)",
	"slimfly(q=3)",
	"omega(k=2,n=3)",
}

type network struct {
	*topology.Network
	opt    route.Options
	blocks int
}

func build(t testing.TB, text string) network {
	t.Helper()
	d, n := familytest.Build(t, text)
	out := network{Network: n, blocks: 1}
	if d.Family.Natural != nil {
		out.opt.Natural = d.Family.Natural(d.V)
	}
	if d.Family.Place != nil {
		place := d.Family.Place(d.V)
		out.opt.Blocks = routing.BlocksOf(n, place)
		out.blocks = place.Blocks
	}
	return out
}

// Every routing with every addition on every design, in both directions of the bias.
func TestRoutings(t *testing.T) {
	for _, text := range designs {
		n := build(t, text)
		uniform, err := traffic.ByName("uniform", traffic.Options{Network: n.Network})
		if err != nil {
			t.Fatal(err)
		}
		for _, info := range route.All() {
			if info.Name == "updown" && n.Unidirectional || strings.HasPrefix(info.Name, "apr_") || info.Name == "ofar" || route.Escapes(info.Name) || n.opt.Blocks == nil && needsBlocks[info.Name] {
				continue // it refuses networks, or waits in circles by design: see its own test
			}
			if info.Name == "q_adaptive" && !strings.HasPrefix(text, "dragonfly(") {
				continue // likewise
			}
			for _, name := range variants(info.Name, n.opt.Blocks != nil) {
				opt := n.opt
				if (strings.Contains(info.Need, "valiant") || info.Name == "q_adaptive") && strings.HasSuffix(name, "+adaptive") {
					detourOften(&opt.Tuning, info.Name)
				}
				if (testing.Short() || racing.On) && strings.Count(name, "+") > 1 {
					continue
				}
				testRouting(t, n, name, info, opt, uniform)
			}
		}
	}
}

// detourOften sets what has detours taken, not only weighed.
func detourOften(t *route.Tuning, name string) {
	bias, one, all := -1<<20, 1, 1.0
	switch name {
	case "ectn":
		t.Local, t.Combined = &one, &one
	case "dgb":
		t.Rate = &all
	case "q_adaptive":
		t.Explore = &all
	case "par_ph":
		t.Offset = new(int)
	default:
		t.Bias = &bias
	}
}

// needsBlocks are the routings that need groups.
var needsBlocks = map[string]bool{"pb": true, "ectn": true, "q_adaptive": true}

// variants lists the names that a routing has with additions.
func variants(name string, groups bool) []string {
	out := []string{name}
	if route.HasTables(name) {
		return out
	}
	for _, a := range route.Additions() {
		switch a[0] {
		case "random", "switch", "samehash": // the defaults, and what differs from hash in a number
		case "hash", "adaptive":
			out = append(out, name+"+"+a[0])
		case "group":
			if groups && detours(name) {
				out = append(out, name+"+group", name+"+group+adaptive")
			}
		default:
			if detours(name) {
				out = append(out, name+"+"+a[0]+"+adaptive")
			}
		}
	}
	return out
}

func testRouting(t *testing.T, n network, name string, info route.Info, opt route.Options, tr simcore.Traffic) {
	t.Helper()
	ctx := context.Background()
	r, err := route.ByName(ctx, name, n.Network, opt)
	if err != nil {
		t.Fatalf("%s on %s: %v", name, n.Design, err)
	}
	if rep, err := r.CheckDeadlock(ctx); err != nil || !rep.Acyclic {
		t.Fatalf("%s on %s: %v, %s", name, n.Design, err, rep.Words(n.Network))
	}
	c := simtest.RoutingCase{Network: n.Network, Routing: r, Traffic: tr}
	if direct(info.Name) {
		router, err := route.RouterFor(info.Name, n.Network, opt.Natural)
		if err != nil {
			t.Fatal(err)
		}
		c.Hops = distance(n.Network, router)
	}
	simtest.Routing(t, c)
	if n.Design == designs[0] {
		if c.LookAhead = !r.KeepsState(); c.LookAhead {
			simtest.Routing(t, c)
		}
		c.LookAhead, c.VCs = false, r.VCs()+2
		opt.VCs = c.VCs
		if c.Routing, err = route.ByName(ctx, name, n.Network, opt); err != nil {
			t.Fatal(err)
		}
		simtest.Routing(t, c)
	}
}

// direct reports whether a routing makes no detours.
func direct(name string) bool { return name == "natural" || name == "minimal" || name == "updown" }

// detours reports whether it makes them by way of an intermediate.
func detours(name string) bool { return !direct(name) && name != "q_adaptive" }

// distance looks hops up in the fields of a router.
func distance(n *topology.Network, r *routing.Router) func(src, dst topology.EndpointID) int {
	fields := make([]*routing.Field, len(r.Sets))
	return func(src, dst topology.EndpointID) int {
		s, d := r.SetOf[n.GroupOf(src)], r.SetOf[n.GroupOf(dst)]
		if fields[d] == nil {
			fields[d] = r.Field(int(d))
		}
		_, hops := r.Inject(fields[d], int(s), nil)
		return int(hops)
	}
}

// sharesOf are the probabilities that a pattern states, by which loads are computed.
func sharesOf(p *traffic.Pattern, n int) func(src, dst topology.EndpointID) float64 {
	all := make([][]float64, n)
	for src := range topology.EndpointID(n) {
		all[src] = make([]float64, n)
		for dst := range n {
			if dst != int(src) {
				all[src][dst] = p.Uniform() / float64(n-1)
			}
		}
		p.Shares(src, func(dst int, part float64) { all[src][dst] += part })
	}
	return func(src, dst topology.EndpointID) float64 { return min(max(0, all[src][dst]), 1) }
}

// texts gives each traffic a text that a network of 16 endpoints in 4 blocks accepts.
var texts = map[string]string{"mixed": "mixed(2*uniform,1*worst)", "hotspot": "hotspot(0.3,1,2)", "tornado": "tornado(4,4)", "local": "local(1,0.6)", "fft": "fft(2,8)"}

func TestTraffics(t *testing.T) {
	n := build(t, "zcube(n=4,k=2)")
	for _, info := range traffic.All() {
		text := info.Name
		if x, ok := texts[text]; ok {
			text = x
		}
		tr, err := traffic.ByName(text, traffic.Options{Network: n.Network, Blocks: 4, Seed: 3})
		if err != nil {
			t.Fatal(err)
		}
		self := strings.Contains(info.Doc, "the source itself") || strings.Contains(info.Doc, "of the source") || info.Name == "asymmetric"
		c := simtest.TrafficCase{Network: n.Network, Traffic: tr, Self: self, Share: sharesOf(tr, n.Endpoints())}
		simtest.Traffic(t, c)
		// And through the simulator.
		r, err := route.ByName(context.Background(), "natural", n.Network, n.opt)
		if err != nil {
			t.Fatal(err)
		}
		router, err := route.RouterFor("natural", n.Network, n.opt.Natural)
		if err != nil {
			t.Fatal(err)
		}
		simtest.Routing(t, simtest.RoutingCase{Network: n.Network, Routing: r, Traffic: tr, Hops: distance(n.Network, router), Load: 0.1})
	}
}
