package growth

import (
	"context"
	"slices"

	"toposearch/routing"
)

// mostDealt bounds the servers (endpoints, where each is alone) that are dealt out exactly: their assignment takes up to the third power of them. More are dealt out pair by pair.
const mostDealt = 64

// dealt tries every exchange of the parts of two boxes, or of the part of one for a box that has none, with all endpoints dealt out anew to the best of them
// as which they keep cables, and takes every exchange that keeps more, until none does: leaves and whole servers change together, which neither exchanges nor servers see. An exchange is
// dealt out only where the cables between boxes and the most that can stay at endpoints are more than what is kept.
func (m *matcher) dealt(x *Match, kept int) int {
	per := 1
	if m.old.PerServer > 1 && m.to.PerServer == m.old.PerServer {
		per = m.old.PerServer
	}
	if m.old.Endpoints > m.to.Endpoints || comparisons(len(m.old.Cables), len(m.to.Cables), m.rules) == 0 {
		return kept
	}
	most := steps(len(m.old.Cables), len(m.to.Cables), m.rules)
	d := m.newDealer(x, per, kept)
	d.take()
	for changed, pass := true, 0; changed && pass < passes; pass++ {
		changed = false
		for u := range int32(len(m.old.Boxes)) {
			for v := range int32(len(m.to.Boxes)) {
				was, other := d.bare.New[u], d.bare.Old[v]
				if v == was || was < 0 && other < 0 || !m.sameBox(u, v) {
					continue
				}
				if m.steps += 2 * (len(m.old.cables(u)) + len(m.to.cables(v))); float64(m.steps) > most {
					return d.kept
				}
				between := d.between
				d.between -= m.keptAt(d.bare, u, other)
				d.bare.become(u, v, other, was)
				d.between += m.keptAt(d.bare, u, other)
				if d.take() {
					changed = true
				} else {
					d.bare.become(u, was, other, v)
					d.between = between
				}
			}
		}
	}
	return d.kept
}

// dealer deals out the endpoints of a match of boxes.
type dealer struct {
	*matcher
	per     int
	x       *Match // the best so far
	kept    int    // by x
	bare    *Match // of boxes alone
	between int    // cables that bare keeps

	have  [][]attached // by old server: its boxes
	want  [][]int32    // by new box and server: its cables; nil where it has none
	ports [2][]int     // by box of the old and the new network: its cables to endpoints
	sum   []int32      // by new server, between uses of most
}

// attached is how many cables a server has to a box.
type attached struct{ box, cables int32 }

func (m *matcher) newDealer(x *Match, per, kept int) *dealer {
	d := &dealer{matcher: m, per: per, x: x, kept: kept, bare: &Match{slices.Clone(x.New), slices.Clone(x.Old)}}
	m.clear(d.bare)
	d.between = Kept(m.old, m.to, d.bare, m.rules)
	first, to := m.firstEndpoints()
	d.have, d.want = make([][]attached, (m.old.Endpoints+per-1)/per), make([][]int32, len(m.to.Boxes))
	d.sum = make([]int32, (m.to.Endpoints+per-1)/per)
	for u := range m.old.Endpoints {
		for _, c := range m.old.cables(first + int32(u)) {
			box, own := m.old.Cables[c].far(first+int32(u)), &d.have[u/per]
			i := slices.IndexFunc(*own, func(a attached) bool { return a.box == box })
			if i < 0 {
				i = len(*own)
				*own = append(*own, attached{box: box})
			}
			(*own)[i].cables++
		}
	}
	for v := range m.to.Endpoints {
		for _, c := range m.to.cables(to + int32(v)) {
			box := m.to.Cables[c].far(to + int32(v))
			if len(d.sum) > mostDealt || int(box) >= len(d.want) { // or endpoints joined to each other
				continue
			}
			if d.want[box] == nil {
				d.want[box] = make([]int32, len(d.sum))
			}
			d.want[box][v/per]++
		}
	}
	for i, n := range []*Network{m.old, m.to} {
		d.ports[i] = make([]int, len(n.Boxes))
		for j := range n.Cables {
			if c := &n.Cables[j]; n.isEndpoint(c.A) != n.isEndpoint(c.B) {
				d.ports[i][min(c.A, c.B)]++ // boxes come first
			}
		}
	}
	return d
}

// most bounds the cables to endpoints that a match of boxes keeps: each box those that it and its part both have, and each server those of the new one with
// which it has most in common.
func (d *dealer) most() (total int) {
	common := 0
	d.steps += len(d.old.Boxes) / 8
	for u := range d.old.Boxes {
		if v := d.bare.New[u]; v >= 0 {
			common += min(d.ports[0][u], d.ports[1][v])
		}
	}
	if d.between+common <= d.kept || len(d.sum) > mostDealt {
		return common
	}
	for _, own := range d.have {
		clear(d.sum)
		for _, a := range own {
			if int(a.box) >= len(d.old.Boxes) || d.bare.New[a.box] < 0 {
				continue
			}
			want := d.want[d.bare.New[a.box]]
			d.steps += len(want) / 8
			for t, n := range want {
				d.sum[t] += min(a.cables, n)
			}
		}
		total += int(slices.Max(d.sum))
	}
	return min(total, common)
}

// take deals out the endpoints, and takes the match if it keeps more than the best so far.
func (d *dealer) take() bool {
	if len(d.sum) == 0 || d.between+d.most() <= d.kept {
		return false
	}
	list, most := d.bestChoices(d.kept - d.between + 1)
	if d.between+most <= d.kept {
		return false
	}
	d.dealOut(d.bare, d.per, list)
	d.steps += 8 * (len(d.old.Cables) + len(d.to.Cables))
	now := Kept(d.old, d.to, d.bare, d.rules)
	more := now > d.kept
	if more {
		d.kept = now
		copy(d.x.New, d.bare.New)
		copy(d.x.Old, d.bare.Old)
	}
	d.clear(d.bare)
	return more
}

// become makes v the part of u, and w that of other; each may be -1.
func (x *Match) become(u, v, other, w int32) {
	x.New[u] = v
	if v >= 0 {
		x.Old[v] = u
	}
	if other >= 0 {
		x.New[other] = w
	}
	if w >= 0 {
		x.Old[w] = other
	}
}

// bestChoices gives every old server the new one with which all together keep most cables, or, where there are too many, pairs of servers, those first that keep most; most is at least what is
// kept of cables to endpoints. Where that is less than asked for there are no choices.
func (d *dealer) bestChoices(least int) (list []choice, most int) {
	choices := d.choices(d.bare, d.per)
	base, best := 1, make([]int, len(d.have)) // by old server: cables that the best keeps
	for _, c := range choices {
		best[c.old] = max(best[c.old], c.kept)
	}
	for s, own := range d.have {
		cables := 0
		for _, a := range own {
			cables += int(a.cables)
		}
		best[s] = min(best[s], cables) // deal compares parallel cables each with any
		base, most = base+cables, most+best[s]
	}
	n := len(d.sum)
	switch {
	case most < least:
		return nil, most
	case n > mostDealt || base > mostWeight/2:
		sortChoices(choices)
		return choices, most
	}
	d.steps += 4 * n * n
	weight, amount := make([]uint16, n*n), make([]int32, n)
	for t := range n {
		amount[t] = 1
		for s := range d.have {
			if d.fits(s, t, d.per) {
				weight[s*n+t] = uint16(base) // that a server has a place weighs more than all that is kept
			}
		}
	}
	for _, c := range choices {
		weight[c.old*n+c.to] += uint16(min(c.kept, best[c.old]))
	}
	flow, err := routing.HeaviestShipment(context.Background(), weight, amount)
	if err != nil { // of the context alone
		panic("growth: " + err.Error())
	}
	most = 0
	for s := range d.have {
		t := slices.Index(flow[s*n:(s+1)*n], 1)
		if kept := int(weight[s*n+t]) - base; kept >= 0 {
			list, most = append(list, choice{s, t, kept}), most+kept
		}
	}
	return list, most
}

// mostWeight is the largest that routing.HeaviestShipment takes.
const mostWeight = 1<<16 - 1
