package growth

import (
	"cmp"
	"slices"

	"toposearch/catalog"
)

// What becomes of a cable of the new network.
const (
	Keep    = "keep"         // it is there: both ends stay plugged where they are
	MoveEnd = "move one end" // an old cable of which one end stays
	Move    = "move"         // an old cable, plugged anew at both ends
	Buy     = "buy"
	Remove  = "remove" // an old cable that nothing in the new network takes
)

// Use is what becomes of one cable. Old and New are places in the lists of cables of the two networks, -1 where there is none.
type Use struct {
	Old, New int32
	How      string
}

// Plan is a way from one network to the other.
type Plan struct {
	Match *Match
	Uses  []Use // of every cable of either: new ones in their order, then those removed

	BoxesKept, BoxesBought, BoxesRetired       int
	CablesKept, EndsMoved, CablesMoved         int // kept; moved at one end; at both
	CablesBought, CablesRemoved, ModulesReused int
	EndpointsRecabled                          int                     // old endpoints of which a cable is not where it was
	Carried                                    int                     // switches used again in another place of the floor
	MostKept                                   int                     // cables that any match can keep, at most
	PartsReused                                map[*catalog.Part]int64 // links of the new network that old parts serve, by the cable that would be bought
	SwitchesReused                             map[*catalog.Part]int64
}

// pairs lists cables by the new vertices that they join, then kind by kind, shorter ones first.
type pair struct {
	a, b int32
	c    int32
	m    float64
}

// Kept is how many cables a match keeps: as many as possible between each two vertices.
func Kept(old, to *Network, x *Match, rules Rules) int {
	p := Plan{Match: x}
	p.keep(old, to, rules, make([]int32, len(old.Cables)), make([]int32, len(to.Cables)))
	return p.CablesKept
}

// Count says what becomes of every cable under a match. Cables of the same kind are moved where moves tells that it pays, told the
// cable that would be bought; nil: always.
func Count(old, to *Network, x *Match, rules Rules, moves func(c *Cable) bool) *Plan {
	p := &Plan{Match: x, MostKept: MostKept(old, to, rules), PartsReused: map[*catalog.Part]int64{}, SwitchesReused: map[*catalog.Part]int64{}}
	oldUse, newUse := make([]int32, len(old.Cables)), make([]int32, len(to.Cables)) // the other, counted from 1
	p.keep(old, to, rules, oldUse, newUse)
	how := make([]string, len(to.Cables))
	for i, o := range newUse {
		if o > 0 {
			how[i] = Keep
		}
	}
	m := matcher{old: old, to: to, rules: rules}
	if moves == nil {
		moves = func(*Cable) bool { return true }
	}
	p.moveEnds(&m, oldUse, newUse, how, moves)
	p.moveAll(&m, oldUse, newUse, how, moves)
	p.finish(&m, oldUse, newUse, how)
	return p
}

// keep matches old cables with new ones between the same vertices.
func (p *Plan) keep(old, to *Network, rules Rules, oldUse, newUse []int32) {
	m := matcher{old: old, to: to, rules: rules}
	var have, want []pair
	for i := range old.Cables {
		c := &old.Cables[i]
		a, b := p.Match.New[c.A], p.Match.New[c.B]
		if a >= 0 && b >= 0 && m.alike(c.A, a) && m.alike(c.B, b) {
			have = append(have, pair{min(a, b), max(a, b), int32(i), c.StockM})
		}
	}
	for i := range to.Cables {
		c := &to.Cables[i]
		want = append(want, pair{min(c.A, c.B), max(c.A, c.B), int32(i), c.LaidM})
	}
	order := func(x, y pair) int {
		return cmp.Or(cmp.Compare(x.a, y.a), cmp.Compare(x.b, y.b), cmp.Compare(x.m, y.m), cmp.Compare(x.c, y.c))
	}
	slices.SortFunc(have, order)
	slices.SortFunc(want, order)
	at := 0
	for _, h := range have {
		for at < len(want) && (want[at].a < h.a || want[at].a == h.a && want[at].b < h.b) {
			at++
		}
		// The shortest new one that is left: what it reaches is the least that any other old one of the kind would have to.
		for k := at; k < len(want) && want[k].a == h.a && want[k].b == h.b; k++ {
			if newUse[want[k].c] == 0 && m.serves(&old.Cables[h.c], &to.Cables[want[k].c]) {
				oldUse[h.c], newUse[want[k].c] = want[k].c+1, h.c+1
				p.CablesKept++
				break
			}
		}
	}
}

// moveEnds uses old cables for new ones at a switch or endpoint where one of their ends is.
func (p *Plan) moveEnds(m *matcher, oldUse, newUse []int32, how []string, moves func(*Cable) bool) {
	for i := range m.to.Cables {
		b := &m.to.Cables[i]
		if newUse[i] > 0 || !moves(b) {
			continue
		}
		top := int32(-1)
		for _, v := range []int32{b.A, b.B} {
			u := p.Match.Old[v]
			if u < 0 || !m.alike(u, v) {
				continue
			}
			for _, c := range m.old.cables(u) {
				if a := &m.old.Cables[c]; oldUse[c] == 0 && m.serves(a, b) && (top < 0 || a.StockM < m.old.Cables[top].StockM) {
					top = c
				}
			}
		}
		if top >= 0 {
			oldUse[top], newUse[i], how[i] = int32(i)+1, top+1, MoveEnd
		}
	}
}

// moveAll uses those that are left wherever they reach: the shortest new ones first, each the shortest that reaches.
func (p *Plan) moveAll(m *matcher, oldUse, newUse []int32, how []string, moves func(*Cable) bool) {
	free, want := map[Kind][]pair{}, map[Kind][]pair{}
	for i := range m.old.Cables {
		if c := &m.old.Cables[i]; oldUse[i] == 0 {
			free[c.Kind] = append(free[c.Kind], pair{c: int32(i), m: c.StockM})
		}
	}
	for i := range m.to.Cables {
		if c := &m.to.Cables[i]; newUse[i] == 0 && len(free[c.Kind]) > 0 && moves(c) {
			want[c.Kind] = append(want[c.Kind], pair{c: int32(i), m: c.LaidM})
		}
	}
	order := func(x, y pair) int { return cmp.Or(cmp.Compare(x.m, y.m), cmp.Compare(x.c, y.c)) }
	for k, ys := range want {
		xs := free[k]
		slices.SortFunc(xs, order)
		slices.SortFunc(ys, order)
		at := 0
		for _, x := range xs {
			if at < len(ys) && m.serves(&m.old.Cables[x.c], &m.to.Cables[ys[at].c]) {
				oldUse[x.c], newUse[ys[at].c], how[ys[at].c] = ys[at].c+1, x.c+1, Move
				at++
			}
		}
	}
}

// finish counts.
func (p *Plan) finish(m *matcher, oldUse, newUse []int32, how []string) {
	moved := make([]bool, m.old.vertices())
	for i := range m.to.Cables {
		b := &m.to.Cables[i]
		u := Use{Old: newUse[i] - 1, New: int32(i), How: how[i]}
		switch u.How {
		case Keep:
		case MoveEnd:
			p.EndsMoved++
		case Move:
			p.CablesMoved++
		default:
			u.How = Buy
			p.CablesBought++
		}
		if u.Old >= 0 {
			p.PartsReused[b.Part]++
			if b.Kind.Modules != nil {
				p.ModulesReused += 2
			}
		}
		p.Uses = append(p.Uses, u)
	}
	for i := range m.old.Cables {
		a := &m.old.Cables[i]
		if oldUse[i] == 0 {
			p.CablesRemoved++
			p.Uses = append(p.Uses, Use{int32(i), -1, Remove})
		}
		if oldUse[i] == 0 || how[oldUse[i]-1] != Keep {
			moved[a.A], moved[a.B] = true, true
		}
	}
	for u := range int32(m.old.vertices()) {
		v := p.Match.New[u]
		switch {
		case m.old.isEndpoint(u):
			if moved[u] {
				p.EndpointsRecabled++
			}
		case v < 0:
			p.BoxesRetired++
		default:
			p.BoxesKept++
			p.SwitchesReused[m.old.part(u)]++
			if m.old.place[u] != m.to.place[v] {
				p.Carried++
			}
		}
	}
	p.BoxesBought = len(m.to.Boxes) - p.BoxesKept
}
