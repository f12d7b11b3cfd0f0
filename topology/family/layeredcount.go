package family

import "toposearch/topology"

func layeredCount(v []int, relay bool, s *topology.Size) {
	var l layeredNet
	l.decode(v, relay)
	nic := layeredNic(relay)
	s.Endpoints = int64(l.n[0])
	if relay {
		s.Link[0] = s.Endpoints
		s.Switch[layeredClass(0)].Ports[0] = 1
		s.Switch[layeredClass(0)].Count = s.Endpoints
	}
	for i := 1; i < layeredLayers; i++ {
		s.Switch[layeredClass(i)].Count = int64(l.n[i])
	}
	for i := range l.pair {
		p, of := &l.pair[i], layeredPairOf[i]
		if !p.on() {
			continue
		}
		lower, upper, class := l.n[of[0]], l.n[of[1]], layeredPairClass(relay, i)
		s.Link[class] += int64(lower) * int64(p.e)
		s.Lanes[class] = int32(p.rate)
		if of[0] > 0 || relay {
			s.Switch[layeredClass(of[0])].Ports[class] += int32(p.e)
		}
		if of[0] == 0 {
			s.EndpointPorts += int32(p.e)
		}
		// The first node of the first block has most: block 0 is the partner of every hj-th, each of which begins to deal out
		// its links with that node.
		block, part := max(lower/p.hi, 1), max(upper/p.hj, 1)
		s.Switch[layeredClass(of[1])].Ports[class] += int32((p.hi + p.hj - 1) / p.hj * ((block*p.e + part - 1) / part))
	}
	s.EndpointLanes = s.EndpointPorts * s.Lanes[nic]
	var facts *layeredFacts
	for k := range layeredInners(relay) {
		layer, class := layeredInnerOf[k], layeredInnerClass(relay, k)
		if !l.in[layer].on() || l.n[layer] == 0 {
			continue
		}
		if facts == nil {
			facts = layeredKnown(v, &l)
		}
		s.Link[class], s.Lanes[class] = facts.links[layer], int32(l.in[layer].rate)
		s.Switch[layeredClass(layer)].Ports[class] = facts.ports[layer]
		if layer == 0 {
			s.EndpointPorts += facts.ports[0]
			s.EndpointLanes += facts.ports[0] * int32(l.in[0].rate)
		}
	}
	s.EndpointPorts, s.EndpointLanes = max(s.EndpointPorts, 1), max(s.EndpointLanes, 1)
}

// layeredBounds encloses the counts of a box from the ranges of each hyperparameter: links of a pair by those of a node, links
// within a layer by their attempts.
func layeredBounds(lo, hi []int, relay bool, bl, bh *topology.Size) {
	var a, b layeredNet
	a.decode(lo, relay)
	b.decode(hi, relay)
	nic := layeredNic(relay)
	bl.Endpoints, bh.Endpoints = int64(a.n[0]), int64(b.n[0])
	if relay {
		bl.Link[0], bh.Link[0] = bl.Endpoints, bh.Endpoints
		for _, s := range []*topology.Size{bl, bh} {
			s.Switch[layeredClass(0)].Ports[0], s.Switch[layeredClass(0)].Count = 1, s.Endpoints
		}
	}
	for i := 1; i < layeredLayers; i++ {
		bl.Switch[layeredClass(i)].Count, bh.Switch[layeredClass(i)].Count = int64(a.n[i]), int64(b.n[i])
	}
	var rate [2]int32 // of nic links
	for i, of := range layeredPairOf {
		class, p, q := layeredPairClass(relay, i), &a.pair[i], &b.pair[i]
		if i < layeredLayers-1 {
			if rate[0] == 0 || int32(p.rate) < rate[0] {
				rate[0] = int32(p.rate)
			}
			rate[1] = max(rate[1], int32(q.rate))
			bl.Lanes[class], bh.Lanes[class] = rate[0], rate[1]
		} else {
			bl.Lanes[class], bh.Lanes[class] = int32(p.rate), int32(q.rate)
			if !p.on() { // without links a class has one lane
				bl.Lanes[class] = 1
			}
		}
		least, most, fan := layeredPairRange(&a, &b, i)
		bl.Link[class] += int64(a.n[of[0]]) * int64(least)
		bh.Link[class] += int64(b.n[of[0]]) * int64(most)
		if of[0] == 0 {
			bl.EndpointPorts += int32(least)
			bh.EndpointPorts += int32(most)
		}
		if of[0] > 0 || relay {
			bl.Switch[layeredClass(of[0])].Ports[class] += int32(least)
			bh.Switch[layeredClass(of[0])].Ports[class] += int32(most)
		}
		bl.Switch[layeredClass(of[1])].Ports[class] += int32(fan[0])
		bh.Switch[layeredClass(of[1])].Ports[class] += int32(fan[1])
	}
	if bl.EndpointPorts == 0 {
		bl.Lanes[nic] = 1
	}
	bl.EndpointLanes, bh.EndpointLanes = bl.EndpointPorts*rate[0], bh.EndpointPorts*rate[1]
	for k := range layeredInners(relay) {
		layer, class := layeredInnerOf[k], layeredInnerClass(relay, k)
		r, n := &b.in[layer], b.n[layer]
		bl.Lanes[class], bh.Lanes[class] = 1, int32(r.rate)
		if !r.on() || n < 2 {
			continue
		}
		// A node may be the target of all others. Attempts of one dimension count only once if there is one.
		attempts := int64(r.p[0])
		if r.d > 1 {
			attempts += int64(r.p[1])
		}
		bh.Link[class] = min(int64(n)*attempts, int64(n)*int64(n-1)/2)
		bh.Switch[layeredClass(layer)].Ports[class] = int32(n - 1)
		if layer == 0 {
			bh.EndpointPorts += int32(n - 1)
			bh.EndpointLanes += int32(n-1) * int32(r.rate)
		}
	}
	bl.EndpointPorts, bl.EndpointLanes = max(bl.EndpointPorts, 1), max(bl.EndpointLanes, 1)
	bh.EndpointPorts, bh.EndpointLanes = max(bh.EndpointPorts, 1), max(bh.EndpointLanes, 1)
}

// layeredPairRange encloses the links of a lower node of a pair, and those of the upper node with most, in a box from a to b.
func layeredPairRange(a, b *layeredNet, pair int) (least, most int, fan [2]int) {
	p, q, of := &a.pair[pair], &b.pair[pair], layeredPairOf[pair]
	if !q.on() {
		return 0, 0, fan
	}
	most = min(q.e, b.n[of[1]]/max(p.hj, 1))
	fan[1] = b.n[of[0]] // one from every lower node
	if p.on() {
		least = p.e
		upper := max(b.n[of[1]], 1)
		fan[0] = (a.n[of[0]]*p.e + upper - 1) / upper // the mean, rounded up
		// Twice the mean and one more: a node has at most ceil(hi/hj) blocks of ceil(block*e/part) links.
		blocks := (q.hi + p.hj - 1) / p.hj
		part := max(a.n[of[1]]/q.hj, 1)
		fan[1] = min(fan[1], blocks*((b.n[of[0]]/p.hi*q.e+part-1)/part))
	}
	return min(least, most), most, fan
}
