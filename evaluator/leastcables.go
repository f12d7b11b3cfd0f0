package evaluator

import (
	"math"

	"toposearch/topology"
)

// nics fills the racks around each switch with the endpoints on it, the nearest racks first: its
// own holds so many, and so do the two beside it, and the next.
func (a *cables) nics(p *floorPlan, known *topology.Cables) {
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
		a.inSections(p, func(in *cables, section int64) { in.block(p, at, section) })
		return
	}
	if at < 0 || p.home[at] != topology.WithEndpoints || s.EndpointPorts != 1 || s.Switch[at].Count == 0 {
		a.add(s.Link[0], a.least())
		return
	}
	// Switches with fewer endpoints than the fullest are nearer to theirs: all as full as can be
	// is a bound only if all are equally full.
	n, each := s.Switch[at].Count, int64(s.Switch[at].Ports[0])
	if n*each != s.Link[0] {
		a.add(s.Link[0], a.least())
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
func (p *floorPlan) alone(i int) bool {
	n := p.size.Switch[i].Count
	return p.home[i] == topology.WithEndpoints && p.perSection == 1 && n > 0 && n%p.blocks == 0 && p.size.Endpoints%p.blocks == 0
}

// inSections adds up what links inside sections need. Sections in one row are alike.
func (a *cables) inSections(p *floorPlan, visit func(in *cables, section int64)) {
	width := p.endRacks + p.netRacks
	var like cables
	for section := range p.sections {
		first := p.base(section)
		whole := (section+1)*p.perSection <= p.blocks && first/p.perRow == (first+width-1)/p.perRow
		if whole && like.count > 0 {
			a.join(&like)
			continue
		}
		in := *a
		in.count, in.m, in.price, in.watts = 0, 0, 0, 0
		visit(&in, section)
		a.join(&in)
		if whole {
			like = in
		}
	}
}

// join adds what others need.
func (a *cables) join(o *cables) {
	a.count += o.count
	a.m += o.m
	a.longestM = max(a.longestM, o.longestM)
	a.price += o.price
	a.watts += o.watts
}

// block adds the cables of the endpoints of a block, each with equally many to all switches of class
// i in its racks.
func (a *cables) block(p *floorPlan, i int, section int64) {
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
			dx, dy := here.x-there.x, here.y-there.y
			a.add(endpoints*n*times, a.site.lengthM(int64(max(dx, -dx)), int64(max(dy, -dy)), false))
		}
	}
}

// between adds the links of class c between switches of two classes.
func (a *cables) between(p *floorPlan, c int, known *topology.Cables) {
	s := p.size
	i, j := known.I, known.J
	if known.Scope == topology.OtherBlocks && p.perSection == 1 { // in different racks, whatever holds them
		a.add(s.Link[c], a.beside())
		return
	}
	if p.home[i] == topology.Central {
		i, j = j, i
	}
	n := s.Switch[i].Count * int64(s.Switch[i].Ports[c])
	switch x, y := p.home[i], p.home[j]; {
	case i == j || n != s.Link[c] || x == topology.Inside || y == topology.Inside:
		a.add(s.Link[c], a.least())
	case x != topology.Central && y == topology.Central:
		a.toCentral(p, c, i, j, known)
	case known.Scope == topology.OneBlock && x == topology.WithEndpoints && y == topology.InBlock && !p.both:
		a.inSections(p, func(in *cables, section int64) { in.toNet(p, c, i, section) })
	case x != y && !p.both: // in racks of endpoints, and in those of switches beside them
		a.add(s.Link[c], a.beside())
	default:
		a.add(s.Link[c], a.least())
	}
}

// toNet adds the links of class c of the switches of class i in a section, each to the nearest of its
// network racks.
func (a *cables) toNet(p *floorPlan, c, i int, section int64) {
	ports, each := int64(p.size.Switch[i].Ports[c]), p.share(i)*p.perSection
	left := min(each, p.size.Switch[i].Count-section*each)
	run := p.runOf(p.net(section, 0), p.net(section, p.netRacks-1))
	for r := range p.endRacks {
		from, to := (r*each+p.endRacks-1)/p.endRacks, min(left, ((r+1)*each+p.endRacks-1)/p.endRacks)
		if to <= from {
			continue
		}
		at := p.end(section, r)
		dx, dy := run.nearest(a.site, at/p.perRow, int64(p.spot(at).x))
		a.add((to-from)*ports, a.site.lengthM(dx, dy, false))
	}
}

// toCentral adds the links of class c of the switches of class i, each to the nearest of the
// racks that hold class j; but their lengths, where each is linked evenly to all of a part of these,
// on average over the nearest part.
func (a *cables) toCentral(p *floorPlan, c, i, j int, known *topology.Cables) {
	s := p.size
	ports := int64(s.Switch[i].Ports[c])
	run := p.runOf(p.positionOfSwitch(j, 0), p.positionOfSwitch(j, s.Switch[j].Count-1))
	even := i == known.I && known.Parts > 0 && known.Scope == topology.AnyBlocks && s.Switch[j].Count%int64(known.Parts) == 0
	if even {
		a.far.measure(p, j, known.Parts)
	}
	each := int64(0) // switches of a range
	if i == known.I && known.Ranges > 1 && s.Switch[i].Count%int64(known.Ranges) == 0 && a.far.ranges(p, j, known.Ranges) {
		each = s.Switch[i].Count / int64(known.Ranges)
	}
	from := int64(0)
	p.eachRun(i, func(to, position int64) {
		here := p.spot(position)
		y, x := int64(here.y), int64(here.x)
		dx, dy := run.nearest(a.site, y, x)
		a.add((to-from)*ports, a.site.lengthM(dx, dy, false))
		if even {
			a.evenM += float64((to-from)*ports) * a.far.meanM(a.site, x, y)
		}
		for ; each > 0 && from < to; from = min(to, (from/each+1)*each) {
			n := min(to, (from/each+1)*each) - from
			a.evenM += float64(n*ports) * a.far.partM(a.site, from/each, x, y)
		}
		from = to
	})
}

// farness is how far parts of a class of central switches are from each place and from each row, on
// average over the switches of the part, in places and in rows.
type farness struct {
	parts        int
	places, rows int64
	x, y         []float64 // by part, and place or row
}

// measure prepares the distances to the switches of class j in so many parts.
func (f *farness) measure(p *floorPlan, j, parts int) {
	f.parts, f.places, f.rows = parts, p.perRow, p.rows
	f.x, f.y = grow(f.x, parts*int(f.places)), grow(f.y, parts*int(f.rows))
	per := p.size.Switch[j].Count / int64(parts)
	next := int64(0)
	p.eachRun(j, func(to, position int64) {
		at := p.spot(position)
		for next < to {
			part := next / per
			end := min(to, (part+1)*per)
			share := float64(end-next) / float64(per)
			for x := range f.places {
				f.x[part*f.places+x] += share * math.Abs(float64(x-int64(at.x)))
			}
			for y := range f.rows {
				f.y[part*f.rows+y] += share * math.Abs(float64(y-int64(at.y)))
			}
			next = end
		}
	})
}

// ranges prepares the distances to the switches of class j that are in a part of each of so many ranges,
// whose pairs have equal parts of the class in turn; it tells whether they do.
func (f *farness) ranges(p *floorPlan, j, ranges int) bool {
	pairs := int64(ranges) * int64(ranges-1) / 2
	per := p.size.Switch[j].Count / pairs
	if per == 0 || per*pairs != p.size.Switch[j].Count {
		return false
	}
	f.parts, f.places, f.rows = ranges, p.perRow, p.rows
	f.x, f.y = grow(f.x, ranges*int(f.places)), grow(f.y, ranges*int(f.rows))
	next, left := int64(0), per
	a, b := int64(0), int64(1) // the pair, of whose part so many are left
	p.eachRun(j, func(to, position int64) {
		at := p.spot(position)
		for next < to {
			n := min(to-next, left)
			w := float64(n)
			f.x[a*f.places+int64(at.x)] += w
			f.x[b*f.places+int64(at.x)] += w
			f.y[a*f.rows+int64(at.y)] += w
			f.y[b*f.rows+int64(at.y)] += w
			next, left = next+n, left-n
			if left > 0 {
				continue
			}
			left = per
			if b++; b == int64(ranges) {
				a++
				b = a + 1
			}
		}
	})
	all := float64(per * int64(ranges-1))
	for r := range int64(ranges) {
		distances(f.x[r*f.places:(r+1)*f.places], all)
		distances(f.y[r*f.rows:(r+1)*f.rows], all)
	}
	return true
}

// distances turns weights at places into the mean distances from each place; all is the sum of the weights.
func distances(w []float64, all float64) {
	sum, before := 0.0, 0.0
	for i, x := range w {
		sum += float64(i) * x
	}
	for i, x := range w {
		w[i] = sum / all
		before += x
		sum += 2*before - all // one place on, those behind are farther and the others nearer
	}
}

// partM is the mean length of cables from another rack to all switches of a part.
func (f *farness) partM(s *Site, part, x, y int64) float64 {
	m := f.x[part*f.places+x]*s.RackPitchM + f.y[part*f.rows+y]*s.RowPitchM
	return (m + 2*s.RiseM) * (1 + s.Slack)
}

// meanM is the mean length of cables from another rack to all switches of the nearest part.
func (f *farness) meanM(s *Site, x, y int64) float64 {
	best := math.Inf(1)
	for part := range int64(f.parts) {
		best = math.Min(best, f.partM(s, part, x, y))
	}
	return best
}
