package evaluator

import (
	"math"

	"toposearch/topology"
)

// layBlock lays the cables of a section of blocks.
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

// inBlocks tells whether the switches of class i stand in racks of their blocks' sections, equally many of each block.
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
