package floor

import (
	"toposearch/evaluator/market"
	"toposearch/topology"
)

// base is the first position of a section.
func (p *Plan) base(section int64) int64 {
	b := int64(0)
	if section >= p.sectionsIn { // of one building, no division
		b = section / p.sectionsIn
	}
	s := section - b*p.sectionsIn
	at := b*p.perBuilding + s*(p.endRacks+p.netRacks)
	if s >= p.half {
		at += p.central
	}
	return at
}

// positionOf is where an endpoint stands, and the first endpoint that stands elsewhere.
func (p *Plan) positionOf(e int64) (position, end int64) {
	ends := p.perSection * p.perBlock
	section := e / ends
	first := section * ends
	r := min((e-first)/p.perRack, p.endRacks-1)
	end = first + (r+1)*p.perRack
	if r == p.endRacks-1 {
		end = first + ends
	}
	return p.end(section, r), end
}

// end is the position of an endpoint rack of a section, net that of a network rack.
func (p *Plan) end(section, r int64) int64 { return p.endFrom(p.base(section), r) }

func (p *Plan) net(section, r int64) int64 { return p.netFrom(p.base(section), r) }

// endFrom and netFrom are the same by the first position of the section.
func (p *Plan) endFrom(base, r int64) int64 {
	at := base + r
	if r >= (p.endRacks+1)/2 {
		at += p.netRacks
	}
	return at
}

func (p *Plan) netFrom(base, r int64) int64 { return base + (p.endRacks+1)/2 + r }

// positionOfSwitch is where the j-th box of class i stands; meaningless for embedded ones. The class
// behind the last is circuit switches.
func (p *Plan) positionOfSwitch(i int, j int64) int64 {
	home := topology.Central
	if i < len(p.size.Family.SwitchClasses) {
		home = p.home[i]
	}
	switch home {
	case topology.WithEndpoints:
		each := p.share(i) * p.perSection
		section := j / each
		return p.end(section, (j-section*each)*p.endRacks/each)
	case topology.InBlock:
		each := p.share(i) * p.perSection
		section := j / each
		if p.both {
			return p.base(section)
		}
		before, all := p.beforeInBlock(i)
		return p.net(section, (before+j-section*each)*p.netRacks/all)
	default:
		before, in := p.beforeInCenter(i)
		g := before + j
		b := g / in
		return b*p.perBuilding + p.half*(p.endRacks+p.netRacks) + (g-b*in)*p.central/in
	}
}

// beforeInBlock counts the switches of a section in its network racks, and those of classes before
// i: classes follow one another, and all are spread evenly over the racks.
func (p *Plan) beforeInBlock(i int) (before, all int64) {
	for k := range p.size.Family.SwitchClasses {
		if p.home[k] == topology.InBlock {
			if k < i {
				before += p.share(k) * p.perSection
			}
			all += p.share(k) * p.perSection
		}
	}
	return before, all
}

// beforeInCenter counts the central switches of classes before i, and those of a building.
func (p *Plan) beforeInCenter(i int) (before, in int64) {
	var all int64
	for k := range p.size.Family.SwitchClasses {
		if p.home[k] == topology.Central {
			if k < i {
				before += p.count[k]
			}
			all += p.count[k]
		}
	}
	return before, (all + p.circuits.boxes + p.buildings - 1) / p.buildings
}

// spot is a rack's place in its building.
type spot struct{ x, y, building int32 }

func (p *Plan) spot(position int64) spot {
	b := int64(0)
	if position >= p.perBuilding {
		b = position / p.perBuilding
	}
	r := position - b*p.perBuilding
	y := r / p.perRow
	x := r - y*p.perRow
	if y%2 == 1 {
		x = p.perRow - 1 - x
	}
	return spot{int32(x), int32(y), int32(b)}
}

// rack is the number of the rack at a spot.
func (p *Plan) rack(s spot) int {
	return int(int64(s.building)*p.hall() + int64(s.y)*p.perRow + int64(s.x))
}

// DomainM is the length of a cable between the two racks that stand farthest apart among those of one domain of per
// consecutive endpoints: no cable inside a domain is longer, wherever in its racks its switches stand. per divides the
// endpoints.
func (p *Plan) DomainM(per int64) float64 {
	longest := p.site.InRackM
	var racks []spot
	for first := int64(0); first < p.size.Endpoints; {
		at, end := p.positionOf(first)
		if end >= first+per { // in one rack, and so are the next ones that end there
			first += (end - first) / per * per
			continue
		}
		racks = append(racks[:0], p.spot(at))
		for end < first+per {
			at, end = p.positionOf(end)
			racks = append(racks, p.spot(at))
		}
		first += per
		for i, a := range racks {
			for _, b := range racks[:i] {
				longest = max(longest, p.site.LengthM(abs(int64(a.x)-int64(b.x)), abs(int64(a.y)-int64(b.y)), a.building != b.building))
			}
		}
	}
	return longest
}

// ScaleupM is DomainM of the scale-up domains whose parts a market counts, 0 if it counts none.
func (p *Plan) ScaleupM(m *market.Market) float64 {
	if per := m.ScaleupEndpoints(p.size.Family); per > 1 && p.size.Endpoints%per == 0 {
		return p.DomainM(per)
	}
	return 0
}

func abs(x int64) int64 { return max(x, -x) }
