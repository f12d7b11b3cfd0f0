package floor

import (
	"math"

	"toposearch/evaluator/market"
	"toposearch/topology"
)

// Least bounds the cables of one class of a design from below, by the plan and by what the family says of the
// class, without laying them.
type Least struct {
	Price, Watts float64 // of all; the price in minor units
	MeanM        float64 // as bought
	LongestM     float64 // as laid
}

// LeastCables bounds the cables of class c, of which known is what the family says, at a rate; ok is false
// where that is too little, or the links are not evenly spread.
func (p *Plan) LeastCables(c int, known *topology.Cables, speed *market.Speed, rings *Rings, mem *Distances) (l Least, ok bool) {
	f := p.size.Family
	for i := range f.SwitchClasses {
		if p.sharing[i].Per > 1 { // switches do not stand one by one
			return Least{}, false
		}
	}
	sum := leastSum{speed: speed, site: p.site, rings: rings.rings, near: rings.near(speed), lyings: &rings.lyings, distances: mem}
	switch {
	case c == 0 && f.LinkClasses[0].Name == topology.ClassNic:
		sum.nics(p, known)
	case known.I >= 0:
		sum.between(p, c, known)
	}
	if sum.count != p.size.Link[c] {
		return Least{}, false
	}
	return Least{sum.price, sum.watts, math.Max(sum.m, sum.evenM) / float64(sum.count), sum.longestM}, true
}

// nics fills the racks around each switch with the endpoints on it, the nearest racks first: its
// own, then the two beside it, and the next.
func (a *leastSum) nics(p *Plan, known *topology.Cables) {
	s := p.size
	at := -1
	for i := range s.Family.SwitchClasses {
		if s.Switch[i].Ports[0] > 0 {
			if at >= 0 {
				return
			}
			at = i
		}
	}
	if at >= 0 && known.Parts == 1 && known.Scope == topology.OneBlock && p.alone(at) &&
		int64(s.EndpointPorts)%p.share(at) == 0 {
		a.inSections(p, func(in *leastSum, section int64) { in.block(p, at, section) })
		return
	}
	if at >= 0 && known.InTurn && s.EndpointPorts == 1 && p.alone(at) && p.share(at)*int64(s.Switch[at].Ports[0]) == p.perBlock {
		k := lyingKey{switches: p.share(at), each: int64(s.Switch[at].Ports[0]), perRack: p.perRack}
		a.inSections(p, a.kept(p, k, func(in *leastSum, section int64) { in.inTurn(p, at, section) }))
		return
	}
	if at < 0 || p.home[at] != topology.WithEndpoints || s.EndpointPorts != 1 || s.Switch[at].Count == 0 {
		a.add(s.Link[0], a.rings[0].m)
		return
	}
	// Switches with fewer endpoints than the fullest are nearer to theirs: all as full as can be
	// is a bound only if all are equally full.
	n, each := s.Switch[at].Count, int64(s.Switch[at].Ports[0])
	if n*each != s.Link[0] {
		a.add(s.Link[0], a.rings[0].m)
		return
	}
	left := each
	for i := range a.rings {
		k := min(left, a.rings[i].racks*p.perRack)
		if i == len(a.rings)-1 {
			k = left
		}
		a.add(n*k, a.rings[i].m)
		left -= k
	}
}

// alone tells whether each block has endpoint racks of its own, with the switches of class i in them,
// equally many in all.
func (p *Plan) alone(i int) bool {
	n := p.size.Switch[i].Count
	return p.home[i] == topology.WithEndpoints && p.perSection == 1 && n > 0 && n%p.blocks == 0 && p.size.Endpoints%p.blocks == 0
}

// block adds the cables of the endpoints of a block, each with equally many to all switches of class
// i in its racks.
func (a *leastSum) block(p *Plan, i int, section int64) {
	each := p.share(i)
	times := int64(p.size.EndpointPorts) / each
	first := p.base(section)
	for r := range p.endRacks {
		endpoints := min(p.perRack, p.perBlock-r*p.perRack)
		if r == p.endRacks-1 {
			endpoints = p.perBlock - r*p.perRack
		}
		here := p.spot(p.endFrom(first, r))
		for q := range p.endRacks {
			n := (q+1)*each - 1
			n = n/p.endRacks - (q*each-1+p.endRacks)/p.endRacks + 1 // j with j*endRacks/each = q
			if n <= 0 {
				continue
			}
			there := p.spot(p.endFrom(first, q))
			a.apart(endpoints*n*times, here, there)
		}
	}
}

// inTurn adds the cables of the endpoints of a block, of which as many in order hang on each of its switches of class i.
func (a *leastSum) inTurn(p *Plan, i int, block int64) {
	switches, each := p.share(i), int64(p.size.Switch[i].Ports[0])
	first, e := p.base(block), int64(0)
	for j := int64(0); j < switches; {
		q := j * p.endRacks / switches // the rack of the next switches
		j = min(switches, ((q+1)*switches+p.endRacks-1)/p.endRacks)
		there := p.spot(p.endFrom(first, q))
		for until := j * each; e < until; {
			r := min(e/p.perRack, p.endRacks-1)
			end := until
			if r < p.endRacks-1 {
				end = min(until, (r+1)*p.perRack)
			}
			a.apart(end-e, p.spot(p.endFrom(first, r)), there)
			e = end
		}
	}
}

// between adds the links of class c between switches of two classes.
func (a *leastSum) between(p *Plan, c int, known *topology.Cables) {
	s := p.size
	i, j := known.I, known.J
	if known.Scope == topology.OtherBlocks && p.perSection == 1 { // in different racks, whatever holds them
		a.add(s.Link[c], a.site.BesideM())
		return
	}
	if i == j && known.Scope == topology.OneBlock && known.Parts == 1 && p.alone(i) {
		if n := p.share(i); n > 1 && int64(s.Switch[i].Ports[c])%(n-1) == 0 {
			k := lyingKey{switches: n, each: int64(s.Switch[i].Ports[c])}
			a.inSections(p, a.kept(p, k, func(in *leastSum, section int64) { in.mesh(p, c, i, section) }))
			return
		}
	}
	if p.home[i] == topology.Central {
		i, j = j, i
	}
	n := s.Switch[i].Count * int64(s.Switch[i].Ports[c])
	switch x, y := p.home[i], p.home[j]; {
	case i == j || n != s.Link[c] || x == topology.Inside || y == topology.Inside:
		a.add(s.Link[c], a.rings[0].m)
	case x != topology.Central && y == topology.Central:
		a.toCentral(p, c, i, j, known)
	case known.Scope == topology.OneBlock && x == topology.WithEndpoints && y == topology.InBlock && !p.both:
		if known.Parts == 1 && known.J == j && p.perSection == 1 {
			a.inSections(p, func(in *leastSum, section int64) { in.toAllNet(p, c, i, j, section) })
			return
		}
		racks := p.sectionRuns(i, nil)
		a.inSections(p, func(in *leastSum, section int64) { in.toNet(p, c, i, section, racks) })
	case x != y && !p.both: // in racks of endpoints, and in those of switches beside them
		a.add(s.Link[c], a.site.BesideM())
	default:
		a.add(s.Link[c], a.rings[0].m)
	}
}

// mesh adds the links of class c between all switches of class i of a block: pairs of racks are counted by how far they are apart, some ns a pair, and each distance is
// looked up once.
func (a *leastSum) mesh(p *Plan, c, i int, block int64) {
	n, first := p.share(i), p.base(block)
	times := int64(p.size.Switch[i].Ports[c]) / (n - 1)
	type rack struct {
		at       spot
		switches int64
	}
	var buf [128]rack
	racks, own := buf[:0], int64(0)
	for j := int64(0); j < n; {
		r := j * p.endRacks / n
		end := min(n, ((r+1)*n+p.endRacks-1)/p.endRacks) // the first that stands elsewhere
		k := end - j
		racks, own, j = append(racks, rack{p.spot(p.endFrom(first, r)), k}), own+k*(k-1)/2, end
	}
	a.add(times*own, a.site.LengthM(0, 0, false))
	rows := int(racks[len(racks)-1].at.y-racks[0].at.y) + 1
	var kept [256]int64
	links := kept[:]
	if need := rows * int(p.perRow); need > len(links) {
		links = make([]int64, need)
	}
	for j, x := range racks {
		for k := j + 1; k < len(racks); { // row by row
			y := racks[k].at.y
			by := links[int64(y-x.at.y)*p.perRow:][:p.perRow]
			for ; k < len(racks) && racks[k].at.y == y; k++ {
				d := x.at.x - racks[k].at.x
				by[max(d, -d)] += x.switches * racks[k].switches
			}
		}
	}
	for dy := range rows {
		for dx, n := range links[dy*int(p.perRow):][:p.perRow] {
			if n > 0 {
				a.addOf(times*n, a.cableTo(int64(dx), int64(dy)))
			}
		}
	}
}

// toNet adds the links of class c of the switches of class i in a section, each to the nearest of its
// network racks. Its racks with such switches are given.
func (a *leastSum) toNet(p *Plan, c, i int, section int64, racks []rackEnd) {
	ports, each := int64(p.size.Switch[i].Ports[c]), p.share(i)*p.perSection
	left := min(each, p.size.Switch[i].Count-section*each)
	run := p.runOf(p.net(section, 0), p.net(section, p.netRacks-1))
	base, from := p.base(section), int64(0)
	for k := 0; k < len(racks) && from < left; {
		y := (base + racks[k].at) / p.perRow
		first, until := y*p.perRow, (y+1)*p.perRow-base
		run.lookFrom(a.site, y)
		for ; k < len(racks) && racks[k].at < until && from < left; k++ {
			x := base + racks[k].at - first
			if y%2 == 1 {
				x = p.perRow - 1 - x
			}
			to := min(racks[k].to, left)
			a.addOf((to-from)*ports, a.cableTo(run.nearest(a.site, x)))
			from = to
		}
	}
}

// toAllNet adds the links of class c of the switches of class i of a block, each to all switches of class j in its network
// racks.
func (a *leastSum) toAllNet(p *Plan, c, i, j int, block int64) {
	each, far := p.share(i), p.share(j)
	before, all := p.beforeInBlock(j)
	left := min(each, p.size.Switch[i].Count-block*each)
	times := int64(p.size.Switch[i].Ports[c]) / far
	first := p.base(block)
	for q := before * p.netRacks / all; q <= (before+far-1)*p.netRacks/all; q++ {
		from, to := max(before, (q*all+p.netRacks-1)/p.netRacks), min(before+far, ((q+1)*all+p.netRacks-1)/p.netRacks)
		there := p.spot(p.netFrom(first, q))
		for r := range p.endRacks {
			n := min(left, ((r+1)*each+p.endRacks-1)/p.endRacks) - (r*each+p.endRacks-1)/p.endRacks
			if n <= 0 || to <= from {
				continue
			}
			here := p.spot(p.endFrom(first, r))
			a.apart(n*(to-from)*times, here, there)
		}
	}
}

// toCentral adds the links of class c of the switches of class i, each to the nearest of the
// racks that hold class j; but their lengths, where each is linked evenly to all of a part of these,
// on average over the nearest part.
func (a *leastSum) toCentral(p *Plan, c, i, j int, known *topology.Cables) {
	s := p.size
	ports := int64(s.Switch[i].Ports[c])
	run := p.runOf(p.positionOfSwitch(j, 0), p.positionOfSwitch(j, s.Switch[j].Count-1))
	even := i == known.I && known.Parts > 0 && known.Scope == topology.AnyBlocks && s.Switch[j].Count%int64(known.Parts) == 0
	if even {
		a.distances.measure(p, j, known.Parts)
	}
	each := int64(0) // switches of a range
	if i == known.I && known.Ranges > 1 && s.Switch[i].Count%int64(known.Ranges) == 0 && a.distances.ranges(p, j, known.Ranges) {
		each = s.Switch[i].Count / int64(known.Ranges)
	}
	from := int64(0)
	p.eachRun(i, func(to, position int64) {
		here := p.spot(position)
		y, x := int64(here.y), int64(here.x)
		run.lookFrom(a.site, y)
		a.addOf((to-from)*ports, a.cableTo(run.nearest(a.site, x)))
		if even {
			a.evenM += float64((to-from)*ports) * a.distances.meanM(a.site, x, y)
		}
		for ; each > 0 && from < to; from = min(to, (from/each+1)*each) {
			n := min(to, (from/each+1)*each) - from
			a.evenM += float64(n*ports) * a.distances.partM(a.site, from/each, x, y)
		}
		from = to
	})
}
