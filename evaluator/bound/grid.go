package bound

import (
	"slices"

	"toposearch/evaluator/market"
	"toposearch/topology"
	"toposearch/workload/placed"
)

// ShapeOf is a design as a grid or a tree whose loads are counted without building it, nil if it is none. bandwidth is that of an
// endpoint, gbps the rates of links by class.
func ShapeOf(v []int, s *topology.Size, gbps *[topology.MaxClasses]float64, bandwidth float64) placed.Shape {
	if bandwidth <= 0 {
		return nil
	}
	if g, ok := gridOf(v, s, gbps, bandwidth); ok {
		return g
	}
	if g, ok := latticeOf(v, s, gbps, bandwidth); ok {
		return g
	}
	if f := s.Family; f.Cells != nil && f.Cells(v) > 0 {
		return &placed.Cells{Size: f.Cells(v), Port: gbps[1] / bandwidth, Link: gbps[2] / bandwidth}
	}
	if f := s.Family; f.Racks != nil {
		if k := f.Racks(v); k.Board > 0 {
			return racksOf(&k, gbps, bandwidth)
		}
	}
	subtree := func(b topology.Subtree) placed.Subtree {
		return placed.Subtree{Endpoints: int(b.Endpoints), Across: b.Across, Carry: float64(b.Links) * gbps[b.Class] / bandwidth / float64(max(b.Sharing, 1))}
	}
	if s.Family.Nets != nil {
		leaf, group, groups, nets, joined := s.Family.Nets(v)
		return &placed.Nets{Leaf: subtree(leaf), Group: subtree(group), Groups: groups, Count: nets, Joined: joined}
	}
	if f := s.Family; f.Subtrees != nil && s.Endpoints > 0 {
		var t placed.Tree
		for _, b := range f.Subtrees(v) {
			t = append(t, subtree(b))
		}
		switch {
		case len(t) > 0 && t[0].Across > 0:
			return placed.Rails{Tree: t}
		case len(t) > 0:
			return t
		}
	}
	return nil
}

// gridOf is a design as a grid of switches in lines, in which all are joined as many times, in a ring, or in a row, whose natural routes correct
// one coordinate after the other; false if it is none.
func gridOf(v []int, s *topology.Size, gbps *[topology.MaxClasses]float64, bandwidth float64) (*placed.Grid, bool) {
	f := s.Family
	dims := f.Dims
	if dims == nil {
		dims = f.Lines
	}
	if dims == nil || f.Natural == nil || f.Natural(v).Name != "dor" || len(f.SwitchClasses) != 1 || s.Switch[0].Count == 0 {
		return nil, false
	}
	n, class := s.Switch[0].Count, &s.Switch[0]
	g := &placed.Grid{Dims: slices.Clone(dims(v)), PerSwitch: int(s.Endpoints / n)}
	g.Rings, g.Apart, g.Open = make([]int, len(g.Dims)), make([]int, len(g.Dims)), make([]bool, len(g.Dims))
	switches, wraps := int64(1), int64(0)
	for d, size := range g.Dims {
		switches *= int64(size)
		if d+1 >= len(f.LinkClasses) {
			return nil, false
		}
		links := int64(0) // to each other switch
		if size > 1 {
			links = int64(class.Ports[d+1]) / int64(size-1)
		}
		switch wrap := len(g.Dims) + 1 + d; {
		case wrap < len(f.LinkClasses) && s.Link[wrap] > 0: // closes rings, whose links are otherwise of the dimension
			if class.Ports[d+1] != 2 || s.Link[wrap]*int64(size) != n || s.Link[d+1]+s.Link[wrap] != n || gbps[d+1] != gbps[wrap] {
				return nil, false
			}
			links, wraps = 1, wraps+1
			g.Rings[d], g.Apart[d] = size, 1
		case size > 2 && class.Ports[d+1] == 2 && s.Link[d+1]*int64(size) == n*int64(size-1): // a line, whose ends have a port less
			links = 1
			g.Rings[d], g.Apart[d], g.Open[d] = size, 1, true
		case links*int64(size-1) != int64(class.Ports[d+1]) || 2*s.Link[d+1] != n*links*int64(size-1) || size > 1 && links == 0:
			return nil, false
		}
		g.Carry = append(g.Carry, float64(links)*gbps[d+1]/bandwidth)
	}
	for c := len(g.Dims) + 1; c < len(f.LinkClasses); c++ {
		if s.Link[c] > 0 {
			wraps--
		}
	}
	return g, wraps == 0 && switches == n && int64(g.PerSwitch)*n == s.Endpoints && class.Also == 0
}

// latticeOf is a design as a grid of endpoints that forward; false if it is none, or if links along a line differ in rate.
func latticeOf(v []int, s *topology.Size, gbps *[topology.MaxClasses]float64, bandwidth float64) (*placed.Grid, bool) {
	if s.Family.Lattice == nil {
		return nil, false
	}
	l := s.Family.Lattice(v)
	n := len(l.Lines)
	g := &placed.Grid{PerSwitch: 1, Dims: make([]int, n), Rings: make([]int, n), Apart: make([]int, n), Stars: make([]bool, n)}
	for d := range g.Dims {
		g.Dims[d], g.Apart[d] = 1, 1
	}
	for _, x := range l.Digits {
		g.Dims[x.Line] *= x.Values
		g.Digits = append(g.Digits, placed.Digit{Dim: x.Line, Values: x.Values})
	}
	for d, line := range l.Lines {
		if g.Stars[d] = !line.Ring; line.Ring {
			g.Rings[d] = g.Dims[d]
		}
		carry := 0.0
		for _, c := range line.Classes {
			if x := gbps[c] / bandwidth; s.Link[c] > 0 {
				if carry > 0 && x != carry {
					return nil, false
				}
				carry = x
			}
		}
		g.Carry = append(g.Carry, carry)
	}
	return g, n > 0
}

// OfRoutes tells whether a shape counts routes alone, and no detours: those of lines load these more in their middle, which no closed form knows, and those of racks, cells and sub-networks are not counted.
func OfRoutes(s placed.Shape) bool {
	g, grid := s.(*placed.Grid)
	_, racks := s.(*placed.Racks)
	_, cells := s.(*placed.Cells)
	_, nets := s.(*placed.Nets)
	return nets || racks || cells || grid && slices.Contains(g.Open, true)
}

// racksOf are racks as a shape.
func racksOf(k *topology.Racks, gbps *[topology.MaxClasses]float64, bandwidth float64) *placed.Racks {
	carry := func(class, links int) float64 { return float64(links) * gbps[class] / bandwidth }
	beside := carry(k.Beside[0], k.Switches*k.Each[0]) + carry(k.Beside[1], k.Switches*k.Each[1])
	sides := k.Boards
	switch k.Sides {
	case topology.ColumnSides:
		sides = k.Board
	case topology.RackSides:
		sides = 1
	}
	along, across := 0.0, 0.0 // boards without links, and between boards
	if k.Along > 0 {
		along = carry(k.Along, 1)
	}
	if k.Across > 0 {
		across = carry(k.Across, 1)
	}
	r := &placed.Racks{Sides: k.Sides,
		In: placed.Grid{Dims: []int{k.Board, k.Boards, k.First * k.Second * k.Pods}, PerSwitch: 1, Carry: []float64{along, across, 0}},
		Out: placed.Grid{Dims: []int{sides, k.First, k.Second}, PerSwitch: k.Board * k.Boards / sides, Digits: []placed.Digit{{Dim: 0, Values: sides}, {Dim: 2, Values: k.Second}, {Dim: 1, Values: k.First}},
			Stars: []bool{true, false, false}, Carry: []float64{beside, carry(k.FirstLink, k.Switches), carry(k.SecondLink, k.Switches)}},
		Nic: carry(k.Up, k.Switches), Planes: k.Switches}
	if k.Sides != topology.BoardSides { // no links, which need no room
		r.In.Stars = []bool{false, true, true}
	}
	if k.Pods > 1 {
		r.Above, r.Shared = k.Above, k.Shared
		o := &r.Out
		o.Dims, o.Stars, o.Carry = append(o.Dims, k.Pods), append(o.Stars, true), append(o.Carry, carry(k.AboveLink, k.Switches*k.Above))
		o.Digits = append(o.Digits, placed.Digit{Dim: len(o.Dims) - 1, Values: k.Pods})
	}
	return r
}

// shape is the design as one, nil if it is none or if its rates are not known.
func (l *Ladder) shape() placed.Shape {
	asked, stated := l.model.market.AskedGbps()
	if !stated || l.model.opt.Routing == "minimal" {
		return nil
	}
	for c := range l.size.Family.LinkClasses {
		if c > 0 && l.size.Link[c] > 0 && l.rates.Kind[c] == market.Inside {
			return nil
		}
	}
	s := ShapeOf(l.v, l.size, &l.rates.Link, asked)
	if OfRoutes(s) {
		return nil
	}
	return s
}

// blocks is the design as blocks of switches, nil if it is not known as such: of families whose natural routes take a link inside a block, one between
// blocks and one inside the other ("lgl"), with all switches of a block joined to each other.
func (l *Ladder) blocks() placed.Shape {
	f, s := l.size.Family, l.size
	asked, stated := l.model.market.AskedGbps()
	const inside, between = 1, 2 // classes of links
	if !stated || f.Natural == nil || f.Natural(l.v).Name != "lgl" || f.Place == nil || f.Cables == nil || len(f.LinkClasses) != 3 || len(f.SwitchClasses) != 1 {
		return nil
	}
	n, g := s.Switch[0].Count, int64(f.Place(l.v).Blocks)
	if g < 2 || n%g != 0 || s.Endpoints%n != 0 || f.Cables(l.v, between).Scope != topology.OtherBlocks || f.Cables(l.v, between).Pairs == (topology.BlockPairs{}) {
		return nil
	}
	a, per := n/g, int(s.Endpoints/n)
	pairs := f.Cables(l.v, between).Pairs
	links := pairs.Each // of two blocks, at most
	if pairs.Next > 0 || pairs.Opposite {
		links++
	}
	b := placed.Blocks{Outer: placed.Grid{Dims: []int{int(g)}, PerSwitch: per * int(a), Carry: []float64{float64(links) * l.rates.Link[between] / asked}}}
	if a > 1 {
		if 2*s.Link[inside] != n*(a-1) || f.Cables(l.v, inside).Scope != topology.OneBlock { // one link of every two
			return nil
		}
		b.Inner = placed.Grid{Dims: []int{int(a)}, PerSwitch: per, Carry: []float64{l.rates.Link[inside] / asked}}
	}
	return b
}
