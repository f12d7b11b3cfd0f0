package evaluator

import (
	"math"

	"toposearch/topology"
)

// blocksKey is a shape of blocks, and how cables are bought. However many such blocks there are, their
// racks follow one another along the rows of the floor, so that only where a row ends inside a block are
// they nearer to each other than along a straight row.
type blocksKey struct {
	family *topology.Family
	like   topology.Values
	bought atRate
}

// atRate is the rank of a rate among those on sale, and whether no faster one will do.
type atRate struct {
	rank int
	same bool
}

// blockShape is the racks of a section of blocks, and their cables by link class.
type blockShape struct {
	racks, per int64         // of a section: racks, blocks
	boxes      int64         // switches of a central rack
	central    uint32        // classes of switches that stand there
	shortest   cableMeans    // of all cables
	of         []blockCables // empty if nothing is known
}

// blockCables is what a cable inside a block needs on average, or where those between blocks end.
type blockCables struct {
	inside, between bool // which of the two is known
	apart           bool // the class joins blocks
	straight        cableMeans
	bent            cableMeans // at least that where a row ends inside the section
	ends            blockEnds
	parts           []blockPart
}

// blockPart is a share of the switches of a block, which follow one another and, in each block of a section, stand in
// one rack.
type blockPart struct {
	share float64
	at    blockEnds
}

// blockEnds are the racks of a section from which cables between blocks go: the first and the last of each block.
type blockEnds [mostTogether][2]uint8

// mostTogether bounds the blocks of a section between which cables are bounded: networks with more have blocks of
// a few endpoints.
const mostTogether = 8

// cableMeans are the mean length, least price (minor units) and least draw of a cable.
type cableMeans struct{ m, price, watts float64 }

// blocksAtLeast bounds from below what the cables of a class need that join all switches of two classes
// in each block; ok is false if nothing is known.
func (e *Evaluator) blocksAtLeast(most *topology.Size, per *topology.PerEndpoint, c int, p *speed, same, closely bool) (out cableMeans, ok bool) {
	x := e.shapeOf(most.Family, per, p, same)
	if x == nil {
		return cableMeans{}, false
	}
	s, f := &e.opt.Site, most.Family
	switch y := &x.of[c]; {
	case y.inside:
		central := int64(0)
		for i := range f.SwitchClasses {
			if x.central&(1<<i) != 0 {
				central += most.Switch[i].Count
			}
		}
		sections := max(1, per.Blocks[0]/x.per) // whole ones
		if out, ok = y.atLeast(s, float64(x.racks), float64(sections), float64((central+x.boxes-1)/x.boxes)); ok && x.per > 1 {
			out = out.toward(&x.shortest, x.alone(per.Blocks))
		}
		return out, ok
	case y.between && x.central == 0:
		return e.betweenAtLeast(sectionsKey{x.racks, x.per, y.ends, atRate{p.rank, same}, per.Blocks[0], per.Blocks[1]}, &per.Fan[c], y.parts, p, closely)
	}
	return cableMeans{}, false
}

// shapeOf gives the shape of a box's blocks, nil if nothing is known.
func (e *Evaluator) shapeOf(f *topology.Family, per *topology.PerEndpoint, p *speed, same bool) *blockShape {
	s := &e.opt.Site
	if per.Blocks[1] == 0 || f.Place == nil || s.Buildings > 1 || s.RackPowerW > 0 || e.scaled(f) || len(p.steps) == 0 {
		return nil
	}
	key := blocksKey{f, per.Like, atRate{p.rank, same}}
	x, ok := e.blocks.find(key)
	if !ok {
		x = e.layBlock(key, p)
		e.blocks.keep(key, x)
	}
	if len(x.of) == 0 || per.Blocks[0] < x.per { // fewer blocks have a section of another shape
		return nil
	}
	return x
}

// farthestAtLeast bounds from below the longest cable of a class that joins all pairs of blocks; 0 if nothing is known.
func (e *Evaluator) farthestAtLeast(f *topology.Family, per *topology.PerEndpoint, c int, p *speed) float64 {
	if per.Fan[c].Evenly == 0 {
		return 0
	}
	x := e.shapeOf(f, per, p, true)
	if x == nil || !x.of[c].apart || x.central != 0 {
		return 0
	}
	// A section begins in the first corner, and one holds the place at the far end of the last row but one, which is
	// full: its racks are in that row, or near that end of the next ones.
	s := &e.opt.Site
	racks := (per.Blocks[0] + x.per - 1) / x.per * x.racks
	rows, perRow := s.hall(racks)
	places := perRow - 2*x.racks
	if per.Blocks[0] < per.Blocks[1] {
		// Of more racks a hall that is longer than deep has one row less at most, and rows that are shorter by one
		// row's share.
		places, rows = perRow*rows/(rows+1)-1-2*x.racks, rows-1
		if s.Rows > 0 || rows*rows > racks {
			return 0
		}
	}
	if places <= 0 || rows <= 3 {
		return 0
	}
	return s.lengthM(places, rows-3, false)
}

// alone is the largest share of the blocks that stand in a section of fewer.
func (x *blockShape) alone(blocks [2]int64) float64 {
	left := x.per - 1
	if blocks[0] == blocks[1] {
		left = blocks[0] % x.per
	}
	return float64(left) / float64(blocks[0])
}

// atLeast bounds the means over at least so many sections, beside so many central racks at most. ok is false
// if sections may be wider than rows.
func (x *blockCables) atLeast(s *Site, width, sections, central float64) (out cableMeans, ok bool) {
	// As arrange has it. Of more racks the rows are longer; of more sections fewer lie at their ends.
	racks := sections * width
	rows := math.Sqrt(racks*s.RackPitchM/s.RowPitchM) + 0.5
	ends := math.Sqrt((racks+central)*s.RackPitchM/s.RowPitchM) / sections
	if s.Rows > 0 {
		rows = float64(s.Rows)
		ends = rows / sections
	}
	if width > 1 && racks*below < max(rows, 1)*width {
		return cableMeans{}, false
	}
	return x.straight.toward(&x.bent, min(1, ends)), true
}

// toward replaces a share of the cables by others that need less.
func (x cableMeans) toward(y *cableMeans, share float64) cableMeans {
	mix := func(a, b float64) float64 { return a - share*max(0, a-b) }
	return cableMeans{mix(x.m, y.m), mix(x.price, y.price), mix(x.watts, y.watts)}
}

// layBlock lays the cables of a block.
func (e *Evaluator) layBlock(key blocksKey, speed *speed) *blockShape {
	f := key.family
	var s topology.Size
	var p floorPlan
	out := &blockShape{}
	if f.Cables == nil {
		return out
	}
	v, _, ok := e.planLike(f, &key.like, &s, &p)
	if !ok || p.perSection < p.wantSection {
		return out
	}
	out.racks, out.per, out.boxes, out.of = p.endRacks+p.netRacks, p.perSection, p.boxes, make([]blockCables, len(f.LinkClasses))
	out.shortest = e.costOf(e.leastM, speed, key.bought.same)
	for i := range f.SwitchClasses {
		if p.home[i] == topology.Central && !f.SwitchClasses[i].Embedded {
			out.central |= 1 << i
		}
	}
	for c := range f.LinkClasses {
		known, x := f.Cables(v, c), &out.of[c]
		i, j := known.I, known.J
		in := insideCables{}
		if out.racks < mostAlong {
			in = insideCables{costs: e.costsAlong(key.bought, speed), saves: make([]cableMeans, out.racks+1)}
		}
		switch {
		case c == 0 && f.LinkClasses[0].Name == topology.ClassNic && s.EndpointPorts == 1 && p.inBlocks(0) && in.costs != nil:
			p.joinEndpoints(topology.Design{Family: f, V: v}, &in)
		case i < 0 || j < 0 || !p.inBlocks(i) || !p.inBlocks(j):
		case known.Scope == topology.OtherBlocks && i == j:
			x.apart, x.between = true, x.findEnds(&p, i)
		case known.Scope == topology.OneBlock && known.Parts == 1 && in.costs != nil:
			p.joinAll(i, j, &in)
		}
		if in.count > 0 {
			*x = in.means()
		}
	}
	return out
}

// findEnds finds where cables between blocks end at switches of class i; ok is false if there are too many places.
func (x *blockCables) findEnds(p *floorPlan, i int) (ok bool) {
	if p.perSection > mostTogether || p.endRacks+p.netRacks > math.MaxUint8 {
		return false
	}
	share := p.share(i)
	var in [mostTogether][]standing
	for b := range p.perSection {
		in[b] = p.stand(i, b)
		x.ends[b] = [2]uint8{uint8(in[b][0].rack), uint8(in[b][len(in[b])-1].rack)}
	}
	for t := int64(0); t < share; {
		part, end := blockPart{}, share
		for b := range p.perSection {
			for in[b][0].end <= t {
				in[b] = in[b][1:]
			}
			end = min(end, in[b][0].end)
			r := uint8(in[b][0].rack)
			part.at[b] = [2]uint8{r, r}
		}
		part.share = float64(end-t) / float64(share)
		x.parts = append(x.parts, part)
		t = end
	}
	return true
}

// joinEndpoints adds the cables of the endpoints of the first section, if all are on switches of class 0
// in it.
func (p *floorPlan) joinEndpoints(d topology.Design, in *insideCables) {
	first, all := int64(0), p.perSection*p.perBlock
	share := topology.SwitchID(p.perSection * p.share(0))
	d.Family.Attach(d.V, func(count int, ports []topology.SwitchID) {
		for n := int64(count); n > 0 && first < all; {
			if ports[0] >= share { // of another section
				in.count, first = 0, all
				return
			}
			at, end := p.positionOf(first)
			k := min(n, end-first, all-first)
			in.join(at, p.positionOfSwitch(0, int64(ports[0])), float64(k))
			first, n = first+k, n-k
		}
	})
}

// joinAll adds a cable from each switch of class i to each of class j in each block of the first section, or
// between all pairs of one class.
func (p *floorPlan) joinAll(i, j int, in *insideCables) {
	for b := range p.perSection {
		p.joinBlock(i, j, b, in)
	}
}

func (p *floorPlan) joinBlock(i, j int, block int64, in *insideCables) {
	a := p.stand(i, block)
	if i == j {
		for i := range a {
			n := float64(a[i].count)
			in.join(a[i].rack, a[i].rack, n*(n-1)/2)
			for j := range i {
				in.join(a[j].rack, a[i].rack, n*float64(a[j].count))
			}
		}
		return
	}
	b := p.stand(j, block)
	for i := range a {
		for j := range b {
			in.join(a[i].rack, b[j].rack, float64(a[i].count*b[j].count))
		}
	}
}

// inBlocks tells whether each block has racks of its own, with equally many switches of class i in them.
func (p *floorPlan) inBlocks(i int) bool {
	h := p.home[i]
	return (h == topology.WithEndpoints || h == topology.InBlock) && p.size.Switch[i].Count == p.share(i)*p.blocks
}

// standing is so many switches of a block in a rack of its section, and the next one of the block.
type standing struct{ rack, count, end int64 }

// stand lists where the switches of class i of a block of the first section stand.
func (p *floorPlan) stand(i int, block int64) []standing {
	share := p.share(i)
	first := block * share
	var buf [64]rackEnd
	out := make([]standing, 0, p.endRacks+p.netRacks)
	from := first
	for _, r := range p.sectionRuns(i, buf[:0]) {
		if to := min(r.to, first+share); to > from {
			out = append(out, standing{r.at, to - from, to - first})
			from = to
		}
	}
	return out
}

// cableCosts are the lengths of cables and what they cost, by places along a row, in the same row and
// in the next.
type cableCosts [2][mostAlong]cableMeans

// mostAlong bounds the racks of a block whose cables are laid: with more, rows are mostly shorter.
const mostAlong = 256

func (e *Evaluator) costsAlong(b atRate, p *speed) *cableCosts {
	if t, ok := e.along.Load(b); ok {
		return t.(*cableCosts)
	}
	t := new(cableCosts)
	for dy := range t {
		for dx := range t[dy] {
			t[dy][dx] = e.costOf(e.opt.Site.lengthM(int64(dx), int64(dy), false), p, b.same)
		}
	}
	e.along.Store(b, t)
	return t
}

// costOf is what a cable of so many metres needs at least, at a rate or, if not same, at any faster.
func (e *Evaluator) costOf(m float64, p *speed, same bool) cableMeans {
	x, _ := e.costUntil(m, p, same)
	return x
}

// costUntil tells also up to what length price and draw are those.
func (e *Evaluator) costUntil(m float64, p *speed, same bool) (x cableMeans, until float64) {
	x, until = cableMeans{m, math.Inf(1), math.Inf(1)}, math.Inf(1)
	for i := p.rank; i < len(e.speeds) && (i == p.rank || !same); i++ {
		q := &e.speeds[i]
		if len(q.steps) == 0 {
			continue
		}
		at := q.from(m)
		x.price, x.watts = min(x.price, q.fromPrice[at]), min(x.watts, q.fromW[at])
		if at < len(q.steps)-1 {
			until = min(until, q.stocks[at])
		}
	}
	return x, until
}

// insideCables adds up the cables inside a block: with no row that ends inside the block, and what is
// saved where one ends, each cable that it parts being as short as such cables can be.
type insideCables struct {
	costs    *cableCosts
	straight cableMeans
	saves    []cableMeans // by end of row: what begins and ends to be parted
	count    float64
}

// join adds n cables between two racks.
func (a *insideCables) join(from, to int64, n float64) {
	if from > to {
		from, to = to, from
	}
	a.count += n
	x := &a.costs[0][to-from]
	a.straight.add(n, x)
	if to == from {
		return
	}
	// Across the end of a row, an odd number of places may bring both ends to one place.
	y := &a.costs[1][(to-from+1)%2]
	less := cableMeans{max(0, x.m-y.m), max(0, x.price-y.price), max(0, x.watts-y.watts)}
	a.saves[from+1].add(n, &less)
	a.saves[to+1].add(-n, &less)
}

// means gives the means, with the row that ends where that saves most.
func (a *insideCables) means() blockCables {
	var at, most cableMeans
	for i := range a.saves {
		at.add(1, &a.saves[i])
		most = cableMeans{max(most.m, at.m), max(most.price, at.price), max(most.watts, at.watts)}
	}
	a.straight.scale(1 / a.count)
	most.scale(-1 / a.count)
	out := blockCables{inside: true, straight: a.straight, bent: a.straight}
	out.bent.add(1, &most)
	return out
}

func (x *cableMeans) add(n float64, y *cableMeans) {
	x.m += n * y.m
	x.price += n * y.price
	x.watts += n * y.watts
}

func (x *cableMeans) scale(by float64) {
	x.m *= by
	x.price *= by
	x.watts *= by
}

func (x cableMeans) least(y cableMeans) cableMeans {
	return cableMeans{min(x.m, y.m), min(x.price, y.price), min(x.watts, y.watts)}
}
