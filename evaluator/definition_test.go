package evaluator

import (
	"math"
	"math/rand/v2"
	"testing"

	"toposearch/catalog"
	"toposearch/evaluator/market"
	"toposearch/evaluator/metric"
	"toposearch/internal/racing"
	"toposearch/topology"
	"toposearch/topology/family"
	"toposearch/topology/topotest"
)

// soldRates are the port rates of all switches of a catalogue, ascending.
func soldRates(c *catalog.Catalogue) []int {
	has := map[int]bool{}
	for i := range c.Parts {
		if c.Parts[i].Kind == catalog.KindSwitch {
			for g := c.Parts[i].RateGbps; g >= 100; g /= 2 {
				has[g] = true
			}
		}
	}
	var out []int
	for _, g := range []int{100, 200, 400, 800, 1600} {
		if has[g] {
			out = append(out, g)
		}
	}
	return out
}

// TestDefinitions computes the metrics of small designs of every family again, each from its
// definition in DESIGN.md sections 3 and 5, on the network written down link by link; half of them
// with servers that have a scale-up mesh.
func TestDefinitions(t *testing.T) {
	racing.Figures(t)
	designs, compared := 0, 0
	for _, f := range family.All() {
		rng := rngOf("definitions " + f.Name)
		seen := map[string]bool{}
		for i, d := range topotest.Sample(f, rng, few(3), 70) {
			opt := Options{}
			if n := 2 + rng.IntN(7); i%2 == 1 {
				opt = Options{Scaleup: true, PerServer: n, BandwidthGbps: []float64{200, 400, 800}[rng.IntN(3)]}
			}
			if rng.IntN(3) == 0 {
				opt.Catalog = bulky() // longer cables than needed are cheaper by the dozen
			}
			if !seen[d.String()] {
				designs++
				compared += compareDefinitions(t, d, opt, rng)
			}
			seen[d.String()] = true
		}
	}
	// Those that only large samples showed to be wrong: a torus had no room for the classes of a server.
	for _, s := range []string{"torus(k1=4,k2=4)", "torus(k1=6)", "ring(n=9,t=2)", "hammingmesh(a=3,b=2,x=2,y=2,k=6)", "multirail(k=30,l=1,r=3)"} {
		compared += compareDefinitions(t, parse(t, s), Options{Scaleup: true, PerServer: 2}, rngOf(s))
		compared += compareDefinitions(t, parse(t, s), Options{}, rngOf(s))
	}
	// Natural routes that are not all shortest paths: in groups, between levels, and beside servers.
	for _, s := range []string{"dragonfly(p=2,a=2,h=2,arrangement=circulant)", "dragonfly(p=1,a=3,h=3,g=7,arrangement=absolute)", "dragonfly(p=2,a=4,h=2,g=6)", "zcube(n=3,k=4)"} {
		compared += compareDefinitions(t, parse(t, s), Options{Scaleup: true, PerServer: 2}, rngOf(s))
		compared += compareDefinitions(t, parse(t, s), Options{}, rngOf(s))
	}
	if designs < 30 {
		t.Errorf("only %d designs were compared", designs)
	}
	t.Logf("%d designs, %d figures", designs, compared)
}

// compareDefinitions is TestDefinitions for one design; it gives the number of figures compared.
func compareDefinitions(t *testing.T, d topology.Design, opt Options, rng *rand.Rand) int {
	n, err := d.Build()
	if err != nil {
		t.Fatalf("%s: %v", d, err)
	}
	if n.Switches()+n.Endpoints() > 400 || n.Channels() > 4000 {
		return 0
	}
	w, e, opt := twinUnder(t, d, n, opt)
	keys := append([]metric.Key{metric.Latency, metric.MeanPathLinksFail, metric.UniformThroughput, metric.ShortestPaths, metric.TUB}, distanceKeys...)
	if rng.IntN(4) == 0 { // these two take longer than all others
		keys = append(keys, metric.Bisection, metric.DisjointPaths)
	}
	opt.Routing = "minimal"
	c := check{T: t, e: e, d: d, w: w,
		r:       evaluate(t, e, d, Request{Keys: keys}),
		minimal: evaluate(t, newEvaluator(t, opt), d, Request{Keys: append([]metric.Key{metric.UniformThroughput, metric.Latency}, distanceKeys...)})}
	if c.r.Reject.Constraint == metric.RejectRate {
		return 0
	}
	c.states, c.rule, c.known = naturalOf(d, c.w)
	c.counts()
	c.distances()
	c.failures()
	c.throughputs()
	c.longest()
	c.cuts(rng)
	c.disjoint()
	return c.compared
}

// twinUnder is the twin of a built design with options, the evaluator that it is compared with, and the options
// without servers where the design has none.
func twinUnder(t *testing.T, d topology.Design, n *topology.Network, opt Options) (*twin, *Evaluator, Options) {
	server := opt.PerServer
	e := newEvaluator(t, opt)
	if !opt.Scaled(d.Family) || n.Unidirectional || n.Endpoints()%max(server, 1) != 0 {
		server, opt.Scaleup = 0, false
		e = newEvaluator(t, opt)
	}
	asked := float64(market.DefaultEndpointGbps)
	if opt.BandwidthGbps > 0 {
		asked = opt.BandwidthGbps
	}
	w := twinOf(d, n, asked, soldRates(e.opt.Catalog), server)
	if opt.BandwidthGbps > 0 {
		w.bw = opt.BandwidthGbps
	}
	return w, e, opt
}

// check compares what was evaluated with what the twin counts.
type check struct {
	*testing.T
	e        *Evaluator
	d        topology.Design
	w        *twin
	r        *Result // over natural routes
	minimal  *Result // over all shortest paths
	compared int
	dist     [][]int // by destination and source, of shortest paths; nil if some are unreachable
	states   int     // of the natural rule, if it is known
	rule     legal
	known    bool
}

func (c *check) is(k metric.Key, want float64) { c.in(c.r, k, want) }

func (c *check) in(r *Result, k metric.Key, want float64) {
	c.Helper()
	if !r.Have[k] {
		c.Errorf("%s: %s is absent (%s), by definition %.12g", c.d, metric.Keys[k].Name, r.Absent[k], want)
		return
	}
	c.compared++
	g := r.Metrics[k]
	if tol := 1e-9 * math.Max(1, math.Abs(want)); want < g.Lo-tol || want > g.Hi+tol {
		c.Errorf("%s: %s = %.12g [%.12g, %.12g], by definition %.12g (%s)", c.d, metric.Keys[k].Name, g.Value, g.Lo, g.Hi, want, g.Method)
	}
}

func (c *check) counts() {
	w, n := c.w, c.w.net
	bought, embedded, sw, nic, radix, ports := 0, 0, 0.0, 0.0, 0, 0
	half := 0.5 // a link is two arcs
	if n.Unidirectional {
		half = 1
	}
	for _, a := range w.arcs {
		end := a.from >= w.switches || a.to >= w.switches
		switch name := a.name; {
		case name == topology.ClassNic && end:
			nic += 0.5
		case name == topology.ClassNic:
			nic += half
		case name != topology.ClassInternal && name != topology.ClassScaleup:
			sw += half
		}
	}
	for s := range w.switches {
		if w.embedded[s] {
			if !w.relay[s] {
				embedded++
			}
			continue
		}
		bought++
		deg := len(w.out[s])
		if n.Unidirectional {
			deg += len(w.in[s])
		}
		radix, ports = max(radix, deg), ports+deg
	}
	c.is(metric.Endpoints, float64(w.n))
	c.is(metric.Switches, float64(bought))
	c.is(metric.EmbeddedSwitches, float64(embedded))
	c.is(metric.SwitchLinks, sw)
	c.is(metric.EndpointLinks, nic)
	c.is(metric.Radix, float64(radix))
	c.is(metric.PortsPerEndpoint, float64(ports)/float64(w.n))
}

// distances over shortest paths and over natural routes.
func (c *check) distances() {
	if c.dist = c.lengths(c.minimal, 1, nil); c.dist == nil {
		c.missing(metric.MeanPathLinks, metric.MaxPathLinks, metric.MeanPathSwitches, metric.MaxPathSwitches, metric.MeanHops, metric.MaxHops, metric.UniformThroughput, metric.Latency)
		return
	}
	if c.known && c.lengths(c.r, c.states, c.rule) == nil {
		c.Errorf("%s: natural routes lead not everywhere", c.d)
	}
}

// lengths compares links on the shortest legal routes, relaying endpoints passed, and hops without the first and
// the last nic link of those that have any, routes being taken as they split hop by hop; it gives those links by destination and source, nil if some are unreachable.
func (c *check) lengths(r0 *Result, states int, rule legal) [][]int {
	w := c.w
	links, hops, maxLinks, maxHops := 0, 0.0, 0, 0
	dist := make([][]int, w.n)
	for e := range w.n {
		r := w.routesTo(e, states, rule, -1)
		bare := r.withoutNic()
		for o := range w.n {
			l := r.from(o)
			if l == far {
				return nil
			}
			dist[e] = append(dist[e], l)
			h := l
			if bare[o] == 0 {
				h -= 2
			}
			if o != e {
				links, hops, maxLinks, maxHops = links+l, hops+float64(l)-2*(1-bare[o]), max(maxLinks, l), max(maxHops, h)
			}
		}
	}
	pairs := float64(w.n * (w.n - 1))
	c.in(r0, metric.MeanPathLinks, float64(links)/pairs)
	c.in(r0, metric.MaxPathLinks, float64(maxLinks))
	c.in(r0, metric.MeanPathSwitches, float64(links)/pairs-1)
	c.in(r0, metric.MaxPathSwitches, float64(maxLinks-1))
	c.in(r0, metric.MeanHops, hops/pairs)
	c.in(r0, metric.MaxHops, float64(maxHops))
	return dist
}

// missing metrics must be absent with a reason.
func (c *check) missing(keys ...metric.Key) {
	c.Helper()
	for _, k := range keys {
		c.compared++
		if c.r.Have[k] || c.r.Absent[k] == "" {
			c.Errorf("%s: %s = %g where endpoints cannot reach each other", c.d, metric.Keys[k].Name, c.r.Metrics[k].Value)
		}
	}
}

// failures: the mean over every failed switch that is bought.
func (c *check) failures() {
	w, sum, failed := c.w, 0, 0
	if c.dist == nil || w.switches*w.n > 1500 {
		return // a search for each failure and endpoint takes too long
	}
	for s := range w.switches {
		if w.embedded[s] {
			continue
		}
		failed++
		for e := range w.n {
			r := w.routesTo(e, 1, nil, s)
			for o := range w.n {
				if l := r.from(o); l == far {
					c.missing(metric.MeanPathLinksFail)
					return
				} else if o != e {
					sum += l
				}
			}
		}
	}
	if failed > 0 {
		c.is(metric.MeanPathLinksFail, float64(sum)/float64(failed)/float64(w.n*(w.n-1)))
	}
}

// throughputs under minimal routing, and under natural routing where the twin knows it.
func (c *check) throughputs() {
	if c.dist == nil {
		return
	}
	x := c.w.throughput(1, nil)
	if math.IsInf(x, 1) { // one switch: what endpoints send is all that there is
		c.is(metric.UniformThroughput, 1)
		return
	}
	c.in(c.minimal, metric.UniformThroughput, x)
	c.routesCounted()
	if c.d.Family.Name != "ubmesh" { // its closed form is of the natural ones among its shortest paths, which cross other cables than the rest
		c.latency(c.minimal, 1, nil)
	}
	if c.known {
		c.is(metric.UniformThroughput, c.w.throughput(c.states, c.rule))
		c.latency(c.r, c.states, c.rule)
	}
}
