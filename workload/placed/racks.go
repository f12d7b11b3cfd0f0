package placed

import (
	"fmt"
	"math"
	"slices"

	"toposearch/topology"
	"toposearch/workload"
)

// Racks is a network of racks of boards of endpoints that forward, all joined to each other along a board, at one place of a rack's boards, and, board by board over switches
// of their own, along two dimensions of racks (UB-Mesh): In is the endpoints along boards, across boards, and rack by rack without links; Out is the switches by board,
// joined in each rack by a middle that routes do not take, and along the dimensions of racks. A message to another rack first changes to the board of its destination, goes up, along
// the dimensions of racks in the order of Out, and down. Of several pods of racks, the last dimension of Out, switches are joined by others above them, which messages take where that is
// as short as or shorter than other ways. Loads are counted without building it.
//
// In is the links of boards whatever endpoints share their switches (Sides), and the first of Out those that share them.
type Racks struct {
	Sides   topology.Sides
	In, Out Grid
	Nic     float64 // what leads up from an endpoint carries each way, in units of what an endpoint sends at Link.BytesPerS
	Planes  int     // switches of a board, which endpoints take in equal parts
	// Above is how many links each of these has to switches above, each of them for Shared boards in a row of all racks, which Carry of the last dimension of Out is of; 0: there is one pod.
	Above, Shared int
}

// Geometry is all but what links carry.
func (r *Racks) Geometry() string {
	return fmt.Sprint("racks ", r.Sides, r.In.Geometry(), r.Out.Geometry(), r.Planes, r.Above, r.Shared)
}

func (r *Racks) home(endpoint int) int32 { return int32(endpoint) }

func (r *Racks) under(levels []float64) float64 {
	in, out := len(r.In.Dims), len(r.In.Dims)+len(r.Out.Dims)
	return max(r.In.under(levels[:in]), r.Out.under(levels[in:out]), levels[out]/r.Nic, r.above(levels[out+1], 1))
}

// above is what the links of a board to switches above take if they carry so much, so many times.
func (r *Racks) above(carried, times float64) float64 {
	if r.Above == 0 {
		return 0
	}
	return carried * times / r.Out.Carry[len(r.Out.Carry)-1]
}

func (r *Racks) split([]busiest) float64 { return math.Inf(1) }

// closed counts one group: others that send over the same links between racks are on the same boards.
func (r *Racks) closed(of workload.Group, p pattern) (busiest float64, ok bool) {
	if r.Sides != topology.BoardSides {
		return 0, false
	}
	in, _, ok := r.In.one(of)
	out, times, lies := r.Out.one(of)
	if !ok || !lies {
		return 0, false
	}
	one := &Racks{In: *in, Out: *out, Nic: r.Nic, Planes: r.Planes, Above: r.Above, Shared: 1}
	switch boards, all := in.Dims[1], r.In.Dims[1]; {
	case r.Shared == all:
		one.Shared = boards
	case r.Shared > 1 && boards > 1 && in.Dims[2] > 1: // they are not alike to one another
		return 0, false
	}
	l := one.loads().(*rackLoads)
	if p.All { // values of each coordinate can change places, so that links along a dimension are alike
		for to := 1; to < of.Size; to++ {
			l.add(0, to, 1)
		}
		nic, above := 0.0, 0.0
		for _, x := range l.up {
			nic += x
		}
		for _, x := range l.leave {
			above += x
		}
		return max(l.in.mean(of.Size), times*l.out.mean(of.Size), nic/r.Nic, r.above(above*float64(of.Size)/float64(len(l.leave)), times)), true
	}
	for i := range of.Size {
		l.add(i, (i+p.Shift)%of.Size, 1)
	}
	return max(in.under(l.in.levels()), times*out.under(l.out.levels()), most(l.up, l.down)/r.Nic, r.above(most(l.leave, l.enter), times)), true
}

// mean is what the links of the busiest dimension take, if all are alike and others send as l has of one, so many in all.
func (l *gridLoads) mean(senders int) (most float64) {
	for d, size := range l.Dims {
		sum, n := 0.0, 0
		l.links(d, func(x float64) { sum, n = sum+x, n+1 })
		if size > 1 && sum > 0 {
			most = max(most, sum*float64(senders)/float64(n)/l.Carry[d])
		}
	}
	return most
}

// rackLoads are what links along dimensions carry, what endpoints send up and receive from above, and what boards send to switches above these and receive from there.
type rackLoads struct {
	of           *Racks
	in, out      *gridLoads
	up, down     []float64
	leave, enter []float64
	lie          rackLie
}

// rackLie is how many endpoints a rack has, and those in a row, and racks a row along the second dimension and a pod; and sides of a rack, how many endpoints a side has, and how far
// one is from that of the next side.
type rackLie struct{ rack, board, row, pod, sides, each, apart int }

func (r *Racks) loads() shapeLoads {
	n, d := product(r.In.Dims), r.Out.Dims
	sides := n / r.Out.PerSwitch
	l := &rackLoads{of: r, in: r.In.loads().(*gridLoads), out: r.Out.loads().(*gridLoads), up: make([]float64, n), down: make([]float64, n),
		leave: make([]float64, sides), enter: make([]float64, sides)}
	l.lie = rackLie{r.In.Dims[0] * r.In.Dims[1], r.In.Dims[0], d[2], d[1] * d[2], d[0], r.Out.PerSwitch, r.Out.PerSwitch}
	if r.Sides == topology.ColumnSides {
		l.lie.apart = 1
	}
	return l
}

// side is that of an endpoint in its rack.
func (l *rackLoads) side(endpoint int) int {
	if x := &l.lie; x.apart == 1 {
		return endpoint % x.sides
	} else {
		return endpoint % x.rack / x.each
	}
}

// sideOf is the side among all.
func (l *rackLoads) sideOf(endpoint int) int {
	return endpoint/l.lie.rack*l.lie.sides + l.side(endpoint)
}

// inside is a message in a rack.
func (l *rackLoads) inside(from, to int, share float64) {
	by := from // of the side of the destination
	switch x := &l.lie; {
	case l.of.Sides == topology.BoardSides, l.of.Sides == topology.RackSides && from/x.board == to/x.board && l.of.In.Carry[0] > 0:
		by = to
	case l.of.Sides == topology.ColumnSides:
		by += l.side(to) - l.side(from)
	}
	l.in.add(from, by, share)
	if by != to {
		l.up[by] += share
		l.down[to] += share
	}
}

func (l *rackLoads) add(from, to int, share float64) {
	x, r := &l.lie, l.of
	a, b := from/x.rack, to/x.rack
	if a == b {
		l.inside(from, to, share)
		return
	}
	l.down[to] += share
	here, there := l.side(from), l.side(to)
	by := from + (there-here)*x.apart
	var shared bool
	if r.Above > 0 {
		shared = here/r.Shared == there/r.Shared
	}
	apart := r.Above > 0 && a/x.pod != b/x.pod
	turns := a/x.row != b/x.row && a%x.row != b%x.row
	switch {
	case !apart && (r.Above == 0 || !turns && (here == there || !shared)):
		l.in.add(from, by, share)
		l.along(by, to, share)
	case !apart && !turns: // across boards and then along, or above: over each link of the source as much
		part := share / float64(1+r.Planes)
		l.in.add(from, by, part)
		l.along(by, to, part)
		l.over(from, to, share-part)
	case apart && shared || shared && here != there:
		l.over(from, to, share)
	case shared:
		l.turn(from, to, share)
	default: // by any board that shares switches above with that of the destination
		part := share / float64(r.Shared)
		for board := there / r.Shared * r.Shared; board < (there/r.Shared+1)*r.Shared; board++ {
			by := from + (board-here)*x.apart
			l.in.add(from, by, part)
			if apart || board != there {
				l.over(by, to, part)
			} else {
				l.turn(by, to, part)
			}
		}
	}
}

// along is a message from above one endpoint to above another of the same side of another rack, by both dimensions of racks.
func (l *rackLoads) along(by, to int, share float64) {
	l.up[by] += share
	l.out.add(l.sideOf(by)*l.lie.each, l.sideOf(to)*l.lie.each, share)
}

// over is a message by way of a switch above.
func (l *rackLoads) over(by, to int, share float64) {
	l.up[by] += share
	l.leave[l.sideOf(by)] += share
	l.enter[l.sideOf(to)] += share
}

// turn is a message between racks that differ in both dimensions, which is as short along these as above: over each link of a switch as much.
func (l *rackLoads) turn(by, to int, share float64) {
	part := share / float64(1+l.of.Above)
	l.along(by, to, part)
	l.over(by, to, share-part)
}

// most is what is most of two lists.
func most(a, b []float64) float64 { return max(slices.Max(a), slices.Max(b)) }

func (l *rackLoads) levels() []float64 {
	return append(append(l.in.levels(), l.out.levels()...), most(l.up, l.down), most(l.leave, l.enter))
}

func (l *rackLoads) ways() []busiest { return nil }

// blocks are parts of boards, boards with their switches, parts of racks, racks and rows of racks.
func (r *Racks) blocks() (out []Subtree) {
	board, boards := r.In.Dims[0], r.In.Dims[1]
	for s := 1; s < board; s++ {
		if board%s == 0 {
			b := r.In.block([]int{s, 1, 1})
			out = append(out, Subtree{Endpoints: s, Carry: b.Carry + float64(s)*r.Nic})
		}
	}
	for s := 1; s < boards && r.Sides != topology.BoardSides; s++ {
		if boards%s == 0 { // with switches that others of the rack share
			out = append(out, Subtree{Endpoints: s * board, Carry: float64(s*board) * r.Nic})
		}
	}
	for _, outer := range r.Out.blocks() {
		if r.Sides != topology.BoardSides && outer.Endpoints%(board*boards) != 0 {
			continue
		}
		held := outer.Endpoints / board
		in := r.In.block([]int{board, min(held, boards), max(1, held/boards)})
		out = append(out, Subtree{Endpoints: outer.Endpoints, Carry: in.Carry + min(outer.Carry, float64(outer.Endpoints)*r.Nic)})
	}
	return out
}
