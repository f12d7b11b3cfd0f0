package evaluator

import (
	"math"

	"toposearch/catalog"
	"toposearch/evaluator/metric"
	"toposearch/topology"
)

// Box encloses the metrics of every design whose size lies between bl and bh, class by class and
// port by port. Cost and power are bounded from below by the cheapest switches that offer the
// least ports and the cheapest cables, lead time by the parts that are delivered first. Latency, paths
// and throughput are bounded by what per, unless it is nil, says of the routes. out.Reject is set if
// there is no part for any of the designs. It does not allocate.
func (e *Evaluator) Box(bl, bh *topology.Size, per *topology.PerEndpoint, out *metric.Intervals) {
	countsBetween(bl, bh, out)
	var r rates
	var m money
	e.rate(bh, e.boardsOf(bl.Family), &r)
	same := bl.EndpointLanes == bh.EndpointLanes && bl.Lanes == bh.Lanes
	m.hi, m.hiW = math.Inf(1), math.Inf(1)
	if out.Reject = (metric.Reject{}); bl.Family.Place != nil && bl.Switches() > 0 { // there is something to place
		out.Reject = e.tooHot
	}
	ports := e.switchesAtLeast(bl, bh, &r, same, &m, out)
	out.Set(metric.PhysicalPorts, ports, math.Inf(1))
	var meanM [topology.MaxClasses]float64 // of cables, at least
	e.cablesAtLeast(bl, bh, per, &r, same, &m, &meanM, out)
	if per != nil && per.Known && !e.scaled(bl.Family) && !e.opt.built {
		e.boxRoutes(bl, bh, &r, per, &meanM, out)
	}
	if same && bl.EndpointPorts == bh.EndpointPorts && bl.Family.LinkClasses[0].Name == topology.ClassNic {
		m.hiW = math.Inf(1)
		e.countNICs(bl, &r, true, &m) // as many cards for each endpoint, of the same kind
	}
	e.lackMedia(bl, bh, &r, same, &m)
	e.enclose(float64(bl.Endpoints), float64(bh.Endpoints), &m, out)
	e.racksAtLeast(float64(bl.Endpoints), out)
	if bl.Family.NonBlocking != nil {
		out.Set(metric.NonblockingRegion, 0, float64(bh.Endpoints))
	}
	if l, h := float64(bl.Endpoints), float64(bh.Endpoints); l > 0 {
		var lo, hi float64
		for c := range bl.Family.LinkClasses {
			lo += float64(bl.Link[c]) * float64(r.ends[c])
			hi += float64(bh.Link[c]) * float64(r.ends[c])
		}
		out.Set(metric.PortsPerEndpoint, lo/h, hi/l)
		out.Set(metric.PortsBoughtPerEndpoint, lo/h*(1-1e-12), math.Inf(1)) // whole switches: those in use, and more
	}
}

// cablesAtLeast adds the cheapest cables of every class, as far as they reach, and what they need of
// switches beyond what is in m: ports in use cost at least their share of a full switch, in all classes
// together. It leaves the mean lengths that are known in meanM.
func (e *Evaluator) cablesAtLeast(bl, bh *topology.Size, per *topology.PerEndpoint, r *rates, same bool, m *money, meanM *[topology.MaxClasses]float64, out *metric.Intervals) {
	switches, inUse := m.lo, 0.0
	longest, total, copper, optical, most := 0.0, 0.0, 0.0, 0.0, 0.0
	for c := range bl.Family.LinkClasses {
		if r.kind[c] != linkBought {
			continue
		}
		p := e.speedFor(bl, bh, r, c, same)
		hi := float64(bh.Link[c])
		most += hi
		if !same || p == nil || !p.optical {
			copper += hi
		}
		if bl.Link[c] == 0 {
			continue
		}
		n := float64(bl.Link[c])
		if p == nil {
			out.Reject = metric.Reject{Constraint: metric.RejectRate, Got: e.fastest + 1, Bound: e.fastest}
			continue
		}
		least, leastW, port, lead, stock := float64(p.least), p.leastW, p.port, p.lead, p.stock
		if !same {
			least, leastW, port, lead, stock = float64(p.leastFrom), p.leastFromW, p.portAny, p.leadAny, p.stockAny
		} else if p.longest() < e.leastM {
			out.Reject = metric.Reject{Constraint: metric.RejectReach, Got: e.leastM, Bound: p.longest()}
		}
		if per != nil {
			if length, price, watts, ok := e.cablesOf(bh, per, c, p, same); ok {
				least, leastW, meanM[c] = max(least, price*metric.Below), max(leastW, watts*metric.Below), length*metric.Below
			}
		}
		m.noCost = m.noCost || e.lacksCable(bl.Family, per, c, p, same, meanM[c])
		m.lo += n * least
		m.loW += n * leastW
		m.leadLo = max(m.leadLo, lead)
		inUse += n * float64(r.ends[c]) * port
		out.CostCurve.Class(n, e.linksFor(bl, bh, r, per, c), least, float64(r.ends[c])*port)
		longest, total = max(longest, stock), total+n*stock
		if same && p.optical {
			optical += n
		}
	}
	out.CostCurve.Minor, out.CostCurve.Switches = e.minor, switches
	m.lo += max(0, inUse-switches)
	out.Set(metric.CableMax, longest, math.Inf(1))
	out.Set(metric.CableTotal, total*(1-1e-12), math.Inf(1))
	out.Set(metric.CablesCopper, 0, copper)
	out.Set(metric.CablesOptical, optical, most)
}

// linksFor is how many links of class c a uniform throughput of 1 needs at least, 0 if not known: they
// carry what crosses the class in both directions.
func (e *Evaluator) linksFor(bl, bh *topology.Size, r *rates, per *topology.PerEndpoint, c int) float64 {
	asked := e.opt.BandwidthGbps
	if per == nil || per.Flow[c] == 0 || asked == 0 || e.scaled(bl.Family) || e.opt.built {
		return 0
	}
	switch e.opt.Routing {
	case "", "natural", "valiant":
	default:
		return 0
	}
	return float64(bl.Endpoints) * asked * per.Flow[c] / (2 * e.fastestOf(bl, bh, r, c))
}

// fastestOf is the fastest rate that links of class c can have in the box, Gb/s.
func (e *Evaluator) fastestOf(bl, bh *topology.Size, r *rates, c int) float64 {
	asked := e.opt.BandwidthGbps
	if asked == 0 {
		asked = defaultEndpointGbps
	}
	gbps := asked / float64(max(bl.EndpointLanes, 1)) * float64(max(bl.Lanes[c], bh.Lanes[c]))
	switch r.kind[c] {
	case linkScale:
		return e.opt.ScaleupGbps
	case linkBought:
		if g, ok := e.sold(gbps); ok {
			return float64(g)
		}
	}
	return gbps
}

// boxRoutes bounds latency from below, with cables of these mean lengths at least, and throughput from
// above.
func (e *Evaluator) boxRoutes(bl, bh *topology.Size, r *rates, per *topology.PerEndpoint, meanM *[topology.MaxClasses]float64, out *metric.Intervals) {
	f := bl.Family
	asked := e.opt.BandwidthGbps
	l := &e.opt.Latency
	least := e.leastM
	fastest, best := 0.0, math.Inf(1)
	mean, links, hops := 0.0, 0.0, 0.0
	for c := range f.LinkClasses {
		if r.kind[c] == linkInside {
			continue
		}
		gbps := e.fastestOf(bl, bh, r, c)
		if bh.Link[c] > 0 {
			fastest = max(fastest, gbps)
		}
		if per.Load[c] > 0 && asked > 0 && (c > 0 || bl.EndpointPorts > 1) {
			best = min(best, gbps/asked/per.Load[c])
		}
		x := per.Cross[c]
		links += x
		if f.LinkClasses[c].Name != topology.ClassNic {
			hops += x
		}
		onSwitches := float64(r.ends[c]) / 2
		mean += x * (onSwitches*l.SwitchNs + (1-onSwitches)*l.RelayNs)
		if r.kind[c] == linkBought {
			mean += x * max(least, meanM[c]) * l.CableNsPerM
		}
	}
	if x := per.Hops - hops; x > 0 {
		hops, links = hops+x, links+x
		mean += x * min(l.SwitchNs, l.RelayNs)
	}
	pathsAtLeast(links, hops, out)
	if per.VCs > 0 {
		out.Set(metric.VCsMinimal, float64(per.VCs), math.Inf(1))
		out.Set(metric.VCsAdaptive, float64(per.VCs), math.Inf(1))
	}
	if fastest > 0 && links >= 1 {
		mean += l.NICNs - l.RelayNs + 8*float64(l.MTUBytes)/fastest
		out.Set(metric.Latency, mean*(1-1e-12), math.Inf(1))
	}
	switch e.opt.Routing {
	case "valiant":
		best /= 2
	case "", "natural":
	default:
		return
	}
	if !math.IsInf(best, 1) {
		out.Set(metric.UniformThroughput, 0, best*(1+1e-12))
	}
}

// pathsAtLeast bounds paths by the mean numbers of links, all but internal ones, and of those that are
// no nic links: of these all but two lie between the first and the last of a path.
func pathsAtLeast(links, hops float64, out *metric.Intervals) {
	links, hops = max(1, links*metric.Below), hops*metric.Below
	out.Set(metric.MeanPathLinks, links, math.Inf(1))
	out.Set(metric.MeanPathSwitches, links-1, math.Inf(1))
	out.Set(metric.MeanHops, hops, math.Inf(1))
	// The longest is a whole number that is not below the mean.
	longest := math.Ceil(links * metric.Below)
	out.Set(metric.MaxPathLinks, longest, math.Inf(1))
	out.Set(metric.MaxPathSwitches, longest-1, math.Inf(1))
	out.Set(metric.MaxHops, math.Ceil(hops*metric.Below), math.Inf(1))
}

// boardsOf are the link classes of a family that need no cable, from the placement of any of its
// designs.
func (e *Evaluator) boardsOf(f *topology.Family) uint32 {
	if b, ok := e.boards.Load(f); ok {
		return b.(uint32)
	}
	b := uint32(0)
	if v, ok := anyDesign(f); ok && f.Place != nil {
		b = boardSet(f.Place(v).Boards)
	}
	e.boards.Store(f, b)
	return b
}

// anyDesign finds valid values near the least ones.
func anyDesign(f *topology.Family) ([]int, bool) {
	v := make([]int, len(f.Params))
	var s topology.Size
	var try func(i int) bool
	try = func(i int) bool {
		if i == len(v) {
			return f.Size(v, &s) == nil
		}
		p := &f.Params[i]
		if p.Default != nil {
			v[i] = p.Default(v)
			return try(i + 1)
		}
		for x := p.Min; x <= min(p.Max, p.Min+16); x++ {
			v[i] = x
			if try(i + 1) {
				return true
			}
		}
		return false
	}
	return v, try(0)
}

// speedFor is the slowest rate that links of class c can have in the box.
func (e *Evaluator) speedFor(bl, bh *topology.Size, r *rates, c int, same bool) *speed {
	if same {
		return e.speedOf(r.link[c])
	}
	asked := e.opt.BandwidthGbps
	if asked == 0 {
		asked = defaultEndpointGbps
	}
	g, ok := e.sold(asked / float64(max(bh.EndpointLanes, 1)) * float64(min(bl.Lanes[c], bh.Lanes[c])))
	if !ok {
		return nil
	}
	return e.speedOf(float64(g))
}

// switchesAtLeast adds the cheapest switches that offer the least ports of each class, and
// returns the physical ports that the fullest occupies at least.
func (e *Evaluator) switchesAtLeast(bl, bh *topology.Size, r *rates, same bool, m *money, out *metric.Intervals) (ports float64) {
	var buf [topology.MaxClasses]catalog.PortNeed
	f := bl.Family
	for i := range f.SwitchClasses {
		if f.SwitchClasses[i].Embedded || bh.Switch[i].Count == 0 {
			continue
		}
		if bl.Switch[i].Count == 0 {
			continue
		}
		n := 0
		for c := range f.LinkClasses {
			k := int(bl.Switch[i].Ports[c])
			if k == 0 || r.ends[c] == 0 {
				continue
			}
			p := e.speedFor(bl, bh, r, c, same)
			if p == nil {
				continue
			}
			at := 0
			for at < n && buf[at].Gbps != p.gbps {
				at++
			}
			if at == n {
				buf[n] = catalog.PortNeed{Gbps: p.gbps}
				n++
			}
			buf[at].Count += k
		}
		if n == 0 {
			continue
		}
		b := e.leastSwitch(buf[:n], same)
		count := float64(bl.Switch[i].Count)
		m.lo += count * b.price
		m.loW += count * b.watts
		m.leadLo = max(m.leadLo, b.lead)
		ports = max(ports, b.ports)
		m.noCost = m.noCost || !b.none && e.unpricedSwitch(buf[:n], same)
		if b.none {
			out.Reject = e.tooFew(buf[:n])
		}
	}
	return ports
}

// switchBound is what a switch with at least some ports costs, in minor units, draws, occupies of
// physical ports, and takes until it is delivered, in weeks. none tells that no model has so many.
type switchBound struct {
	price, watts, ports, lead float64
	none                      bool
}

// leastSwitch bounds a switch with at least the ports, at their rates or, if not same, at any faster.
func (e *Evaluator) leastSwitch(needs []catalog.PortNeed, same bool) (b switchBound) {
	b.watts = e.leastSwitchW
	together := same && len(needs) > 1
	if together {
		low, ok := e.index.CheapestSwitch(needs)
		if b.none = !ok; ok {
			b.price = float64(low)
		}
		if n, ok := e.index.PortsNeeded(needs); ok {
			b.ports = float64(n)
		}
	}
	// Any one of the needs bounds: the same count at whatever rate costs least.
	for i := range needs {
		p := e.speedOf(float64(needs[i].Gbps))
		if p == nil {
			continue
		}
		least, fewest, soonest, coolest := p.cheapest, p.fewest, p.soonest, p.coolest
		if !same {
			least, fewest, soonest, coolest = p.leastAny, p.fewAny, p.soonAny, p.coolAny
		}
		if n := needs[i].Count; n < len(least) {
			b.lead, b.watts = max(b.lead, soonest[n]), max(b.watts, coolest[n])
			if !together {
				b.price, b.ports = max(b.price, least[n]), max(b.ports, fewest[n])
			}
			continue
		}
		// Beyond every model: as dear as the largest, and as many ports as its kind would need.
		b.none = true
		if together {
			continue
		}
		b.price = max(b.price, least[len(least)-1])
		if n, ok := e.index.PortsNeeded(needs[i : i+1]); ok && same {
			b.ports = max(b.ports, float64(n))
		} else {
			b.ports = max(b.ports, fewest[len(fewest)-1])
		}
	}
	return b
}
