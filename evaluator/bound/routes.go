package bound

import (
	"math"

	"toposearch/evaluator/market"
	"toposearch/evaluator/metric"
	"toposearch/topology"
)

// routes adds what follows from routes: of one design from their closed forms, where those take long or are not known
// from bounds of them; of several from bounds.
func (e *enclosure) routes() {
	if !e.l.ownRoutes || e.b.Hi.Endpoints < 2 {
		return
	}
	f, exact := e.b.Lo.Family, false
	if e.b.Single() {
		exact = !(f.Walks != nil && f.Walks(e.b.V)) && e.m.routesExactly(e.b.V, e.b.Lo, e.l, e.out)
		if exact && !e.m.opt.Graph {
			return
		}
	}
	near := e.reaches()
	shortest, taken := near.mean, 0.0
	switch {
	case exact:
		taken = e.channels(e.out.At[metric.MeanPathLinks].Lo)
		if e.l.paths.Shortest {
			shortest = max(shortest, taken*metric.Below)
		}
	case e.b.Single():
		taken = e.routesUnwalked(&near)
	default:
		taken = e.routesAtLeast(e.b.Per, &near)
	}
	e.byCapacity(shortest, taken*metric.Below)
	if e.m.opt.Graph {
		e.rules(&near)
		e.byHalves()
	}
}

// channels is how many channels between switches, embedded ones included, a path of so many links crosses.
func (e *enclosure) channels(links float64) float64 {
	if e.b.Lo.Family.LinkClasses[0].Name == topology.ClassInternal {
		return links
	}
	return links - 2
}

// rules encloses virtual channels, and the longest distance between switches.
func (e *enclosure) rules(r *reach) {
	f, out := e.b.Lo.Family, e.out
	vcs := 1.0
	if f.Natural == nil { // a VC per hop
		vcs = max(vcs, r.most)
	}
	out.Set(metric.GraphDiameter, r.most, inf)
	e.vcsAtLeast(vcs)
}

// vcsAtLeast raises the bound of virtual channels. Routes through a random intermediate take those of both legs, which
// are natural routes where endpoints have one way into the network. Without a link between switches nothing waits on channels.
func (e *enclosure) vcsAtLeast(vcs float64) {
	f, out := e.b.Lo.Family, e.out
	out.Set(metric.VCsMinimal, max(vcs, out.At[metric.VCsMinimal].Lo), inf)
	if (e.b.Hi.EndpointPorts == 1 || f.LinkClasses[0].Name == topology.ClassInternal) && e.b.Lo.SwitchLinks() > 0 {
		vcs *= 2
	}
	out.Set(metric.VCsAdaptive, max(vcs, out.At[metric.VCsAdaptive].Lo), inf)
}

// routesUnwalked encloses the metrics of routes that only a walk over ports or the network tells, by what the family
// says of the design as a box of one. The throughput that is known already is left.
func (e *enclosure) routesUnwalked(r *reach) (taken float64) {
	f, s, out := e.b.Lo.Family, e.b.Lo, e.out
	e.l.unwalked = true
	known, x := out.Have[metric.UniformThroughput], out.At[metric.UniformThroughput]
	f.BoundPerEndpoint(e.b.V, e.b.V, s.Endpoints, s.Endpoints, &e.l.per)
	taken = e.routesAtLeast(&e.l.per, r)
	if known {
		out.At[metric.UniformThroughput] = x
	}
	return taken
}

// noneKnown says nothing of routes.
var noneKnown topology.PerEndpoint

// routesAtLeast bounds paths and latency from below, with cables at least as long as is known, and throughput
// from above, by what is known of the routes and by how near endpoints can be. It gives the channels between switches
// that a route crosses at least, on average.
func (e *enclosure) routesAtLeast(per *topology.PerEndpoint, near *reach) (taken float64) {
	if per == nil {
		per = &noneKnown
	}
	f, r, out := e.b.Lo.Family, e.r, e.out
	asked, stated := e.m.market.AskedGbps()
	model := &e.m.opt.Latency
	fastest, best, step, uneven := 0.0, inf, inf, per.Uneven
	mean, links, hops := 0.0, 0.0, 0.0
	nics := 0.0                        // links of a path that are no hops
	cables, most, far := 0.0, 0.0, 0.0 // metres of cable on a path at least, of one cable of a class at most of those bounds, and on a path at most
	for c := range f.LinkClasses {
		if r.Kind[c] == market.Inside {
			continue
		}
		gbps := e.fastest(c)
		if e.b.Hi.Link[c] > 0 {
			fastest = max(fastest, gbps)
			if skips(r.Kind[c]) {
				uneven = 0
			}
		}
		if per.Load[c] > 0 && stated && (c > 0 || e.b.Lo.EndpointPorts > 1) {
			best = min(best, gbps/asked/per.Load[c])
		}
		x := e.m.crosses(f, per, c)
		nic := f.LinkClasses[c].Name == topology.ClassNic
		if nic {
			nics = 2
		}
		links += x
		if !nic {
			hops += x
		}
		onSwitches := float64(r.Ends[c]) / 2
		each := onSwitches*model.SwitchNs + (1-onSwitches)*model.RelayNs
		if r.Kind[c] == market.Cable {
			least := max(e.m.shortestM, e.l.meanM[c])
			each += least * model.CableNsPerM
			cables, most = cables+x*least, max(most, least)
			if p := e.slowest(c); p != nil && e.known {
				far += x * p.ReachM
			}
		}
		mean += x * each
		if c > 0 && e.b.Hi.Link[c] > 0 {
			step = min(step, each)
		}
	}
	if x := max(per.Hops-hops, near.mean-e.channels(links)); x > 0 && !math.IsInf(step, 1) {
		hops, links = max(hops, links+x-nics), links+x
		mean += x * step
		cables += x * most
	}
	e.l.cablesM, e.l.acrossM = cables, min(far, e.m.acrossM(f, e.b.Lo.Endpoints, uneven))
	mean += max(0, e.l.acrossM-cables) * model.CableNsPerM
	hops = max(hops, per.Hops)
	e.pathsAtLeast(links, hops, near, nics)
	if per.VCs > 0 {
		e.vcsAtLeast(float64(per.VCs))
	}
	if fastest > 0 && links >= 1 {
		// Where nothing is known of the switches on the way, less than nothing is left without the last, which relays nothing.
		if mean += model.NICNs - model.RelayNs + 8*float64(model.MTUBytes)/fastest; mean > 0 {
			out.Set(metric.Latency, mean*metric.Below, inf)
		}
	}
	if phases, ok := e.m.closedRouting(e.b.Lo, e.b.Hi); ok && !math.IsInf(best, 1) {
		out.Set(metric.UniformThroughput, 0, best/phases.Lo*above)
	}
	return max(0, e.channels(links))
}

// crosses is how many links of class c a route crosses at least, on average.
func (m *Model) crosses(f *topology.Family, per *topology.PerEndpoint, c int) float64 {
	x := per.Cross[c]
	if m.opt.Routing != "minimal" {
		x = max(x, per.Flow[c]) // natural routes, where these are longer
	}
	if c == 0 && f.LinkClasses[c].Name == topology.ClassNic {
		x = max(x, 2)
	}
	return x
}

// pathsAtLeast bounds paths by the mean numbers of links, all but internal ones, and of those that are
// no nic links: of these all but as many as nics lie between the first and the last of a path.
func (e *enclosure) pathsAtLeast(links, hops float64, near *reach, nics float64) {
	out := e.out
	links, hops = max(1, links*metric.Below), hops*metric.Below
	out.Set(metric.MeanPathLinks, links, inf)
	out.Set(metric.MeanPathSwitches, links-1, inf)
	out.Set(metric.MeanHops, hops, inf)
	// The longest is a whole number that is not below the mean, and crosses at least near.most channels between switches.
	longest := max(math.Ceil(links*metric.Below), near.most+2-e.channels(2))
	out.Set(metric.MaxPathLinks, longest, inf)
	out.Set(metric.MaxPathSwitches, longest-1, inf)
	out.Set(metric.MaxHops, max(math.Ceil(hops*metric.Below), longest-nics), inf)
}
