package placed

import (
	"math"

	"toposearch/workload"
)

// Racks is a network of racks of boards of endpoints that forward, all joined to each other along a board, at one place of a rack's boards, and, board by board over switches
// of their own, along two dimensions of racks (UB-Mesh): In is the endpoints along boards, across boards, and rack by rack without links; Out is the switches by board,
// joined in each rack by a middle that routes do not take, and along the dimensions of racks. A message to another rack first changes to the board of its destination, goes up, along
// the dimensions of racks in the order of Out, and down. Loads are counted without building it.
type Racks struct {
	In, Out Grid
	Nic     float64 // what leads up from an endpoint carries each way, in units of what an endpoint sends at Link.BytesPerS
}

// Geometry is that of both.
func (r *Racks) Geometry() string { return "racks " + r.In.Geometry() + r.Out.Geometry() }

func (r *Racks) home(endpoint int) int32 { return int32(endpoint) }

func (r *Racks) under(levels []float64) float64 {
	n := len(r.In.Dims)
	return max(r.In.under(levels[:n]), r.Out.under(levels[n:len(levels)-1]), levels[len(levels)-1]/r.Nic)
}

func (r *Racks) split([]busiest) float64 { return math.Inf(1) }

// closed counts one group: others that send over the same links between racks are on the same boards.
func (r *Racks) closed(of workload.Group, p pattern) (busiest float64, ok bool) {
	in, _, ok := r.In.one(of)
	out, times, lies := r.Out.one(of)
	if !ok || !lies {
		return 0, false
	}
	one := &Racks{*in, *out, r.Nic}
	l := one.loads().(*rackLoads)
	if p.All { // values of each coordinate can change places, so that links along a dimension are alike
		for to := 1; to < of.Size; to++ {
			l.add(0, to, 1)
		}
		nic := 0.0
		for _, x := range l.up {
			nic += x
		}
		return max(l.in.mean(of.Size), times*l.out.mean(of.Size), nic/r.Nic), true
	}
	for i := range of.Size {
		l.add(i, (i+p.Shift)%of.Size, 1)
	}
	return max(in.under(l.in.levels()), times*out.under(l.out.levels()), l.nic()/r.Nic), true
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

// rackLoads are what links along dimensions carry, and what endpoints send up and receive from above.
type rackLoads struct {
	of       *Racks
	in, out  *gridLoads
	up, down []float64
}

func (r *Racks) loads() shapeLoads {
	n := product(r.In.Dims)
	return &rackLoads{r, r.In.loads().(*gridLoads), r.Out.loads().(*gridLoads), make([]float64, n), make([]float64, n)}
}

func (l *rackLoads) add(from, to int, share float64) {
	board := l.of.In.Dims[0]
	rack := board * l.of.In.Dims[1]
	if from/rack == to/rack {
		l.in.add(from, to, share)
		return
	}
	by := from/rack*rack + to%rack/board*board + from%board
	l.in.add(from, by, share)
	l.up[by] += share
	l.down[to] += share
	l.out.add(by, to, share)
}

func (l *rackLoads) nic() (most float64) {
	for i, x := range l.up {
		most = max(most, x, l.down[i])
	}
	return most
}

func (l *rackLoads) levels() []float64 {
	return append(append(l.in.levels(), l.out.levels()...), l.nic())
}

func (l *rackLoads) ways() []busiest { return nil }

// blocks are parts of boards, boards with their switches, parts of racks, racks and rows of racks.
func (r *Racks) blocks() (out []Subtree) {
	board := r.In.Dims[0]
	for s := 1; s < board; s++ {
		if board%s == 0 {
			b := r.In.block([]int{s, 1, 1})
			out = append(out, Subtree{Endpoints: s, Carry: b.Carry + float64(s)*r.Nic})
		}
	}
	for _, outer := range r.Out.blocks() {
		boards := outer.Endpoints / board
		in := r.In.block([]int{board, min(boards, r.In.Dims[1]), max(1, boards/r.In.Dims[1])})
		out = append(out, Subtree{Endpoints: outer.Endpoints, Carry: in.Carry + min(outer.Carry, float64(outer.Endpoints)*r.Nic)})
	}
	return out
}
