package evaluator

import (
	"math"

	"toposearch/evaluator/market"
	"toposearch/routing"
	"toposearch/topology"
)

// ScaleupDomain is the scale-up domain that the options ask for: the endpoints of a server unless
// it says how many.
func (o *Options) ScaleupDomain() topology.Domain {
	d := o.Domain
	if d.Endpoints == 0 {
		if d.Endpoints = o.PerServer; d.Endpoints == 0 {
			d.Endpoints = DefaultPerServer
		}
	}
	return d
}

// For is the options with the scale-up domain that a design names; o itself if it names none.
func (o *Options) For(d topology.Design) *Options {
	dom, named := d.Scaleup()
	if !named {
		return o
	}
	own := o.with(dom)
	return &own
}

// with are the options where every design has scale-up domains like dom, of one endpoint none.
func (o *Options) with(dom topology.Domain) Options {
	own := *o
	own.Domain, own.Scaleup = dom, dom.Endpoints > 1
	return own
}

// countedDomain is the domain whose parts are counted, the zero value if there is none.
func (o *Options) countedDomain() (d topology.Domain) {
	if o.Scaleup && o.CountScaleup {
		d = o.ScaleupDomain()
	}
	return d
}

// Scaled tells whether endpoints of a family's designs get a scale-up domain that the family does
// not have by itself: any if it has none, and one of switches in place of its meshes.
func (o *Options) Scaled(f *topology.Family) bool {
	return o.Scaleup && o.ScaleupDomain().Endpoints >= 2 && (o.Domain.Levels > 0 || !f.HasScaleup())
}

// mostScaleupLanes bounds how many lanes of the network a link of scale-up switches is taken to
// have where lanes are counted, as in a simulation: a channel of eight times the rate of an
// endpoint's port is no bottleneck, and more would only cost simulated cycles.
const mostScaleupLanes = 8

// Network builds a design as the options ask for it: with its scale-up domains, where it has any,
// of links of whole lanes.
func (o *Options) Network(d topology.Design) (*topology.Network, error) {
	o = o.For(d)
	n, err := d.Build()
	if err != nil || !o.Scaled(d.Family) {
		return n, err
	}
	dom := o.ScaleupDomain()
	if dom.Levels > 0 {
		asked, gbps := o.BandwidthGbps, o.ScaleupGbps
		def(&asked, market.DefaultEndpointGbps)
		def(&gbps, defaultScaleupGbps)
		lane := asked / float64(max(n.EndpointLanes, 1))
		first, second := dom.LinkGbps(gbps)
		for i, x := range []float64{first, second} {
			dom.Lanes[i] = int32(min(max(1, math.Round(x/lane)), mostScaleupLanes))
		}
	}
	return topology.WithDomain(n, dom)
}

// Natural is the natural routing of a design as the options ask for it: the family's, and where it has
// scale-up domains, through those of source and destination as well. All shortest paths if the family
// names none, or none that can do without the hops so far.
func (o *Options) Natural(d topology.Design) topology.Rule {
	o = o.For(d)
	f := d.Family
	if f.Natural == nil {
		return topology.Minimal()
	}
	rule := f.Natural(d.V)
	if !o.Scaled(f) {
		return rule
	}
	dom := o.ScaleupDomain()
	rule, ok := dom.Rule(rule, f.LinkClasses, f.SwitchClasses)
	if !ok || rule.States > routing.MaxStates {
		return topology.Minimal()
	}
	return rule
}
