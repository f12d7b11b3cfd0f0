package evaluator

import (
	"math"
	"strings"
	"testing"

	"toposearch/catalog"
	"toposearch/topology"
	"toposearch/topology/family"
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
// definition in DESIGN.md sections 3 and 5, on the network written down link by link.
func TestDefinitions(t *testing.T) {
	e := newEvaluator(t, Options{})
	m := newEvaluator(t, Options{Routing: "minimal"})
	sold := soldRates(e.opt.Catalog)
	designs, compared, seen := 0, 0, map[string]bool{}
	for _, f := range family.All() {
		rng := rngOf("definitions " + f.Name)
		for _, d := range sample(f, rng, few(4), 70) {
			if seen[d.String()] {
				continue
			}
			seen[d.String()] = true
			n, err := d.Build()
			if err != nil {
				t.Fatalf("%s: %v", d, err)
			}
			if n.Switches()+n.Endpoints() > 400 || n.Channels() > 4000 {
				continue
			}
			c := check{T: t, e: e, d: d, w: twinOf(d, n, defaultEndpointGbps, sold),
				r: evaluate(t, e, d, Request{Level: 2}), minimal: evaluate(t, m, d, Request{Keys: []Key{UniformThroughput}})}
			c.counts()
			c.distances()
			c.failures()
			c.throughputs()
			c.longest()
			c.cuts(rng)
			designs, compared = designs+1, compared+c.compared
		}
	}
	if designs < 30 {
		t.Errorf("only %d designs were compared", designs)
	}
	t.Logf("%d designs, %d figures", designs, compared)
}

// check compares what was evaluated with what the twin counts.
type check struct {
	*testing.T
	e        *Evaluator
	d        topology.Design
	w        *twin
	r        *Result
	minimal  *Result
	compared int
	dist     [][]int // by destination and source; nil if some are unreachable
}

func (c *check) is(k Key, want float64) { c.in(c.r, k, want) }

func (c *check) in(r *Result, k Key, want float64) {
	c.Helper()
	if !r.Have[k] {
		c.Errorf("%s: %s is absent (%s), by definition %.12g", c.d, Keys[k].Name, r.Absent[k], want)
		return
	}
	c.compared++
	g := r.Metrics[k]
	if tol := 1e-9 * math.Max(1, math.Abs(want)); want < g.Lo-tol || want > g.Hi+tol {
		c.Errorf("%s: %s = %.12g [%.12g, %.12g], by definition %.12g (%s)", c.d, Keys[k].Name, g.Value, g.Lo, g.Hi, want, g.Method)
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
		switch name := n.LinkClasses[a.class].Name; {
		case name == topology.ClassNic && end:
			nic += 0.5
		case name == topology.ClassNic:
			nic += half
		case name != topology.ClassInternal && name != topology.ClassScaleup:
			sw += half
		}
	}
	for s := range w.switches {
		class := n.SwitchClasses[n.Class(topology.SwitchID(s))]
		if class.Embedded {
			if !class.Relay {
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
	c.is(Endpoints, float64(w.n))
	c.is(Switches, float64(bought))
	c.is(EmbeddedSwitches, float64(embedded))
	c.is(SwitchLinks, sw)
	c.is(EndpointLinks, nic)
	c.is(Radix, float64(radix))
	c.is(PortsPerEndpoint, float64(ports)/float64(w.n))
}

// distances: links on a shortest route, relaying endpoints passed; hops without the first and the
// last nic link.
func (c *check) distances() {
	w := c.w
	links, hops, maxLinks, maxHops := 0, 0, 0, 0
	c.dist = make([][]int, w.n)
	for e := range w.n {
		r, bare := w.routesTo(e, 1, nil, -1, false), w.routesTo(e, 1, nil, -1, true)
		for o := range w.n {
			l := r.from(o)
			if l == far {
				c.dist = nil
				c.missing(MeanPathLinks, MaxPathLinks, MeanPathSwitches, MaxPathSwitches, MeanHops, MaxHops, UniformThroughput, Latency)
				return
			}
			c.dist[e] = append(c.dist[e], l)
			h := l
			if bare.from(o) > l {
				h -= 2
			}
			if o != e {
				links, hops, maxLinks, maxHops = links+l, hops+h, max(maxLinks, l), max(maxHops, h)
			}
		}
	}
	pairs := float64(w.n * (w.n - 1))
	c.is(MeanPathLinks, float64(links)/pairs)
	c.is(MaxPathLinks, float64(maxLinks))
	c.is(MeanPathSwitches, float64(links)/pairs-1)
	c.is(MaxPathSwitches, float64(maxLinks-1))
	c.is(MeanHops, float64(hops)/pairs)
	c.is(MaxHops, float64(maxHops))
}

// missing metrics must be absent with a reason.
func (c *check) missing(keys ...Key) {
	c.Helper()
	for _, k := range keys {
		c.compared++
		if c.r.Have[k] || c.r.Absent[k] == "" {
			c.Errorf("%s: %s = %g where endpoints cannot reach each other", c.d, Keys[k].Name, c.r.Metrics[k].Value)
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
		if w.net.Embedded(topology.SwitchID(s)) {
			continue
		}
		failed++
		for e := range w.n {
			r := w.routesTo(e, 1, nil, s, false)
			for o := range w.n {
				if l := r.from(o); l == far {
					c.missing(MeanPathLinksFail)
					return
				} else if o != e {
					sum += l
				}
			}
		}
	}
	if failed > 0 {
		c.is(MeanPathLinksFail, float64(sum)/float64(failed)/float64(w.n*(w.n-1)))
	}
}

// throughputs under minimal routing, and under natural routing where the twin knows it.
func (c *check) throughputs() {
	if c.dist == nil {
		return
	}
	x := c.w.throughput(1, nil)
	if math.IsInf(x, 1) {
		c.missing(UniformThroughput)
		return
	}
	c.in(c.minimal, UniformThroughput, x)
	c.latency()
	c.routesCounted()
	if states, rule := naturalRule(c.d, c.w); rule != nil {
		x := c.w.throughput(states, rule)
		c.is(UniformThroughput, x)
	} else if strings.Contains(c.r.Metrics[UniformThroughput].Method, "(minimal)") {
		c.is(UniformThroughput, x)
	}
}
