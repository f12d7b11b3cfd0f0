package placed

import (
	"slices"

	"toposearch/workload"
)

// keyBits are those of rowRun.key, which may be negative, and runBits those of the runs of a row, which are fewer than four for each message of its endpoints.
const keyBits, runBits = 20, 22

// shortRow is a row with which runs are so short that to count them row by row is no faster, and mostShifts bounds what all send to all, so that a row has not many runs.
const shortRow, mostShifts = 5, 64

// byRows are the levels of a pattern of so many ranks on the first endpoints in order, and ways if it is asked for them; false: messages have to be counted otherwise.
func (g *Grid) byRows(of workload.Group, p pattern, ranks int, ways bool) (levels []float64, out []busiest, ok bool) {
	last, ok := g.rowed(of, p, ways)
	if !ok {
		return nil, nil, false
	}
	n := product(g.Dims)
	x := g.newRows()
	defer x.again()
	each := 0 // sent by every switch; 0: that is not known
	if ranks == n*g.PerSwitch && of.Stride%g.PerSwitch == 0 {
		each = g.PerSwitch * p.sends(of)
	}
	if ways && each == 0 {
		x.out, x.in = make([]int, n+1), make([]int, n+1)
	}
	counted := n // switches whose messages are counted
	if first, from := g.planes(of, last, ranks); x.out == nil && first < from {
		x.pattern(of, p, 0, first)
		x.pattern(of, p, from, ranks)
		counted = (first + ranks - from) / g.PerSwitch
	} else {
		x.pattern(of, p, 0, ranks)
	}
	levels = make([]float64, len(g.Dims))
	if !ways {
		for d := range levels {
			x.links(d, func(_ int, _ rowRun, load int) { levels[d] = max(levels[d], float64(load)) })
		}
		return levels, nil, true
	}
	l := &gridLoads{Grid: g}
	if each == 0 {
		l.out, l.in = sums(x.out), sums(x.in)
	}
	out = make([]busiest, len(g.Dims))
	for d, s := range g.Dims {
		if s < 2 {
			continue
		}
		if each > 0 {
			levels[d], out[d] = x.evenly(d, counted, float64(each))
		} else if levels[d], out[d], ok = x.unevenly(l, d); !ok {
			return nil, nil, false
		}
	}
	return levels, out, true
}

// rowed tells whether byRows counts a pattern, but for legs of too many kinds, and the last dimension that has several switches.
func (g *Grid) rowed(of workload.Group, p pattern, ways bool) (last int, ok bool) {
	last = -1
	for d, s := range g.Dims {
		if ring, _ := g.ring(d); ring > 0 || ways && g.star(d) || g.Digits != nil && (len(g.Digits) != len(g.Dims) || g.Digits[d] != Digit{d, s}) {
			return 0, false
		}
		if s > 1 {
			last = d
		}
	}
	return last, last >= 1 && g.Dims[0] >= shortRow && slices.Max(g.Dims) <= 1<<keyBits && g.Dims[0]*g.PerSwitch*p.sends(of) <= 1<<(runBits-2) &&
		!(p.All && of.Size > mostShifts) && !(ways && product(g.Dims) < 3)
}

// planes are the first endpoints, and those from one on, whose messages load links as those of all do. Links that a message takes but ports out of the middle of stars are of switches that have the last coordinate
// of its source, and so many such planes further on groups of ranks begin at the same places again; a plane more on either side of these has what comes from there. They are all where the first end behind the others' beginning.
func (g *Grid) planes(of workload.Group, last, ranks int) (end, from int) {
	plane := product(g.Dims[:last]) * g.PerSwitch
	some := of.Stride * of.Size / gcd(of.Stride*of.Size, plane)
	near := 1 + (of.Stride*of.Size-1)/plane // planes that messages cross
	return (some + 2*near) * plane, (ranks/plane - some - 2*near) * plane
}

func (g *Grid) newRows() *gridRows {
	if x := g.spareRows; x != nil {
		g.spareRows = nil
		return x
	}
	x := &gridRows{Grid: g, size: g.Dims[0], first: make([][]int32, len(g.Dims)), runs: make([][]rowRun, len(g.Dims))}
	for d := range x.first {
		x.first[d] = make([]int32, product(g.Dims[1:]))
	}
	return x
}

// again forgets what was added, and keeps the memory for a pattern to come.
func (x *gridRows) again() {
	for d := range x.runs {
		clear(x.first[d])
		x.runs[d] = x.runs[d][:0]
	}
	x.out, x.in = nil, nil
	x.spareRows = x
}

// pattern adds the messages of some endpoints.
func (x *gridRows) pattern(of workload.Group, p pattern, first, end int) {
	p.each(of, func(shift int) { shifted{of, shift}.runs(first, end, x.run) })
}

// run is a message from each of so many endpoints in a row to those in another row.
func (x *gridRows) run(from, to, n int) {
	per := x.PerSwitch
	for n > 0 {
		i, j, some, switches := from%per, to%per, 0, 1
		if i == 0 && n >= per { // whole switches, which send to one or to two each
			switches = n / per
			some = per - j
			x.switches(from/per, to/per+1, switches, j)
			n -= switches * j
			x.switches(from/per, to/per, switches, some)
			from, to, n = from+switches*per, to+switches*per, n-switches*some
			continue
		}
		some = min(n, per-i, per-j)
		x.switches(from/per, to/per, 1, some)
		from, to, n = from+some, to+some, n-some
	}
}

// switches are so many messages from each of so many switches in a row to those in another row.
func (x *gridRows) switches(from, to, n, messages int) {
	if from == to || messages == 0 {
		return
	}
	if x.out != nil {
		x.out[from] += messages
		x.out[from+n] -= messages
		x.in[to] += messages
		x.in[to+n] -= messages
	}
	for n > 0 {
		some := min(n, x.size-from%x.size, x.size-to%x.size)
		x.inRow(from, to, some, int32(messages))
		from, to, n = from+some, to+some, n-some
	}
}

// inRow is switches both of which are in a row each.
func (x *gridRows) inRow(from, to, n int, messages int32) {
	row, end := from/x.size, to/x.size
	a, b := int32(from-row*x.size), int32(to-end*x.size)
	switch more := int32(n); {
	case a == b:
	case x.star(0):
		x.put(0, row, rowRun{key: 0, from: a, to: a + more, load: messages})
		x.put(0, row, rowRun{key: 1, from: b, to: b + more, load: messages})
	default:
		x.put(0, row, rowRun{key: b - a, from: a, to: a + more, load: messages})
	}
	there := rowRun{from: b, to: b + int32(n), load: messages}
	for d, step := 1, 1; row != end; d++ {
		s := x.Dims[d]
		if at, y := row/step%s, end/step%s; at != y {
			next := row + (y-at)*step
			if x.star(d) {
				there.key = 0
				x.put(d, row, there)
				there.key = 1
				x.put(d, next, there)
			} else {
				there.key = int32(y)
				x.put(d, row, there)
			}
			row = next
		}
		step *= s
	}
}

func (x *gridRows) put(d, row int, r rowRun) {
	r.before = x.first[d][row]
	x.runs[d] = append(x.runs[d], r)
	x.first[d][row] = int32(len(x.runs[d]))
}

// links gives to f the links of a dimension that carry something, those alike of switches in a row at once.
func (x *gridRows) links(d int, f func(row int, r rowRun, load int)) {
	for row, first := range x.first[d] {
		if first == 0 {
			continue
		}
		order := x.order[:0]
		for i := first; i > 0; i = x.runs[d][i-1].before {
			r := &x.runs[d][i-1]
			order = append(order, uint64(r.key+1<<keyBits)<<(64-keyBits-1)|uint64(r.from)<<runBits|uint64(len(order)))
		}
		list := slices.Grow(x.list[:0], len(order))[:len(order)]
		for i, k := first, 0; i > 0; k++ {
			list[k], i = x.runs[d][i-1], x.runs[d][i-1].before
		}
		if x.order, x.list = order, list; len(list) > 1 {
			slices.Reverse(order) // as they were added, mostly in order
			slices.Sort(order)
			sorted := slices.Grow(x.sorted[:0], len(order))[:len(order)]
			for i, o := range order {
				sorted[i] = list[o&(1<<runBits-1)]
			}
			list, x.sorted = sorted, sorted
		}
		for begin := 0; begin < len(list); {
			end, reach := begin+1, list[begin].to
			for end < len(list) && list[end].key == list[begin].key && list[end].from < reach { // those that overlap
				reach = max(reach, list[end].to)
				end++
			}
			if end == begin+1 {
				f(row, list[begin], int(list[begin].load))
			} else {
				x.overlaps(row, int(reach), list[begin:end], f)
			}
			begin = end
		}
	}
}

// overlaps is links of those of one key that have some in common, up to a switch: where they begin and end is sorted, or, of many, all switches are gone through.
func (x *gridRows) overlaps(row, reach int, list []rowRun, f func(row int, r rowRun, load int)) {
	first, load := int(list[0].from), 0
	if 2*len(list) > reach-first {
		if x.more == nil {
			x.more = make([]int, x.size+1)
		}
		for _, r := range list {
			x.more[r.from] += int(r.load)
			x.more[r.to] -= int(r.load)
		}
		for begin, at := first, first; at < reach; {
			load += x.more[at]
			x.more[at] = 0
			if at++; at == reach || x.more[at] != 0 {
				f(row, rowRun{key: list[0].key, from: int32(begin), to: int32(at)}, load)
				begin = at
			}
		}
		x.more[reach] = 0
		return
	}
	edges := x.edges[:0]
	for _, r := range list {
		edges = append(edges, [2]int{int(r.from), int(r.load)}, [2]int{int(r.to), -int(r.load)})
	}
	x.edges = edges
	slices.SortFunc(edges, func(a, b [2]int) int { return a[0] - b[0] })
	for i, e := range edges[:len(edges)-1] {
		if load += e[1]; edges[i+1][0] > e[0] {
			f(row, rowRun{key: list[0].key, from: int32(e[0]), to: int32(edges[i+1][0])}, load)
		}
	}
}

// evenly is what the busiest link of a dimension carries of messages of so many switches, and its ways, where each switch sends and receives as much.
func (x *gridRows) evenly(d, switches int, each float64) (most float64, ways busiest) {
	s, n, step, loaded := x.Dims[d], product(x.Dims), product(x.Dims[:d]), 0
	times := n / (step * s)
	legs := (&legsAlong{times: times, step: step}).of(float64(step)*each, float64(times)*each)
	x.links(d, func(_ int, r rowRun, load int) {
		loaded += int(r.to - r.from)
		most = max(most, float64(load))
		ways = ways.add(linkLoad{float64(load), legs})
	})
	if loaded < switches*(s-1) {
		ways = ways.add(linkLoad{0, legs})
	}
	return most, ways
}

// unevenly is it where they do not, of which l has what they send and receive; false: they differ too much.
func (x *gridRows) unevenly(l *gridLoads, d int) (most float64, ways busiest, ok bool) {
	step := product(x.Dims[:d])
	legs := l.legsAlong(step, x.Dims[d])
	kinds, ok := legs.kindsOf(x.Dims[d])
	if !ok {
		return 0, nil, false
	}
	x.links(d, func(row int, r rowRun, load int) {
		most = max(most, float64(load))
		highest := 0.0
		for i := int(r.from); i < int(r.to); i++ {
			at, y := row*x.size+i, int(r.key)
			if d == 0 {
				y += i
			}
			kinds.carries(at, y)
			highest = max(highest, legs.between(at, y))
		}
		ways = ways.add(linkLoad{float64(load), highest})
	})
	if idle, has := kinds.mostIdle(); has {
		ways = ways.add(linkLoad{0, idle})
	}
	return most, ways, true
}

// sums are of what each has more than the one before.
func sums(more []int) []float64 {
	out, x := make([]float64, len(more)-1), 0
	for i := range out {
		x += more[i]
		out[i] = float64(x)
	}
	return out
}
