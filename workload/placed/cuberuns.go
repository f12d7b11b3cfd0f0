package placed

import (
	"math/bits"
	"slices"

	"toposearch/workload"
)

func (c *Cubes) byRuns(of workload.Group, p pattern, ranks int, _ bool) *loaded {
	l, _ := c.byRows(of, p, ranks, nil)
	return l
}

// byRows counts row by row, which are the endpoints of a switch of the lowest level, until it is known that what the busiest links take is too long, if that is asked: then it is not whole.
func (c *Cubes) byRows(of workload.Group, p pattern, ranks int, tooLong func(far float64) bool) (l *loaded, whole bool) {
	l = &loaded{own: float64(p.sends(of)), levels: make([]float64, c.Levels)}
	stops := func(row int, most []int, unit float64) bool {
		for i, n := range most {
			l.levels[i] = float64(n) / unit
		}
		return row&(row-1) == 0 && tooLong != nil && tooLong(max(l.own, c.under(l.levels))) // asked less and less
	}
	if c.Levels == 2 {
		return l, c.rows(of, p, ranks, stops)
	}
	x := &cubeRuns{Cubes: c, once: !p.All, most: make([]int, c.Levels)}
	for level := range c.Levels {
		x.ports = append(x.ports, newLine(c.Side))
		if level > 0 {
			x.links = append(x.links, newLine(c.power[level]))
		}
	}
	rows := (ranks + c.Side - 1) / c.Side
	if c.turned(of, p, ranks) {
		rows = c.power[c.Levels-2]
	}
	block := of.Stride * of.Size
	if block <= c.Side { // those in a row send by their switch
		x.most[0] = p.sends(of) * cubeUnit
	}
	for _, back := range []bool{false, true} { // what rows send, and what they receive
		x.back = back
		for r := range rows {
			p.each(of, func(shift int) {
				if back {
					shift = -shift
				}
				first, end := r*c.Side, min(ranks, (r+1)*c.Side)
				if head, tail := (first+block-1)/block*block, end/block*block; head < tail && block <= c.Side { // but for those that are not whole
					shifted{of, shift}.runs(first, head, x.run)
					first = tail
				}
				shifted{of, shift}.runs(first, end, x.run)
			})
			if x.end(r, r+1 == rows); stops(r+1, x.most, cubeUnit) {
				return l, false
			}
		}
	}
	return l, true
}

// turned tells whether all endpoints of one value of the highest digit load ports and links as those of another do, which are others: where a permutation of the values of all digits, of which a digit makes any
// value any other, leaves messages as they are. Where groups change the highest digit by as much as there is from one of its values to another, values that are all further on by one are such a permutation, and where
// they change bits of digits by all that these can be, or one bit, values of which bits are changed.
func (c *Cubes) turned(of workload.Group, p pattern, ranks int) bool {
	ends, bit := c.power[c.Levels], func(x int) bool { return x&(x-1) == 0 }
	switch {
	case ranks != ends:
		return false
	case (of.Size == 2 || p.All && bit(of.Size)) && bit(c.Side) && bit(of.Stride):
		return true
	}
	return of.Stride%c.power[c.Levels-1] == 0 && of.Stride*of.Size == ends
}

// cubeUnit is how many parts there are of a message, so that those of Cubes.routes are whole numbers: up to five ports, and one or two ways from each.
const cubeUnit = 2 * 60

// cubeRuns counts messages row by row of the endpoints that send them or, if back, that receive them: what their ports carry, and links up from the ports by which they are sent, or
// down to those by which they are received. Those from level l to the next that routes of a row take are among as many as there are endpoints with the same digits above l, which are
// rows in a row.
type cubeRuns struct {
	*Cubes
	back, once   bool    // once: each endpoint sends one message and receives one
	ports, links []*line // by level, or by that below: what each carries, of cubeUnit
	most         []int   // by level, as Cubes.Carry
	found        cubeRoutes
}

// run is a run of endpoints of a row.
func (x *cubeRuns) run(self, other, n int) {
	own := self / x.Side
	for place, row, at := self-own*x.Side, other/x.Side, other%x.Side; n > 0; row, at = row+1, 0 {
		some := min(n, x.Side-at)
		switch {
		case own == row && x.once: // by their switch
			x.most[0] = cubeUnit
		case own == row:
			x.ports[0].add(place, some, cubeUnit)
		default:
			x.alike(x.above[own]|uint64(place), x.above[row]|uint64(at), some)
		}
		place, n = place+some, n-some
	}
}

// alike is a run whose ends both are in a row each and have these digits. Routes are those of its first message but where the lowest digit of one end is a higher digit of the other, by which a shorter route may begin
// (Cubes.routes).
func (x *cubeRuns) alike(self, to uint64, n int) {
	var apart [4 * mostLevels]int
	list := append(apart[:0], 0, n)
	if n > 1 {
		differ := (bits.Len64(self^to) - 1) / digitBits // digits above are the same, and the lowest is not all, since rows differ
		for i := 1; i < x.Levels-1; i++ {
			for way, low, high := 0, self, to; way < 2; way, low, high = way+1, to, self {
				at := digit(high, i) - digit(low, 0)
				// A route of i hops that needs more than the lowest digit needs the next ones as well, which are those of the whole run.
				if at >= 0 && at < n && (differ <= i+1 || (low>>digitBits^high>>((i+1)*digitBits))<<(64-(differ-i-1)*digitBits) == 0) {
					list = inOrder(inOrder(list, at), at+1)
				}
			}
		}
	}
	for k, i := range list[1:] {
		if first := list[k]; i > first {
			x.add(self+uint64(first), to+uint64(first), i-first)
		}
	}
}

// inOrder puts a number among a few in order.
func inOrder(list []int, n int) []int {
	list = append(list, n)
	for i := len(list) - 1; i > 0 && list[i-1] > n; i-- {
		list[i], list[i-1] = list[i-1], n
	}
	return list
}

func (x *cubeRuns) add(self, to uint64, n int) {
	place, far := digit(self, 0), to
	if x.back {
		self, to = to, self
	}
	r := &x.found
	x.routes(self, to, r)
	var port [mostLevels]int // of one endpoint, if it carries nothing else
	for i := range r.list[:r.n] {
		part, at, end := partOf[r.parts(i)], r.list[i].at, r.list[i].to
		if x.back {
			at, end = end, at
		}
		if x.once {
			port[at] += part
			x.most[0] = max(x.most[0], port[at])
		} else {
			x.ports[at].add(place, n, part)
		}
		if at >= end {
			continue
		}
		// A link from level at is that of the digits from end-at-1 on, below end.
		link := 0
		for i := range at {
			link = link*x.Side + digit(far, end-1-i)
		}
		for ; at < end; at++ {
			if link = link*x.Side + digit(far, end-1-at); end-at > 1 { // one for all
				x.links[at].add(link, 1, n*part)
			} else {
				x.links[at].add(link, n, part)
			}
		}
	}
}

// partOf is a message in so many parts.
var partOf = func() (parts [2*mostLevels + 1]int) {
	for n := 1; n < len(parts); n++ {
		parts[n] = cubeUnit / n
	}
	return parts
}()

// end is after all of a row.
func (x *cubeRuns) end(row int, last bool) {
	for _, list := range x.ports {
		x.most[0] = max(x.most[0], list.highest())
	}
	for at, list := range x.links {
		if last || (row+1)%x.power[at] == 0 {
			x.most[at+1] = max(x.most[at+1], list.highest())
		}
	}
}

// line is what places in a row carry: where more or less begins, and room for what each place has more than the one before.
type line struct{ edges, more []int }

func newLine(places int) *line { return &line{more: make([]int, places+1)} }

// edgeBits are those of what begins at an edge, below its place: of a million messages, of cubeUnit, less than a sign.
const edgeBits, begins = 31, 1 << 30

func (x *line) add(first, n, amount int) {
	x.edges = append(x.edges, first<<edgeBits|(begins+amount), (first+n)<<edgeBits|(begins-amount))
}

// highest is the most that one carries, and forgets all. Of few edges these are sorted, else all places are gone through.
func (x *line) highest() (most int) {
	if len(x.edges) == 0 {
		return 0
	}
	sum := 0
	if len(x.edges) <= len(x.more)/4 {
		slices.Sort(x.edges) // at one place ends come first
		for _, e := range x.edges {
			sum += e&(1<<edgeBits-1) - begins
			most = max(most, sum)
		}
	} else {
		for _, e := range x.edges {
			x.more[e>>edgeBits] += e&(1<<edgeBits-1) - begins
		}
		for i, more := range x.more {
			sum += more
			most = max(most, sum)
			x.more[i] = 0
		}
	}
	x.edges = x.edges[:0]
	return most
}

// cubeRow is what the endpoints of a row load, one way: each of its two ports, and its links to the switches of the upper level, as what each carries more than
// the one before.
type cubeRow struct{ ports, links []cubeRange }

// cubeRange are so many in a row of ports of a level, or of links (level 0), with as much each, in halves of a message.
type cubeRange struct{ level, first, n, halves int }

// rows are the levels of two levels of switches. Two endpoints share a switch of the lower level if they are in a row, and one of the upper level if they are at the same
// place of their turns; else half of a message goes up from the row of the source to the place of the destination, and the other down from the place of the
// source to the row of the destination. false: what is most so far, in halves, is where it stops.
func (c *Cubes) rows(of workload.Group, p pattern, ranks int, stops func(row int, most []int, unit float64) bool) bool {
	most, rows, room := make([]int, 2), (ranks+c.Row-1)/c.Row, newLine(max(c.Row, c.Side))
	if block := of.Stride * of.Size; c.Row%block == 0 {
		rows = 1 // no other has more
	}
	for _, sign := range p.backward(of) { // what rows send, and what they receive
		var last, row cubeRow
		for r := range rows {
			row.ports, row.links = row.ports[:0], row.links[:0]
			p.each(of, func(shift int) {
				shifted{of, sign * shift}.runs(r*c.Row, min(ranks, (r+1)*c.Row), func(from, to, n int) { row.send(c, from, to, n) })
			})
			if r > 0 && slices.Equal(row.ports, last.ports) && slices.Equal(row.links, last.links) {
				continue
			}
			for level := range 2 {
				most[0] = max(most[0], highest(row.ports, level, room))
			}
			most[1] = max(most[1], highest(row.links, 0, room))
			if stops(r+1, most, 2) {
				return false
			}
			row, last = last, row
		}
	}
	return true
}

// send adds a run, as far as destinations stay in one row and in one turn of switches of the upper level at a time.
func (x *cubeRow) send(c *Cubes, from, to, n int) {
	for n > 0 {
		some := min(n, c.Row-to%c.Row, c.Side-to%c.Side)
		a, b := from%c.Row, to%c.Side
		switch {
		case from/c.Row == to/c.Row:
			x.ports = append(x.ports, cubeRange{0, a, some, 2})
		case from%c.Side == b:
			x.ports = append(x.ports, cubeRange{1, a, some, 2})
		default:
			x.ports = append(x.ports, cubeRange{0, a, some, 1}, cubeRange{1, a, some, 1})
			x.links = append(x.links, cubeRange{0, b, some, 1})
		}
		from, to, n = from+some, to+some, n-some
	}
}

// highest is the most that one of a level has of all ranges, in halves, in the room of a line.
func highest(list []cubeRange, level int, x *line) int {
	for _, r := range list {
		if r.level == level {
			x.add(r.first, r.n, r.halves)
		}
	}
	return x.highest()
}
