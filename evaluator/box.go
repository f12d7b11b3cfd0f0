package evaluator

import (
	"math"

	"toposearch/catalog"
	"toposearch/topology"
)

// Box encloses the metrics of every design whose size lies between bl and bh, class by class and
// port by port. Cost and power are bounded from below by the cheapest switches that offer the
// least ports and the cheapest cables. Latency and throughput are bounded by what per, unless
// it is nil, says of the routes. It does not allocate.
func (e *Evaluator) Box(bl, bh *topology.Size, per *topology.PerEndpoint, out *Intervals) {
	countsBetween(bl, bh, out)
	var r rates
	var m money
	e.rate(bh, e.boardsOf(bl.Family), &r)
	same := bl.EndpointLanes == bh.EndpointLanes && bl.Lanes == bh.Lanes
	m.hi, m.hiW = math.Inf(1), math.Inf(1)
	ports := e.switchesAtLeast(bl, bh, &r, same, &m)
	// Ports in use cost at least their share of a full switch, in all classes together.
	switches, inUse := m.lo, 0.0
	out.set(PhysicalPorts, ports, math.Inf(1))
	for c := range bl.Family.LinkClasses {
		if r.kind[c] != linkBought || bl.Link[c] == 0 {
			continue
		}
		p := e.speedFor(bl, bh, &r, c, same)
		if p == nil {
			continue
		}
		least, leastW := float64(p.least), p.leastW
		if !same {
			least, leastW = float64(p.leastFrom), p.leastFromW
		}
		m.lo += float64(bl.Link[c]) * least
		m.loW += float64(bl.Link[c]) * leastW
		port := p.port
		if !same {
			port = p.portAny
		}
		inUse += float64(bl.Link[c]) * float64(r.ends[c]) * port
	}
	m.lo += max(0, inUse-switches)
	if per != nil && per.Known && !e.scaled(bl.Family) && !e.opt.built {
		e.boxRoutes(bl, bh, &r, per, out)
	}
	e.enclose(float64(bl.Endpoints), float64(bh.Endpoints), &m, out)
	e.racksAtLeast(float64(bl.Endpoints), out)
	out.Have[LeadTime] = false
	if l, h := float64(bl.Endpoints), float64(bh.Endpoints); l > 0 {
		var lo, hi float64
		for c := range bl.Family.LinkClasses {
			lo += float64(bl.Link[c]) * float64(r.ends[c])
			hi += float64(bh.Link[c]) * float64(r.ends[c])
		}
		out.set(PortsPerEndpoint, lo/h, hi/l)
	}
}

// boxRoutes bounds latency from below and throughput from above.
func (e *Evaluator) boxRoutes(bl, bh *topology.Size, r *rates, per *topology.PerEndpoint, out *Intervals) {
	f := bl.Family
	asked := e.opt.BandwidthGbps
	lane := asked / float64(max(bl.EndpointLanes, 1)) // of the fastest lanes in the box
	if asked == 0 {
		lane = defaultEndpointGbps / float64(max(bl.EndpointLanes, 1))
	}
	l := &e.opt.Latency
	least := e.leastM
	fastest, best := 0.0, math.Inf(1)
	mean, links := 0.0, 0.0
	for c := range f.LinkClasses {
		if r.kind[c] == linkInside {
			continue
		}
		gbps := lane * float64(max(bl.Lanes[c], bh.Lanes[c]))
		switch r.kind[c] {
		case linkScale:
			gbps = e.opt.ScaleupGbps
		case linkBought:
			if g, ok := e.sold(gbps); ok {
				gbps = float64(g)
			}
		}
		if bh.Link[c] > 0 {
			fastest = max(fastest, gbps)
		}
		if per.Load[c] > 0 && asked > 0 && (c > 0 || bl.EndpointPorts > 1) {
			best = min(best, gbps/asked/per.Load[c])
		}
		x := per.Cross[c]
		links += x
		onSwitches := float64(r.ends[c]) / 2
		mean += x * (onSwitches*l.SwitchNs + (1-onSwitches)*l.RelayNs)
		if r.kind[c] == linkBought {
			mean += x * least * l.CableNsPerM
		}
	}
	if fastest > 0 && links >= 1 {
		mean += l.NICNs - l.RelayNs + 8*float64(l.MTUBytes)/fastest
		out.set(Latency, mean*(1-1e-12), math.Inf(1))
	}
	switch e.opt.Routing {
	case "valiant":
		best /= 2
	case "", "natural":
	default:
		return
	}
	if !math.IsInf(best, 1) {
		out.set(UniformThroughput, 0, best*(1+1e-12))
	}
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
func (e *Evaluator) switchesAtLeast(bl, bh *topology.Size, r *rates, same bool, m *money) (ports float64) {
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
		price, watts, need := e.leastSwitch(buf[:n], same)
		m.lo += float64(bl.Switch[i].Count) * price
		m.loW += float64(bl.Switch[i].Count) * watts
		ports = max(ports, need)
	}
	return ports
}

// leastSwitch bounds price, draw and physical ports of a switch with at least the ports, at
// their rates or, if not same, at any faster.
func (e *Evaluator) leastSwitch(needs []catalog.PortNeed, same bool) (price, watts, ports float64) {
	if same && len(needs) > 1 {
		if low, ok := e.index.CheapestSwitch(needs); ok {
			price = float64(low)
		}
		if n, ok := e.index.PortsNeeded(needs); ok {
			ports = float64(n)
		}
		return price, e.leastSwitchW, ports
	}
	// Any one of the needs bounds: the same count at whatever rate costs least.
	for i := range needs {
		p := e.speedOf(float64(needs[i].Gbps))
		if p == nil {
			continue
		}
		least, fewest := p.cheapest, p.fewest
		if !same {
			least, fewest = p.leastAny, p.fewAny
		}
		if n := needs[i].Count; n < len(least) {
			price, ports = max(price, least[n]), max(ports, fewest[n])
			continue
		}
		// Beyond every model: as dear as the largest, and as many ports as its kind would need.
		price = max(price, least[len(least)-1])
		if n, ok := e.index.PortsNeeded(needs[i : i+1]); ok && same {
			ports = max(ports, float64(n))
		} else {
			ports = max(ports, fewest[len(fewest)-1])
		}
	}
	return price, e.leastSwitchW, ports
}
