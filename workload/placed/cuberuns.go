package placed

import (
	"slices"

	"toposearch/workload"
)

// byRuns counts two levels row by row, which are the endpoints of a switch of the lower one, and other messages one by one.
func (c *Cubes) byRuns(of workload.Group, p pattern, ranks int, _ bool) *loaded {
	l := &loaded{own: 1}
	if p.All {
		l.own = float64(of.Size - 1)
	}
	if c.Levels == 2 {
		l.levels = c.rows(of, p, ranks)
		return l
	}
	x := c.loads()
	p.each(of, func(shift int) {
		shifted{of, shift}.runs(0, ranks, func(from, to, n int) {
			for i := range n {
				x.add(from+i, to+i, 1)
			}
		})
	})
	l.levels = x.levels()
	return l
}

// cubeRow is what the endpoints of a row load, one way: each of its two ports, and its links to the switches of the upper level, as what each carries more than
// the one before.
type cubeRow struct{ ports, links []cubeRange }

// cubeRange are so many in a row of ports of a level, or of links (level 0), with as much each.
type cubeRange struct {
	level, first, n int
	amount          float64
}

// rows are the levels of two levels of switches. Two endpoints share a switch of the lower level if they are in a row, and one of the upper level if they are at the same
// place of their rows; else half of a message goes up from the row of the source to the place of the destination, and the other down from the place of the
// source to the row of the destination.
func (c *Cubes) rows(of workload.Group, p pattern, ranks int) []float64 {
	most, rows := make([]float64, 2), (ranks+c.Side-1)/c.Side
	if block := of.Stride * of.Size; c.Side%block == 0 {
		rows = 1 // no other has more
	}
	for _, sign := range []int{1, -1} { // what rows send, and what they receive
		var last cubeRow
		var row cubeRow
		for r := range rows {
			row.ports, row.links = row.ports[:0], row.links[:0]
			p.each(of, func(shift int) {
				shifted{of, sign * shift}.runs(r*c.Side, min(ranks, (r+1)*c.Side), func(from, to, n int) { row.send(c.Side, from, to, n) })
			})
			if r > 0 && slices.Equal(row.ports, last.ports) && slices.Equal(row.links, last.links) {
				continue
			}
			for level := range 2 {
				most[0] = max(most[0], highest(row.ports, level))
			}
			most[1] = max(most[1], highest(row.links, 0))
			row, last = last, row
		}
	}
	return most
}

// send adds a run, as far as it stays in one row of destinations at a time.
func (x *cubeRow) send(side, from, to, n int) {
	for n > 0 {
		some := min(n, side-to%side)
		a, b := from%side, to%side
		switch {
		case from/side == to/side:
			x.ports = append(x.ports, cubeRange{0, a, some, 1})
		case a == b:
			x.ports = append(x.ports, cubeRange{1, a, some, 1})
		default:
			x.ports = append(x.ports, cubeRange{0, a, some, 0.5}, cubeRange{1, a, some, 0.5})
			x.links = append(x.links, cubeRange{0, b, some, 0.5})
		}
		from, to, n = from+some, to+some, n-some
	}
}

// highest is the most that one of a level has of all ranges.
func highest(list []cubeRange, level int) (most float64) {
	type edge struct {
		at   int
		more float64
	}
	var edges []edge
	for _, x := range list {
		if x.level == level {
			edges = append(edges, edge{x.first, x.amount}, edge{x.first + x.n, -x.amount})
		}
	}
	slices.SortFunc(edges, func(a, b edge) int { return a.at - b.at })
	sum := 0.0
	for i, e := range edges {
		if sum += e.more; i+1 == len(edges) || edges[i+1].at != e.at {
			most = max(most, sum)
		}
	}
	return most
}
