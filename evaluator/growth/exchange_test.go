package growth

import (
	"math/rand/v2"
	"slices"
	"testing"

	"toposearch/catalog"
)

// An exchange is undone whole, also where endpoints of the new network hang on both boxes, at other places in their lists.
func TestExchangeIsUndone(t *testing.T) {
	old, to := &Network{Endpoints: 3}, &Network{Endpoints: 3}
	for _, n := range []*Network{old, to} {
		n.Boxes = []Box{{box, "a", 0}, {box, "a", 1}}
		n.place = make([]Place, n.vertices())
	}
	join := func(n *Network, a, b int32) {
		n.Cables = append(n.Cables, Cable{A: a, B: b, LaidM: 1, StockM: 1, Part: cable})
	}
	for e, b := range []int32{0, 0, 1} {
		join(old, int32(2+e), b)
	}
	for _, c := range [][2]int32{{2, 0}, {3, 0}, {3, 1}, {4, 1}} {
		join(to, c[0], c[1])
	}
	old.index()
	to.index()
	m := &matcher{old: old, to: to, rules: all, votes: make([]int32, to.vertices())}
	x := m.none()
	for u := range int32(old.vertices()) {
		x.pair(u, u)
	}
	was := Match{slices.Clone(x.New), slices.Clone(x.Old)}
	x.undo(m.exchangeAll(x, 0, 1, 0, 1, nil))
	if !slices.Equal(x.New, was.New) || !slices.Equal(x.Old, was.Old) {
		t.Errorf("undone: %v, before: %v", x.New, was.New)
	}
}

// Exchanges never keep fewer cables than before, whatever the kinds and lengths of parallel cables and however many ports endpoints have.
func TestExchangesKeepNoFewer(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	other := &catalog.Part{PartNo: "other"}
	fewer := 0
	draw := func(boxes, ends, ports, cables int) *Network {
		n := &Network{Endpoints: ends}
		for i := range boxes {
			n.Boxes = append(n.Boxes, Box{box, "a", i})
		}
		join := func(a, b int) {
			c := Cable{A: int32(a), B: int32(b), LaidM: float64(1 + rng.IntN(2)), StockM: 2, Part: cable}
			c.StockM = c.LaidM
			if rng.IntN(3) == 0 {
				c.Part, c.Kind.Medium = other, "other"
			}
			n.Cables = append(n.Cables, c)
		}
		for e := range ends {
			for range ports {
				join(boxes+e, rng.IntN(boxes))
			}
		}
		for range cables {
			a := rng.IntN(boxes)
			join(a, (a+1+rng.IntN(boxes-1))%boxes)
		}
		n.place = make([]Place, n.vertices())
		n.index()
		return n
	}
	for range 3000 {
		boxes := 3 + rng.IntN(3)
		old := draw(boxes, 4, 1+rng.IntN(2), 4+rng.IntN(8))
		to := draw(boxes+rng.IntN(2), 5, 1+rng.IntN(3), 4+rng.IntN(12))
		m := &matcher{old: old, to: to, rules: all, votes: make([]int32, to.vertices())}
		x := m.grow(m.none(), nil)
		m.improve(x)
		m.rest(x)
		before := Kept(old, to, x, all)
		m.exchanges(x)
		if Kept(old, to, x, all) < before {
			fewer++
		}
	}
	if fewer > 0 {
		t.Errorf("%d of 3000 keep fewer", fewer)
	}
}
