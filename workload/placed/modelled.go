package placed

import (
	"math"

	"toposearch/workload"
)

// throughBlocksOf is what a pattern of ranks in order takes at least.
func (n *Network) throughBlocksOf(k key) (far float64) {
	far = float64(k.sends(k.group))
	for _, b := range n.Shape.blocks() {
		if leave, ok := b.leaving(k.group, k.pattern, len(n.Endpoint)); ok {
			far = max(far, leave/b.Carry)
		}
	}
	return far
}

// Figures below are ns on one core of 2.5 GHz, fitted to 250 steps of 100 to 1,000,000 endpoints on 28 families: four fifths are within twice of them, and none is off by more than seven times.

// closedNs is what a closed form takes.
func (n *Network) closedNs(k key) float64 {
	switch s := n.Shape.(type) {
	case *Grid:
		if k.All {
			return 1e3
		}
		each := 20 + 5*float64(len(s.Dims))
		if n.Detours != nil {
			each *= 2
		}
		if s.Digits != nil {
			each += 150
		}
		if one, _, ok := s.one(k.group); ok {
			n.model.Bytes = max(n.model.Bytes, one.Bytes(float64(k.group.Size)))
		}
		return 1e3 + each*float64(k.group.Size)
	case *Racks:
		return 2e3 + 1000*float64(k.group.Size)
	}
	return 500
}

// countNs is what counting takes.
func (n *Network) countNs(k key) float64 {
	ranks, shifts := float64(len(n.Endpoint)), float64(k.sends(k.group))
	ways := n.Detours != nil && !k.together(k.group)
	block := float64(k.group.Stride * k.group.Size)
	runs := 2 * ranks / block // of a shift
	if n.Domain > 1 || k.scattered {
		ns := ranks * shifts * 60
		if g, ok := n.Shape.(*Grid); ok { // all links, with their legs
			links, _ := g.counts(0)
			if ns += 2 * links; ways {
				ns += 20 * links
			}
		}
		return ns
	}
	switch s := n.Shape.(type) {
	case *Grid:
		ns, bytes := s.counting(k, len(n.Endpoint), ways)
		n.model.Bytes = max(n.model.Bytes, bytes)
		return ns
	case Tree:
		ns := 0.0
		for _, b := range s {
			ns += 4 * 2 * shifts * rowsOf(b.Endpoints, block, ranks)
		}
		return ns
	case Rails:
		ns := 0.0
		for _, b := range s.Tree {
			if _, ok := b.leaving(k.group, k.pattern, len(n.Endpoint)); !ok {
				turns := float64(max(b.Across, 1))
				pieces := runs + ranks/(turns*float64(b.Endpoints))
				ns += shifts * (pieces*40 + 15*min(ranks, pieces*turns))
			}
		}
		return ns
	case *Groups:
		return s.countNs(k, ranks, ways)
	case *Cubes:
		return s.countNs(k, len(n.Endpoint))
	case *Pods:
		return s.countNs(k, len(n.Endpoint))
	case *Nets:
		groups := min(ranks, float64(period(s.Groups*s.Group.Endpoints, k.group.Stride*k.group.Size))+float64(s.Groups*s.Group.Endpoints)) / float64(s.Group.Endpoints)
		pieces := 2 + 2*float64(s.Group.Endpoints)/block
		if s.Joined {
			pieces = max(pieces, float64(s.leaves()))
		}
		return 2 * groups * (shifts*pieces*20 + float64(s.each()*s.Count)*2)
	case *Racks:
		in, _ := s.In.counts(0)
		out, _ := s.Out.counts(0)
		return ranks*shifts*130 + 8*(in+out)
	}
	return ranks * shifts * 20
}

// foldedNs is what countFolded takes of a permutation, fitted to 20 shapes of 1,000 to 1,000,000 endpoints.
func (n *Network) foldedNs() float64 {
	ranks := float64(len(n.Endpoint))
	switch s := n.Shape.(type) {
	case *Grid:
		along := 0 // dimensions
		for _, size := range s.Dims {
			if size > 1 {
				along++
			}
		}
		ns := min(ranks, 2*ranks/float64(s.PerSwitch)) * (40 + 30*float64(along))
		links, few := s.counts(ranks)
		switch {
		case few:
			return ns/2 + 10*float64(product(s.Dims))
		case n.Detours != nil:
			return ns + 20*links
		}
		return ns + 2*links
	case *Groups:
		return 20 * ranks
	case *Cubes:
		if s.Row != s.Side { // links in a map
			return 200 * ranks
		}
		return 22 * float64(s.Levels) * ranks
	}
	return 60 * ranks
}

// rowsOf is how many runs of a shift there are in blocks of endpoints, of those that begin at another place of blocks of ranks.
func rowsOf(endpoints int, block, ranks float64) float64 {
	e := float64(endpoints)
	some := min(ranks, float64(period(endpoints, int(block)))+e) / e
	return some * (1 + 2*e/block)
}

// counting is what counting a pattern of so many ranks takes, ns and bytes, by the way that known and inRuns take for it.
func (g *Grid) counting(k key, ranks int, ways bool) (ns, bytes float64) {
	shifts, n := k.sends(k.group), product(g.Dims)
	block := k.group.Stride * k.group.Size
	lines, inLines := g.linesNs(k, ranks, ways)
	if inLines && !k.All {
		return lines, 0
	}
	pieces := float64(shifts) * min(float64(ranks), float64(2*ranks/g.PerSwitch)+2*float64(ranks)/float64(block))
	if ns, bytes, ok := g.rowsNs(k, ranks, ways); ok {
		if ways && (ranks != n*g.PerSwitch || k.group.Stride%g.PerSwitch != 0) { // legs may be of too many kinds
			bytes = max(bytes, g.Bytes(pieces))
		}
		return ns, bytes
	}
	if inLines {
		return lines, 0
	}
	links, few := g.counts(pieces)
	each := 15 + 10*float64(len(g.Dims))
	if g.Digits != nil {
		each += 120
	}
	ns, bytes = pieces*each, g.Bytes(pieces)
	if few {
		return ns*2 + float64(n)*10, bytes
	}
	ns += links * 2
	if ways {
		ns += links * 20
	}
	return ns, bytes
}

// linesNs is byLines.
func (g *Grid) linesNs(k key, ranks int, ways bool) (ns float64, ok bool) {
	g, cell, _, ok := g.lined(k.group, k.pattern, ranks, ways)
	if !ok {
		return 0, false
	}
	block, unit := k.group.Stride*k.group.Size, product(cell)
	moves, below := float64(2*k.sends(k.group)), g.PerSwitch
	for d, s := range g.Dims {
		if s < 2 {
			continue
		}
		size, pass := s/cell[d], 3.0
		if ring, _ := g.ring(d); ring > 0 {
			pass = 9
		}
		slab := below * size * unit
		slabs := float64(min(ranks/slab, block/gcd(block, slab)))
		ends := slabs * float64(slab) / float64(block) * moves // between places that send by other moves
		uneven := min(slabs, ends) + 1
		per := float64(g.PerSwitch)
		m := moves * float64(cell[d])
		lines := min(float64(below)/per, 2*m+1) * min(slabs, 2)
		// Of a slab in which endpoints send by several moves as many lines differ as there are such ends.
		lines += uneven * min(float64(below)/per, max(1, float64(period(block, g.PerSwitch*unit))/per/float64(unit)), 2*m+1+2*moves*float64(slab)/float64(block))
		ns += float64(unit/cell[d]) * (slabs*10 + lines*(20+float64(size)*m*pass+float64(s)))
		below *= size
	}
	return 1e3 + ns, true
}

// rowsNs is byRows.
func (g *Grid) rowsNs(k key, ranks int, ways bool) (ns, bytes float64, ok bool) {
	last, ok := g.rowed(k.group, k.pattern, ways)
	if !ok {
		return 0, 0, false
	}
	if first, from := g.planes(k.group, last, ranks); first < from {
		ranks = first + ranks - from
	}
	block := float64(k.group.Stride * k.group.Size)
	shifts := float64(k.sends(k.group))
	pieces := 2.5*float64(ranks)/float64(g.Dims[0]*g.PerSwitch) + 2*float64(ranks)/block
	if k.group.Stride%g.PerSwitch != 0 {
		pieces *= 2
	}
	if ways || g.Stars != nil {
		pieces *= 2
	}
	dims, rows := float64(len(g.Dims)), float64(product(g.Dims[1:]))
	return 1e3 + shifts*pieces*(12+shifts)*dims + rows*dims*3, 50*shifts*pieces*dims + 4*rows*dims + 60*rows*float64(g.Dims[0]), true // a list of runs may be copied to grow
}

// countNs is what byRuns takes: groups that send alike are counted once.
func (g *Groups) countNs(k key, ranks float64, ways bool) float64 {
	if g.PerSwitch%(k.group.Stride*k.group.Size) == 0 {
		return 1e3
	}
	block := float64(k.group.Stride * k.group.Size)
	each := float64(g.Each * g.PerSwitch)
	groups, shifts := ranks/each, float64(k.sends(k.group))
	distinct := groups
	if g.Turned {
		distinct = min(groups, float64(period(g.Each*g.PerSwitch, k.group.Stride*k.group.Size))/each+1)
	}
	if !k.All && block >= each { // most have the same rows
		distinct = min(distinct, 3+2*ranks/block)
	}
	pieces := 2*float64(g.Each) + 2*each/block
	each = 100
	if g.Mids > 0 {
		each = 25
	}
	ns := distinct * shifts * pieces * each
	links := float64(g.between(0))
	local := float64(g.Each * max(g.Each, 2*g.Mids))
	ns += min(distinct, mostKinds) * (local + links) * 3
	if ways {
		ns = 2*ns + g.legsNs(k, int(ranks))
	}
	return ns + groups*20
}

// legsNs is what groupLoads.byRuns takes to know legs: those of one group where all switches send and receive as much, or where detours relieve what is sent since groups do not send all to one other, else
// all links of each group, and what pairs of groups put on links between the switches that join them, where that is not whole so that it is added up anew.
func (g *Groups) legsNs(k key, ranks int) float64 {
	local, n := g.Each*g.Each, float64(g.Count)
	if g.Mids > 0 {
		local = 2 * g.Each * g.Mids
	}
	j := g.of(0)
	links, pairs := float64(local+g.between(0)), 0.0
	if g.Mids > 0 {
		links *= 2 // parts of spines
	}
	for i := range j {
		if ne, nf := float64(len(j[i].exits)), float64(len(j[i].entries)); ne > 1 && g.Mids == 0 {
			pairs += 2 * ne * (ne + 2 + nf)
		}
	}
	if k.group.Stride < g.Each*g.PerSwitch || ranks == g.Count*g.Each*g.PerSwitch && k.group.Stride%g.PerSwitch == 0 {
		return 5*links + 2*pairs
	}
	// Of groups that are filled all send and receive as much: what the others have more or less is added to that, 5 ns for each pair of ends.
	if odd := math.Ceil(n - float64(ranks)/float64(g.Each*g.PerSwitch)); g.Turned && g.Mids == 0 && odd <= fewOdd && odd*mostOdd <= n {
		return n*5*links + (2+2*odd)*5*pairs
	}
	return n * (5*links + 2*pairs)
}

// countNs is what byRuns takes: of many rows or, where digits can be exchanged, of those of one value of the highest.
func (c *Cubes) countNs(k key, ranks int) float64 {
	shifts, block := float64(k.sends(k.group)), float64(k.group.Stride*k.group.Size)
	if c.Levels == 2 {
		rows := math.Ceil(float64(ranks) / float64(c.Row))
		if c.Row%int(block) == 0 {
			rows = 1
		}
		pieces := 2 + 2*float64(c.Row)/block + float64(c.Row)/float64(c.Side)
		return float64(len(k.backward(k.group))) * rows * (shifts*pieces*20 + 50)
	}
	rows := (ranks + c.Side - 1) / c.Side
	if c.turned(k.group, k.pattern, ranks) {
		rows = c.power[c.Levels-2]
	}
	// A shift of a row has two rows of destinations, with some places in each where shorter routes begin.
	each := 180 * float64(c.Levels)
	switch {
	case c.Side%int(block) == 0: // all is in rows
		each = 9 * float64(c.Levels)
	case int(block) <= c.Side: // but for the ends of a row
		each = 60 * float64(c.Levels)
	}
	return 2 * float64(rows) * (shifts*each + 50)
}

// boundNs is what LowerBound takes.
func (n *Network) boundNs(c workload.Communication) (ns float64) {
	if n.Shape == nil {
		return 0
	}
	ranks := float64(len(n.Endpoint))
	for _, b := range n.Shape.blocks() {
		switch _, groups := n.inBlocks(c.Group, b); {
		case groups > 0:
		case b.Across == 0 && n.lying(c.Group):
			on, _ := n.onEndpoints(c.Group)
			rows, span := ranks/float64(b.Endpoints), on.Stride*on.Size
			differ := float64(span / gcd(b.Endpoints, span)) // blocks that throughRows counts
			switch {
			case b.Endpoints <= on.Stride:
				differ = 1 + ranks/float64(span)
			case b.Endpoints < span:
				differ = float64(on.Stride/gcd(b.Endpoints, on.Stride)) + ranks/float64(span)
			}
			ns += rows*15 + min(rows, differ)*(60+2*float64(min(on.Stride, b.Endpoints)))
		default:
			ns += 20 * ranks
		}
	}
	return ns
}

// Bounded adds what the bound of a communication takes.
func (n *Network) Bounded(c workload.Communication) { n.model.Ns += n.boundNs(c) }
