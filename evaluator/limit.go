package evaluator

import (
	"math"

	"toposearch/evaluator/route"
	"toposearch/routing"
	"toposearch/topology"
)

// What limits a traffic by the loads that it makes.

// same is the part of two sums of loads in which they may differ by rounding alone.
const same = 1e-9

// netClass maps a link class of the built network to that of the family (-1: added with servers)
// its rate, and for added ones how many of a link's ends are on scale-up switches.
type netClass struct {
	class int
	gbps  float64
	ends  float64
}

// classIn maps the classes of the built network: with added servers the family's move up by one.
func (w *work) classIn(n *topology.Network) (out [topology.MaxClasses]netClass) {
	f := w.d.Family
	shift := 0
	if len(n.LinkClasses) > len(f.LinkClasses) && n.LinkClasses[0].Name != f.LinkClasses[0].Name {
		shift = 1
	}
	dom := w.e.opt.ScaleupDomain()
	first, second := dom.LinkGbps(w.e.opt.ScaleupGbps)
	for i := range n.LinkClasses {
		c, name := i-shift, n.LinkClasses[i].Name
		own := c >= 0 && c < len(f.LinkClasses) && !(w.e.scaled(f) && topology.IsScaleup(name))
		switch {
		case own:
			out[i] = netClass{class: c, gbps: w.rates.Link[c]}
		case name == topology.ClassScaleup2:
			out[i] = netClass{-1, second, 2}
		case name == topology.ClassScaleup:
			out[i] = netClass{-1, first, float64(min(dom.Levels, 1))}
		default:
			out[i] = netClass{-1, w.rates.Bandwidth, 0}
		}
	}
	return out
}

// loadLimit is the least capacity over load among channels, and the ports of endpoints where
// they have several.
func (w *work) loadLimit(l *routing.Loads) route.Limit { return w.loadLimitIn(w.net, l) }

// loadLimitIn is loadLimit of n, the built network or what failures left of it.
func (w *work) loadLimitIn(n *topology.Network, l *routing.Loads) route.Limit {
	classes := w.classIn(n)
	out := route.Limit{Throughput: math.Inf(1), Lanes: math.Inf(1)}
	for _, k := range l.Kinds {
		i := int(k.Kind.Link)
		if k.Max == 0 || n.LinkClasses[i].Name == topology.ClassInternal {
			continue
		}
		if t := classes[i].gbps / w.rates.Bandwidth / k.Max; t < out.Throughput {
			out.Throughput, out.Class, out.Limited = t, classes[i].class, true
			if out.Class < 0 {
				out.Class = len(w.d.Family.LinkClasses)
			}
		}
		out.Lanes = min(out.Lanes, float64(n.Lanes[i])/float64(n.EndpointLanes)/k.Max)
	}
	ports := *l
	ports.Kinds = nil
	if p := ports.Throughput(n); !p.None {
		// In lanes; the rate bought for a port may be higher.
		asked := w.rates.Lane * float64(w.size.Lanes[0])
		t := p.Throughput * w.rates.Link[0] / asked * (w.rates.Lane * float64(w.size.EndpointLanes) / w.rates.Bandwidth)
		if t < out.Throughput {
			out.Throughput, out.Class, out.Limited = t, 0, true
		}
		out.Lanes = min(out.Lanes, p.Throughput)
	}
	return out
}

// linkCapacity gives what a link of a class carries, in bandwidths of an endpoint.
func (w *work) linkCapacity() func(link int) float64 {
	classes := w.classIn(w.net)
	return func(link int) float64 { return classes[link].gbps / w.rates.Bandwidth }
}
