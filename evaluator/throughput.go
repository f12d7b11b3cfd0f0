package evaluator

import (
	"fmt"
	"math"

	"toposearch/evaluator/metric"
	"toposearch/simcore/routing"
	"toposearch/topology"
)

var throughputGroup = group{
	keys: []metric.Key{metric.UniformThroughput},
	methods: []method{
		{name: "closed form of the natural routes", level: 0, applies: func(w *work) string {
			switch {
			case w.size.Endpoints < 2:
				return "there is no pair of endpoints"
			case w.res.Reject.Constraint == metric.RejectRate:
				return w.res.Reject.Words()
			case !knownRouting(w.e.opt.Routing):
				return fmt.Sprintf("no analytic model of routing %q; there are natural, minimal and valiant", w.e.opt.Routing)
			case w.e.opt.Routing == "minimal" && w.d.Family.Natural != nil:
				return "natural routes are not all shortest ones"
			case w.naturalPaths() == nil:
				return "no closed form of the routes"
			}
			return ""
		}, run: runClosedThroughput},
		{name: "loads of every channel", level: 2, built: true, applies: func(w *work) string {
			switch {
			case w.size.Endpoints < 2:
				return "there is no pair of endpoints"
			case w.res.Reject.Constraint == metric.RejectRate:
				return w.res.Reject.Words()
			case !knownRouting(w.e.opt.Routing):
				return fmt.Sprintf("no analytic model of routing %q; there are natural, minimal and valiant", w.e.opt.Routing)
			}
			return ""
		}, cost: func(w *work) float64 {
			dests := w.sets()
			if o := w.symmetry(); o.Endpoints != nil && o.EvenLinks && !w.e.opt.built {
				dests = float64(len(o.Endpoints))
			}
			return dests*3*(w.channels()+w.vertices())*float64(max(w.rule().States, 1)) + w.compileNs()
		}, run: runLoadThroughput},
	},
}

func knownRouting(name string) bool {
	switch name {
	case "", "natural", "minimal", "valiant":
		return true
	}
	return false
}

// rule is the routing that throughput is computed under; Valiant's phases use the natural one.
func (w *work) rule() topology.Rule {
	if w.e.opt.Routing == "minimal" {
		return topology.Minimal()
	}
	return w.natural
}

// phases is the number of times that traffic crosses the network: Valiant sends it to a random
// endpoint first, and both phases are uniform.
func (w *work) phases() float64 {
	if w.e.opt.Routing == "valiant" {
		return 2
	}
	return 1
}

// routingText names the routing in a method.
func (w *work) routingText() string {
	r := w.rule()
	switch w.e.opt.Routing {
	case "valiant":
		return "valiant routing over " + r.Name + " routes"
	case "minimal":
		return "minimal routing"
	}
	return "natural routing (" + r.Name + ")"
}

// limit is what bounds a uniform load.
type limit struct {
	throughput, lanes float64 // with the rates bought; with those of the lanes alone
	class             int     // of the family; -1 if nothing limits
}

// closedLimit is the least capacity over load among the link classes: the mean load of a class
// follows from how often routes cross it, the largest from its peak. Links of endpoints count
// where endpoints have several or relay.
func closedLimit(s *topology.Size, r *rates, p *topology.Paths) limit {
	l := limit{math.Inf(1), math.Inf(1), -1}
	f := s.Family
	total := float64(p.Sums.Pairs)
	for c := range f.LinkClasses {
		sum := float64(p.Sums.Cross[c])
		if sum == 0 || r.kind[c] == linkInside || c == 0 && (s.EndpointPorts <= 1 || f.Unidirectional) {
			continue
		}
		channels := 2 * float64(s.Link[c])
		if f.Unidirectional {
			channels = float64(s.Link[c])
		}
		load := sum / total * float64(s.Endpoints) / channels * p.Peak[c]
		if t := r.capacity(c) / load; t < l.throughput {
			l.throughput, l.class = t, c
		}
		l.lanes = min(l.lanes, float64(s.Lanes[c])/float64(s.EndpointLanes)/load)
	}
	return l
}

func runClosedThroughput(w *work) error {
	l := closedLimit(w.size, &w.rates, w.naturalPaths())
	w.setThroughput(l, w.routingText()+", load of the busiest channel of each class in closed form, exact")
	return nil
}

// insideSwitches is why a throughput is 1 where routes cross no link between switches.
const insideSwitches = "traffic stays inside switches: no link of the network limits it, but the endpoints' own ports"

func (w *work) setThroughput(l limit, text string) {
	if l.class < 0 { // a single switch: absent, it would fail every limit, and no front would hold one
		w.exact(metric.UniformThroughput, 1, insideSwitches)
		w.res.Bottleneck = "ports of the endpoints limit uniform traffic to 1 of the bandwidth"
		return
	}
	x := l.throughput / w.phases()
	w.res.LaneThroughput = l.lanes / w.phases()
	w.throughput = l.throughput
	w.exact(metric.UniformThroughput, x, text)
	name := "ports of the endpoints"
	if l.class == len(w.d.Family.LinkClasses) {
		name = "scale-up links"
	}
	if l.class < len(w.d.Family.LinkClasses) && l.class != 0 {
		c := w.d.Family.LinkClasses[l.class]
		name = fmt.Sprintf("%s links of %g Gb/s", c.Name, w.rates.link[l.class])
	} else if l.class == 0 {
		name = fmt.Sprintf("%s of %g Gb/s", name, w.rates.link[0])
	}
	w.res.Bottleneck = fmt.Sprintf("%s limit uniform traffic to %.4g of the bandwidth", name, x)
}

// runLoadThroughput computes the load of every channel of the built network.
func runLoadThroughput(w *work) error {
	opt := routing.LoadOptions{Workers: w.e.opt.Workers}
	if o := w.symmetry(); o.Endpoints != nil && o.EvenLinks && !w.e.opt.built {
		opt.Orbits, opt.Even = o.Endpoints, true
	}
	l, err := routing.UniformLoads(w.ctx, w.net, w.rule(), opt)
	if err != nil {
		return err
	}
	if l.UnreachablePairs > 0 {
		w.absent(metric.UniformThroughput, fmt.Sprintf("%.0f of %.0f endpoint pairs are unreachable", l.UnreachablePairs, l.Pairs))
		return nil
	}
	if !l.Exact {
		w.absent(metric.UniformThroughput, "channels of a kind are not equally loaded: "+l.Method)
		return nil
	}
	w.setThroughput(w.loadLimit(l), w.routingText()+", "+l.Method)
	return nil
}

// loadLimit is the least capacity over load among channels, and the ports of endpoints where
// they have several.
func (w *work) loadLimit(l *routing.Loads) limit {
	classes := w.classIn(w.net)
	out := limit{math.Inf(1), math.Inf(1), -1}
	for _, k := range l.Kinds {
		i := int(k.Kind.Link)
		if k.Max == 0 || w.net.LinkClasses[i].Name == topology.ClassInternal {
			continue
		}
		if t := classes[i].gbps / w.rates.bandwidth / k.Max; t < out.throughput {
			out.throughput, out.class = t, classes[i].class
			if out.class < 0 {
				out.class = len(w.d.Family.LinkClasses)
			}
		}
		out.lanes = min(out.lanes, float64(w.net.Lanes[i])/float64(w.net.EndpointLanes)/k.Max)
	}
	ports := *l
	ports.Kinds = nil
	if p := ports.Throughput(w.net); !p.None {
		// In lanes; the rate bought for a port may be higher.
		asked := w.rates.lane * float64(w.size.Lanes[0])
		t := p.Throughput * w.rates.link[0] / asked * (w.rates.lane * float64(w.size.EndpointLanes) / w.rates.bandwidth)
		if t < out.throughput {
			out.throughput, out.class = t, 0
		}
		out.lanes = min(out.lanes, p.Throughput)
	}
	return out
}
